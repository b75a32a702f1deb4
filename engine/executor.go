package engine

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/judge"
	"github.com/mutantfuzz/mutantfuzz/engine/sandbox"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Limits of test runs. Step bounds end loops; wall clocks are the last resort
// and generous, for a loaded machine is no reason to call a mutant killed.
const (
	stepFactor  = 20
	stepFloor   = 64 * wire.StepChunk
	clockFactor = 20
	clockFloor  = 20 * time.Second
	proveAfter  = 20 * time.Millisecond // of sleep, or twice what the original takes, until the stacks are asked for
	asleepPart  = 5                     // of the wall clock: four times as long as the original runs, all of it a sleep
	memoryLimit = 2 << 30
)

// Limits of one run of a test on which a mutant is tried. What ends by them has a process of its own
// after that.
const (
	trialLimit      = 2 * time.Second
	trialFloor      = stepFloor / 8
	trialRepeats    = 40
	trialRepeatTime = 200 * time.Microsecond
)

// testRun is a finished run of a test binary.
type testRun struct {
	exit    worker.Exit
	outcome worker.Outcome
}

// endless reports whether the run was still going on when it had to end.
func (r testRun) endless() bool {
	return r.outcome.Kind == results.KindHang && r.exit.Cause != worker.Deadlock
}

// byClock reports whether nothing but the time that it took says that the run would not have
// ended.
func (r testRun) byClock() bool {
	return r.endless() && r.exit.Flags&(wire.FlagHang|wire.FlagRecursion) == 0
}

// executor runs the tests of a unit for judging.
type executor struct{ *unit }

// Width is how many slots there may be.
func (x executor) Width() int { return x.slots.limit() }

// with runs f in a slot.
func (x executor) with(ctx context.Context, f func(*slot) error) (err error) {
	defer contain(&err)
	sl := x.slots.take()
	defer x.slots.give(sl)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return f(sl)
}

// List returns the tests of a suite but for those to be skipped.
func (x executor) List(ctx context.Context, s *judge.Suite) (names []string, err error) {
	err = x.with(ctx, func(sl *slot) error {
		list := func(box *sandbox.Sandbox) (testRun, error) {
			return x.execTests(ctx, sl, worker.Command{
				Binary: x.binaries[s.Package], Args: []string{"-test.list=."}, Dir: x.listing[s.Package].Dir,
				Timeout: clockFloor, OutputLimit: 4 << 20, Sandbox: box,
			})
		}
		run, err := list(nil)
		if err == nil && run.outcome.Kind != "" { // as TestMain may have it
			var helped bool
			if helped, err = x.loosen(ctx, sl, s.Package, nil, list); helped {
				run, err = list(nil)
			}
		}
		if err != nil {
			return err
		}
		var listed []string
		for line := range strings.Lines(string(run.exit.Output)) {
			listed = append(listed, strings.TrimSpace(line))
		}
		for _, name := range x.declared(s.Package, listed) {
			if name != weave.Trials && (x.cfg.SkipTests == nil || !x.cfg.SkipTests.MatchString(name)) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		if len(names) == 0 && run.outcome.Kind != "" { // they will fail when they run, too
			names = slices.Sorted(maps.Keys(x.declaredIn(s.Package)))
		}
		return nil
	})
	return names, err
}

// declared leaves of the names in what a process has printed those of tests that its package
// declares: tests print what they like.
func (x executor) declared(pkg string, names []string) []string {
	if len(names) == 0 {
		return nil
	}
	known := x.declaredIn(pkg)
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !known[topLevel(name)] })
}

// declaredIn are the names of the tests that a package declares.
func (x executor) declaredIn(pkg string) map[string]bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.tests[pkg] == nil {
		x.tests[pkg] = declaredTests(parsed(x.listing[pkg]))
	}
	return x.tests[pkg]
}

// Registered are the tests of a suite that the woven binary can run by itself.
func (x executor) Registered(s *judge.Suite) []string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(x.registered[s.Package]), func(name string) bool {
		return x.cfg.SkipTests != nil && x.cfg.SkipTests.MatchString(name)
	})
}

// Run runs one process.
func (x executor) Run(ctx context.Context, s judge.Spec) (r judge.Report, err error) {
	err = x.with(ctx, func(sl *slot) error {
		run, err := x.execPatiently(ctx, sl, x.command(sl, s), s.Takes)
		if err == nil && run.exit.Cause == worker.Cancelled {
			err = context.Cause(ctx)
		}
		if err != nil {
			return err
		}
		x.spend(run.exit.Duration, s.Suite.Package, s.Tests)
		r = judge.Report{
			Kind: run.outcome.Kind, Failed: x.declared(s.Suite.Package, run.outcome.Failed), Message: run.outcome.Message, ByClock: run.byClock(), Took: run.exit.Duration,
			NoTests: strings.Contains(string(run.exit.Output), "no tests to run"),
		}
		if r.Kind != judge.Pass {
			r.Output = string(run.exit.Output)
		}
		r.Coverage = judge.Coverage{Steps: sl.state.Steps(), Funcs: sl.state.Funcs()}
		if s.Mutant == wire.Probed {
			r.Blocks, r.Marks = sl.state.Blocks(), sl.state.Marks()
		}
		r.Anything = run.exit.Lie != nil
		return nil
	})
	return r, err
}

