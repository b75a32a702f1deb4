package engine

import (
	"context"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/worker"
)

// Some tests pass only in the company of others, that set a package variable for
// them. They judge nothing by themselves; but what they notice has not survived.

// needsCompany reports whether t fails when it runs alone, woven or not.
func (t *test) needsCompany() bool { return t.aside == failsAlone }

// watchCompany runs the mutants that nothing has killed against all tests of each
// suite with such tests, in one process and in order. Of a mutant that fails there
// it is known that it was noticed, but not by what; so it gets no verdict.
func (u *unit) watchCompany(ctx context.Context, suites []*suite) error {
	for _, s := range suites {
		if !slices.ContainsFunc(s.tests, (*test).needsCompany) {
			continue
		}
		company := &test{suite: s, skip: u.skipInCompany(s)}
		passes, err := u.surveyCompany(ctx, company)
		if err != nil {
			return err
		}
		err = each(ctx, u.slots, u.pending(), func(ctx context.Context, sl *slot, m *mutant) error {
			switch {
			case !passes && u.packageOf(m) == s.pkg:
				m.unclear = "tests that fail when they run alone may notice it"
				return nil
			case !passes || !company.infects(m):
				return nil
			}
			m.unclear = "there was no time for tests that fail when they run alone"
			run, err := u.runActive(ctx, sl, m, company)
			switch {
			case err != nil:
				return err
			case run.outcome.Kind == "":
				m.unclear = ""
			default:
				m.unclear = "only tests that fail when they run alone notice it"
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// surveyCompany runs all tests of a suite without a mutant, and reports whether
// they pass in every kind of clone.
func (u *unit) surveyCompany(ctx context.Context, company *test) (bool, error) {
	sl := <-u.slots.free
	defer func() { u.slots.free <- sl }()
	for i := range minSurveys {
		run, err := u.surveyRun(ctx, sl, company, i)
		if err != nil || run.outcome.Kind != "" {
			return false, err
		}
		company.learn(run, sl.state)
	}
	return true, nil
}

// skipInCompany matches the tests of s that say nothing in company either.
func (u *unit) skipInCompany(s *suite) string {
	var patterns []string
	if u.cfg.SkipTests != nil {
		patterns = append(patterns, u.cfg.SkipTests.String())
	}
	for _, t := range s.tests {
		if t.aside != "" && !t.needsCompany() || t.flaky.Load() {
			patterns = append(patterns, worker.Anchor(t.name))
		}
	}
	return strings.Join(patterns, "|")
}
