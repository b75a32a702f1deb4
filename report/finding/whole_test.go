package finding

import (
	"strings"
	"testing"

	. "github.com/mutantfuzz/mutantfuzz/report/internal/sample"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestAFindingIsPartOfWhatUndoesMoreLines(t *testing.T) {
	const most = 1_000_000_000 // what the schema allows
	lines := func(first, last int) results.Mutant {
		return Survivor("a1", Line(first), func(m *results.Mutant) { m.EndLine = last })
	}
	never := func(first, last int) results.Mutant {
		return Survivor("b1", Line(first), func(m *results.Mutant) { m.Evidence.Never = &results.Code{StartLine: first, EndLine: last - 1} })
	}
	for name, tt := range map[string]struct {
		all  []results.Mutant
		want bool
	}{
		"one line":              {[]results.Mutant{lines(3, 3)}, true},
		"as many lines":         {[]results.Mutant{lines(3, 6)}, false},
		"the same lines":        {[]results.Mutant{lines(3, 5), never(3, 5), lines(4, 4)}, true},
		"lines that overlap":    {[]results.Mutant{lines(4, 6), lines(3, 5)}, false},
		"lines apart":           {[]results.Mutant{lines(9, 9), lines(3, 4)}, true},
		"as many lines, apart":  {[]results.Mutant{lines(9, 10), lines(3, 4)}, false},
		"far more than one has": {[]results.Mutant{never(1, most), lines(2, most)}, false},
		"a place that is far":   {[]results.Mutant{lines(most, most), lines(1, 1)}, true},
	} {
		f := Finding{Kind: Gap, Mutant: &tt.all[0]}
		for i := range tt.all[1:] {
			f.Also = append(f.Also, &tt.all[i+1])
		}
		whole := Survivor("w1", Undoes(strings.Join([]string{"a()", "b()", "c()", "d()"}, "\n"), ""))
		if got := f.isPartOf(&whole); got != tt.want {
			t.Errorf("%s: %t, want %t", name, got, tt.want)
		}
	}
}

func TestOfAChangeThatIsToAlterNothingOnlyInputsTell(t *testing.T) {
	undone := Survivor("a1", Function("p.F"), Undoes("f()\ng()\n", "g()\n"))
	shown := Survivor("b2", Function("p.G"), Undone, Exposed)
	r := &results.Results{Mutants: []results.Mutant{undone, shown}}
	if got := ids(Findings(r)); got != "b2 a1" {
		t.Fatalf("of another change: findings %q", got)
	}
	r.Revisions.Alike = true
	if got := ids(Findings(r)); got != "b2" {
		t.Errorf("findings %q", got)
	}
	if r.Mutants[1].ExposedBy.Ends = results.CrashPanic; len(Findings(r)) > 0 {
		t.Errorf("that the old code fails is a finding: %q", ids(Findings(r)))
	}
}

func TestAPartThatIsNoticedInAnotherFunctionIsAFindingWhateverItNeeds(t *testing.T) {
	of := func(id, function string) results.Mutant {
		return Survivor(id, Function(function), Undoes("x, y := pair(args)\n", "x := one(args[0])\ny := one(args[1])\n"), func(m *results.Mutant) {
			m.Needs = &results.Needs{Added: []results.Addition{{Text: "\nvar one func(string) string\n"}}}
		})
	}
	r := &results.Results{Mutants: []results.Mutant{of("a1", "p.F"), of("b2", "p.G")}}
	if got := ids(Findings(r)); got != "" {
		t.Errorf("of two that no test notices: findings %q", got)
	}
	noticedBy("p.TestG")(&r.Mutants[1])
	if got := ids(Findings(r)); got != "a1" {
		t.Errorf("of one that a test notices: findings %q", got)
	}
}
