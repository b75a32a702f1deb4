package report

import (
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/finding"
	. "github.com/mutantfuzz/mutantfuzz/report/internal/sample"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestAnUndonePartOfTheChangeIsNoEditOfOtherCode(t *testing.T) {
	unaltering := Survivor("a1", Function("p.F"), Undone, func(m *results.Mutant) { m.Stage, m.Evidence.Tests = results.Reached, 1 })
	ownOnly := func(m *results.Mutant) { m.Evidence.OwnOnly = true }
	awaits := func(m *results.Mutant) { m.Evidence.Awaits = true }
	for _, tt := range []struct {
		name    string
		mutants []results.Mutant
		want    string
	}{
		{"alone", []results.Mutant{unaltering}, "No test notices 1 undone part of the change, either (x has them)."},
		{"beside others", []results.Mutant{unaltering, Survivor("b2", Function("p.G"), ElsewhereInIt)},
			"No test notices 1 edit of code that the change does not touch, or 1 undone part of the change, either (x has them)."},
		{"where some tests did not run", []results.Mutant{unaltering, Survivor("b2", Function("p.G"), ElsewhereInIt, ownOnly)},
			"No test that ran notices 1 edit of code that the change does not touch, or 1 undone part of the change, either (x has them)."},
		{"where tests of the change did not run", []results.Mutant{Survivor("b2", Function("p.G"), ElsewhereInIt, awaits)},
			"No test that ran notices 1 edit of code that the change does not touch, either (x has them)."},
		{"none", nil, ""},
	} {
		r := &results.Results{Mutants: tt.mutants}
		s := finding.Select(r, nil, 0)
		if got := elsewhere(&s, "x"); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}
