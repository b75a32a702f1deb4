//go:build never

package tags

// Chosen is the other.
func Chosen(n int) string { return "out" }
