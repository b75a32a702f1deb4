//go:build go1.21

package loop

import (
	"runtime"
	"strconv"
	"strings"
)

// maxFrames bounds the stack that is reported for a fault of the loop itself.
const maxFrames = 48

// stackText formats frames as Go does.
func stackText(frames []runtime.Frame) string {
	var b strings.Builder
	for _, f := range frames {
		b.WriteString(f.Function + "\n\t" + f.File + ":" + strconv.Itoa(f.Line) + "\n")
	}
	return b.String()
}

// stackHere returns the stack of its caller.
func stackHere() string {
	var callers [maxFrames]uintptr
	frames := runtime.CallersFrames(callers[:runtime.Callers(2, callers[:])])
	var list []runtime.Frame
	for {
		f, more := frames.Next()
		list = append(list, f)
		if !more {
			return stackText(list)
		}
	}
}
