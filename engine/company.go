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
// variable for them; if it is infected only so; and if its own function changes
// variables.

// inCompany is the reason given with a kill that takes more than one test.
const inCompany = "only in the company of the tests before it"

// needsCompany reports whether t fails when it runs alone, woven or not.
func (t *test) needsCompany() bool { return t.aside == failsAlone }

// watchCompany runs mutants that nothing has killed against several tests of a
// suite in one process, in order, as the go command does.
func (u *unit) watchCompany(ctx context.Context, suites []*suite) error {
	for _, s := range suites {
		needed := slices.ContainsFunc(s.tests, (*test).needsCompany)
		if !needed && (!u.memory || len(s.tests) < 2 || s.duration() >= slowSuite) {
			continue
		}
		all := &test{suite: s, skip: strings.Join(u.skipInCompany(s), "|")}
		passes, err := u.surveyCompany(ctx, all)
		if err != nil {
			return err
		}
		sharing := u.sharing(s)
		err = each(ctx, u.slots, u.pending(), func(ctx context.Context, sl *slot, m *mutant) error {
			switch {
			case passes && all.infects(m) && (needed || !s.judges(m)):
				return u.runCompany(ctx, sl, m, all)
			case passes && all.infects(m) && len(sharing[m.Function]) > 1:
				return u.runCompany(ctx, sl, m, sharing[m.Function]...)
			case needed && !passes && u.packageOf(m) == s.pkg:
				m.unclear = "tests that fail when they run alone may notice it"
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// sharing returns the tests of s that, by what their source mentions, may use the
// variables that a function changes, by the function.
func (u *unit) sharing(s *suite) map[string][]*test {
	files := parsed(u.listing[s.pkg])
	sharing := map[string][]*test{}
	for _, m := range u.pending() {
		if sharing[m.Function] != nil || len(m.changes) == 0 || u.packageOf(m) != s.pkg {
			continue
		}
		steps := distances(files, u.isOwn, m.changes)
		sharing[m.Function] = slices.DeleteFunc(slices.Clone(s.tests), func(t *test) bool {
			_, mentions := steps[t.name]
			return !mentions || t.aside != "" || t.flaky.Load()
		})
	}
	return sharing
}

// judges reports whether m is run against any test of s alone.
func (s *suite) judges(m *mutant) bool {
	return slices.ContainsFunc(s.tests, func(t *test) bool { return t.judges(m) })
}

// duration is what the tests of s take, one by one.
func (s *suite) duration() (sum time.Duration) {
	for _, t := range s.tests {
		sum += t.duration
	}
	return sum
}

// runCompany runs m against tests of a suite together, and takes in what they
// notice, if they do so twice and not without m. A test that goes by chance notices
// nothing here.
func (u *unit) runCompany(ctx context.Context, sl *slot, m *mutant, company ...*test) error {
	before := m.unclear
	m.reached, m.infected = true, m.infected || m.Probed
	m.unclear = "there was no time for all tests together"
	var by results.KilledBy
	for range 2 {
		run, err := u.runActive(ctx, sl, m, company...)
		if err != nil {
			return err
		}
		t := find(company[0].tests, run.outcome.Failed)
		if run.outcome.Kind == "" || t != nil && (t.chancy.Load() || t.flaky.Load()) {
			m.unclear = before
			return nil
		}
		by = results.KilledBy{By: results.ByTest, Kind: run.outcome.Kind}
		if t != nil {
			by.Name = nameOf([]*test{t}, run.outcome.Failed)
		}
	}
	// All tests together pass without a mutant, but these may be only some.
	original, err := u.runActive(ctx, sl, &mutant{Mutant: m.Mutant}, company...)
	if err != nil || original.outcome.Kind != "" {
		m.unclear = before
		return err
	}
	if m.unclear = "only several tests together notice it"; by.Name != "" {
		m.kill(by)
		m.reason, m.inCompany = inCompany, true
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
