// Package tags has files that build constraints choose.
package tags

// Always is in every build.
func Always(n int) string { return Chosen(n)[:1] } //mutantfuzz:ignore depends on another file
