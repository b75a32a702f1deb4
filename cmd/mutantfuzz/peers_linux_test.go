package main

import (
	"os"
	"syscall"
)

// peakMemory is the most memory, in bytes, that a process or one of its
// descendants had at a time; 0: it is not known.
func peakMemory(s *os.ProcessState) int64 {
	if usage, ok := s.SysUsage().(*syscall.Rusage); ok {
		return usage.Maxrss << 10
	}
	return 0
}
