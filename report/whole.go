package report

import (
	"slices"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Confirmations returns the surviving mutants that have to be confirmed before a report shows n findings about mutants, in
// that order: the first of each, and then those that undo all of the change to their functions.
func Confirmations(r *results.Results, n int) (list []*results.Mutant) {
	found := mutants(r, newRanking(r), func(*results.Mutant) bool { return true })
	found = found[:min(len(found), n)]
	for _, f := range found {
		list = append(list, f.Mutant)
	}
	for _, f := range found {
		if m := wholeUndone(r, f.distinct()); m != nil {
			list = append(list, m)
		}
	}
	return list
}

// wholeUndone is the survivor that undoes all of the change to the function that f, a gap, is about, if that is more than the edits of f
// alter; nil: there is none, or f, which is distinct, tells of it.
func wholeUndone(r *results.Results, f Finding) *results.Mutant {
	agrees := func(a Agreement) bool { return a.Function == f.Mutant.Function }
	if f.Kind != Gap || f.Mutant.Evidence.Tests == 0 || slices.ContainsFunc(agreements(r), agrees) {
		return nil
	}
	for i := range r.Mutants {
		m := &r.Mutants[i]
		if m.Evidence.Whole && m.Function == f.Mutant.Function && m.Status == results.Survived && m.Evidence.Tests > 0 && m.Reason == "" && f.isPartOf(m) {
			return m
		}
	}
	return nil
}

// wholeTold is what wholeUndone has of f, which the review tells of: confirmed; nil: there is none.
func (f Finding) wholeTold(r *results.Results) *results.Mutant {
	if !f.aboutMutants() {
		return nil
	}
	if whole := wholeUndone(r, f.distinct()); whole != nil && whole.Verified {
		return whole
	}
	return nil
}

// isPartOf reports whether the lines of f's edits, with those that they keep from running, are fewer than m undoes.
func (f Finding) isPartOf(m *results.Mutant) bool {
	lines := map[int]bool{}
	for _, one := range f.all() {
		if one == m {
			return false
		}
		last := lastLine(one)
		if c := one.Evidence.Never; c != nil {
			last = max(last, c.EndLine+1)
		}
		for n := one.Line; n <= last; n++ {
			lines[n] = true
		}
	}
	c, undone := changeOf(m), 0
	for _, line := range diffOf(c.before, c.after, tokens) {
		if line.sign == '-' && line.text != "" {
			undone++
		}
	}
	return undone > len(lines)
}
