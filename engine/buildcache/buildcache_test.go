package buildcache

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func write1(t *testing.T, dir, file, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// files returns the set of the paths of all regular files below dir.
func files(t *testing.T, dir string) map[string]bool {
	t.Helper()
	list := map[string]bool{}
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			list[path] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// build builds the module in dir and returns the paths of the packages that the go command compiled for it.
func build(t *testing.T, dir string, env ...string) string {
	t.Helper()
	cmd := exec.CommandContext(context.Background(), "go", "build", "-x", "-o", os.DevNull, ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var compiled []string
	for line := range strings.Lines(string(out)) {
		if _, rest, ok := strings.Cut(line, "/compile"); ok {
			if _, pkg, ok := strings.Cut(rest, " -p "); ok {
				compiled = append(compiled, strings.Fields(pkg)[0])
			}
		}
	}
	return strings.Join(compiled, " ")
}

func TestTheUsersCacheIsReadAndNotWritten(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the standard library")
	}
	dir, users, own := t.TempDir(), t.TempDir(), t.TempDir()
	write1(t, dir, "go.mod", "module example.com/m\n\ngo 1.21\n")
	write1(t, dir, "m.go", "package main\n\nfunc main() { println(1) }\n")
	if compiled := build(t, dir, "GOCACHE="+users); !strings.Contains(compiled, "runtime") {
		t.Fatalf("compiled %q into an empty cache", compiled)
	}
	before := files(t, users)

	write1(t, dir, "m.go", "package main\n\nfunc main() { println(2) }\n")
	with := []string{"GOCACHE=" + own, Variable(own, users)}
	if compiled := build(t, dir, with...); compiled != "main" {
		t.Errorf("compiled %q, want main alone", compiled)
	}
	if compiled := build(t, dir, with...); compiled != "" {
		t.Errorf("compiled %q once more", compiled)
	}
	for path := range files(t, users) {
		if !before[path] {
			t.Errorf("%s is new in the user's cache", path)
		}
	}
}

func TestWhatIsNoCacheIsAMiss(t *testing.T) {
	dir := t.TempDir()
	action := []byte{0xab, 0xcd}
	if err := os.Mkdir(filepath.Join(dir, "ab"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, entry := range map[string]string{
		"empty": "", "of another version": "v2 abcd 12 1 1", "of another action": "v1 abce 12 1 1", "without data": "v1 abcd 12 1 1",
		"no output": "v1 abcd zz 1 1", "no size": "v1 abcd 12 x 1", "a path": "v1 abcd ../../x 1 1",
	} {
		t.Run(name, func(t *testing.T) {
			write1(t, filepath.Join(dir, "ab"), "abcd-a", entry)
			if r := (caches{own: dir, users: dir}).get(action); !r.Miss {
				t.Errorf("found %+v", r)
			}
		})
	}
}

func TestRequestsAreAnswered(t *testing.T) {
	own := t.TempDir()
	in := strings.NewReader(`{"ID":1,"Command":"get","ActionID":"q80="}
{"ID":2,"Command":"put","ActionID":"q80=","OutputID":"EjQ=","BodySize":3}
"YWJj"
{"ID":3,"Command":"get","ActionID":"q80="}
{"ID":4,"Command":"sing"}
{"ID":5,"Command":"close"}
`)
	var out bytes.Buffer
	if err := (caches{own: own, users: t.TempDir()}).serve(in, &out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	for i, want := range []string{`"KnownCommands":["get","put","close"]`, `"ID":1,"Miss":true`, `"ID":2,"DiskPath":"`, `"ID":3,"OutputID":"EjQ=","Size":3`, `unknown command`, `"ID":5`} {
		if i >= len(lines) || !strings.Contains(lines[i], want) {
			t.Errorf("answer %d of %q has no %s", i, lines, want)
		}
	}
}
