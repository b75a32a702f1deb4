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
	// Each executes the runs that next returns, one after the other, and passes each to judge. It returns when next
	// returns nil or judge returns false. Neither is called during a run. Until next is called again, package state
	// holds what the judged run has left.
	Each(next func() *Run, judge func(*Run) bool)
}

// Run is one run of the target on one input, and its result.
type Run struct {
	Values  []any
	Mutant  int32 // value of state.M
	Bound   int64 // on steps; 0: none
	Observe bool
	Render  bool // also render what is observed

	Outcome string // an Outcome... constant of package wire
	Message string
	Frames  []runtime.Frame // of a panic, a failure that stopped the run, or a hang
	Steps   int64
	Record  []wire.Observation
}

// failed reports whether the run shows a fault: a failure, a panic or a hang.
func (r *Run) failed() bool { return r.Outcome != wire.OutcomeOK && r.Outcome != wire.OutcomeSkip }

// signature identifies a failure by its kind and the innermost three functions of its stack. It leaves out line
// numbers, because they may change while an input is minimised.
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

// place identifies a failure by its signature and the lines of the innermost two functions.
func (r *Run) place() string {
	place := r.signature()
	for i := 0; i < len(r.Frames) && i < 2; i++ {
		place += fmt.Sprintf("|%s:%d", r.Frames[i].File, r.Frames[i].Line)
	}
	return place
}
