package engine

import (
	"context"
	"fmt"
	"slices"
)

// A test that fails now and then without any mutant judges nothing: its failures
// prove nothing. But its passes do, and go test runs it all the same, so what only
// such a test may notice has not survived before it has passed there. Nor has what
// only a test may notice that cannot be run here.

// comesAndGoes reports whether t was set aside since it fails now and then without
// any mutant.
func (t *test) comesAndGoes() bool {
	return t.isFlakyAlone() || t.aside == failsInTurn
}

// isFlakyAlone reports whether t was seen to fail now and then, but only when it ran by
// itself.
func (t *test) isFlakyAlone() bool { return t.flaky.Load() || t.aside == flakyAlone }

// isAside reports whether t is one of those that hearAside looks at.
func (t *test) isAside() bool { return t.comesAndGoes() || t.isUnheard() }

// isUnheard reports whether t was set aside since of how it is run here: go test may
// well have it pass, and notice what it will.
func (t *test) isUnheard() bool {
	return t.aside == failsWoven || t.aside == failsElsewhere || t.aside == endless
}

// hearAside runs mutants that nothing has killed against the tests that come and
// go, until each of these passes. What only a test that is not heard at all may notice
// has not survived either.
func (u *unit) hearAside(ctx context.Context, suites []*suite) error {
	var flaky, unheard []*test
	for _, t := range allTests(suites) {
		switch {
		case t.isUnheard():
			unheard = append(unheard, t)
		case t.comesAndGoes():
			flaky = append(flaky, t)
			if err := u.learnAside(ctx, t); err != nil {
				return err
			}
		}
	}
	noticing := u.noticing(ctx, unheard)
	return each(ctx, u.slots, u.pending(), func(ctx context.Context, sl *slot, m *mutant) error {
		var err error
		if m.unclear == "" {
			err = u.passFlaky(ctx, sl, m, flaky)
		}
		if by := noticing[m.Function]; by != nil && m.unclear == "" {
			m.unclear = fmt.Sprintf("%s may notice it, but is set aside: %s", by, by.aside)
		}
		m.awaitsAside = err != nil
		return err
	})
}

// noticing returns, by function, a test among those that are not heard that may notice what
// is done there. What it has run tells nothing: in go test, where it does not fail, it goes
// on to run other functions.
func (u *unit) noticing(ctx context.Context, unheard []*test) map[string]*test {
	by := map[string]*test{}
	for _, t := range unheard {
		reaches := u.reaches(ctx, t)
		for _, f := range u.functions {
			if by[f.ID] == nil && reaches(f.Package, f.ID) {
				by[f.ID] = t
			}
		}
	}
	return by
}

// learnAside finds out what t, which comes and goes, runs, if that is not known. A run in
// which it fails tells that too, if perhaps not all of it.
func (u *unit) learnAside(ctx context.Context, t *test) error {
	sl := u.slots.take()
	defer u.slots.give(sl)
	for i := 0; i < several && t.marks == nil; i++ {
		run, err := u.surveyRun(ctx, sl, 0, t)
		if err != nil {
			return err
		}
		if run.outcome.Kind == "" || i == several-1 {
			t.learn(run, sl.state)
		}
	}
	return nil
}

// passFlaky runs m against tests that come and go, as far as it passes them.
func (u *unit) passFlaky(ctx context.Context, sl *slot, m *mutant, flaky []*test) error {
	for _, t := range flaky {
		if !t.infects(m) || slices.Contains(m.passed, t) {
			continue
		}
		m.judgedBy(t)
		passes, err := u.passesFlaky(ctx, sl, m, t)
		if err != nil {
			return err
		}
		if !passes {
			m.unclear = fmt.Sprintf("%s may notice it, but fails now and then without any mutant, too", t)
			break
		}
	}
	return nil
}

// A mutant has passed a flaky test if that passes in a quarter of the runs, or more:
// once in many may be chance, of one that it mostly notices. It takes as many runs as
// make that clear, within bounds.
const (
	flakyFails = 0.75
	flakyLeast = 4
	flakyMost  = 100
)

// passesFlaky reports whether m passes t, which fails now and then without it too.
func (u *unit) passesFlaky(ctx context.Context, sl *slot, m *mutant, t *test) (bool, error) {
	w := weighing{test: t, most: t.within(weighTime, few, flakyMost), sure: func(f frequency) bool {
		return f.runs() >= flakyLeast && f.far(flakyFails)
	}}
	err := u.runUntilSure(ctx, sl, m, &w)
	return float64(w.failed) <= flakyFails*float64(w.runs()), err
}
