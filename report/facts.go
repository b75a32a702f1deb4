package report

import (
	"cmp"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// What ranking goes by: facts about a mutant, most of them read off its text and that of others.

// condition is the place of one.
type condition struct {
	file       string
	begin, end int
}

func conditionOf(m *results.Mutant) condition { return condition{m.File, m.Offset, m.EndOffset} }

// eitherWay reports whether m alters a condition that was true in some tests and false in others,
// and that may as well always be true, or always be false: then it says what is faster.
func (k ranking) eitherWay(m *results.Mutant) bool {
	for place, values := range k.always {
		if place.file == m.File && place.begin <= m.Offset && m.EndOffset <= place.end && slices.Contains(values, true) && slices.Contains(values, false) {
			return true
		}
	}
	return false
}

// fastPath reports whether m leaves code out that ran in the tests, and although they notice if that
// does something else, they do not notice that it is left out: what comes after it gives the same.
func (k ranking) fastPath(m *results.Mutant) bool {
	begin, end := m.EndOffset, m.Evidence.BranchEnd
	switch {
	case m.Operator == "case-removal":
		begin, end = m.Offset, m.EndOffset
	case end == 0 || m.Stage != results.Infected && m.Stage != results.Propagated: // it leaves out nothing, or no test comes to it
		return false
	}
	return slices.ContainsFunc(k.mutants[m.File], func(other *results.Mutant) bool {
		return other.Status == results.Killed && begin <= other.Offset && other.EndOffset <= end &&
			(other.Offset != m.Offset || other.EndOffset != m.EndOffset)
	})
}

// outlines are the functions that only the change has, that other packages cannot name, and that functions which do what they did
// before call in their new lines: what was written there before.
func (k ranking) outlines(r *results.Results) map[string]bool {
	found := map[string]bool{}
	for _, f := range r.Scope {
		name := f.Name[strings.LastIndexByte(f.Name, '.')+1:]
		if f.Reason != results.ReasonAdded || token.IsExported(name) || name == "" {
			continue
		}
		calls := callsOf(name)
		found[f.ID] = slices.ContainsFunc(r.Mutants, func(m results.Mutant) bool {
			return isReversal(&m) && k.agrees[m.Function] && k.packages[m.Function] == f.Package && calls.MatchString(m.Original)
		})
	}
	return found
}

// movesOut reports whether the part of the change that m undoes calls a new function of the package in the place of other code: most
// often that has moved there.
func (k ranking) movesOut(m *results.Mutant) bool {
	if !rewords(m) {
		return false
	}
	old := effective(m)
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

// callsOf matches calls of a function or method in source.
func callsOf(name string) *regexp.Regexp {
	return regexp.MustCompile(`\b` + regexp.QuoteMeta(strings.ToValidUTF8(name, "\uFFFD")) + `\(`)
}

// neverFalse reports whether m makes the whole condition of an if statement hold that holds in all
// tests. Operands of one are often guards for what cannot happen, and conditions of loops often only
// end them earlier.
func neverFalse(m *results.Mutant) bool { return alwaysAs(m, "true") }

// neverTrue reports whether m makes the whole condition of an if statement fail that holds in no test.
func neverTrue(m *results.Mutant) bool { return alwaysAs(m, "false") }

// alwaysAs reports whether m gives the whole condition of an if statement the value that it has in all tests, and no input is known that
// shows the other, which says more.
func alwaysAs(m *results.Mutant, value string) bool {
	return m.Evidence.Same && forces(m, value) && example(m) == nil
}

// forces reports whether m gives the whole condition of an if statement a value.
func forces(m *results.Mutant, value string) bool {
	line, condition := strings.TrimSpace(m.Context), strings.TrimSpace(m.Original)+" {"
	return effective(m) == value && strings.HasPrefix(line, "if ") && (strings.HasPrefix(line, "if "+condition) || strings.Contains(line, "; "+condition))
}

// empty matches a check for an empty list, map or text.
var empty = regexp.MustCompile(`\b(?:len|cap)\([^()]*\) *([=!<>]=|>) *0\b|\b(?:len|cap)\([^()]*\) *(<|>=) *1\b`)

// guardsEmptiness reports whether the part of the change that m undoes only puts such a check around what was there.
func guardsEmptiness(m *results.Mutant) bool {
	added, rest := addedLines(m)
	added = slices.DeleteFunc(added, func(line string) bool { return strings.Trim(line, "{} ") == "" })
	return len(rest) == 0 && len(added) == 1 && strings.HasPrefix(added[0], "if ") && empty.MatchString(added[0])
}

// checksEmptiness reports whether m alters a condition about whether there is anything at all: code that goes through a
// list does nothing if it has none, with such a check or without it.
func checksEmptiness(m *results.Mutant) bool {
	return empty.MatchString(m.Original) && !strings.Contains(m.Original, "\n") &&
		slices.Contains([]string{"early-return", "logical", "condition", "branch-removal", "relational"}, m.Operator)
}

// inserts reports whether the part of the change that m undoes only adds lines, and more than locks,
// which tests hardly notice, and fields that are given the value that they have anyway; or something within its lines, as an operand of a
// condition.
func inserts(m *results.Mutant) bool {
	added, rest := addedLines(m)
	if len(rest) > 0 {
		return insertsWithin(m)
	}
	return slices.ContainsFunc(added, func(line string) bool { return !locks.MatchString(line) && !zeroField.MatchString(line) })
}

// addsPanic reports whether the part of the change that m undoes only adds a condition under which nothing is done but to panic.
func addsPanic(m *results.Mutant) bool {
	added, rest := addedLines(m)
	return len(rest) == 0 && len(added) > 1 && strings.HasPrefix(added[0], "if ") && onlyPanics(strings.Join(added[1:], "\n"))
}

// guardsPanic reports whether m alters a condition under which nothing is done but to panic, or a part of it.
func (k ranking) guardsPanic(m *results.Mutant) bool {
	return onlyPanics(m.Evidence.Branch) || slices.ContainsFunc(k.mutants[m.File], func(whole *results.Mutant) bool {
		return whole.Offset <= m.Offset && m.EndOffset <= whole.EndOffset && onlyPanics(whole.Evidence.Branch)
	})
}

// onlyTakesAway reports whether the part of the change that m undoes only takes lines away.
func onlyTakesAway(m *results.Mutant) bool {
	now, base := alteredLines(strings.TrimSpace(m.Original), strings.TrimSpace(effective(m)))
	return strings.TrimSpace(now) == "" && strings.TrimSpace(base) != ""
}

// insertsWithin reports whether the part of the change that m undoes only adds to what there was, and more than brackets
// and conversions.
func insertsWithin(m *results.Mutant) bool {
	rest := strings.Fields(tokens(effective(m)))
	says := false
	for _, token := range strings.Fields(tokens(m.Original)) {
		switch {
		case len(rest) > 0 && rest[0] == token:
			rest = rest[1:]
		case strings.Trim(token, "(){}[],;*&") != "" && types.Universe.Lookup(token) == nil:
			says = true
		}
	}
	return len(rest) == 0 && says
}

// regroups reports whether the part of the change that m undoes only takes operands away from a condition, or groups them
// otherwise: then it is another condition, and not the same in other words.
func regroups(m *results.Mutant) bool {
	now, old := codeLines(m.Original), codeLines(effective(m))
	if len(now) != 1 || len(old) != 1 || !strings.HasPrefix(now[0], "if ") || !strings.HasPrefix(old[0], "if ") {
		return false
	}
	ungrouped := func(line string) []string {
		return slices.DeleteFunc(strings.Fields(tokens(line)), func(t string) bool { return t == "(" || t == ")" })
	}
	rest := ungrouped(now[0])
	for _, token := range ungrouped(old[0]) {
		if len(rest) > 0 && rest[0] == token {
			rest = rest[1:]
		}
	}
	return len(rest) == 0 && tokens(now[0]) != tokens(old[0])
}

// addedLines are the lines of code of the part of the change that m undoes that were not there before, and the rest of those that
// were, from the first that is not there any more.
func addedLines(m *results.Mutant) (added, rest []string) {
	rest = codeLines(effective(m))
	for _, line := range codeLines(m.Original) {
		if len(rest) > 0 && rest[0] == line {
			rest = rest[1:]
		} else {
			added = append(added, line)
		}
	}
	return added, rest
}

// rewords reports whether the part of the change that m undoes alters lines rather than adding some:
// it has at most twice as many in their place.
func rewords(m *results.Mutant) bool {
	if inserts(m) {
		return false
	}
	lines := map[byte]int{}
	for _, line := range diffOf(codeLines(effective(m)), codeLines(m.Original), strings.TrimSpace) {
		lines[line.sign]++
	}
	return lines['+'] <= 2*lines['-']
}

// locks matches a line that takes or releases a lock.
var locks = regexp.MustCompile(`^(defer )?[\w.\[\]]+\.R?(Lock|Unlock)\(\)$`)

// zeroField matches a line of a composite literal that gives a field its zero value, or a list without elements, which is hardly ever
// told from it.
var zeroField = regexp.MustCompile(`^\w+: (false|0|""|nil|\[\][\w.*\[\]]+\{\}),$`)

// codeLines are the lines of source that have more than comments and brackets, with single blanks.
func codeLines(src string) (lines []string) {
	coded := map[int]bool{}
	for t := range lexemes(src) {
		if strings.Trim(t.String(), "(){}[];,") != "" {
			for line := t.line; line <= t.line+strings.Count(t.text, "\n"); line++ {
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

// otherNumbers reports whether the part of the change that m undoes only puts other numbers, or
// characters, where there were some.
func otherNumbers(m *results.Mutant) bool {
	old, now := strings.Fields(tokens(effective(m))), strings.Fields(tokens(m.Original))
	number := func(t string) bool { return t[0] >= '0' && t[0] <= '9' || t[0] == '\'' }
	return !slices.Equal(old, now) && slices.EqualFunc(old, now, func(a, b string) bool { return a == b || number(a) && number(b) })
}

// addsFastPath reports whether the part of the change that m undoes has a branch without which the
// tests get the same.
func (k ranking) addsFastPath(m *results.Mutant) bool {
	return k.has(m, func(other *results.Mutant) bool { return k.fastPath(other) || k.eitherWay(other) })
}

// partlyUnrun reports whether the part of the change that m undoes has lines that nothing is seen to run, and that do more than
// fail. Then nothing is known of what it is for, however much of the rest runs, as where a flag is declared.
func (k ranking) partlyUnrun(m *results.Mutant) bool {
	return k.has(m, func(other *results.Mutant) bool { return other.Evidence.OnDiff && unrun(other) && !k.onlyFails(other) })
}

// has reports whether a survivor of some sort is within m.
func (k ranking) has(m *results.Mutant, sort func(*results.Mutant) bool) bool {
	return slices.ContainsFunc(k.mutants[m.File], func(other *results.Mutant) bool {
		return other.Status == results.Survived && m.Offset <= other.Offset && other.EndOffset <= m.EndOffset && sort(other)
	})
}

// older reports whether the tests miss m on a line that they miss the change of, too.
func (k ranking) older(m *results.Mutant) bool {
	return !isReversal(m) && slices.ContainsFunc(k.undone, func(u *results.Mutant) bool {
		return u.File == m.File && u.Offset <= m.Offset && m.EndOffset <= u.EndOffset
	})
}

// half reports whether m undoes a part of a change to a function that, undone as a whole, makes no difference on any of
// many inputs, or on the one that shows the part: what the part does then shows that old and new do not mix, and nothing of the change.
func (k ranking) half(m *results.Mutant) bool {
	if m.Exposed() && m.ExposedBy.AsBefore {
		return true
	}
	return isReversal(m) && slices.ContainsFunc(k.mutants[m.File], func(whole *results.Mutant) bool {
		return whole.Function == m.Function && isReversal(whole) && whole.Offset <= m.Offset && m.EndOffset <= whole.EndOffset &&
			whole.EndOffset-whole.Offset > m.EndOffset-m.Offset &&
			(whole.Status == results.Equivalent || whole.Status == results.Survived && !whole.Exposed() && whole.Evidence.Execs >= fuzzed)
	})
}

// refactored reports whether m is on a line whose change makes no difference on any of many inputs: then
// it is about what the line did before, too.
func (k ranking) refactored(m *results.Mutant) bool {
	return !isReversal(m) && slices.ContainsFunc(k.undone, func(u *results.Mutant) bool {
		return u.File == m.File && u.Offset <= m.Offset && m.EndOffset <= u.EndOffset && !u.Exposed() && u.Evidence.Execs >= fuzzed
	})
}

// changed reports whether m is of what the change touches. Where it touches nothing of its function, which is in scope all
// the same, everything counts.
func (k ranking) changed(m *results.Mutant) bool {
	reason := k.scope[m.Function]
	touched := m.Evidence.OnDiff && !m.Evidence.Beside
	if isReversal(m) {
		touched = !k.moved(m)
	}
	return touched || reason == results.ReasonAll || reason == results.ReasonTestChanged
}

// moved reports whether the part of the change that m undoes only brings lines to where they are that the change takes away
// elsewhere: undone alone, that takes them away altogether.
func (k ranking) moved(m *results.Mutant) bool {
	added, rest := addedLines(m)
	if len(added) == 0 || len(rest) > 0 {
		return false
	}
	return !m.Evidence.OnDiff || slices.ContainsFunc(k.mutants[m.File], func(whole *results.Mutant) bool {
		return isReversal(whole) && whole != m && whole.Offset <= m.Offset && m.EndOffset <= whole.EndOffset && follow(added, codeLines(effective(whole)))
	})
}

// follow reports whether lines follow one another in others.
func follow(lines, others []string) bool {
	for i := range others {
		if len(others)-i >= len(lines) && slices.Equal(lines, others[i:i+len(lines)]) {
			return true
		}
	}
	return false
}

// writesOut matches the names of such methods.
var writesOut = regexp.MustCompile(`\.(Error|(Go|Debug)?String|Dump)$`)

// isDescription reports whether a function is a method that only writes its receiver out.
func isDescription(function string) bool {
	return writesOut.MatchString(function)
}

// passesOn matches a statement that returns a variable last.
var passesOn = regexp.MustCompile(`^return (.*, )?[\pL_][\pL\d_]*$`)

// neverFails reports whether m returns nil in place of an error in a variable that was nil whenever tests came there.
func neverFails(m *results.Mutant) bool {
	return m.Operator == "error-return" && m.Evidence.Same && passesOn.MatchString(strings.TrimSpace(m.Original))
}

// examples matches the path of a file in a folder of examples, or of what only tests use.
var examples = regexp.MustCompile(`(?i)(^|/)_?(examples?|testonly)/|(^|/)internal/(.+/)?test(utils?|helpers?|ing)/`)

// inExample reports whether a file belongs to an example, which shows how something is used, or to what only tests use: both are seldom tested.
func inExample(file string) bool { return examples.MatchString(file) }

// returnsError matches a statement that returns an error of the program's last, and something before it.
var returnsError = regexp.MustCompile(`^return .+, (?:\w+\.)?(?:[eE]rr[A-Z]\w*|EOF)$`)

// besideError reports whether m alters what a statement returns beside an error that is one of the program's.
func besideError(m *results.Mutant) bool {
	line := strings.TrimSpace(m.Context)
	return m.Operator == "return-value" && returnsError.MatchString(line) && !strings.HasSuffix(line, strings.TrimSpace(m.Original))
}

// neverSet is the variable that m returns a zero value in place of, and that value, which it had whenever tests came there; empty: m
// does something else, or that is not known.
func neverSet(m *results.Mutant) (variable, zero string) {
	original, instead := strings.TrimSpace(m.Original), strings.TrimSpace(effective(m))
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

// bothAlways says of two conditions, between which m puts "or" for "and", or the other way about, how many of them held whenever they
// were looked at: "both" or "neither". Empty: m does something else, or that is not known.
func bothAlways(m *results.Mutant) string {
	switch and := strings.Count(m.Original, "&&") - strings.Count(effective(m), "&&"); {
	case !m.Evidence.Same || m.Operator != "logical":
		return ""
	case and > 0: // a probe has never seen the whole false
		return "both"
	case and < 0:
		return "neither"
	}
	return ""
}

// sameAsBefore reports whether parts of the change of the function of m are undone, and none makes a difference on any of many inputs.
func (k ranking) sameAsBefore(m *results.Mutant) (same bool) {
	for _, o := range k.mutants[m.File] {
		if isReversal(o) && o.Function == m.Function && o.Status == results.Survived && o.Evidence.OnDiff {
			if o.Exposed() || o.Evidence.Execs < fuzzed {
				return false
			}
			same = true
		}
	}
	return same
}

// oneStatement reports whether the function of m has no more than one statement, or only gives a function that has, as an option does, and is
// not one that nothing calls.
func (k ranking) oneStatement(m *results.Mutant) bool {
	n := k.length[m.Function]
	if n == 0 || n > 5 || k.uncalled[m.Function] || k.scope[m.Function] == results.ReasonAll {
		return false
	}
	return n <= 3 || ofOneLine(k.unrun[m.Function+m.File])
}

// ofOneLine reports whether code has one line besides those that only begin or end what is around it.
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

// constant matches a line that returns a literal, a name or an empty value, perhaps with the whole function on it.
var constant = regexp.MustCompile(`(^|\{ )return ("[^"]*"|[-\d][\w.]*|\w+|&?[\w.]+\{\})( \})?$`)

// constantOnly reports whether the function of m does nothing but return such a value, or several.
func (k ranking) constantOnly(m *results.Mutant) bool {
	if k.constant[m.Function] {
		return true
	}
	n, lines := k.length[m.Function], codeLines(m.Context) // of a part of the change undone with what stands behind it
	return n > 0 && n <= 3 && len(lines) == 1 && constant.MatchString(lines[0])
}

// onlyDriven reports whether nothing but a generated driver runs the function of m, which is not about what
// the change does there: that no test runs it says more than any edit.
func (k ranking) onlyDriven(m *results.Mutant) bool {
	return m.Evidence.Unrun && !isReversal(m) && !k.ran[m.Function]
}

// runs reports whether tests or fuzz targets run the code of m.
func runs(m *results.Mutant) bool {
	return m.Status == results.Killed || m.Status == results.Survived && !unrun(m)
}

// failure matches a statement that only returns an error, or no number or text, or ends the program, perhaps by a helper that is named so.
var failure = regexp.MustCompile(`^return .*\b\w*[eE]rr|^return (0|"")$|^(\w+\.)*([pP]anic|[fF]atal)\w*\(`)

// declaration matches the declaration of a constant, variable or type that old lines bring with them; old functions are variables, too.
var (
	declaration = regexp.MustCompile(`(?m)^(?:const|type|var) .*`)
	oldFunction = regexp.MustCompile(`^var \w+ func\b`)
)

// takesFunctions reports whether the old lines that m puts back come with functions as they were: its lines alone do not say what it does.
func takesFunctions(m *results.Mutant) bool {
	return m.Needs != nil && slices.ContainsFunc(m.Needs.Added, func(a results.Addition) bool {
		return slices.ContainsFunc(declaration.FindAllString(a.Text, -1), oldFunction.MatchString)
	})
}

// takesDeclarations reports whether the old lines that m puts back come with constants, variables or types of the base.
func takesDeclarations(m *results.Mutant) bool {
	return m.Needs != nil && slices.ContainsFunc(m.Needs.Added, func(a results.Addition) bool {
		return slices.ContainsFunc(declaration.FindAllString(a.Text, -1), func(line string) bool { return !oldFunction.MatchString(line) })
	})
}

// areHashes reports whether program and mutant give a number of many digits each, and nothing else, and the function is named as one that
// computes a hash, or the one that is called.
func areHashes(m *results.Mutant, x *results.ExposedBy) bool {
	return manyDigits.MatchString(x.Original) && manyDigits.MatchString(x.Mutant) && hashing.MatchString(m.Function[strings.LastIndexByte(m.Function, '/')+1:]+" "+x.Call)
}

var (
	manyDigits = regexp.MustCompile(`^-?[0-9]{15,}$`)
	hashing    = regexp.MustCompile(`(?i)hash|checksum|crc|digest|fingerprint`)
)

// isNoNumber reports whether a call that shows a difference is given something that is no number, or infinite, and aboutNumbers matches code that
// asks for that.
func isNoNumber(x *results.ExposedBy) bool { return x.Driver && notFinite.MatchString(x.Call) }

var (
	notFinite    = regexp.MustCompile(`math\.(NaN|Inf)\(`)
	aboutNumbers = regexp.MustCompile(`NaN|Inf`)
)

// closes matches a statement that does no more than to close something, perhaps later, and in a function of its own.
var closes = regexp.MustCompile(`^(?:defer )?(?:_ = )?[\w.]+\.Close\(\)$|^defer func\(\) \{\s*(?:if \w+ != nil \{\s*)?(?:_ = )?[\w.]+\.Close\(\)\s*\}?\s*\}\(\)$`)

// addsClosing reports whether all that the part of the change that m undoes adds is to close something.
func addsClosing(m *results.Mutant) bool {
	added, rest := addedLines(m)
	return len(rest) == 0 && len(added) > 0 && closes.MatchString(strings.Join(added, "\n"))
}

// addsOnly reports whether all that the part of the change that m undoes adds is lines of a kind.
func addsOnly(m *results.Mutant, kind func(line string) bool) bool {
	added, rest := addedLines(m)
	return len(rest) == 0 && len(added) > 0 && !slices.ContainsFunc(added, func(line string) bool { return !kind(strings.TrimSpace(line)) })
}

// deferredUnlock matches a statement that gives back a lock when the function ends.
var deferredUnlock = regexp.MustCompile(`^defer [\w.\[\]]+\.R?Unlock\(\)$`)

// copyLine matches a line that copies a variable.
var copyLine = regexp.MustCompile(`^(\w+) := (\w+)$`)

// isCopy reports whether a line copies a variable to a new one of the same name.
func isCopy(line string) bool {
	names := copyLine.FindStringSubmatch(line)
	return names != nil && names[1] == names[2]
}

// onlyPanics reports whether all that is done in a branch is a panic.
func onlyPanics(branch string) bool {
	n, depth := 0, 0
	for t := range lexemes(branch) {
		n++
		switch {
		case n == 1 && t.text != "panic":
			return false
		case t.token == token.LPAREN:
			depth++
		case t.token == token.RPAREN:
			depth--
		case n > 1 && depth == 0:
			return false
		}
	}
	return n > 1 && depth == 0
}

// onlyFails reports whether m is in code that only fails, or finds nothing, of a function that runs apart from
// such code: few tests are for each error.
func (k ranking) onlyFails(m *results.Mutant) bool {
	return k.ran[m.Function] && (failure.MatchString(strings.TrimSpace(cmp.Or(m.Context, m.Original))) ||
		slices.ContainsFunc(k.unrun[m.Function+m.File], func(c results.Code) bool { return c.StartLine == m.Line && givesUp(c) }))
}

// errorCheck matches the condition under which an error is passed on, perhaps with the call that gives it, and checked the
// statement before such a condition.
var (
	errorCheck = regexp.MustCompile(`^if (?:(?:_, )*\w*[eE]rr\w* :?= (.*); *|.*; *)?\w*[eE]rr\w* != nil \{$`)
	checked    = regexp.MustCompile(`^(?:_, )*\w*[eE]rr\w* :?= (.*)$`)
)

// addsErrorCheck reports whether the part of the change that m undoes only passes errors on, of a function that runs apart from
// that: of calls that were there, or of ones that can do nothing else.
func (k ranking) addsErrorCheck(m *results.Mutant) bool {
	now, old := codeLines(m.Original), codeLines(effective(m))
	same := func(a, b string) bool { return tokens(a) == tokens(strings.TrimPrefix(b, "_ = ")) }
	rest, calls := unchecked(now)
	return k.ran[m.Function] && len(rest) < len(now) && (slices.EqualFunc(calls, old, same) || slices.EqualFunc(rest, old, same))
}

// unchecked are lines without those that pass an error on, and the same with the calls whose errors are.
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

// passesOwn reports whether tests of m's own package run its code and pass, and all that is not known is whether those of
// packages that depend on it would.
func (k ranking) passesOwn(m *results.Mutant) bool {
	pkg := k.packages[m.Function]
	return m.Evidence.OwnOnly && pkg != "" && slices.ContainsFunc(m.Evidence.By, func(test string) bool {
		name, ok := strings.CutPrefix(test, pkg+".")
		return ok && !strings.ContainsAny(name, "/.")
	})
}

// added reports whether the function of m is new, or may be.
func (k ranking) added(m *results.Mutant) bool {
	reason := k.scope[m.Function]
	return reason == results.ReasonAdded || reason == results.ReasonAll
}
