//go:build unix && !solaris && !aix

package stabledir

import (
	"os"
	"syscall"

	"github.com/mutantfuzz/mutantfuzz/internal/folder"
)

// claim makes dir an empty folder of this process alone, until release is called or the process ends, however it ends.
// It returns nil if another process has the folder, or another user owns it.
func claim(dir string) (release func()) {
	_ = os.Mkdir(dir, 0o700) // if it is there, its owner and its lock decide
	f, err := os.OpenFile(dir, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_DIRECTORY, 0)
	if err != nil {
		return nil
	}
	if !lock(f, dir) || empty(dir) != nil {
		f.Close()
		return nil
	}
	return func() {
		_ = folder.RemoveAll(dir) // what stays behind is removed by the next claim
		f.Close()
	}
}

// lock locks the folder f. It reports whether this process now has the lock, and the folder is this user's and still at
// path: its last owner may have removed it meanwhile.
func lock(f *os.File, path string) bool {
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		return false
	}
	info, err := f.Stat()
	if err != nil {
		return false
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	now, err := os.Lstat(path)
	return err == nil && ok && int(owner.Uid) == os.Getuid() && os.SameFile(info, now)
}
