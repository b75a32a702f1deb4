package finding

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/fact"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// mutants returns the findings about survivors, grouped and ordered. Each begins with a mutant that eligible accepts.
func mutants(r *results.Results, rank ranking, eligible func(*results.Mutant) bool) []Finding {
	found := grouped(r, rank.withoutRepeats(rank.single(r)), eligible)
	found = rank.fixAsOne(r, rank.unrunAsOne(found, eligible))
	for i := range found {
		found[i].arrange(r, rank, eligible)
	}
	slices.SortStableFunc(found, func(a, b Finding) int {
		return cmp.Or(compareBool(!a.evident(), !b.evident()), byKind(a, b), compareBool(a.beginsUnrun(), b.beginsUnrun()))
	})
	return found
}

// beginsUnrun reports whether f is a gap that begins with an edit of code that nothing runs, which coverage shows as well. It
// comes after gaps that nothing else shows.
func (f Finding) beginsUnrun() bool { return f.Kind == Gap && f.AboutMutants() && fact.Unrun(f.Mutant) }

// byKind orders findings by how serious they are.
func byKind(a, b Finding) int {
	return cmp.Or(cmp.Compare(a.kindInOrder(), b.kindInOrder()), cmp.Compare(b.Kind, a.Kind))
}

// kindInOrder returns the kind of f, which its place in the order is by. A branch of a line or two that no test takes is code
// that nothing runs, and comes after more of that.
func (f Finding) kindInOrder() Kind {
	if f.Kind != Gap || !f.AboutMutants() || f.Fix || linesNotTaken(f.Mutant) == 0 {
		return f.Kind
	}
	if slices.ContainsFunc(f.All(), func(m *results.Mutant) bool { return fact.Example(m) != nil || !fact.Unrun(m) && !endsShortBranch(m) }) {
		return f.Kind
	}
	return NotRun
}

// endsShortBranch reports whether m disables a branch of a line or two that nothing takes.
func endsShortBranch(m *results.Mutant) bool {
	n := linesNotTaken(m)
	return 0 < n && n <= 2
}

// single returns the survivors that are worth an entry of their own, each as a finding, those first that say most.
func (k ranking) single(r *results.Results) []Finding {
	mends, broken := mending(r), withBugs(r)
	worth := map[*results.Mutant]int{}
	var all, simplest []Finding
	for i := range r.Mutants {
		m := &r.Mutants[i]
		if m.Status != results.Survived || mends[m.ID] || broken[m.Function] {
			continue
		}
		why := k.reason(m)
		if worth[m] = why.worth; why.worth >= worthShown {
			all = append(all, mutantFinding(m, why))
		} else if why == simple {
			simplest = append(simplest, mutantFinding(m, why))
		}
	}
	all = append(all, relatedTo(r, all, simplest)...)
	near, switchesOff := neighboursOf(r), map[*results.Mutant]bool{}
	for _, f := range all {
		switchesOff[f.Mutant] = near.switchesOff(f.Mutant)
	}
	slices.SortStableFunc(all, func(a, b Finding) int {
		return cmp.Or(
			// A change of behaviour that callers can see says more than any edit of the same function.
			compareBool(b.Kind == Behaviour && worth[b.Mutant] >= twoValues.worth, a.Kind == Behaviour && worth[a.Mutant] >= twoValues.worth),
			cmp.Compare(worth[b.Mutant], worth[a.Mutant]),
			cmp.Compare(a.Kind, b.Kind),
			compareBool(a.slight(), b.slight()),
			clearest(a.Mutant, b.Mutant, a.Kind),
			compareBool(entersUntaken(b.Mutant), entersUntaken(a.Mutant)), // a branch that tests take and miss may come to the same
			compareBool(switchesOff[b.Mutant], switchesOff[a.Mutant]),     // at another place, it undoes what the change is for
			byPlace(a.Mutant, b.Mutant),
		)
	})
	return all
}

// entersUntaken reports whether an input shows m by way of a branch that no test takes.
func entersUntaken(m *results.Mutant) bool { return m.Evidence.Never != nil && fact.Example(m) != nil }

