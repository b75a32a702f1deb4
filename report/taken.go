package report

import (
	"slices"

	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/fact"
	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// takenClaim says, of a mutant that leaves out a branch, or undoes a change that only adds one, that a test takes the
// branch and passes without it. It is empty if none is known to. Such a test looks as if it were enough.
func takenClaim(r *results.Results, m *results.Mutant) prose.Text {
	left := fact.LeftOut(m)
	for i := range r.Mutants {
		if o := &r.Mutants[i]; left.Noticed(o) && (m.Reason == "" || slices.Contains(m.Evidence.By, fact.Parent(o.KilledBy.Name))) { // else it may not have run with m
			return prose.Say("%s takes the branch of line "+prose.Exact(branchLine(m))+", and passes without it: other code gives what it expects.", fact.Local(o.KilledBy.Name))
		}
	}
	return nil
}

// branchLine returns the line of the condition of the branch that m leaves out.
func branchLine(m *results.Mutant) int {
	if edit.IsReversal(m) {
		return edit.FirstLine(m)
	}
	return m.Line
}
