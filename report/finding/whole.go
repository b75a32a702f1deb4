package finding

import (
	"cmp"
	"slices"

	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Confirmations returns the surviving mutants that have to be confirmed before a report shows n findings about mutants.
// First come the first mutants of all these findings, then the mutants that undo the whole change to their functions.
func Confirmations(r *results.Results, n int) (list []*results.Mutant) {
	found := possible(r, newRanking(r))
	found = found[:min(len(found), n)]
	for _, f := range found {
		list = append(list, f.Mutant)
	}
	for _, f := range found {
		if m := wholeUndone(r, f.Distinct()); m != nil {
			list = append(list, m)
		}
	}
	return list
}

// wholeUndone returns the survivor that undoes the whole change to the function of f, a gap, if that is more than the
// mutants of f alter. It returns nil if there is none, if f has it, or if old and new agree on many inputs. f must come
// from Finding.Distinct.
func wholeUndone(r *results.Results, f Finding) *results.Mutant {
	agrees := func(a Agreement) bool { return a.Function == f.Mutant.Function }
	if f.Kind != Gap || f.Mutant.Evidence.Tests == 0 || slices.ContainsFunc(Agreements(r), agrees) {
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

// WholeTold returns the survivor that undoes the whole change to the function of f, a gap, if that is more than the mutants
// of f alter, and if it is confirmed, so that the review may mention it; nil: there is none, or the change says that the
// program behaves as before.
func (f Finding) WholeTold(r *results.Results) *results.Mutant {
	if !f.AboutMutants() || r.Revisions.Alike {
		return nil
	}
	if whole := wholeUndone(r, f.Distinct()); whole != nil && whole.Verified {
		return whole
	}
	return nil
}

// isPartOf reports whether the mutants of f, with the lines that they disable, cover fewer lines than m undoes. It does not
// go through the lines one by one: in forged results they may be very many.
func (f Finding) isPartOf(m *results.Mutant) bool {
	type lines struct{ first, last int }
	var spans []lines
	for _, one := range f.All() {
		if one == m {
			return false
		}
		last := edit.LastLine(one)
		if c := one.Evidence.Never; c != nil {
			last = max(last, c.EndLine+1)
		}
		spans = append(spans, lines{one.Line, last})
	}
	slices.SortFunc(spans, func(a, b lines) int { return cmp.Compare(a.first, b.first) })
	covered, next := 0, 0
	for _, s := range spans {
		covered += max(0, s.last+1-max(s.first, next))
		next = max(next, s.last+1)
	}
	return edit.Of(m).Removed() > covered
}
