package forms

import (
	"fmt"
	"path/filepath"
	"runtime"
)

// Own returns positions in the function itself.
func Own(n int) string {
	_, file, line, ok := runtime.Caller(0)
	if n > 3 {
		_, file, line, ok = runtime.Caller(0)
	}
	return fmt.Sprint(place(file, line), ok) //mutantfuzz:ignore the name of the file differs
}

// place names positions in this file only.
func place(file string, line int) string {
	if filepath.Base(file) == "callers.go" { //mutantfuzz:ignore the others differ
		return fmt.Sprint("callers.go:", line)
	}
	return "elsewhere"
}

func where(skip int) string {
	_, file, line, _ := runtime.Caller(skip + 1)
	return place(file, line) //mutantfuzz:ignore the name of the file differs
}

func stackOf(n int) []uintptr {
	pcs := make([]uintptr, n)
	return pcs[:runtime.Callers(2, pcs)]
}

// Caller returns the position of a call.
func Caller(n int) string {
	if n > 3 {
		return "far " + where(0)
	}
	return where(0)
}

// Callers returns a position on the stack.
func Callers(n int) string {
	frame, _ := runtime.CallersFrames(stackOf(n%3 + 1)).Next()
	return place(frame.File, frame.Line) //mutantfuzz:ignore the name of the file differs
}
