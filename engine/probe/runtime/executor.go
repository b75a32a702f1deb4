//go:build go1.21

package runtime

import (
	"runtime"
	"strconv"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// run is one run of the target on one input, and what came of it.
type run struct {
	values  []any
	mutant  int32 // M
	bound   int64 // steps
	observe bool
	render  bool // of what is observed

	outcome string
	message string
	frames  []runtime.Frame // of a panic, a failure that stopped the run, or a hang
	steps   int64
	record  []wire.Observation
	flag    uint32 // which bound stopped it
}

// failed reports whether the run shows a fault.
func (r *run) failed() bool { return r.outcome != wire.OutcomeOK && r.outcome != wire.OutcomeSkip }

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
	current *run // begun, not yet judged
	ended   bool // current has ended
	t       *testing.T
	runsOnT int
	failed  bool  // a run has failed on the T
	idle    int32 // M between runs
	args    []any // what the target gets
	last    []any // input now in the state file
}

// batch is a sequence of runs.
type batch struct {
	next  func() *run     // nil: no more
	judge func(*run) bool // false: no more; the arrays still hold the run
}

// maxRunsOnT is how many runs share a T: it gathers their log.
const maxRunsOnT = 1000

func newExecutor(fresh bool, call func(t *testing.T, args []any)) *executor {
	return &executor{
		call: call, fresh: fresh, idle: M,
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

// each runs what next gives, one after the other, and has each judged. It
// returns when next gives nil or judge is false.
func (x *executor) each(next func() *run, judge func(*run) bool) {
	x.batches <- batch{next, judge}
	<-x.done
}

// one executes a single run.
func (x *executor) one(r *run) {
	pending := r
	x.each(func() *run {
		r := pending
		pending = nil
		return r
	}, func(*run) bool { return true })
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
func (x *executor) execute(r *run) {
	x.prepare(r)
	returned := false
	defer func() {
		x.ended = true
		cause := recover()
		switch {
		case cause != nil:
			r.outcome = wire.OutcomePanic
			r.message = panicText(cause)
			r.frames = userFrames()
		case !returned:
			// Package testing has ended the goroutine, or the target itself.
			r.outcome = wire.OutcomeSkip
			if x.t.Failed() {
				r.frames = userFrames()
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
func (x *executor) prepare(r *run) {
	x.runsOnT++
	x.args = cloneValues(x.args[:0], r.values)
	clearCoverage()
	clearMarks()
	if len(x.last) == 0 || &x.last[0] != &r.values[0] {
		page.input = int64(wire.EncodeStateInput(inputBuffer, r.values))
		x.last = r.values
	}
	page.runs++
	if r.mutant > 0 {
		page.mutants++
	}
	page.mutant = r.mutant
	page.flags = 0
	page.inRun = 1
	if r.observe {
		observed.reset(r.render)
		Observe = true
	}
	r.outcome = wire.OutcomeOK
	steps.begin(r.bound)
	M = r.mutant
}

// conclude notes the outcome of a run. The mutant stays active until the end, since
// the last observations call the program's Error methods.
func (x *executor) conclude(r *run, failed bool) {
	if r.observe {
		Observe = false
		r.record = observed.finish()
	}
	var stopped *stop
	r.steps, stopped = steps.end()
	M = x.idle
	page.inRun = 0
	x.failed = failed
	switch {
	case stopped != nil:
		r.outcome, r.message, r.flag = wire.OutcomeHang, stopped.message, stopped.flag
	case r.outcome == wire.OutcomePanic:
	case failed:
		r.outcome = wire.OutcomeFailure
		r.message = "the target called t.Error, t.Fatal or t.Fail"
		if len(r.frames) > 0 {
			f := r.frames[0]
			r.message = "the target failed at " + f.File + ":" + strconv.Itoa(f.Line)
		}
	}
	if r.flag == wire.FlagRecursion {
		// Give the stack back before the next run is measured.
		runtime.GC()
	}
}
