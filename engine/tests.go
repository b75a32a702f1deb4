package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/engine/judge"
	"github.com/mutantfuzz/mutantfuzz/engine/pool"
	"github.com/mutantfuzz/mutantfuzz/engine/reach"
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

// suites are the tests that judge.
type suites struct {
	*analysis
	config     judge.Config
	own        []string // the touched packages with tests
	dependents reach.Queue
	unbuilt    []string // dependents whose tests do not build
	built      *verify.Built
	late       bool // time ended before all was judged
}

// judge runs the tests of the touched packages on the mutants, then those of their
// dependents, then those that build the program with the go command.
func (a *analysis) judge(ctx context.Context) error {
	own, others := a.packages()
	executor := pool.Executor{Runner: a.runner}
	s := &suites{analysis: a, own: own, dependents: reach.Queue{Reach: a.reach, Left: others}}
	a.suites = s
	s.built = &verify.Built{
		Executor: executor, Reach: a.reach, Mutants: a.mutants, Judged: a.judged,
		Builders: a.reach.Builders(slices.Concat(own, others), a.runner.Skips),
	}
	s.built.Await()
	s.config = judge.Config{
		Executor: executor, Urgent: evidence.ClassChanged, Done: func(*judge.Mutant) { a.journal.Step() },
		ClassDone: func(class int) {
			if class <= evidence.ClassChanged {
				a.res.Seconds.Changed = time.Since(a.began).Seconds()
			}
		},
	}
	for _, pkg := range own {
		suite := &judge.Suite{Package: pkg}
		if !a.cfg.Unpruned {
			suite.Near = func(ctx context.Context) []string { return a.reach.Tests(ctx, pkg, a.program.InScope()) }
		}
		s.config.Own = append(s.config.Own, suite)
	}
	if a.cfg.Time > 0 && (a.cfg.Tests == TestsAuto || a.cfg.Tests == "") {
		s.config.DependentsTime = func() time.Duration { return max(minDependents, time.Since(a.began)) }
	}
	if len(others) > 0 {
		s.config.Dependents = s.next
	}
	return s.run(ctx)
}

// run judges what is not judged yet.
func (s *suites) run(ctx context.Context) error {
	if !s.judged.OwnDone {
		if err := s.proceed(ctx); err != nil {
			return err
		}
	}
	return s.built.Judge(ctx)
}

// proceed judges by the tests that have the mutants in their binaries.
func (s *suites) proceed(ctx context.Context) error {
	c := s.config
	for _, m := range s.mutants.Live().Ranked() {
		c.Mutants = append(c.Mutants, m.AsJudged())
	}
	if s.cfg.Verdicts != nil {
		cache := verdicts.NewCache(ctx, verdicts.CacheConfig{
			Binaries: s.binaries, Mutants: s.mutants, Books: s.cfg.Verdicts, Fresh: s.cfg.Fresh,
			Settings: append([]string{string(s.cfg.Sandbox)}, s.cfg.TestFlags...),
		})
		defer func() { cache.Close(); s.res.Stats.Reused += cache.Reused() }()
		c.Cache = cache
	}
	s.journal.Phase("tests", len(c.Mutants))
	err := s.judged.Continue(ctx, c)
	s.judged.Unbuilt(s.unbuilt)
	s.mutants.Judged(s.judged)
	s.unseen(ctx)
	s.late = err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded)
	if err != nil {
		return err
	}
	return s.baselineFails()
}

// unseen marks the mutants that no test is seen to run, but that one may call which did not run to its end: where there is the
// database that it needs, it does.
func (s *suites) unseen(ctx context.Context) {
	unreached := slices.DeleteFunc(s.mutants.Live(), func(m *evidence.Mutant) bool { return m.Reached || m.Unseen })
	for _, v := range s.judged.Surveys {
		tests := v.Unfinished()
		if len(unreached) == 0 || len(tests) == 0 {
			continue
		}
		functions, known := s.reach.From(ctx, v.Suite.Package, tests...)
		for _, m := range unreached {
			_, may := functions[m.Function]
			m.Unseen = m.Unseen || may || !known
		}
	}
}

