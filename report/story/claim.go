package story

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/fact"
	"github.com/mutantfuzz/mutantfuzz/report/finding"
	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// claim says which tests and inputs run the mutated code without failing. Of several edits it is about the first, or,
// if no test runs that one, about the first that tests run.
func claim(f finding.Finding, second string) prose.Text {
	m := f.Mutant
	if i := slices.IndexFunc(f.Also, func(m *results.Mutant) bool { return m.Evidence.Tests > 0 }); i >= 0 && m.Evidence.Tests == 0 {
		m = f.Also[i]
	}
	if m != f.Mutant || slices.ContainsFunc(f.Also, func(other *results.Mutant) bool { return m.Evidence.Tests > 0 && !runLike(m, other) }) {
		for _, other := range f.Also { // tests of the change say most
			if len(other.Evidence.ByChange) > len(m.Evidence.ByChange) {
				m = other
			}
		}
		m = withTestsOfAll(f, m)
		return runners(m).And(prose.Say(prose.Noun(m.Evidence.Tests, "runs", "run") + " some of this code, and " + prose.Noun(m.Evidence.Tests, "passes ", "pass ") + second + "."))
	}
	inputs := ""
	if n := m.Evidence.Execs - m.Evidence.Driven; n > 0 {
		inputs = prose.Count(n) + " fuzzing " + prose.Noun(int(min(n, 2)), "input", "inputs")
	}
	return claimOf(m, inputs, second)
}

// withTestsOfAll returns m as if one test of each other function of f ran it, too. If not all tests that run m are named, it
// may be among the others, and is not counted.
func withTestsOfAll(f finding.Finding, m *results.Mutant) *results.Mutant {
	all, known := *m, map[string]bool{m.Function: true}
	areNamed := m.Evidence.Tests == len(m.Evidence.By)
	for _, other := range f.All() {
		if known[other.Function] || len(other.Evidence.By) == 0 {
			continue
		}
		known[other.Function] = true
		if test := other.Evidence.By[0]; !slices.Contains(all.Evidence.By, test) {
			all.Evidence.By = slices.Insert(slices.Clone(all.Evidence.By), min(1, len(all.Evidence.By)), test)
			all.Evidence.ByChange = slices.Concat(all.Evidence.ByChange, other.Evidence.ByChange)
			if areNamed {
				all.Evidence.Tests++
			}
		}
	}
	return &all
}

// runLike reports whether all tests that a claim about a names run b, too.
func runLike(a, b *results.Mutant) bool {
	return !slices.ContainsFunc(a.Evidence.By[:min(len(a.Evidence.By), named(a.Evidence.Tests))], func(test string) bool { return !slices.Contains(b.Evidence.By, test) })
}

// claimOf returns the claim about m. inputs names the fuzzing inputs that run it, or is empty.
func claimOf(m *results.Mutant, inputs, second string) prose.Text {
	none := "No test runs this code."
	switch {
	case m.Evidence.Program:
		none = "No Go test is seen to run this code."
	case m.Reason != "" || m.Evidence.OwnOnly:
		none = "No test that could run here runs this code."
	}
	switch n := m.Evidence.Tests; {
	case n == 0 && inputs == "" && fact.Unrun(m):
		return prose.Say(none)
	case n == 0 && inputs == "" && strings.HasSuffix(m.Function, ".init"):
		return prose.Say("This code runs when the package is initialised, and nothing fails " + second + ".")
	case n == 0 && inputs == "":
		return prose.Say("This code runs, and nothing fails " + second + ".")
	case n == 0:
		return prose.Say(none + " On " + inputs + " nothing fails " + second + ".")
	case inputs == "":
		return runners(m).And(prose.Say(prose.Noun(n, "runs", "run") + " this code, and " + prose.Noun(n, "passes ", "pass ") + second + "."))
	default:
		return runners(m).And(prose.Say(prose.Noun(n, "runs", "run") + " this code, and " + prose.Noun(n, "passes ", "pass ") + second + ", also on " + inputs + "."))
	}
}

// UnrunBy begins the sentence that no test runs a mutant. It is weaker where tests that were not followed, or that had
// no time to run, may run the mutant.
func UnrunBy(m *results.Mutant) string {
	if m.Evidence.Program || m.Reason != "" {
		return "no test is seen to run"
	}
	return "no test runs"
}

