package pool

import (
	"cmp"
	"context"
	"maps"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/executor"
	"github.com/mutantfuzz/mutantfuzz/engine/ledger"
	"github.com/mutantfuzz/mutantfuzz/engine/program"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
)

// Limits on one run of a test in a trial. A mutant that exceeds them runs again in a process of its own, with higher
// limits.
const (
	trialFactor     = 5 // bound on steps, relative to a run without a mutant
	trialLimit      = 2 * time.Second
	trialFloor      = StepFloor / 8
	trialRepeats    = 40
	trialRepeatTime = 200 * time.Microsecond
)

// Executor runs the tests of a program for judging. It implements executor.Executor.
type Executor struct{ *Runner }

// with runs f in a slot. A panic in f becomes an error.
func (x Executor) with(ctx context.Context, f func(*Slot) error) (err error) {
	defer contain(&err)
	sl := x.Take()
	defer x.Give(sl)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return f(sl)
}

// List returns the tests of a suite, without those to be skipped.
func (x Executor) List(ctx context.Context, s *executor.Suite) (names []string, err error) {
	err = x.with(ctx, func(sl *Slot) error {
		list := func([]string) (Run, error) {
			return x.Runner.Run(ctx, sl, worker.Command{
				Binary: x.Of(s.Package), Args: []string{"-test.list=."}, Dir: x.Packages[s.Package].Dir,
				Timeout: clockFloor, OutputLimit: 4 << 20,
			})
		}
		run, err := list(nil)
		if err == nil && run.Failed() { // TestMain may need what the sandbox forbids
			var helped bool
			if helped, err = x.Loosen(ctx, sl, s.Package, nil, list); helped {
				run, err = list(nil)
			}
		}
		if err != nil {
			return err
		}
		declared := x.declaredIn(s.Package)
		for line := range strings.Lines(string(run.Exit.Output)) {
			name := strings.TrimSpace(line) // other lines are output of the program
			if declared[name] && name != weave.Trials && !x.Skips(name) && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		if len(names) == 0 { // the process fails, or TestMain ends it or hides its output: that shows when they run
			names = slices.DeleteFunc(slices.Sorted(maps.Keys(declared)), func(name string) bool {
				return !run.Failed() && (name == "TestMain" || strings.HasPrefix(name, "Example") || x.Skips(name))
			})
		}
		return nil
	})
	return names, err
}

// known returns those of names, printed by a process, that are tests which pkg declares: tests may print anything.
func (r *Runner) known(pkg string, names []string) []string {
	if len(names) == 0 {
		return nil
	}
	declared := r.declaredIn(pkg)
	return slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !declared[ledger.TopLevel(name)] })
}

// declaredIn returns the names of the tests that pkg declares.
func (r *Runner) declaredIn(pkg string) map[string]bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.declared[pkg] == nil {
		r.declared[pkg] = program.DeclaredTests(r.Packages[pkg])
	}
	return r.declared[pkg]
}

// Registered returns the tests of a suite that can run inside the woven binary's own test.
func (x Executor) Registered(s *executor.Suite) []string {
	return slices.DeleteFunc(x.Binaries.Registered(s.Package), x.Skips)
}

// Run runs the process that s describes, and reports what it did.
func (x Executor) Run(ctx context.Context, s executor.Spec) (r executor.Report, err error) {
	err = x.with(ctx, func(sl *Slot) error {
		run, err := x.runDetectingDeadlock(ctx, sl, x.Command(ctx, sl, s), s)
		if err != nil {
			return err
		}
		x.spend(run.Exit.Duration, s.Suite.Package, s.Tests)
		x.learnRest(sl, s)
		r = executor.Report{
			Kind: run.Outcome.Kind, Failed: x.known(s.Suite.Package, run.Outcome.Failed), Message: run.Outcome.Message,
			ByClock: run.byClock(), TooBig: run.tooBig(), Took: run.Exit.Duration, NoTests: !run.Failed() && !run.Outcome.Passed(),
			Steps: sl.State.Steps(), Funcs: sl.State.Funcs(), Untrusted: run.Exit.Invalid != nil,
		}
		if r.Kind != ledger.Pass {
			r.Output = string(run.Exit.Output)
		}
		if r.ByClock {
			r.Before = x.known(s.Suite.Package, worker.Failed(run.Exit.Output))
		}
		if s.Verbose {
			r.Skipped = x.known(s.Suite.Package, worker.Skipped(run.Exit.Output))
			r.Passed = x.known(s.Suite.Package, worker.Passed(run.Exit.Output))
		}
		if s.Mutant == wire.Probed {
			r.Blocks, r.Marks = sl.State.Blocks(), sl.State.Marks()
		}
		return nil
	})
	return r, err
}

