package report

import (
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/finding"
	. "github.com/mutantfuzz/mutantfuzz/report/internal/sample"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestEverySurvivorAndCrashIsInExactlyOneFinding(t *testing.T) {
	r := fixture(t)
	times := map[string]int{}
	ranks := 0
	for _, f := range Describe(r) {
		for _, id := range append(f.Mutants, f.Crashes...) {
			times[id]++
		}
		if f.Shown != (f.Rank > 0) || f.Title == "" || f.Why == "" || f.ID == "" {
			t.Errorf("%+v", f)
		}
		if f.Shown {
			if ranks++; f.Rank != ranks {
				t.Errorf("rank %d after %d", f.Rank, ranks-1)
			}
		}
	}
	for i := range r.Mutants {
		want := 0
		if r.Mutants[i].Status == results.Survived {
			want = 1
		}
		if n := times[r.Mutants[i].ID]; n != want {
			t.Errorf("%s, %s, is in %d findings", r.Mutants[i].ID, r.Mutants[i].Status, n)
		}
	}
	for i := range r.Crashes {
		if n := times[r.Crashes[i].Entry]; n != 1 {
			t.Errorf("the crash on %s is in %d findings", r.Crashes[i].Entry, n)
		}
	}
}

func TestSurvivorsOfAFunctionAreOneFinding(t *testing.T) {
	r := &results.Results{Mutants: []results.Mutant{
		Survivor("a1", Function("p.F")), Survivor("b2", Function("p.F")), Survivor("c3", Function("p.F"), Operator("relational")), Survivor("d4"),
	}}
	r.Options.MaxFindings = finding.MaxFindings
	found := Describe(r)
	if len(found) != 3 || len(found[0].Mutants) != 2 || found[0].Kind != results.FindingGap || found[0].Line != 101 || found[0].EndLine != 102 {
		t.Fatalf("%+v", found)
	}
	if note := found[2]; note.Kind != results.FindingNote || note.Shown || len(note.Mutants) != 1 || note.Mutants[0] != "c3" {
		t.Errorf("%+v", note)
	}
}
