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