// tellTests says in s what the tests do that run the first mutant of f, where more is known than that they pass.
func (s *Story) tellTests(r *results.Results, f finding.Finding) {
	m := f.Mutant
	if f.Fix {
		s.Ask = s.Ask.And(unrunTwins(r, f))
	}
	switch unrun, taken := unrunWithin(r, m), takenClaim(r, m); {
	case f.Never() != nil:
		s.Claim = neverClaim(m)
	case m.Evidence.Tests > 0 && len(f.Untaken(r)) > 0:
		n := m.Evidence.Tests
		s.Claim = runners(m).And(prose.Say(prose.Noun(n, "comes", "come") + " to these conditions, which are false every time, and " + prose.Noun(n, "passes", "pass") + " with any of these edits."))
	case len(taken) > 0:
		s.Claim = taken
		if !m.Exposed() {
			s.Ask = prose.Say("An input that only this branch handles would notice.")
		}
	case len(f.Also) == 0 && m.Evidence.Tests > 0 && fact.Boundary(m) != "":
		s.Claim = runners(m).And(prose.Say(prose.Noun(m.Evidence.Tests, "runs", "run")+" this code, but never with %s, and the edit changes nothing else.", fact.Boundary(m)))
	case len(f.Also) == 0 && m.Evidence.Tests > 0 && len(unrun) > 0:
		s.Claim = comesTo(m, unrun)
	case len(f.Also) == 0 && m.Evidence.Tests > 0 && fact.Example(m) == nil:
		s.Claim = s.Claim.And(sameClaim(m))
	}
}

// failsWithout reports whether a test notices if all of the change to m's function is undone. Its author would else take
// what is said of m for a verdict on that test.
func failsWithout(r *results.Results, m *results.Mutant, test string) bool {
	return slices.ContainsFunc(r.Mutants, func(o results.Mutant) bool {
		return edit.IsReversal(&o) && o.Evidence.Whole && o.Function == m.Function && o.Status == results.Killed && o.KilledBy != nil && fact.Parent(o.KilledBy.Name) == fact.Parent(test)
	})
}

// second returns the phrase for the mutants in a sentence such as "all tests pass with this edit".
func second(f finding.Finding) string {
	switch {
	case len(f.Also) > 0 && !slices.ContainsFunc(f.All(), func(m *results.Mutant) bool { return !edit.IsReversal(m) }):
		return "with any of these parts of the change undone"
	case len(f.Also) > 0:
		return "with any of these edits"
	case edit.IsReversal(f.Mutant) && edit.TakesAway(f.Mutant):
		return "with it put back"
	case edit.IsReversal(f.Mutant):
		return "without it"
	default:
		return "with this edit"
	}
}

// withWhat is second for a sentence about the results of a call. There the author has to be told that a part of the
// change is meant.
func withWhat(f finding.Finding) string {
	if edit.IsReversal(f.Mutant) {
		return "without this part of the change"
	}
	return second(f)
}

// sameClaim says what held whenever tests came to m: the value of a variable, or both or neither of two conditions. It
// is empty if that is not known.
func sameClaim(m *results.Mutant) prose.Text {
	if value, as := fact.Unaltered(m); value != "" {
		return prose.Say("There %s is the same as %s every time.", prose.Shorten(value, maxCall), as)
	}
	switch variable, zero := fact.NeverSet(m); {
	case variable != "":
		return prose.Say("There %s is %s every time.", variable, zero)
	case fact.BothAlways(m) == "both":
		return prose.Say("There both conditions hold every time.")
	case fact.BothAlways(m) == "neither":
		return prose.Say("Neither condition ever holds there.")
	}
	return nil
}

// blindTests says which of the tests named in a claim about m check no result; empty: none is known to.
func blindTests(m *results.Mutant) prose.Text {
	var blind []string
	for i, test := range m.Evidence.By[:min(len(m.Evidence.By), named(m.Evidence.Tests))] {
		if slices.Contains(m.Evidence.Blind, test) {
			blind = append(blind, testNames(m.Evidence.By)[i])
		}
	}
	if len(blind) == 0 {
		return nil
	}
	return prose.Listed(blind, len(blind), "test", "tests").And(prose.Say(prose.Noun(len(blind), "checks", "check") + " no result: only a panic or a hang makes " + prose.Noun(len(blind), "it", "them") + " fail."))
}