// clearest orders two survivors of the same worth, which both belong to findings of one kind, by how clearly they say what
// follows from them.
func clearest(a, b *results.Mutant, kind Kind) int {
	clarity := 0
	if kind == NotRun { // only the first mutant of a group gets a test
		clarity = cmp.Compare(fact.Clarity(b), fact.Clarity(a))
	}
	return cmp.Or(
		compareBool(a.Evidence.Beside, b.Evidence.Beside),
		compareBool(accepts(b), accepts(a)),
		clarity,
		compareBool(passesNil(a), passesNil(b)),
		compareBool(showsAfterwards(a), showsAfterwards(b)),
		compareBool(onlyByNew(b), onlyByNew(a)),
	)
}

// arrange chooses the first mutant of f, and which others it has in which order.
func (f *Finding) arrange(r *results.Results, rank ranking, eligible func(*results.Mutant) bool) {
	f.widen(eligible)
	f.enterBranch(eligible)
	if f.illustrate(eligible) || f.undo(eligible) {
		f.Kind = mutantFinding(f.Mutant, rank.reason(f.Mutant)).Kind
	}
	if f.Kind != NotRun && rank.changed(f.Mutant) { // the rest of the function would only make it longer
		f.Also = slices.DeleteFunc(f.Also, func(m *results.Mutant) bool { return !rank.changed(m) })
	}
	if list := f.Untaken(r); len(list) > 0 { // in the order in which the title has them
		f.Also = slices.Concat(list[1:], slices.DeleteFunc(f.Also, func(m *results.Mutant) bool { return slices.Contains(list, m) }))
	}
}

// widen makes f, a gap, begin with the mutant that disables a whole condition, if its first mutant alters only a part
// of that condition. No test makes the condition true, so its parts do not matter before the whole does.
func (f *Finding) widen(eligible func(*results.Mutant) bool) {
	i := slices.IndexFunc(f.Also, func(m *results.Mutant) bool { return fact.NeverTrue(m) && inCondition(f.Mutant, m) && eligible(m) })
	if f.Kind == Gap && i >= 0 {
		f.beginWith(i)
	}
}

// manyUnrun is how many lines that nothing runs say more than an edit of lines that run.
const manyUnrun = 5

// enterBranch makes f, a gap that no input shows, begin with the mutant that disables a branch which no test takes, if
// that branch has many lines. If there are several, it takes the longest.
func (f *Finding) enterBranch(eligible func(*results.Mutant) bool) {
	if f.Kind != Gap || f.Fix || fact.Example(f.Mutant) != nil || fact.Unseen(f.Mutant) != "" {
		return
	}
	longest, most := -1, manyUnrun-1
	for i, m := range f.Also {
		if n := linesNotTaken(m); n > most && m.Function == f.Mutant.Function && eligible(m) {
			longest, most = i, n
		}
	}
	if longest >= 0 {
		f.beginWith(longest)
	}
}

// BeginsUntaken reports whether f is a gap that begins with a branch of many lines that no test takes. It is told alone.
func (f Finding) BeginsUntaken() bool { return f.Kind == Gap && linesNotTaken(f.Mutant) >= manyUnrun }

// linesNotTaken returns the number of lines of a branch that nothing takes, if m disables that branch; else 0.
func linesNotTaken(m *results.Mutant) int {
	if m.Evidence.Never == nil || fact.Unseen(m) == "" {
		return 0
	}
	return m.Evidence.Never.EndLine - m.Evidence.Never.StartLine + 1
}

// beginWith makes Also[i] the first mutant of f.
func (f *Finding) beginWith(i int) {
	first := f.Also[i]
	f.Also = slices.Insert(slices.Delete(slices.Clone(f.Also), i, i+1), 0, f.Mutant)
	f.Mutant, f.Key = first, mutantKey(first)
}

// illustrate makes f, a gap, begin with a mutant of the same function that an input shows, if no input shows its first
// one: the input says what follows from the edit. It reports whether it did so.
func (f *Finding) illustrate(eligible func(*results.Mutant) bool) bool {
	if f.Kind != Gap || f.Fix || fact.Example(f.Mutant) != nil || fact.Unseen(f.Mutant) != "" {
		return false
	}
	i := slices.IndexFunc(f.Also, func(m *results.Mutant) bool {
		return m.Function == f.Mutant.Function && fact.Example(m) != nil && !fact.Unrun(m) && eligible(m)
	})
	if i >= 0 {
		f.beginWith(i)
	}
	return i >= 0
}

// maxUndone is how many lines the undone part of a change may have to come before edits within it.
const maxUndone = 3

