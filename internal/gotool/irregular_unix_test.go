//go:build unix

package gotool

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mutantfuzz/mutantfuzz/internal/regular"
)

func TestFilesThatTheGoCommandWouldWaitForAreFound(t *testing.T) {
	for name, found := range map[string]bool{
		"a.go": true, "p/a_test.go": true, "p/a.s": true, "p/a.h": true, "go.mod": true, "p/go.mod": true, "go.work": true, "go.sum": true,
		"vendor/modules.txt": true, "vendor/x/a.go": true, "../go.mod": true, "../go.work": true, "../../go.work.sum": true,
		"a.txt": false, "agent.sock": false, ".a.go": false, "_a.go": false, "testdata/a.go": false, ".git/a.go": false,
		"node_modules/x/a.go": false, "_p/a.go": false, "../a.go": false,
	} {
		root := filepath.Join(t.TempDir(), "outer", "root")
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(root, 0o700), os.MkdirAll(filepath.Dir(path), 0o700), syscall.Mkfifo(path, 0o600)); err != nil {
			t.Fatal(err)
		}
		err := CheckFiles(t.Context(), root)
		if errors.Is(err, regular.ErrNot) != found || (err != nil) != found {
			t.Errorf("%s: %v", name, err)
		}
		var file *FileError
		if found && (!errors.As(err, &file) || file.File != path) {
			t.Errorf("%s is called %v", path, err)
		}
	}
}

func TestLinksAreWhatTheyLeadTo(t *testing.T) {
	root := t.TempDir()
	at := func(name string) string { return filepath.Join(root, name) }
	err := errors.Join(
		os.WriteFile(at("file"), nil, 0o600), os.Mkdir(at("d.go"), 0o700),
		os.Symlink("file", at("a.go")), os.Symlink("d.go", at("b.go")), os.Symlink("missing", at("c.go")),
	)
	if err != nil {
		t.Fatal(err)
	}
	if err := CheckFiles(t.Context(), root); err != nil {
		t.Error(err)
	}
	if err := os.Symlink("/dev/null", at("e.go")); err != nil {
		t.Fatal(err)
	}
	if err := CheckFiles(t.Context(), root); !errors.Is(err, regular.ErrNot) {
		t.Errorf("a link to a device: %v", err)
	}
}

func TestACommandThatIsStoppedIsNamed(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go"), []byte("#!/bin/sh\nsleep 1000\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	late, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := Go{Dir: dir}.List(late, nil, "./...")
	var stopped *StoppedError
	if !errors.As(err, &stopped) || !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "go list in "+dir+" did not end in time") {
		t.Errorf("%v", err)
	}
	why := errors.New("enough")
	ended, end := context.WithCancelCause(t.Context())
	end(why)
	if _, err := (Go{Dir: dir}).List(ended, nil, "./..."); !errors.Is(err, why) {
		t.Errorf("%v", err)
	}
}
