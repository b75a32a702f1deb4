package report

import (
	"strings"
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

func TestACallThatNobodyReadsIsNoExample(t *testing.T) {
	for size, want := range map[int]bool{maxReadable: true, maxReadable + 1: false} {
		m := survivor("a1", exposed)
		m.ExposedBy.Driver, m.ExposedBy.Setup, m.ExposedBy.Test = true, []string{"x := f()"}, "func TestF(t *testing.T) {}"
		m.ExposedBy.Call = strings.Repeat("x", size-len(m.ExposedBy.Setup[0]))
		test, _ := testOf([]*results.Mutant{&m}, verb{})
		if got := example(&m) != nil; got != want || (test != "") != want {
			t.Errorf("of %d bytes: an example %t, a test %t; want %t", size, got, test != "", want)
		}
	}
}

func TestResultsThatLookTheSameAreNoExample(t *testing.T) {
	m := survivor("a1", exposed)
	m.ExposedBy.Original, m.ExposedBy.Mutant = "…0\\x00…", "…0\\x00…"
	if example(&m) != nil {
		t.Error("an example")
	}
}
