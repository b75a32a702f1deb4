package story

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/fact"
	"github.com/mutantfuzz/mutantfuzz/report/finding"
	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// label returns the heading for the kind of a finding.
func label(f finding.Finding) string {
	switch {
	case f.Flaky != nil:
		return "Flaky test"
	case f.Old != nil && f.Old.Change == results.TestKept:
		return "Broken test"
	case f.Old != nil || f.Brought():
		return "Bug, introduced by this change"
	case f.Crash != nil && f.Crash.Introduced == results.IntroducedNo:
		return "Older bug"
	case f.Crash != nil:
		return "Bug"
	case f.Kind == finding.Behaviour:
		return "Behaviour change"
	case f.Kind == finding.NotRun:
		return "Not run"
	}
	return "Gap"
}

// title says in one line what no test fails with. It goes by the first mutant of f.
func title(r *results.Results, f finding.Finding) prose.Text {
	name := fact.FunctionName(r, f.Mutant.Function)
	if f.Kind == finding.Behaviour {
		call := shortCall(f.Mutant.ExposedBy)
		if p := newCheckTitle(f, name); p != nil && call == "" && f.Mutant.ExposedBy.Ends == "" {
			return p
		}
		what := cmp.Or(call, name)
		does := prose.Say("this change alters what %s does", what)
		if ends := f.Mutant.ExposedBy.Ends; ends != "" {
			does = prose.Say("without this change %s "+crashVerb(ends), what)
		} else if others := functionsIn(f, func(m *results.Mutant) bool { return m == f.Mutant || edit.IsReversal(m) && fact.Example(m) != nil }) - 1; others > 0 {
			does = prose.Say("this change alters what %s and "+prose.Plural(others, "other function", "other functions")+" do", what)
		}
		if f.Mutant.Reason != "" { // tests that did not run may notice it
			return does
		}
		return does.Plus(", and no test notices")
	}
	if f.Fix {
		return fixTitle(r, f)
	}
	if p := newCheckTitle(f, name); p != nil && len(f.Also) == 0 && !f.Unrun() {
		return p
	}
	if p := alteredTitle(f); p != nil {
		return p
	}
	if list := f.NeverEmpty(r); list != "" {
		has := "has"
		if f.Mutant.Evidence.Program {
			has = "is seen to have"
		}
		return prose.Say("%s: "+noTest(f)+" "+has+" an empty %s, which would panic without this check", name, list)
	}
	if f.Never() != nil || f.BeginsUntaken() { // the branch that no test takes is drawn
		return scenarioTitle(f, name, scenario(r, f.Mutant))
	}
	if f.Unrun() {
		return unrunGapTitle(r, f)
	}
	if list := f.Untaken(r); len(list) > 0 {
		return untakenTitle(r, f, name, list)
	}
	if f.Blind() {
		return blindTitle(r, f)
	}
	if whole := f.WholeTold(r); whole != nil {
		return prose.Say("%s: "+noTest(finding.Finding{Mutant: whole})+" fails when its whole change is undone", name)
	}
	if missing := scenario(r, f.Mutant); missing != nil {
		return scenarioTitle(f, name, missing)
	}
	same := f // the other edits stand below
	same.Also = slices.DeleteFunc(slices.Clone(f.Also), func(m *results.Mutant) bool { return !f.Repeats(m) })
	if target := fact.Unwraps(f.Mutant); target != "" {
		return subject(r, same).And(prose.Say(noTest(f)+" fails if a wrapped %s is not found", target))
	}
	return subject(r, same).And(prose.Say(noTest(f) + " fails")).And(edit.InWords(f.Mutant, maxInHeadline).Without).Plus(prevented(f.Mutant))
}

