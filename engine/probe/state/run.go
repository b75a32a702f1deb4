//go:build go1.21

package state

import "github.com/mutantfuzz/mutantfuzz/engine/wire"

// NoteInput writes the input of the run that comes next into the state file, where it
// outlives the process.
func NoteInput(values []any) { page.input = int64(wire.EncodeStateInput(inputBuffer, values)) }

// Begin begins a run with a mutant active, or Original or Probed, which may take so many
// steps; 0: any number.
func Begin(mutant int32, bound int64) {
	page.runs++
	if mutant > 0 {
		page.mutants++
	}
	page.mutant, page.flags, page.inRun = mutant, 0, 1
	steps.begin(bound)
	M = mutant
}

// End ends the run, with idle active from then on. It gives the steps that the run took
// and, if a bound stopped it, which.
func End(idle int32) (taken int64, stopped *Stop) {
	taken, stopped = steps.end()
	M = idle
	page.inRun = 0
	return taken, stopped
}