// command is the process of a run.
func (x executor) command(sl *slot, s judge.Spec) worker.Command {
	wall := x.wall(s.Takes)
	args := append(worker.TestArgs(wall, s.Tests...), x.cfg.TestFlags...)
	if skip := x.skipping(s.Skip...); skip != "" {
		args = append(args, "-test.skip="+skip)
	}
	c := worker.Command{
		Binary: x.binaries[s.Suite.Package], Dir: x.listing[s.Suite.Package].Dir, Args: args, Timeout: wall + 5*time.Second,
	}
	c.State, c.Mutant, c.Silence, c.Asleep = sl.state, s.Mutant, wall, wall
	if s.Mutant > 0 {
		c.Asleep = wall / asleepPart
		if !s.Unbounded {
			c.Steps = max(stepFloor, stepFactor*s.Steps)
		}
	}
	return c
}

// execPatiently is execTests for tests that take d without a mutant; 0: nobody knows. Where the
// process does nothing any more its stacks may prove early that it never will; if they do not, it
// is run again and given its time.
func (u *unit) execPatiently(ctx context.Context, sl *slot, c worker.Command, d time.Duration) (testRun, error) {
	if d == 0 || c.Mutant <= 0 {
		return u.execTests(ctx, sl, c)
	}
	first := c
	first.Asleep, first.Prove = max(proveAfter, 2*d), true
	run, err := u.execTests(ctx, sl, first)
	if err == nil && run.exit.Cause == worker.Unproven {
		run, err = u.execTests(ctx, sl, c)
	}
	return run, err
}

// Allow loosens the sandbox where that makes tests pass.
func (x executor) Allow(ctx context.Context, s judge.Spec) (allowed bool, err error) {
	err = x.with(ctx, func(sl *slot) error {
		allowed, err = x.loosen(ctx, sl, s.Suite.Package, s.Tests, func(box *sandbox.Sandbox) (testRun, error) {
			c := x.command(sl, s)
			c.Sandbox = box
			return x.execTests(ctx, sl, c)
		})
		return err
	})
	return allowed, err
}

// Cover runs tests one after the other in one process.
func (x executor) Cover(ctx context.Context, s *judge.Suite, tests []string, told func(string, bool, time.Duration, judge.Coverage)) error {
	job := &wire.Job{Kind: wire.JobCover}
	for _, name := range tests {
		job.Tests = append(job.Tests, wire.TrialTest{Name: name})
	}
	events, _, err := x.runJob(ctx, s, job, 0)
	for _, e := range events {
		if e.Event == wire.EventRun {
			told(e.Run.Entry, e.Run.Outcome == wire.OutcomeOK, time.Duration(e.Run.Nanos), x.coverageOf(e.Run))
		}
	}
	return err
}

// coverageOf is what a test did in a job of covering.
func (x executor) coverageOf(r *wire.Run) judge.Coverage {
	c := judge.Coverage{Steps: r.Steps, Blocks: r.Blocks, Marks: make([]byte, x.woven.Layout.Mutants+1)}
	for _, m := range r.Marks {
		if m < 0 {
			c.Marks[-m] = wire.MarkEvaluated | wire.MarkInfected
		} else {
			c.Marks[m] = wire.MarkEvaluated
		}
	}
	return c
}

// Try tries mutants in one process.
func (x executor) Try(ctx context.Context, s *judge.Suite, trials []judge.Trial, told func(judge.Verdict)) (end judge.TrialEnd, err error) {
	longest := slices.MaxFunc(trials, func(a, b judge.Trial) int { return cmp.Compare(a.Takes, b.Takes) }).Takes
	events, exit, err := x.runJob(ctx, s, trialJob(trials), longest)
	end = x.hearTrials(events, trials, told)
	end.Began = end.Began || exit.Cause == worker.Lost
	return end, err
}

// hearTrials tells what a process said of the mutants that were tried in it.
func (u *unit) hearTrials(events []*wire.Event, trials []judge.Trial, told func(judge.Verdict)) (end judge.TrialEnd) {
	n := 0
	early := map[string]bool{} // functions by ID
	for _, e := range events {
		switch e.Event {
		case wire.EventReady:
			end.Began = true
			for _, i := range e.Funcs {
				early[u.woven.Funcs[i].ID] = true
			}
		case wire.EventTrial:
			v := verdictOf(e)
			if v.Test != "" && !slices.Contains(trials[n].Tests, topLevel(v.Test)) {
				v = judge.Verdict{Mutant: v.Mutant, Drift: true} // a test that it was not to run
			}
			v.Early = early[u.mutants[v.Mutant-1].Function]
			n++
			told(v)
		case wire.EventClean:
			end.Clean = n
		}
	}
	return end
}

