package report

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// labelled are survivors on one change, judged by two readers who did not know the ranking.
type labelled struct {
	Module, Base, Head string
	Scope              map[string]string // function → why it is in scope
	Mutants            []struct {
		ID, Function, Operator, Category, File, Stage, Errors string
		Line, Offset                                          int
		EndOffset                                             int `json:"end_offset"`
		Original, Replacement                                 string
		OnDiff                                                bool `json:"on_diff"`
		Undone, Exposed                                       bool
		OnlyErrors                                            bool `json:"only_errors"`
		Execs                                                 int64
		Context                                               string
		BranchEnd                                             int `json:"branch_end"`
		Driven                                                int64
		Driver, Inner, Unrun                                  bool
		InTest                                                bool `json:"in_test"`
		Call                                                  string
		Labels                                                [2]string // fix, noise, equivalent or wrong
		Reason                                                string
	}
}

// results are the survivors as results have them.
func (l *labelled) results() *results.Results {
	r := &results.Results{}
	for id, reason := range l.Scope {
		r.Scope = append(r.Scope, results.Function{ID: id, Reason: reason})
	}
	for _, m := range l.Mutants {
		one := results.Mutant{
			ID: m.ID, Function: m.Function, Operator: m.Operator, Category: m.Category, File: m.File, Line: m.Line, Offset: m.Offset, EndOffset: m.EndOffset,
			Original: m.Original, Replacement: m.Replacement, Status: results.Survived, Stage: m.Stage, Verified: true,
			Context: m.Context, Evidence: results.Evidence{OnDiff: m.OnDiff, Execs: m.Execs, Driven: m.Driven, BranchEnd: m.BranchEnd, Unrun: m.Unrun},
		}
		if m.Exposed {
			one.ExposedBy = &results.ExposedBy{Errors: m.Errors, OnlyErrors: m.OnlyErrors, Driver: m.Driver, Inner: m.Inner, InTest: m.InTest, Call: m.Call}
		}
		r.Mutants = append(r.Mutants, one)
	}
	return r
}

// TestRankingAgreesWithReaders: what maintainers act on comes before the rest, and most of what
// is shown is that. The weights are not fitted to these labels, but some of the groups are.
func TestRankingAgreesWithReaders(t *testing.T) {
	data, err := os.ReadFile("testdata/labels.json")
	if err != nil {
		t.Fatal(err)
	}
	var list []labelled
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	var fix, rest []int // worth
	shown, shownFix, shownEquivalent := 0, 0, 0
	for _, l := range list {
		r := l.results()
		rank := newRanking(r)
		for i, m := range l.Mutants {
			worth := rank.reason(&r.Mutants[i])
			if m.Labels[0] == "fix" && m.Labels[1] == "fix" {
				fix = append(fix, worth.worth)
			} else {
				rest = append(rest, worth.worth)
			}
			if worth.worth < worthShown {
				continue
			}
			shown++
			switch m.Labels {
			case [2]string{"fix", "fix"}:
				shownFix++
			case [2]string{"equivalent", "equivalent"}:
				shownEquivalent++
			}
			t.Logf("%s %s:%d %s, %s: %v, %s", l.Module, m.File, m.Line, m.Operator, worth.why, m.Labels, m.Reason)
		}
	}
	area := 0.0 // under the receiver operating characteristic
	for _, a := range fix {
		for _, b := range rest {
			switch {
			case a > b:
				area++
			case a == b:
				area += 0.5
			}
		}
	}
	area /= float64(len(fix) * len(rest))
	t.Logf("%d shown of %d: %d worth it, %d equivalent; area under the curve %.2f", shown, len(fix)+len(rest), shownFix, shownEquivalent, area)
	if area < 0.7 || shownFix*4 < shown*3 || shownEquivalent*20 > shown {
		t.Errorf("of %d shown %d are worth it and %d equivalent; area under the curve %.2f", shown, shownFix, shownEquivalent, area)
	}
	if len(fix)+len(rest) < 50 {
		t.Errorf("%d labels only", len(fix)+len(rest))
	}
}
