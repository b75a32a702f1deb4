//go:build go1.21

package state

const (
	NumBlocks  = 64
	NumFuncs   = 16
	NumMutants = 16
)

var FuncBlocks = [NumFuncs][2]uint32{
	{0, 4}, {4, 8}, {8, 12}, {12, 16}, {16, 20}, {20, 24}, {24, 28}, {28, 32},
	{32, 36}, {36, 40}, {40, 44}, {44, 48}, {48, 52}, {52, 56}, {56, 60}, {60, 64},
}
