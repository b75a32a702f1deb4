package engine

import (
	"context"
	"errors"
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
	"github.com/mutantfuzz/mutantfuzz/engine/suites"
	"github.com/mutantfuzz/mutantfuzz/engine/verify"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
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
	suites   *suites.Suites // nil: no test judges
	fuzzer   *fuzz.Fuzzer
	verifier *verify.Verifier
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

// Where building takes long, time for some more builds is kept for confirming verdicts, up to a part of what is left.
const (
	confirmBuilds  = 3
	maxConfirmPart = 0.5
)

// Drivers alone, with no fuzz target of the user's, get some time each: as many as that of a number
// of them.
const (
	driverTime = 15 * time.Second
	maxDriven  = 4
	driverPart = 0.15 // of the time that the build leaves, which tests do not take then
)

func (r *run) analysis(p *program.Program) *analysis {
	return &analysis{run: r, program: p, judged: &judge.Result{}}
}

// analyse is the pipeline. However it ends, every mutant has a verdict afterwards.
func (a *analysis) analyse(ctx context.Context) error {
	defer a.giveUp()
	if end, bounded := ctx.Deadline(); bounded {
		a.reserve = time.Duration(verifyPart * float64(time.Until(end)))
	}
	for _, next := range []stage{
		a.prepare, // load, mutate, weave
		a.build,
		a.tests,
		a.equate,
		a.fuzz,
		a.finish,
		a.verify,
		a.rest,
	} {
		if err := next(ctx); err != nil {
			return err
		}
	}
	return nil
}

// giveUp makes the mutants undecided that the tests have not judged, and says what of the tests is to be known.
func (a *analysis) giveUp() {
	if a.suites != nil {
		a.suites.Note()
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

// stage is a part of the pipeline.
type stage func(context.Context) error

// timed runs a stage and adds the time that it takes to a phase of the results.
func timed(ctx context.Context, phase *float64, s stage) error {
	start := time.Now()
	err := s(ctx)
	*phase += time.Since(start).Seconds()
	return err
}

// within is a stage in a part of the time that remains. It is no error if that time runs out: the
// analysis goes on with what was found until then.
func within(part float64, s stage) stage {
	return func(ctx context.Context) error {
		inner, cancel := deadline.Part(ctx, part)
		defer cancel()
		err := s(inner)
		if err != nil && ctx.Err() == nil && inner.Err() != nil && outOfTime(err) {
			return nil
		}
		return err
	}
}

// prepare loads the packages, makes the mutants and weaves them.
func (a *analysis) prepare(ctx context.Context) error {
	if err := timed(ctx, &a.res.Seconds.Load, a.load); err != nil {
		return err
	}
	return timed(ctx, &a.res.Seconds.Weave, func(ctx context.Context) error {
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
	return p.AddHarnesses(ctx, a.harnesses())
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
	a.program.DropHarnesses()
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
		unseen[pkg] = a.reach.InProgram(pkg) || a.reach.ExcludesTests(pkg) || a.reach.TestedElsewhere(pkg)
	}
	for _, m := range a.mutants {
		m.Unseen = unseen[m.Package]
	}
	return nil
}

// build builds the woven test binaries, and readies the slots to run them in.
func (a *analysis) build(ctx context.Context) error {
	return timed(ctx, &a.res.Seconds.Build, func(ctx context.Context) error {
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

// tests judges the mutants by the tests. Fuzzing gets the rest of the time.
func (a *analysis) tests(ctx context.Context) error {
	if a.cfg.Tests == TestsNone || len(a.mutants.Live()) == 0 {
		for _, m := range a.mutants {
			m.Tests = &judge.Decision{Status: judge.Survived}
		}
		return nil
	}
	return timed(ctx, &a.res.Seconds.Tests, within(a.testsPart(), func(ctx context.Context) error {
		a.suites = suites.New(suites.Config{
			Runner: a.runner, Reach: a.reach, Mutants: a.mutants, Judged: a.judged,
			All: a.cfg.Tests == TestsAll, Brief: a.cfg.Time > 0 && a.cfg.Tests == TestsAuto,
			Verdicts: a.cfg.Verdicts, Fresh: a.cfg.Fresh, Began: a.began, Stats: &a.res.Stats, Seconds: &a.res.Seconds,
		})
		return a.suites.Judge(ctx)
	}))
}

// testsPart is the part of the remaining time that tests get.
func (a *analysis) testsPart() float64 {
	targets := a.binaries.Woven.Targets
	switch {
	case len(targets) == 0 || a.cfg.Execs == 0:
		return 1 - verifyPart // there is nothing to fuzz
	case slices.ContainsFunc(targets, func(t weave.Target) bool {
		_, made := a.program.Made(t.File, t.Func)
		return len(made.For) == 0 // it is the user's
	}):
		return testsPart
	}
	return 1 - verifyPart - driverPart
}

// equate finds the mutants that the compiler makes the same machine code of.
func (a *analysis) equate(ctx context.Context) error {
	return timed(ctx, &a.res.Seconds.Verify, within(equatePart, func(ctx context.Context) error {
		return equate.Equate(ctx, a.binaries, a.mutants)
	}))
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
		f.Until = end.Add(-a.kept(time.Until(end)))
	}
	f.Open(ctx)
	if err := timed(ctx, &a.res.Seconds.Replay, f.Replay); err != nil {
		return err
	}
	if a.cfg.Execs != 0 && !a.cfg.Unwatched {
		watch := func(ctx context.Context) error { return f.Watch(ctx, a.judged.Surveys) }
		if err := timed(ctx, &a.res.Seconds.Tests, within(watchPart, watch)); err != nil {
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
	return timed(ctx, &a.res.Seconds.Verify, within(freshPart, f.Fresh))
}

// kept is how much of the time that is left fuzzing leaves for confirming verdicts.
func (a *analysis) kept(left time.Duration) time.Duration {
	builds := time.Duration(confirmBuilds * a.res.Seconds.Build * float64(time.Second))
	return max(a.reserve, min(builds, time.Duration(maxConfirmPart*float64(left))))
}

// finish lets the tests of dependents for which there was no time judge what a report would show if they
// all passed: that is little, and there is time again once nothing is fuzzed any more.
func (a *analysis) finish(ctx context.Context) error { return a.dependents(ctx, finishPart, a.open) }

// dependents lets the tests of dependents for which there was no time judge some mutants in a part of the time that is left.
// What they kill makes room for others in a report: so they judge until there are none left.
func (a *analysis) dependents(ctx context.Context, part float64, which func() []*judge.Mutant) error {
	if !a.judged.Cut() || a.cfg.Shown == nil {
		return nil
	}
	return timed(ctx, &a.res.Seconds.Tests, within(part, func(ctx context.Context) error {
		asked := map[int]bool{}
		for {
			open := slices.DeleteFunc(which(), func(m *judge.Mutant) bool { return asked[m.Number] })
			if len(open) == 0 {
				return nil
			}
			for _, m := range open {
				asked[m.Number] = true
			}
			a.journal.Phase("tests of dependents", 0)
			if err := a.suites.Left(ctx, open); err != nil {
				return err
			}
		}
	}))
}

// open are the mutants that a report would show if all tests for which there was no time passed with them.
func (a *analysis) open() (open []*judge.Mutant) {
	preview := a.preview()
	for i := range preview.Mutants {
		if m := &preview.Mutants[i]; m.Status == results.Survived {
			m.Reason = ""
		}
	}
	shown := a.cfg.Shown(preview)
	ids := slices.Concat(shown.Confirmed, shown.Inputs)
	slices.Sort(ids)
	for _, id := range slices.Compact(ids) {
		if m := a.mutants.ByID(id); m.Tests != nil && m.Tests.Reason != "" && m.Survives() {
			open = append(open, m.AsJudged())
		}
	}
	return open
}

// late are the mutants on changed lines that some tests had no time for.
func (a *analysis) late() (late []*judge.Mutant) {
	for _, m := range a.mutants.Live() {
		if j := m.AsJudged(); j.Class <= evidence.ClassChanged && m.Tests != nil && m.Tests.Reason != "" && m.Survives() {
			late = append(late, j)
		}
	}
	return late
}

// verify confirms what was found by plain rebuilds.
func (a *analysis) verify(ctx context.Context) error {
	var shown func() Shown
	if a.cfg.Shown != nil {
		shown = func() Shown { return a.cfg.Shown(a.preview()) }
	}
	a.verifier = verify.New(a.fuzzer, a.judged, shown)
	return timed(ctx, &a.res.Seconds.Verify, a.verifier.Verify)
}

// rest lets the tests judge what they had no time for, in what the other stages have left of it.
func (a *analysis) rest(ctx context.Context) error {
	if a.suites == nil || !a.short() && !a.judged.Cut() {
		return nil
	}
	err := timed(ctx, &a.res.Seconds.Tests, within(1-verifyPart, a.suites.Judge))
	for _, which := range []func() []*judge.Mutant{a.open, a.late} {
		if err == nil {
			err = a.dependents(ctx, 1-verifyPart, which)
		}
	}
	if err != nil {
		return err
	}
	return timed(ctx, &a.res.Seconds.Verify, a.verifier.Verdicts)
}
