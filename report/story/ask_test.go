package story

import (
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/finding"
	. "github.com/mutantfuzz/mutantfuzz/report/internal/sample"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestNoNextStepIsMadeUp(t *testing.T) {
	of := func(m results.Mutant, also ...results.Mutant) finding.Finding {
		f := finding.Finding{Mutant: &m}
		for i := range also {
			f.Also = append(f.Also, &also[i])
		}
		return f
	}
	for what, f := range map[string]finding.Finding{
		"several edits":                        of(Survivor("a1"), Survivor("a2")),
		"several edits, of which one is shown": of(Survivor("a1"), Survivor("a2", Exposed)),
		"a part of the change":                 of(Survivor("a1", Undoes("if a {\n", "if b {\n"))),
	} {
		if got := ask(&results.Results{}, f).Markdown(); got != "" {
			t.Errorf("%s: %q", what, got)
		}
	}
}

func TestATestThatMakesACallInTheRowsIsNamed(t *testing.T) {
	m := Survivor("a1", Exposed, func(m *results.Mutant) {
		m.ExposedBy.InTest, m.ExposedBy.Harness, m.ExposedBy.Setup, m.ExposedBy.Call = true, "p.TestAll", nil, "F(1)"
	})
	other := Survivor("b2", Exposed)
	if got, want := calledIn(finding.Finding{Mutant: &other, Also: []*results.Mutant{&m}}).Markdown(), "`TestAll` makes the call `F(1)`, and passes with either result."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := calledIn(finding.Finding{Mutant: &other}).Markdown(); got != "" {
		t.Errorf("another input: %q", got)
	}
}

func TestAClaimAboutSeveralFunctionsNamesATestOfEach(t *testing.T) {
	run := func(id string, tests ...string) results.Mutant {
		return Survivor(id, Function("p."+id), func(m *results.Mutant) { m.Evidence.Tests, m.Evidence.By = len(tests), tests })
	}
	keys, values := run("Keys", "p.TestA", "p.TestB", "p.TestC"), run("Values", "p.TestV")
	f := finding.Finding{Kind: finding.Gap, Mutant: &keys, Also: []*results.Mutant{&values}}
	if got, want := claim(f, "with any of these edits").Markdown(), "`TestA`, `TestV` and 2 more tests run some of this code, and pass with any of these edits."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
