package story

import (
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestMutantsThatAreNotJudgedAskForTimeOnlyWhereItWasShort(t *testing.T) {
	const advice = "--time"
	killed, notRun := results.Mutant{Status: results.Killed}, results.Mutant{Status: results.NotRun}
	failing := results.Mutant{Status: results.NotRun, Reason: results.TestsFail}
	unbuilt := results.Mutant{Status: results.NotRun, Reason: results.DoesNotBuild}
	tests := []struct {
		name           string
		mutants        []results.Mutant
		partial, short bool
	}{
		{"some", []results.Mutant{killed, notRun}, false, false},
		{"some, out of time", []results.Mutant{killed, notRun}, true, true},
		{"all", []results.Mutant{notRun}, false, false},
		{"all, out of time", []results.Mutant{notRun}, true, true},
		{"tests fail", []results.Mutant{failing}, true, false},
		{"the tests do not build", []results.Mutant{unbuilt}, true, false},
		{"tests of another package fail", []results.Mutant{killed, failing}, true, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Verdict(&results.Results{Scope: make([]results.Function, 1), Mutants: tt.mutants, Partial: tt.partial})
			if strings.Contains(got, advice) != tt.short || !strings.Contains(got, "judged") {
				t.Errorf("%q, want %s: %t", got, advice, tt.short)
			}
		})
	}
}

func TestHowManyMutantsOfChangedLinesAreNotJudgedIsSaid(t *testing.T) {
	changed := results.Mutant{Status: results.NotRun, Evidence: results.Evidence{OnDiff: true}}
	r := &results.Results{Scope: make([]results.Function, 1), Mutants: []results.Mutant{{Status: results.Killed}, {Status: results.NotRun}, changed, changed}}
	if got, want := Verdict(r), "3 of 4 mutants not judged, 2 of them on changed lines."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if r.Mutants = r.Mutants[:2]; Verdict(r) != "1 of 2 mutants not judged." {
		t.Errorf("%q", Verdict(r))
	}
}
