package engine

import (
	"cmp"
	"context"
	"go/ast"
	"slices"
	"strings"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/probe"
	"github.com/mutantfuzz/mutantfuzz/engine/sandbox"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
)

// How often a test is run alone without a mutant, to find out whether it can be
// relied on.
const (
	minSurveys    = 3
	frugally      = 1                      // the survey that is on one processor, if that is what mutants get
	maxSurveys    = 10                     // of tests that may not always do the same
	chancySurveys = 40                     // of those that do not: any run may reach or infect something else
	surveyTime    = 150 * time.Millisecond // that a test may take for more than minSurveys
	chancyTime    = time.Second            // ... if it does not always do the same
	surveyPart    = 2. / 3                 // of the time for tests at most; the rest is for mutants
	morePart      = 1. / 4                 // of the time then left at most, for more than minSurveys of each
)

// Why tests judge nothing.
const (
	flakyAlone     = "it does not always pass when it runs alone and woven, without any mutant"
	failsAlone     = "it fails when it runs alone, without any mutant"
	failsWoven     = "it fails when it runs alone and woven, without any mutant"
	failsPlain     = "it fails without any mutant, again and again"
	failsStrictly  = "it fails without any mutant in the sandbox, and --sandbox=strict allows tests nothing more"
	failsInTurn    = "it fails now and then without any mutant"
	failsElsewhere = "it fails in any other folder than the one that it was compiled in"
	endless        = "it does not end in the time there is, without any mutant"
	noTime         = "there was no time to run it"
	lies           = "what its process says of the code that it runs cannot be"
)

// survey finds the tests of suites and runs each alone with the probed clones
// active, which gives its coverage and infections, and shows that it passes
// woven. Tests that it has no time for are set aside. Those that may not always do
// the same run more often after that, as far as there is time.
func (u *unit) survey(ctx context.Context, suites []*suite) error {
	if err := each(ctx, u.slots, suites, u.listTests); err != nil {
		return err
	}
	all := allTests(suites)
	u.progress.Phase("coverage", len(all))
	err := eachInPart(ctx, u.slots, surveyPart, all, func(ctx context.Context, sl *slot, t *test) error {
		defer u.progress.Step(1)
		err := u.surveyTest(ctx, sl, t)
		t.surveyed = err == nil && !u.isBrief(t)
		return err
	})
	if err == nil {
		err = eachInPart(ctx, u.slots, surveyPart, u.briefOnes(suites), u.surveyTogether)
	}
	var more []*test
	for _, t := range all {
		switch {
		case t.aside != "":
		case !t.surveyed:
			t.aside = noTime
		case t.unsteady && u.reachedBySome(t):
			more = append(more, t)
		}
	}
	if err != nil {
		return err
	}
	return eachInPart(ctx, u.slots, morePart, more, u.surveyMore)
}

// eachInPart is each until a part of the time that is left is over.
func eachInPart[T any](ctx context.Context, s *slots, part float64, items []T, f func(context.Context, *slot, T) error) error {
	within, cancel := partOf(ctx, part)
	defer cancel()
	err := each(within, s, items, f)
	if ctx.Err() != nil {
		return cmp.Or(err, context.Cause(ctx))
	}
	if within.Err() != nil {
		return nil
	}
	return err
}

// partOf is ctx with only a part of the time that it has left, if that is
// limited.
func partOf(ctx context.Context, part float64) (context.Context, context.CancelFunc) {
	deadline, limited := ctx.Deadline()
	if !limited {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, time.Duration(part*float64(time.Until(deadline))), errOutOfTime)
}

func (u *unit) listTests(ctx context.Context, sl *slot, s *suite) error {
	list := func(sandbox *sandbox.Sandbox) (testRun, error) {
		return u.execTests(ctx, sl, worker.Command{
			Binary: s.binary, Args: []string{"-test.list=."}, Dir: s.dir, Timeout: clockFloor, OutputLimit: 4 << 20, Sandbox: sandbox,
		})
	}
	run, err := list(nil)
	if err == nil && run.outcome.Kind != "" { // as TestMain may have it
		var helped bool
		if helped, err = u.loosen(ctx, sl, s.pkg, nil, list); helped {
			run, err = list(nil)
		}
	}
	if err != nil {
		return err
	}
	s.start = run.exit.Duration
	files := parsed(u.listing[s.pkg])
	unsteady, inAnyOrder := unsteady(files, u.isOwn), distances(files, u.isOwn, u.inAnyOrder(s.pkg))
	seeded, everywhere := seeded(files, u.isOwn)
	remembering := u.remembering(s.pkg, files)
	s.parallel = runsAtOnce(files)
	s.uncounted = !s.parallel && !u.countsProcessors(s.pkg)
	declared := declaredTests(files)
	for line := range strings.Lines(string(run.exit.Output)) {
		name := strings.TrimSpace(line)
		if !declared[name] || name == weave.Trials || u.cfg.SkipTests != nil && u.cfg.SkipTests.MatchString(name) {
			continue
		}
		if s.part && !slices.Contains(u.reachers[s.pkg], name) {
			continue
		}
		if !slices.ContainsFunc(s.tests, func(t *test) bool { return t.name == name }) {
			t := &test{suite: s, name: name, order: len(s.tests), frugal: s.uncounted}
			_, t.inAnyOrder = inAnyOrder[name]
			_, t.unsteady = unsteady[name]
			_, t.remembers = remembering[name]
			_, t.seeded = seeded[name]
			t.seeded = t.unsteady && (t.seeded || everywhere)
			t.chancy.Store(t.seeded)
			t.tried.Store(slices.Contains(u.registered[s.pkg], name))
			s.tests = append(s.tests, t)
		}
	}
	u.nearestFirst(s.tests, files)
	if len(s.tests) == 0 && run.outcome.Kind != "" {
		u.warn("the tests of %s cannot be listed: %s", s.pkg, run.outcome.Message)
	}
	return nil
}

