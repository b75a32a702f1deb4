//go:build unix

package engine

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
)

func TestAnEntryIsPlantedInTheTreeAndNowhereElse(t *testing.T) {
	u, target := lied()
	target.Dir = filepath.Join(u.scope.Tree, "p")
	e := corpus.NewEntry([]byte("go test fuzz v1\nint(1)\n"))
	outside := t.TempDir()
	for name, tt := range map[string]struct {
		prepare func(seeds string) error
		planted bool
	}{
		"nothing there":               {func(string) error { return nil }, true},
		"a pipe there":                {func(seeds string) error { return syscall.Mkfifo(filepath.Join(seeds, e.ID), 0o600) }, true},
		"a link there":                {func(seeds string) error { return os.Symlink(filepath.Join(outside, "a"), filepath.Join(seeds, e.ID)) }, true},
		"a folder that leads outside": {func(seeds string) error { return errors.Join(os.Remove(seeds), os.Symlink(outside, seeds)) }, false},
	} {
		tree := t.TempDir()
		seeds := filepath.Join(tree, "p", "testdata", "fuzz", target.Func)
		if err := errors.Join(os.MkdirAll(seeds, 0o700), tt.prepare(seeds)); err != nil {
			t.Fatal(err)
		}
		remove, err := u.plant(tree, target, e)
		if (err == nil) != tt.planted {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil {
			if data, err := os.ReadFile(filepath.Join(seeds, e.ID)); string(data) != string(e.Data) {
				t.Errorf("%s: %q, %v", name, data, err)
			}
			remove()
			if list, _ := os.ReadDir(seeds); len(list) > 0 {
				t.Errorf("%s: left behind %v", name, list)
			}
		}
		if list, _ := os.ReadDir(outside); len(list) > 0 {
			t.Fatalf("%s: written outside: %v", name, list)
		}
	}
}
