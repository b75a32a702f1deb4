package fact

import (
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestRoundingIsToldFromAnotherResult(t *testing.T) {
	for _, tt := range []struct {
		original, mutant string
		want             bool
	}{
		{"-5005.524208694205", "-5005.524208689208", true},
		{"0.9999997133484281, nil", "0.9999997133484282, nil", true},
		{"[]float64{1, 0.1}", "[]float64{1, 0.10000000000000002}", true},
		{"1e+300", "1.0000000000000002e+300", true},
		{"1", "1.0000000000000002", true},
		{"-10.36", "10.36", false},
		{"-10.36", "-131.7", false},
		{"1000000000000", "1000000000001", false},
		{"0.5, true", "0.5, false", false},
		{`"1.25"`, `"1.26"`, false},
		{"1.5", "1.5", false},
		{"0", "1e-300", false},
	} {
		if got := OnlyRounding(&results.ExposedBy{Original: tt.original, Mutant: tt.mutant}); got != tt.want {
			t.Errorf("%s and %s: %t", tt.original, tt.mutant, got)
		}
	}
}
