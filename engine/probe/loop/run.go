//go:build go1.21

package loop

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// Executor runs inputs on the target.
type Executor interface {
	// Each does the runs that next gives, one after the other, and has each judged. It
	// returns when next gives nil or judge is false. Neither is called during a run. Until
	// next is called again, package state holds what the run that is judged has left.
	Each(next func() *Run, judge func(*Run) bool)
}

// Run is one run of the target on one input, and what came of it.
type Run struct {
	Values  []any
	Mutant  int32 // as state.M
	Bound   int64 // of steps
	Observe bool
	Render  bool // what is observed

	Outcome string // an Outcome of wire
	Message string
	Frames  []runtime.Frame // of a panic, a failure that stopped the run, or a hang
	Steps   int64
	Record  []wire.Observation
}

// failed reports whether the run shows a fault.
func (r *Run) failed() bool { return r.Outcome != wire.OutcomeOK && r.Outcome != wire.OutcomeSkip }

// signature identifies a failure by its kind and the innermost three functions of
// the program. Line numbers are left out, for they may change while an input is
// minimised.
func (r *Run) signature() string {
	if r.Outcome == wire.OutcomeHang {
		return r.Message // the place where it was stopped is random
	}
	parts := []string{r.Outcome}
	for i := 0; i < len(r.Frames) && i < 3; i++ {
		parts = append(parts, r.Frames[i].Function)
	}
	return strings.Join(parts, "|")
}

// place identifies a failure as signature does, and by the lines of the innermost two functions.
func (r *Run) place() string {
	place := r.signature()
	for i := 0; i < len(r.Frames) && i < 2; i++ {
		place += fmt.Sprintf("|%s:%d", r.Frames[i].File, r.Frames[i].Line)
	}
	return place
}
