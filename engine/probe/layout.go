//go:build go1.21

package probe

// Sizes of the arrays. The weaver replaces this file.
const (
	NumBlocks  = 1 << 10
	NumFuncs   = 1 << 8
	NumMutants = 1 << 8
)

// FuncBlocks holds each function's counters: [first, end).
var FuncBlocks = [NumFuncs][2]uint32{}
