// Package tags has files that build constraints choose.
package tags

// Chosen calls what a constraint chose.
func Chosen(n int) string { return chosen(n) + "." }
