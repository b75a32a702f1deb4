package engine

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/worker"
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
		all, passes, err := u.gather(ctx, s)
		if err != nil {
			return err
		}
		var todo []*mutant
		for _, m := range u.pending() {
			switch {
			case passes && all.infects(m) && (s.matters(m) || s.mayComeAndGo(m)):
				todo = append(todo, m)
				continue
			case !passes && s.needsCompany() && u.packageOf(m) == s.pkg:
				m.unclear = "tests that fail when they run alone may notice it"
			}
			s.collectOwed(m)
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
	matters := s.undoes || slices.ContainsFunc(s.tests, func(t *test) bool { return t.remembers || t.isFlakyAlone() })
	return s.needsCompany() || matters && len(s.tests) > 1 && s.duration() < slowSuite
}

// needsCompany reports whether any test of s fails when it runs alone.
func (s *suite) needsCompany() bool { return slices.ContainsFunc(s.tests, (*test).needsCompany) }

// matters reports whether it can matter that the tests of s run together with m.
func (s *suite) matters(m *mutant) bool { return s.needsCompany() || s.remembers(m) }

// mayComeAndGo reports whether a test that comes and goes when it runs alone may notice
// m in company.
func (s *suite) mayComeAndGo(m *mutant) bool {
	return slices.ContainsFunc(s.heard, func(t *test) bool { return t.infects(m) })
}

// gather returns all tests of s as one, and whether they pass together without a mutant
// in every kind of clone. Tests that come and go alone are among them if they do not in
// company: what they say there is what go test says.
func (u *unit) gather(ctx context.Context, s *suite) (all *test, passes bool, err error) {
	for _, t := range s.tests {
		if t.isFlakyAlone() {
			if err := cmp.Or(u.learnAside(ctx, t), u.learnUsual(ctx, t)); err != nil {
				return nil, false, err
			}
			s.heard = append(s.heard, t)
		}
	}
	for {
		all = &test{suite: s, skip: u.skipInCompany(s, u.indifferent(s)...)}
		all.unsteady = slices.ContainsFunc(s.tests, func(t *test) bool { return t.unsteady })
		passes, failed, err := u.surveyCompany(ctx, all)
		if passes || err != nil || len(s.heard) == 0 {
			return all, passes, err
		}
		by := find(s.heard, failed)
		s.heard = slices.DeleteFunc(s.heard, func(t *test) bool { return by == nil || t == by })
	}
}

// indifferent are the slow tests of s that by their source see nothing of what others
// leave. There are none if some tests fail alone, for what these need is not known, or
// where the process itself changes, which any test may see.
func (u *unit) indifferent(s *suite) (names []string) {
	if s.needsCompany() || len(s.heard) > 0 || u.memory.process {
		return nil
	}
	for _, t := range s.tests {
		if !t.remembers && t.cost() > dear {
			names = append(names, t.name)
		}
	}
	return names
}

// remembers reports whether what is left or seen with m active may last: a test that
// judges it remembers, or none judges it alone, or it brings lines back that may have.
func (s *suite) remembers(m *mutant) bool {
	if m.undoes() {
		return true
	}
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

// runCompany runs m against the tests of a suite together, and takes in what they notice.
func (u *unit) runCompany(ctx context.Context, sl *slot, m *mutant, all *test) error {
	m.judgedBy(all)
	what, by, err := u.screen(ctx, sl, m, all.suite)
	if err != nil {
		return err
	}
	if what == toldMore || what == toldFails {
		err = u.weighInCompany(ctx, sl, m, all, by, what)
	}
	if err == nil && m.live() && m.unclear == "" {
		m.passed = append(m.passed, all.heard...)
		if what == toldNothing || all.matters(m) {
			err = u.runAllTogether(ctx, sl, m, all)
		}
	}
	if err == nil {
		all.collectOwed(m)
		m.awaitsCompany--
	}
	return err
}

// runAllTogether runs m against all tests of a suite. They notice it if they do so twice.
// What one says that goes by chance, or did not always pass alone, is weighed, and what two
// runs do not agree on.
func (u *unit) runAllTogether(ctx context.Context, sl *slot, m *mutant, all *test) error {
	var run testRun
	var by *test
	for range 2 {
		next, err := u.runActive(ctx, sl, m, all)
		if err != nil {
			return err
		}
		if next.outcome.Kind == "" {
			if by == nil {
				u.settleOwed(all.suite, m)
				return nil
			}
			return u.weighInCompany(ctx, sl, m, all, by, toldMore)
		}
		run, by = next, find(all.tests, next.outcome.Failed)
		switch {
		case by != nil && !all.hears(m, by):
			return nil
		case by != nil && (by.needsCompany() || by.isFlakyAlone() || by.goesByChance(m)):
			return u.weighInCompany(ctx, sl, m, all, by, toldFails)
		}
	}
	if m.unclear = "only several tests together notice it"; by != nil {
		m.killInCompany(killedBy([]*test{by}, run.outcome))
	}
	return nil
}

// hears reports whether what t says of m in company counts: not if it fails there without m,
// or says one thing and another of m where it runs alone.
func (s *suite) hears(m *mutant, t *test) bool {
	return slices.Contains(s.heard, t) || !t.flaky.Load() && !slices.Contains(m.atRandom, t)
}

// surveyCompany runs all tests of a suite without a mutant, and reports whether they
// pass in every kind of clone or which fail, if that is known.
func (u *unit) surveyCompany(ctx context.Context, company *test) (passes bool, failed []string, err error) {
	sl := u.slots.take()
	defer u.slots.give(sl)
	n := minSurveys
	if len(company.heard) > 0 { // they may fail here too, now and then
		n = min(max(int(slowSuite/max(company.suite.duration(), 1)), minSurveys), unanimous)
	}
	for i := range n {
		run, err := u.surveyRun(ctx, sl, i%minSurveys, company)
		if err != nil {
			return false, nil, err
		}
		if run.outcome.Kind != "" {
			return false, run.outcome.Failed, nil
		}
		company.learn(run, sl.state)
	}
	return true, nil, nil
}

// skipInCompany matches the tests of s that are left out, or set aside for what
// company does not change, and the others named.
func (u *unit) skipInCompany(s *suite, others ...string) string {
	names := slices.Clone(others)
	for _, t := range s.tests {
		if !slices.Contains(s.heard, t) && (t.aside != "" && !t.needsCompany() || t.flaky.Load()) {
			names = append(names, t.name)
		}
	}
	return u.skipping(names...)
}

// skipping matches the tests that are to be left out, and those named.
func (u *unit) skipping(names ...string) string {
	var patterns []string
	if u.cfg.SkipTests != nil {
		patterns = append(patterns, u.cfg.SkipTests.String())
	}
	if len(names) > 0 {
		patterns = append(patterns, worker.Anchor(names...))
	}
	return strings.Join(patterns, "|")
}
