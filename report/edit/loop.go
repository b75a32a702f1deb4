package edit

import (
	"regexp"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// OnlyOnce reports whether m adds a break at the end of a loop's body, so that it ends after one iteration.
func OnlyOnce(m *results.Mutant) bool {
	return endsLoop(OnOneLine(m.Original), OnOneLine(m.Replacement))
}

// LeavesLoop reports whether m replaces continue by break.
func LeavesLoop(m *results.Mutant) bool {
	return strings.TrimSpace(m.Original) == "continue" && strings.TrimSpace(m.Replacement) == "break"
}

// loopChange draws an edit that ends or skips a loop by the head of the loop: its body says nothing here. ok is false
// for other edits.
func loopChange(m *results.Mutant) (c Change, ok bool) {
	first, _, _ := strings.Cut(m.Context, "\n")
	head, isBlock := strings.CutSuffix(first, "{")
	if !isBlock || !strings.HasPrefix(strings.TrimSpace(head), "for") {
		return Change{}, false
	}
	original, replacement := OnOneLine(m.Original), OnOneLine(m.Replacement)
	whole := []string{head + "{ … }"}
	switch {
	case endsLoop(original, replacement):
		return Change{whole, []string{head + "{ …; break }"}}, true
	case skipsLoop(original, replacement):
		return Change{before: whole}, true
	}
	return Change{}, false
}

// atEnd returns the statement that an edit adds at the end of a block. Both sides have to be on one line.
func atEnd(before, after string) (statement string, ok bool) {
	before, isBlock := strings.CutSuffix(before, " }")
	after, isToo := strings.CutSuffix(after, " }")
	statement, ok = strings.CutPrefix(after, before+";")
	statement = strings.TrimSpace(statement)
	return statement, ok && isBlock && isToo && strings.HasPrefix(before, "{") && statement != ""
}

// nextIteration matches a loop body that an iteration may leave early.
var nextIteration = regexp.MustCompile(`\bcontinue\b`)

// endsLoop reports whether an edit adds a break at the end of a loop's body. Both sides have to be on one line.
func endsLoop(original, replacement string) bool {
	statement, ok := atEnd(original, replacement)
	return ok && statement == "break"
}

// skipsLoop reports whether an edit ends a loop before its first iteration. Both sides have to be on one line.
func skipsLoop(original, replacement string) bool {
	rest, skips := strings.CutPrefix(replacement, "{ break; ")
	return skips && original == "{ "+rest
}

// Loop returns the head of the loop that m ends, in about limit runes; "": there is none. early says that an iteration may
// end before the place where m ends the loop, and another one follow.
func Loop(m *results.Mutant, limit int) (head string, early bool) {
	first, _, _ := strings.Cut(strings.TrimSpace(m.Context), "\n")
	if !strings.HasPrefix(first, "for") {
		return "", false
	}
	return prose.Shorten(strings.TrimSpace(strings.TrimSuffix(first, "{")), limit), nextIteration.MatchString(OnOneLine(m.Original))
}

// loopEdit names an edit that ends a loop after an iteration or before the first. ok is false for other edits.
func loopEdit(m *results.Mutant, original, replacement string, limit int) (e Words, ok bool) {
	loop, early := Loop(m, limit)
	switch {
	case loop == "":
	case endsLoop(original, replacement) && early:
		return Words{prose.Say("end %s after one full iteration", loop), prose.Say("if %s ends after one full iteration", loop)}, true
	case endsLoop(original, replacement):
		return Words{prose.Say("end %s after one iteration", loop), prose.Say("if %s ends after one iteration", loop)}, true
	case skipsLoop(original, replacement):
		return Words{prose.Say("leave out %s", loop), prose.Say("with %s left out", loop)}, true
	}
	return Words{}, false
}
