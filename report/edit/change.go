// Package edit shows what one mutant does to the source, as a person would make that edit: as a diff, on one line, or in
// words. It goes by the source, and by what Evidence says of it: the lines of the change, the branch after a condition, the
// names that nothing would read. It does not go by what runs showed about the mutant.
//
// A mutant that undoes a part of the change under analysis puts old lines in the place of new ones. The comments of this
// package call what it undoes the part of the change.
package edit

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Change is how a mutant differs from the program, in whole source lines. It is for reading: a mutant wraps what it
// disables so that the file still compiles, and a Change shows what that amounts to. The zero value alters nothing.
type Change struct {
	before, after []string
}

// Of returns the lines that m changes. Without m.Context they are the mutated source alone.
func Of(m *results.Mutant) Change {
	if c, ok := loopChange(m); ok {
		return c
	}
	if after, ok := asWritten(m); ok {
		if strings.HasPrefix(strings.TrimSpace(m.Context), "if ") && strings.HasPrefix(strings.TrimSpace(after), "if false {") {
			after = "" // the branch goes with its condition
		}
		after = emptyElse.ReplaceAllString(after, "}")
		return lineChange(m.Context, after)
	}
	return lineChange(m.Original, Effective(m))
}

// asWritten returns m.Context with m's edit as a person would make it. An operand that decides nothing is left out:
// "true && b" becomes "b".
func asWritten(m *results.Mutant) (after string, ok bool) {
	value := Effective(m)
	after, ok = inContext(m, value)
	operator := map[string]string{"true": "&&", "false": "||"}[value]
	if !ok || operator == "" {
		return after, ok
	}
	head, tail := m.Context[:m.Column-1], m.Context[m.Column-1+len(m.Original):]
	rest, before := strings.CutPrefix(strings.TrimLeft(tail, " "), operator)
	switch {
	case before && beginsOperand.MatchString(head) && !(operator == "||" && strings.HasSuffix(strings.TrimRight(head, " "), "&&")):
		return head + strings.TrimLeft(rest, " "), true
	case endsOperand.MatchString(tail) && !(operator == "||" && strings.HasPrefix(strings.TrimLeft(tail, " "), "&&")):
		if rest, behind := strings.CutSuffix(strings.TrimRight(head, " "), operator); behind {
			return strings.TrimRight(rest, " ") + tail, true
		}
	}
	return after, true
}

// beginsOperand matches the source before a whole operand of a condition, endsOperand the source after one.
var (
	beginsOperand = regexp.MustCompile(`(^|\b(if|case|for|return)|[(;,]|[^=!<>]=|&&|\|\|)\s*$`)
	endsOperand   = regexp.MustCompile(`^\s*($|[){:;,]|&&|\|\|)`)
)

// emptyElse matches an else branch in which nothing is left.
var emptyElse = regexp.MustCompile(`\} else \{\s*\}`)

// branchOf returns the lines of an if statement that m leaves out by making its condition false; none if they are not
// known. A condition that calls something is still evaluated.
func branchOf(m *results.Mutant) Change {
	head := splitLines(m.Context)
	if m.Evidence.Branch == "" || len(head) == 0 {
		return Change{}
	}
	indent := head[0][:len(head[0])-len(strings.TrimLeft(head[0], " \t"))]
	c := Change{before: slices.Concat(head, splitLines(m.Evidence.Branch), []string{indent + "}"})}
	if calls(m.Original) {
		c.after = []string{indent + "_ = " + m.Original}
	}
	return c.compiling(m)
}

// Drawn returns the lines of the diff of m, as somebody would make the edit: a branch that it leaves out goes as a whole.
func Drawn(m *results.Mutant, limit int) []string {
	c := Of(m)
	if lines := c.Lines(limit); len(lines) == 1 && strings.HasPrefix(lines[0], "-") && strings.HasSuffix(lines[0], "{") {
		return branchOf(m).Lines(limit)
	}
	return c.compiling(m).Lines(limit)
}

// compiling returns c, which m makes, with a statement that uses the variables that nothing reads after the edit. It
// skips names that are not identifiers: results may come from anybody.
func (c Change) compiling(m *results.Mutant) Change {
	var names, blanks []string
	for _, name := range m.Evidence.Unread {
		if token.IsIdentifier(name) && !slices.ContainsFunc(c.after, func(line string) bool { return mentions(line, name) }) {
			names, blanks = append(names, name), append(blanks, "_")
		}
	}
	if len(names) == 0 || len(c.before) == 0 {
		return c
	}
	indent := c.before[0][:len(c.before[0])-len(strings.TrimLeft(c.before[0], " \t"))]
	use := indent + strings.Join(blanks, ", ") + " = " + strings.Join(names, ", ")
	return Change{before: c.before, after: slices.Concat([]string{use}, c.after)}
}

// mentions reports whether a line of source has name as a word.
func mentions(line, name string) bool {
	return slices.Contains(strings.FieldsFunc(line, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }), name)
}

// pure are packages of the standard library whose functions only compute something.
var pure = []string{"bytes", "errors", "math", "slices", "strings", "unicode", "utf8"}

// calls reports whether an expression calls more than len, cap and functions of pure packages.
func calls(source string) (found bool) {
	x, err := parser.ParseExpr(source)
	if err != nil {
		return false
	}
	ast.Inspect(x, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			switch fun := call.Fun.(type) {
			case *ast.Ident:
				found = found || fun.Name != "len" && fun.Name != "cap"
			case *ast.SelectorExpr:
				pkg, isName := fun.X.(*ast.Ident)
				found = found || !isName || !slices.Contains(pure, pkg.Name)
			default:
				found = true
			}
		}
		return !found
	})
	return found
}

