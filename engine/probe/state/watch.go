//go:build go1.21

package state

import (
	"github.com/mutantfuzz/mutantfuzz/engine/probe/observation"
	"github.com/mutantfuzz/mutantfuzz/engine/probe/value"
)

// Watch is the site of the function whose calls a job of kind wire.JobWatch records, -1 if there is none. Woven
// code compares its own site with it while a mutant or the probed clone is active.
var Watch = -1

// Watched records the calls of that function in the current run.
var Watched observation.Watcher

// Call notes a call of the function at site with the given operands. The caller has to pass the results to done.
func Call(site int, operands ...any) (done func(results ...any)) {
	return Watched.Call(site, operands...)
}

// Sentinel is value.AddSentinel for files of the program.
func Sentinel(name, path string, variable *error) bool {
	return value.AddSentinel(name, path, variable, false)
}
