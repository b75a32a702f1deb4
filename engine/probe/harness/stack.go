//go:build go1.21

package harness

import (
	"reflect"
	"runtime"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/probe/state"
	"github.com/mutantfuzz/mutantfuzz/engine/probe/value"
)

// panicText returns the text of a panic value, whose methods may panic in turn.
func panicText(cause any) string {
	switch cause := cause.(type) {
	case error:
		if text, ok := value.ErrorText(cause); ok {
			return text
		}
	case string:
		return cause
	}
	return value.Text(cause)
}

// maxFrames bounds the number of frames of a reported stack.
const maxFrames = 48

// The import paths of this package and of package state, wherever the weaver has placed them.
var (
	self    = reflect.TypeOf(executor{}).PkgPath()
	counted = reflect.TypeOf(state.Stop{}).PkgPath()
)

// userFrames returns the stack from where the program panicked or stopped out to the fuzz target. A deferred
// function has to call it directly.
func userFrames() []runtime.Frame {
	var callers [512]uintptr
	frames := runtime.CallersFrames(callers[:runtime.Callers(3, callers[:])])
	var list []runtime.Frame
	for len(list) < maxFrames {
		f, more := frames.Next()
		machinery := strings.HasPrefix(f.Function, "runtime.") || strings.HasPrefix(f.Function, "testing.") ||
			strings.HasPrefix(f.Function, counted+".Stepped") || strings.HasPrefix(f.Function, counted+".(*meter)")
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
