//go:build !cgo

package cgo

func square(n int) int { return n * n }
