package report

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// change is how a mutant differs from the program, in whole source lines. It is for reading: a mutant wraps what it
// disables so that the file still compiles, and a change shows what that amounts to.
type change struct {
	before, after []string
}

// changeOf returns the lines that m changes. Without m.Context they are the
// mutated source alone.
func changeOf(m *results.Mutant) change {
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
	return lineChange(m.Original, effective(m))
}

// asWritten returns m.Context with m's edit as a person would make it. An operand that decides nothing is left out:
// "true && b" becomes "b".
func asWritten(m *results.Mutant) (after string, ok bool) {
	value := effective(m)
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

// loopChange draws an edit that ends or skips a loop by the head of the loop: its body says nothing here. ok is false
// for other edits.
func loopChange(m *results.Mutant) (c change, ok bool) {
	first, _, _ := strings.Cut(m.Context, "\n")
	head, isBlock := strings.CutSuffix(first, "{")
	if !isBlock || !strings.HasPrefix(strings.TrimSpace(head), "for") {
		return change{}, false
	}
	original, replacement := onOneLine(m.Original), onOneLine(m.Replacement)
	whole := []string{head + "{ … }"}
	switch {
	case endsLoop(original, replacement):
		return change{whole, []string{head + "{ …; break }"}}, true
	case skipsLoop(original, replacement):
		return change{before: whole}, true
	}
	return change{}, false
}

// branchOf returns the lines of an if statement that m leaves out by making its condition false; none if they are not
// known. A condition that calls something is still evaluated.
func branchOf(m *results.Mutant) change {
	head := splitLines(m.Context)
	if m.Evidence.Branch == "" || len(head) == 0 {
		return change{}
	}
	indent := head[0][:len(head[0])-len(strings.TrimLeft(head[0], " \t"))]
	c := change{before: slices.Concat(head, splitLines(m.Evidence.Branch), []string{indent + "}"})}
	if calls(m.Original) {
		c.after = []string{indent + "_ = " + m.Original}
	}
	return c.compiling(m)
}

// drawn returns the lines of the diff of m, as somebody would make the edit: a branch that it leaves out goes as a whole.
func drawn(m *results.Mutant, limit int) []string {
	c := changeOf(m)
	if lines := c.lines(limit); len(lines) == 1 && strings.HasPrefix(lines[0], "-") && strings.HasSuffix(lines[0], "{") {
		return branchOf(m).lines(limit)
	}
	return c.compiling(m).lines(limit)
}

// compiling returns c, which m makes, with a statement that uses the variables that nothing reads after the edit. It
// skips names that are not identifiers: results may come from anybody.
func (c change) compiling(m *results.Mutant) change {
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
	return change{before: c.before, after: slices.Concat([]string{use}, c.after)}
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

// effective returns what m's replacement amounts to. Operators often disable code without removing it: "x && false"
// amounts to "false", and "if false { x }" to nothing.
func effective(m *results.Mutant) string {
	if isReversal(m) {
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
func lineChange(before, after string) change {
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
	return change{b, a}
}

func splitLines(s string) []string {
	s = strings.TrimRight(strings.ReplaceAll(s, "\r\n", "\n"), "\n")
	if s == "" {
		return nil
	}
	return strings.Split(s, "\n")
}

// removes reports whether the mutant only leaves something out.
func (c change) removes() bool { return len(c.before) > 0 && len(c.after) == 0 }

// maxValue is how many runes of a value are shown beside another one. sameBefore is how many runes of their common
// beginning are shown.
const (
	maxValue   = 80
	sameBefore = 24
)

// difference returns the parts in which two values differ, with a little of what is around them.
func difference(a, b string) (string, string) { return differenceWithin(a, b, maxValue) }

// differenceWithin is difference with room for limit runes of either value.
func differenceWithin(a, b string, limit int) (string, string) {
	x, y := []rune(a), []rune(b)
	if max(len(x), len(y)) <= limit {
		return a, b
	}
	same := 0
	for same < min(len(x), len(y)) && x[same] == y[same] {
		same++
	}
	begin := wordStart(x, max(0, same-min(sameBefore, limit/2)), same)
	cut := func(s []rune) string {
		part := shorten(string(s[begin:]), limit)
		if begin > 0 {
			part = "…" + part
		}
		return part
	}
	return cut(x), cut(y)
}

// wordStart returns the first index from begin on that is not within a word of text; begin if there is none before end.
func wordStart(text []rune, begin, end int) int {
	inWord := func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	for i := begin; i > 0 && i < end; i++ {
		if !inWord(text[i-1]) || !inWord(text[i]) {
			return i
		}
	}
	return begin
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
	for _, l := range diffOf(splitLines(a), splitLines(b), tokens) {
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

// atEnd returns the statement that an edit adds at the end of a block. Both sides have to be on one line.
func atEnd(before, after string) (statement string, ok bool) {
	before, isBlock := strings.CutSuffix(before, " }")
	after, isToo := strings.CutSuffix(after, " }")
	statement, ok = strings.CutPrefix(after, before+";")
	statement = strings.TrimSpace(statement)
	return statement, ok && isBlock && isToo && strings.HasPrefix(before, "{") && statement != ""
}

// maxSource is how many runes of either side of an edit a list shows.
const maxSource = 70

// edit is a mutant in words. order is an imperative, for lists, as in "leave out x". without follows "no test fails",
// in titles, as in "with x left out".
type edit struct{ order, without prose }

// summary names the edit that m makes on one line, for lists and tables.
func summary(m *results.Mutant) prose { return editOf(m, maxSource).order }

// editOf names the edit that m makes, in about limit runes of either side.
func editOf(m *results.Mutant, limit int) edit {
	original, replacement := strings.TrimSpace(m.Original), strings.TrimSpace(effective(m))
	constant := m.Replacement != replacement && (replacement == "true" || replacement == "false")
	if isReversal(m) {
		original, replacement = alteredLines(original, replacement)
		if strings.Contains(original+replacement, "\n") && m.Line > 0 {
			return undoingLines(m, original, replacement)
		}
		if operand := addedOperand(original, replacement); operand != "" {
			operand = shorten(operand, max(limit, maxSource))
			return edit{say("leave out %s", operand), say("without %s, which is new", operand)}
		}
	}
	original, replacement = onOneLine(original), onOneLine(replacement)
	if e, ok := loopEdit(m, original, replacement, limit); ok {
		return e
	}
	if statement, ok := atEnd(original, replacement); ok {
		statement = shorten(statement, limit)
		return edit{say("put in %s at the end of the block", statement), say("with %s put in", statement)}
	}
	if replacement == "{}" && strings.HasPrefix(original, "{ ") { // the block stays, and what is in it goes
		original, replacement = strings.TrimSuffix(original[2:], " }"), ""
	}
	if original == "" || replacement == "" { // there is more room for the other
		limit = max(limit, maxSource)
	}
	if constant {
		original = shortCondition(original, limit)
	} else {
		original, replacement = differenceWithin(original, replacement, limit)
	}
	if isReversal(m) {
		return undoing(original, replacement)
	}
	switch {
	case original == "":
		return edit{say("put in %s", replacement), say("with %s put in", replacement)}
	case replacement == "" && m.Evidence.Case != "":
		head := shorten(onOneLine(m.Evidence.Case), limit)
		return edit{say("leave out %s in %s", original, head), say("with %s left out in %s", original, head)}
	case replacement == "":
		return edit{say("leave out %s", original), say("with %s left out", original)}
	case constant && replacement == "false" && isShort(m.Evidence.Branch):
		branch := strings.TrimSpace(m.Evidence.Branch)
		return edit{say("leave out %s when %s", branch, original), say("if it leaves out %s when %s", branch, original)}
	case constant && replacement == "false" && m.Evidence.BranchEnd > 0 && m.Evidence.Branch == "": // the else branch runs instead
		return taking(original, "false")
	case constant && replacement == "false" && isAlternative(m):
		return edit{say("drop %s from the condition", original), say("without %s in the condition", original)}
	case constant && replacement == "false":
		return edit{say("leave out the branch where %s", original), say("if the branch where %s is left out", original)}
	case constant && forces(m, "true"):
		return taking(original, "true")
	case constant:
		return edit{say("do not check %s", original), say("if it does not check %s", original)}
	default:
		original, replacement = inLine(m, original, replacement, limit)
		return edit{say("%s → %s", original, replacement), say("with %s in place of %s", replacement, original)}
	}
}

// isAlternative reports whether m alters an operand of ||.
func isAlternative(m *results.Mutant) bool {
	line, operand := onOneLine(m.Context), onOneLine(m.Original)
	return strings.Contains(line, "|| "+operand) || strings.Contains(line, operand+" ||")
}

// taking returns the edit that gives a condition a constant value. Instead of "!ok" as false, it takes "ok" as true.
func taking(condition, value string) edit {
	if operand, ok := strings.CutPrefix(condition, "!"); ok && !connector.MatchString(operand) {
		condition, value = operand, map[string]string{"true": "false", "false": "true"}[value]
	}
	return edit{say("take %s as "+value, condition), say("if it takes %s as "+value, condition)}
}

// shortCondition returns a condition, cut after an operand if it has more than one and a half times limit runes.
func shortCondition(condition string, limit int) string {
	condition = onOneLine(condition)
	limit += limit / 2
	if utf8.RuneCountInString(condition) <= limit {
		return condition
	}
	for _, at := range slices.Backward(connector.FindAllStringIndex(condition, -1)) {
		if head := condition[:at[1]]; utf8.RuneCountInString(head) < limit-1 {
			return head + "…"
		}
	}
	return shorten(condition, limit)
}

// connector matches what stands between two operands of a condition.
var connector = regexp.MustCompile(` (&&|\|\|) `)

// maxStatement is how many runes of a statement are shown beside its condition.
const maxStatement = 40

// isShort reports whether source is a statement that has room beside its condition.
func isShort(source string) bool {
	source = strings.TrimSpace(source)
	return source != "" && utf8.RuneCountInString(source) <= maxStatement && !strings.Contains(source, "\n") && !strings.HasPrefix(source, "//")
}

// nextIteration matches a loop body that an iteration may leave early.
var nextIteration = regexp.MustCompile(`\bcontinue\b`)

// onOneLine returns source with single blanks, and with semicolons between statements that stood on lines of their own.
func onOneLine(source string) string {
	lines := splitLines(source)
	if len(lines) < 2 {
		return strings.Join(strings.Fields(source), " ")
	}
	ends, last := statementEnds(source), 0 // the last line that is not empty
	var b strings.Builder
	for i, line := range lines {
		text := strings.Join(strings.Fields(line), " ")
		if text == "" || strings.HasPrefix(text, "//") {
			continue
		}
		if b.Len() > 0 {
			if ends[last] && !strings.ContainsAny(text[:1], "})]&|.") {
				b.WriteByte(';')
			}
			b.WriteByte(' ')
		}
		b.WriteString(text)
		last = i + 1
	}
	return b.String()
}

// statementEnds returns the lines of source, counted from one, at whose end a statement ends.
func statementEnds(source string) map[int]bool {
	fset := token.NewFileSet()
	file := fset.AddFile("", fset.Base(), len(source))
	var s scanner.Scanner
	s.Init(file, []byte(source), nil, 0)
	ends := map[int]bool{}
	for {
		pos, tok, text := s.Scan()
		if tok == token.EOF {
			return ends
		}
		if tok == token.SEMICOLON && text == "\n" {
			ends[file.Line(pos)] = true
		}
	}
}

// endsLoop reports whether an edit adds a break at the end of a loop's body. Both sides have to be on one line.
func endsLoop(original, replacement string) bool {
	statement, ok := atEnd(original, replacement)
	return ok && statement == "break"
}

// leavesLoop reports whether m replaces continue by break.
func leavesLoop(m *results.Mutant) bool {
	return strings.TrimSpace(m.Original) == "continue" && strings.TrimSpace(m.Replacement) == "break"
}

// skipsLoop reports whether an edit ends a loop before its first iteration. Both sides have to be on one line.
func skipsLoop(original, replacement string) bool {
	rest, skips := strings.CutPrefix(replacement, "{ break; ")
	return skips && original == "{ "+rest
}

// loopEdit names an edit that ends a loop after an iteration or before the first. ok is false for other edits.
func loopEdit(m *results.Mutant, original, replacement string, limit int) (e edit, ok bool) {
	first, _, _ := strings.Cut(strings.TrimSpace(m.Context), "\n")
	loop := shorten(strings.TrimSpace(strings.TrimSuffix(first, "{")), limit)
	switch {
	case !strings.HasPrefix(loop, "for"):
	case endsLoop(original, replacement) && nextIteration.MatchString(original):
		return edit{say("end %s after one full iteration", loop), say("if %s ends after one full iteration", loop)}, true
	case endsLoop(original, replacement):
		return edit{say("end %s after one iteration", loop), say("if %s ends after one iteration", loop)}, true
	case skipsLoop(original, replacement):
		return edit{say("leave out %s", loop), say("with %s left out", loop)}, true
	}
	return edit{}, false
}

// word matches a side of an edit that is too short to say much by itself.
var word = regexp.MustCompile(`^[-+]?[\w.]{0,12}$|^"[^"]{0,2}"$`)

// inLine returns both sides of an edit with the line around them, as much of it as there is room for, if they are
// single words.
func inLine(m *results.Mutant, original, replacement string, limit int) (string, string) {
	after, ok := inContext(m, effective(m))
	before := strings.TrimSpace(m.Context)
	after = strings.TrimSpace(after)
	if !ok || !word.MatchString(original) || !word.MatchString(replacement) || strings.Contains(before+after, "\n") {
		return original, replacement
	}
	return differenceWithin(before, after, limit)
}

// lastLine returns the last line that m alters. If m undoes a part of the change, lines at its end that stay do not
// count.
func lastLine(m *results.Mutant) int {
	if !isReversal(m) {
		return max(m.Line, m.EndLine)
	}
	before, after := splitLines(m.Original), splitLines(effective(m))
	for len(before) > 1 && len(after) > 0 && before[len(before)-1] == after[len(after)-1] {
		before, after = before[:len(before)-1], after[:len(after)-1]
	}
	return m.Line + max(len(before), 1) - 1
}

// undoingLines names the undoing of a part of the change that is too long for a line.
func undoingLines(m *results.Mutant, original, replacement string) edit {
	where := "line " + plain(m.Line)
	if last := lastLine(m); last > m.Line {
		where = "lines " + plain(m.Line) + " to " + plain(last)
	}
	code := firstCode(cmp.Or(original, replacement))
	switch {
	case original == "":
		return edit{say("put back the old code at " + where).and(code), say("if the old code at " + where).and(code).and(say("is put back"))}
	case replacement == "":
		return edit{say("leave out what is new in " + where).and(code), say("without what is new in " + where).and(code)}
	}
	return edit{say("undo the change to " + where).and(code), say("if the change to " + where).and(code).and(say("is undone"))}
}

// firstCode returns the first line that is not only brackets or a comment, in parentheses; empty: there is none.
func firstCode(lines string) prose {
	for line := range strings.Lines(lines) {
		line = strings.TrimSpace(line)
		if strings.Trim(line, "(){}[];, ") != "" && !strings.HasPrefix(line, "//") {
			return say("(%s …)", shorten(line, maxStatement))
		}
	}
	return nil
}

// leads and trails match the operator before or after an operand.
var leads, trails = regexp.MustCompile(`^(&&|\|\|) `), regexp.MustCompile(` (&&|\|\|)$`)

// addedOperand returns the operand that a condition has and its old form lacks, with the operator before or after it, as
// in "&& n > 0". It returns "" if that is not all that differs.
func addedOperand(now, old string) string {
	before, isIf := strings.CutSuffix(onOneLine(old), " {")
	now, isToo := strings.CutSuffix(onOneLine(now), " {")
	if !isIf || !isToo {
		return ""
	}
	if operand, ok := strings.CutPrefix(now, before+" "); ok && leads.MatchString(operand) {
		return operand
	}
	head, condition := before[:strings.LastIndexByte(before, ';')+1], before[strings.LastIndexByte(before, ';')+1:]
	condition = strings.TrimPrefix(strings.TrimSpace(condition), "if ")
	now, ok := strings.CutSuffix(strings.TrimSpace(strings.TrimPrefix(now, head)), condition)
	if now = strings.TrimSpace(strings.TrimPrefix(now, "if ")); ok && trails.MatchString(now) {
		return now
	}
	return ""
}

// undoing names the undoing of a part of the change.
func undoing(original, replacement string) edit {
	switch {
	case original == "":
		return edit{say("put back %s", replacement), say("with %s put back", replacement)}
	case replacement == "":
		return edit{say("leave out %s", original), say("without %s, which is new", original)}
	}
	return edit{say("undo the change to %s (it was %s)", original, replacement), say("if the change to %s is undone", original)}
}
