package edit

import (
	"cmp"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// maxSource is how many runes of either side of an edit a list shows.
const maxSource = 70

// Words name an edit.
type Words struct {
	Order   prose.Text // an imperative, for lists, as in "leave out x"
	Without prose.Text // follows "no test fails", in titles, as in "with x left out"
}

// Summary names the edit that m makes on one line, for lists and tables.
func Summary(m *results.Mutant) prose.Text { return InWords(m, maxSource).Order }

// Text returns the edit that m makes, as reviews show it in tables and lists, but without code marks. It does not
// depend on what runs showed about m. The text is untrusted.
func Text(m *results.Mutant) string { return Summary(m).Plain("", "") }

// InWords names the edit that m makes, in about limit runes of either side.
func InWords(m *results.Mutant, limit int) Words {
	original, replacement := strings.TrimSpace(m.Original), strings.TrimSpace(Effective(m))
	constant := m.Replacement != replacement && (replacement == "true" || replacement == "false")
	if IsReversal(m) {
		original, replacement = alteredLines(original, replacement)
		if strings.Contains(original+replacement, "\n") && m.Line > 0 {
			return undoingLines(m, original, replacement)
		}
		if operand := addedOperand(original, replacement); operand != "" {
			operand = prose.Shorten(operand, max(limit, maxSource))
			return Words{prose.Say("leave out %s", operand), prose.Say("without %s, which is new", operand)}
		}
	}
	original, replacement = OnOneLine(original), OnOneLine(replacement)
	if e, ok := otherConnector(original, replacement, limit); ok && !IsReversal(m) {
		return e
	}
	if e, ok := loopEdit(m, original, replacement, limit); ok {
		return e
	}
	if statement, ok := atEnd(original, replacement); ok {
		statement = prose.Shorten(statement, limit)
		return Words{prose.Say("put in %s at the end of the block", statement), prose.Say("with %s put in", statement)}
	}
	if replacement == "{}" && strings.HasPrefix(original, "{ ") { // the block stays, and what is in it goes
		original, replacement = strings.TrimSuffix(original[2:], " }"), ""
	}
	if original == "" || replacement == "" { // there is more room for the other
		limit = max(limit, maxSource)
	}
	if constant {
		original = ShortCondition(original, limit)
	} else {
		original, replacement = prose.DifferenceWithin(original, replacement, limit)
	}
	if IsReversal(m) {
		return undoing(original, replacement)
	}
	switch {
	case original == "":
		return Words{prose.Say("put in %s", replacement), prose.Say("with %s put in", replacement)}
	case replacement == "" && m.Evidence.Case != "":
		head := prose.Shorten(OnOneLine(m.Evidence.Case), limit)
		return Words{prose.Say("leave out %s in %s", original, head), prose.Say("with %s left out in %s", original, head)}
	case replacement == "":
		return Words{prose.Say("leave out %s", original), prose.Say("with %s left out", original)}
	case constant && replacement == "false" && IsShort(m.Evidence.Branch):
		return leavingOut(m, original)
	case constant && replacement == "false" && m.Evidence.BranchEnd > 0 && m.Evidence.Branch == "": // the else branch runs instead
		return taking(original, "false")
	case DropsOperand(m):
		return Words{prose.Say("drop %s from the condition", original), prose.Say("without %s in the condition", original)}
	case constant && replacement == "false" && strings.HasPrefix(strings.TrimSpace(m.Context), "return "): // there is no branch
		return Words{prose.Say("%s → false", original), prose.Say("with false in place of %s", original)}
	case constant && replacement == "false":
		return Words{prose.Say("leave out the branch where %s", original), prose.Say("without the branch for %s", original)}
	case constant:
		return taking(original, "true")
	default:
		original, replacement = inLine(m, original, replacement, limit)
		return Words{prose.Say("%s → %s", original, replacement), prose.Say("with %s in place of %s", replacement, original)}
	}
}

// errorCheck matches a condition that holds if there is an error, checkedCall a call with such a condition behind it,
// callee what is called, and returns a branch that begins by returning.
var (
	callee      = regexp.MustCompile(`^[\pL_][\w.]*$`)
	errorCheck  = regexp.MustCompile(`^(\w*[eE]rr\w*) != nil$`)
	checkedCall = regexp.MustCompile(`\b(\w+) :?= ([\w.]+)\(.*\); (\w+) != nil`)
	returns     = regexp.MustCompile(`^return\b`)
)

// leavingOut returns the edit that leaves out a short branch.
func leavingOut(m *results.Mutant, condition string) Words {
	branch := strings.TrimSpace(m.Evidence.Branch)
	order := prose.Say("leave out %s when %s", branch, condition)
	if returns.MatchString(branch) && errorCheck.MatchString(condition) {
		return Words{order, ignoring(m, condition)}
	}
	return Words{order, prose.Say("if it leaves out %s when %s", branch, condition)}
}

// ignoring says that the code goes on in spite of an error. It names the function that the error is from, if the condition
// follows the call.
func ignoring(m *results.Mutant, condition string) prose.Text {
	if call := ErrorOf(m); call != "" {
		return prose.Say("if the error of %s is ignored", call)
	}
	return prose.Say("if %s is ignored", errorCheck.FindStringSubmatch(condition)[1])
}

// ErrorOf returns the function whose error the condition in m asks for, if the condition follows the call; else "".
func ErrorOf(m *results.Mutant) string {
	condition := errorCheck.FindStringSubmatch(OnOneLine(m.Original))
	if condition == nil {
		return ""
	}
	if call, _, isCall := strings.Cut(m.Evidence.Given, "("); isCall && callee.MatchString(call) && !token.IsKeyword(call) {
		return call
	}
	from := checkedCall.FindStringSubmatch(OnOneLine(m.Context))
	if from == nil || from[1] != condition[1] || from[3] != condition[1] {
		return ""
	}
	return from[2]
}

// DropsOperand reports whether m gives an operand of a condition the value at which the other operands decide.
func DropsOperand(m *results.Mutant) bool {
	switch Effective(m) {
	case "false":
		return isAmong(m, "||")
	case "true":
		return isAmong(m, "&&")
	}
	return false
}

// isAmong reports whether m alters an operand of a connector, && or ||.
func isAmong(m *results.Mutant, connector string) bool {
	line, operand := OnOneLine(m.Context), OnOneLine(m.Original)
	return strings.Contains(line, connector+" "+operand) || strings.Contains(line, operand+" "+connector)
}

// IsLater reports whether the condition in m is only asked for if another one before it has some value: it is an operand
// behind another one, or that of an else branch.
func IsLater(m *results.Mutant) bool {
	line, operand := OnOneLine(m.Context), OnOneLine(m.Original)
	return strings.Contains(line, "|| "+operand) || strings.Contains(line, "&& "+operand) || strings.Contains(line, "else if ")
}

// taking returns the edit that gives a condition a constant value. Instead of "!ok" being false, "ok" is true.
func taking(condition, value string) Words {
	if operand, ok := strings.CutPrefix(condition, "!"); ok && !connector.MatchString(operand) {
		condition, value = operand, map[string]string{"true": "false", "false": "true"}[value]
	}
	return Words{prose.Say("make %s always "+value, condition), prose.Say("if %s is always "+value, condition)}
}

// ShortCondition returns a condition, cut after an operand if it has more than one and a half times limit runes.
func ShortCondition(condition string, limit int) string {
	condition = OnOneLine(condition)
	limit += limit / 2
	if utf8.RuneCountInString(condition) <= limit {
		return condition
	}
	for _, at := range slices.Backward(connector.FindAllStringIndex(condition, -1)) {
		if head := condition[:at[1]]; utf8.RuneCountInString(head) < limit-1 {
			return head + "…"
		}
	}
	return prose.Shorten(condition, limit)
}

// connector matches what stands between two operands of a condition.
var connector = regexp.MustCompile(` (&&|\|\|) `)

// otherConnector names an edit that has && in place of the only || in a condition, or the other way about, if there is no
// room for both conditions. ok is false for other edits.
func otherConnector(original, replacement string, limit int) (w Words, ok bool) {
	for now, other := range map[string]string{"&&": "||", "||": "&&"} {
		if strings.Count(original, now) == 1 && strings.Replace(original, now, other, 1) == replacement && utf8.RuneCountInString(original) > limit {
			condition := ShortCondition(original, limit)
			return Words{prose.Say("%s → %s in %s", now, other, condition), prose.Say("with %s in place of %s in %s", other, now, condition)}, true
		}
	}
	return Words{}, false
}

// maxStatement is how many runes of a statement are shown beside its condition.
const maxStatement = 40

// IsShort reports whether source is a statement that has room beside its condition.
func IsShort(source string) bool {
	source = strings.TrimSpace(source)
	return source != "" && utf8.RuneCountInString(source) <= maxStatement && !strings.Contains(source, "\n") && !strings.HasPrefix(source, "//")
}

// word matches a side of an edit that is too short to say much by itself.
var word = regexp.MustCompile(`^[-+]?[\w.]{0,12}$|^"[^"]{0,2}"$`)

// inLine returns both sides of an edit with the line around them, as much of it as there is room for, if they are
// single words.
func inLine(m *results.Mutant, original, replacement string, limit int) (string, string) {
	after, ok := inContext(m, Effective(m))
	before := strings.TrimSpace(m.Context)
	after = strings.TrimSpace(after)
	if !ok || !word.MatchString(original) || !word.MatchString(replacement) || strings.Contains(before+after, "\n") {
		return original, replacement
	}
	return prose.DifferenceWithin(before, after, limit)
}

// undoingLines names the undoing of a part of the change that is too long for a line.
func undoingLines(m *results.Mutant, original, replacement string) Words {
	where := undoneLines(m)
	code := firstCode(cmp.Or(original, replacement))
	switch {
	case original == "":
		return Words{prose.Say("put back the old code at " + where).And(code), prose.Say("if the old code at " + where).And(code).And(prose.Say("is put back"))}
	case replacement == "":
		return Words{prose.Say("leave out what is new in " + where).And(code), prose.Say("without what is new in " + where).And(code)}
	}
	return Words{prose.Say("undo the change to " + where).And(code), prose.Say("without the change to " + where)}
}

// maxPlaces is how many places of an undone part are named.
const maxPlaces = 3

// undoneLines names the lines of the part of the change that m undoes: those that differ from the old ones, if they are in a
// few places, else the first and the last.
func undoneLines(m *results.Mutant) string {
	var places []results.Code
	at, open := m.Line, false
	for _, line := range diffOf(splitLines(m.Original), splitLines(Effective(m)), Tokens) {
		differs := line.sign != ' '
		if differs && !open {
			places = append(places, results.Code{StartLine: at, EndLine: at})
		}
		if open = differs; line.sign == '-' {
			places[len(places)-1].EndLine = at
		}
		if line.sign != '+' {
			at++
		}
	}
	last := LastLine(m)
	switch {
	case last <= m.Line:
		return "line " + prose.Exact(m.Line)
	case 1 < len(places) && len(places) <= maxPlaces:
		return LineNumbers(places...)
	}
	return "lines " + prose.Exact(m.Line) + " to " + prose.Exact(last)
}

// firstCode returns the first line that is not only brackets or a comment, in parentheses; empty: there is none.
func firstCode(lines string) prose.Text {
	for line := range strings.Lines(lines) {
		line = strings.TrimSpace(line)
		if strings.Trim(line, "(){}[];, ") != "" && !strings.HasPrefix(line, "//") {
			return prose.Say("(%s …)", prose.Shorten(line, maxStatement))
		}
	}
	return nil
}

// leads and trails match the operator before or after an operand.
var leads, trails = regexp.MustCompile(`^(&&|\|\|) `), regexp.MustCompile(` (&&|\|\|)$`)

// addedOperand returns the operand that a condition has and its old form lacks, with the operator before or after it, as
// in "&& n > 0". It returns "" if that is not all that differs.
func addedOperand(now, old string) string {
	before, isIf := strings.CutSuffix(OnOneLine(old), " {")
	now, isToo := strings.CutSuffix(OnOneLine(now), " {")
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
func undoing(original, replacement string) Words {
	switch {
	case original == "":
		return Words{prose.Say("put back %s", replacement), prose.Say("with %s put back", replacement)}
	case replacement == "":
		return Words{prose.Say("leave out %s", original), prose.Say("without %s, which is new", original)}
	}
	return Words{prose.Say("undo the change to %s (it was %s)", original, replacement), prose.Say("without the change to %s", original)}
}
