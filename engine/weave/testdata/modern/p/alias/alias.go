// Package alias uses the names that weaving would choose.
package alias

var mfz, mfzz = 3, 4

// Taken uses mfzzz too.
func Taken(n int) int {
	mfzzz := n + mfz
	if mfzzz > 6 {
		mfzzz -= mfzz
	}
	return mfzzz
}
