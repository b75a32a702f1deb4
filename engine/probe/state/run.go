//go:build go1.21

package state

import "github.com/mutantfuzz/mutantfuzz/engine/wire"

// NoteInput writes the input of the next run into the state file, where it outlives the process.
func NoteInput(values []any) { page.input = int64(wire.EncodeStateInput(inputBuffer, values)) }

// Begin begins a run with M set to mutant. The run may take bound steps; 0 means any number.
func Begin(mutant int32, bound int64) {
	page.runs++
	if mutant > 0 {
		page.mutants++
	}
	page.mutant, page.flags, page.inRun = mutant, 0, 1
	steps.begin(bound)
	M = mutant
}

// End ends the run and sets M to idle. It returns the steps that the run took and the bound that
// stopped it, nil if none did.
func End(idle int32) (taken int64, stopped *Stop) {
	taken, stopped = steps.end()
	M = idle
	page.inRun = 0
	return taken, stopped
}
