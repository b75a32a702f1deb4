package report

import (
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestThatAllOfAChangeCanBeUndoneIsSaidOfAGap(t *testing.T) {
	whole := func(m *results.Mutant) {
		undoes("f()\ng()\nh()\n", "f()\n")(m)
		m.Evidence.Whole, m.Evidence.OldUnrun, m.Evidence.Tests = true, 1, 1
		m.Stage, m.Evidence.Execs = results.Infected, fuzzed // so that it has no entry of its own
	}
	edit := survivor("a1", function("p.F"), operator("statement-deletion"), func(m *results.Mutant) { m.Evidence.Tests = 1 })
	leftOut := survivor("a1", function("p.F"), operator("statement-deletion"), removal, func(m *results.Mutant) {
		m.Category, m.Evidence.Tests = results.CategoryRemoval, 1
	})
	for _, test := range []struct {
		name    string
		mutants []results.Mutant
		want    bool
	}{
		{"said", []results.Mutant{edit, survivor("b2", function("p.F"), whole)}, true},
		{"also where it has worth of its own", []results.Mutant{leftOut, survivor("b2", function("p.F"), whole, undoes("aa1\nb\nc\n", ""), between(edit.Offset, edit.Offset+8), fuzzedWith(0))}, true},
		{"not of a part", []results.Mutant{edit, survivor("b2", function("p.F"), whole, func(m *results.Mutant) { m.Evidence.Whole = false })}, false},
		{"nor of another function", []results.Mutant{edit, survivor("b2", function("p.G"), whole)}, false},
		{"nor if a test fails", []results.Mutant{edit, survivor("b2", function("p.F"), whole, status(results.Killed, results.Revealed))}, false},
		{"nor unconfirmed", []results.Mutant{edit, survivor("b2", function("p.F"), whole, unverified)}, false},
		{"nor if some tests did not run", []results.Mutant{edit, survivor("b2", function("p.F"), whole, func(m *results.Mutant) { m.Reason = "late" })}, false},
		{"nor if the edit is all of the change", []results.Mutant{edit, survivor("b2", function("p.F"), whole, undoes("f()\n", ""))}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := &results.Results{Mutants: test.mutants}
			found := Findings(r)
			if len(found) != 1 {
				t.Fatalf("%d findings", len(found))
			}
			const sentence, heading = "With all of the change to `p.F` undone, no test fails. ", "`p.F`: no test fails with all of its change undone"
			s := storyOf(r, found[0])
			claim := s.claim.plain("`", "`")
			if strings.HasPrefix(claim, sentence) != test.want || (s.title.plain("`", "`") == heading) != test.want {
				t.Errorf("%s: %s", s.title.plain("`", "`"), claim)
			}
			confirmed := Confirmations(r, 3)
			if got := len(confirmed) == 2 && confirmed[1].ID == "b2"; test.want && !got {
				t.Errorf("to confirm: %v", confirmed)
			}
		})
	}
}
