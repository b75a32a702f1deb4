package finding

import (
	"testing"

	. "github.com/mutantfuzz/mutantfuzz/report/internal/sample"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestWhatOtherPackagesCannotSeeIsNoChangeOfBehaviour(t *testing.T) {
	for _, tt := range []struct {
		original, mutant string
		hidden           bool
	}{
		{"[0]: &p.Pattern{}", "[0]: &p.Pattern{matchType: 4}", true},
		{"p.Pattern{matchType: 1, n: 2}, nil", "p.Pattern{matchType: 4}, nil", true},
		{"p.Pattern{Type: 1}, nil", "p.Pattern{Type: 4}, nil", false},
		{"1, p.Pattern{n: 1}", "2, p.Pattern{n: 1}", false},
		{`p.Pattern{n: 1, Name: "a"}`, `p.Pattern{n: 1, Name: "b"}`, false},
		{"[]int{1}", "[]int{2}", false},
		{`&p.S{key: "A b", list: []string{"B"}}`, "&p.S{}", true},
		{`&p.S{key: "A b", Inner: p.T{at: 1}}, nil`, `&p.S{Inner: p.T{}}, nil`, true},
		{`&p.S{key: "A b", Name: "a"}`, `&p.S{key: "A b"}`, false},
	} {
		m := Survivor("a1", Undone)
		m.ExposedBy = &results.ExposedBy{Driver: true, Call: "F()", Original: tt.original, Mutant: tt.mutant}
		m.Stage = results.Propagated
		if f := Findings(&results.Results{Mutants: []results.Mutant{m}}); len(f) != 1 || (f[0].Kind == Gap) != tt.hidden {
			t.Errorf("%s, else %s: %+v", tt.original, tt.mutant, f)
		}
	}
}
