package report

import (
	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/fact"
	"github.com/mutantfuzz/mutantfuzz/report/finding"
	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

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

// askFix returns the next step after a finding about a fix.
func askFix(f finding.Finding) prose.Text {
	if n := f.AgreedOn(); n > 0 {
		return prose.Say("Old and new give the same results on " + prose.Count(n) + " inputs, too. Does anything fail without this change? A test that does would show what it fixes.")
	}
	return prose.Say("A test that fails without it would show what it fixes, and keep it.")
}
