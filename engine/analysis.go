package engine

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/build"
	"github.com/mutantfuzz/mutantfuzz/engine/equate"
	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/engine/fuzz"
	"github.com/mutantfuzz/mutantfuzz/engine/judge"
	"github.com/mutantfuzz/mutantfuzz/engine/ledger"
	"github.com/mutantfuzz/mutantfuzz/engine/pool"
	"github.com/mutantfuzz/mutantfuzz/engine/program"
	"github.com/mutantfuzz/mutantfuzz/engine/reach"
	"github.com/mutantfuzz/mutantfuzz/engine/revisions"
	"github.com/mutantfuzz/mutantfuzz/engine/suites"
	"github.com/mutantfuzz/mutantfuzz/engine/verify"
	"github.com/mutantfuzz/mutantfuzz/internal/deadline"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// analysis is the analysis of one program. Its fields hold what the stages have produced so far.
type analysis struct {
	*run
	program  *program.Program
	reserve  time.Duration // part of this program's time that is kept for confirming verdicts
	began    time.Time     // when this program's turn came, unlike run.began
	built    time.Duration // how long the build of the woven test binaries took
	reach    *reach.Reach
	binaries *build.Binaries
	mutants  evidence.Mutants
	runner   *pool.Runner
	judged   *judge.Result
	suites   *suites.Suites // nil: no test judges (yet)
	fuzzer   *fuzz.Fuzzer
	verifier *verify.Verifier
	others   *revisions.Tests  // tests of one revision on the code of the other, and repeated runs of new tests
	newTests []results.NewTest // those of others that pass on the base, once that is known of all
}

// Shares of the remaining time.
const (
	testsPart   = 0.5  // for the tests, if the user has fuzz targets; see analysis.testsPart
	driversPart = 0.15 // withheld from the tests if only drivers are fuzzed
	equatePart  = 0.1
	finishPart  = 0.4  // of the time that fuzzing leaves
	verifyPart  = 0.2  // withheld from other stages for confirming verdicts
	slowPart    = 0.35 // the most that is withheld from the tests for it where builds take long, see confirming
)

// besideBuilds is how many builds have to fit into the remaining time for verdicts to be confirmed at the same time, and
// beside the comparison of the revisions. Otherwise one comes after the other, and the comparison last: nothing is shown
// that is not confirmed.
const besideBuilds = 6

func (r *run) analysis(p *program.Program) *analysis {
	return &analysis{run: r, program: p, judged: &judge.Result{}, began: time.Now()}
}

// analyse runs the pipeline. However it ends, every mutant has a verdict afterwards.
func (a *analysis) analyse(ctx context.Context) (err error) {
	defer func() { a.giveUp(err) }()
	if end, bounded := ctx.Deadline(); bounded {
		a.reserve = time.Duration(verifyPart * float64(time.Until(end)))
	}
	seconds := &a.res.Seconds
	return inOrder(ctx, []func(context.Context) error{
		a.leavingOut(a.prepare, deadline.Timed(&seconds.Build, a.build)), // load, mutate, weave, build
		a.tests,
		deadline.Timed(&seconds.Tests, a.repeat),
		deadline.Timed(&seconds.Verify, deadline.Within(equatePart, a.equate)),
		a.fuzz,
		a.finish,
		a.verify,
		a.rest,
	})
}

// giveUp marks the mutants that the tests have not judged as undecided, for the reason that whyEnded gives. It also
// adds the warnings about the tests. ended is the error that ended the analysis; nil: it was not cut short.
func (a *analysis) giveUp(ended error) {
	if a.suites != nil {
		a.suites.Note()
	}
	a.mutants.Assume(ledger.Decision{Status: ledger.Undecided, Reason: whyEnded(ended)})
}

// whyEnded returns why mutants were not run if the analysis ended with an error. It is empty for nil and for any
// error without a reason of its own, such as a timeout.
func whyEnded(ended error) string {
	var (
		build    *gotool.BuildError
		broken   *BrokenError
		baseline *BaselineError
	)
	switch {
	case errors.As(ended, &build), errors.As(ended, &broken):
		return results.DoesNotBuild
	case errors.As(ended, &baseline):
		return results.TestsFail
	case gotool.IsLack(ended):
		return results.NoRoom
	}
	return ""
}

// short reports whether some mutants were not judged in time.
func (a *analysis) short() bool { return len(a.mutants.Live().With(results.NotRun)) > 0 }

// leavingOut returns a stage that runs stages in order. If packages do not build, it leaves these out and starts again
// from the first stage, as long as some function is left.
func (a *analysis) leavingOut(stages ...func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		for {
			err := inOrder(ctx, stages)
			if err == nil {
				return nil
			}
			note, ok := a.program.LeaveOut(err)
			if !ok {
				return err
			}
			a.journal.Warn("%s", note)
		}
	}
}

