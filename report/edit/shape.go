package edit

import (
	"go/token"
	"math"
	"regexp"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// SameTokens reports whether two mutants remove the same tokens and add the same.
func SameTokens(a, b *results.Mutant) bool { return tokensOf(a) == tokensOf(b) }

// tokensOf returns the tokens that an edit removes and adds, without comments, which it may keep or remove as well. A
// condition made false counts as removing its whole branch.
func tokensOf(m *results.Mutant) (edit struct{ removed, added string }) {
	c := Of(m)
	if branch := branchOf(m); Effective(m) == "false" && len(branch.before) > 0 {
		c = branch
	}
	for _, line := range c.Lines(math.MaxInt) {
		switch code := Tokens(line[1:]); line[0] {
		case '-':
			edit.removed += code
		case '+':
			edit.added += code
		}
	}
	return edit
}

// longEnough is how many tokens two edits need to count as the same although their names and literals differ, as in a
// function for strings and its twin for byte slices.
const longEnough = 16

// Key names the lines that m alters and what becomes of them, without regard to place and layout.
func Key(m *results.Mutant) string {
	if guard := guardOf(m); guard != "" {
		return "guard " + selector.ReplaceAllString(Tokens(guard), "_ .")
	}
	var lines, shapes []string
	size := 0
	c := Of(m)
	for _, line := range diffOf(c.before, c.after, Tokens) {
		if line.sign != ' ' {
			lines = append(lines, string(line.sign)+Tokens(line.text))
			shape, n := tokenShape(line.text)
			shapes = append(shapes, string(line.sign)+shape)
			size += n
		}
	}
	switch {
	case size >= longEnough:
		lines = shapes
	case m.Operator == "statement-deletion": // variables have other names in other functions
		return selector.ReplaceAllString(strings.Join(lines, "\n"), "_ .")
	}
	return strings.Join(lines, "\n")
}

// selector matches, in tokens, the operand of a selector: "s ." in "s . n". Receivers have other names in other
// methods.
var selector = regexp.MustCompile(`\b\w+ \.`)

// guardOf returns the condition of the branch that m leaves out; "" if there is none. If m undoes a part of the change,
// all that this part adds has to be an if statement around one line.
func guardOf(m *results.Mutant) string {
	if !IsReversal(m) {
		if Effective(m) == "false" && m.Evidence.Branch != "" {
			return m.Original
		}
		return ""
	}
	var lines []string
	for _, line := range Of(m).Lines(math.MaxInt) {
		switch code := strings.TrimSpace(line[1:]); {
		case line[0] == '+' && code != "":
			return ""
		case line[0] == '-' && code != "":
			lines = append(lines, code)
		}
	}
	if len(lines) != 3 || !strings.HasPrefix(lines[0], "if ") || !strings.HasSuffix(lines[0], " {") || lines[2] != "}" {
		return ""
	}
	return strings.TrimSuffix(strings.TrimPrefix(lines[0], "if "), " {")
}

// tokenShape returns the tokens of a line, with the same word for all names and literals, and their number.
func tokenShape(line string) (shape string, n int) {
	var all []string
	for t := range Lexemes(line) {
		if t.Token.IsLiteral() {
			t.Token = token.IDENT
		}
		all = append(all, t.Token.String())
	}
	return strings.Join(all, " "), len(all)
}

// minShape is how many tokens an edit needs for its shape to say something.
const minShape = 8

// Shape returns the lines that m, which undoes a part of the change, alters, without their names and literals. It is ""
// for other mutants, and for edits of few tokens.
func Shape(m *results.Mutant) string {
	if !IsReversal(m) {
		return ""
	}
	var shapes []string
	size, c := 0, Of(m)
	for _, line := range diffOf(c.before, c.after, Tokens) {
		if shape, n := tokenShape(line.text); line.sign != ' ' && n > 0 {
			shapes, size = append(shapes, string(line.sign)+shape), size+n
		}
	}
	if size < minShape {
		return ""
	}
	return strings.Join(shapes, "\n")
}

// minLineShape is how many tokens a line needs for its shape to say something.
const minLineShape = 6

// LineShape returns the first line that m alters without its names and literals; "" if it has few tokens.
func LineShape(m *results.Mutant) string {
	line, _, _ := strings.Cut(strings.TrimSpace(m.Context), "\n")
	shape, n := tokenShape(line)
	if n < minLineShape {
		return ""
	}
	return shape
}
