package main

import (
	"os"
	"syscall"
)

// peakMemory returns the peak memory, in bytes, of a process or of the descendant that had most; 0 if it is unknown.
func peakMemory(s *os.ProcessState) int64 {
	if usage, ok := s.SysUsage().(*syscall.Rusage); ok {
		return usage.Maxrss << 10
	}
	return 0
}
