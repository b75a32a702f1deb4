package finding

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	. "github.com/mutantfuzz/mutantfuzz/report/internal/sample"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// labelled has the survivors on one change, judged by two readers who did not know the ranking.
type labelled struct {
	Module, Base, Head string
	HeldOut            bool              `json:"held_out"` // the ranking was made without a look at these labels
	Scope              map[string]string // function → why it is in scope
	Mutants            []struct {
		ID, Function, Operator, Category, File, Stage, Errors string
		Line, Offset                                          int
		EndOffset                                             int `json:"end_offset"`
		Original, Replacement                                 string
		OnDiff                                                bool `json:"on_diff"`
		Beside                                                bool // on a changed line, in code that was there before
		Undone, Exposed                                       bool
		OnlyErrors                                            bool `json:"only_errors"`
		Execs                                                 int64
		Context                                               string
		BranchEnd                                             int `json:"branch_end"`
		Lines                                                 int // of its function, if that matters; 0: many
		Driven                                                int64
		ByCallers                                             int64 `json:"by_callers"`
		Driver, Inner, Unrun                                  bool
		InTest                                                bool `json:"in_test"`
		AsBefore                                              bool `json:"as_before"`
		Call                                                  string
		Never                                                 bool      // Evidence.Never has a branch that never ran
		Labels                                                [2]string // fix, noise, equivalent or wrong; one a reader
		Reason                                                string
		LeftAlone                                             bool `json:"left_alone"` // no operator makes it
	}
	Agrees []string // IDs of functions that give the same results as before the change on many inputs
}

// results returns the survivors as results, with an undone change for each function in Agrees. Labels do not have on how
// many inputs old and new agree: all on which a mutant ran stand for them, but too few for saying that they agree.
func (l *labelled) results() *results.Results {
	r := &results.Results{}
	for id, reason := range l.Scope {
		r.Scope = append(r.Scope, results.Function{ID: id, Reason: reason, StartLine: 1, EndLine: l.lines(id)})
	}
	for _, m := range l.Mutants {
		one := results.Mutant{
			ID: m.ID, Function: m.Function, Operator: m.Operator, Category: m.Category, File: m.File, Line: m.Line, Offset: m.Offset, EndOffset: m.EndOffset,
			Original: m.Original, Replacement: m.Replacement, Status: results.Survived, Stage: m.Stage, Verified: true,
			Context: m.Context, Evidence: results.Evidence{OnDiff: m.OnDiff, Beside: m.Beside, Execs: m.Execs, Agreed: min(m.Execs, fuzzed), Driven: m.Driven, ByCallers: m.ByCallers, BranchEnd: m.BranchEnd, Unrun: m.Unrun, Same: m.Stage == results.Reached},
		}
		if m.Never {
			one.Evidence.Never = &results.Code{}
		}
		if m.Exposed {
			one.ExposedBy = &results.ExposedBy{Errors: m.Errors, OnlyErrors: m.OnlyErrors, Driver: m.Driver, Inner: m.Inner, InTest: m.InTest, AsBefore: m.AsBefore, Call: m.Call}
		}
		r.Mutants = append(r.Mutants, one)
	}
	for _, id := range l.Agrees {
		r.Mutants = append(r.Mutants, Survivor("whole", Undone, Function(id), Status(results.Survived, results.Reached), FuzzedWith(agreed)))
	}
	return r
}

// lines returns the number of lines of a function, or 100 if it does not matter.
func (l *labelled) lines(id string) int {
	for _, m := range l.Mutants {
		if m.Function == id && m.Lines > 0 {
			return m.Lines
		}
	}
	return 100
}

// judged is a labelled survivor with what the ranking and the readers say of it.
type judged struct {
	repository, what string
	group            reason
	labels           [2]string
	open             bool // a review of the labelled survivors has an entry for it
}

// fix reports whether both readers would act on it.
func (j judged) fix() bool { return j.labels == [2]string{"fix", "fix"} }

// judgedSurvivors returns the labelled survivors that operators make: the held-out ones, or the others.
func judgedSurvivors(t *testing.T, heldOut bool) (all []judged) {
	t.Helper()
	data, err := os.ReadFile("testdata/labels.json")
	if err != nil {
		t.Fatal(err)
	}
	var list []labelled
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	for _, l := range list {
		if l.HeldOut != heldOut {
			continue
		}
		r := l.results()
		rank, open := newRanking(r), map[string]bool{}
		for _, f := range Select(r, nil, 0).Open {
			for _, m := range f.All() {
				open[m.ID] = true
			}
		}
		for i, m := range l.Mutants {
			if !m.LeftAlone {
				what := fmt.Sprintf("%s %s:%d %s: %v, %s", l.Module, m.File, m.Line, m.Operator, m.Labels, m.Reason)
				all = append(all, judged{l.Module, what, rank.reason(&r.Mutants[i]), m.Labels, open[m.ID]})
			}
		}
	}
	return all
}