// undo makes f, a gap that no input shows, begin with the undone part of the change around its first edit, if that part
// is short: an author sees at once that no test asks for what he added. It reports whether it did so.
func (f *Finding) undo(eligible func(*results.Mutant) bool) bool {
	if f.Kind != Gap || f.Fix || edit.IsReversal(f.Mutant) || fact.Example(f.Mutant) != nil || fact.Unseen(f.Mutant) != "" {
		return false
	}
	i := slices.IndexFunc(f.Also, func(m *results.Mutant) bool {
		return edit.IsReversal(m) && !m.Evidence.Whole && m.Function == f.Mutant.Function && // of the whole wholeUndone tells
			m.File == f.Mutant.File && m.Offset <= f.Mutant.Offset && f.Mutant.EndOffset <= m.EndOffset && edit.Of(m).Size() <= maxUndone && !fact.Unrun(m) && eligible(m)
	})
	if i >= 0 {
		f.beginWith(i)
	}
	return i >= 0
}

// accepts reports whether m undoes a part of the change that makes the program accept what it refused before. Such a
// change of behaviour may do harm.
func accepts(m *results.Mutant) bool {
	x := fact.Witness(m)
	return edit.IsReversal(m) && x != nil && x.Ends == "" && (x.Errors == results.ErrorInMutant || x.Original == "true" && x.Mutant == "false")
}

// showsAfterwards reports whether the input calls the mutated function only for its effect, and a later call shows the
// difference. Such an input says less about what the code is for.
func showsAfterwards(m *results.Mutant) bool {
	x := fact.Witness(m)
	if x == nil || len(x.Setup) == 0 {
		return false
	}
	call := m.Function[strings.LastIndexByte(m.Function, '.')+1:] + "("
	return !strings.Contains(x.Call, call) && slices.ContainsFunc(x.Setup, func(before string) bool {
		return strings.Contains(before, call) && !strings.Contains(before, " := ")
	})
}

// onlyByNew reports whether all tests that run m are tests which the change adds or alters: they are about this code.
func onlyByNew(m *results.Mutant) bool {
	return m.Evidence.Tests > 0 && m.Evidence.Tests == len(m.Evidence.ByChange)
}

// evident reports whether f shows by itself what it is worth. It does if a program or test fails, if nothing runs the
// code, or many lines of it, if a call fails without a part of the change, if a test that comes with the change runs the
// first edit and misses it, or if a part of what tests run, undone, gives another result for what callers led to. It also
// does if one of its rows has an input that callers of the package can pass, or a call that a test makes of an exported
// function, for a method of an exported type. Otherwise the reader has to find out whether callers can ever see the
// difference. A short branch that no test takes does not: it is seldom worth a second finding. Nor does a slight finding.
func (f Finding) evident() bool {
	if f.slight() || f.Kind == Gap && f.kindInOrder() == NotRun {
		return false
	}
	if !f.AboutMutants() || f.Kind == NotRun || f.Fix || endsUndone(f.Mutant) || len(f.Mutant.Evidence.ByChange) > 0 || f.BeginsUntaken() {
		return true
	}
	if x, e := fact.Example(f.Mutant), f.Mutant.Evidence; f.Kind == Behaviour && e.Tests > 0 && e.ByCallers > 0 && x != nil && !fact.Hidden(x) {
		return true
	}
	all := f.All()
	return slices.ContainsFunc(all[:min(len(all), MaxRows)], func(m *results.Mutant) bool {
		x := fact.Example(m)
		return x != nil && !x.Inner && (!x.InTest || isOffered(m.Function))
	})
}

// compareBool orders false before true.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

func byPlace(a, b *results.Mutant) int {
	return cmp.Or(
		cmp.Compare(a.File, b.File),
		cmp.Compare(a.Line, b.Line),
		cmp.Compare(a.Column, b.Column),
		cmp.Compare(a.ID, b.ID),
	)
}

// nilArgument matches an argument that is nil, in Go source.
var nilArgument = regexp.MustCompile(`\(nil\)|\(nil,|, nil[,)]`)

// passesNil reports whether the call that shows m passes nil. Authors avoid such a test if another one will do.
func passesNil(m *results.Mutant) bool {
	x := fact.Example(m)
	return x != nil && !fact.Unrun(m) && nilArgument.MatchString(fact.Call(x.Setup, x.Call))
}