// packages are those whose tests judge: those touched, and of the others those that may reach a mutant.
func (a *analysis) packages() (own, others []string) {
	own = slices.DeleteFunc(slices.Clone(a.program.Touched), func(pkg string) bool { return a.binaries.Of(pkg) == "" })
	if a.cfg.Tests != TestsPackage {
		others = a.reach.Others(own, a.cfg.Tests == TestsAll)
	}
	return own, others
}

// minDependents is how long the tests of dependents may take at least, even if all
// before them took less.
const minDependents = 20 * time.Second

// next builds the tests of the next dependents that may reach a mutant that is alive.
func (s *suites) next(ctx context.Context, alive []*judge.Mutant) (list []*judge.Suite, err error) {
	functions := map[string]bool{}
	for _, m := range alive {
		functions[s.mutants.ByNumber(m.Number).Function] = true
	}
	for len(list) == 0 {
		group := s.dependents.Next(ctx, functions, s.cfg.Workers)
		if len(group) == 0 {
			return nil, nil
		}
		if err := s.binaries.Add(ctx, group); err != nil {
			return nil, err
		}
		for _, pkg := range group {
			if s.binaries.Of(pkg) == "" {
				s.unbuilt = append(s.unbuilt, pkg)
				continue
			}
			list = append(list, &judge.Suite{Package: pkg, Only: s.reach.Tests(ctx, pkg, functions)})
		}
	}
	return list, nil
}

// baselineFails gives up on the mutants of packages of which no test passes without one. It is an
// error if that holds for all that are touched.
func (s *suites) baselineFails() error {
	for _, m := range s.mutants.Live() {
		if s.judged.Failure(m.Package) != nil {
			m.Tests = &judge.Decision{Status: judge.Undecided, Reason: results.TestsFail}
		}
	}
	passes := func(pkg string) bool { return s.judged.Failure(pkg) == nil }
	if len(s.own) == 0 || slices.ContainsFunc(s.own, passes) {
		return nil
	}
	return s.judged.Failure(s.own[0])
}

// note warns of quarantined tests and, if time ran out, says what helps.
func (s *suites) note() {
	for _, note := range s.judged.QuarantineNotes() {
		s.journal.Warn("%s", note)
	}
	if !s.late {
		return
	}
	if slow := s.runner.Slowest(); len(slow) > 0 {
		s.journal.Warn("not all tests ran in time: --skip-tests leaves some out, -- -short shortens some; the slowest were %s", strings.Join(slow, ", "))
	}
	if s.judged.OwnDone {
		s.journal.Warn("not all tests of dependent packages ran in time: --tests package runs only those of the changed packages")
	}
}

// rest lets the tests judge what they had no time for, in what the other stages have left of it.
func (a *analysis) rest(ctx context.Context) error {
	if a.suites == nil || !a.short() && !a.judged.Cut() {
		return nil
	}
	err := a.timed(&a.res.Seconds.Tests, func() error { return a.within(ctx, 1-verifyPart, a.suites.run) })
	if err == nil {
		err = a.finish(ctx)
	}
	if err != nil {
		return err
	}
	return a.timed(&a.res.Seconds.Verify, func() error { return a.verifier.Verdicts(ctx) })
}

// finish lets the tests of dependents for which there was no time judge what a report would show if they
// all passed: that is little, and there is time again once nothing is fuzzed any more.
func (a *analysis) finish(ctx context.Context) error {
	if !a.judged.Cut() || a.cfg.Shown == nil {
		return nil
	}
	_, others := a.packages()
	left := slices.DeleteFunc(others, a.judged.Done)
	more := &suites{analysis: a, dependents: reach.Queue{Reach: a.reach, Left: left}}
	c := judge.Config{Executor: pool.Executor{Runner: a.runner}, Dependents: more.next}
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
			r, err := judge.Tests(ctx, c)
			a.judged.Adopt(r)
			a.mutants.JudgedOn(c.Mutants, r)
			more.unseen(ctx)
			return err
		})
	})
}
