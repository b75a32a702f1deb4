package edit

import (
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestTheBoundaryIsWhereAComparisonAndItsReplacementDiffer(t *testing.T) {
	for _, tt := range []struct{ original, replacement, want string }{
		{"len(key)*8 < 384", "len(key)*8 <= 384", "len(key)*8 == 384"},
		{"a < b", "a != b", "a > b"},
		{"a >= b", "a == b", "a > b"},
		{"a == b", "a <= b", "a < b"},
		{"a != b", "a > b", "a < b"},
		{"a < b", "a > b", ""},
		{"a < b", "a < c", ""},
		{"a < b", "a < b && false", ""},
		{"a < b && c", "a <= b && c", ""},
		{"a +", "a <= b", ""},
	} {
		if got := Boundary(&results.Mutant{Original: tt.original, Replacement: tt.replacement}); got != tt.want {
			t.Errorf("%s in place of %s differs where %q, want %q", tt.replacement, tt.original, got, tt.want)
		}
	}
}

// All relations of two numbers are tried, so that each entry of the table is right.
func TestEachBoundaryHoldsExactlyWhereTheValuesDiffer(t *testing.T) {
	holds := map[string]func(a, b int) bool{
		"<": func(a, b int) bool { return a < b }, "<=": func(a, b int) bool { return a <= b },
		">": func(a, b int) bool { return a > b }, ">=": func(a, b int) bool { return a >= b },
		"==": func(a, b int) bool { return a == b }, "!=": func(a, b int) bool { return a != b },
	}
	for pair, relation := range between {
		for a := range 3 {
			differ := holds[pair[0].String()](a, 1) != holds[pair[1].String()](a, 1)
			if differ != holds[relation.String()](a, 1) {
				t.Errorf("%s in place of %s: differ for %d and 1: %t", pair[1], pair[0], a, differ)
			}
		}
	}
}
