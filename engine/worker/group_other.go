//go:build unix && !linux

package worker

import (
	"syscall"
)

// dieWithParent does nothing: there is no such signal on this system.
func dieWithParent(*syscall.SysProcAttr) {}

// limitMemory does nothing: only Linux can limit others.
func limitMemory(pid int, bytes int64) {}

// asleep is always false: only Linux shows what the threads of other processes do.
func (g *group) asleep() (ticks uint64, all bool) { return 0, false }

// resting is always false, too.
func (g *group) resting() (ticks uint64, all bool) { return 0, false }
