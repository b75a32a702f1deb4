//go:build go1.21

package state

// Sizes of the arrays. The weaver replaces this file.
const (
	NumBlocks  = 1 << 10
	NumFuncs   = 1 << 8
	NumMutants = 1 << 8
)

// FuncBlocks has the range [first, end) of each function's counters, so that only what a run touched is scanned and
// cleared. Ranges must not overlap.
var FuncBlocks [NumFuncs][2]uint32