// prevented ends a sentence about a branch that is left out: it says what that prevents, if an input shows a failure
// without it.
func prevented(m *results.Mutant) string {
	if fact.LeftOut(m) == (fact.Branch{}) || !m.Exposed() || m.ExposedBy == nil {
		return ""
	}
	switch m.ExposedBy.Ends {
	case results.CrashPanic:
		return ", which prevents a panic"
	case results.CrashHang:
		return ", which prevents a hang"
	}
	return ""
}

// newCheckTitle names the condition of the if statement that the part of the change which f undoes adds. nil: that part
// does not only add one such statement.
func newCheckTitle(f finding.Finding, name string) prose.Text {
	added, rest := edit.AddedLines(f.Mutant)
	if body, _ := edit.AddedIf(f.Mutant); !edit.IsReversal(f.Mutant) || len(added) == 0 || len(rest) > 0 || body == 0 {
		return nil
	}
	head, isIf := strings.CutPrefix(added[0], "if ")
	head, isBlock := strings.CutSuffix(head, " {")
	if !isIf || !isBlock {
		return nil
	}
	condition := edit.ShortCondition(head[strings.LastIndexByte(head, ';')+1:], maxInHeadline)
	return prose.Say("%s: "+noTest(f)+" fails without the new check %s", name, condition).Plus(prevented(f.Mutant))
}

// fixTitle says that no test shows what a fix fixes, or that not even those do which it adds.
func fixTitle(r *results.Results, f finding.Finding) prose.Text {
	if f.AgreedOn() > 0 { // it is here because of the tests that the fix adds
		return functionsOf(r, f).Plus(prose.Noun(fact.AddedTests(r), ": the test that this change adds passes without this fix", ": the tests that this change adds pass without this fix"))
	}
	undone := functionsIn(f, edit.IsReversal)
	p := functionsOf(r, f).Plus(": " + noTest(f) + " fails without this fix")
	switch { // they were undone one by one
	case undone > 2:
		p = p.Plus(" in any of them")
	case undone == 2:
		p = p.Plus(" in either of them")
	}
	return p
}

// alteredTitle says what the change does to the result of the call that exposes the first mutant of f, if the mutant
// gives what the base gave. nil: it does not, or the call or a result is too long for a title.
func alteredTitle(f finding.Finding) prose.Text {
	x := fact.Example(f.Mutant)
	if x == nil || !isBase(x) || edit.IsReversal(f.Mutant) || f.Mutant.Reason != "" || shortCall(x) == "" ||
		max(utf8.RuneCountInString(x.Original), utf8.RuneCountInString(x.Mutant)) > maxInHeadline {
		return nil
	}
	return prose.Say("this change makes %s give %s instead of %s, and no test says so", x.Call, x.Original, x.Mutant)
}

// untakenTitle names conditions of a function that are true in no test.
func untakenTitle(r *results.Results, f finding.Finding, name string, list []*results.Mutant) prose.Text {
	var items []prose.Text
	shown := list[:min(len(list), finding.MaxRows)]
	for _, m := range shown {
		item := prose.Say("%s", prose.Inline(edit.ShortCondition(m.Original, maxInHeadline)))
		if slices.ContainsFunc(r.Mutants, func(o results.Mutant) bool { // it may be true at its other place
			return o.Function == m.Function && o.Original == m.Original && o.Line != m.Line
		}) {
			item = item.And(prose.Say("in line " + prose.Exact(m.Line)))
		}
		items = append(items, item)
	}
	if more := len(list) - len(shown); more > 0 {
		items = append(items, prose.Say(prose.Plural(more, "other condition", "other conditions")))
	}
	return prose.Say("%s: "+noTest(f)+" makes", name).And(anyOf(items)).And(prose.Say("true"))
}

