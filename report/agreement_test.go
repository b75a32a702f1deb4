package report

import (
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/internal/known"
	. "github.com/mutantfuzz/mutantfuzz/report/internal/sample"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestRefactoringIsAReassuringLine(t *testing.T) {
	same := Survivor("a1", Function("p.F"), Undone, FuzzedWith(7_600_000))
	within := func(begin, end int) func(*results.Mutant) {
		return func(m *results.Mutant) { m.Offset, m.EndOffset = begin, end }
	}
	whole, part := Survivor("a1", Function("p.F"), Undone, FuzzedWith(7_600_000), within(10, 90)), within(20, 30)
	for name, tt := range map[string]struct {
		mutants []results.Mutant
		want    bool
	}{
		"a part was noticed, the whole agrees": {[]results.Mutant{whole, Survivor("b2", Function("p.F"), Undone, part, Status(results.Killed, results.Revealed))}, true},
		"a part agrees, the whole was noticed": {[]results.Mutant{
			Survivor("a1", Function("p.F"), Undone, within(10, 90), Status(results.Killed, results.Revealed)),
			Survivor("b2", Function("p.F"), Undone, part, FuzzedWith(7_600_000)),
		}, false},
		"all parts agree":                           {[]results.Mutant{same, Survivor("b2", Function("p.F"), Undone, FuzzedWith(8_000_000))}, true},
		"one does not compile":                      {[]results.Mutant{same, Survivor("b2", Function("p.F"), Undone, Status(results.Unviable, ""))}, true},
		"one was noticed":                           {[]results.Mutant{same, Survivor("b2", Function("p.F"), Undone, Status(results.Killed, results.Revealed))}, false},
		"one differs":                               {[]results.Mutant{same, Survivor("b2", Function("p.F"), Undone, FuzzedWith(5000), Exposed)}, false},
		"old code never ran":                        {[]results.Mutant{Survivor("a1", Function("p.F"), Undone, FuzzedWith(7_600_000), func(m *results.Mutant) { m.Evidence.OldUnrun = 1 })}, false},
		"new code never ran":                        {[]results.Mutant{same, Survivor("b2", Function("p.F"), func(m *results.Mutant) { m.Evidence.Tests, m.Evidence.Execs = 0, 0 })}, false},
		"a new call has no effect that inputs show": {[]results.Mutant{same, Survivor("b2", Function("p.F"), Operator("statement-deletion"), FuzzedWith(5000))}, false},
		"... nor need one that is left as it was":   {[]results.Mutant{same, Survivor("b2", Function("p.F"), Operator("statement-deletion"), FuzzedWith(5000), func(m *results.Mutant) { m.Evidence.Beside = true })}, true},
		"few inputs":                                {[]results.Mutant{Survivor("a1", Function("p.F"), Undone, FuzzedWith(known.Agreed-1))}, false},
		"it nearly always fails": {[]results.Mutant{Survivor("a1", Function("p.F"), Undone, FuzzedWith(7_600_000), func(m *results.Mutant) {
			m.Evidence.Agreed = known.Agreed - 1
		})}, false},
		"no part is undone": {[]results.Mutant{Survivor("a1", Function("p.F"), FuzzedWith(7_600_000))}, false},
	} {
		t.Run(name, func(t *testing.T) {
			body := Markdown(&results.Results{Mutants: tt.mutants}, Options{})
			if got := strings.Contains(body, "\nOld and new `p.F` give the same results on 7.6 M inputs.\n"); got != tt.want {
				t.Errorf("the line is there: %t, want %t:\n%s", got, tt.want, body)
			}
		})
	}
}

func TestWhatTheChangeBrokeDoesNotAgree(t *testing.T) {
	same := Survivor("a1", Function("p.F"), Undone, FuzzedWith(7_600_000))
	scope := []results.Function{{ID: "p.F", Name: "F", File: "f.go", StartLine: 1, EndLine: 9}}
	for name, crash := range map[string]results.Crash{
		"its part mends the crash": {Harness: "p.FuzzF", Entry: "e", Kind: results.CrashHang, Introduced: results.IntroducedYes, MendedBy: "a1"},
		"it is the one that fails": {Harness: "p.FuzzF", Entry: "e", Kind: results.CrashPanic, Introduced: results.IntroducedYes, Stack: "p.F\n\tf.go:3\n"},
	} {
		r := &results.Results{Scope: scope, Mutants: []results.Mutant{same}, Crashes: []results.Crash{crash}}
		if body := Markdown(r, Options{}); strings.Contains(body, "give the same results") {
			t.Errorf("%s:\n%s", name, body)
		}
		r.Crashes[0].Introduced, r.Crashes[0].MendedBy = results.IntroducedNo, ""
		if body := Markdown(r, Options{}); !strings.Contains(body, "give the same results") {
			t.Errorf("%s, on the base, too:\n%s", name, body)
		}
	}
}

func TestWhatReadsNewDataDoesNotAgree(t *testing.T) {
	same := Survivor("a1", Function("p.F"), Undoes("\treturn a.nameLower < b.nameLower\n", "\treturn lower(a.name) < lower(b.name)\n"), FuzzedWith(7_600_000))
	r := &results.Results{Scope: []results.Function{{ID: "p.F", Name: "F", File: "f.go", StartLine: 1, EndLine: 9}}, Mutants: []results.Mutant{same}}
	for data, agree := range map[string]bool{"p.T.other": true, "p.T.nameLower": false} {
		r.AddedData = []string{data}
		if body := Markdown(r, Options{}); strings.Contains(body, "give the same results") != agree {
			t.Errorf("with %s new:\n%s", data, body)
		}
	}
}
