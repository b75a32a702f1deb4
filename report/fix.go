package report

import (
	"slices"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// unprovedFix reports whether the change says that it fixes something, and no test notices what it does to any function.
// A part that is noticed counts only if the whole could not be undone: old and new lines mixed often make no sense.
func unprovedFix(r *results.Results) bool {
	whole := map[string]bool{} // functions whose change can be undone as a whole without a test failing
	for _, m := range r.Mutants {
		whole[m.Function] = whole[m.Function] || m.Evidence.Whole && m.Status == results.Survived
	}
	return r.Revisions.Fixes && !slices.ContainsFunc(r.Mutants, func(m results.Mutant) bool {
		return isReversal(&m) && m.Status == results.Killed && (m.Evidence.Whole || !whole[m.Function])
	})
}

// ofFix reports whether m undoes all that a fix does to a function, where no test shows what it fixes. why is the reason
// to show m, or not to, that holds whatever the change says of itself. Then undoing the change may be a refactoring.
func (k ranking) ofFix(m *results.Mutant, why reason) bool {
	mayRefactor := []reason{unrunPart, unaltered, anew, reworded, unfuzzed, insertion, regrouped, otherNumber}
	return k.unprovedFix && m.Evidence.Whole && m.Evidence.Tests > 0 && slices.Contains(mayRefactor, why)
}

// fixAsOne merges the findings that begin with a mutant which undoes what a fix does to a function into one, at the
// place of the first. It is about these mutants alone: how else the functions can be altered matters less.
func (k ranking) fixAsOne(found []Finding) (list []Finding) {
	undoes := func(m *results.Mutant) bool { return k.reason(m) == unproved }
	first := -1
	for _, f := range found {
		if f.Fix = undoes(f.Mutant); !f.Fix {
			list = append(list, f)
			continue
		}
		if first < 0 {
			first = len(list)
			list = append(list, Finding{Kind: f.Kind, Key: f.Key, Mutant: f.Mutant, Fix: true})
		}
		for _, m := range f.all() {
			if m != list[first].Mutant && undoes(m) {
				list[first].Also = append(list[first].Also, m)
			}
		}
	}
	return list
}

// fixTitle says that no test shows what a fix fixes.
func fixTitle(r *results.Results, f Finding) prose {
	undone := f.functions(isReversal)
	p := append(functionsOf(r, f), span{": " + noTest(f) + " fails without this fix", false})
	if undone > 1 { // they were undone one by one
		p = append(p, span{" in any one of them", false})
	}
	return p
}
