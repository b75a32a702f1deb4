//go:build unix

package verdicts

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestWhatIsNoBookIsNeitherWaitedForNorFollowed(t *testing.T) {
	kept := filepath.Join(t.TempDir(), "kept")
	if err := os.WriteFile(kept, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, put := range map[string]func(file string) error{
		"a pipe":             func(file string) error { return syscall.Mkfifo(file, 0o600) },
		"a link to a file":   func(file string) error { return os.Symlink(kept, file) },
		"a link to nowhere":  func(file string) error { return os.Symlink(filepath.Join(filepath.Dir(kept), "new"), file) },
		"a link to a device": func(file string) error { return os.Symlink("/dev/zero", file) },
		"a folder":           func(file string) error { return os.Mkdir(file, 0o700) },
		"without end": func(file string) error {
			return errors.Join(os.WriteFile(file, nil, 0o600), os.Truncate(file, maxBook+1))
		},
	} {
		dir := t.TempDir()
		if err := put(filepath.Join(dir, "context.jsonl")); err != nil {
			t.Fatal(err)
		}
		s, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, fresh := range []bool{false, true} {
			b, err := s.Book("context", fresh)
			if err == nil && !(fresh && name == "without end") {
				b.Add("a", Verdict{}, Run{[]string{"f"}, "1"})
				t.Errorf("%s, fresh %t: taken for a book", name, fresh)
			}
			if err != nil && !strings.Contains(err.Error(), "context.jsonl") {
				t.Errorf("%s, fresh %t: the error does not name it: %v", name, fresh, err)
			}
			_ = b.Close()
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if list, err := os.ReadDir(filepath.Dir(kept)); len(list) != 1 || err != nil {
		t.Errorf("made through a link: %v, %v", list, err)
	}
	if info, err := os.Stat(kept); err != nil || info.Size() > 0 {
		t.Errorf("written through a link: %v, %v", info, err)
	}
}

func TestAFolderOfVerdictsIsNoLink(t *testing.T) {
	dir := t.TempDir()
	for name, put := range map[string]func(file string) error{
		"link": func(file string) error { return os.Symlink(t.TempDir(), file) },
		"pipe": func(file string) error { return syscall.Mkfifo(file, 0o600) },
	} {
		if err := put(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(filepath.Join(dir, name)); err == nil || !strings.Contains(err.Error(), "hint: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
