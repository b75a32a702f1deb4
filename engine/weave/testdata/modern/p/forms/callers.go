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
	return fmt.Sprint(filepath.Base(file), line, ok)
}

func where(skip int) string {
	_, file, line, _ := runtime.Caller(skip + 1)
	return fmt.Sprint(filepath.Base(file), line)
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

// Callers returns a position on the stackOf.
func Callers(n int) string {
	frame, _ := runtime.CallersFrames(stackOf(n%3 + 1)).Next()
	return fmt.Sprint(filepath.Base(frame.File), frame.Line)
}
