package report

import (
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestRefactoringIsAReassuringLine(t *testing.T) {
	same := survivor("a1", function("p.F"), undone, fuzzedWith(7_600_000))
	for name, tt := range map[string]struct {
		mutants []results.Mutant
		want    bool
	}{
		"all parts agree":      {[]results.Mutant{same, survivor("b2", function("p.F"), undone, fuzzedWith(8_000_000))}, true},
		"one does not compile": {[]results.Mutant{same, survivor("b2", function("p.F"), undone, status(results.Unviable, ""))}, true},
		"one was noticed":      {[]results.Mutant{same, survivor("b2", function("p.F"), undone, status(results.Killed, results.Revealed))}, false},
		"one differs":          {[]results.Mutant{same, survivor("b2", function("p.F"), undone, fuzzedWith(5000), exposed)}, false},
		"few inputs":           {[]results.Mutant{survivor("a1", function("p.F"), undone, fuzzedWith(3))}, false},
		"no part is undone":    {[]results.Mutant{survivor("a1", function("p.F"), fuzzedWith(7_600_000))}, false},
	} {
		t.Run(name, func(t *testing.T) {
			body := Markdown(&results.Results{Mutants: tt.mutants}, Options{})
			if got := strings.Contains(body, "\nOld and new `p.F` give the same results on 7.6 M inputs.\n"); got != tt.want {
				t.Errorf("the line is there: %t, want %t:\n%s", got, tt.want, body)
			}
		})
	}
}
