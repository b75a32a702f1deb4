package engine

import (
	"context"
	"slices"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/engine/judge"
	"github.com/mutantfuzz/mutantfuzz/engine/pool"
	"github.com/mutantfuzz/mutantfuzz/engine/verdicts"
	"github.com/mutantfuzz/mutantfuzz/engine/verify"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// tests judges the mutants by the tests. Fuzzing gets the rest of the time.
func (a *analysis) tests(ctx context.Context) error {
	return a.timed(&a.res.Seconds.Tests, func() error {
		if a.cfg.Tests == TestsNone || len(a.mutants.Live()) == 0 {
			for _, m := range a.mutants {
				m.Tests = &judge.Decision{Status: judge.Survived}
			}
			return nil
		}
		return a.within(ctx, a.testsPart(), a.judge)
	})
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

// judge runs the tests of the touched packages on the mutants, then those of their
// dependents, then those that build the program with the go command.
func (a *analysis) judge(ctx context.Context) error {
	own, others := a.suites()
	executor := pool.Executor{Runner: a.runner}
	built := verify.Built{
		Executor: executor, Reach: a.reach, Mutants: a.mutants,
		Builders: a.reach.Builders(slices.Concat(own, others), a.runner.Skips),
	}
	c := judge.Config{
		Executor: executor, Urgent: evidence.ClassChanged, Done: func(*judge.Mutant) { a.journal.Step() },
		ClassDone: func(class int) {
			if class <= evidence.ClassChanged {
				a.res.Seconds.Changed = time.Since(a.began).Seconds()
			}
		},
	}
	for _, pkg := range own {
		s := &judge.Suite{Package: pkg}
		if !a.cfg.Unpruned {
			s.Near = func(ctx context.Context) []string { return a.reach.Tests(ctx, pkg, a.program.InScope()) }
		}
		c.Own = append(c.Own, s)
	}
	for _, m := range a.mutants.Live().Ranked() {
		c.Mutants = append(c.Mutants, m.AsJudged())
	}
	if a.cfg.Time > 0 && (a.cfg.Tests == TestsAuto || a.cfg.Tests == "") {
		c.DependentsTime = func() time.Duration { return max(minDependents, time.Since(a.began)) }
	}
	rest := &dependents{analysis: a, left: others}
	if len(others) > 0 {
		c.Dependents = rest.next
	}
	if a.cfg.Verdicts != nil {
		cache := verdicts.NewCache(ctx, verdicts.CacheConfig{
			Binaries: a.binaries, Mutants: a.mutants, Books: a.cfg.Verdicts, Fresh: a.cfg.Fresh,
			Settings: append([]string{string(a.cfg.Sandbox)}, a.cfg.TestFlags...),
		})
		defer func() { cache.Close(); a.res.Stats.Reused += cache.Reused() }()
		c.Cache = cache
	}
	a.journal.Phase("tests", len(c.Mutants))
	var err error
	a.judged, err = judge.Tests(ctx, c)
	a.judged.Unbuilt(rest.unbuilt)
	built.Await()
	a.mutants.Judged(a.judged)
	if err == nil {
		err = a.baselineFails(own)
	}
	a.noteTests(ctx, err)
	if err != nil {
		return err
	}
	built.Judged = a.judged
	return built.Judge(ctx)
}

// suites are the packages whose tests judge: those touched, and of the others those that may reach a mutant.
func (a *analysis) suites() (own, others []string) {
	own = slices.DeleteFunc(slices.Clone(a.program.Touched), func(pkg string) bool { return a.binaries.Of(pkg) == "" })
	if a.cfg.Tests != TestsPackage {
		others = a.reach.Others(own, a.cfg.Tests == TestsAll)
	}
	return own, others
}

// finish lets the tests of dependents for which there was no time judge what a report would show if they
// all passed: that is little, and there is time again once nothing is fuzzed any more.
func (a *analysis) finish(ctx context.Context) error {
	if !a.judged.Cut() || a.cfg.Shown == nil {
		return nil
	}
	_, others := a.suites()
	left := slices.DeleteFunc(others, a.judged.Done)
	c := judge.Config{Executor: pool.Executor{Runner: a.runner}, Done: func(*judge.Mutant) {}, Dependents: (&dependents{analysis: a, left: left}).next}
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
			c.Mutants = append(c.Mutants, m.AsJudged())
		}
	}
	if len(c.Mutants) == 0 {
		return nil
	}
	a.journal.Phase("tests of dependents", 0)
	return a.timed(&a.res.Seconds.Tests, func() error {
		return a.within(ctx, finishPart, func(ctx context.Context) error {
			more, err := judge.Tests(ctx, c)
			a.judged.Adopt(more)
			a.mutants.JudgedOn(c.Mutants, more)
			return err
		})
	})
}