// unrunGapTitle names the code that no test runs. That is the whole function if several mutants are in it and no mutant
// of it runs.
func unrunGapTitle(r *results.Results, f finding.Finding) prose.Text {
	m := f.Mutant
	ran := slices.ContainsFunc(r.Mutants, func(other results.Mutant) bool { return other.Function == m.Function && fact.Runs(&other) })
	several := slices.ContainsFunc(f.Also, func(other *results.Mutant) bool { return other.Function != m.Function })
	p := subject(r, f).And(prose.Say(UnrunBy(m)))
	first, last := f.Lines()
	switch {
	case several:
		return p.And(prose.Say("what these edits alter"))
	case len(f.Also) > 0 && !ran:
		return prose.Say(UnrunBy(m)+" %s", fact.FunctionName(r, m.Function))
	case len(f.Also) == 0 && edit.IsShort(m.Original) && !edit.IsReversal(m):
		return p.And(prose.Say("%s", edit.OnOneLine(m.Original)))
	case first < last && !apart(f):
		return p.And(prose.Say("lines " + prose.Exact(first) + " to " + prose.Exact(last)))
	case first < last:
		return p.And(prose.Say("lines " + prose.Exact(first) + " and " + prose.Exact(last)))
	}
	return p.And(prose.Say("line " + prose.Exact(first)))
}

// apart reports whether f is about two lines with others between them.
func apart(f finding.Finding) bool {
	first, last := f.Lines()
	return first+1 < last && !slices.ContainsFunc(f.All(), func(m *results.Mutant) bool {
		return fact.Unrun(m) && (m.Line != edit.LastLine(m) || m.Line != first && m.Line != last)
	})
}

// scenarioTitle says what no test does, of which the first mutant of f tells. The other edits stand below.
func scenarioTitle(f finding.Finding, name string, missing prose.Text) prose.Text {
	f.Also = nil
	return prose.Say("%s: "+noTest(f)+seen(f), name).And(missing)
}

// seen weakens what "no test" begins where tests that were not followed may do it.
func seen(f finding.Finding) string {
	if f.Mutant.Evidence.Program {
		return " is seen that"
	}
	return ""
}

// shortCall returns the call that shows a difference if it is short enough for a title; else "".
func shortCall(x *results.ExposedBy) string {
	if x == nil {
		return ""
	}
	return shortEnough(x.Setup, x.Call)
}

// shortEnough returns a call that needs no setup and is short enough for a title; else "".
func shortEnough(setup []string, call string) string {
	if len(setup) > 0 || utf8.RuneCountInString(call) > maxCall {
		return ""
	}
	return call
}

// subject names the functions that a finding is about, with a colon.
func subject(r *results.Results, f finding.Finding) prose.Text { return functionsOf(r, f).Plus(":") }

// functionsIn counts the functions of those mutants of f that which selects.
func functionsIn(f finding.Finding, which func(*results.Mutant) bool) int {
	ids := map[string]bool{}
	for _, m := range f.All() {
		if which(m) {
			ids[m.Function] = true
		}
	}
	return len(ids)
}

// functionsOf names the function of the first mutant of f, and the other one, or counts the others.
func functionsOf(r *results.Results, f finding.Finding) prose.Text {
	p := prose.Say("%s", fact.FunctionName(r, f.Mutant.Function))
	switch n := functionsIn(f, func(*results.Mutant) bool { return true }) - 1; n {
	case 0:
		return p
	case 1:
		i := slices.IndexFunc(f.Also, func(m *results.Mutant) bool { return m.Function != f.Mutant.Function })
		return p.And(prose.Say("and %s", fact.FunctionName(r, f.Also[i].Function)))
	default:
		return p.Plus(" and " + prose.Plural(n, "other function", "other functions"))
	}
}

// blindTitle names the tests that run the code of f and check nothing. An assertion in them would notice more than any
// single edit.
func blindTitle(r *results.Results, f finding.Finding) prose.Text {
	tests := f.Mutant.Evidence.Blind
	names := testNames(tests)
	return prose.Listed(names[:min(len(names), named(len(tests)))], len(tests), "test", "tests").
		And(prose.Say(prose.Noun(len(tests), "checks", "check") + " no result, and no other test runs this code of")).And(functionsOf(r, f))
}
