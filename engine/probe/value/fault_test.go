//go:build linux && (amd64 || arm64)

package value

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// beyond maps a page of an empty file, so that reading it faults.
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
	var one, other Hasher
	for _, h := range []*Hasher{&one, &other} {
		h.Mix(x)
		h.Mix(3)
	}
	if one.Sum != other.Sum {
		t.Error("the same value has two hashes")
	}
	if got := Source(x, ""); got != "" {
		t.Errorf("source %q", got)
	}
	if got := Text(x); !strings.HasSuffix(got, "…") {
		t.Errorf("text %q", got)
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
	if got := Source(memory, ""); got != "" {
		t.Errorf("%d bytes of source", len(got))
	}
	if got := Text(memory); len(got) > 2*maxText {
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
