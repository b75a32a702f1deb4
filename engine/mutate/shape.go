package mutate

import "strings"

// Most operators add to the original and take nothing away. Whoever builds many
// mutants into one text can switch such an addition on and off where it
// stands, at a cost that does not grow with the original. The methods below
// recognise what the operators of this package write; a mutant of another
// shape is to be built some other way.

// Disables reports whether the mutant is its original, statements or a block,
// within an if that never runs them.
func (m *Mutant) Disables() bool {
	return m.Replacement == "if false { "+m.Original+" }" || m.Replacement == "{ if false "+m.Original+" }"
}

// Instead returns the block that the mutant runs in place of its original, a
// statement, which it leaves by a return.
func (m *Mutant) Instead() (block string, ok bool) {
	lead, ok := strings.CutSuffix(m.Replacement, "; "+m.Original)
	if !ok {
		return "", false
	}
	return strings.CutPrefix(lead, "if true ")
}

// Breaks returns how far behind Offset the mutant adds a break statement to
// its original, the body of a loop.
func (m *Mutant) Breaks() (behind int, ok bool) {
	const first, last = "{ break;", "; break"
	if rest, ok := strings.CutPrefix(m.Replacement, first); ok && m.Original == "{"+rest {
		return len("{"), true
	}
	behind = strings.LastIndex(m.Replacement, last)
	return behind, behind >= 0 && m.Original == m.Replacement[:behind]+m.Replacement[behind+len(last):]
}