// runsAtOnce reports whether test files have tests run at the same time.
func runsAtOnce(files []*ast.File) (parallel bool) {
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			parallel = parallel || ok && sel.Sel.Name == "Parallel"
			return !parallel
		})
	}
	return parallel
}

// surveyTest runs t a few times; once, if it is brief.
func (u *unit) surveyTest(ctx context.Context, sl *slot, t *test) error {
	u.mu.Lock()
	t.aside = u.aside[t.String()]
	u.mu.Unlock()
	if t.aside != "" {
		return nil
	}
	goes, err := u.surveyAgain(ctx, sl, t, 0)
	if err != nil || !goes || u.isBrief(t) {
		return err
	}
	return u.surveyRest(ctx, sl, t)
}

// surveyRest runs t, which has passed once, as often as it takes.
func (u *unit) surveyRest(ctx context.Context, sl *slot, t *test) error {
	for i := 1; i < minSurveys; i++ {
		if goes, err := u.surveyAgain(ctx, sl, t, i); err != nil || !goes {
			return err
		}
	}
	return nil
}

// surveyMore runs t, which may not always do the same, as often as it takes to rely on it.
func (u *unit) surveyMore(ctx context.Context, sl *slot, t *test) error {
	i := minSurveys
	for ; i < t.within(surveyTime, minSurveys+1, maxSurveys) && !t.chancy.Load(); i++ {
		if goes, err := u.surveyAgain(ctx, sl, t, i); err != nil || !goes {
			return err
		}
	}
	if !t.chancy.Load() {
		return nil
	}
	if err := u.doubt(ctx, sl, t); err != nil {
		return err
	}
	if t.flaky.Load() {
		t.aside = flakyAlone
		return nil
	}
	return u.surveyChancy(ctx, sl, t, i)
}

// surveyChancy finds out what t, which does not always do the same and has been surveyed so
// often, may reach or infect. It runs many times in one process, if it can: that takes less,
// and processes that start at the same time may all have the same random numbers.
func (u *unit) surveyChancy(ctx context.Context, sl *slot, t *test, often int) error {
	if !t.single {
		n := int(min(max(chancyTime/t.each, maxSurveys), manyTogether))
		run, err := u.runCounted(ctx, sl, probe.Probed, n, nil, t)
		if err != nil {
			return err
		}
		if run.exit.Lie != nil {
			t.aside = lies
			return nil
		}
		if t.learn(run, sl.state); run.outcome.Kind == "" {
			return nil
		}
	}
	for i := often; i < t.within(chancyTime, maxSurveys, chancySurveys); i++ {
		if goes, err := u.surveyAgain(ctx, sl, t, i); err != nil || !goes {
			return err
		}
	}
	return nil
}

// surveyAgain runs t for the i-th time and reports whether it goes on with that: not if it will
// judge nothing.
func (u *unit) surveyAgain(ctx context.Context, sl *slot, t *test, i int) (goes bool, err error) {
	allowed, _ := u.loosened()
	run, err := u.surveyRun(ctx, sl, i, t)
	if err == nil && run.outcome.Kind != "" && i == frugally && t.isFrugal() {
		t.frugal = false
		run, err = u.surveyRun(ctx, sl, i, t)
	}
	if err != nil {
		return false, err
	}
	switch {
	case run.exit.Lie != nil:
		t.aside = lies
		return false, nil
	case run.outcome.Kind == "":
		if i >= minSurveys && sl.state.Work() != t.work { // with the same functions active as in the first run
			t.chancy.Store(true)
		}
		if t.strays(sl.state.Blocks()) {
			t.unsteady = true // which its source does not show
		}
		t.learn(run, sl.state)
		return u.reachedBySome(t), nil
	case run.endless():
		t.learn(run, sl.state)
		t.aside = endless
		return false, nil
	case i == 0:
		return false, u.surveyFailed(ctx, sl, t, allowed)
	}
	t.aside = flakyAlone
	return false, nil
}

