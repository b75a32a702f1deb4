//go:build never

package tags

func chosen(n int) string { return "out" }