// Command returns the process of a run in sl, and marks sl as apart if the suite is.
func (x Executor) Command(ctx context.Context, sl *Slot, s executor.Spec) worker.Command {
	sl.apart = s.Suite.Apart
	c := x.plain(ctx, x.Of(s.Suite.Package), s)
	wall := limit(ctx, s)
	c.State, c.Mutant, c.Silence, c.Asleep, c.Memory = sl.State, s.Mutant, wall, wall, memoryOf(s.Suite)
	if s.Mutant > 0 {
		c.Asleep, c.Busy = wall/asleepPart, busyLimit(s.Takes)
		if !s.Unbounded {
			c.Steps, c.Allocated = StepBound(s.Steps), allocationBound(s.Takes, runtime.NumCPU())
		}
	}
	return c
}

// Allow loosens the sandbox if that makes the tests of s pass. It reports whether it did.
func (x Executor) Allow(ctx context.Context, s executor.Spec) (allowed bool, err error) {
	err = x.with(ctx, func(sl *Slot) error {
		allowed, err = x.Loosen(ctx, sl, s.Suite.Package, s.Tests, func(tests []string) (Run, error) {
			s.Tests = tests
			return x.Runner.Run(ctx, sl, x.Command(ctx, sl, s))
		})
		return err
	})
	return allowed, err
}

// Cover runs tests one after the other in one process, and reports what each test that passed did. ran is how many of
// them ran to their end: the process may end within one.
func (x Executor) Cover(ctx context.Context, s *executor.Suite, tests []string) (reports map[string]executor.Report, ran int, err error) {
	job := &wire.Job{Kind: wire.JobCover, Tests: jobTests(tests)}
	events, _, err := x.runJob(ctx, s, job, wire.Original, 0)
	reports = map[string]executor.Report{}
	for _, e := range events {
		if e.Event == wire.EventRun {
			ran++
		}
		if e.Event == wire.EventRun && (e.Run.Outcome == wire.OutcomeOK || e.Run.Outcome == wire.OutcomeSkip) {
			reports[e.Run.Entry] = x.covered(e.Run)
		}
	}
	return reports, ran, err
}

// Watch runs each test repeat times, all in one process, with a mutant active. It returns the passing runs of each
// test, with what the calls of the function at site returned. It also reports whether one of those calls read
// something of this machine.
func (x Executor) Watch(ctx context.Context, s *executor.Suite, tests []string, mutant, site, repeat int, takes time.Duration) (map[string][]*wire.Run, bool, error) {
	job := &wire.Job{Kind: wire.JobWatch, Watch: site, Repeat: repeat, Home: s.Package, Tests: jobTests(tests)}
	events, exit, err := x.runJob(ctx, s, job, mutant, takes, logOpened()...)
	runs := map[string][]*wire.Run{}
	for _, e := range events {
		if e.Event == wire.EventRun && e.Run.Outcome == wire.OutcomeOK {
			runs[e.Run.Entry] = append(runs[e.Run.Entry], e.Run)
		}
	}
	return runs, readsMachine(string(exit.Output), x.Packages[s.Package].Dir, x.Tree), err
}

// jobTests returns tests as a job has them, without a bound on steps.
func jobTests(names []string) (list []wire.TrialTest) {
	for _, name := range names {
		list = append(list, wire.TrialTest{Name: name})
	}
	return list
}

// covered returns what a test did in a job of wire.JobCover.
func (x Executor) covered(r *wire.Run) executor.Report {
	marks := make([]byte, x.Woven.Layout.Mutants+1)
	for _, m := range r.Marks {
		if m < 0 {
			marks[-m] = wire.MarkEvaluated | wire.MarkInfected
		} else {
			marks[m] = wire.MarkEvaluated
		}
	}
	report := executor.Report{Took: time.Duration(r.Nanos), Steps: r.Steps, Blocks: r.Blocks, Marks: marks}
	if r.Outcome == wire.OutcomeSkip {
		report.Skipped = []string{r.Entry}
	}
	return report
}

// Try tries mutants in one process, and reports whether tests ran at all.
func (x Executor) Try(ctx context.Context, s *executor.Suite, trials []executor.Trial) ([]executor.Verdict, bool, error) {
	longest := slices.MaxFunc(trials, func(a, b executor.Trial) int { return cmp.Compare(a.Takes, b.Takes) }).Takes
	events, exit, err := x.runJob(ctx, s, trialJob(trials), wire.Original, longest)
	verdicts, began := x.trialsOf(events, trials)
	return verdicts, began || exit.Cause == worker.Lost, err
}