// Effective returns what m's replacement amounts to. Operators often disable code without removing it: "x && false"
// amounts to "false", and "if false { x }" to nothing.
func Effective(m *results.Mutant) string {
	if IsReversal(m) {
		return keptImports.ReplaceAllString(m.Replacement, "")
	}
	original := strings.TrimSpace(m.Original)
	replacement := strings.TrimSpace(m.Replacement)
	inner := strings.TrimSuffix(strings.TrimPrefix(replacement, "("), ")")
	switch body := strings.TrimSpace(strings.TrimPrefix(replacement, "if false {")); {
	case original == "":
		return m.Replacement
	case body != replacement && strings.TrimSpace(strings.TrimSuffix(body, "}")) == original:
		return ""
	case replacement == "{ if false "+original+" }":
		return "{}"
	case joined(inner, original, "&&", "false") || joined(replacement, original, "&&", "false"):
		return "false"
	case joined(inner, original, "||", "true") || joined(replacement, original, "||", "true"):
		return "true"
	}
	if padded, ok := strings.CutPrefix(replacement, "(\n"); ok && strings.HasSuffix(padded, ")") {
		return withoutPadding(strings.TrimLeft(strings.TrimSuffix(padded, ")"), "\n"))
	}
	if early, ok := strings.CutPrefix(replacement, "if true {"); ok {
		if early, ok = strings.CutSuffix(early, original); ok {
			early = strings.TrimRight(early, "; \t\n")
			return strings.TrimSpace(strings.TrimSuffix(early, "}"))
		}
	}
	return m.Replacement
}

// withoutPadding returns an expression that an operator has put into parentheses together with line ends, so that the
// lines after it keep their numbers. An operand that may need the parentheses keeps them.
func withoutPadding(source string) string {
	if x, err := parser.ParseExpr(source); err == nil {
		switch x.(type) {
		case *ast.BinaryExpr, *ast.UnaryExpr, *ast.StarExpr:
		default:
			return source
		}
	}
	return "(" + source + ")"
}

// keptImports matches the declarations at the start of an undone hunk that keep all imports of its file used, such as
// "var _ = fmt.Sprint".
var keptImports = regexp.MustCompile(`^(?:(?:var|const|type) _ = [\pL_][\pL\d_]*\.[\pL_][\pL\d_]*(?:\[.*\])?\n)+`)

// joined reports whether expr is the condition and a constant, joined by operator in either order.
func joined(expr, condition, operator, constant string) bool {
	for _, c := range []string{condition, "(" + condition + ")"} {
		before, atEnd := strings.CutSuffix(expr, c)
		after, atStart := strings.CutPrefix(expr, c)
		if atEnd && before == constant+" "+operator+" " || atStart && after == " "+operator+" "+constant {
			return true
		}
	}
	return false
}

// lineChange returns the lines in which before and after differ: those between their common first and last lines. Blank
// lines that are left of a statement do not count.
func lineChange(before, after string) Change {
	b, a := splitLines(before), splitLines(after)
	for len(b) > 0 && len(a) > 0 && b[0] == a[0] {
		b, a = b[1:], a[1:]
	}
	for len(b) > 0 && len(a) > 0 && b[len(b)-1] == a[len(a)-1] {
		b, a = b[:len(b)-1], a[:len(a)-1]
	}
	if strings.TrimSpace(strings.Join(a, "")) == "" {
		a = nil
	}
	return Change{b, a}
}

func splitLines(s string) []string {
	s = strings.TrimRight(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	if s == "" {
		return nil
	}
	return strings.Split(s, "\n")
}

// Reversed returns the change in the other direction, without lines that are only a comment, unless that leaves nothing.
func (c Change) Reversed() Change {
	code := Change{before: withoutRemarks(c.after), after: withoutRemarks(c.before)}
	if slices.Equal(code.before, code.after) {
		return Change{before: c.after, after: c.before}
	}
	return code
}

// Removed returns the number of lines that the change removes or replaces, without blank ones, and without those that
// only differ in layout.
func (c Change) Removed() (n int) {
	for _, line := range diffOf(c.before, c.after, Tokens) {
		if line.sign == '-' && line.text != "" {
			n++
		}
	}
	return n
}

// Removes reports whether the mutant only leaves something out.
func (c Change) Removes() bool { return len(c.before) > 0 && len(c.after) == 0 }

// inContext returns m.Context with the original source replaced. ok is false if the context does not have that source
// at the mutant's column.
func inContext(m *results.Mutant, replacement string) (mutated string, ok bool) {
	start := m.Column - 1
	if start < 0 || start > len(m.Context) || !strings.HasPrefix(m.Context[start:], m.Original) {
		return "", false
	}
	return m.Context[:start] + replacement + m.Context[start+len(m.Original):], true
}

// Applied returns m.Context with m's replacement. ok is false if the context does not have the original source at the
// mutant's column.
func Applied(m *results.Mutant) (mutated string, ok bool) { return inContext(m, m.Replacement) }

// Forces reports whether m makes the whole condition of an if statement constant. value is "true" or "false".
func Forces(m *results.Mutant, value string) bool {
	line, condition := strings.TrimSpace(m.Context), strings.TrimSpace(m.Original)+" {"
	return Effective(m) == value && strings.HasPrefix(line, "if ") && (strings.HasPrefix(line, "if "+condition) || strings.Contains(line, "; "+condition))
}

// IsReversal reports whether m undoes a part of the change.
func IsReversal(m *results.Mutant) bool {
	return m.Category == results.CategoryReversal || m.Evidence.Changed != ""
}
