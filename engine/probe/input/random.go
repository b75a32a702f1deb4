//go:build go1.21

package input

import "math/bits"

// Random is a generator of pseudo-random numbers: SplitMix64 (Steele, Lea,
// Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014). math/rand
// is not used because it may change between Go versions, and the same seed has to
// give the same run.
type Random struct{ state uint64 }

// NewRandom returns a generator with the given seed.
func NewRandom(seed uint64) *Random { return &Random{seed} }

// Word returns 64 random bits.
func (r *Random) Word() uint64 {
	r.state += 0x9e3779b97f4a7c15
	z := r.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Below returns a number from 0 to n-1. n must be positive.
func (r *Random) Below(n int) int {
	high, _ := bits.Mul64(r.Word(), uint64(n))
	return int(high)
}

// OneIn returns true once in n times on average.
func (r *Random) OneIn(n int) bool { return r.Below(n) == 0 }
