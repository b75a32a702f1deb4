//go:build go1.21

package state

import (
	"math/bits"
	"sort"
	"sync"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// touched lists the functions entered since the last ClearCoverage. With it, a run costs as much as it touches,
// however big the program is.
var touched struct {
	mu    sync.Mutex
	funcs []int32
}

// Touch notes that function i was entered. Woven code calls it while Fns[i] is zero.
func Touch(i int) {
	touched.mu.Lock()
	if Fns[i] == 0 {
		Fns[i] = 1
		touched.funcs = append(touched.funcs, int32(i))
	}
	touched.mu.Unlock()
}

// ClearCoverage resets the counters of all functions entered since it was last called.
func ClearCoverage() {
	touched.mu.Lock()
	for _, f := range touched.funcs {
		blocks := FuncBlocks[f]
		clear(Cov[blocks[0]:blocks[1]])
		Fns[f] = 0
	}
	touched.funcs = touched.funcs[:0]
	touched.mu.Unlock()
}

// EnteredFuncs returns the functions entered since the last ClearCoverage, in the order of their first entry.
func EnteredFuncs() []int {
	touched.mu.Lock()
	defer touched.mu.Unlock()
	list := make([]int, len(touched.funcs))
	for i, f := range touched.funcs {
		list[i] = int(f)
	}
	return list
}

// Coverage is what runs have covered. Each block counter has one bit per bucket of counts, as in AFL: 1, 2, 3, 4–7,
// 8–15, 16–31, 32–127, 128 and up.
type Coverage [NumBlocks]uint8

// Feature is one block counter in one bucket.
type Feature struct {
	block  int32
	bucket uint8
	first  bool // no earlier run had incremented the counter
}

// bucket returns the bit that stands for a count, which must not be 0.
func bucket(count uint32) uint8 {
	switch {
	case count < 4:
		return 1 << (count - 1)
	case count < 32:
		return 1 << bits.Len32(count)
	case count < 128:
		return 1 << 6
	}
	return 1 << 7
}

// Add adds the last run to c, and reports whether the run covered anything new.
func (c *Coverage) Add() bool {
	found := false
	for _, f := range touched.funcs {
		blocks := FuncBlocks[f]
		for b := blocks[0]; b < blocks[1]; b++ {
			if n := Cov[b]; n != 0 {
				if bit := bucket(n); c[b]&bit == 0 {
					c[b] |= bit
					found = true
				}
			}
		}
	}
	return found
}

// Fresh returns the features of the last run that c does not have.
func (c *Coverage) Fresh() []Feature {
	var list []Feature
	for _, f := range touched.funcs {
		blocks := FuncBlocks[f]
		for b := blocks[0]; b < blocks[1]; b++ {
			if n := Cov[b]; n != 0 && c[b]&bucket(n) == 0 {
				list = append(list, Feature{int32(b), bucket(n), c[b] == 0})
			}
		}
	}
	return list
}

// Covers reports whether the last run covered all features in list.
func Covers(list []Feature) bool {
	for _, f := range list {
		if n := Cov[f.block]; n == 0 || bucket(n) != f.bucket {
			return false
		}
	}
	return true
}

// ReachesNew reports whether list has a counter that no earlier run had incremented.
func ReachesNew(list []Feature) bool {
	for _, f := range list {
		if f.first {
			return true
		}
	}
	return false
}

// Nearest returns the smallest distance of the functions in focus that the last run entered, -1 if there is none.
func Nearest(focus []wire.Focus) int {
	best := -1
	for _, f := range focus {
		if (best < 0 || f.Distance < best) && moved(Cov[f.First:f.End]) {
			best = f.Distance
		}
	}
	return best
}

// Way returns which counters of some functions the last run incremented: a byte 0 or 1 for each. Runs with
// different results took different paths through these functions.
func Way(focus []wire.Focus) string {
	var way []byte
	for _, f := range focus {
		for _, n := range Cov[f.First:f.End] {
			way = append(way, byte(min(n, 1)))
		}
	}
	return string(way)
}

func moved(counters []uint32) bool {
	for _, n := range counters {
		if n != 0 {
			return true
		}
	}
	return false
}

// Blocks returns the counters that c covers, ascending.
func (c *Coverage) Blocks() []int {
	var list []int
	for b, seen := range c {
		if seen != 0 {
			list = append(list, b)
		}
	}
	return list
}

// CoveredBlocks returns the counters that the last run covered, ascending.
func CoveredBlocks() []int {
	var list []int
	for _, f := range touched.funcs {
		for b := int(FuncBlocks[f][0]); b < int(FuncBlocks[f][1]); b++ {
			if Cov[b] != 0 {
				list = append(list, b)
			}
		}
	}
	sort.Ints(list)
	return list
}
