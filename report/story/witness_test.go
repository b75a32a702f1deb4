package story

import (
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/fact"
	. "github.com/mutantfuzz/mutantfuzz/report/internal/sample"
	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestACallThatNobodyReadsIsNoExample(t *testing.T) {
	for size, want := range map[int]bool{prose.MaxInline: true, prose.MaxInline + 1: false} {
		m := Survivor("a1", Exposed)
		m.ExposedBy.Driver, m.ExposedBy.Setup, m.ExposedBy.Test = true, []string{"x := f()"}, "func TestF(t *testing.T) {}"
		m.ExposedBy.Call = strings.Repeat("x", size-len(m.ExposedBy.Setup[0]))
		test, _ := testOf(testsFor([]*results.Mutant{&m}), verb{})
		if got := fact.Example(&m) != nil; got != want || (test != "") != want {
			t.Errorf("of %d bytes: an example %t, a test %t; want %t", size, got, test != "", want)
		}
	}
}
