//go:build go1.21

package state

import "github.com/mutantfuzz/mutantfuzz/engine/probe/observation"

// Watch is the site of the function whose calls are recorded, in a job of wire.JobWatch. Woven code compares it
// where a mutant, or the probed clone, is active.
var Watch = -1

// Watched is what the calls of that function gave in the run going on.
var Watched observation.Watcher

// Call notes that the function at site is called with some operands, and returns what is to be told its results.
func Call(site int, operands ...any) (done func(results ...any)) {
	return Watched.Call(site, operands...)
}
