package edit

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// This file compares the lines of a part of the change with the old lines that a mutant puts back.

// AddedLines returns the lines of code that the part of the change that m undoes adds. rest are the old lines from the
// first one on that the change does not keep.
func AddedLines(m *results.Mutant) (added, rest []string) {
	rest = CodeLines(Effective(m))
	for _, line := range CodeLines(m.Original) {
		if len(rest) > 0 && rest[0] == line {
			rest = rest[1:]
		} else {
			added = append(added, line)
		}
	}
	return added, rest
}

// ReplacedLines returns how many old lines of code the part of the change that m undoes removes, and how many new ones it
// has in their place.
func ReplacedLines(m *results.Mutant) (old, now int) {
	for _, line := range diffOf(CodeLines(Effective(m)), CodeLines(m.Original), strings.TrimSpace) {
		switch line.sign {
		case '-':
			old++
		case '+':
			now++
		}
	}
	return old, now
}

// CodeLines returns the lines of source that have more than comments and brackets, with single blanks.
func CodeLines(src string) (lines []string) {
	coded := map[int]bool{}
	for t := range Lexemes(src) {
		if strings.Trim(t.String(), "(){}[];,") != "" {
			for line := t.line; line <= t.line+strings.Count(t.Text, "\n"); line++ {
				coded[line] = true
			}
		}
	}
	number := 0
	for line := range strings.Lines(src) {
		if number++; coded[number] {
			lines = append(lines, strings.Join(strings.Fields(line), " "))
		}
	}
	return lines
}

// Adds reports whether the part of the change that u undoes adds a line of the new code, without an old line in its
// place.
func Adds(u *results.Mutant, line int) bool {
	at, added, replaced := u.Line-1, false, false // of the block of altered lines around the current one
	for _, l := range append(diffOf(splitLines(Effective(u)), splitLines(u.Original), Tokens), diffLine{sign: ' '}) {
		if l.sign != '-' {
			at++
		}
		switch {
		case l.sign == '-':
			replaced = true
		case l.sign == '+':
			added = added || at == line
		case added:
			return !replaced
		default:
			replaced = false
		}
	}
	return false
}

// TakesAway reports whether the part of the change that m undoes only removes lines.
func TakesAway(m *results.Mutant) bool {
	now, base := alteredLines(strings.TrimSpace(m.Original), strings.TrimSpace(Effective(m)))
	return strings.TrimSpace(now) == "" && strings.TrimSpace(base) != ""
}

// AddedIf returns the offsets in m.Original at which the body of an if statement begins and ends, if that statement is all
// that the part of the change which m undoes adds; else 0.
func AddedIf(m *results.Mutant) (body, end int) {
	added := onlyAdded(m)
	if body = singleIf(added); body == 0 {
		return 0, 0
	}
	return body, len(added)
}

// onlyAdded returns the code that the part of the change which m undoes adds before the old code; "" if it does more than
// that.
func onlyAdded(m *results.Mutant) string {
	added, ok := strings.CutSuffix(m.Original, Effective(m))
	if old := strings.TrimSpace(Effective(m)); !ok && old != "" {
		return ""
	}
	return added
}

// singleIf returns the offset of the body of an if statement, if source is that statement alone, without else and on
// several lines; else 0.
func singleIf(source string) (body int) {
	const head = "package p\nfunc _() {\n"
	if !strings.HasPrefix(strings.TrimSpace(source), "if ") || !strings.Contains(strings.TrimSpace(source), "\n") {
		return 0
	}
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", head+source+"\n}", parser.SkipObjectResolution)
	if err != nil || len(f.Decls) != 1 {
		return 0
	}
	fn, ok := f.Decls[0].(*ast.FuncDecl)
	if !ok || len(fn.Body.List) != 1 {
		return 0
	}
	if statement, ok := fn.Body.List[0].(*ast.IfStmt); ok && statement.Else == nil {
		return fset.PositionFor(statement.Body.Lbrace, false).Offset - len(head)
	}
	return 0
}

// withoutCommonLines returns a and b without the first and last lines that they have in common, without regard to
// indentation.
func withoutCommonLines(a, b string) (string, string) {
	trimmed := func(s string) string {
		var lines []string
		for line := range strings.Lines(s) {
			lines = append(lines, strings.TrimSpace(line))
		}
		return strings.Join(lines, "\n")
	}
	c := lineChange(trimmed(a), trimmed(b))
	return strings.Join(c.before, "\n"), strings.Join(c.after, "\n")
}

// alteredLines returns what differs between a and b: one line of either if no more differs without regard to layout,
// else all lines between the common first and last ones.
func alteredLines(a, b string) (string, string) {
	var before, after []string
	for _, l := range diffOf(splitLines(a), splitLines(b), Tokens) {
		switch l.sign {
		case '-':
			before = append(before, strings.TrimSpace(l.text))
		case '+':
			after = append(after, strings.TrimSpace(l.text))
		}
	}
	if len(before) > 1 || len(after) > 1 {
		return withoutCommonLines(a, b)
	}
	return strings.Join(before, ""), strings.Join(after, "")
}
