//go:build unix

package scratch

import (
	"os"

	"golang.org/x/sys/unix"
)

// openFlags opens an original, which was a file when it was listed. What has
// taken its place must not make us wait.
const openFlags = os.O_RDONLY | unix.O_NOFOLLOW | unix.O_NONBLOCK
