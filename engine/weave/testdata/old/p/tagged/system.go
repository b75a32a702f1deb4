// +build !linux

package tagged

// System is for all other systems.
func System(n int) int { return n - 1 }
