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

// orUnproved returns unproved if m undoes all that a fix does to a function, where no test shows what it fixes. Otherwise
// it returns why, the reason to show m, or not to, that holds whatever the change says of itself.
func (k ranking) orUnproved(m *results.Mutant, why reason) reason {
	weaker := []reason{unrunPart, unaltered, anew, reworded, unfuzzed, insertion, regrouped, otherNumber, unwritten}
	if k.unprovedFix && m.Evidence.Whole && m.Evidence.Tests > 0 && slices.Contains(weaker, why) && !alikeEverywhere(m) {
		return unproved
	}
	return why
}

// alikeEverywhere reports whether so many inputs, through all of the old code, give the same with m, which undoes a
// change, that it is likely that no input differs.
func alikeEverywhere(m *results.Mutant) bool {
	return !m.Exposed() && m.Evidence.Agreed >= sparedOften && m.Evidence.OldUnrun == 0
}

// fixAsOne puts one finding in the place of those that begin with a mutant which undoes what a fix does to a function. It
// has all such mutants, and no others: how else the functions can be altered matters less.
func (k ranking) fixAsOne(r *results.Results, found []Finding) (list []Finding) {
	if !k.unprovedFix {
		return found
	}
	undoes := func(m *results.Mutant) bool { return m.Status == results.Survived && k.reason(m) == unproved }
	told := false
	for _, f := range found {
		if !undoes(f.Mutant) {
			list = append(list, f)
			continue
		}
		if told {
			continue
		}
		one := Finding{Kind: f.Kind, Key: f.Key, Mutant: f.Mutant, Fix: true}
		for i := range r.Mutants {
			if m := &r.Mutants[i]; m != f.Mutant && undoes(m) {
				one.Also = append(one.Also, m)
			}
		}
		list, told = append(list, one), true
	}
	return list
}

// fixTitle says that no test shows what a fix fixes.
func fixTitle(r *results.Results, f Finding) prose {
	undone := f.functions(isReversal)
	p := append(functionsOf(r, f), span{": " + noTest(f) + " fails without this fix", false})
	switch { // they were undone one by one
	case undone > 2:
		p = append(p, span{" in any of them", false})
	case undone == 2:
		p = append(p, span{" in either of them", false})
	}
	return p
}
