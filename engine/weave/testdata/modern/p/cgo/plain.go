// Package cgo has a file that imports "C" beside plain ones.
package cgo

// Plain calls C.
func Plain(n int) int {
	if n > 3 {
		return square(n)
	}
	return n + 1
}
