//go:build linux || darwin

package runtime

import (
	"os"
	"path/filepath"
	"reflect"
	"syscall"
	"testing"
)

// beyond maps a page that the mapped file does not have.
func beyond(t *testing.T) []byte {
	f, err := os.Create(filepath.Join(t.TempDir(), "f"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	memory, err := syscall.Mmap(int(f.Fd()), 0, os.Getpagesize(), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Munmap(memory) })
	return memory
}

func TestMemoryThatCannotBeReadIsOpaque(t *testing.T) {
	type database struct{ pages []byte }
	x := &database{beyond(t)}
	var r recorder
	r.reset(true)
	r.argument(1, x, reflect.TypeOf(x))
	r.result(1, []any{x, 3})
	r.argument(2, x, reflect.TypeOf(x))
	r.result(2, []any{x, 3})
	seen := r.finish()
	if len(seen) != 2 || seen[0].Hash != seen[1].Hash || seen[0].Values[1] != "3" {
		t.Errorf("%+v", seen)
	}
}

func TestOtherPanicsThanFaultsGoOn(t *testing.T) {
	defer func() {
		if cause := recover(); cause != "mine" {
			t.Errorf("recovered %v", cause)
		}
	}()
	readable(func() { panic("mine") })
}
