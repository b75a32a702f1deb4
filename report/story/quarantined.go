package story

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/fact"
	"github.com/mutantfuzz/mutantfuzz/report/finding"
	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Quarantined says which tests of changed packages were left out because they did not pass in every run without a
// mutant, or did not end in time, and how many survivors they may still notice. Users who run the tests see them fail,
// so they have to know that these tests do not count. It returns nil if no test was left out and no survivor is in
// doubt.
func Quarantined(r *results.Results, s *finding.Selection) prose.Text {
	names, leftOut := leftOutOf(r)
	n, edits := len(names), prose.Plural(len(s.Doubtful), "edit", "edits")
	// If there are findings, doubts that only come from tests of other packages can wait.
	if n == 0 && (len(s.Doubtful) == 0 || len(s.Open) > 0) {
		return nil
	}
	if n == 0 {
		return prose.Say("Tests of other packages that do not pass here even without any edit may notice " + edits + " that no other test does.")
	}
	line := prose.Listed(names[:named(n)], n, "test", "tests").And(prose.Say(prose.Noun(n, "was left out, because it", "were left out, because they") + whyLeftOut(leftOut)))
	if len(s.Doubtful) > 0 {
		line = line.And(prose.Say(prose.Noun(n, "It", "They") + " may notice " + edits + " that no other test does."))
	}
	return line
}

// LeftOut counts the tests that Quarantined names.
func LeftOut(r *results.Results) int {
	names, _ := leftOutOf(r)
	return len(names)
}

// leftOutOf returns the quarantined tests of packages with functions in scope, and their names. Findings tell of those
// that the change breaks.
func leftOutOf(r *results.Results) (names []string, list []results.Quarantined) {
	for _, q := range r.Quarantined {
		if name := testOfScope(r, q.Test); name != "" && !isBroken(r, q.Test) {
			names, list = append(names, name), append(list, q)
		}
	}
	return names, list
}

// whyLeftOut ends a sentence that says why tests were left out.
func whyLeftOut(list []results.Quarantined) string {
	all := func(is func(results.Quarantined) bool) bool {
		return !slices.ContainsFunc(list, func(q results.Quarantined) bool { return !is(q) })
	}
	switch {
	case all(func(q results.Quarantined) bool { return q.Unended }):
		return " did not end in time."
	case all(func(q results.Quarantined) bool { return q.Instrumented }):
		return prose.Noun(len(list), " fails", " fail") + " only where mutantfuzz instruments the code."
	case all(failsAlways):
		return prose.Noun(len(list), " fails", " fail") + " here even without any edit."
	}
	return " did not pass in every run here, even without any edit."
}

// changesToTests has the words for what a change does to a test.
var changesToTests = []struct{ kind, words string }{{results.TestAdded, ", which this change adds,"}, {results.TestAltered, ", which this change alters,"}}

// Flaky says which tests that the change adds or alters pass in some runs and fail in others, without those that s has a
// finding about; nil: none. Their author should know that first.
func Flaky(r *results.Results, s *finding.Selection) (line prose.Text) {
	added := s.FlakyBeside(r)
	for _, change := range changesToTests {
		var names []string
		for _, q := range r.Quarantined {
			again := func(t results.FlakyTest) bool { return q.Test == t.Test || strings.HasPrefix(q.Test, t.Test+"/") }
			if name := testOfScope(r, q.Test); name != "" && q.Flaky && q.Change == change.kind && !slices.ContainsFunc(r.FlakyTests, again) {
				names = append(names, name)
			}
		}
		for i := range r.FlakyTests {
			if t := &r.FlakyTests[i]; t.Change == change.kind && (t.Change == results.TestAltered || slices.Contains(added, t)) {
				names = append(names, fact.Local(t.Test))
			}
		}
		if n := len(names); n > 0 {
			of := prose.Listed(names[:named(n)], n, "test", "tests").Plus(change.words)
			line = line.And(of).And(prose.Say(prose.Noun(n, "passes", "pass") + " in some runs here and " + prose.Noun(n, "fails", "fail") + " in others, without any edit."))
		}
	}
	return line
}

// Failing says which tests that the change adds or alters fail here in every run, without those that a finding is about; nil:
// none. Where they only lack a server or the like, their author knows.
func Failing(r *results.Results) (line prose.Text) {
	for _, change := range changesToTests {
		var names []string
		for _, q := range r.Quarantined {
			if name := testOfScope(r, q.Test); name != "" && q.Change == change.kind && failsAlways(q) && !isBroken(r, q.Test) {
				names = append(names, name)
			}
		}
		if n := len(names); n > 0 {
			of := prose.Listed(names[:named(n)], n, "test", "tests").Plus(change.words)
			line = line.And(of).And(prose.Say(prose.Noun(n, "fails", "fail") + " here."))
		}
	}
	return line
}

// failsAlways reports whether a test is known to fail here in every run.
func failsAlways(q results.Quarantined) bool {
	return !q.Flaky && !q.Unended && !q.Instrumented && !q.Undiagnosed
}

// ofTests matches names of tests and subtests without their import path.
var ofTests = regexp.MustCompile(`^(Test|Fuzz|Example)`)

// testOfScope returns the name of a test without its import path, or "" if no function in scope is in its package.
func testOfScope(r *results.Results, test string) string {
	for _, f := range r.Scope {
		for _, pkg := range []string{f.Package, f.Package + "_test"} {
			if name, ok := strings.CutPrefix(test, pkg+"."); ok && ofTests.MatchString(name) {
				return name
			}
		}
	}
	return ""
}

// isBroken reports whether the change breaks a test, or the test that it is a subtest of. A finding then says so.
func isBroken(r *results.Results, test string) bool {
	return slices.ContainsFunc(r.OldTests, func(t results.OldTest) bool {
		return t.Change == results.TestKept && (test == t.Test || strings.HasPrefix(test, t.Test+"/"))
	})
}
