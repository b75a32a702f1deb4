// +build !never
// +build go1.10

package tagged

// Plus has constraints of the old form only.
func Plus(n int) int {
	if n > 6 && n < 10 {
		return n + 1
	}
	return -n
}
