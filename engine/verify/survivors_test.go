package verify

import (
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/engine/executor"
	"github.com/mutantfuzz/mutantfuzz/engine/judge"
	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestWhatNoTestOfALargeSuiteRunsIsConfirmedFirst(t *testing.T) {
	v := &Verifier{Judged: &judge.Result{Surveys: []*judge.Survey{
		{Suite: &executor.Suite{Package: "example.com/large"}, Large: true},
		{Suite: &executor.Suite{Package: "example.com/small"}},
	}}}
	of := func(number int, pkg string) *evidence.Mutant {
		return &evidence.Mutant{Number: number, Package: pkg, Mutant: &weave.Mutant{Mutant: &mutate.Mutant{}}}
	}
	small, large, other := of(1, "example.com/small"), of(2, "example.com/large"), of(3, "example.com/small")
	shown := of(4, "example.com/large")
	shown.Exposed = &results.ExposedBy{}
	got := v.quickFirst([]*evidence.Mutant{small, shown, large, other})
	if want := []*evidence.Mutant{shown, large, small, other}; got[0] != want[0] || got[1] != want[1] || got[2] != want[2] || got[3] != want[3] {
		t.Errorf("mutants %d %d %d %d", got[0].Number, got[1].Number, got[2].Number, got[3].Number)
	}
}
