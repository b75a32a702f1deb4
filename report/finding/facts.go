package finding

import (
	"go/token"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/fact"
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

// ofIdleBranch reports whether m swaps && and || in the condition of a branch that tests take, although none notices if
// the branch is left out. Then it is only a faster way, or the gap is that branch, and not how its condition is joined.
func (k ranking) ofIdleBranch(m *results.Mutant) bool {
	return m.Operator == "logical" && slices.Contains(k.always[conditionOf(m)], false)
}

// fastPath reports whether m leaves out code that tests run. They notice another edit of that code, but not that the
// code is missing: what comes after it gives the same results. Of a branch that only goes on with a loop there is no other
// edit; many generated calls have to give the same.
func (k ranking) fastPath(m *results.Mutant) bool {
	begin, end := m.EndOffset, m.Evidence.BranchEnd
	switch {
	case strings.TrimSpace(m.Evidence.Branch) == "continue" && m.Stage == results.Infected && m.Evidence.Driven >= sparedOften && edit.Effective(m) == "false":
		return true
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

// empty matches a check for an empty list, map or string.
var empty = regexp.MustCompile(`\b(?:len|cap)\([^()]*\) *([=!<>]=|>) *0\b|\b(?:len|cap)\([^()]*\) *(<|>=) *1\b`)

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
	reason := k.scope[m.Function].Reason
	touched := m.Evidence.OnDiff && !m.Evidence.Beside
	if edit.IsReversal(m) {
		touched = !k.moved(m)
	}
	return touched || reason == results.ReasonAll || reason == results.ReasonTestChanged
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

// randomIn returns the functions that drivers call, all of which have results that differ from run to run. That such drivers
// show nothing says little.
func randomIn(r *results.Results) map[string]bool {
	random, steady := map[string]bool{}, map[string]bool{}
	for _, h := range r.Harnesses {
		for _, id := range h.Functions {
			random[id] = random[id] || h.Kind == results.HarnessDriver && !h.Deterministic
			steady[id] = steady[id] || h.Deterministic
		}
	}
	maps.DeleteFunc(random, func(id string, is bool) bool { return !is || steady[id] })
	return random
}

// oneStatement reports whether the function of m has at most one statement, or only returns a function that has, as an
// option does. Functions that nothing calls do not count, nor do those in scope because everything is.
func (k ranking) oneStatement(m *results.Mutant) bool {
	f := k.scope[m.Function]
	n := lengthOf(f)
	if n == 0 || n > 5 || f.Uncalled || f.Reason == results.ReasonAll {
		return false
	}
	return n <= 3 || ofOneLine(k.unrun[m.Function+m.File])
}

// lengthOf returns the number of lines of a function; 0: unknown.
func lengthOf(f results.Function) int {
	if f.StartLine == 0 {
		return 0
	}
	return f.EndLine - f.StartLine + 1
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
	f := k.scope[m.Function]
	if f.Constant {
		return true
	}
	n, lines := lengthOf(f), edit.CodeLines(m.Context) // the context of an undone part may have the line after it
	return n > 0 && n <= 3 && len(lines) == 1 && constant.MatchString(lines[0])
}

// onlyDriven reports whether only generated drivers run the function of m, and m does not undo a part of the change.
// That no test runs the function says more than any edit.
func (k ranking) onlyDriven(m *results.Mutant) bool {
	return m.Evidence.Unrun && !edit.IsReversal(m) && !k.ran[m.Function]
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

// fixesFailure reports whether the change says that it fixes something, and a call without the part of it that m undoes
// panics or does not end, although no test runs that part: this is what the change fixes.
func (k ranking) fixesFailure(m *results.Mutant) bool {
	return k.unprovedFix && k.changed(m) && endsUndone(m)
}

// endsUndone reports whether m undoes a part of the change that no test runs, and without which a call panics or does not
// end.
func endsUndone(m *results.Mutant) bool {
	x := m.ExposedBy
	return edit.IsReversal(m) && m.Exposed() && fact.Unrun(m) && x != nil && x.Ends != "" && !x.AsBefore && !x.NotOnBase
}

// untestedPackage reports whether nothing runs the function of m, or only the initialisation of its package does, and that
// package has no test file.
func (k ranking) untestedPackage(m *results.Mutant) bool {
	f := k.scope[m.Function]
	return f.Untested && f.Reason != results.ReasonAll && (fact.Unrun(m) && !k.ran[m.Function] || strings.HasSuffix(m.Function, ".init"))
}

// closes matches a statement that only closes something. It may be deferred, also within a function literal.
var closes = regexp.MustCompile(`^(?:defer )?(?:_ = )?[\w.]+\.Close\(\)$|^defer func\(\) \{\s*(?:if \w+ != nil \{\s*)?(?:_ = )?[\w.]+\.Close\(\)\s*\}?\s*\}\(\)$`)

// deferredUnlock matches a deferred statement that releases a lock.
var deferredUnlock = regexp.MustCompile(`^defer [\w.\[\]]+\.R?Unlock\(\)$`)

// passesOwn reports whether tests of m's own package, or of one in which the change adds or alters tests, run its code and
// pass, and all that is not known is whether tests of other packages notice m.
func (k ranking) passesOwn(m *results.Mutant) bool {
	return m.Evidence.OwnOnly && (k.runsInOwn(m) || slices.ContainsFunc(m.Evidence.By, func(test string) bool { return k.tested[packageOf(test)] }))
}

// manyOfOthers is how many tests of dependent packages that pass with a mutant make it unlikely that one of those that did
// not run notices it.
const manyOfOthers = 20

// passesMany reports whether many tests of dependent packages run m's code and pass, and all that is not known is whether
// the other ones notice m.
func (k ranking) passesMany(m *results.Mutant) bool {
	return m.Evidence.OwnOnly && m.Evidence.Tests >= manyOfOthers
}

// missedByOwn reports whether tests of m's own package run its function, but not its code, and all that is not known is
// whether tests of dependent packages run that.
func (k ranking) missedByOwn(m *results.Mutant) bool {
	return m.Evidence.OwnOnly && !m.Evidence.Program && fact.Unrun(m) && k.ranByOwn[m.Function]
}

// passesNew reports whether tests that the change adds or alters run m's code and pass, all of which pass without m, too.
// All that is not known is whether older tests notice m, which do not pass here in every run.
func (k ranking) passesNew(m *results.Mutant) bool {
	return fact.FailingTests(m) != "" && len(m.Evidence.ByChange) > 0 && !k.newFails
}

// runsInOwn reports whether tests of m's own package are seen to run its code.
func (k ranking) runsInOwn(m *results.Mutant) bool {
	pkg, tests := k.scope[m.Function].Package, m.Evidence.By
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
	reason := k.scope[m.Function].Reason
	return reason == results.ReasonAdded || reason == results.ReasonAll
}

// missesCheck reports whether m leaves out a branch that fails with an error, and that a test of the change takes and
// passes without: the test is there for the check, and fails to see it.
func (k ranking) missesCheck(m *results.Mutant) bool {
	if len(m.Evidence.ByChange) == 0 {
		return false
	}
	left := fact.LeftOut(m)
	return slices.ContainsFunc(k.mutants[m.File], func(o *results.Mutant) bool {
		return o.Operator == "error-return" && left.Noticed(o) && slices.ContainsFunc(m.Evidence.ByChange, func(t results.NewTest) bool {
			return t.Test == fact.Parent(o.KilledBy.Name)
		})
	})
}

// refusesAtEdge reports whether no test comes to the edge of a comparison that m alters, and a call that other packages can
// make gives an error there on one side. The call itself may be too long to be shown.
func refusesAtEdge(m *results.Mutant) bool {
	x := m.ExposedBy
	return fact.Boundary(m) != "" && m.Exposed() && x != nil && x.Driver && !x.Inner && (x.Errors == results.ErrorInOriginal || x.Errors == results.ErrorInMutant)
}

// dropsPartOfCheck reports whether m drops an operand of a condition, and a generated call that fails is accepted then. The
// call itself may be too long to be shown.
func dropsPartOfCheck(m *results.Mutant) bool {
	x := m.ExposedBy
	return edit.DropsOperand(m) && m.Exposed() && x != nil && x.Driver && x.Errors == results.ErrorInOriginal
}

// isExported reports whether the name of a function is exported. The function may be an ID.
func isExported(function string) bool {
	return token.IsExported(function[strings.LastIndexByte(function, '.')+1:])
}

// isOffered reports whether a function, or a method and its type, are exported. function is an ID.
func isOffered(function string) bool {
	_, names, _ := strings.Cut(function[strings.LastIndexByte(function, '/')+1:], ".")
	return !slices.ContainsFunc(strings.Split(names, "."), func(name string) bool { return !token.IsExported(name) })
}

// negativeZero matches a negative zero in a text of Go values.
var negativeZero = regexp.MustCompile(`(^|[^\w.])-0\b([^.\w]|$)`)

// withoutSigns returns a text of Go values in which zeros have no sign.
func withoutSigns(text string) string { return negativeZero.ReplaceAllString(text, "${1}0$2") }
