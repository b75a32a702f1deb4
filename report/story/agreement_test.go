package story

import (
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/finding"
	. "github.com/mutantfuzz/mutantfuzz/report/internal/sample"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestNoLineSaysThatAFindingMakesNoDifference(t *testing.T) {
	r := &results.Results{Mutants: []results.Mutant{Survivor("a1", Function("p.F"), Undone, FuzzedWith(7_600_000))}}
	if len(Agreement(r, nil)) == 0 {
		t.Fatal("no line")
	}
	if len(Agreement(r, []finding.Finding{{Old: &results.OldTest{Test: "p.TestF"}}})) > 0 {
		t.Error("a line beside a test that the change breaks")
	}
	if line := Agreement(r, []finding.Finding{{Mutant: &r.Mutants[0]}}); len(line) != 0 {
		t.Errorf("%s", line.Plain("", ""))
	}
}

func TestFunctionsThatDoWhatTheyDidAreNamedInOneLine(t *testing.T) {
	r := &results.Results{Mutants: []results.Mutant{
		Survivor("a1", Function("p.F"), Undone, FuzzedWith(7_600_000)), Survivor("b2", Function("p.G"), Undone, FuzzedWith(140_000)),
		Survivor("c3", Function("p.H"), Undone, FuzzedWith(200_000)), Survivor("d4", Function("p.I"), Undone, FuzzedWith(200_000)),
	}}
	if got, want := Agreement(r, nil).Markdown(), "Old and new `p.F`, `p.G`, `p.H` and 1 more function give the same results on 140.0 k inputs each, or more."; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
