package report

import (
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestAnnotationsStandAtTheLinesOfTheirFindings(t *testing.T) {
	r := &results.Results{
		Scope:   []results.Function{{ID: "p.F", Name: "F", File: "f.go", StartLine: 9}},
		Mutants: []results.Mutant{survivor("a1", function("p.F")), survivor("b7", function("p.F"))},
		Crashes: []results.Crash{
			{Harness: "p.FuzzF", Entry: "e", Kind: results.CrashPanic, Message: "boom", Stack: "p.F(0x1)\n\t/src/f.go:10", Introduced: results.IntroducedYes},
			{Harness: "p.FuzzG", Entry: "g", Kind: results.CrashHang, Message: "no end", Introduced: results.IntroducedYes},
		},
	}
	s := Select(r, nil, 0)
	got := Annotations(r, &s)
	if len(got) != 2 {
		t.Fatalf("%+v", got) // a crash nobody knows the place of has none
	}
	if a := got[0]; a.File != "f.go" || a.Line != 9 || !strings.Contains(a.Message, "boom") {
		t.Errorf("%+v", a)
	}
	if a := got[1]; a.Line != 101 || a.EndLine != 107 || a.Title != "mutantfuzz: Gap" {
		t.Errorf("%+v", a)
	}
}
