package finding

import (
	"slices"

	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/fact"
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
		return edit.IsReversal(&m) && m.Status == results.Killed && (m.Evidence.Whole || !whole[m.Function])
	})
}

// missedByAdded returns the IDs of the mutants that undo all that the change does to a function, although tests that it adds
// run that: these pass without the change.
func missedByAdded(r *results.Results) map[string]bool {
	missed := map[string]bool{}
	for _, m := range r.Mutants {
		if fact.AddedTests(r) > 0 && m.Evidence.Whole && m.Status == results.Survived && slices.ContainsFunc(m.Evidence.ByChange, func(t results.NewTest) bool {
			return t.Change != results.TestAltered && slices.Contains(r.NewTests, t)
		}) {
			missed[m.ID] = true
		}
	}
	return missed
}

// orUnproved returns unproved if m undoes all that a fix does to a function, where no test shows what it fixes, or idle
// if no input shows it either. Otherwise it returns why, the reason to show m, or not to, that holds whatever the change
// says of itself.
func (k ranking) orUnproved(m *results.Mutant, why reason) reason {
	weaker := []reason{unrunPart, unaltered, anew, reworded, unfuzzed, insertion, regrouped, otherNumber, unwritten, likeNoticed}
	switch {
	case !k.unprovedFix || !m.Evidence.Whole || m.Evidence.Tests == 0 && !endsUndone(m):
	case why == agreeing || slices.Contains(weaker, why) && alikeEverywhere(m):
		if k.missesFix { // else it may not be meant to alter any result
			return idle
		}
	case slices.Contains(weaker, why):
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
	undoes := func(m *results.Mutant) bool {
		why := k.reason(m)
		return m.Status == results.Survived && (why == unproved || why == idle)
	}
	told := false
	for _, f := range found {
		if !undoes(f.Mutant) {
			list = append(list, f)
			continue
		}
		if told {
			continue
		}
		one := Finding{Kind: Gap, Key: f.Key, Mutant: f.Mutant, Fix: true} // whatever an input shows that nobody can read
		for i := range r.Mutants {
			if m := &r.Mutants[i]; m != f.Mutant && undoes(m) {
				one.Also = append(one.Also, m)
			}
		}
		list, told = append(list, one), true
	}
	return list
}

// AgreedOn returns on how many inputs, at least, the functions of f give the same as before the fix; 0: too few to tell,
// or one of them does not.
func (f Finding) AgreedOn() int64 {
	least := f.Mutant.Evidence.Agreed
	for _, m := range f.All() {
		if !alikeEverywhere(m) {
			return 0
		}
		least = min(least, m.Evidence.Agreed)
	}
	return least
}
