// Package buildcache lets the go command that a test starts use the user's build cache without writing to it. What that
// go command builds goes into a cache of its own. The package implements a GOCACHEPROG, which the go command supports
// since 1.24; older ones have to build everything themselves.
package buildcache

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// name is the first argument of a process that serves the go command.
const name = "mutantfuzz-build-cache"

// The process that serves the go command is this very program, started again with name as its first argument. This init
// makes it work in every program that imports the package.
func init() {
	if len(os.Args) != 4 || os.Args[1] != name {
		return
	}
	c := caches{own: os.Args[2], users: os.Args[3]}
	if err := c.serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "build cache:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// Variable returns the setting GOCACHEPROG=... with which the go command reads from two caches and writes to the first.
// own and users are their folders. It returns "" if users is not absolute, if the program's own path is unknown, or if
// a path contains quotes.
func Variable(own, users string) string {
	self, err := os.Executable()
	if err != nil || !filepath.IsAbs(users) {
		return ""
	}
	fields := []string{self, name, own, users}
	for i, f := range fields {
		if strings.ContainsAny(f, `"'`) { // GOCACHEPROG has no escapes for quotes
			return ""
		}
		fields[i] = `"` + f + `"`
	}
	return "GOCACHEPROG=" + strings.Join(fields, " ")
}

// caches is a pair of caches in the format of the go command. Each has, for every action, a file that names its output,
// and the outputs. Only own is written.
type caches struct{ own, users string }

// request and response are the messages of the protocol; see cmd/go/internal/cacheprog.
type request struct {
	ID       int64
	Command  string
	ActionID []byte
	OutputID []byte
	BodySize int64
}

type response struct {
	ID            int64
	Err           string     `json:",omitempty"`
	KnownCommands []string   `json:",omitempty"`
	Miss          bool       `json:",omitempty"`
	OutputID      []byte     `json:",omitempty"`
	Size          int64      `json:",omitempty"`
	Time          *time.Time `json:",omitempty"`
	DiskPath      string     `json:",omitempty"`
}

// serve answers requests until in ends or the go command closes the cache.
func (c caches) serve(in io.Reader, out io.Writer) error {
	w := bufio.NewWriter(out)
	answer := func(r response) error {
		return errors.Join(json.NewEncoder(w).Encode(r), w.Flush())
	}
	if err := answer(response{KnownCommands: []string{"get", "put", "close"}}); err != nil {
		return err
	}
	requests := json.NewDecoder(bufio.NewReader(in))
	for {
		var q request
		if err := requests.Decode(&q); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		var body []byte
		if q.Command == "put" && q.BodySize > 0 {
			if err := requests.Decode(&body); err != nil {
				return err
			}
		}
		if err := answer(c.do(q, body)); err != nil || q.Command == "close" {
			return err
		}
	}
}

func (c caches) do(q request, body []byte) (r response) {
	var err error
	switch q.Command {
	case "get":
		r = c.get(q.ActionID)
	case "put":
		r.DiskPath, err = c.put(q.ActionID, q.OutputID, body)
	case "close":
	default:
		err = fmt.Errorf("unknown command %q", q.Command)
	}
	if err != nil {
		r = response{Err: err.Error()}
	}
	r.ID = q.ID
	return r
}

// get looks an action up in both caches.
func (c caches) get(action []byte) response {
	for _, dir := range []string{c.own, c.users} {
		if r, ok := lookUp(dir, action); ok {
			return r
		}
	}
	return response{Miss: true}
}

// lookUp looks an action up in one cache. ok is false if its output is missing or has another size.
func lookUp(dir string, action []byte) (r response, ok bool) {
	entry, err := os.ReadFile(file(dir, action, "a"))
	if err != nil {
		return r, false
	}
	// v1 <action> <output> <size> <nanoseconds since 1970>
	var id, output []byte
	var size, when int64
	_, err = fmt.Sscanf(string(entry), "v1 %x %x %d %d", &id, &output, &size, &when)
	if err != nil || !bytes.Equal(id, action) {
		return r, false
	}
	path := file(dir, output, "d")
	if info, err := os.Stat(path); err != nil || info.Size() != size {
		return r, false
	}
	at := time.Unix(0, when)
	return response{OutputID: output, Size: size, Time: &at, DiskPath: path}, true
}

// put stores the output of an action in the own cache, and returns the name of its file.
func (c caches) put(action, output, body []byte) (string, error) {
	if len(action) == 0 || len(output) == 0 {
		return "", errors.New("put without an ID")
	}
	path := file(c.own, output, "d")
	if info, err := os.Stat(path); err != nil || info.Size() != int64(len(body)) {
		if err := write(path, body); err != nil {
			return "", err
		}
	}
	entry := fmt.Sprintf("v1 %x %x %20d %20d\n", action, output, len(body), time.Now().UnixNano())
	return path, write(file(c.own, action, "a"), []byte(entry))
}

// write writes a file atomically, because several go commands share the folder.
func write(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	fresh := path + "-" + rand.Text()
	err := os.WriteFile(fresh, data, 0o600)
	if err == nil {
		err = os.Rename(fresh, path)
	}
	if err != nil {
		os.Remove(fresh)
	}
	return err
}

// file returns the name of a file in a cache: the entry of an action (kind a) or the data of an output (kind d).
func file(dir string, id []byte, kind string) string {
	text := hex.EncodeToString(id)
	return filepath.Join(dir, text[:min(2, len(text))], text+"-"+kind)
}