// trialJob is the job of trying mutants.
func trialJob(trials []judge.Trial) *wire.Job {
	job := &wire.Job{Kind: wire.JobTrials}
	index := map[string]int{}
	for _, t := range trials {
		trial := wire.Trial{Mutant: t.Mutant, Repeats: trialRepeats, RepeatTime: int64(trialRepeatTime)}
		for i, name := range t.Tests {
			at, ok := index[name]
			if !ok {
				at = len(job.Tests)
				index[name] = at
				job.Tests = append(job.Tests, wire.TrialTest{Name: name, Steps: max(trialFloor, stepFactor*t.Steps[i])})
			}
			trial.Tests = append(trial.Tests, at)
		}
		job.Trials = append(job.Trials, trial)
	}
	return job
}

// verdictOf is what a trial has come to.
func verdictOf(e *wire.Event) judge.Verdict {
	v := judge.Verdict{Mutant: e.Mutant, Test: e.Message, Funcs: e.Funcs}
	switch e.Outcome {
	case wire.OutcomeFailure:
		v.Kind = judge.Test
	case wire.OutcomePanic:
		v.Kind = judge.Crash
	case wire.OutcomeHang:
		v.Kind = judge.Hang
	case wire.OutcomeDrift:
		v.Drift = true
	case wire.OutcomeRandom:
		v.Random = true
	}
	return v
}

// runJob runs a job of the test that the weaver adds, and returns what the process told: nothing,
// where it lies. Longest is what one run takes without a mutant; 0: nobody knows.
func (x executor) runJob(ctx context.Context, s *judge.Suite, job *wire.Job, longest time.Duration) (events []*wire.Event, exit worker.Exit, err error) {
	err = x.with(ctx, func(sl *slot) error {
		c := worker.Command{
			Binary: x.binaries[s.Package], Dir: x.listing[s.Package].Dir, State: sl.state, Job: job, Bounds: x.bounds(nil),
			OnEvent: func(e *wire.Event) { events = append(events, e) },
			Args:    append(worker.TestArgs(0, weave.Trials), x.cfg.TestFlags...), Silence: x.wall(longest),
		}
		if longest > 0 {
			c.Longest, c.Asleep, c.Prove = max(trialLimit, clockFactor*longest), max(proveAfter, 2*longest), true
		}
		exit, err = insist(func() (worker.Exit, error) {
			events = nil
			return x.execOnce(ctx, sl, c)
		})
		switch {
		case err == nil && exit.Cause == worker.Cancelled:
			err = context.Cause(ctx)
		case exit.Cause == worker.Lied:
			events = nil
			x.distrustTrials(s.Package, exit.Lie)
		}
		return err
	})
	return events, exit, err
}

// distrustTrials gives trials up where processes of them lie. Mutants then have processes of
// their own only, whose exit says how it went.
func (x executor) distrustTrials(pkg string, lie error) {
	x.mu.Lock()
	delete(x.registered, pkg)
	x.mu.Unlock()
	x.warn("mutants are not tried on the tests of %s, each has a process of its own: what the test process says cannot be: %v", pkg, lie)
}

// execTests runs a test binary in sl. Dir is given in the user's tree. Without a
// sandbox it gets the one for the unit's tests.
func (u *unit) execTests(ctx context.Context, sl *slot, c worker.Command) (testRun, error) {
	if c.OnEvent != nil { // what a lost run has told cannot be taken back
		exit, err := u.execOnce(ctx, sl, c)
		return testRun{exit: exit, outcome: exit.Outcome()}, err
	}
	exit, err := insist(func() (worker.Exit, error) { return u.execOnce(ctx, sl, c) })
	if exit.Cause == worker.Lied { // in its state file; nothing else is asked for but how it ended
		exit.Cause = worker.Exited
	}
	return testRun{exit: exit, outcome: exit.Outcome()}, err
}

// execOnce is execTests for a run that may be lost.
func (u *unit) execOnce(ctx context.Context, sl *slot, c worker.Command) (worker.Exit, error) {
	if c.Sandbox == nil {
		tests, _ := u.loosened()
		var err error
		if c.Sandbox, err = u.sandbox(sl, tests); err != nil {
			return worker.Exit{}, err
		}
	}
	c.Dir = sl.scratch.Dir(c.Dir)
	c.Env, c.Restore, c.Guard = sl.env, sl.scratch.Restore, u.guard
	c.Memory = cmp.Or(c.Memory, memoryLimit)
	c.OnRest = func(resting bool) { u.slots.rest(sl, resting) }
	defer u.slots.rest(sl, false)
	return worker.Run(ctx, c)
}

// wall is the wall-clock limit for a run that takes d without mutants; with 0,
// of a run of which nothing is known.
func (u *unit) wall(d time.Duration) time.Duration {
	if d == 0 {
		return max(min(u.left()/2, 10*time.Minute), clockFloor)
	}
	return max(clockFactor*d, clockFloor)
}

// skipping matches the tests that are to be left out, and those named.
func (u *unit) skipping(names ...string) string {
	var patterns []string
	if u.cfg.SkipTests != nil {
		patterns = append(patterns, u.cfg.SkipTests.String())
	}
	if len(names) > 0 {
		patterns = append(patterns, worker.Anchor(names...))
	}
	return strings.Join(patterns, "|")
}
