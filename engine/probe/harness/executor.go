//go:build go1.21

package harness

import (
	"runtime"
	"strconv"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/probe/input"
	"github.com/mutantfuzz/mutantfuzz/engine/probe/loop"
	"github.com/mutantfuzz/mutantfuzz/engine/probe/state"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// executor runs inputs on the target. The loop asks for runs in batches. They happen on goroutines of the
// executor, because a target that skips ends its goroutine. The functions of a batch are called before and after
// each run, never during one, so that nothing of the loop is on a stack that may be lost. A run on a live T then
// costs no more than a call.
type executor struct {
	call  func(t *testing.T, args []any)
	fresh bool // each run gets a T of its own

	batches chan batch    // from the loop
	done    chan struct{} // to the loop: the batch is finished
	retired chan struct{} // to host: its T is used up
	closed  bool          // there are no more batches

	batch   batch
	current *loop.Run // begun, not yet judged
	ended   bool      // current has ended
	t       *testing.T
	runsOnT int
	failed  bool  // a run on t has failed
	idle    int32 // M between runs
	args    []any // what the target gets, copied
	last    []any // input now in the state file
}

// batch is a sequence of runs.
type batch struct {
	next  func() *loop.Run     // nil: no more
	judge func(*loop.Run) bool // false: no more; package state still holds the run's data
}

// maxRunsOnT is how many runs share a T, which accumulates their logs.
const maxRunsOnT = 1000

func newExecutor(fresh bool, call func(t *testing.T, args []any)) *executor {
	return &executor{
		call: call, fresh: fresh, idle: state.M,
		batches: make(chan batch), done: make(chan struct{}), retired: make(chan struct{}),
	}
}

// serve runs control, and executes the batches that it asks for, until control returns.
func (x *executor) serve(parent *testing.T, control func()) {
	go func() {
		defer close(x.batches)
		control()
	}()
	for !x.closed {
		parent.Run("", x.host)
		if x.current != nil && x.ended && x.fresh {
			// The run's T has ended, including its cleanups.
			x.conclude(x.current, x.t.Failed())
		}
	}
}

// Each executes the runs that next returns, one after the other, and passes each to judge. It returns when next
// returns nil or judge returns false.
func (x *executor) Each(next func() *loop.Run, judge func(*loop.Run) bool) {
	x.batches <- batch{next, judge}
	<-x.done
}

// host runs inputs on t until t is used up.
func (x *executor) host(t *testing.T) {
	x.t, x.runsOnT, x.failed = t, 0, false
	go x.work()
	<-x.retired
}

// work executes runs on the current T. When a run ends the goroutine, work continues on another one.
func (x *executor) work() {
	alive := false
	defer func() {
		if !alive {
			go x.work()
		}
	}()
	for x.step() {
	}
	alive = true
	x.retired <- struct{}{}
}

// step judges the run that has ended, if there is one, and executes the next. It returns false when the T is used
// up or there is nothing left to do.
func (x *executor) step() bool {
	if x.current != nil && x.ended && !(x.fresh && x.runsOnT > 0) {
		x.judgeEnded()
	}
	if x.worn() {
		return false
	}
	if x.batch.next == nil {
		b, ok := <-x.batches
		if !ok {
			x.closed = true
			return false
		}
		x.batch = b
	}
	r := x.batch.next()
	if r == nil {
		x.finish()
		return true
	}
	x.current, x.ended = r, false
	x.execute(r)
	return true
}

// worn reports whether the T may not be used for another run.
func (x *executor) worn() bool {
	return x.runsOnT > 0 && (x.fresh || x.runsOnT >= maxRunsOnT || x.failed)
}

// judgeEnded passes the run that has ended to the batch's judge.
func (x *executor) judgeEnded() {
	r := x.current
	x.current = nil
	if !x.batch.judge(r) {
		x.finish()
	}
}

// finish ends the batch.
func (x *executor) finish() {
	x.batch = batch{}
	x.done <- struct{}{}
}

// execute calls the target. If that ends the goroutine, execute does not return, but its deferred
// function has noted the outcome.
func (x *executor) execute(r *loop.Run) {
	x.prepare(r)
	returned := false
	defer func() {
		x.ended = true
		cause := recover()
		switch {
		case cause != nil:
			r.Outcome = wire.OutcomePanic
			r.Message = panicText(cause)
			r.Frames = userFrames()
		case !returned:
			// Package testing or the target itself has ended the goroutine.
			r.Outcome = wire.OutcomeSkip
			if x.t.Failed() {
				r.Frames = userFrames()
			}
		}
		if !x.fresh {
			x.conclude(r, x.t.Failed())
		}
	}()
	x.call(x.t, x.args)
	returned = true
}

// prepare sets everything up for a run. The mutant comes last.
func (x *executor) prepare(r *loop.Run) {
	x.runsOnT++
	x.args = input.Clone(x.args[:0], r.Values)
	state.ClearCoverage()
	state.ClearMarks()
	if len(x.last) == 0 || &x.last[0] != &r.Values[0] {
		state.NoteInput(r.Values)
		x.last = r.Values
	}
	if r.Observe {
		observed.Reset(r.Render)
		Observe = true
	}
	r.Outcome = wire.OutcomeOK
	state.Begin(r.Mutant, r.Bound)
}

// conclude notes the outcome of a run. The mutant stays active until the observations are finished, since these
// call the program's Error methods.
func (x *executor) conclude(r *loop.Run, failed bool) {
	if r.Observe {
		Observe = false
		r.Record = observed.Finish()
	}
	var stopped *state.Stop
	r.Steps, stopped = state.End(x.idle)
	x.failed = failed
	switch {
	case stopped != nil:
		r.Outcome, r.Message = wire.OutcomeHang, stopped.Message
	case r.Outcome == wire.OutcomePanic:
	case failed:
		r.Outcome = wire.OutcomeFailure
		r.Message = "the target reported a failure (t.Error, t.Fatal or t.Fail)"
		if len(r.Frames) > 0 {
			f := r.Frames[0]
			r.Message = "the target failed at " + f.File + ":" + strconv.Itoa(f.Line)
		}
	}
	if stopped != nil && stopped.Flag == wire.FlagRecursion {
		// Give the stack's memory back before the next run is measured.
		runtime.GC()
	}
}
