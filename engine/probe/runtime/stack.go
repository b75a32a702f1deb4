//go:build go1.21

package runtime

import (
	"reflect"
	"runtime"
	"strconv"
	"strings"
)

// panicText writes what was panicked with; its methods may panic in turn.
func panicText(cause any) string {
	switch cause := cause.(type) {
	case error:
		if text, ok := errorText(cause); ok {
			return text
		}
	case string:
		return cause
	}
	return forPeople(cause)
}

// Bounds on the stacks reported.
const maxFrames = 48

// self is the import path of this package, wherever it was placed.
var self = reflect.TypeOf(executor{}).PkgPath()

// userFrames is the stack of the deferred function that calls it, from where
// the program panicked or stopped out to the fuzz target.
func userFrames() []runtime.Frame {
	var callers [512]uintptr
	frames := runtime.CallersFrames(callers[:runtime.Callers(3, callers[:])])
	var list []runtime.Frame
	for len(list) < maxFrames {
		f, more := frames.Next()
		machinery := strings.HasPrefix(f.Function, "runtime.") || strings.HasPrefix(f.Function, "testing.") ||
			strings.HasPrefix(f.Function, self+".Stepped") || strings.HasPrefix(f.Function, self+".(*meter)")
		if strings.HasPrefix(f.Function, self+".(*executor)") || strings.HasPrefix(f.Function, self+".Fuzz") {
			break
		}
		if len(list) > 0 || !machinery {
			list = append(list, f)
		}
		if !more {
			break
		}
	}
	return list
}

// stackText writes frames as Go does.
func stackText(frames []runtime.Frame) string {
	var b strings.Builder
	for _, f := range frames {
		b.WriteString(f.Function + "\n\t" + f.File + ":" + strconv.Itoa(f.Line) + "\n")
	}
	return b.String()
}

// stackHere is the stack of the caller.
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
