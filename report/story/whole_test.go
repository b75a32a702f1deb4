package story

import (
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/finding"
	"github.com/mutantfuzz/mutantfuzz/report/internal/known"
	. "github.com/mutantfuzz/mutantfuzz/report/internal/sample"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestThatAllOfAChangeCanBeUndoneIsSaidOfAGap(t *testing.T) {
	whole := func(m *results.Mutant) {
		Undoes("f()\ng()\nh()\n", "f()\n")(m)
		m.Evidence.Whole, m.Evidence.OldUnrun, m.Evidence.Tests = true, 1, 1
		m.Stage, m.Evidence.Execs = results.Infected, known.Fuzzed // so that it has no entry of its own
	}
	edit := Survivor("a1", Function("p.F"), Operator("statement-deletion"), func(m *results.Mutant) { m.Evidence.Tests = 1 })
	leftOut := Survivor("a1", Function("p.F"), Operator("statement-deletion"), Removal, func(m *results.Mutant) {
		m.Category, m.Evidence.Tests = results.CategoryRemoval, 1
	})
	for _, test := range []struct {
		name    string
		mutants []results.Mutant
		want    bool
	}{
		{"said", []results.Mutant{edit, Survivor("b2", Function("p.F"), whole)}, true},
		{"also where it has worth of its own", []results.Mutant{leftOut, Survivor("b2", Function("p.F"), whole, Undoes("aa1\nb\nc\n", ""), Between(edit.Offset, edit.Offset+8), FuzzedWith(0))}, true},
		{"not of a part", []results.Mutant{edit, Survivor("b2", Function("p.F"), whole, func(m *results.Mutant) { m.Evidence.Whole = false })}, false},
		{"nor of another function", []results.Mutant{edit, Survivor("b2", Function("p.G"), whole)}, false},
		{"nor if a test fails", []results.Mutant{edit, Survivor("b2", Function("p.F"), whole, Status(results.Killed, results.Revealed))}, false},
		{"nor unconfirmed", []results.Mutant{edit, Survivor("b2", Function("p.F"), whole, Unverified)}, false},
		{"nor if some tests did not run", []results.Mutant{edit, Survivor("b2", Function("p.F"), whole, func(m *results.Mutant) { m.Reason = "late" })}, false},
		{"nor if the edit is all of the change", []results.Mutant{edit, Survivor("b2", Function("p.F"), whole, Undoes("f()\n", ""))}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := &results.Results{Mutants: test.mutants}
			found := finding.Findings(r)
			if len(found) != 1 {
				t.Fatalf("%d findings", len(found))
			}
			const sentence, heading = "With all of the change to `p.F` undone, no test fails. ", "`p.F`: no test fails when its whole change is undone"
			s := Of(r, found[0])
			claim := s.Claim.Plain("`", "`")
			if strings.HasPrefix(claim, sentence) != test.want || (s.Title.Plain("`", "`") == heading) != test.want {
				t.Errorf("%s: %s", s.Title.Plain("`", "`"), claim)
			}
			if drawn := len(s.Change) > 0 && strings.HasPrefix(s.Change[0], "+") && len(s.Rows) == 1; drawn != test.want {
				t.Errorf("the whole change is drawn, and the edit a row: %t, %v, %v", drawn, s.Change, s.Rows)
			}
			if sel := finding.Select(r, nil, 0); test.want && len(sel.Folded)+len(sel.Elsewhere)+len(sel.Undone) > 0 {
				t.Errorf("what is told is listed once more: %v", sel)
			}
			confirmed := finding.Confirmations(r, 3)
			if got := len(confirmed) == 2 && confirmed[1].ID == "b2"; test.want && !got {
				t.Errorf("to confirm: %v", confirmed)
			}
		})
	}
}

func TestLinesOfAWholeChangeThatNothingRunsAreNamed(t *testing.T) {
	whole := Survivor("b2", Function("p.F"), Undoes("f()\ng()\nh()\n", "f()\n"), func(m *results.Mutant) { m.EndLine = m.Line + 2 })
	for want, code := range map[string][]results.Code{
		"No test runs line 103.": {{StartLine: 103, EndLine: 103}}, "No test runs lines 102–103.": {{StartLine: 102, EndLine: 103}},
		"": {{StartLine: 101, EndLine: 101}, {StartLine: 104, EndLine: 110}},
	} {
		r := &results.Results{Scope: []results.Function{{ID: "p.F", File: "f.go", Unrun: code}}, Mutants: []results.Mutant{whole}}
		if got := unrunIn(r, &r.Mutants[0]).Plain("", ""); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
