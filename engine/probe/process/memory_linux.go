//go:build go1.21

package process

import "syscall"

// LimitMemory bounds how many bytes the process may map for data. Beyond the limit the Go run-time dies
// with "out of memory" instead of taking the machine with it. If the system refuses the limit, the check
// by the step meter remains.
func LimitMemory(bytes int64) {
	limit := syscall.Rlimit{Cur: uint64(bytes), Max: uint64(bytes)}
	_ = syscall.Setrlimit(syscall.RLIMIT_DATA, &limit)
}