// quarantinedTests names the tests of FailingTests; empty: there are none.
func quarantinedTests(m *results.Mutant) prose.Text {
	list, others, _ := strings.Cut(fact.FailingTests(m), " and ")
	if list == "" {
		return nil
	}
	names := strings.Split(list, ", ")
	more, _ := strconv.Atoi(strings.TrimSuffix(others, " more")) // 0 if there are none
	n := len(names) + max(more, 0)
	return prose.Listed(names[:min(len(names), named(n))], n, "test", "tests").And(prose.Say(prose.Noun(n, "does", "do") + " not pass here in every run, even without any edit, so " + prose.Noun(n, "it does", "they do") + " not count."))
}

// named returns how many of n tests a sentence names: all of three, or else two beside the number of the others.
func named(n int) int {
	if n <= 3 {
		return n
	}
	return 2
}

// runners names tests that ran the mutated code, and counts the others. It marks those that the change adds or alters:
// their authors want them to notice the change.
func runners(m *results.Mutant) prose.Text {
	n := m.Evidence.Tests
	var items []prose.Text
	for i, name := range testNames(m.Evidence.By) {
		if name != "" && len(items) < named(n) {
			items = append(items, prose.Say("%s"+remarkOn(m.Evidence.By[i], m), name))
		}
	}
	if len(items) == 0 {
		return prose.Say(prose.Plural(n, "test", "tests"))
	}
	return prose.ListOf(items, n, "test", "tests")
}

// remarkOn returns what the change does to a test that ran m, in brackets; empty: nothing.
func remarkOn(test string, m *results.Mutant) string {
	i := slices.IndexFunc(m.Evidence.ByChange, func(t results.NewTest) bool { return t.Test == test })
	switch {
	case i < 0:
		return ""
	case m.Evidence.ByChange[i].Change == results.TestAltered:
		return " (changed)"
	}
	return " (new)"
}

// testNames returns the names of tests, with the last part of the import path where several have the same name. A name
// is "" if it cannot be told.
func testNames(tests []string) []string {
	count := map[string]int{}
	for _, test := range tests {
		count[fact.Local(test)]++
	}
	names := make([]string, len(tests))
	for i, test := range tests {
		if names[i] = fact.Local(test); names[i] != "" && count[names[i]] > 1 {
			names[i] = path.Base(test)
		}
	}
	return names
}

// takenClaim says, of a mutant that leaves out a branch, or undoes a change that only adds one, that a test takes the
// branch and passes without it. It is empty if none is known to. Such a test looks as if it were enough.
func takenClaim(r *results.Results, m *results.Mutant) prose.Text {
	left := fact.LeftOut(m)
	for i := range r.Mutants {
		if o := &r.Mutants[i]; left.Noticed(o) && (m.Reason == "" || slices.Contains(m.Evidence.By, fact.Parent(o.KilledBy.Name))) { // else it may not have run with m
			taken := prose.Say("%s takes the branch of line "+prose.Exact(branchLine(m))+", but passes without it: what it checks comes out the same.", fact.Local(o.KilledBy.Name))
			if !edit.IsReversal(m) && failsWithout(r, m, o.KilledBy.Name) {
				taken = taken.And(prose.Say("It fails without all of the change."))
			}
			return taken
		}
	}
	return nil
}

// branchLine returns the line of the condition of the branch that m leaves out.
func branchLine(m *results.Mutant) int {
	if edit.IsReversal(m) {
		return edit.FirstLine(m)
	}
	return m.Line
}

// capital returns an ASCII text with a capital first letter.
func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// noTest begins a sentence about what tests do not do. If tests of other packages did not run, it only speaks of those
// in the own package, or, if none of these runs the code, of all that ran.
func noTest(f finding.Finding) string {
	i := slices.IndexFunc(f.All(), ownOnly)
	switch {
	case i < 0:
		return "no test"
	case runByOthers(f.All()[i]):
		return "no test that could run here"
	}
	return "no test of its package"
}

// runByOthers reports whether tests run m, but none of its own package, as far as they are named.
func runByOthers(m *results.Mutant) bool {
	return len(m.Evidence.By) > 0 && !slices.ContainsFunc(m.Evidence.By, func(test string) bool {
		return strings.HasPrefix(m.Function, strings.TrimSuffix(test, fact.Local(test)))
	})
}

