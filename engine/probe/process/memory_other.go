//go:build go1.21 && !linux

package process

// LimitMemory does nothing: this system has no limit that spares the address
// space Go reserves. The check at the step counter remains.
func LimitMemory(int64) {}
