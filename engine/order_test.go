package engine

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mutantfuzz/mutantfuzz/diffscope"
	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestFunctionsThatOnlyUseWhatChangedComeLast(t *testing.T) {
	u, _ := lied()
	u.mutants = nil
	u.functions = []diffscope.Function{
		{Function: results.Function{ID: "p.Uses", Package: "p", Reason: results.ReasonUsesChanged}},
		{Function: results.Function{ID: "p.Changed", Package: "p", Reason: results.ReasonChanged}},
	}
	hunk := &mutate.Hunk{First: 7, Count: 1}
	for i, m := range []mutate.Mutant{
		{ID: "used", Function: "p.Uses", Line: 1},
		{ID: "rest", Function: "p.Changed", Line: 5},
		{ID: "changed", Function: "p.Changed", Line: 6, OnDiff: true},
		{ID: "undoes", Function: "p.Changed", Line: 7, OnDiff: true, Hunk: hunk},
	} {
		u.woven.Mutants = append(u.woven.Mutants, weave.Mutant{Mutant: &m, Block: i})
	}
	u.addMutants()
	var judged []string
	for _, m := range u.judgeable() {
		judged = append(judged, u.mutants[m.Number-1].ID)
	}
	if diff := cmp.Diff([]string{"undoes", "changed", "rest", "used"}, judged); diff != "" {
		t.Errorf("judged: -want +got:\n%s", diff)
	}
	classes := map[int]string{}
	for _, m := range u.judgeable() {
		classes[m.Class] += u.mutants[m.Number-1].ID
	}
	if diff := cmp.Diff(map[int]string{classUndone: "undoes", classChanged: "changed", classRest: "rest", classLate: "used"}, classes); diff != "" {
		t.Errorf("classes: -want +got:\n%s", diff)
	}
	fuzzed := u.liveFor()
	if last := u.mutants[fuzzed[len(fuzzed)-1].ID-1].ID; len(fuzzed) != 4 || last != "used" {
		t.Errorf("of %d fuzzed the last is %s", len(fuzzed), last)
	}
}
