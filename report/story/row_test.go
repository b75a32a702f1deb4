package story

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mutantfuzz/mutantfuzz/report/finding"
	. "github.com/mutantfuzz/mutantfuzz/report/internal/sample"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestRelatedFunctionsAreToldInOneTable(t *testing.T) {
	r := &results.Results{
		Scope:     []results.Function{{ID: "p.Set", Package: "p", Name: "Set", Reason: results.ReasonAdded}, {ID: "p.Parse", Package: "p", Name: "Parse"}},
		AddedData: []string{"p.limit"},
		Mutants:   []results.Mutant{Survivor("a1", Function("p.Set"), Removal, Unverified), Survivor("b2", Function("p.Parse"))},
	}
	r.Mutants[0].Context, r.Mutants[1].Context = "\tlimit = n", "\tif depth > limit {"
	var got []string
	for _, one := range Of(r, finding.Findings(r)[0]).Rows {
		got = append(got, fmt.Sprint(one.line, " ", one.Edit.Plain("", "")))
	}
	if diff := cmp.Diff([]string{"102 ab2 → bb2", "101 leave out aa1 in Set"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestResultsAtTheEndThatAreTheSameAreLeftOut(t *testing.T) {
	for _, tt := range [][4]string{{"a: 1, _, _", "a: 2, _, _", "a: 1", "a: 2"}, {"_, 1", "_, 2", "_, 1", "_, 2"}, {"1, _", "panics: x", "1, _", "panics: x"}} {
		if a, b := withoutBlanks(tt[0], tt[1]); a != tt[2] || b != tt[3] {
			t.Errorf("%q: %q, %q", tt, a, b)
		}
	}
}
