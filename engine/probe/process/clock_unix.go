//go:build go1.21 && (darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package process

import (
	"syscall"
	"time"
)

// processorTime returns the processor time that all threads of this process have used, 0 if
// the system does not tell.
func processorTime() time.Duration {
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &used) != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
