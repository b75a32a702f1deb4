// Copyright line.

//go:build go1.12 && !never
// +build go1.12,!never

// Package tagged has constraints in both forms.
package tagged

// Tagged panics on its own line.
func Tagged(n int) int {
	if n > 6 {
		panic("tagged")
	}
	return n * 3
}
