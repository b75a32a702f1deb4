//go:build unix

package worker

import (
	"os"

	"golang.org/x/sys/unix"
)

// stamp tells whether a file is still the one that was stamped and has not
// been changed since. No program can set the time of the last change (ctime).
type stamp struct {
	mode         uint32
	size         int64
	mtime, ctime int64 // ns
	inode        uint64
}

// stampOf returns the stamp of the file at path, of a link itself.
func stampOf(path string) (stamp, error) {
	var st unix.Stat_t
	if err := unix.Lstat(path, &st); err != nil {
		return stamp{}, &os.PathError{Op: "lstat", Path: path, Err: err}
	}
	return stamp{
		mode: uint32(st.Mode), size: st.Size,
		mtime: st.Mtim.Nano(), ctime: st.Ctim.Nano(),
		inode: uint64(st.Ino),
	}, nil
}
