package report

import (
	"cmp"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// This file has the facts about a mutant that ranking goes by. Most are read off its source, and that of other mutants.

// condition is the place of a condition: a file and offsets in it.
type condition struct {
	file       string
	begin, end int
}

func conditionOf(m *results.Mutant) condition { return condition{m.File, m.Offset, m.EndOffset} }

// eitherWay reports whether m alters a condition, or a part of one, that is true in some tests and false in others. No
// test notices if it is always true, and none if it is always false: it only chooses what is faster.
func (k ranking) eitherWay(m *results.Mutant) bool {
	for place, values := range k.always {
		if place.file == m.File && place.begin <= m.Offset && m.EndOffset <= place.end && slices.Contains(values, true) && slices.Contains(values, false) {
			return true
		}
	}
	return false
}

// fastPath reports whether m leaves out code that tests run. They notice another edit of that code, but not that the
// code is missing: what comes after it gives the same results.
func (k ranking) fastPath(m *results.Mutant) bool {
	begin, end := m.EndOffset, m.Evidence.BranchEnd
	switch {
	case m.Operator == "case-removal":
		begin, end = m.Offset, m.EndOffset
	case end == 0 || m.Stage != results.Infected && m.Stage != results.Propagated: // it leaves out nothing, or no test runs what it leaves out
		return false
	}
	return slices.ContainsFunc(k.mutants[m.File], func(other *results.Mutant) bool {
		return other.Status == results.Killed && begin <= other.Offset && other.EndOffset <= end &&
			(other.Offset != m.Offset || other.EndOffset != m.EndOffset)
	})
}

// outlines returns the IDs of new unexported functions that a function which gives the same results as before calls in
// its new lines. They hold code that stood there before.
func (k ranking) outlines(r *results.Results) map[string]bool {
	found := map[string]bool{}
	for _, f := range r.Scope {
		name := f.Name[strings.LastIndexByte(f.Name, '.')+1:]
		if f.Reason != results.ReasonAdded || token.IsExported(name) || name == "" {
			continue
		}
		calls := callsOf(name)
		found[f.ID] = slices.ContainsFunc(r.Mutants, func(m results.Mutant) bool {
			return edit.IsReversal(&m) && k.agrees[m.Function] && k.packages[m.Function] == f.Package && calls.MatchString(m.Original)
		})
	}
	return found
}

// movesOut reports whether the part of the change that m undoes calls a new unexported function of the package in place
// of other code. Most often that code has moved there.
func (k ranking) movesOut(m *results.Mutant) bool {
	if !rewords(m) {
		return false
	}
	old := edit.Effective(m)
	for id, reason := range k.scope {
		name := id[strings.LastIndexByte(id, '.')+1:]
		if reason == results.ReasonAdded && name != "" && !token.IsExported(name) && k.packages[id] == k.packages[m.Function] {
			if calls := callsOf(name); calls.MatchString(m.Original) && !calls.MatchString(old) {
				return true
			}
		}
	}
	return false
}

// callsOf returns a pattern of calls of the function or method name.
func callsOf(name string) *regexp.Regexp {
	return regexp.MustCompile(`\b` + regexp.QuoteMeta(strings.ToValidUTF8(name, "\uFFFD")) + `\(`)
}

// neverFalse reports whether m makes the whole condition of an if statement true that is true in all tests. An operand
// of a condition does not count, as it often guards against what cannot happen. Nor does the condition of a loop, which
// often only ends the loop earlier.
func neverFalse(m *results.Mutant) bool { return alwaysAs(m, "true") }

// neverTrue reports whether m makes the whole condition of an if statement false that is false in all tests.
func neverTrue(m *results.Mutant) bool { return alwaysAs(m, "false") }

// alwaysAs reports whether m gives the whole condition of an if statement the value that it has in all tests. If an
// input shows a difference, alwaysAs reports false: the input says more.
func alwaysAs(m *results.Mutant, value string) bool {
	return m.Evidence.Same && edit.Forces(m, value) && example(m) == nil
}

// empty matches a check for an empty list, map or string.
var empty = regexp.MustCompile(`\b(?:len|cap)\([^()]*\) *([=!<>]=|>) *0\b|\b(?:len|cap)\([^()]*\) *(<|>=) *1\b`)

// guardsEmptiness reports whether the part of the change that m undoes only puts such a check around old code.
func guardsEmptiness(m *results.Mutant) bool {
	added, rest := edit.AddedLines(m)
	added = slices.DeleteFunc(added, func(line string) bool { return strings.Trim(line, "{} ") == "" })
	return len(rest) == 0 && len(added) == 1 && strings.HasPrefix(added[0], "if ") && empty.MatchString(added[0])
}

// checksEmptiness reports whether m alters such a check. Code that goes through an empty list does nothing, with the
// check or without it.
func checksEmptiness(m *results.Mutant) bool {
	return empty.MatchString(m.Original) && !strings.Contains(m.Original, "\n") &&
		slices.Contains([]string{"early-return", "logical", "condition", "branch-removal", "relational"}, m.Operator)
}

// holdsItems matches a check that a list is not empty, and captures the list.
var holdsItems = regexp.MustCompile(`^len\(([^()]+)\) *(?:> *0|!= *0|>= *1)$`)

// guardsIndex reports whether m lets an empty list through to a branch that indexes it, which then panics.
func (k ranking) guardsIndex(m *results.Mutant) bool {
	list := letsThrough(m)
	return list != "" && slices.ContainsFunc(k.mutants[m.File], func(o *results.Mutant) bool { return indexes(o, m, list) })
}

// letsThrough returns the list of which m leaves out the check of an if statement that it is not empty; "" if there is
// none. The condition must have no other operand.
func letsThrough(m *results.Mutant) string {
	line, check := strings.TrimSpace(m.Context), strings.TrimSpace(m.Original)
	list := holdsItems.FindStringSubmatch(check)
	whole := strings.HasPrefix(line, "if "+check+" {") || strings.HasPrefix(line, "if ") && strings.Contains(line, "; "+check+" {")
	if list == nil || !whole || edit.Effective(m) != "true" && !strings.Contains(m.Replacement, ">= 0") {
		return ""
	}
	return list[1]
}

// indexes reports whether o has the branch after the condition in m, and the branch takes the first or the last item of
// list, not within a loop.
func indexes(o, m *results.Mutant, list string) bool {
	branch, name := o.Evidence.Branch, regexp.QuoteMeta(list)
	return o.Offset <= m.Offset && m.EndOffset <= o.EndOffset && !strings.Contains(branch, "for ") &&
		regexp.MustCompile(`(?:^|[^\w.])`+name+`\[(?:0|len\(`+name+`\) ?- ?1)\]`).MatchString(branch)
}

// inserts reports whether the part of the change that m undoes only adds lines, or only adds something within lines,
// such as an operand. Lines that lock or unlock, which tests hardly notice, or that give a field its zero value do not
// count.
func inserts(m *results.Mutant) bool {
	added, rest := edit.AddedLines(m)
	if len(rest) > 0 {
		return insertsWithin(m)
	}
	return slices.ContainsFunc(added, func(line string) bool { return !locks.MatchString(line) && !zeroField.MatchString(line) })
}

// extends reports whether the part of the change that m undoes keeps all tokens of the old lines but brackets and
// commas, and adds a call of another function.
func extends(m *results.Mutant) bool {
	rest := strings.Fields(edit.Tokens(edit.Effective(m)))
	rest = slices.DeleteFunc(rest, func(token string) bool { return strings.Trim(token, "(){}[],;") == "" })
	left := map[string]int{}
	for _, token := range rest {
		left[token]++
	}
	kept, called, added := 0, false, "" // added is the token before the current one, if it is a name that is not kept
	for _, text := range strings.Fields(edit.Tokens(m.Original)) {
		called = called || text == "(" && added != "" && types.Universe.Lookup(added) == nil
		added = ""
		switch {
		case left[text] > 0:
			left[text]--
			kept++
		case token.IsIdentifier(text):
			added = text
		}
	}
	return len(rest) > 0 && kept == len(rest) && called
}

// addsPanic reports whether the part of the change that m undoes only adds an if statement that only panics.
func addsPanic(m *results.Mutant) bool {
	added, rest := edit.AddedLines(m)
	return len(rest) == 0 && len(added) > 1 && strings.HasPrefix(added[0], "if ") && onlyPanics(strings.Join(added[1:], "\n"))
}

// guardsPanic reports whether m alters a condition, or a part of one, under which the code only panics.
func (k ranking) guardsPanic(m *results.Mutant) bool {
	return onlyPanics(m.Evidence.Branch) || slices.ContainsFunc(k.mutants[m.File], func(whole *results.Mutant) bool {
		return whole.Offset <= m.Offset && m.EndOffset <= whole.EndOffset && onlyPanics(whole.Evidence.Branch)
	})
}

// insertsWithin reports whether the part of the change that m undoes only adds tokens to those that were there, and
// more than brackets and predeclared names, as in a conversion.
func insertsWithin(m *results.Mutant) bool { return len(insertedWords(m)) > 0 }

// insertedWords returns the tokens but brackets and predeclared names that the part of the change which m undoes adds to
// those that were there; nil if it does more than add tokens.
func insertedWords(m *results.Mutant) (words []string) {
	rest := strings.Fields(edit.Tokens(edit.Effective(m)))
	for _, token := range strings.Fields(edit.Tokens(m.Original)) {
		switch {
		case len(rest) > 0 && rest[0] == token:
			rest = rest[1:]
		case strings.Trim(token, "(){}[],;*&") != "" && types.Universe.Lookup(token) == nil:
			words = append(words, token)
		}
	}
	if len(rest) > 0 {
		return nil
	}
	return words
}

// copies matches the name of a function or package that copies its argument.
var copies = regexp.MustCompile(`(?i)copy|clone`)

// addsCopy reports whether the part of the change that m undoes only passes a value through a function that copies it.
func addsCopy(m *results.Mutant) bool {
	_, rest := edit.AddedLines(m)
	return len(rest) > 0 && slices.ContainsFunc(insertedWords(m), copies.MatchString)
}

// regroups reports whether the part of the change that m undoes only removes operands of a condition, or groups them
// differently. Then the condition is another one, and not the same in other words.
func regroups(m *results.Mutant) bool {
	now, old := edit.CodeLines(m.Original), edit.CodeLines(edit.Effective(m))
	if len(now) != 1 || len(old) != 1 || !strings.HasPrefix(now[0], "if ") || !strings.HasPrefix(old[0], "if ") {
		return false
	}
	ungrouped := func(line string) []string {
		return slices.DeleteFunc(strings.Fields(edit.Tokens(line)), func(t string) bool { return t == "(" || t == ")" })
	}
	rest := ungrouped(now[0])
	for _, token := range ungrouped(old[0]) {
		if len(rest) > 0 && rest[0] == token {
			rest = rest[1:]
		}
	}
	return len(rest) == 0 && edit.Tokens(now[0]) != edit.Tokens(old[0])
}

// rewords reports whether the part of the change that m undoes alters lines rather than adding some: it has at most
// twice as many new lines as old ones.
func rewords(m *results.Mutant) bool {
	if inserts(m) {
		return false
	}
	old, now := edit.ReplacedLines(m)
	return now <= 2*old
}

// locks matches a line that takes or releases a lock.
var locks = regexp.MustCompile(`^(defer )?[\w.\[\]]+\.R?(Lock|Unlock)\(\)$`)

// zeroField matches a line of a composite literal that sets a field to its zero value, or to an empty slice, which is
// hardly ever told from nil.
var zeroField = regexp.MustCompile(`^\w+: (false|0|""|nil|\[\][\w.*\[\]]+\{\}),$`)

// otherNumbers reports whether the part of the change that m undoes only replaces numbers or characters by others.
func otherNumbers(m *results.Mutant) bool {
	old, now := strings.Fields(edit.Tokens(edit.Effective(m))), strings.Fields(edit.Tokens(m.Original))
	number := func(t string) bool { return t[0] >= '0' && t[0] <= '9' || t[0] == '\'' }
	return !slices.Equal(old, now) && slices.EqualFunc(old, now, func(a, b string) bool { return a == b || number(a) && number(b) })
}

// addsFastPath reports whether the part of the change that m undoes has a branch that makes no difference to the tests.
func (k ranking) addsFastPath(m *results.Mutant) bool {
	return k.has(m, func(other *results.Mutant) bool { return k.changed(other) && (k.fastPath(other) || k.eitherWay(other)) })
}

// partlyUnrun reports whether the part of the change that m undoes has lines that nothing is seen to run and that do
// more than fail. Then nothing is known of its purpose, even if the rest of it runs, such as a flag's declaration.
func (k ranking) partlyUnrun(m *results.Mutant) bool {
	return k.has(m, func(other *results.Mutant) bool { return other.Evidence.OnDiff && unrun(other) && !k.onlyFails(other) })
}

// has reports whether a survivor that sort accepts is within m.
func (k ranking) has(m *results.Mutant, sort func(*results.Mutant) bool) bool {
	return slices.ContainsFunc(k.mutants[m.File], func(other *results.Mutant) bool {
		return other.Status == results.Survived && m.Offset <= other.Offset && other.EndOffset <= m.EndOffset && sort(other)
	})
}

// older reports whether m is within a part of the change that can be undone without a test noticing, and not on a line
// that this part only adds.
func (k ranking) older(m *results.Mutant) bool {
	return !edit.IsReversal(m) && slices.ContainsFunc(k.undone, func(u *results.Mutant) bool {
		return u.File == m.File && u.Offset <= m.Offset && m.EndOffset <= u.EndOffset && !edit.Adds(u, m.Line)
	})
}

// half reports whether m undoes a part of a change to a function, where undoing the whole makes no difference: on many
// inputs, or on the one that shows the part. What m shows is then only that old and new code do not mix.
func (k ranking) half(m *results.Mutant) bool {
	if m.Exposed() && m.ExposedBy.AsBefore {
		return true
	}
	return edit.IsReversal(m) && slices.ContainsFunc(k.mutants[m.File], func(whole *results.Mutant) bool {
		return whole.Function == m.Function && edit.IsReversal(whole) && whole.Offset <= m.Offset && m.EndOffset <= whole.EndOffset &&
			whole.EndOffset-whole.Offset > m.EndOffset-m.Offset &&
			(whole.Status == results.Equivalent || whole.Status == results.Survived && !whole.Exposed() && whole.Evidence.Execs >= fuzzed)
	})
}

// refactored reports whether m is on a line whose change makes no difference on many inputs. Then m is about what the
// line did before, too.
func (k ranking) refactored(m *results.Mutant) bool {
	return !edit.IsReversal(m) && slices.ContainsFunc(k.undone, func(u *results.Mutant) bool {
		return u.File == m.File && u.Offset <= m.Offset && m.EndOffset <= u.EndOffset && !u.Exposed() && u.Evidence.Execs >= fuzzed
	})
}

// changed reports whether m is about what the change touches. If a function is in scope because its tests changed, or
// because everything is, all its mutants count.
func (k ranking) changed(m *results.Mutant) bool {
	reason := k.scope[m.Function]
	touched := m.Evidence.OnDiff && !m.Evidence.Beside
	if edit.IsReversal(m) {
		touched = !k.moved(m)
	}
	return touched || reason == results.ReasonAll || reason == results.ReasonTestChanged
}

// moved reports whether the part of the change that m undoes only adds lines that the change removes elsewhere. Undoing
// that part alone removes the lines altogether.
func (k ranking) moved(m *results.Mutant) bool {
	added, rest := edit.AddedLines(m)
	if len(added) == 0 || len(rest) > 0 {
		return false
	}
	return !m.Evidence.OnDiff || slices.ContainsFunc(k.mutants[m.File], func(whole *results.Mutant) bool {
		return edit.IsReversal(whole) && whole != m && whole.Offset <= m.Offset && m.EndOffset <= whole.EndOffset && follow(added, edit.CodeLines(edit.Effective(whole)))
	})
}

// follow reports whether lines occur in others one after another.
func follow(lines, others []string) bool {
	for i := range others {
		if len(others)-i >= len(lines) && slices.Equal(lines, others[i:i+len(lines)]) {
			return true
		}
	}
	return false
}

// writesOut matches the IDs of methods that describe their receiver, such as String.
var writesOut = regexp.MustCompile(`\.(Error|(Go|Debug)?String|Dump)$`)

// isDescription reports whether a function is such a method.
func isDescription(function string) bool {
	return writesOut.MatchString(function)
}

// passesOn matches a statement that returns a variable as its last result.
var passesOn = regexp.MustCompile(`^return (.*, )?[\pL_][\pL\d_]*$`)

// neverFails reports whether m returns nil for an error variable that was nil whenever tests came there.
func neverFails(m *results.Mutant) bool {
	return m.Operator == "error-return" && m.Evidence.Same && passesOn.MatchString(strings.TrimSpace(m.Original))
}

// examples matches the path of a file in a folder of examples or of test helpers.
var examples = regexp.MustCompile(`(?i)(^|/)_?(examples?|testonly)/|(^|/)internal/(.+/)?test(utils?|helpers?|ing)/`)

// inExample reports whether a file belongs to an example, or to test helpers: both are seldom tested.
func inExample(file string) bool { return examples.MatchString(file) }

// returnsError matches a statement that returns an error variable, such as io.EOF, after other results.
var returnsError = regexp.MustCompile(`^return .+, (?:\w+\.)?(?:[eE]rr[A-Z]\w*|EOF)$`)

// besideError reports whether m alters a result beside such an error.
func besideError(m *results.Mutant) bool {
	line := strings.TrimSpace(m.Context)
	return m.Operator == "return-value" && returnsError.MatchString(line) && !strings.HasSuffix(line, strings.TrimSpace(m.Original))
}

// neverSet is about a return statement in which m replaces a variable by a zero value. If the variable had that value
// whenever tests came there, it returns both. Otherwise, or if that is not known, it returns empty strings.
func neverSet(m *results.Mutant) (variable, zero string) {
	original, instead := strings.TrimSpace(m.Original), strings.TrimSpace(edit.Effective(m))
	if !m.Evidence.Same || m.Operator != "error-return" && m.Operator != "return-value" || !strings.HasPrefix(original, "return ") {
		return "", ""
	}
	zero = instead[strings.LastIndexAny(instead, " (")+1:]
	variable, ok := strings.CutPrefix(original, strings.TrimSuffix(instead, zero))
	if !ok || !token.IsIdentifier(variable) || !slices.Contains([]string{"nil", "false", "0", `""`}, zero) {
		return "", ""
	}
	return variable, zero
}

// bothAlways says how many of two conditions held whenever tests came there, if m swaps "and" and "or" between them:
// "both" or "neither". It is empty if m does something else, or if that is not known.
func bothAlways(m *results.Mutant) string {
	switch and := strings.Count(m.Original, "&&") - strings.Count(edit.Effective(m), "&&"); {
	case !m.Evidence.Same || m.Operator != "logical":
		return ""
	case and > 0: // the probe has never seen the whole condition false
		return "both"
	case and < 0:
		return "neither"
	}
	return ""
}

// sameAsBefore reports whether mutants undo parts of the change to the function of m, and none makes a difference on
// many inputs that the function accepts.
func (k ranking) sameAsBefore(m *results.Mutant) (same bool) {
	for _, o := range k.mutants[m.File] {
		if edit.IsReversal(o) && o.Function == m.Function && o.Status == results.Survived && o.Evidence.OnDiff {
			if o.Exposed() || o.Evidence.Agreed < fuzzed {
				return false
			}
			same = true
		}
	}
	return same
}

// inOtherForm reports whether m is within a part of the change that does what its old lines did, as is proved or as the
// machine code shows.
func (k ranking) inOtherForm(m *results.Mutant) bool {
	return !edit.IsReversal(m) && slices.ContainsFunc(k.mutants[m.File], func(o *results.Mutant) bool {
		return edit.IsReversal(o) && o.Status == results.Equivalent && o.Offset <= m.Offset && m.EndOffset <= o.EndOffset
	})
}

// oneStatement reports whether the function of m has at most one statement, or only returns a function that has, as an
// option does. Functions that nothing calls do not count, nor do those in scope because everything is.
func (k ranking) oneStatement(m *results.Mutant) bool {
	n := k.length[m.Function]
	if n == 0 || n > 5 || k.uncalled[m.Function] || k.scope[m.Function] == results.ReasonAll {
		return false
	}
	return n <= 3 || ofOneLine(k.unrun[m.Function+m.File])
}

// ofOneLine reports whether code has one line besides those that only begin or end a block.
func ofOneLine(code []results.Code) bool {
	n := 0
	for _, c := range code {
		for line := range strings.Lines(c.Source) {
			if line = strings.TrimSpace(line); strings.Trim(line, "{}(), ") != "" && !strings.HasSuffix(line, "{") {
				n++
			}
		}
	}
	return n == 1
}

// constant matches a line that returns a literal, a name or an empty value. The line may hold the whole function.
var constant = regexp.MustCompile(`(^|\{ )return ("[^"]*"|[-\d][\w.]*|\w+|&?[\w.]+\{\})( \})?$`)

// constantOnly reports whether the function of m only returns constants.
func (k ranking) constantOnly(m *results.Mutant) bool {
	if k.constant[m.Function] {
		return true
	}
	n, lines := k.length[m.Function], edit.CodeLines(m.Context) // the context of an undone part may have the line after it
	return n > 0 && n <= 3 && len(lines) == 1 && constant.MatchString(lines[0])
}

// onlyDriven reports whether only generated drivers run the function of m, and m does not undo a part of the change.
// That no test runs the function says more than any edit.
func (k ranking) onlyDriven(m *results.Mutant) bool {
	return m.Evidence.Unrun && !edit.IsReversal(m) && !k.ran[m.Function]
}

// runs reports whether tests or fuzz targets run the code of m.
func runs(m *results.Mutant) bool {
	return m.Status == results.Killed || m.Status == results.Survived && !unrun(m)
}

// failure matches a statement that only returns an error, 0 or "", or that ends the program, such as log.Fatalf.
var failure = regexp.MustCompile(`^return .*\b\w*[eE]rr|^return (0|"")$|^(\w+\.)*([pP]anic|[fF]atal)\w*\(`)

// declaration matches a constant, variable or type that old lines bring with them. Old functions come as variables,
// too: oldFunction matches these.
var (
	declaration = regexp.MustCompile(`(?m)^(?:const|type|var) .*`)
	oldFunction = regexp.MustCompile(`^var \w+ func\b`)
)

// takesFunctions reports whether the old lines that m puts back bring old functions with them: the lines alone do not
// say what m does.
func takesFunctions(m *results.Mutant) bool {
	return m.Needs != nil && slices.ContainsFunc(m.Needs.Added, func(a results.Addition) bool {
		return slices.ContainsFunc(declaration.FindAllString(a.Text, -1), oldFunction.MatchString)
	})
}

// takesDeclarations reports whether the old lines that m puts back bring constants, variables or types of the base.
func takesDeclarations(m *results.Mutant) bool {
	return m.Needs != nil && slices.ContainsFunc(m.Needs.Added, func(a results.Addition) bool {
		return slices.ContainsFunc(declaration.FindAllString(a.Text, -1), func(line string) bool { return !oldFunction.MatchString(line) })
	})
}

// areHashes reports whether program and mutant each give one number of many digits, and the name of the function, or of
// the one that is called, says that it is a hash.
func areHashes(m *results.Mutant, x *results.ExposedBy) bool {
	return manyDigits.MatchString(x.Original) && manyDigits.MatchString(x.Mutant) && hashing.MatchString(m.Function[strings.LastIndexByte(m.Function, '/')+1:]+" "+x.Call)
}

var (
	manyDigits = regexp.MustCompile(`^-?[0-9]{15,}$`)
	hashing    = regexp.MustCompile(`(?i)hash|checksum|crc|digest|fingerprint`)
)

// isNoNumber reports whether a driver's call that shows a difference passes NaN or an infinite number. aboutNumbers
// matches code that mentions these.
func isNoNumber(x *results.ExposedBy) bool { return x.Driver && notFinite.MatchString(x.Call) }

var (
	notFinite    = regexp.MustCompile(`math\.(NaN|Inf)\(`)
	aboutNumbers = regexp.MustCompile(`NaN|Inf`)
)

// closes matches a statement that only closes something. It may be deferred, also within a function literal.
var closes = regexp.MustCompile(`^(?:defer )?(?:_ = )?[\w.]+\.Close\(\)$|^defer func\(\) \{\s*(?:if \w+ != nil \{\s*)?(?:_ = )?[\w.]+\.Close\(\)\s*\}?\s*\}\(\)$`)

// addsClosing reports whether the part of the change that m undoes only adds the closing of something.
func addsClosing(m *results.Mutant) bool {
	added, rest := edit.AddedLines(m)
	return len(rest) == 0 && len(added) > 0 && closes.MatchString(strings.Join(added, "\n"))
}

// addsOnly reports whether the part of the change that m undoes only adds lines that kind accepts.
func addsOnly(m *results.Mutant, kind func(line string) bool) bool {
	added, rest := edit.AddedLines(m)
	return len(rest) == 0 && len(added) > 0 && !slices.ContainsFunc(added, func(line string) bool { return !kind(strings.TrimSpace(line)) })
}

// deferredUnlock matches a deferred statement that releases a lock.
var deferredUnlock = regexp.MustCompile(`^defer [\w.\[\]]+\.R?Unlock\(\)$`)

// copyLine matches a line that copies a variable.
var copyLine = regexp.MustCompile(`^(\w+) := (\w+)$`)

// isCopy reports whether a line copies a variable to a new one of the same name.
func isCopy(line string) bool {
	names := copyLine.FindStringSubmatch(line)
	return names != nil && names[1] == names[2]
}

// onlyPanics reports whether branch is a single call of panic.
func onlyPanics(branch string) bool {
	n, depth := 0, 0
	for t := range edit.Lexemes(branch) {
		n++
		switch {
		case n == 1 && t.Text != "panic":
			return false
		case t.Token == token.LPAREN:
			depth++
		case t.Token == token.RPAREN:
			depth--
		case n > 1 && depth == 0:
			return false
		}
	}
	return n > 1 && depth == 0
}

// onlyFails reports whether m is in code that only fails, or gives up after an error, in a function whose other code
// runs. Few errors have a test.
func (k ranking) onlyFails(m *results.Mutant) bool {
	return k.ran[m.Function] && (failure.MatchString(strings.TrimSpace(cmp.Or(m.Context, m.Original))) ||
		slices.ContainsFunc(k.unrun[m.Function+m.File], func(c results.Code) bool {
			return c.StartLine <= m.Line && m.Line <= c.EndLine && (givesUp(c) || recovers(c))
		}))
}

// errorCheck matches the head of an error check, and captures the call that gives the error if it is in the head.
// checked matches an assignment that may stand before an error check, and captures the call.
var (
	errorCheck = regexp.MustCompile(`^if (?:(?:_, )*\w*[eE]rr\w* :?= (.*); *|.*; *)?\w*[eE]rr\w* != nil \{$`)
	checked    = regexp.MustCompile(`^(?:_, )*\w*[eE]rr\w* :?= (.*)$`)
)

// addsErrorCheck reports whether the part of the change that m undoes only passes errors on: those of old calls, or of
// new calls that have no other use. Other code of the function has to run.
func (k ranking) addsErrorCheck(m *results.Mutant) bool {
	now, old := edit.CodeLines(m.Original), edit.CodeLines(edit.Effective(m))
	same := func(a, b string) bool { return edit.Tokens(a) == edit.Tokens(strings.TrimPrefix(b, "_ = ")) }
	rest, calls := unchecked(now)
	return k.ran[m.Function] && len(rest) < len(now) && (slices.EqualFunc(calls, old, same) || slices.EqualFunc(rest, old, same))
}

// unchecked returns lines without error checks that return. rest has no checked calls either; calls has them alone.
func unchecked(lines []string) (rest, calls []string) {
	passesOn := func(i int) bool {
		return i+1 < len(lines) && errorCheck.MatchString(lines[i]) && strings.HasPrefix(lines[i+1], "return ")
	}
	for i := 0; i < len(lines); i++ {
		call := checked.FindStringSubmatch(lines[i])
		switch {
		case passesOn(i):
			if call = errorCheck.FindStringSubmatch(lines[i]); call[1] != "" {
				calls = append(calls, call[1])
			}
			i++
		case call != nil && passesOn(i+1):
			calls = append(calls, call[1])
			i += 2
		default:
			rest, calls = append(rest, lines[i]), append(calls, lines[i])
		}
	}
	return rest, calls
}

// passesOwn reports whether tests of m's own package run its code and pass, and all that is not known is whether tests
// of dependent packages notice m.
func (k ranking) passesOwn(m *results.Mutant) bool { return m.Evidence.OwnOnly && k.runsInOwn(m) }

// missedByOwn reports whether tests of m's own package run its function, but not its code, and all that is not known is
// whether tests of dependent packages run that.
func (k ranking) missedByOwn(m *results.Mutant) bool {
	return m.Evidence.OwnOnly && !m.Evidence.Program && unrun(m) && k.ranByOwn[m.Function]
}

// passesNew reports whether tests that the change adds or alters run m's code and pass, all of which pass without m, too.
// All that is not known is whether older tests notice m, which do not pass here in every run.
func (k ranking) passesNew(m *results.Mutant) bool {
	return failingTests(m) != "" && len(m.Evidence.ByChange) > 0 && !k.newFails
}

// failingTests returns the list of the tests that do not pass without m either and run it, or may run it; "" if there are
// none, or if other tests are missing, too.
func failingTests(m *results.Mutant) string {
	list, run := strings.CutPrefix(m.Reason, results.QuarantinedRun)
	list, mayRun := strings.CutPrefix(list, results.FailingMayRun)
	if !run && !mayRun || strings.Contains(list, "; ") {
		return ""
	}
	return list
}

// runsInOwn reports whether tests of m's own package are seen to run its code.
func (k ranking) runsInOwn(m *results.Mutant) bool {
	pkg, tests := k.packages[m.Function], m.Evidence.By
	if m.KilledBy != nil && m.KilledBy.By == results.ByTest {
		tests = append(slices.Clip(tests), m.KilledBy.Name)
	}
	return pkg != "" && slices.ContainsFunc(tests, func(test string) bool {
		name, ok := strings.CutPrefix(test, pkg+".")
		top, _, _ := strings.Cut(name, "/") // what follows is the name of a subtest
		return ok && !strings.Contains(top, ".")
	})
}

// added reports whether the function of m is new, or may be because everything is in scope.
func (k ranking) added(m *results.Mutant) bool {
	reason := k.scope[m.Function]
	return reason == results.ReasonAdded || reason == results.ReasonAll
}
