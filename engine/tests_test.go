package engine

import (
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/engine/judge"
	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestKillsStandWhereTheTestsOfAnotherPackageFailWithoutAMutant(t *testing.T) {
	mutant := func(s judge.Status) *evidence.Mutant {
		return &evidence.Mutant{Mutant: &weave.Mutant{Mutant: &mutate.Mutant{}}, Tests: &judge.Decision{Status: s, Kind: judge.Test, Test: "p.TestA"}}
	}
	a := &analysis{mutants: evidence.Mutants{mutant(judge.Killed), mutant(judge.Undecided), mutant(judge.Survived)}}
	if err := a.baselineFails(&judge.Failure{Package: "q"}); err == nil {
		t.Error("no error")
	}
	for i, want := range []string{results.Killed, results.NotRun, results.NotRun} {
		if got := a.mutants[i].Verdict().Status; got != want {
			t.Errorf("mutant %d is %s, want %s", i, got, want)
		}
	}
}
