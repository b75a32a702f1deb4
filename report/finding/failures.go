package finding

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/fact"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// failures returns the findings about crashes and about tests, the latter without the tests with dismissed keys.
func failures(r *results.Results, dismissed map[string]bool) []Finding {
	tests := slices.Concat(oldTests(r), flakyTests(r))
	if len(dismissed) > 0 {
		for i := range tests {
			tests[i].leaveOut(dismissed)
		}
		tests = slices.DeleteFunc(tests, func(f Finding) bool { return len(f.testKeys()) == 0 })
	}
	return append(crashes(r), tests...)
}

// leaveOut removes the tests with dismissed keys from f, a finding about tests.
func (f *Finding) leaveOut(dismissed map[string]bool) {
	if f.Old != nil {
		left := slices.DeleteFunc(f.Tests(), func(t *results.OldTest) bool { return dismissed[oldKey(t)] })
		f.Old, f.Lost = nil, nil
		if len(left) > 0 {
			f.Old, f.Lost = left[0], left[1:]
		}
	}
	f.Flaky = slices.DeleteFunc(f.Flaky, func(t *results.FlakyTest) bool { return dismissed[flakyKey(t)] })
	if keys := f.testKeys(); len(keys) > 0 {
		f.Key = keys[0]
	}
}

// Tests returns Old and Lost; nil if f is not about such tests.
func (f Finding) Tests() []*results.OldTest {
	if f.Old == nil {
		return nil
	}
	return append([]*results.OldTest{f.Old}, f.Lost...)
}

// testKeys returns a key for each test that f is about. The first of them names f, unless f was shown before.
func (f Finding) testKeys() (keys []string) {
	for _, t := range f.Tests() {
		keys = append(keys, oldKey(t))
	}
	for _, t := range f.Flaky {
		keys = append(keys, flakyKey(t))
	}
	return keys
}

// crashes returns the findings about crashes: bugs first, and of these those that the change brought. Of findings with
// the same key it returns the first in this order.
func crashes(r *results.Results) []Finding {
	var found []Finding
	for i := range r.Crashes {
		found = append(found, crashFinding(r, &r.Crashes[i]))
	}
	unknown := func(f Finding) bool { return !f.Brought() }
	slices.SortStableFunc(found, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), compareBool(unknown(a), unknown(b)))
	})
	seen := map[string]bool{}
	return slices.DeleteFunc(found, func(f Finding) bool {
		repeats := seen[f.Key]
		seen[f.Key] = true
		return repeats
	})
}

// crashFinding returns the finding about c. It is a bug if the change brought the crash. If that is not known, it is a
// bug if there is no base, or if the stack names a function in scope.
func crashFinding(r *results.Results, c *results.Crash) Finding {
	f := Finding{Kind: Note, Key: crashKey(c), Crash: c, Mutant: byID(r, c.MendedBy)}
	culprit, _ := fact.Culprit(r, c)
	if f.Brought() || c.Introduced != results.IntroducedNo && (r.Revisions.Base == "" || culprit != nil) {
		f.Kind = Bug
	}
	return f
}

// oldTests returns the findings about tests that fail in the form they had before the change. Lost tests of a package
// share a finding if they may have one cause.
func oldTests(r *results.Results) (found []Finding) {
	for i := range r.OldTests {
		t := &r.OldTests[i]
		f := Finding{Kind: Note, Key: oldKey(t), Old: t, Mutant: byID(r, t.MendedBy)}
		if t.Lost() {
			f.Kind = Bug
			together := func(o Finding) bool {
				return o.Kind == Bug && o.Old.Change == t.Change && o.Old.MendedBy == t.MendedBy && packageOf(o.Old.Test) == packageOf(t.Test)
			}
			if first := slices.IndexFunc(found, together); first >= 0 {
				found[first].Lost = append(found[first].Lost, t)
				continue
			}
		}
		found = append(found, f)
	}
	return found
}

func oldKey(t *results.OldTest) string { return hash("old test", t.Test) }

// packageOf returns the import path of a test's package.
func packageOf(test string) string { return strings.TrimSuffix(test, "."+fact.Local(test)) }

// byID returns the mutant with an ID; nil: there is none.
func byID(r *results.Results, id string) *results.Mutant {
	i := slices.IndexFunc(r.Mutants, func(m results.Mutant) bool { return id != "" && m.ID == id })
	if i < 0 {
		return nil
	}
	return &r.Mutants[i]
}

// Brought reports whether the change brought a crash: the base does not have it, or that is not known and undoing a
// part of the change mends it.
func (f Finding) Brought() bool {
	return f.Crash != nil && (f.Crash.Introduced == results.IntroducedYes || f.Crash.Introduced == results.IntroducedUnknown && f.Mutant != nil)
}

// mending returns the IDs of the mutants that mend a crash or a lost test: they are part of that finding.
func mending(r *results.Results) map[string]bool {
	ids := map[string]bool{}
	for i := range r.Crashes {
		ids[r.Crashes[i].MendedBy] = true
	}
	for i := range r.OldTests {
		if r.OldTests[i].Lost() {
			ids[r.OldTests[i].MendedBy] = true
		}
	}
	return ids
}

// withBugs returns the IDs of the functions in which a bug crashes, or in which a mutant mends it. Mending the bug
// alters these functions, so other findings about them can wait.
func withBugs(r *results.Results) map[string]bool {
	ids := map[string]bool{}
	for _, f := range crashes(r) {
		if f.Kind != Bug {
			continue
		}
		if culprit, _ := fact.Culprit(r, f.Crash); culprit != nil {
			ids[culprit.ID] = true
		}
		if f.Mutant != nil {
			ids[f.Mutant.Function] = true
		}
	}
	return ids
}

// Crashes returns the crashes of r that f is about: those with its key; nil if it is not about crashes.
func (f Finding) Crashes(r *results.Results) (list []*results.Crash) {
	for i := range r.Crashes {
		if c := &r.Crashes[i]; f.Crash != nil && crashKey(c) == f.Key {
			list = append(list, c)
		}
	}
	return list
}

// flakyTests returns one finding per package for the tests that the change adds and that fail in some runs. It leaves
// out tests that the change only alters, because they may have been flaky before.
func flakyTests(r *results.Results) (found []Finding) {
	for i := range r.FlakyTests {
		t := &r.FlakyTests[i]
		if t.Change != results.TestAdded {
			continue
		}
		together := func(o Finding) bool { return packageOf(o.Flaky[0].Test) == packageOf(t.Test) }
		if n := slices.IndexFunc(found, together); n >= 0 {
			found[n].Flaky = append(found[n].Flaky, t)
			continue
		}
		found = append(found, Finding{Kind: Bug, Key: flakyKey(t), Flaky: []*results.FlakyTest{t}})
	}
	return found
}

func flakyKey(t *results.FlakyTest) string { return hash("flaky test", t.Test) }
