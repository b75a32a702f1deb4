//go:build !linux

package worker

// limitMemory does nothing: only Linux can limit others.
func limitMemory(pid int, bytes int64) {}

// asleep is always false: only Linux shows what the threads of other processes do.
func (g *group) asleep() (ticks uint64, all bool) { return 0, false }

// resting is always false, too.
func (g *group) resting() (ticks uint64, all bool) { return 0, false }
