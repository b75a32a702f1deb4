package cgo

// static int square(int n) { return n * n; }
import "C"

func square(n int) int { return int(C.square(C.int(n))) }
