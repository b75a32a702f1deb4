package story

import (
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/finding"
	. "github.com/mutantfuzz/mutantfuzz/report/internal/sample"
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

func TestSurvivorsThatWereNotConfirmedAreNotNothing(t *testing.T) {
	survivor := results.Mutant{
		Status: results.Survived, Stage: results.Reached, Operator: "logical", Function: "p.F", Original: "a && b", Replacement: "a || b",
		Evidence: results.Evidence{OnDiff: true},
	}
	for verified, want := range map[bool]string{true: "p.F: no test fails with a || b in place of a && b", false: "nothing confirmed in time"} {
		survivor.Verified = verified
		r := &results.Results{Mutants: []results.Mutant{survivor}}
		s := finding.Select(r, nil, 0)
		if got := Headline(r, &s).Plain("", ""); got != want {
			t.Errorf("verified %t: %q, want %q", verified, got, want)
		}
	}
	survivor.Verified = false
	r := &results.Results{Mutants: []results.Mutant{survivor}}
	s := finding.Select(r, nil, 0)
	if got, want := FoldedTitle(&s, s.Untold()), "1 edit of a changed line that no test notices"; got != want {
		t.Errorf("title is %q, want %q", got, want)
	}
	r.Scope, r.Mutants[0].Evidence.OnDiff = []results.Function{{ID: survivor.Function, Reason: results.ReasonTestChanged}}, false
	s = finding.Select(r, nil, 0)
	if got, want := FoldedTitle(&s, s.Untold()), "1 edit that no test notices"; got != want {
		t.Errorf("where tests changed alone, the title is %q, want %q", got, want)
	}
	s.Folded[0].Evidence.OwnOnly = true
	if got, want := FoldedTitle(&s, s.Untold()), "1 edit that no test notices, not counting tests that could not run"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestHeadlineSaysIfNoTestJudgesTheCode(t *testing.T) {
	for name, tt := range map[string]struct {
		stats results.Stats
		tests string
		want  string
	}{
		"there are tests": {results.Stats{Builds: 1, Tests: 1}, "auto", "nothing to report"},
		"there are none":  {results.Stats{Builds: 1}, "auto", "nothing to report, as no test judges this code"},
		"none was to run": {results.Stats{Builds: 1}, "none", "nothing to report"},
	} {
		r := &results.Results{Stats: tt.stats, Options: results.Options{Tests: tt.tests}, Mutants: []results.Mutant{Survivor("a1", Operator("relational"))}}
		s := finding.Select(r, nil, 0)
		if got := Headline(r, &s).Plain("", ""); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}
