package engine

import (
	"context"
	"fmt"
)

// A test that fails now and then without any mutant judges nothing: its failures
// prove nothing. But its passes do, and go test runs it all the same, so what only
// such a test may notice has not survived before it has passed there.

// comesAndGoes reports whether t was set aside since it fails now and then without
// any mutant.
func (t *test) comesAndGoes() bool {
	return t.flaky.Load() || t.aside == flakyAlone || t.aside == failsInTurn
}

// passFlaky runs mutants that nothing has killed against the tests that come and
// go, until each of these passes.
func (u *unit) passFlaky(ctx context.Context, suites []*suite) error {
	var flaky []*test
	for _, t := range allTests(suites) {
		if t.comesAndGoes() {
			if err := u.learnFlaky(ctx, t); err != nil {
				return err
			}
			flaky = append(flaky, t)
		}
	}
	return each(ctx, u.slots, u.pending(), func(ctx context.Context, sl *slot, m *mutant) error {
		for _, t := range flaky {
			if !t.infects(m) {
				continue
			}
			m.reached, m.infected = true, m.infected || m.Probed
			if passes, err := u.passesFlaky(ctx, sl, m, t); err != nil {
				return err
			} else if !passes {
				m.unclear = fmt.Sprintf("%s may notice it, but fails now and then without any mutant, too", t)
				break
			}
		}
		m.awaitsFlaky = false
		return nil
	})
}

// learnFlaky finds out what t runs, if that is not known. A run in which it fails
// tells that too, if perhaps not all of it.
func (u *unit) learnFlaky(ctx context.Context, t *test) error {
	sl := u.slots.take()
	defer u.slots.give(sl)
	for i := 0; i < several && t.marks == nil; i++ {
		run, err := u.surveyRun(ctx, sl, t, 0)
		if err != nil {
			return err
		}
		if run.outcome.Kind == "" || i == several-1 {
			t.learn(run, sl.state)
		}
	}
	return nil
}

// A mutant has passed a flaky test if it does so at once, or often afterwards: once
// in many runs may be chance, of one that the test mostly notices.
const (
	flakyRuns   = 9
	flakyPasses = 3
)

// passesFlaky reports whether m passes t, which fails now and then without it too.
func (u *unit) passesFlaky(ctx context.Context, sl *slot, m *mutant, t *test) (bool, error) {
	var f frequency
	for f.passed < flakyPasses && f.failed <= 1+flakyRuns-flakyPasses {
		run, err := u.runActive(ctx, sl, m, t)
		if err != nil {
			return false, err
		}
		if run.outcome.Kind != "" {
			f.failed++
			continue
		}
		if f.passed++; f.runs() == 1 {
			return true, nil
		}
	}
	return f.passed == flakyPasses, nil
}
