package story

import (
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/finding"
	. "github.com/mutantfuzz/mutantfuzz/report/internal/sample"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestAnEditOfAnotherFileNamesIt(t *testing.T) {
	a, b := Survivor("a1"), Survivor("b2", func(m *results.Mutant) { m.File = "g/g.go" })
	s := Of(&results.Results{}, finding.Finding{Kind: finding.Gap, Mutant: &a, Also: []*results.Mutant{&b}})
	for i, want := range []string{"line 101:", "g/g.go:102:"} {
		if got := s.Rows[i].Place().Plain("", ""); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestAnEditInAnotherFileIsNamedWithThat(t *testing.T) {
	first, other := Survivor("a1"), Survivor("b2", Line(171))
	other.File = "llms/other.go"
	f := finding.Finding{Mutant: &first, Also: []*results.Mutant{&other}}
	if got, want := edited(f, &other).Plain("", ""), "With the edit of line 171 of other.go"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := edited(f, &first).Plain("", ""), "With the edit of line 101"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