// surveyFailed finds out why t failed the first time: by chance, for want of what
// the sandbox does not allow, or for good. Allowed is what it could do then; other
// tests may have been found to need more since.
func (u *unit) surveyFailed(ctx context.Context, sl *slot, t *test, allowed loosened) error {
	if now, _ := u.loosened(); now != allowed {
		return u.surveyTest(ctx, sl, t)
	}
	run, err := u.surveyRun(ctx, sl, 0, t)
	if err != nil {
		return err
	}
	if now, _ := u.loosened(); run.outcome.Kind == "" && now != allowed {
		return u.surveyTest(ctx, sl, t)
	}
	if run.outcome.Kind == "" {
		t.aside = flakyAlone
		return nil
	}
	helped, err := u.indulge(ctx, sl, t)
	if err != nil {
		return err
	}
	if helped {
		return u.surveyTest(ctx, sl, t)
	}
	if flaky, err := u.passesOnce(ctx, sl, t); err != nil || flaky {
		t.aside = flakyAlone
		return err
	}
	t.aside = failsAlone
	if u.plain[t.pkg] == "" {
		return nil // it fails for whatever reason; in company it may pass for all that
	}
	if run, err = u.runPlain(ctx, sl, nil, t.pkg, t.name); err == nil && run.outcome.Kind == "" {
		t.aside = failsWoven
	}
	return err
}

// passesOnce reports whether t, which has failed, passes in any of several runs more,
// as far as it is not slow.
func (u *unit) passesOnce(ctx context.Context, sl *slot, t *test) (bool, error) {
	var spent time.Duration
	for i := 0; i < several && spent < weighTime; i++ {
		run, err := u.surveyRun(ctx, sl, 0, t)
		if err != nil || run.outcome.Kind == "" {
			return err == nil, err
		}
		spent += run.exit.Duration
	}
	return false, nil
}

// indulge finds out whether t passes if it may go on after a failure, or do what
// the sandbox forbids, and lets it.
func (u *unit) indulge(ctx context.Context, sl *slot, t *test) (helped bool, err error) {
	if !t.failsWithin {
		t.failsWithin = true
		if run, err := u.surveyRun(ctx, sl, 0, t); err != nil || run.outcome.Kind == "" {
			return true, err
		}
		t.failsWithin = false
	}
	return u.loosen(ctx, sl, t.pkg, []string{t.name}, func(s *sandbox.Sandbox) (testRun, error) {
		c := u.testCommand(sl, probe.Probed, 0, u.wall(0), t)
		c.Sandbox = s
		return u.execTests(ctx, sl, c)
	})
}

// surveyRun runs tests for the i-th time without a mutant: in the probed clones, once
// in the functions as they are, then on one processor if they are frugal, and once in the
// clones that mutants share. They have to pass in all of them.
func (u *unit) surveyRun(ctx context.Context, sl *slot, i int, tests ...*test) (testRun, error) {
	m := probe.Probed
	switch i {
	case 1:
		m = probe.Original
	case 2:
		m = probe.Identity
	}
	_, d := efforts(tests) // 0: nothing is known of them yet
	c := u.testCommand(sl, m, 0, u.wall(d), tests...)
	c.Processors = one(i == frugally && areFrugal(tests))
	run, err := u.execTests(ctx, sl, c)
	u.spend(run.exit.Duration, tests...)
	if err == nil && run.exit.Cause == worker.Cancelled {
		err = context.Cause(ctx)
	}
	return run, err
}

// strays reports whether a further run of t, which ran some blocks, ran others than those
// before it.
func (t *test) strays(blocks []int) bool {
	other := func(b int) bool { return !t.blocks[b] }
	return t.blocks != nil && (len(blocks) != len(t.blocks) || slices.ContainsFunc(blocks, other))
}

// learn takes in what a run of t did. What any run reaches or infects counts.
func (t *test) learn(run testRun, state *worker.State) {
	if t.marks == nil {
		t.duration, t.steps, t.work = run.exit.Duration, state.Steps(), state.Work()
		t.marks = make([]byte, len(state.Marks()))
		t.blocks = map[int]bool{}
	}
	t.duration = min(t.duration, run.exit.Duration)
	for i, mark := range state.Marks() {
		t.marks[i] |= mark
	}
	for _, b := range state.Blocks() {
		t.blocks[b] = true
	}
}

// noteAside makes known which tests of suites judge nothing, and takes in those
// that the baseline found.
func (u *unit) noteAside(suites []*suite) {
	for _, t := range allTests(suites) {
		if why := u.aside[t.String()]; why != "" {
			t.aside = why
		} else if t.aside != "" && t.aside != noTime {
			u.setAside(t.pkg, t.name, t.aside)
		}
	}
}
