package story

import (
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/finding"
	. "github.com/mutantfuzz/mutantfuzz/report/internal/sample"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestAFunctionIsToldOnce(t *testing.T) {
	x := results.ExposedBy{Harness: "p.Driver_F", Driver: true, Call: "F(1)", Original: "1", Mutant: "2"}
	old := func(id, of string) results.Mutant {
		return Survivor(id, Function(of), Undone, Status(results.Killed, results.Revealed), func(m *results.Mutant) { m.Evidence.Old = &x })
	}
	r := &results.Results{Mutants: []results.Mutant{old("a1", "p.F"), old("a2", "p.F"), old("a3", "p.G"), old("a4", "p.H"), old("a5", "p.I")}}
	if got := strings.Count(Altered(r, nil).Markdown(), "with its old lines"); got != maxAltered {
		t.Errorf("%d are told", got)
	}
}

func TestWhatAFindingSaysOfTheBaseIsNotToldAgain(t *testing.T) {
	x := results.ExposedBy{Harness: "p.Driver_F", Driver: true, Call: `F("a;")`, Original: `"a"`, Mutant: `"a;"`, Base: "a;"}
	r := &results.Results{Mutants: []results.Mutant{
		Survivor("a1", Function("p.F"), Undone, Status(results.Killed, results.Revealed), func(m *results.Mutant) { m.Evidence.Old = &x }),
	}}
	shown := Survivor("b2", Function("p.F"), Exposed)
	shown.ExposedBy.Base = "a;"
	for _, function := range []string{"p.F", "p.G"} {
		shown.Function = function
		if line := Altered(r, []finding.Finding{{Kind: finding.Gap, Mutant: &shown}}); (len(line) == 0) != (function == "p.F") {
			t.Errorf("beside a finding in %s: %v", function, line)
		}
	}
}
