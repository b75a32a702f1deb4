//go:build go1.21

package process

import "syscall"

// LimitMemory bounds what the process may map for data. Beyond it the Go
// run-time dies with "out of memory" instead of taking the machine with it.
// Where the system refuses, the check at the step counter remains.
func LimitMemory(bytes int64) {
	limit := syscall.Rlimit{Cur: uint64(bytes), Max: uint64(bytes)}
	_ = syscall.Setrlimit(syscall.RLIMIT_DATA, &limit)
}
