package report

import (
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestAnnotationsStandAtTheLinesOfTheirFindings(t *testing.T) {
	r := &results.Results{
		Scope:   []results.Function{{ID: "p.F", Name: "F", File: "f.go", StartLine: 9, EndLine: 12}},
		Mutants: []results.Mutant{survivor("a1", function("p.H")), survivor("b7", function("p.H"))},
		Crashes: []results.Crash{
			{Harness: "p.FuzzF", Entry: "e", Kind: results.CrashPanic, Message: "boom", Stack: "p.F(0x1)\n\t/src/f.go:10", Introduced: results.IntroducedYes},
			{Harness: "p.FuzzG", Entry: "g", Kind: results.CrashHang, Message: "no end", Introduced: results.IntroducedYes},
		},
	}
	s := Select(r, nil, MaxFindings)
	got := Annotations(r, &s)
	if len(got) != 2 {
		t.Fatalf("%+v", got) // a crash without a known place has no annotation
	}
	if a := got[0]; a.File != "f.go" || a.Line != 10 || !strings.Contains(a.Message, "boom") {
		t.Errorf("%+v", a)
	}
	if a := got[1]; a.Line != 101 || a.EndLine != 107 || a.Title != "mutantfuzz: Gap" || !strings.Contains(a.Message, ", or with 1 other edit: line 101: aa1 → ba1; line 107: ab7 → bb7 — ") {
		t.Errorf("%+v", a) // the message is the only place that shows the edits
	}
}

func TestTheLineAtFaultIsThatOfTheStack(t *testing.T) {
	scope := []results.Function{{ID: "p.F", Name: "F", File: "sub/f.go", StartLine: 9, EndLine: 12}, {ID: "p.T.M", Name: "T.M", File: "m.go", StartLine: 3, EndLine: 5}}
	for _, tt := range []struct {
		stack, name string
		line        int
	}{
		{"p.F\n\tsub/f.go:11\n", "F", 11},
		{"p.F(0x1)\n\t/src/sub/f.go:11 +0x1a\n", "F", 11},
		{"p.F[...]\n\tsub/f.go:10\n", "F", 10},
		{"p.F.func1\n\tsub/f.go:12\n", "F", 12},
		{"q.G\n\tg.go:1\np.(*T).M\n\tm.go:4\n", "T.M", 4},
		{"p.F\n\tsub/f.go:99\n", "F", 9},    // not a line of F
		{"p.F\n\tother.go:11\n", "F", 9},    // another file
		{"p.F\n\tnot/sub/f.go:x\n", "F", 9}, // no line number
		{"p.F", "F", 9},
		{"p.Fuzz\n\tsub/f.go:11\n", "", 0}, // another function
	} {
		f, line := culpritOf(&results.Results{Scope: scope}, &results.Crash{Stack: tt.stack})
		name := ""
		if f != nil {
			name = f.Name
		}
		if name != tt.name || line != tt.line {
			t.Errorf("%q: %q, line %d; want %q, %d", tt.stack, name, line, tt.name, tt.line)
		}
	}
}
