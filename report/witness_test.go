package report

import (
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestErrorsWithinResultsAreErrors(t *testing.T) {
	for _, tt := range []struct {
		original, mutant string
		want             bool
	}{
		{`err: error("avro: for long and logical")`, `err: error("avro: for long")`, true},
		{`Errs[0]: *p.Error("a")`, `Errs[0]: *p.Error("b")`, true},
		{`err: error("a")`, `err: nil`, false},
		{`Name: "error(a)"`, `Name: "error(b)"`, false},
		{`1`, `2`, false},
	} {
		if got := differInErrors(&results.ExposedBy{Original: tt.original, Mutant: tt.mutant}); got != tt.want {
			t.Errorf("%s, %s: %t", tt.original, tt.mutant, got)
		}
	}
}
