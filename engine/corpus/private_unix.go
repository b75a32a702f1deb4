//go:build unix

package corpus

import (
	"io/fs"
	"os"
	"syscall"
)

// private reports whether a file belongs to this user and grants others no rights.
func private(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int64(stat.Uid) == int64(os.Geteuid()) && info.Mode().Perm()&0o077 == 0
}
