package story

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/fact"
	"github.com/mutantfuzz/mutantfuzz/report/finding"
	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// ask returns the next step: what a test would have to bring about to notice the edits. If no input is known for any
// edit, the step is for the first one, as far as it is known. Where the title says what no test does, it is plain.
func ask(r *results.Results, f finding.Finding) prose.Text {
	known := slices.ContainsFunc(f.All(), func(m *results.Mutant) bool { return fact.Example(m) != nil })
	switch {
	case f.Fix:
		return askFix(r, f)
	case fact.Wraps(f.Mutant) != "":
		return prose.Say("A test that asks for it, with %s, would notice.", "errors.Is(err, "+fact.Wraps(f.Mutant)+")")
	case fact.Unwraps(f.Mutant) != "":
		return prose.Say("A test with an error that wraps %s would notice.", fact.Unwraps(f.Mutant))
	case len(f.Also) > 0: // what a test needs to notice all of them is not known
		return nil
	case known && f.Kind == finding.Behaviour && f.Mutant.ExposedBy.Ends == "" && !f.Mutant.ExposedBy.InTest:
		return prose.Say("If the new result is meant, a test should say so.")
	}
	return nil
}

// askFix returns the next step after a finding about a fix. What no test does with the code that it adds is most likely what
// it is for.
func askFix(r *results.Results, f finding.Finding) prose.Text {
	if n := f.AgreedOn(); n > 0 {
		return prose.Say("Old and new give the same results on " + prose.Count(n) + " inputs, too. Does anything fail without this change? A test that does would show what it fixes.")
	}
	if missing := scenarioOfFix(r, f); missing != nil {
		return prose.Say(capital(noTest(f)) + seen(f)).And(missing).Plus(". One that does, and fails without this change, would guard the fix.")
	}
	return prose.Say("A test that fails without it would guard the fix.")
}

// asserts says what the test for f asserts, and what to do if something else is meant.
func asserts(r *results.Results, f finding.Finding, test string) prose.Text {
	if fact.AssertsNothing(test) {
		if strings.Count(test, "func Test") > 1 {
			return prose.Say("They assert no result, only that the calls return.")
		}
		return prose.Say("It asserts no result, only that the call returns.")
	}
	if strings.Count(test, "func Test") > 1 && (f.Kind != finding.Behaviour || len(f.Also) > 0) {
		return prose.Say("They expect the current results; if one is not intended, change the expected value.")
	}
	if f.Kind == finding.Behaviour && len(f.Also) == 0 && f.Mutant.ExposedBy != nil && f.Mutant.ExposedBy.Ends != "" {
		return prose.Say("It expects the current result; without this part of the change, the call " + crashVerb(f.Mutant.ExposedBy.Ends) + ".")
	}
	if f.Kind != finding.Behaviour || len(f.Also) > 0 {
		return prose.Say("It expects the current result; if that is not intended, change the expected value.")
	}
	row := rowOf(r, f, f.Mutant)
	if row.Now == "" || row.With == "" {
		return prose.Say("It expects the new result. If that is not intended, correct the code, not the test.")
	}
	return prose.Say("It expects the new result, %s. If that is not intended, correct the code, not the test.", row.Now)
}

// needed says what a test would have to do, if there is no source for one. It is empty if no input is known, or if
// there is nothing to add. told says that the text has the call already.
func needed(r *results.Results, f finding.Finding, told bool) prose.Text {
	for _, m := range f.All() {
		x := witness(m)
		if x == nil {
			continue
		}
		var which prose.Text
		if len(f.Also) > 0 {
			which = prose.Say("the edit of").And(lineOf(f, m))
		}
		switch call := fact.Call(x.Setup, x.Call); {
		case x.InTest && told:
			return prose.Say("%s leads to this call, and passes with either result: it does not check what comes of it.", fact.Local(x.Harness))
		case x.InTest:
			called := cmp.Or(call, prose.Shorten(x.Partly, maxPartly), fact.FunctionName(r, m.Function))
			return append(edited(f, m), prose.Say(", %s gives another result in %s, which passes: it does not check what comes of it.", called, fact.Local(x.Harness))...)
		case x.Call == "":
			return prose.Say("To notice it, a test has to call %s with what %s passes.", siteCall(x), passedBy(r, x))
		case told:
			return nil
		default:
			return prose.Say("A test that makes the call %s, and checks what it gives, would notice", call).And(which).Plus(".")
		}
	}
	return nil
}

// calledIn names a test that makes one of the calls in the rows of f and passes all the same: what the call does there may
// not be what its author expects. It is empty if there is none.
func calledIn(f finding.Finding) prose.Text {
	all := f.All()
	for _, m := range all[:min(len(all), finding.MaxRows)] {
		if x := fact.Example(m); x != nil && x.InTest && x.Call != "" {
			return prose.Say("%s makes the call %s, and passes with either result.", fact.Local(x.Harness), fact.Call(x.Setup, x.Call))
		}
	}
	return nil
}

// lineOf names the line of m, a mutant of f, and its file if it is not that of the first mutant.
func lineOf(f finding.Finding, m *results.Mutant) prose.Text {
	if m.File != f.Mutant.File {
		return prose.Say("line "+prose.Exact(m.Line)+" of %s", path.Base(m.File))
	}
	return prose.Say("line " + prose.Exact(m.Line))
}

// edited begins a sentence about what comes of m, a mutant of f.
func edited(f finding.Finding, m *results.Mutant) prose.Text {
	switch {
	case len(f.Also) > 0:
		return prose.Say("With the edit of").And(lineOf(f, m))
	case edit.IsReversal(m):
		return prose.Say("Without this part of the change")
	}
	return prose.Say("With this edit")
}

// before says what the base gave for the first shown input on which it differs: the reader sees whether the change is
// meant to do that. tabulated says that the call stands in a table, and not in the sentence before.
func before(f finding.Finding, tabulated bool) prose.Text {
	all := f.All()
	for _, m := range all[:min(len(all), finding.MaxRows)] {
		if x := fact.Example(m); x != nil && x.Base != "" && !edit.IsReversal(m) {
			gave := prose.Say("Before this change, %s gave %s", fact.Call(x.Setup, x.Call), prose.Shorten(x.Base, prose.MaxValue))
			if !tabulated { // the call stands in the sentence before
				gave = prose.Say("Before this change, it gave %s", prose.Shorten(x.Base, prose.MaxValue))
			}
			if !strings.Contains(x.Base, "error(") && !x.Fails() {
				return append(gave, prose.Say(": if that is still meant, it is the change that is wrong.")...)
			}
			return gave.Plus(".")
		}
	}
	return nil
}
