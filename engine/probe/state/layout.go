//go:build go1.21

package state

// Sizes of the arrays. The weaver replaces this file.
const (
	NumBlocks  = 1 << 10
	NumFuncs   = 1 << 8
	NumMutants = 1 << 8
)

// FuncBlocks is the range of counters [first, end) of each function, so that
// only what a run touched is scanned and cleared. Ranges may not overlap.
var FuncBlocks [NumFuncs][2]uint32
