//go:build linux && (amd64 || arm64)

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

func TestMappedFilesOfGigabytesAreNotCopied(t *testing.T) {
	memory, err := syscall.Mmap(-1, 0, 1<<36, syscall.PROT_READ, syscall.MAP_PRIVATE|syscall.MAP_ANON|syscall.MAP_NORESERVE)
	if err != nil {
		t.Skip("no such mapping:", err)
	}
	defer func() { _ = syscall.Munmap(memory) }()
	if hashOf(memory) == hashOf(memory[1:]) {
		t.Error("the length does not count")
	}
	if got := goSource(memory); got != "" {
		t.Errorf("%d bytes of source", len(got))
	}
	if got := forPeople(memory); len(got) > 2*maxPeople {
		t.Errorf("%d bytes for people", len(got))
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
