package report

import (
	"cmp"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// maxEdit is how many lines it may take to show an edit.
const maxEdit = 12

// worthShown is the worth from which on a survivor has an entry of its own.
const worthShown = 60

// reason is what is known of a survivor that says how likely a maintainer is to act on it.
type reason struct {
	worth int // in percent
	why   string
}

// Those marked "read" are the shares of survivors on real changes, read blind by two people as
// the maintainer of that code (docs/evaluation.md, "Is a finding worth the interruption?"). The
// others are of groups that are too small, or were not told apart there: they are placed among
// these by judgement.
var (
	accepted          = reason{96, "on a changed line; an input that fails now would be accepted"}
	twoValues         = reason{94, "on a changed line; an input gives two different values"} // read
	smallEdit         = reason{75, "on a changed line; an input gives two different values, by a small edit"}
	literal           = reason{45, "on a changed line; an input gives two different values, by another literal"} // acted on in at most one of fourteen cases
	strongOne         = reason{77, "on a changed line; an operator whose mutants are often acted on"}            // read, on any line
	oneSided          = reason{62, "on a changed line; no test has this condition false"}
	invariant         = reason{30, "on a changed line; this condition holds in all tests, and otherwise nothing is done: most often it always holds"} // one of four
	certain           = reason{30, "on a changed line; no test and no generated call has this condition false"}
	innerValues       = reason{64, "on a changed line; an argument that may be none of a caller's gives two different values"}
	innerSmall        = reason{55, "on a changed line; a call within the package gives two different values, by a small edit"}
	seenSmall         = reason{45, "on a changed line; a call that a test makes gives another value by a small edit, and the test passes"}
	seenInTest        = reason{70, "on a changed line; a call that a test makes gives another value, and the test passes"}
	errorOnly         = reason{29, "on a changed line; both fail, or only an error is another one"} // read
	signOfZero        = reason{20, "on a changed line; an input gives a zero with another sign"}
	weakOne           = reason{26, "on a changed line; no input is known that shows it"} // read
	unfuzzed          = reason{60, "part of the change undone alters the state; few inputs were tried"}
	unwritten         = reason{65, "part of the change undone gives other results; they, or the input, have no form that is short enough to read"}
	agreeing          = reason{40, "part of the change undone; many inputs give the same results"} // often the old code, written anew
	insertion         = reason{65, "part of the change undone: what it adds can be left out"}
	unfailing         = reason{30, "part of the change undone: it passes an error on that no test brings about"}
	otherNumber       = reason{60, "part of the change undone; it has another number, and the tests that run it see no difference"}
	unaltered         = reason{10, "part of the change undone alters no state"}
	newUnrun          = reason{60, "nothing runs this code of a function that is new, or that no test runs"}
	newLine           = reason{60, "nothing runs this line, which the change adds or alters"} // read: four of five
	unrunLine         = reason{33, "no test is seen to run this line"}
	untested          = reason{40, "nothing runs this code, which is older than the change, of a package without a test file"} // none of two
	unrunPart         = reason{33, "part of the change undone; no test is seen to run some of its lines"}
	acceptedElsewhere = reason{80, "of what the change does not touch; an input that fails now would be accepted"} // three of three read
	longEdit          = reason{30, "on a changed line; the edit takes more than a dozen lines to show"}
	absorbed          = reason{20, "the tests come to the same results with it, although it makes a difference inside: often a fast path"} // read: one of thirty; Schuler, Zeller 2010
	alike             = reason{30, "on a changed line; many arguments that make a difference inside give the same results"}
	otherBranch       = reason{30, "on a changed line; a branch beside another one may do nothing"}
	emptiness         = reason{30, "on a changed line; a check for an empty list, without which often the same is done"} // none of five
	searched          = reason{30, "going on with this loop gives the same in all tests: often only slower"}
	halfUndone        = reason{10, "part of the change undone, which makes no difference as a whole"} // as one of two calls for a lock
	olderGap          = reason{35, "on a line whose change no test notices: what the tests do not see there they did not see before"}
	unfollowed        = reason{40, "on a changed line; tests that were not followed may give this condition its other value"} // wrong to one reader
	untried           = reason{30, "a test that could not run, or is quarantined, may notice"}
	constantOnly      = reason{40, "in a function that only returns a constant: a test would repeat it"}
	unchanged         = reason{15, "on an unchanged line"} // read
	leftAsItWas       = reason{15, "on a changed line, of what the change leaves as it was"}
)

// fuzzed is the number of inputs from which on a mutant counts as fuzzed.
const fuzzed = 10_000

// strong are the operators whose survivors were acted on in more than half of all cases, 20 of
// 26 together, and loops that end after one iteration in five of five. Branches left out are among
// the removed statements there.
var strong = map[string]bool{
	"early-return": true, "logical": true, "error-return": true, "return-value": true, "boolean-literal": true,
	"statement-deletion": true, "loop-control": true, "loop-iterations": true, "case-removal": true, "branch-removal": true,
}

// small are operators whose survivors were acted on in few cases even where an input shows a
// difference: the edit says little about what the code is for.
var small = map[string]bool{
	"relational": true, "unary": true, "argument-swap": true, "slice-bounds": true, "integer-literal": true,
}

// literals are operators that put another text, or nothing, in the place of a value, or of one that is joined to others.
var literals = map[string]bool{"string-literal": true, "field-value": true, "concatenation": true}

// ranking ranks survivors.
type ranking struct {
	mutants map[string][]*results.Mutant // by file
	ran     map[string]bool              // functions of which tests or fuzz targets run something, by ID
	scope   map[string]string            // why functions are in scope, by ID
	noTests map[string]bool              // functions of packages without a test file, by ID
	length  map[string]int               // lines of functions, by ID
	always  map[condition][]bool         // the values that a condition can always have unnoticed
	agrees  map[string]bool              // functions that give the same results as before the change on many inputs, by ID
	undone  []*results.Mutant            // parts of the change that can be undone unnoticed, where it writes what was there in other words
}

// condition is the place of one.
type condition struct {
	file       string
	begin, end int
}

func newRanking(r *results.Results) ranking {
	k := ranking{mutants: map[string][]*results.Mutant{}, noTests: map[string]bool{}, ran: map[string]bool{}, scope: map[string]string{}, length: map[string]int{}, always: map[condition][]bool{}, agrees: map[string]bool{}}
	for _, a := range agreements(r) {
		k.agrees[a.Function] = true
	}
	for _, f := range r.Scope {
		k.scope[f.ID], k.length[f.ID], k.noTests[f.ID] = f.Reason, f.EndLine-f.StartLine+1, f.Untested
	}
	for i := range r.Mutants {
		m := &r.Mutants[i]
		k.mutants[m.File] = append(k.mutants[m.File], m)
		k.ran[m.Function] = k.ran[m.Function] || runs(m)
		if m.Status == results.Survived && isReversal(m) && rewords(m) {
			k.undone = append(k.undone, m)
		}
		if value := effective(m); m.Status == results.Survived && m.Stage == results.Infected && (value == "true" || value == "false") {
			k.always[conditionOf(m)] = append(k.always[conditionOf(m)], value == "true")
		}
	}
	return k
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

// neverFalse reports whether m makes the whole condition of an if statement hold that holds in all
// tests. Operands of one are often guards for what cannot happen, and conditions of loops often only
// end them earlier.
func neverFalse(m *results.Mutant) bool { return m.Stage == results.Reached && forces(m, "true") }

// neverTrue reports whether m makes the whole condition of an if statement fail that holds in no test.
func neverTrue(m *results.Mutant) bool { return m.Stage == results.Reached && forces(m, "false") }

// forces reports whether m gives the whole condition of an if statement a value.
func forces(m *results.Mutant, value string) bool {
	line, condition := strings.TrimSpace(m.Context), strings.TrimSpace(m.Original)+" {"
	return effective(m) == value && strings.HasPrefix(line, "if ") && (strings.HasPrefix(line, "if "+condition) || strings.Contains(line, "; "+condition))
}

// empty matches a check for an empty list, map or text.
var empty = regexp.MustCompile(`\blen\([^()]*\) *([=!<>]=|>) *0\b|\blen\([^()]*\) *(<|>=) *1\b`)

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
// it has at most twice as many as there were.
func rewords(m *results.Mutant) bool {
	return !inserts(m) && len(codeLines(m.Original)) <= 2*len(codeLines(effective(m)))
}

// locks matches a line that takes or releases a lock.
var locks = regexp.MustCompile(`^(defer )?[\w.\[\]]+\.R?(Lock|Unlock)\(\)$`)

// zeroField matches a line of a composite literal that gives a field its zero value.
var zeroField = regexp.MustCompile(`^\w+: (false|0|""|nil),$`)

// codeLines are the lines of source, as tokens say them, without those that have none, or nothing
// but brackets.
func codeLines(src string) (lines []string) {
	for line := range strings.Lines(src) {
		if strings.Trim(tokens(line), "(){}[];, ") != "" {
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

// constant matches a line that returns a literal, a name or an empty value, perhaps with the whole function on it.
var constant = regexp.MustCompile(`(^|\{ )return ("[^"]*"|[-\d][\w.]*|\w+|&?[\w.]+\{\})( \})?$`)

// constantOnly reports whether the function of m does nothing but return such a value.
func (k ranking) constantOnly(m *results.Mutant) bool {
	n := k.length[m.Function]
	return n > 0 && n <= 3 && constant.MatchString(strings.TrimSpace(m.Context))
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

// failure matches a statement that only returns an error, or no number or text, or panics.
var failure = regexp.MustCompile(`^return .*\b\w*[eE]rr|^return (0|"")$|^panic\(`)

// onlyFails reports whether m is in code that only fails, or finds nothing, of a function that runs apart from
// such code: few tests are for each error.
func (k ranking) onlyFails(m *results.Mutant) bool {
	return k.ran[m.Function] && failure.MatchString(strings.TrimSpace(cmp.Or(m.Context, m.Original)))
}

// errorCheck matches the condition under which an error is passed on.
var errorCheck = regexp.MustCompile(`^if (.*; *)?\w*[eE]rr\w* != nil \{$`)

// addsErrorCheck reports whether the part of the change that m undoes only passes an error on, of a function that runs apart from that.
func (k ranking) addsErrorCheck(m *results.Mutant) bool {
	added, rest := addedLines(m)
	return k.ran[m.Function] && len(rest) == 0 && len(added) == 2 && errorCheck.MatchString(added[0]) && strings.HasPrefix(added[1], "return ")
}

// added reports whether the function of m is new, or may be.
func (k ranking) added(m *results.Mutant) bool {
	reason := k.scope[m.Function]
	return reason == results.ReasonAdded || reason == results.ReasonAll
}

// witness is the input that shows m; nil if none is known that a person could read: the bytes of a
// driver mean nothing without it.
func witness(m *results.Mutant) *results.ExposedBy {
	if x := m.ExposedBy; m.Exposed() && x != nil && !(x.Driver && x.Call == "") && !(showsNothing(x.Original) && showsNothing(x.Mutant)) {
		return x
	}
	return nil
}

// example is the witness of m if what it gives with and without m can be told; nil: there is none.
func example(m *results.Mutant) *results.ExposedBy {
	if x := witness(m); x != nil && tells(x) {
		return x
	}
	return nil
}

// misformatted matches what package fmt writes where a format does not fit its arguments.
var misformatted = regexp.MustCompile(`%![a-zA-Z]?\(`)

// tells reports whether a reader can make something of the two results of x: neither begins within a large value, and that of the
// program does not say that something could not be formatted, which no test should ask for.
func tells(x *results.ExposedBy) bool {
	if misformatted.MatchString(x.Original) {
		return false
	}
	within := func(text string) bool { return strings.HasPrefix(text, "…") && strings.ContainsAny(text, "{}") }
	now, with := difference(x.Original, x.Mutant)
	return !within(now) && !within(with)
}

// showsNothing reports whether a result says nothing to a reader beside another one that says nothing: it is nil, or a
// function, of which only the type is known.
func showsNothing(value string) bool { return value == "nil" || onlyType.MatchString(value) }

// reason is what speaks most for showing m, or against it.
func (k ranking) reason(m *results.Mutant) reason {
	changed, x := k.changed(m), example(m)
	onLine := changed || m.Evidence.OnDiff // that nothing runs it is said of a line, whatever the edit of it
	switch {
	case m.Reason != "" && (x == nil || x.Driver || x.InTest) && changed && !k.alters(m, x):
		return untried
	case m.Evidence.Unrun && k.agrees[m.Function]:
		return olderGap
	case unrun(m) && onLine && k.noTests[m.Function] && !k.added(m) && !isReversal(m):
		return untested
	case unrun(m) && onLine && (k.added(m) || k.onlyDriven(m)) && !isDescription(m.Function) && !k.constantOnly(m) && !m.Evidence.Program && !k.onlyFails(m):
		return newUnrun
	case unrun(m) && onLine && x == nil && k.ran[m.Function] && strong[m.Operator] && !isDescription(m.Function) && !m.Evidence.Program && !k.onlyFails(m):
		return newLine
	case unrun(m) && changed && x == nil:
		return unrunLine
	case x != nil && !x.Driver && !x.InTest && !changed && changeOf(m).size() <= maxEdit && x.Errors == results.ErrorInOriginal:
		return acceptedElsewhere
	case !changed && m.Evidence.OnDiff:
		return leftAsItWas
	case !changed:
		return unchanged
	case k.half(m):
		return halfUndone
	case k.constantOnly(m):
		return constantOnly
	case !isReversal(m) && changeOf(m).size() > maxEdit:
		return longEdit
	case x != nil:
		return k.told(m, x)
	case isReversal(m) && m.Exposed() && !k.addsFastPath(m):
		return unwritten
	case m.Evidence.Driven >= fuzzed && !isReversal(m) && !m.Exposed():
		return alike
	case k.eitherWay(m) || k.fastPath(m):
		return absorbed
	case k.older(m):
		return olderGap
	case isReversal(m):
		return k.undoing(m)
	}
	return k.untold(m)
}

// untold is the reason of a mutant on a changed line that no input tells from the program.
func (k ranking) untold(m *results.Mutant) reason {
	switch {
	case checksEmptiness(m):
		return emptiness
	case unseen(m) != "" && m.Evidence.Program:
		return unfollowed
	case neverFalse(m) && m.Evidence.Execs == 0 && m.Evidence.Spared >= fuzzed:
		return certain
	case neverFalse(m) && m.Evidence.Never == nil:
		return invariant
	case neverFalse(m):
		return oneSided
	case m.Operator == "loop-control" && strings.TrimSpace(m.Original) == "break":
		return searched
	case m.Operator == "branch-removal" && strings.HasPrefix(m.Replacement, "{"):
		return otherBranch
	case m.Stage == results.Infected:
		return absorbed
	case m.Evidence.Tests == 0 && m.Evidence.Execs > 0 && k.onlyFails(m):
		return unrunLine
	case strong[m.Operator]:
		return strongOne
	}
	return weakOne
}

// negativeZero matches one, in a text of Go values.
var negativeZero = regexp.MustCompile(`(^|[^\w.])-0\b([^.\w]|$)`)

// withoutSigns is a text of Go values in which zeros have no sign.
func withoutSigns(text string) string { return negativeZero.ReplaceAllString(text, "${1}0$2") }

// alters reports whether a call that other packages can make, x, gives another result with a part of the change undone: so the
// change is one of behaviour, whether some test notices or not.
func (k ranking) alters(m *results.Mutant, x *results.ExposedBy) bool {
	return isReversal(m) && x != nil && x.Driver && !x.Inner && !x.AsBefore && k.told(m, x).worth >= twoValues.worth && !k.half(m)
}

// told is the reason of a mutant on a changed line that an input tells from the program.
func (k ranking) told(m *results.Mutant, x *results.ExposedBy) reason {
	switch {
	case x.OnlyErrors || x.Errors == results.ErrorInBoth: // what stands beside an error counts for nothing
		return errorOnly
	case x.Original != x.Mutant && withoutSigns(x.Original) == withoutSigns(x.Mutant):
		return signOfZero
	case k.refactored(m):
		return olderGap
	case literals[m.Operator]:
		return literal
	case x.Inner && small[m.Operator]:
		return innerSmall
	case x.InTest && (k.fastPath(m) || k.eitherWay(m)):
		return absorbed
	case x.InTest && small[m.Operator]:
		return seenSmall
	case x.InTest:
		return seenInTest
	case x.Inner:
		return innerValues
	case x.Errors == results.ErrorInOriginal:
		return accepted
	case small[m.Operator]:
		return smallEdit
	}
	return twoValues
}

// undoing is the reason of a part of the change, undone, without an input that shows it.
func (k ranking) undoing(m *results.Mutant) reason {
	unaltering := m.Stage == results.Reached
	switch {
	case k.agrees[m.Function]: // the review says so
		return agreeing
	case k.addsFastPath(m):
		return absorbed
	case k.partlyUnrun(m):
		return unrunPart
	case unaltering && k.addsErrorCheck(m):
		return unfailing
	case unaltering && inserts(m):
		return insertion
	case unaltering && otherNumbers(m):
		return otherNumber
	case unaltering:
		return unaltered
	case m.Evidence.Execs >= fuzzed:
		return agreeing
	}
	return unfuzzed
}
