package finding

import (
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/fact"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Distinct returns f without mutants that a reader would take for the same edit as another one. That is so if both make
// the same textual change, or if both show in the same call: whoever checks the result of that call notices all of
// them. Mutants with which the program fails in that call come first among f.Also.
func (f Finding) Distinct() Finding {
	kept := []*results.Mutant{f.Mutant}
	for _, m := range endingFirst(f.Also) {
		if !slices.ContainsFunc(kept, func(k *results.Mutant) bool { return alikeToReaders(k, m) || toldWith(k, m) }) {
			kept = append(kept, m)
		}
	}
	f.Also = kept[1:]
	return f
}

// endingFirst returns mutants in their order, except that those come first with which the program fails in the call
// that shows them because of something that they leave out, in code that tests run. A failure caused by another
// condition says little about the condition in the source.
func endingFirst(list []*results.Mutant) []*results.Mutant {
	ends := func(m *results.Mutant) bool {
		return fact.Witness(m) != nil && m.ExposedBy.Ends != "" && !fact.Unrun(m) && (edit.IsReversal(m) || m.Category == results.CategoryRemoval)
	}
	return slices.SortedStableFunc(slices.Values(list), func(a, b *results.Mutant) int { return compareBool(ends(b), ends(a)) })
}

// toldWith reports whether forced tells all there is to say about m. That is so if no input shows m, and m is in a
// branch that never runs because the condition that forced alters always has the same value, or m alters a part of such
// a condition that is true in no test.
func toldWith(forced, m *results.Mutant) bool {
	return fact.Unseen(forced) != "" && m != forced && fact.Example(m) == nil && (inBranch(m, forced) || fact.NeverTrue(forced) && inCondition(m, forced))
}

// inCondition reports whether m alters a part of the condition that whole alters as a whole, and tests see no
// difference there.
func inCondition(m, whole *results.Mutant) bool {
	return m != whole && m.File == whole.File && m.Stage == results.Reached && !edit.IsReversal(m) &&
		whole.Offset <= m.Offset && m.EndOffset <= whole.EndOffset
}

// alikeToReaders reports whether two mutants are the same edit to a reader, or show in the same call.
func alikeToReaders(a, b *results.Mutant) bool {
	if emptiesBranch(a, b) || emptiesBranch(b, a) || undoesCheck(a, b) || undoesCheck(b, a) || isLeftOut(a, b) || isLeftOut(b, a) ||
		isWithin(a, b) || isWithin(b, a) || undoesPartOf(a, b) || undoesPartOf(b, a) {
		return true
	}
	return a.File == b.File && a.Line == b.Line && edit.SameTokens(a, b) || shownBy(a) != "" && shownBy(a) == shownBy(b)
}

// shownBy returns the call that shows m, with the statements that prepare it, or where and with which input it is made;
// "": there is none, or m undoes a part of the change, each of which is told.
func shownBy(m *results.Mutant) string {
	x := fact.Witness(m)
	switch {
	case x == nil:
		return ""
	case x.Call != "":
		return fact.Call(x.Setup, x.Call)
	case edit.IsReversal(m), x.InTest && x.Partly == "": // a test may make the call often, with other arguments
		return ""
	}
	return strings.Join([]string{x.Harness, x.Entry, x.Site, x.Partly}, " ")
}

// emptiesBranch reports whether m removes all statements of the branch that left disables.
func emptiesBranch(m, left *results.Mutant) bool {
	return inBranch(m, left) && edit.Of(m).Removes() && strings.TrimSpace(left.Evidence.Branch) == strings.TrimSpace(m.Original)
}

// isLeftOut reports whether m removes a part of what all removes, if no input shows either of them. all has to undo a
// part of the change that only adds code.
func isLeftOut(m, all *results.Mutant) bool {
	if m == all || m.File != all.File || !edit.IsReversal(all) || m.Offset < all.Offset || m.Offset >= all.EndOffset || fact.Witness(m) != nil || fact.Witness(all) != nil {
		return false
	}
	// The lines of m end where old and new are the same again, which may be behind the end of all.
	if edit.IsReversal(m) {
		part, rest := edit.AddedLines(m)
		whole, _ := edit.AddedLines(all)
		return len(rest) == 0 && len(part) < len(whole) && follow(part, whole) && inserts(all)
	}
	return m.Category == results.CategoryRemoval && m.EndOffset <= all.EndOffset && edit.Of(m).Removes() && inserts(all)
}

// isWithin reports whether m alters code within a statement or case clause that left removes, if no input shows either
// of them.
func isWithin(m, left *results.Mutant) bool {
	return (left.Operator == "statement-deletion" || left.Operator == "case-removal") && m != left && !edit.IsReversal(m) && m.File == left.File &&
		left.Offset <= m.Offset && m.EndOffset <= left.EndOffset && fact.Witness(m) == nil && fact.Witness(left) == nil
}

// undoesPartOf reports whether m undoes a part of what whole undoes, if no input shows either of them.
func undoesPartOf(m, whole *results.Mutant) bool {
	return m != whole && edit.IsReversal(m) && edit.IsReversal(whole) && m.File == whole.File &&
		whole.Offset <= m.Offset && m.EndOffset <= whole.EndOffset && fact.Witness(m) == nil && fact.Witness(whole) == nil
}

// undoesCheck reports whether m undoes a part of the change that only puts code under an if statement, and always makes
// the condition of that statement true.
func undoesCheck(m, always *results.Mutant) bool {
	if !edit.IsReversal(m) || edit.Effective(always) != "true" || m.File != always.File || always.Offset < m.Offset || m.EndOffset < always.EndOffset {
		return false
	}
	added, rest := edit.AddedLines(m)
	return len(rest) == 0 && slices.Equal(added, []string{"if " + strings.Join(strings.Fields(always.Original), " ") + " {"})
}
