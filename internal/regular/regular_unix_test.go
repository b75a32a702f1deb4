//go:build unix

package regular

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// others makes what may be in the place of a regular file, and returns the names.
func others(t *testing.T, dir string) []string {
	t.Helper()
	at := func(name string) string { return filepath.Join(dir, name) }
	l, err := net.Listen("unix", at("socket"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	err = errors.Join(
		syscall.Mkfifo(at("pipe"), 0o600), os.Mkdir(at("folder"), 0o700),
		os.Symlink("pipe", at("link to a pipe")), os.Symlink("/dev/zero", at("link to a device")), os.Symlink("folder", at("link to a folder")),
	)
	if err != nil {
		t.Fatal(err)
	}
	return []string{"pipe", "folder", "socket", "link to a pipe", "link to a device", "link to a folder"}
}

func TestWhatIsNoRegularFileIsNotRead(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for _, name := range others(t, dir) {
		if _, err := Read(filepath.Join(dir, name), 10); !errors.Is(err, ErrNot) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := ReadIn(root, name, 10); !errors.Is(err, ErrNot) {
			t.Errorf("%s below a root: %v", name, err)
		}
		if _, err := OpenIn(root, name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600); !errors.Is(err, ErrNot) {
			t.Errorf("%s, to write: %v", name, err)
		}
	}
}

func TestLinksAreFollowedOutsideOfARootOnly(t *testing.T) {
	dir := t.TempDir()
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "file"), []byte("text"), 0o600), os.Symlink("file", filepath.Join(dir, "link"))); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if data, err := Source(filepath.Join(dir, "link")); string(data) != "text" || err != nil {
		t.Errorf("%q, %v", data, err)
	}
	if data, err := ReadIn(root, "link", 10); !errors.Is(err, ErrNot) {
		t.Errorf("%q, %v", data, err)
	}
	if data, err := ReadIn(root, "file", 10); string(data) != "text" || err != nil {
		t.Errorf("%q, %v", data, err)
	}
}

func TestSizesAreBounded(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	for size, want := range map[int]bool{0: true, 1: true, 4096: true, 4097: false} {
		if err := os.WriteFile(name, []byte(strings.Repeat("x", size)), 0o600); err != nil {
			t.Fatal(err)
		}
		data, err := Read(name, 4096)
		if (err == nil) != want || want && len(data) != size {
			t.Errorf("%d bytes: %d, %v", size, len(data), err)
		}
	}
}

func TestAFileThatIsNotThereIsMadeAndOnlyThen(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for range 2 {
		f, err := OpenIn(root, "file", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString("line\n"); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	if data, err := ReadIn(root, "file", 100); string(data) != "line\nline\n" || err != nil {
		t.Errorf("%q, %v", data, err)
	}
	if _, err := ReadIn(root, "missing", 100); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
}
