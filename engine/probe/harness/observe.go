//go:build go1.21

package harness

import (
	"reflect"

	"github.com/mutantfuzz/mutantfuzz/engine/probe/observation"
	"github.com/mutantfuzz/mutantfuzz/engine/probe/value"
)

// Observe is true while a run is observed. Woven code reads it before it gathers anything, so that other
// runs cost next to nothing.
var Observe bool

// observed records what the current run lets its caller see.
var observed observation.Recorder

// Arg returns v, and records it as an argument or receiver of the observed call at site.
func Arg[T any](site int, v T) T {
	if Observe {
		observed.Argument(site, v, reflect.TypeOf((*T)(nil)).Elem())
	}
	return v
}

// Sentinel is value.AddSentinel for test files.
func Sentinel(name, path string, variable *error) bool {
	return value.AddSentinel(name, path, variable, true)
}

// Result records that the observed call at site returned results.
func Result(site int, results ...any) {
	if Observe {
		observed.Result(site, results)
	}
}
