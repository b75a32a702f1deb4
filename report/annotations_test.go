package report

import (
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/finding"
	. "github.com/mutantfuzz/mutantfuzz/report/internal/sample"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestAnnotationsStandAtTheLinesOfTheirFindings(t *testing.T) {
	r := &results.Results{
		Scope:   []results.Function{{ID: "p.F", Name: "F", File: "f.go", StartLine: 9, EndLine: 12}},
		Mutants: []results.Mutant{Survivor("a1", Function("p.H")), Survivor("b7", Function("p.H"))},
		Crashes: []results.Crash{
			{Harness: "p.FuzzF", Entry: "e", Kind: results.CrashPanic, Message: "boom", Stack: "p.F(0x1)\n\t/src/f.go:10", Introduced: results.IntroducedYes},
			{Harness: "p.FuzzG", Entry: "g", Kind: results.CrashHang, Message: "no end", Introduced: results.IntroducedYes},
		},
	}
	s := finding.Select(r, nil, finding.MaxFindings)
	got := Annotations(r, &s)
	if len(got) != 2 {
		t.Fatalf("%+v", got) // a crash without a known place has no annotation
	}
	if a := got[0]; a.File != "f.go" || a.Line != 10 || !strings.Contains(a.Message, "boom") {
		t.Errorf("%+v", a)
	}
	if a := got[1]; a.Line != 101 || a.EndLine != 107 || a.Title != "mutantfuzz: Gap" || !strings.Contains(a.Message, ": no test fails with ba1 in place of aa1: line 101: aa1 → ba1; line 107: ab7 → bb7 — ") {
		t.Errorf("%+v", a) // the message is the only place that shows the edits
	}
}
