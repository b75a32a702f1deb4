package edit

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Place returns the file and the first line of m, as in "a.go:3".
func Place(m *results.Mutant) string { return fmt.Sprintf("%s:%d", m.File, FirstLine(m)) }

// FirstLine returns the first line that m alters, without blank lines that the source which it replaces begins with.
func FirstLine(m *results.Mutant) int { return m.Line + blankLines(m) }

// blankLines returns the number of blank lines that the source which m replaces begins with, 0 if it has no others.
func blankLines(m *results.Mutant) int {
	first := strings.IndexFunc(m.Original, func(r rune) bool { return !unicode.IsSpace(r) })
	return strings.Count(m.Original[:max(first, 0)], "\n")
}

// LastLine returns the last line that m alters. If m undoes a part of the change, lines at its end that stay do not
// count.
func LastLine(m *results.Mutant) int {
	if !IsReversal(m) {
		return max(m.Line, m.EndLine)
	}
	before, after := splitLines(m.Original), splitLines(Effective(m))
	for len(before) > 1 && len(after) > 0 && before[len(before)-1] == after[len(after)-1] {
		before, after = before[:len(before)-1], after[:len(after)-1]
	}
	return m.Line + max(len(before), 1) - 1
}
