package engine

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/worker"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// What a test says may depend on those that run before it in the same process:
// they leave package variables changed. Tests judge one by one. But the go command
// runs them all in one process, so what nothing else has killed is run in company
// too where that can matter: if some tests pass only so, because others set a
// variable for them, and if there is anything that one leaves for the next to see.
// It need not be the mutant's own function that does: any may decide what others do.

// inCompany is the reason given with a kill that takes more than one test.
const inCompany = "only in the company of the tests before it"

// needsCompany reports whether t fails when it runs alone, woven or not.
func (t *test) needsCompany() bool { return t.aside == failsAlone }

// watchCompany runs mutants that nothing has killed against all tests of a suite in
// one process, in order, as the go command does.
func (u *unit) watchCompany(ctx context.Context, suites []*suite) error {
	for _, s := range suites {
		if !s.wantsCompany() {
			continue
		}
		needed := slices.ContainsFunc(s.tests, (*test).needsCompany)
		all := &test{suite: s, skip: strings.Join(u.skipInCompany(s), "|")}
		passes, err := u.surveyCompany(ctx, all)
		if err != nil {
			return err
		}
		var todo []*mutant
		for _, m := range u.pending() {
			switch {
			case passes && all.infects(m) && (needed || s.remembers(m)):
				todo = append(todo, m)
				continue
			case needed && !passes && u.packageOf(m) == s.pkg:
				m.unclear = "tests that fail when they run alone may notice it"
			}
			m.awaitsCompany--
		}
		err = each(ctx, u.slots, todo, func(ctx context.Context, sl *slot, m *mutant) error {
			return u.runCompany(ctx, sl, m, all)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// wantsCompany reports whether it can matter that the tests of s run together.
func (s *suite) wantsCompany() bool {
	if slices.ContainsFunc(s.tests, (*test).needsCompany) {
		return true
	}
	remembers := slices.ContainsFunc(s.tests, func(t *test) bool { return t.remembers })
	return remembers && len(s.tests) > 1 && s.duration() < slowSuite
}

// remembers reports whether what is left or seen with m active may last: a test that
// judges it remembers, or none judges it alone.
func (s *suite) remembers(m *mutant) bool {
	judged := false
	for _, t := range s.tests {
		if t.judges(m) {
			judged = true
			if t.remembers {
				return true
			}
		}
	}
	return !judged
}

// duration is what the tests of s that judge take, one by one.
func (s *suite) duration() (sum time.Duration) {
	for _, t := range s.tests {
		if t.aside == "" {
			sum += t.duration
		}
	}
	return sum
}

// runCompany runs m against all tests of a suite, and takes in what they notice, if
// they do so twice. A test that goes by chance notices nothing here.
func (u *unit) runCompany(ctx context.Context, sl *slot, m *mutant, all *test) error {
	m.reached, m.infected = true, m.infected || m.Probed
	var run testRun
	var by *test
	for range 2 {
		var err error
		if run, err = u.runActive(ctx, sl, m, all); err != nil {
			return err
		}
		by = find(all.tests, run.outcome.Failed)
		if run.outcome.Kind == "" || by != nil && (by.chancy.Load() || by.flaky.Load()) {
			m.awaitsCompany--
			return nil
		}
	}
	steady := true
	if by != nil && by.needsCompany() { // it may fail by chance: it was not seen to pass often
		again, err := u.surveyRun(ctx, sl, all, minSurveys)
		if err != nil {
			return err
		}
		steady = again.outcome.Kind == ""
	}
	m.awaitsCompany--
	if m.unclear = "only several tests together notice it"; by != nil && steady {
		m.killInCompany(results.KilledBy{By: results.ByTest, Kind: run.outcome.Kind, Name: nameOf([]*test{by}, run.outcome.Failed)})
	}
	return nil
}

// surveyCompany runs all tests of a suite without a mutant, and reports whether
// they pass in every kind of clone.
func (u *unit) surveyCompany(ctx context.Context, company *test) (bool, error) {
	sl := u.slots.take()
	defer u.slots.give(sl)
	for i := range minSurveys {
		run, err := u.surveyRun(ctx, sl, company, i)
		if err != nil || run.outcome.Kind != "" {
			return false, err
		}
		company.learn(run, sl.state)
	}
	return true, nil
}

// skipInCompany matches the tests of s that are left out, or set aside for what
// company does not change.
func (u *unit) skipInCompany(s *suite) (patterns []string) {
	if u.cfg.SkipTests != nil {
		patterns = append(patterns, u.cfg.SkipTests.String())
	}
	for _, t := range s.tests {
		if t.aside != "" && !t.needsCompany() || t.flaky.Load() {
			patterns = append(patterns, worker.Anchor(t.name))
		}
	}
	return patterns
}
