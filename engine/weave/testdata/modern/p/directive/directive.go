//go:build go1.18

// Package directive has compiler directives.
package directive

import (
	_ "embed"
	_ "unsafe"
)

//go:embed text.txt
var text string

//go:linkname now runtime.nanotime
func now() int64

//go:nosplit
func pinned(n int) int {
	if n > 4 {
		return n - 1
	}
	return n
}

//go:noinline
func apart(n int) int {
	if n > 3 {
		return n * 2
	}
	return n + 1
}

// Embed indexes an embedded file.
func Embed(n int) string { return text[:n%len(text)] }

// Pinned calls what must not be touched, and what may be.
func Pinned(n int) int {
	return pinned(n) + apart(n)
}

// Clock uses a linked function.
func Clock(n int) bool { return now() > int64(n) }

//go:generate true

// After follows a directive.
func After(n int) int {
	//nolint:all
	if n > 2 { //mutantfuzz:ignore sample
		n++
	}
	return n - 1
}