// inOrder runs stages in order until one fails.
func inOrder(ctx context.Context, stages []func(context.Context) error) error {
	for _, stage := range stages {
		if err := stage(ctx); err != nil {
			return err
		}
	}
	return nil
}

// prepare loads the packages, makes the mutants and weaves them.
func (a *analysis) prepare(ctx context.Context) error {
	if err := deadline.Timed(&a.res.Seconds.Load, a.load)(ctx); err != nil {
		return err
	}
	return deadline.Timed(&a.res.Seconds.Weave, a.weave)(ctx)
}

// load lists the packages of the program, type-checks those that are mutated or hold fuzz targets, and adds the
// generated harnesses.
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
	p.External = len(a.cfg.Harnesses) > 0
	if err := p.Load(ctx, targets); err != nil {
		return err
	}
	return p.AddHarnesses(ctx, a.cfg.Harnesses)
}

// weave makes the mutants and the woven source of the test binaries.
func (a *analysis) weave(ctx context.Context) error {
	work, err := a.workspace.Folder("program")
	if err != nil {
		return err
	}
	a.binaries = build.New(build.Config{Program: a.program, Journal: a.journal, Work: work, Only: a.cfg.only, Choose: a.cfg.Choose})
	if err := a.binaries.Weave(ctx); err != nil {
		return err
	}
	a.woven()
	return nil
}

// woven sets a.mutants to the woven mutants, about which nothing is known yet.
func (a *analysis) woven() {
	a.mutants = evidence.New(a.binaries.Woven, a.binaries.Sources, a.program.Scope(), a.reach.Unseen())
}

// build builds the woven test binaries and prepares the slots that run them.
func (a *analysis) build(ctx context.Context) error {
	start := time.Now()
	defer func() { a.built += time.Since(start) }()
	again, err := a.binaries.Build(ctx)
	if again {
		a.woven()
	}
	if err != nil {
		return err
	}
	slots, err := a.workspace.Slots()
	if err != nil {
		return err
	}
	a.runner, err = slots.Runner(ctx, a.binaries, pool.Tests{Skip: a.cfg.SkipTests, Flags: a.cfg.TestFlags})
	return err
}

// tests judges the mutants by the tests, in a part of the time. Fuzzing gets the rest.
func (a *analysis) tests(ctx context.Context) error {
	if a.cfg.Tests == TestsNone || len(a.mutants.Live()) == 0 {
		a.mutants.Assume(ledger.Decision{Status: ledger.Survived})
		return nil
	}
	begin := func(ctx context.Context) error {
		a.suites = suites.New(suites.Config{
			Runner: a.runner, Reach: a.reach, Mutants: a.mutants, Judged: a.judged,
			All: a.cfg.Tests == TestsAll, Brief: a.cfg.Time > 0 && a.cfg.Tests == TestsAuto,
			Verdicts: a.cfg.Verdicts, Fresh: a.cfg.Fresh, Began: a.began, Stats: &a.res.Stats, Seconds: &a.res.Seconds,
		})
		return a.suites.Judge(ctx)
	}
	return deadline.Timed(&a.res.Seconds.Tests, deadline.Within(a.testsPart(ctx), begin))(ctx)
}

// repeat runs the tests that the change adds or alters repeatedly, to find flaky ones.
func (a *analysis) repeat(ctx context.Context) error {
	a.others = &revisions.Tests{Runner: a.runner, Judged: a.judged, Mutants: a.mutants}
	return a.others.Repeat(ctx)
}

// testsPart returns the part of the remaining time that the tests get.
func (a *analysis) testsPart(ctx context.Context) float64 {
	left := 1 - a.confirming(ctx)
	switch {
	case len(a.binaries.Woven.Targets) == 0 || a.cfg.Execs == 0:
		return left // there is nothing to fuzz
	case a.binaries.TargetsOfUser():
		return min(testsPart, left-driversPart)
	}
	return left - driversPart
}

// confirming returns the part of the remaining time to withhold from the tests for confirming verdicts: verifyPart, or
// up to slowPart if builds take so long that no verdict could be confirmed in it.
func (a *analysis) confirming(ctx context.Context) float64 {
	end, bounded := ctx.Deadline()
	left := time.Until(end)
	if !bounded || left <= 0 {
		return verifyPart
	}
	return max(verifyPart, min(slowPart, float64(verify.Keep(left, a.built))/float64(left)))
}