// trialsOf returns the verdicts on the mutants that were tried in a process, and whether it ran tests at all.
func (x Executor) trialsOf(events []*wire.Event, trials []executor.Trial) (verdicts []executor.Verdict, began bool) {
	early := map[string]bool{} // IDs of functions that ran before the tests
	for _, e := range events {
		switch e.Event {
		case wire.EventReady:
			began = true
			for _, i := range e.Funcs {
				early[x.Woven.Funcs[i].ID] = true
			}
		case wire.EventTrial:
			v := executor.Verdict{
				Mutant: e.Mutant, Test: e.Message, Kind: trialKinds[e.Outcome], Funcs: e.Funcs,
				Repeated: e.Repeated, Random: e.Outcome == wire.OutcomeRandom, Drift: e.Outcome == wire.OutcomeDrift,
			}
			if v.Test != "" && trials[len(verdicts)].Test(ledger.TopLevel(v.Test)) == nil {
				v = executor.Verdict{Mutant: v.Mutant, Drift: true} // a test that is not part of the trial
			}
			v.Early = early[x.Woven.Mutants[v.Mutant-1].Function]
			verdicts = append(verdicts, v)
		case wire.EventClean:
			for i := range verdicts {
				verdicts[i].Clean = true
			}
		}
	}
	return verdicts, began
}

// trialJob returns the job that tries mutants.
func trialJob(trials []executor.Trial) *wire.Job {
	job := &wire.Job{Kind: wire.JobTrials}
	index := map[string]int{}
	for _, t := range trials {
		trial := wire.Trial{Mutant: t.Mutant, Repeats: trialRepeats, RepeatTime: int64(trialRepeatTime)}
		for _, test := range t.Tests {
			at, ok := index[test.Name]
			if !ok {
				at = len(job.Tests)
				index[test.Name] = at
				job.Tests = append(job.Tests, wire.TrialTest{Name: test.Name, Steps: max(trialFloor, trialFactor*test.Steps), Once: test.Once})
			}
			trial.Tests = append(trial.Tests, at)
		}
		job.Trials = append(job.Trials, trial)
	}
	return job
}

// trialKinds maps the outcome of a trial to the kind of failure.
var trialKinds = map[string]string{
	wire.OutcomeFailure: ledger.Test, wire.OutcomePanic: ledger.Crash, wire.OutcomeHang: ledger.Hang,
}

// runJob runs a job in the test that the weaver adds, with mutant active from the start. It returns the events of the
// process; none if it reports invalid data. longest is what one run takes without a mutant; 0: unknown.
func (x Executor) runJob(ctx context.Context, s *executor.Suite, job *wire.Job, mutant int, longest time.Duration, args ...string) (events []*wire.Event, exit worker.Exit, err error) {
	err = x.with(ctx, func(sl *Slot) error {
		sl.apart = s.Apart
		c := worker.Command{
			Binary: x.Of(s.Package), Dir: x.Packages[s.Package].Dir, State: sl.State, Job: job, Mutant: mutant, Bounds: x.Bounds(nil), Memory: memoryOf(s),
			OnEvent: func(e *wire.Event) { events = append(events, e) },
			Args:    slices.Concat(worker.TestArgs(0, weave.Trials), args), Silence: wall(ctx, longest),
		}
		if len(s.Without) > 0 {
			c.Args = append(c.Args, "-test.skip="+worker.Anchor(s.Without...))
		}
		c.Args = append(c.Args, x.Tests.jobFlags()...)
		if longest > 0 {
			c.Longest, c.Asleep, c.Prove = max(trialLimit, clockFactor*longest), max(proveAfter, 2*longest), true
		}
		exit, err = Retry(func() (worker.Exit, error) {
			events = nil
			return x.Once(ctx, sl, c)
		})
		err = cancelled(ctx, exit, err)
		if exit.Cause == worker.Invalid {
			events = nil
			x.giveUpTrials(s.Package, exit.Invalid)
		}
		return err
	})
	return events, exit, err
}

// giveUpTrials ends trials for a package whose test process reports invalid data. Each mutant then runs in a process
// of its own, of which only the exit status counts.
func (x Executor) giveUpTrials(pkg string, invalid error) {
	x.Unregister(pkg)
	x.Warn("the test process of %s reported invalid data, so each mutant runs in a process of its own, which is slower: %v", pkg, invalid)
}