// counts counts shown survivors: all, those that both readers would act on, and those that both call equivalent.
type counts struct{ shown, fix, equivalent int }

func (c *counts) add(j judged) {
	c.shown++
	if j.fix() {
		c.fix++
	}
	if j.labels == [2]string{"equivalent", "equivalent"} {
		c.equivalent++
	}
}

// area returns the area under the receiver operating characteristic: how often a survivor that both readers would act
// on has a greater worth than another one. Ties count half.
func area(all []judged) float64 {
	sum, pairs := 0.0, 0.0
	for _, a := range all {
		for _, b := range all {
			if !a.fix() || b.fix() {
				continue
			}
			pairs++
			switch {
			case a.group.worth > b.group.worth:
				sum++
			case a.group.worth == b.group.worth:
				sum += 0.5
			}
		}
	}
	return sum / pairs
}

// TestRankingAgreesWithReaders checks that what readers act on ranks above the rest, and that it is most of what is
// shown. The weights are not fitted to these labels, but some of the groups are.
func TestRankingAgreesWithReaders(t *testing.T) {
	all := judgedSurvivors(t, false)
	var c counts
	for _, j := range all {
		if j.group.worth >= worthShown {
			c.add(j)
			t.Logf("%s (%s)", j.what, j.group.why)
		}
	}
	under := area(all)
	t.Logf("%d shown of %d: %d worth it, %d equivalent; area under the curve %.2f", c.shown, len(all), c.fix, c.equivalent, under)
	if under < 0.75 || c.fix*100 < c.shown*85 || c.equivalent*20 > c.shown {
		t.Errorf("of %d shown %d are worth it and %d equivalent; area under the curve %.2f", c.shown, c.fix, c.equivalent, under)
	}
	if len(all) < 50 {
		t.Errorf("%d labels only", len(all))
	}
}

// TestMostOfWhatIsShownOfOtherChangesIsWorthIt uses changes that played no part in making the groups. Readers read only
// survivors that were shown. A review of all of them has no entry for some.
func TestMostOfWhatIsShownOfOtherChangesIsWorthIt(t *testing.T) {
	var group, entries counts
	for _, j := range judgedSurvivors(t, true) {
		if j.group.worth >= worthShown {
			group.add(j)
		}
		if j.open {
			entries.add(j)
		}
	}
	for _, c := range []counts{group, entries} {
		t.Logf("%d shown: %d worth it, %d equivalent", c.shown, c.fix, c.equivalent)
	}
	if group.fix*100 < group.shown*60 {
		t.Errorf("of %d above the bound %d are worth it", group.shown, group.fix)
	}
	if c := entries; c.shown < 20 || c.fix*100 < c.shown*65 || c.equivalent*20 > c.shown {
		t.Errorf("of %d shown %d are worth it and %d equivalent", c.shown, c.fix, c.equivalent)
	}
}

// sameForAll is the number of cases, at the mean of all groups, that are added to each group. So a group of few cases
// stays close to that mean.
const sameForAll = 4

// TestRankingAgreesWithReadersOfOtherRepositories checks the groups without the weights in the table. In each
// repository it shows the groups that readers of the other repositories would act on. Most of what it shows has to be
// worth it, and most of what is worth it has to be shown.
func TestRankingAgreesWithReadersOfOtherRepositories(t *testing.T) {
	all := judgedSurvivors(t, false)
	var c counts
	worth := 0
	for _, j := range all {
		if j.fix() {
			worth++
		}
		if shareElsewhere(all, j) >= worthShown {
			c.add(j)
		}
	}
	t.Logf("%d shown of %d: %d worth it of %d, %d equivalent", c.shown, len(all), c.fix, worth, c.equivalent)
	if c.fix*100 < c.shown*80 || c.fix*100 < worth*70 {
		t.Errorf("of %d shown %d are worth it, of %d in all", c.shown, c.fix, worth)
	}
}

// shareElsewhere returns the percentage of survivors in j's group that are worth it in the other repositories.
func shareElsewhere(all []judged, j judged) int {
	var group, others counts
	for _, o := range all {
		if o.repository == j.repository {
			continue
		}
		others.add(o)
		if o.group == j.group {
			group.add(o)
		}
	}
	mean := float64(others.fix) / float64(others.shown)
	return int(100 * (float64(group.fix) + sameForAll*mean) / float64(group.shown+sameForAll))
}
