package report

import (
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// maxEdit is how many lines the diff of an edit may have.
const maxEdit = 12

// worthShown is the least worth of a survivor that has an entry of its own.
const worthShown = 60

// reason is what says most about how likely a maintainer is to act on a survivor.
type reason struct {
	worth int // how likely a maintainer is to act on it, in percent
	why   string
}

// The worth of reasons marked "read" was measured. Two people read survivors on real changes blind, as maintainers of
// that code (docs/evaluation.md, "Is a finding worth the interruption?"). The other groups are too small, or were not
// told apart there, and are placed among these by judgement. Counts say how many of the survivors read were worth it.
var (
	accepted          = reason{96, "on a changed line; an input that fails now would be accepted"}
	twoValues         = reason{94, "on a changed line; an input gives two different values"} // read
	smallEdit         = reason{75, "on a changed line; an input fails, or gives an error, on one side, or gave something else before, by a small edit"}
	smallValues       = reason{55, "on a changed line; an input gives two different values, by a small edit"}    // five of eleven
	literal           = reason{45, "on a changed line; an input gives two different values, by another literal"} // acted on in at most one of fourteen cases
	strongOne         = reason{77, "on a changed line; an operator whose mutants are often acted on"}            // read, on any line
	oneSided          = reason{62, "on a changed line; no test has this condition false"}
	invariant         = reason{30, "on a changed line; this condition holds in all tests, and otherwise nothing is done: most often it always holds"} // one of four
	newOption         = reason{70, "on a changed line; no test gives this condition on an exported field or variable that is new its other value"}
	sameValue         = reason{30, "on a changed line; what it replaces had the same value in all tests and many generated calls"}
	certain           = reason{30, "on a changed line; no test and no generated call has this condition false"}
	innerValues       = reason{64, "on a changed line; an argument that may be none of a caller's gives two different values"}
	unseenByCallers   = reason{50, "on a changed line; a call within the package gives two different values, and many inputs that callers can pass do not"}
	emptyCall         = reason{50, "part of the change undone; a call within the package that is given nothing gives two different values"} // no caller made it
	innerSmall        = reason{55, "on a changed line; a call within the package or a test gives two different values, by a small edit"}
	unmatched         = reason{40, "part of the change undone; the base has no such call, nor have callers of the package: old and new may not mix"} // wrong to one reader
	unseenFields      = reason{60, "part of the change undone; only unexported fields of what a call gives are others"}
	seenInTest        = reason{70, "on a changed line; a call that a test makes gives another value, and the test passes"}
	errorOnly         = reason{29, "on a changed line; both fail, or only an error is another one"}                      // read
	noNumber          = reason{45, "on a changed line; only what is no number, or infinite, gives two different values"} // one of three
	otherHash         = reason{30, "an input gives two numbers of many digits of a hash, which may be any"}              // none of two
	rounding          = reason{30, "an input gives fractions that differ by no more than rounding"}                      // none of one
	signOfZero        = reason{20, "on a changed line; an input gives a zero with another sign"}
	weakOne           = reason{26, "on a changed line; no input is known that shows it"} // read
	unfuzzed          = reason{60, "part of the change undone alters the state; few inputs were tried"}
	anew              = reason{45, "part of the change undone alters the state; it writes several lines anew, and few inputs were tried"} // none of two, both equivalent
	reworded          = reason{50, "part of the change undone alters the state; it puts code back in the place of calls of a new function that may do the same"}
	unwritten         = reason{65, "part of the change undone gives other results; they, or the input, have no form that is short enough to read"}
	agreeing          = reason{40, "part of the change undone; many inputs give the same results"} // often the old code, written anew
	insertion         = reason{65, "part of the change undone: what it adds can be left out"}
	regrouped         = reason{65, "part of the change undone: a condition has fewer operands than it had, or groups them otherwise"}
	unfailed          = reason{30, "on a changed line; the error that is returned here is nil in all tests"}                                             // none of two
	closing           = reason{30, "on a changed line; something is not closed, which few tests look at, and files do by themselves in the end"}         // none of two
	locking           = reason{30, "part of the change undone: it adds nothing but locks, and that they are missing is seen by the race detector alone"} // none of one
	deferred          = reason{30, "on a changed line; a deferred unlock is left out, which nobody forgets"}                                             // none of two
	copying           = reason{10, "part of the change undone: it adds nothing but a copy of a variable of the same name"}                               // equivalent
	misuse            = reason{30, "on a changed line; all that is left out is a panic, for callers that do what they must not"}                         // none of two
	unfailing         = reason{30, "part of the change undone: it passes an error on that no test brings about"}
	otherNumber       = reason{60, "part of the change undone; it has another number, and the tests that run it see no difference"}
	unasked           = reason{62, "part of the change undone: an error wraps another one that callers may ask for, and no test does"}
	dependent         = reason{40, "part of the change undone, without an input; it takes declarations of the base that are not there any more"} // wrong to one reader: alone it does not compile
	unaltered         = reason{10, "part of the change undone alters no state"}
	newUnrun          = reason{60, "nothing runs this code of a function that is new, or that no test runs"}
	simple            = reason{30, "nothing runs this function of one statement, which something calls, or may: a test would repeat it"} // none of three
	newLine           = reason{60, "nothing runs this line, which the change adds or alters"}                                            // read: four of five
	unrunLine         = reason{33, "no test is seen to run this line"}
	uncounted         = reason{30, "on a changed line; a value that is returned beside an error, where callers hardly look"} // none of one
	ofExample         = reason{30, "code of an example, or that only tests use"}                                             // none of one
	untested          = reason{30, "nothing runs this code, of a package without a test file: that is no news"}              // none of four
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
	seldom            = reason{5, "a test notices it in some runs"}
	untried           = reason{30, "a test that could not run, or is quarantined, may notice"}
	constantOnly      = reason{40, "in a function that only returns a constant: a test would repeat it"}
	unchanged         = reason{15, "on an unchanged line"} // read
	leftAsItWas       = reason{15, "on a changed line, of what the change leaves as it was"}
)

// sparedOften is how many inputs have to run the code of a mutant without a changed value before it is likely that no
// input changes it.
const sparedOften = 1000

// fuzzed is how many fuzzing inputs have to run a mutant for it to count as fuzzed.
const fuzzed = 10_000

// strong are the operators whose survivors were acted on in more than half of all cases: in 20 of 26 together, and in
// five of five for loops that end after one iteration. In these figures, branches left out count as removed statements.
var strong = map[string]bool{
	"early-return": true, "logical": true, "error-return": true, "return-value": true, "boolean-literal": true,
	"statement-deletion": true, "loop-control": true, "loop-iterations": true, "case-removal": true, "branch-removal": true,
}

// small are operators whose survivors were acted on in few cases, even if an input shows a difference: the edit says
// little about what the code is for.
var small = map[string]bool{
	"relational": true, "unary": true, "argument-swap": true, "slice-bounds": true, "integer-literal": true,
}

// isSmall reports whether m is of such an operator, or adds one to a result. Nobody makes that mistake: one of four
// were acted on.
func isSmall(m *results.Mutant) bool { return small[m.Operator] || offByOne(m) }

// offByOne reports whether m returns one more than the program does.
func offByOne(m *results.Mutant) bool {
	value, ok := strings.CutSuffix(strings.TrimSpace(m.Replacement), " + 1")
	return ok && m.Operator == "return-value" && strings.Contains(value, strings.TrimSpace(m.Original))
}

// literals are operators that replace a value, or an operand of a concatenation, by another text or by nothing.
var literals = map[string]bool{"string-literal": true, "field-value": true, "concatenation": true}

// ranking ranks survivors by what is known of them, and of the code around them.
type ranking struct {
	mutants  map[string][]*results.Mutant // by file
	ran      map[string]bool              // functions that tests or fuzz targets run at least in part, by ID
	scope    map[string]string            // why functions are in scope, by ID
	unrun    map[string][]results.Code    // code of functions that nothing is seen to run, by ID and file
	uncalled map[string]bool              // functions that nothing calls, by ID
	constant map[string]bool              // functions that only return constants, by ID
	noTests  map[string]bool              // functions of packages without a test file, by ID
	length   map[string]int               // lines of functions, by ID; 0: unknown
	packages map[string]string            // packages of functions, by ID
	always   map[condition][]bool         // the constants that a condition can become unnoticed, by its place
	agrees   map[string]bool              // functions that give the same results as before the change on many inputs, by ID
	outlined map[string]bool              // new functions with code of functions that agree, by ID: see outlines
	names    newNames                     // the names that the change brings
	undone   []*results.Mutant            // survivors that undo a part of the change which rewords old code
}

func newRanking(r *results.Results) ranking {
	k := ranking{mutants: map[string][]*results.Mutant{}, noTests: map[string]bool{}, uncalled: map[string]bool{}, constant: map[string]bool{}, unrun: map[string][]results.Code{}, ran: map[string]bool{}, scope: map[string]string{}, length: map[string]int{}, packages: map[string]string{}, always: map[condition][]bool{}, agrees: map[string]bool{}, names: newNamesOf(r)}
	for _, a := range agreements(r) {
		k.agrees[a.Function] = true
	}
	for _, f := range r.Scope {
		k.unrun[f.ID+f.File] = append(k.unrun[f.ID+f.File], f.Unrun...)
		k.uncalled[f.ID], k.constant[f.ID] = f.Uncalled, f.Constant
		k.scope[f.ID], k.packages[f.ID], k.noTests[f.ID] = f.Reason, f.Package, f.Untested
		if f.StartLine > 0 {
			k.length[f.ID] = f.EndLine - f.StartLine + 1
		}
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
	k.outlined = k.outlines(r)
	return k
}

// reason returns what says most for showing m, or against it.
func (k ranking) reason(m *results.Mutant) reason {
	changed, x := k.changed(m), example(m)
	onLine := changed || m.Evidence.OnDiff // that nothing runs a line is true of the line, whatever the edit
	switch {
	case m.Evidence.Seldom:
		return seldom
	case m.Reason != "" && changed && (m.Evidence.Awaits || !k.alters(m, x) && !k.passesOwn(m)):
		return untried
	case k.agrees[m.Function] && !isReversal(m), unrun(m) && k.sameAsBefore(m), k.outlined[m.Function]:
		return olderGap
	case inExample(m.File):
		return ofExample
	case k.constantOnly(m) && !(unrun(m) && k.uncalled[m.Function]):
		return constantOnly
	case unrun(m) && onLine && k.noTests[m.Function] && !k.ran[m.Function] && k.scope[m.Function] != results.ReasonAll && !(isReversal(m) && x != nil && !hidden(x)):
		return untested
	case unrun(m) && onLine && k.oneStatement(m):
		return simple
	case unrun(m) && onLine && (k.added(m) || k.onlyDriven(m)) && !isDescription(m.Function) && !m.Evidence.Program && !k.onlyFails(m):
		return newUnrun
	case unrun(m) && onLine && x == nil && k.ran[m.Function] && strong[m.Operator] && !isDescription(m.Function) && !m.Evidence.Program && !k.onlyFails(m):
		return newLine
	case unrun(m) && changed && (x == nil || x.Inner && m.Evidence.Program):
		return unrunLine
	case x != nil && !x.Driver && !x.InTest && !changed && changeOf(m).size() <= maxEdit && x.Errors == results.ErrorInOriginal:
		return acceptedElsewhere
	case !changed && m.Evidence.OnDiff:
		return leftAsItWas
	case !changed:
		return unchanged
	case k.half(m):
		return halfUndone
	case !isReversal(m) && changeOf(m).size() > maxEdit:
		return longEdit
	case m.Operator == "statement-deletion" && deferredUnlock.MatchString(m.Original):
		return deferred
	case x != nil:
		return k.told(m, x)
	case isReversal(m) && m.Exposed() && !k.addsFastPath(m):
		return unwritten
	case m.Evidence.Driven >= fuzzed && !isReversal(m) && !m.Exposed():
		return alike
	case m.Evidence.ByCallers >= fuzzed && !isReversal(m) && m.Exposed() && m.ExposedBy.Inner && unseen(m) == "": // as in told, where the call can be shown
		return unseenByCallers
	case k.eitherWay(m) || k.fastPath(m):
		return absorbed
	case unseen(m) != "" && !m.Evidence.Program && k.names.givesChoice(m):
		return newOption
	case k.older(m):
		return olderGap
	case isReversal(m):
		return k.undoing(m)
	}
	return k.untold(m)
}

// untold returns the reason of a mutant on a changed line that no input tells from the program.
func (k ranking) untold(m *results.Mutant) reason {
	switch {
	case checksEmptiness(m):
		return emptiness
	case m.Operator == "statement-deletion" && closes.MatchString(m.Original):
		return closing
	case k.guardsPanic(m):
		return misuse
	case unseen(m) != "" && m.Evidence.Program:
		return unfollowed
	case neverFalse(m) && m.Evidence.Execs == 0 && m.Evidence.Spared >= fuzzed:
		return certain
	case m.Evidence.Same && m.Evidence.Execs == 0 && m.Evidence.Spared >= sparedOften:
		return sameValue
	case neverFalse(m) && m.Evidence.Never == nil:
		return invariant
	case neverFalse(m):
		return oneSided
	case m.Operator == "branch-removal" && strings.HasPrefix(m.Replacement, "{"):
		return otherBranch
	case m.Operator == "loop-control" && strings.TrimSpace(m.Original) == "break":
		return searched
	case m.Stage == results.Infected:
		return absorbed
	case neverFails(m):
		return unfailed
	case besideError(m):
		return uncounted
	case m.Evidence.Tests == 0 && m.Evidence.Execs > 0 && k.onlyFails(m):
		return unrunLine
	case strong[m.Operator] && !offByOne(m):
		return strongOne
	}
	return weakOne
}

// alters reports whether a call that other packages can make, x, gives another result with a part of the change undone.
// Then the change is one of behaviour, whether a test notices or not.
func (k ranking) alters(m *results.Mutant, x *results.ExposedBy) bool {
	return isReversal(m) && x != nil && x.Driver && !x.Inner && !x.AsBefore && !x.NotOnBase && k.told(m, x).worth >= twoValues.worth && !k.half(m)
}

// told returns the reason of a mutant on a changed line that an input tells from the program.
func (k ranking) told(m *results.Mutant, x *results.ExposedBy) reason {
	switch {
	case x.OnlyErrors || x.Errors == results.ErrorInBoth || differInErrors(x): // what stands beside an error counts for nothing
		return errorOnly
	case x.Original != x.Mutant && withoutSigns(x.Original) == withoutSigns(x.Mutant):
		return signOfZero
	case onlyRounding(x):
		return rounding
	case areHashes(m, x):
		return otherHash
	case isNoNumber(x) && !aboutNumbers.MatchString(m.Context+m.Original+m.Replacement):
		return noNumber
	case k.refactored(m):
		return olderGap
	case isReversal(m) && x.Inner && x.NotOnBase:
		return unmatched
	case hidden(x) && isReversal(m):
		return unseenFields
	case hidden(x) || x.InTest && isExported(m.Function) && onlyHidden(x):
		return weakOne
	case literals[m.Operator]:
		return literal
	case x.InTest && (k.fastPath(m) || k.eitherWay(m)):
		return absorbed
	case (x.Inner || x.InTest && !isExported(m.Function)) && m.Evidence.ByCallers >= fuzzed && !isReversal(m): // not of an undone part: what the change is for may need more of a caller
		return unseenByCallers
	case x.Inner && isReversal(m) && len(x.Setup) == 0 && zeroCall.MatchString(x.Call):
		return emptyCall
	case (x.Inner || x.InTest) && isSmall(m):
		return innerSmall
	case x.InTest:
		return seenInTest
	case x.Inner:
		return innerValues
	case x.Errors == results.ErrorInOriginal:
		return accepted
	case isSmall(m) && x.Ends == "" && x.Errors == "" && x.Base == "":
		return smallValues
	case isSmall(m):
		return smallEdit
	}
	return twoValues
}

// undoing returns the reason of an undone part of the change that no input shows.
func (k ranking) undoing(m *results.Mutant) reason {
	unaltering := m.Stage == results.Reached
	switch {
	case k.agrees[m.Function]: // the review says so
		return agreeing
	case k.addsFastPath(m):
		return absorbed
	case k.partlyUnrun(m):
		return unrunPart
	case takesDeclarations(m), unaltering && takesFunctions(m):
		return dependent
	case unaltering && k.addsErrorCheck(m):
		return unfailing
	case guardsEmptiness(m):
		return emptiness
	case addsClosing(m):
		return closing
	case addsOnly(m, locks.MatchString):
		return locking
	case addsOnly(m, isCopy):
		return copying
	case wraps(m) != "":
		return unasked
	case unaltering && addsPanic(m):
		return misuse
	case unaltering && inserts(m):
		return insertion
	case unaltering && regroups(m):
		return regrouped
	case unaltering && otherNumbers(m):
		return otherNumber
	case unaltering:
		return unaltered
	case m.Evidence.Execs >= fuzzed:
		return agreeing
	case k.movesOut(m):
		return reworded
	case rewords(m) && !onlyTakesAway(m) && changeOf(m).size() > 2:
		return anew
	}
	return unfuzzed
}
