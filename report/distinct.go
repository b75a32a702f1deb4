package report

import (
	"math"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// distinct returns f without the mutants that amount to the same edit as another one: a hunk that
// only adds something is undone by leaving that out, and edits that show in the same call are one to a reader: who
// looks at what it gives notices all of them. Those with which the program ends there come before the others.
func (f Finding) distinct() Finding {
	kept := []*results.Mutant{f.Mutant}
	for _, m := range endingFirst(f.Also) {
		if !slices.ContainsFunc(kept, func(k *results.Mutant) bool { return alikeToReaders(k, m) || toldWith(k, m) }) {
			kept = append(kept, m)
		}
	}
	f.Also = kept[1:]
	return f
}

// endingFirst are mutants in their order, but those first with which the program ends in the call that shows them, of
// code that tests run, for want of what they leave out. That another condition makes it fail says little of the one that there is.
func endingFirst(list []*results.Mutant) []*results.Mutant {
	ends := func(m *results.Mutant) bool {
		return witness(m) != nil && m.ExposedBy.Ends != "" && !unrun(m) && (isReversal(m) || m.Category == results.CategoryRemoval)
	}
	return slices.SortedStableFunc(slices.Values(list), func(a, b *results.Mutant) int { return compareBool(ends(b), ends(a)) })
}

// toldWith reports whether m is in code that does not run because a condition, which another mutant forces, always has the
// value that it gives it, or alters a part of a condition that holds in no test: all that there is to say of m is that, if no input shows it.
func toldWith(forced, m *results.Mutant) bool {
	return unseen(forced) != "" && m != forced && example(m) == nil && (inBranch(m, forced) || neverTrue(forced) && inCondition(m, forced))
}

// inCondition reports whether m alters a part of the condition that another mutant alters as a whole, and no test sees a difference there.
func inCondition(m, whole *results.Mutant) bool {
	return m != whole && m.File == whole.File && m.Stage == results.Reached && !isReversal(m) &&
		whole.Offset <= m.Offset && m.EndOffset <= whole.EndOffset
}

// alikeToReaders reports whether two mutants are the same edit, or show in the same call.
func alikeToReaders(a, b *results.Mutant) bool {
	if emptiesBranch(a, b) || emptiesBranch(b, a) || undoesCheck(a, b) || undoesCheck(b, a) || isLeftOut(a, b) || isLeftOut(b, a) ||
		isWithin(a, b) || isWithin(b, a) || undoesPartOf(a, b) || undoesPartOf(b, a) {
		return true
	}
	return a.File == b.File && a.Line == b.Line && tokensOf(a) == tokensOf(b) || shownBy(a) != "" && shownBy(a) == shownBy(b)
}

// shownBy is the call that shows m, with all that makes what it is called on; empty: there is none that can be written.
func shownBy(m *results.Mutant) string {
	if x := witness(m); x != nil && x.Call != "" {
		return callOf(x.Setup, x.Call)
	}
	return ""
}

// tokensOf is what an edit takes away and what it adds, without comments, which it may leave behind or take along; of a
// condition made false it takes away the whole branch.
func tokensOf(m *results.Mutant) (edit struct{ removed, added string }) {
	c := changeOf(m)
	if effective(m) == "false" && m.Evidence.Branch != "" {
		c = branchOf(m)
	}
	for _, line := range c.lines(math.MaxInt) {
		switch code := tokens(line[1:]); line[0] {
		case '-':
			edit.removed += code
		case '+':
			edit.added += code
		}
	}
	return edit
}

// emptiesBranch reports whether m leaves out all that is done in the branch that another mutant leaves out.
func emptiesBranch(m, left *results.Mutant) bool {
	return inBranch(m, left) && changeOf(m).removes() && strings.TrimSpace(left.Evidence.Branch) == strings.TrimSpace(m.Original)
}

// isLeftOut reports whether m leaves out a part of what another mutant leaves out, which is all that a part of the change
// adds, where no input tells the two apart.
func isLeftOut(m, all *results.Mutant) bool {
	if m == all || m.File != all.File || !isReversal(all) || m.Offset < all.Offset || m.Offset >= all.EndOffset || witness(m) != nil || witness(all) != nil || !inserts(all) {
		return false
	}
	if isReversal(m) { // its lines end where they begin to be the same again, which may be behind those of the other one
		part, rest := addedLines(m)
		whole, _ := addedLines(all)
		return len(rest) == 0 && len(part) < len(whole) && follow(part, whole)
	}
	return m.Category == results.CategoryRemoval && m.EndOffset <= all.EndOffset && changeOf(m).removes()
}

// isWithin reports whether m alters a statement, or one in a case, that another mutant leaves out, where no input tells the two apart.
func isWithin(m, left *results.Mutant) bool {
	return (left.Operator == "statement-deletion" || left.Operator == "case-removal") && m != left && !isReversal(m) && m.File == left.File &&
		left.Offset <= m.Offset && m.EndOffset <= left.EndOffset && witness(m) == nil && witness(left) == nil
}

// undoesPartOf reports whether m undoes some of what another mutant undoes, where no input tells the two apart.
func undoesPartOf(m, whole *results.Mutant) bool {
	return m != whole && isReversal(m) && isReversal(whole) && m.File == whole.File &&
		whole.Offset <= m.Offset && m.EndOffset <= whole.EndOffset && witness(m) == nil && witness(whole) == nil
}

// undoesCheck reports whether m undoes a part of the change that only puts code under a condition, one that another
// mutant makes always true.
func undoesCheck(m, always *results.Mutant) bool {
	if !isReversal(m) || effective(always) != "true" || m.File != always.File || always.Offset < m.Offset || m.EndOffset < always.EndOffset {
		return false
	}
	added, rest := addedLines(m)
	return len(rest) == 0 && slices.Equal(added, []string{"if " + strings.Join(strings.Fields(always.Original), " ") + " {"})
}
