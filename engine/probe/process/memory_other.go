//go:build go1.21 && !linux

package process

// LimitMemory does nothing: this system has no limit that excludes address space which Go only reserves. The check
// by the step meter remains.
func LimitMemory(int64) {}