// equate finds the mutants that are equivalent to the program.
func (a *analysis) equate(ctx context.Context) error {
	return equate.Equate(ctx, a.binaries, a.mutants)
}

// fuzz fuzzes the mutants and the program. It leaves the time that confirming verdicts takes.
func (a *analysis) fuzz(ctx context.Context) error {
	c := fuzz.Config{
		Reach: a.reach, Mutants: a.mutants, Corpus: a.cfg.Corpus, Execs: a.cfg.Execs, MutantShare: a.cfg.MutantShare, Seed: a.cfg.Seed,
		Unwatched: a.cfg.Unwatched, Keep: a.keep(), Stats: &a.res.Stats, Seconds: &a.res.Seconds,
	}
	if end, bounded := ctx.Deadline(); bounded {
		c.Until = end.Add(-max(a.reserve, verify.Keep(time.Until(end), a.built)))
	}
	a.fuzzer = fuzz.New(a.runner, c)
	return a.fuzzer.Run(ctx, a.judged.Surveys)
}

// leastBuilds says how much time stages before the confirmation leave for it, whatever their shares are: that of so many
// builds, one for the rebuild of a mutant, and as much again for its tests.
const leastBuilds = 2

// keep returns the least time that is left for confirming verdicts.
func (a *analysis) keep() time.Duration { return leastBuilds * a.built }

// finish lets the tests of dependents that had no time so far judge the mutants that a report would show if all of
// these tests passed. These mutants are few, and fuzzing leaves time for them.
func (a *analysis) finish(ctx context.Context) error {
	return a.catchUp(ctx, deadline.Sparing(ctx, finishPart, a.keep()), a.open)
}

// catchUp lets the tests of dependents that had no time so far judge the mutants that which returns, in a part of the
// remaining time.
func (a *analysis) catchUp(ctx context.Context, part float64, which func() evidence.Mutants) error {
	if !a.judged.OwnDone || !a.judged.Cut() || a.cfg.Shown == nil { // the own tests come first: see rest
		return nil
	}
	catchUp := func(ctx context.Context) error { return a.suites.CatchUp(ctx, which) }
	return deadline.Timed(&a.res.Seconds.Tests, deadline.Within(part, catchUp))(ctx)
}

// open returns the mutants that a report would show if all tests that had no time so far passed with them.
func (a *analysis) open() evidence.Mutants {
	preview := a.preview()
	for i := range preview.Mutants {
		if m := &preview.Mutants[i]; m.Status == results.Survived && !m.Evidence.Seldom {
			m.Reason = ""
		}
	}
	shown := a.cfg.Shown(preview)
	ids := slices.Concat(shown.Confirmed, shown.Inputs)
	slices.Sort(ids)
	return a.mutants.Named(slices.Compact(ids))
}

// verify confirms the findings by plain rebuilds. Meanwhile, or afterwards if time is short, the tests of the base run on
// the program, and those of the change on the base.
func (a *analysis) verify(ctx context.Context) error {
	var shown func() Shown
	if a.cfg.Shown != nil {
		shown = func() Shown { return a.cfg.Shown(a.preview()) }
	}
	a.verifier = verify.New(a.fuzzer, a.judged, shown)
	a.others.Look()
	end, bounded := ctx.Deadline()
	a.verifier.Serial = bounded && time.Until(end) < besideBuilds*a.built
	both := func(ctx context.Context) error {
		if a.verifier.Serial {
			return inOrder(ctx, []func(context.Context) error{a.verifier.Verify, a.others.Compare})
		}
		return pool.Beside(func() error { return a.verifier.Verify(ctx) }, func() error { return a.others.Compare(ctx) })
	}
	verify := deadline.Timed(&a.res.Seconds.Verify, both)
	if err := verify(ctx); err != nil || !a.others.Known || len(a.others.New) == 0 {
		return err
	}
	a.newTests = a.others.New // which may bring other mutants into the report
	return deadline.Timed(&a.res.Seconds.Verify, a.verifier.Verdicts)(ctx)
}

// rest lets the tests judge what they had no time for, in the time that the other stages have left.
func (a *analysis) rest(ctx context.Context) error {
	if a.suites == nil || !a.short() && !a.judged.Cut() {
		return nil
	}
	err := deadline.Timed(&a.res.Seconds.Tests, deadline.Within(1-verifyPart, a.suites.Judge))(ctx)
	for _, which := range []func() evidence.Mutants{a.open, a.mutants.Changed} {
		if err == nil {
			err = a.catchUp(ctx, 1-verifyPart, which)
		}
	}
	if err != nil {
		return err
	}
	return deadline.Timed(&a.res.Seconds.Verify, a.verifier.Verdicts)(ctx)
}
