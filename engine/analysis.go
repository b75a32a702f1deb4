package engine

import (
	"context"
	"errors"
	"maps"
	"os"
	"slices"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/build"
	"github.com/mutantfuzz/mutantfuzz/engine/equate"
	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/engine/fuzz"
	"github.com/mutantfuzz/mutantfuzz/engine/judge"
	"github.com/mutantfuzz/mutantfuzz/engine/pool"
	"github.com/mutantfuzz/mutantfuzz/engine/program"
	"github.com/mutantfuzz/mutantfuzz/engine/reach"
	"github.com/mutantfuzz/mutantfuzz/engine/verify"
	"github.com/mutantfuzz/mutantfuzz/internal/deadline"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// analysis is the analysis of one program: what its stages have made so far.
type analysis struct {
	*run
	program  *program.Program
	reserve  time.Duration // of the time that this program has, kept for confirming verdicts
	reach    *reach.Reach
	binaries *build.Binaries
	mutants  evidence.Mutants
	runner   *pool.Runner
	judged   *judge.Result
	suites   *suites // nil: no test judges
	fuzzer   *fuzz.Fuzzer
	undriven map[string]string // why functions have no driver, by ID
	verifier *verify.Verifier
	crashes  []results.Crash
	oldTests []results.OldTest
	newTests []results.NewTest // all that there are, if known is true
	known    bool
}

// Parts of the time that is left which stages get.
const (
	testsPart  = 0.5 // where there is something to fuzz; else all but verifyPart
	equatePart = 0.1
	watchPart  = 0.1
	freshPart  = 0.4 // of what fuzzing leaves
	finishPart = 0.4 // of what fuzzing and that leave
	verifyPart = 0.2 // of the time that the program has, kept for confirming verdicts
)

// Drivers alone, with no fuzz target of the user's, get some time each: as many as that of a number
// of them.
const (
	driverTime = 15 * time.Second
	maxDriven  = 4
	driverPart = 0.15 // of the time that the build leaves, which tests do not take then
)

func (r *run) analysis(p *program.Program) *analysis {
	return &analysis{run: r, program: p, judged: &judge.Result{}, undriven: map[string]string{}}
}

// analyse is the pipeline. However it ends, every mutant has a verdict afterwards.
func (a *analysis) analyse(ctx context.Context) error {
	defer a.giveUp()
	if end, bounded := ctx.Deadline(); bounded {
		a.reserve = time.Duration(verifyPart * float64(time.Until(end)))
	}
	for _, stage := range []func(context.Context) error{
		a.prepare, // load, mutate, weave
		a.build,
		a.tests,
		a.equate,
		a.fuzz,
		a.finish,
		a.verify,
		a.rest,
	} {
		if err := stage(ctx); err != nil {
			return err
		}
	}
	return nil
}

// giveUp makes the mutants undecided that the tests have not judged, and says what of the tests is to be known.
func (a *analysis) giveUp() {
	if a.suites != nil {
		a.suites.note()
	}
	for _, m := range a.mutants {
		if m.Tests == nil {
			m.Tests = &judge.Decision{Status: judge.Undecided}
		}
	}
}

// short reports whether some mutant was not judged in time.
func (a *analysis) short() bool {
	return slices.ContainsFunc(a.mutants.Live(), func(m *evidence.Mutant) bool { return m.Verdict().Status == results.NotRun })
}

// timed adds the time f takes to a phase of the results.
func (a *analysis) timed(phase *float64, f func() error) error {
	start := time.Now()
	err := f()
	*phase += time.Since(start).Seconds()
	return err
}

// within calls f with a context that ends after a part of the time that remains. It is no error
// if that time runs out: the analysis goes on with what was found until then.
func (a *analysis) within(ctx context.Context, part float64, f func(context.Context) error) error {
	inner, cancel := deadline.Part(ctx, part)
	defer cancel()
	err := f(inner)
	if err != nil && ctx.Err() == nil && inner.Err() != nil && outOfTime(err) {
		return nil
	}
	return err
}

// prepare loads the packages, makes the mutants and weaves them.
func (a *analysis) prepare(ctx context.Context) error {
	if err := a.timed(&a.res.Seconds.Load, func() error { return a.load(ctx) }); err != nil {
		return err
	}
	return a.timed(&a.res.Seconds.Weave, func() error {
		err := a.weave(ctx)
		if err != nil && a.dropHarnesses(ctx, err) {
			err = a.weave(ctx)
		}
		return err
	})
}

// load lists the packages of the program, and loads those that are mutated or hold fuzz
// targets with their types.
func (a *analysis) load(ctx context.Context) error {
	a.journal.Phase("load", 0)
	p := a.program
	if err := p.List(ctx); err != nil {
		return err
	}
	a.reach = &reach.Reach{
		Program: p, Journal: a.journal,
		Dependents: a.cfg.Tests != TestsPackage && a.cfg.Tests != TestsNone,
		Everything: a.cfg.Unpruned || a.cfg.Tests == TestsAll, Unfuzzed: a.cfg.Execs == 0,
	}
	targets := a.reach.Targets(ctx)
	p.External = len(a.harnesses()) > 0
	if err := p.Load(ctx, targets); err != nil {
		return err
	}
	for _, kind := range a.harnesses() {
		files, leftOut, err := kind.Make(ctx, p)
		if err != nil {
			return err
		}
		maps.Copy(a.undriven, leftOut)
		for _, f := range files {
			if err := p.Add(f); err != nil {
				for _, function := range f.Functions() {
					a.undriven[function] = "the driver that was written does not compile: " + err.Error()
				}
			}
		}
	}
	return nil
}

// harnesses are the kinds of harnesses to make: none if nothing is fuzzed.
func (a *analysis) harnesses() []HarnessKind {
	if a.cfg.Execs == 0 {
		return nil
	}
	return a.cfg.Harnesses
}

// dropHarnesses takes the harnesses back that were made, and reports whether there were any: err may be
// their fault, and no program is to be left unanalysed for that.
func (a *analysis) dropHarnesses(ctx context.Context, err error) bool {
	if len(a.program.Files) == 0 || ctx.Err() != nil {
		return false
	}
	a.journal.Say("once more without the harnesses that were made: %v", err)
	for _, f := range a.program.Files {
		for _, function := range f.Functions() {
			a.undriven[function] = "the driver that was written does not build"
		}
	}
	a.program.DropFiles()
	return true
}

func (a *analysis) weave(ctx context.Context) error {
	a.journal.Phase("weave", 0)
	work, err := a.folder()
	if err != nil {
		return err
	}
	if work, err = os.MkdirTemp(work, "program-"); err != nil {
		return err
	}
	a.binaries = build.New(build.Config{Program: a.program, Journal: a.journal, Work: work, Only: a.cfg.only, Choose: a.cfg.Choose})
	if err := a.binaries.Weave(ctx); err != nil {
		return err
	}
	a.mutants = evidence.New(a.binaries.Woven, a.binaries.Sources, a.program.Scope())
	unseen := map[string]bool{}
	for _, pkg := range a.program.Touched {
		unseen[pkg] = a.reach.InProgram(pkg) || a.reach.ExcludesTests(pkg)
	}
	for _, m := range a.mutants {
		m.Unseen = unseen[m.Package]
	}
	return nil
}

// build builds the woven test binaries, and readies the slots to run them in.
func (a *analysis) build(ctx context.Context) error {
	return a.timed(&a.res.Seconds.Build, func() error {
		a.journal.Phase("build", 0)
		err := a.binaries.Build(ctx)
		if broken := (*gotool.BuildError)(nil); errors.As(err, &broken) && a.dropHarnesses(ctx, err) {
			if err = a.weave(ctx); err == nil {
				err = a.binaries.Build(ctx)
			}
		}
		if err != nil {
			return err
		}
		slots, err := a.slots()
		if err != nil {
			return err
		}
		a.runner, err = slots.Runner(ctx, a.binaries, pool.Tests{Skip: a.cfg.SkipTests, Flags: a.cfg.TestFlags})
		return err
	})
}

// equate finds the mutants that the compiler makes the same machine code of.
func (a *analysis) equate(ctx context.Context) error {
	return a.timed(&a.res.Seconds.Verify, func() error {
		return a.within(ctx, equatePart, func(ctx context.Context) error { return equate.Equate(ctx, a.binaries, a.mutants) })
	})
}

// fuzz runs the fuzz targets: first on the corpus, then on the mutants and the program;
// then the open mutants once more, in fresh processes. The time for confirming is kept
// back.
func (a *analysis) fuzz(ctx context.Context) error {
	f := fuzz.New(a.runner, fuzz.Config{
		Reach: a.reach, Mutants: a.mutants, Corpus: a.cfg.Corpus, Execs: a.cfg.Execs,
		MutantShare: a.cfg.MutantShare, Seed: a.cfg.Seed, Stats: &a.res.Stats, Seconds: &a.res.Seconds,
	})
	a.fuzzer = f
	if end, bounded := ctx.Deadline(); bounded {
		f.Until = end.Add(-a.reserve)
	}
	f.Open(ctx)
	if err := a.timed(&a.res.Seconds.Replay, func() error { return f.Replay(ctx) }); err != nil {
		return err
	}
	if a.cfg.Execs != 0 && !a.cfg.Unwatched {
		watch := func(ctx context.Context) error { return f.Watch(ctx, a.judged.Surveys) }
		if err := a.timed(&a.res.Seconds.Tests, func() error { return a.within(ctx, watchPart, watch) }); err != nil {
			return err
		}
	}
	if len(f.Targets) == 0 {
		return nil
	}
	n, alone := f.Drivers()
	if end := time.Now().Add(time.Duration(min(n, maxDriven)) * driverTime); alone && (f.Until.IsZero() && a.cfg.Execs < 0 || end.Before(f.Until)) {
		f.Until = end
	}
	if err := f.Fuzz(ctx); err != nil {
		return err
	}
	return a.timed(&a.res.Seconds.Verify, func() error { return a.within(ctx, freshPart, f.Fresh) })
}

// verify confirms by plain rebuilds the mutants that a report would show, in its order, and a sample of
// the kills, and finds out which crashes the change introduced; beside that, what tests of the base say
// of the change, and tests of the change of the base.
func (a *analysis) verify(ctx context.Context) error {
	return a.timed(&a.res.Seconds.Verify, func() error {
		a.crashes = a.fuzzer.Crashes
		var shown func() Shown
		if a.cfg.Shown != nil {
			shown = func() Shown { return a.cfg.Shown(a.preview()) }
		}
		v := verify.New(a.fuzzer, a.judged, shown)
		a.verifier = v
		return pool.Beside(
			func() error { return a.confirm(ctx, v) },
			func() (err error) {
				if a.oldTests, err = v.OldTests(ctx); err != nil {
					return err
				}
				a.newTests, a.known, err = v.NewTests(ctx)
				return err
			})
	})
}

// confirm confirms crashes and verdicts.
func (a *analysis) confirm(ctx context.Context, v *verify.Verifier) (err error) {
	if a.crashes, err = v.Crashes(ctx, a.crashes); err != nil {
		return err
	}
	return v.Verdicts(ctx)
}
