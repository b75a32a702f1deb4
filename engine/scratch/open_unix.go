//go:build unix

package scratch

import (
	"os"

	"golang.org/x/sys/unix"
)

// openFlags are the flags for opening an original, which was a file when it was listed. If it has been replaced by a
// FIFO since, opening it must not block.
const openFlags = os.O_RDONLY | unix.O_NOFOLLOW | unix.O_NONBLOCK
