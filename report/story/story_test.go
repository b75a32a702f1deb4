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

func TestResultsOfArgumentsThatCannotBeWrittenAreTold(t *testing.T) {
	exposed := func(change func(*results.ExposedBy)) results.Mutant {
		m := Survivor("a1", Undone, func(m *results.Mutant) { m.Stage = results.Propagated })
		m.ExposedBy = &results.ExposedBy{Site: "d_test.go:7: parse(r, 3)", Original: "1", Mutant: "panics: index out of range", Driver: true, Inner: true}
		change(m.ExposedBy)
		return m
	}
	for name, tt := range map[string]struct {
		change func(*results.ExposedBy)
		want   string
	}{
		"two results":                       {func(*results.ExposedBy) {}, "With some generated arguments, parse(r, 3) gives 1; without this part of the change, panics: index out of range."},
		"a call that is written":            {func(x *results.ExposedBy) { x.Call = "parse(nil, 3)" }, "parse(nil, 3) gives 1; without this part of the change, panics: index out of range."},
		"a receiver that cannot be written": {func(x *results.ExposedBy) { x.Partly = "r.parse(nil, 3, key)" }, "For some generated r and key, r.parse(nil, 3, key) gives 1; without this part of the change, panics: index out of range."},
		"results that say nothing":          {func(x *results.ExposedBy) { x.Mutant = "1" }, ""},
		"an unexported field":               {func(x *results.ExposedBy) { x.Original, x.Mutant = "n: 1", "n: 2" }, ""},
		"an unknown call":                   {func(x *results.ExposedBy) { x.Site = "d_test.go:7" }, ""},
		"a fuzz target":                     {func(x *results.ExposedBy) { x.Driver, x.Harness = false, "p.FuzzF" }, "FuzzF: parse(r, 3) gives 1; without this part of the change, panics: index out of range."},
	} {
		m := exposed(tt.change)
		if got := Of(&results.Results{}, finding.Finding{Kind: finding.Gap, Mutant: &m}).Witness.Plain("", ""); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

func TestTheOnlyInputOfATableIsToldInASentence(t *testing.T) {
	r := &results.Results{Mutants: []results.Mutant{Survivor("a1", Function("p.F")), Survivor("b2", Function("p.F"), Exposed), Survivor("c3", Function("p.F"))}}
	f := finding.Finding{Kind: finding.Gap, Mutant: &r.Mutants[0], Also: []*results.Mutant{&r.Mutants[1], &r.Mutants[2]}}
	s := Of(r, f)
	if got, want := s.Witness.Markdown(), "`Fb2()` gives `1`; with the edit of line 102, `2`."; got != want || s.Rows[1].Input != "" {
		t.Errorf("%s, want %s; rows %+v", got, want, s.Rows)
	}
	Exposed(&r.Mutants[2])
	if s := Of(r, f); len(s.Witness) > 0 || s.Rows[1].Input == "" || s.Rows[2].Input == "" {
		t.Errorf("two inputs: %s, rows %+v", s.Witness.Markdown(), s.Rows)
	}
}
