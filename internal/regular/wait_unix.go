//go:build unix

package regular

import "syscall"

// doNotWait makes opening a named pipe return at once.
const doNotWait = syscall.O_NONBLOCK
