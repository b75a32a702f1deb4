package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/engine/judge"
	"github.com/mutantfuzz/mutantfuzz/engine/pool"
	"github.com/mutantfuzz/mutantfuzz/engine/program"
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
	case slices.ContainsFunc(targets, func(t weave.Target) bool { return !a.made(t) }):
		return testsPart
	}
	return 1 - verifyPart - driverPart
}

// made reports whether a target is none of the user's.
func (a *analysis) made(t weave.Target) bool {
	return slices.ContainsFunc(a.program.Files, func(f program.File) bool { return len(f.Made[t.Func].For) > 0 && f.Package == t.Package })
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

// minDependents is how long the tests of dependents may take at least, even if all
// before them took less.
const minDependents = 20 * time.Second

// baselineFails gives up on the mutants of packages of which no test passes without one. It is an
// error if that holds for all packages own, which are touched.
func (a *analysis) baselineFails(own []string) error {
	for _, m := range a.mutants.Live() {
		if a.judged.Failure(m.Package) != nil {
			m.Tests = &judge.Decision{Status: judge.Undecided, Reason: results.TestsFail}
		}
	}
	passes := func(pkg string) bool { return a.judged.Failure(pkg) == nil }
	if len(own) == 0 || slices.ContainsFunc(own, passes) {
		return nil
	}
	f := a.judged.Failure(own[0])
	return &BaselineError{f.Package, f.Tests, f.Message, f.Output}
}

// noteTests warns of quarantined tests and, if time ran out, says what helps.
func (a *analysis) noteTests(ctx context.Context, err error) {
	for _, note := range quarantineNotes(a.judged.Quarantined()) {
		a.journal.Warn("%s", note)
	}
	if err == nil || !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return
	}
	if slow := a.runner.Slowest(); len(slow) > 0 {
		a.journal.Warn("not all tests ran in time: --skip-tests leaves some out, -- -short shortens some; the slowest were %s", strings.Join(slow, ", "))
	}
	if a.judged.OwnDone {
		a.journal.Warn("not all tests of dependent packages ran in time: --tests package runs only those of the changed packages")
	}
}

// maxNamed is how many tests are named that are quarantined for the same reason.
const maxNamed = 3

// quarantineNotes says which tests are quarantined, and why: those of a package with the same reason together.
func quarantineNotes(all []judge.Quarantined) (notes []string) {
	for len(all) > 0 {
		first := all[0]
		var names []string
		all = slices.DeleteFunc(slices.Clone(all), func(q judge.Quarantined) bool {
			same := q.Package == first.Package && q.Why == first.Why
			if same {
				names = append(names, q.Test)
			}
			return same
		})
		if len(names) == 1 {
			notes = append(notes, fmt.Sprintf("%s.%s is quarantined, so its result is not used: it %s", first.Package, first.Test, first.Why))
			continue
		}
		list := strings.Join(names[:min(len(names), maxNamed)], ", ")
		if more := len(names) - maxNamed; more > 0 {
			list += fmt.Sprintf(" and %d more", more)
		}
		notes = append(notes, fmt.Sprintf("%d tests of %s are quarantined, so their results are not used: each of %s %s", len(names), first.Package, list, first.Why))
	}
	return notes
}

// dependents returns the packages whose tests run after those of the touched ones.
type dependents struct {
	*analysis
	left    []string
	size    int      // of the last group
	unbuilt []string // those whose tests do not build
}

// next builds the tests of the next packages that may reach a mutant that is alive: the
// nearest first, and each time twice as many. A repository has hundreds of packages, and
// few of them are needed.
func (d *dependents) next(ctx context.Context, alive []*judge.Mutant) ([]*judge.Suite, error) {
	functions := map[string]bool{}
	for _, m := range alive {
		functions[d.mutants.ByNumber(m.Number).Function] = true
	}
	for len(d.left) > 0 {
		nearest := d.reach.Nearest(ctx, d.left, functions)
		d.size = max(2*d.size, d.cfg.Workers)
		group := nearest[:min(d.size, len(nearest))]
		d.left = nearest[len(group):]
		if err := d.binaries.Add(ctx, group); err != nil {
			return nil, err
		}
		var suites []*judge.Suite
		for _, pkg := range group {
			if d.binaries.Of(pkg) == "" {
				d.unbuilt = append(d.unbuilt, pkg)
				continue
			}
			suites = append(suites, &judge.Suite{Package: pkg, Only: d.reach.Tests(ctx, pkg, functions)})
		}
		if len(suites) > 0 {
			return suites, nil
		}
	}
	return nil, nil
}
