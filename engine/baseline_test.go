package engine

import (
	"slices"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/engine/judge"
	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestTestsQuarantinedForTheSameReasonAreOneNote(t *testing.T) {
	var all []judge.Quarantined
	for _, test := range []string{"TestA", "TestB", "TestC", "TestD", "TestE"} {
		all = append(all, judge.Quarantined{Package: "p", Test: test, Why: "fails"})
	}
	all = append(all, judge.Quarantined{Package: "p", Test: "TestF", Why: "is flaky"}, judge.Quarantined{Package: "q", Test: "TestA", Why: "fails"})
	want := []string{
		"5 tests of p are quarantined, so their results are not used: each of TestA, TestB, TestC and 2 more fails",
		"p.TestF is quarantined, so its result is not used: it is flaky",
		"q.TestA is quarantined, so its result is not used: it fails",
	}
	if got := quarantineNotes(all); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestOnlyMutantsOfPackagesOfWhichNoTestPassesAreGivenUp(t *testing.T) {
	mutant := func(pkg string, s judge.Status) *evidence.Mutant {
		m := &evidence.Mutant{Mutant: &weave.Mutant{Mutant: &mutate.Mutant{}}, Package: pkg}
		m.Tests = &judge.Decision{Status: s, Kind: judge.Test, Test: "p.TestA"}
		return m
	}
	a := &analysis{
		mutants: evidence.Mutants{mutant("red", judge.Killed), mutant("red", judge.Survived), mutant("green", judge.Survived)},
		judged:  &judge.Result{Failures: []*judge.Failure{{Package: "red"}, {Package: "dependent"}}},
	}
	if err := a.baselineFails([]string{"green", "red"}); err != nil {
		t.Errorf("one package's tests pass, and yet %v", err)
	}
	for i, want := range []string{results.Killed, results.NotRun, results.Survived} {
		if got := a.mutants[i].Verdict().Status; got != want {
			t.Errorf("mutant %d is %s, want %s", i, got, want)
		}
	}
	if err := a.baselineFails([]string{"red"}); err == nil {
		t.Error("no error, although no test passes")
	}
	if err := a.baselineFails(nil); err != nil {
		t.Errorf("no touched package has tests, and yet %v", err)
	}
}
