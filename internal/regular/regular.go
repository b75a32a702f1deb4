// Package regular reads files that others provide, such as those of a repository or of a corpus that builds
// share. It reads only regular files up to a limit. Opening a named pipe would wait for a writer that never
// comes. A device, or a file that grows while it is read, has no end.
package regular

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// ErrNot says that a file is a pipe, a device, a folder or the like. For ReadIn and OpenIn, it may also be a
// link.
var ErrNot = errors.New("not a regular file")

// MaxSource is the limit for source files and what goes with them, in bytes. It is more than any compiler takes.
const MaxSource = 256 << 20

// Read is os.ReadFile for regular files, and links to such, of up to limit bytes. Errors are of type
// *fs.PathError.
func Read(name string, limit int64) ([]byte, error) {
	info, err := os.Stat(name) // before opening it: opening a device may have an effect
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fault(name, ErrNot)
	}
	f, err := os.OpenFile(name, os.O_RDONLY|doNotWait, 0)
	if err != nil {
		return nil, err
	}
	return readAll(f, name, limit)
}

// Source is Read with MaxSource as the limit.
func Source(name string) ([]byte, error) { return Read(name, MaxSource) }

// ReadIn is Read for a file below root. It does not follow a link of that name.
func ReadIn(root *os.Root, name string, limit int64) ([]byte, error) {
	f, err := OpenIn(root, name, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	return readAll(f, name, limit)
}

// errReplaced says that a file was replaced by another one while it was opened.
var errReplaced = errors.New("replaced while it was opened")

// maxReplaced is how often a file may be replaced while it is opened. Programs that write files under other names
// and then rename them do that.
const maxReplaced = 100

// OpenIn opens a regular file below root like root.OpenFile. It fails if something else, even a link, has the
// name.
func OpenIn(root *os.Root, name string, flag int, perm fs.FileMode) (f *os.File, err error) {
	for range maxReplaced {
		if f, err = openIn(root, name, flag, perm); !errors.Is(err, errReplaced) {
			break
		}
	}
	return f, err
}

func openIn(root *os.Root, name string, flag int, perm fs.FileMode) (*os.File, error) {
	before, err := root.Lstat(name)
	switch {
	case err == nil && !before.Mode().IsRegular():
		return nil, fault(name, ErrNot)
	case errors.Is(err, fs.ErrNotExist) && flag&os.O_CREATE != 0:
		f, err := root.OpenFile(name, flag|os.O_EXCL|doNotWait, perm)
		if errors.Is(err, fs.ErrExist) { // somebody else was quicker
			return openIn(root, name, flag&^os.O_CREATE, perm)
		}
		return f, err
	case err != nil:
		return nil, err
	}
	f, err := root.OpenFile(name, flag|doNotWait, perm)
	if err != nil {
		return nil, err
	}
	if after, err := f.Stat(); err != nil || !os.SameFile(before, after) {
		return nil, errors.Join(fault(name, errReplaced), err, f.Close())
	}
	return f, nil
}

// readAll reads and closes f.
func readAll(f *os.File, name string, limit int64) ([]byte, error) {
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fault(name, ErrNot)
	case info.Size() > limit:
		return nil, tooLarge(name, limit)
	}
	data := make([]byte, 0, info.Size()+1)
	for len(data) < cap(data) { // as a rule, one round reads all
		n, err := f.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if errors.Is(err, io.EOF) {
			return data, nil
		}
		if err != nil {
			return nil, err
		}
	}
	rest, err := io.ReadAll(io.LimitReader(f, limit+1-int64(len(data))))
	if data = append(data, rest...); err == nil && int64(len(data)) > limit {
		err = tooLarge(name, limit)
	}
	if err != nil {
		return nil, err
	}
	return data, nil
}

func tooLarge(name string, limit int64) error {
	return fault(name, fmt.Errorf("larger than %d MiB", limit>>20))
}

func fault(name string, err error) error { return &fs.PathError{Op: "read", Path: name, Err: err} }
