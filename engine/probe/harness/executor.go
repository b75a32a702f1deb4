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

// executor runs inputs on the target. The loop asks for runs in batches; they
// happen on goroutines of the executor, because a target that skips ends its
// goroutine. The functions of a batch are called before and after each run, never
// during one, so that nothing of the loop is on a stack that may be lost. A run on
// a live T then costs no more than a call.
type executor struct {
	call  func(t *testing.T, args []any)
	fresh bool // each run gets a T of its own

	batches chan batch    // from the loop
	done    chan struct{} // to the loop: the batch is through
	retired chan struct{} // to host: its T is used up
	closed  bool          // there are no more batches

	batch   batch
	current *loop.Run // begun, not yet judged
	ended   bool      // current has ended
	t       *testing.T
	runsOnT int
	failed  bool  // a run has failed on the T
	idle    int32 // M between runs
	args    []any // what the target gets
	last    []any // input now in the state file
}

// batch is a sequence of runs.
type batch struct {
	next  func() *loop.Run     // nil: no more
	judge func(*loop.Run) bool // false: no more; the arrays still hold the run
}

// maxRunsOnT is how many runs share a T: it gathers their log.
const maxRunsOnT = 1000

func newExecutor(fresh bool, call func(t *testing.T, args []any)) *executor {
	return &executor{
		call: call, fresh: fresh, idle: state.M,
		batches: make(chan batch), done: make(chan struct{}), retired: make(chan struct{}),
	}
}

// serve executes what control asks for until it returns.
func (x *executor) serve(parent *testing.T, control func()) {
	go func() {
		defer close(x.batches)
		control()
	}()
	for !x.closed {
		parent.Run("", x.host)
		if x.current != nil && x.ended && x.fresh {
			// The run's T has ended, and with it its cleanups.
			x.conclude(x.current, x.t.Failed())
		}
	}
}

// Each runs what next gives, one after the other, and has each judged. It
// returns when next gives nil or judge is false.
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

// work executes runs on the present T. When a run ends the goroutine, another one
// continues.
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

// step judges the run that has ended, or begins the next. It is false when the
// T is used up or there is nothing left to do.
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

// judgeEnded passes the run that has ended to the batch.
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

// execute calls the target. It may not return: then the deferred call has
// noted why.
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
			// Package testing has ended the goroutine, or the target itself.
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

// prepare sets everything up for a run, the mutant last.
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

// conclude notes the outcome of a run. The mutant stays active until the end, since
// the last observations call the program's Error methods.
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
		r.Message = "the target called t.Error, t.Fatal or t.Fail"
		if len(r.Frames) > 0 {
			f := r.Frames[0]
			r.Message = "the target failed at " + f.File + ":" + strconv.Itoa(f.Line)
		}
	}
	if stopped != nil && stopped.Flag == wire.FlagRecursion {
		// Give the stack back before the next run is measured.
		runtime.GC()
	}
}
