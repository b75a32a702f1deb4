// Package different is not called what its folder is.
package different

// Different returns something.
func Different(n int) int {
	if n >= 3 {
		return n - 3
	}
	return 0
}
