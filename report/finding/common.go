package finding

import (
	"slices"

	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/fact"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// This file finds out what all edits of a finding have in common, so that a title can say it.

// NeverEmpty returns the list of which f, one edit that no input shows, removes the check that it is not empty, if the
// check never fails in tests and the code behind it would panic; "" if there is none.
func (f Finding) NeverEmpty(r *results.Results) string {
	m := f.Mutant
	list := letsThrough(m)
	if list == "" || len(f.Also) > 0 || fact.Example(m) != nil || !m.Evidence.Same || !edit.IsShort(list) {
		return ""
	}
	for i := range r.Mutants {
		if o := &r.Mutants[i]; o.File == m.File && indexes(o, m, list) {
			return list
		}
	}
	return ""
}

// Untaken returns the mutants of f that disable a branch of f's function whose condition is true in no test. It returns
// nil if there are fewer than two, or if the first mutant of f is not among them.
func (f Finding) Untaken(r *results.Results) (list []*results.Mutant) {
	for _, m := range f.All() {
		known := slices.ContainsFunc(list, func(o *results.Mutant) bool { return conditionOf(o) == conditionOf(m) })
		if m.Function == f.Mutant.Function && !known && edit.Effective(m) == "false" && m.Evidence.BranchEnd > 0 && neverRuns(r, m) {
			list = append(list, m)
		}
	}
	if len(list) < 2 || list[0] != f.Mutant {
		return nil
	}
	return list
}

// neverRuns reports whether nothing runs the branch that m disables by making its condition false.
func neverRuns(r *results.Results, m *results.Mutant) (found bool) {
	for i := range r.Mutants {
		if o := &r.Mutants[i]; o.File == m.File && m.EndOffset <= o.Offset && o.EndOffset <= m.Evidence.BranchEnd {
			if fact.Runs(o) || o.Evidence.Program {
				return false
			}
			found = found || o.Status == results.Survived
		}
	}
	return found && !m.Evidence.Program
}

// Unrun reports whether no test and no fuzz target runs any of the code that f is about.
func (f Finding) Unrun() bool {
	return !slices.ContainsFunc(f.All(), func(m *results.Mutant) bool { return !fact.Unrun(m) })
}

// Repeats reports whether m makes the first edit of f in another function.
func (f Finding) Repeats(m *results.Mutant) bool {
	return m.Function != f.Mutant.Function && editKey(m) == editKey(f.Mutant)
}

// Blind reports whether all tests that run the code of f check nothing.
func (f Finding) Blind() bool {
	return !slices.ContainsFunc(f.All(), func(m *results.Mutant) bool {
		return !fact.OnlyBlind(m) || !slices.Equal(m.Evidence.Blind, f.Mutant.Evidence.Blind)
	})
}