func ownOnly(m *results.Mutant) bool { return m.Evidence.OwnOnly }

// Late says why findings of list speak of the tests of their package alone; "": none does.
func Late(list []finding.Finding) string {
	if !slices.ContainsFunc(list, func(f finding.Finding) bool { return slices.ContainsFunc(f.All(), ownOnly) }) {
		return ""
	}
	return "not all tests of dependent packages could run"
}

// notRunAtAll names the functions that no test runs, in a finding about code that runs; empty: there are none.
func notRunAtAll(r *results.Results, f finding.Finding) prose.Text {
	known := map[string]bool{f.Mutant.Function: true}
	for i := range r.Mutants {
		if m := &r.Mutants[i]; fact.Runs(m) || m.Evidence.Program || ownOnly(m) {
			known[m.Function] = true
		}
	}
	var names []string
	for _, m := range f.Also {
		if !known[m.Function] {
			known[m.Function] = true
			names = append(names, fact.FunctionName(r, m.Function))
		}
	}
	if len(names) == 0 {
		return nil
	}
	return prose.Say("No test runs").And(prose.Listed(names[:min(len(names), maxUnrun)], len(names), "function", "functions")).Plus(".")
}

// neverClaim says which tests evaluate a condition, and that it has the same value every time.
func neverClaim(m *results.Mutant) prose.Text {
	n, value := m.Evidence.Tests, "true"
	if fact.NeverTrue(m) {
		value = "false"
	}
	if n == 0 {
		return prose.Say("This condition is " + value + " whenever code comes to it.")
	}
	return runners(m).And(prose.Say(prose.Noun(n, "comes", "come") + " to this condition, which is " + value + " every time."))
}

// unrunWithin returns the survivors in the new code of the part of the change that m undoes; nil if anything runs a
// mutant there. If nothing does, tests only come to the place, as to a switch with a new case.
func unrunWithin(r *results.Results, m *results.Mutant) (list []*results.Mutant) {
	if !edit.IsReversal(m) {
		return nil
	}
	for i := range r.Mutants {
		o := &r.Mutants[i]
		switch {
		case edit.IsReversal(o) || o.File != m.File || o.Offset < m.Offset || o.EndOffset > m.EndOffset || !o.Evidence.OnDiff:
		case fact.Runs(o):
			return nil
		case o.Status == results.Survived:
			list = append(list, o)
		}
	}
	return list
}

// unrunIn names the lines of the part of the change that m undoes which nothing runs; empty: none are known.
func unrunIn(r *results.Results, m *results.Mutant) prose.Text {
	var unrun []results.Code
	for _, f := range r.Scope {
		if f.ID != m.Function || f.File != m.File {
			continue
		}
		for _, c := range f.Unrun {
			if m.Line <= c.StartLine && c.EndLine <= edit.LastLine(m) {
				unrun = append(unrun, c)
			}
		}
	}
	if len(unrun) == 0 {
		return nil
	}
	by := UnrunBy(m)
	return prose.Say(capital(by) + " " + edit.LineNumbers(unrun...) + ".")
}

// comesTo says which tests come to a part of the change without running the mutants within it.
func comesTo(m *results.Mutant, unrun []*results.Mutant) prose.Text {
	n, one, many := m.Evidence.Tests, "comes here, but does not run ", "come here, but none runs "
	if slices.ContainsFunc(unrun, func(m *results.Mutant) bool { return m.Evidence.Program || m.Reason != "" }) {
		one, many = "comes here, but is not seen to run ", "come here, but none is seen to run "
	}
	return runners(m).And(prose.Say(prose.Noun(n, one, many) + linesOf(unrun) + "."))
}

// linesOf names the lines at which mutants begin: one or two lines, or the first and the last of more.
func linesOf(list []*results.Mutant) string {
	var lines []int
	for _, m := range list {
		lines = append(lines, m.Line)
	}
	slices.Sort(lines)
	switch lines = slices.Compact(lines); len(lines) {
	case 1:
		return fmt.Sprintf("line %d", lines[0])
	case 2:
		return fmt.Sprintf("lines %d and %d", lines[0], lines[1])
	default:
		return fmt.Sprintf("some lines, from %d to %d,", lines[0], lines[len(lines)-1])
	}
}
