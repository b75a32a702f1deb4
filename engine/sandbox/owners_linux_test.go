package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

func init() {
	acts["give away"] = func() {
		name := os.Getenv("TARGET")
		f, err := os.Open(name)
		if err != nil {
			panic(err)
		}
		fmt.Println(os.Chown(name, 4321, 4321), os.Lchown(name, 4321, 4321), f.Chown(4321, 4321), unix.Fchownat(unix.AT_FDCWD, name, 4321, 4321, 0))
		fmt.Println(os.Chmod(name, 0o600), os.Chdir("/"))
	}
}

func TestChangingOwnersSeemsToSucceedForRoot(t *testing.T) {
	if os.Getuid() != 0 || len(ownerCalls) == 0 {
		t.Skip("not run: only root is used to it, on some architectures")
	}
	name := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(name, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	s := sandboxed(t, Rules{Confined: true, Writable: []string{filepath.Dir(name)}})
	if got, want := do(t, s, "give away", "TARGET="+name), strings.Repeat("<nil> ", 3)+"<nil>\n<nil> <nil>\n(0)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	info, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	if stat := info.Sys().(*syscall.Stat_t); stat.Uid != 0 || stat.Gid != 0 || info.Mode().Perm() != 0o600 {
		t.Errorf("owner %d and %d, mode %v", stat.Uid, stat.Gid, info.Mode())
	}
}
