package judge

import (
	"fmt"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/executor"
	"github.com/mutantfuzz/mutantfuzz/engine/ledger"
)

// BenchmarkDecideBesideManyDependents decides on mutants beside many suites that reach none of them.
func BenchmarkDecideBesideManyDependents(b *testing.B) {
	r := &Result{OwnDone: true}
	for s := range 80 {
		v := &Survey{Suite: &executor.Suite{Package: fmt.Sprint("p", s)}, by: map[string]*coverage{}, runs: ledger.Ledger{}}
		for t := range 100 {
			name := fmt.Sprint("Test", t)
			v.Tests, v.by[name] = append(v.Tests, name), &coverage{}
		}
		r.Surveys = append(r.Surveys, v)
	}
	var mutants []*Mutant
	for n := range 500 {
		mutants = append(mutants, &Mutant{Number: n + 1, Package: "p0"})
	}
	for b.Loop() {
		for _, m := range mutants {
			r.Decide(m)
		}
	}
}
