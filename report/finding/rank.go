package finding

import (
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/fact"
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
	invariant         = reason{30, "on a changed line; this condition holds in all tests, and nothing happens otherwise: most often it always holds"} // one of four
	newOption         = reason{70, "on a changed line; no test gives this condition, on a new exported field or variable, its other value"}
	sameValue         = reason{30, "on a changed line; what it replaces had the same value in all tests and many generated calls"}
	certain           = reason{30, "on a changed line; no test and no generated call has this condition false"}
	innerValues       = reason{64, "on a changed line; an argument that callers may be unable to pass gives two different values"}
	unseenByCallers   = reason{50, "on a changed line; a call within the package gives two different values, but many inputs of callers do not"}
	emptyCall         = reason{50, "undoes part of the change; a call within the package with zero values gives two different results"} // no caller made it
	innerSmall        = reason{55, "on a changed line; a call within the package or a test gives two different values, by a small edit"}
	innerEdge         = reason{62, "on a changed line; a call within the package or a test gives an error on one side, by a small edit of code that tests run"} // one of one
	edge              = reason{65, "on a changed line; no test comes to the edge of this check, where callers get an error on one side"}                        // two of two, in one change
	partOfCheck       = reason{65, "on a changed line; without a part of this check, an input that fails now would be accepted; it cannot be written in a short form"}
	unmatched         = reason{40, "undoes part of the change; neither the base nor a caller of the package has such a call, so old and new code may just not fit together"} // wrong to one reader
	unseenFields      = reason{60, "undoes part of the change; only unexported fields of a result differ"}
	seenInTest        = reason{70, "on a changed line; a call that a test makes gives another value, and the test passes"}
	errorOnly         = reason{29, "on a changed line; both fail, or only an error differs"} // read
	otherError        = reason{94, "on a changed line; both fail, but callers that look for a documented error find another, or none"}
	noNumber          = reason{45, "on a changed line; only NaN or infinities give two different values"}        // one of three
	otherHash         = reason{30, "an input gives two different hash values, neither of which is more correct"} // none of two
	rounding          = reason{30, "an input gives fractions that differ by no more than rounding"}              // none of one
	overflow          = reason{40, "only a number at the limit of its type gives two different values"}          // none of two
	signOfZero        = reason{20, "on a changed line; only the sign of a zero differs"}
	weakOne           = reason{26, "on a changed line; no input is known that shows it"} // read
	unfuzzed          = reason{60, "undoing this part of the change alters the state; few inputs were tried"}
	anew              = reason{45, "undoing this part of the change alters the state; it rewrites several lines, and few inputs were tried"} // none of two, both equivalent
	reworded          = reason{50, "undoing this part of the change alters the state; it replaces calls of a function by code that may do the same"}
	unwritten         = reason{65, "undoing this part of the change gives other results; these, or the input, cannot be written in a short form"}
	agreeing          = reason{40, "undoes part of the change; many inputs give the same results"}                                                                  // often the old code, written anew
	meantAlike        = reason{30, "undoes part of the change, which says that the program behaves as before; no input shows it, or only that the old code failed"} // as in three changes
	insertion         = reason{65, "undoes part of the change: what that adds can be left out"}
	regrouped         = reason{65, "undoes part of the change: a condition has fewer operands, or groups them differently"}
	unfailed          = reason{30, "on a changed line; the error returned here is nil in all tests"}                                                   // none of two
	closing           = reason{30, "on a changed line; something is not closed, which few tests check"}                                                // none of two
	locking           = reason{30, "undoes part of the change, which adds only locks: only the race detector notices that they are missing"}           // none of one
	deferred          = reason{30, "on a changed line; a deferred unlock is left out, a mistake that nobody makes"}                                    // none of two
	copying           = reason{10, "undoes part of the change, which only copies a variable to one of the same name"}                                  // equivalent
	cloning           = reason{40, "undoes part of the change, which copies a value: only code that alters it afterwards sees that"}                   // none of one
	unproved          = reason{95, "undoes what a fix does to this function, and no test fails"}                                                       // read: six of seven
	idle              = reason{80, "undoes what a fix does to this function: many inputs give the same, and the tests that the fix adds pass"}         // one of one
	likeNoticed       = reason{75, "undoes part of the change to a function, and no test fails; the same in another function, undone, makes one fail"} // one of one
	missedByTest      = reason{75, "undoes all that the change does to this function: the tests that it adds run it, and pass without it"}             // one of one
	missed            = reason{80, "a check is left out; a test of the change takes it, and passes without it"}                                        // two of two
	misuse            = reason{30, "on a changed line; only a panic on misuse is left out"}                                                            // none of two
	unfailing         = reason{30, "undoes part of the change, which passes on an error that no test causes"}
	otherNumber       = reason{60, "undoes part of the change; a number differs, and the tests that run it see no difference"}
	unasked           = reason{62, "undoes part of the change: an error wraps another that callers may look for, and no test does"}
	unwrapped         = reason{62, "undoes part of the change: it looks for an error among wrapped ones, and no test fails without that"} // two of two
	dependent         = reason{40, "undoes part of the change; no input shows it, and it needs declarations that the change removed"}     // wrong to one reader: alone it does not compile
	unaltered         = reason{10, "undoing this part of the change alters no state"}
	newUnrun          = reason{60, "nothing runs this code of a function that is new, or that no test runs"}
	simple            = reason{30, "nothing runs this function of one statement: a test would repeat it"} // none of three
	newLine           = reason{60, "nothing runs this line, which the change adds or alters"}             // read: four of five
	unrunLine         = reason{33, "no test is seen to run this line"}
	uncounted         = reason{30, "on a changed line; a value returned beside an error, where callers hardly look"} // none of one
	ofExample         = reason{30, "code of an example, or that only tests use"}                                     // none of one
	untested          = reason{30, "nothing runs this code; its package has no test file, which its authors know"}   // none of four
	unrunPart         = reason{33, "undoes part of the change; no test is seen to run some of its lines"}
	acceptedElsewhere = reason{80, "outside of the change; an input that is refused now would be accepted"} // three of three read
	longEdit          = reason{30, "on a changed line; the edit takes more than a dozen lines to show"}
	absorbed          = reason{20, "internal state differs in the tests, but no result does: often a fast path"} // read: one of thirty; Schuler, Zeller 2010
	alike             = reason{30, "on a changed line; internal state differs for many arguments, but no result does"}
	otherBranch       = reason{30, "on a changed line; a branch beside another one may do nothing"}
	indexing          = reason{62, "on a changed line; without this check the code indexes an empty list, and no test has one"}
	emptiness         = reason{30, "on a changed line; a check for an empty list, without which the result is often the same"} // none of five
	searched          = reason{30, "continuing this loop gives the same in all tests: often it is only slower"}
	halfUndone        = reason{10, "undoes part of the change, although undoing the whole makes no difference"} // as one of two calls for a lock
	olderGap          = reason{35, "on a line whose change no test notices, so the gap is older than the change"}
	unfollowed        = reason{40, "on a changed line; tests whose processes were not observed may give this condition its other value"} // wrong to one reader
	seldom            = reason{5, "a test notices it in some runs"}
	untried           = reason{30, "a test that could not run, or is quarantined, may notice"}
	listed            = reason{40, "undoes part of the change, which only alters constants in a list, and no input of callers shows it: a test would repeat them"} // none of seven
	constantOnly      = reason{40, "in a function that only returns a constant: a test would repeat it"}
	unchanged         = reason{15, "on an unchanged line"} // read
	leftAsItWas       = reason{15, "on a changed line, but in a part of it that the change leaves as it was"}
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
// were acted on. To drop an operand of a condition is not small, whatever it compares: five of six were acted on.
func isSmall(m *results.Mutant) bool {
	return small[m.Operator] && !edit.DropsOperand(m) || offByOne(m)
}

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
	ranByOwn map[string]bool              // functions that tests of their packages run at least in part, by ID
	tested   map[string]bool              // packages in which the change adds or alters tests that run what it touches
	scope    map[string]results.Function  // functions in scope, by ID
	unrun    map[string][]results.Code    // code of functions that nothing is seen to run, by ID and file
	always   map[condition][]bool         // the constants that a condition can become unnoticed, by its place
	agrees   map[string]bool              // functions that give the same results as before the change on many inputs, by ID
	outlined map[string]bool              // new functions with code of functions that agree, by ID: see outlines
	random   map[string]bool              // functions of which all drivers have results that differ from run to run, by ID
	names    newNames                     // the names that the change brings
	alike    bool                         // the change says that the program behaves as before
	newFails bool                         // a test that the change adds or alters is quarantined

	missedByAdded map[string]bool   // see the function of that name
	noticed       map[string]bool   // shapes of the undone parts of the change that tests notice, see edit.Shape
	unprovedFix   bool              // the change says that it fixes something, and no test notices any part of it that is undone
	missesFix     bool              // besides, tests that it adds run what it changes
	undone        []*results.Mutant // survivors that undo a part of the change which rewords old code
}

func newRanking(r *results.Results) ranking {
	k := ranking{
		mutants: map[string][]*results.Mutant{}, ran: map[string]bool{}, ranByOwn: map[string]bool{}, tested: map[string]bool{},
		scope: map[string]results.Function{}, unrun: map[string][]results.Code{}, always: map[condition][]bool{},
		agrees: map[string]bool{}, noticed: map[string]bool{}, random: randomIn(r), names: newNamesOf(r), alike: r.Revisions.Alike,
	}
	for _, a := range Agreements(r) {
		k.agrees[a.Function] = true
	}
	for _, f := range r.Scope {
		k.scope[f.ID], k.unrun[f.ID+f.File] = f, append(k.unrun[f.ID+f.File], f.Unrun...)
	}
	for i := range r.Mutants {
		m := &r.Mutants[i]
		k.mutants[m.File] = append(k.mutants[m.File], m)
		k.ran[m.Function] = k.ran[m.Function] || fact.Runs(m)
		k.ranByOwn[m.Function] = k.ranByOwn[m.Function] || k.runsInOwn(m)
		for _, t := range m.Evidence.ByChange {
			k.tested[packageOf(t.Test)] = true
		}
		if m.Status == results.Survived && edit.IsReversal(m) && rewords(m) {
			k.undone = append(k.undone, m)
		}
		if shape := edit.Shape(m); shape != "" && m.Status == results.Killed {
			k.noticed[shape] = true
		}
		if value := edit.Effective(m); m.Status == results.Survived && m.Stage == results.Infected && (value == "true" || value == "false") {
			k.always[conditionOf(m)] = append(k.always[conditionOf(m)], value == "true")
		}
	}
	k.unprovedFix = unprovedFix(r)
	k.missedByAdded = missedByAdded(r)
	k.missesFix = k.unprovedFix && len(k.missedByAdded) > 0
	k.outlined = k.outlines(r)
	k.newFails = slices.ContainsFunc(r.Quarantined, func(q results.Quarantined) bool { return q.Change != "" })
	return k
}

// reason returns what says most for showing m, or against it.
func (k ranking) reason(m *results.Mutant) reason {
	changed, x := k.changed(m), fact.Example(m)
	onLine := changed || m.Evidence.OnDiff // that nothing runs a line is true of the line, whatever the edit
	if against := k.against(m, x, changed, onLine); against != (reason{}) {
		return against
	}
	switch {
	case k.fixesFailure(m) && x != nil:
		return k.told(m, x)
	case k.fixesFailure(m):
		return k.orUnproved(m, unwritten)
	case fact.Unrun(m) && onLine && (k.added(m) || k.onlyDriven(m)) && !isDescription(m.Function) && !m.Evidence.Program && !k.onlyFails(m):
		return newUnrun
	case fact.Unrun(m) && onLine && x == nil && k.ran[m.Function] && strong[m.Operator] && !isDescription(m.Function) && !m.Evidence.Program && !k.onlyFails(m):
		return newLine
	case fact.Unrun(m) && changed && (x == nil || x.Inner && m.Evidence.Program):
		return unrunLine
	case x != nil && !x.Driver && !x.InTest && !changed && edit.Of(m).Size() <= maxEdit && x.Errors == results.ErrorInOriginal:
		return acceptedElsewhere
	case !changed && m.Evidence.OnDiff:
		return leftAsItWas
	case !changed:
		return unchanged
	case k.half(m):
		return halfUndone
	case !edit.IsReversal(m) && edit.Of(m).Size() > maxEdit:
		return longEdit
	case m.Operator == "statement-deletion" && deferredUnlock.MatchString(m.Original):
		return deferred
	case x != nil:
		return k.told(m, x)
	case edit.IsReversal(m) && m.Exposed() && !k.addsFastPath(m):
		return k.orUnproved(m, unwritten)
	case m.Evidence.Driven >= fuzzed && !edit.IsReversal(m) && !m.Exposed() && !k.random[m.Function]:
		return alike
	case m.Evidence.ByCallers >= fuzzed && !edit.IsReversal(m) && m.Exposed() && m.ExposedBy != nil && m.ExposedBy.Inner && fact.Unseen(m) == "": // as in told, where the call can be shown
		return unseenByCallers
	case k.missesCheck(m):
		return missed
	case k.eitherWay(m) || k.fastPath(m) || k.ofIdleBranch(m):
		return absorbed
	case fact.Unseen(m) != "" && !m.Evidence.Program && k.names.givesChoice(m):
		return newOption
	case k.older(m):
		return olderGap
	case edit.IsReversal(m):
		return k.undoing(m)
	}
	return k.untold(m)
}

// against returns what speaks against showing m, whatever else is known of it; the zero reason: nothing does. x is the
// input that shows m, or nil. changed says that m alters what the change adds, onLine that it is on a changed line.
func (k ranking) against(m *results.Mutant, x *results.ExposedBy, changed, onLine bool) reason {
	switch {
	case m.Evidence.Seldom:
		return seldom
	case m.Reason != "" && m.Evidence.Awaits && onLine:
		return untried
	case m.Reason != "" && (changed || fact.Unrun(m) && onLine) && !k.alters(m, x) && !k.passesOwn(m) && !k.passesMany(m) && !k.missedByOwn(m) && !k.passesNew(m):
		return untried
	case k.agrees[m.Function] && !edit.IsReversal(m), fact.Unrun(m) && k.sameAsBefore(m), k.outlined[m.Function], k.inOtherForm(m):
		return olderGap
	case inExample(m.File):
		return ofExample
	case k.constantOnly(m) && !(fact.Unrun(m) && k.scope[m.Function].Uncalled):
		return constantOnly
	case changed && edit.IsReversal(m) && altersList(m) && (x == nil || x.InTest || x.Inner):
		return listed
	case onLine && k.untestedPackage(m) && !(edit.IsReversal(m) && x != nil && !fact.Hidden(x)):
		return untested
	case fact.Unrun(m) && onLine && k.oneStatement(m):
		return simple
	}
	return reason{}
}

// untold returns the reason of a mutant on a changed line that no input tells from the program.
func (k ranking) untold(m *results.Mutant) reason {
	switch {
	case refusesAtEdge(m):
		return edge
	case dropsPartOfCheck(m):
		return partOfCheck
	case k.guardsIndex(m):
		return indexing
	case checksEmptiness(m):
		return emptiness
	case m.Operator == "statement-deletion" && closes.MatchString(m.Original):
		return closing
	case k.guardsPanic(m):
		return misuse
	case fact.Unseen(m) != "" && m.Evidence.Program:
		return unfollowed
	case fact.NeverFalse(m) && m.Evidence.Execs == 0 && m.Evidence.Spared >= fuzzed:
		return certain
	case m.Evidence.Same && m.Evidence.Execs == 0 && m.Evidence.Spared >= sparedOften:
		return sameValue
	case fact.NeverFalse(m) && m.Evidence.Never == nil:
		return invariant
	case fact.NeverFalse(m):
		return oneSided
	case m.Operator == "branch-removal" && strings.HasPrefix(m.Replacement, "{") && !m.Exposed():
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
	return edit.IsReversal(m) && x != nil && x.Driver && !x.Inner && !x.AsBefore && !x.NotOnBase && k.told(m, x).worth >= twoValues.worth && !k.half(m)
}

// told returns the reason of a mutant on a changed line that an input tells from the program.
func (k ranking) told(m *results.Mutant, x *results.ExposedBy) reason {
	switch {
	case (x.OnlyErrors || x.Errors == results.ErrorInBoth || fact.DifferInErrors(x)) && !x.OtherSentinel(): // what stands beside an error counts for nothing
		return errorOnly
	case x.Original != x.Mutant && withoutSigns(x.Original) == withoutSigns(x.Mutant):
		return signOfZero
	case fact.OnlyRounding(x):
		return rounding
	case fact.AtLimit(x) && x.Ends == "":
		return overflow
	case areHashes(m, x):
		return otherHash
	case isNoNumber(x) && !aboutNumbers.MatchString(m.Context+m.Original+m.Replacement):
		return noNumber
	case k.refactored(m):
		return olderGap
	case k.alike && edit.IsReversal(m) && x.Ends != "": // then the old code may well have failed
		return meantAlike
	case edit.IsReversal(m) && x.Inner && x.NotOnBase:
		return unmatched
	case fact.Hidden(x) && edit.IsReversal(m):
		return unseenFields
	case fact.Hidden(x) || x.InTest && isExported(m.Function) && fact.OnlyHidden(x):
		return weakOne
	case literals[m.Operator]:
		return literal
	case x.InTest && (k.fastPath(m) || k.eitherWay(m)):
		return absorbed
	case (x.Inner || x.InTest && !isExported(m.Function)) && m.Evidence.ByCallers >= fuzzed && !edit.IsReversal(m): // not of an undone part: what the change is for may need more of a caller
		return unseenByCallers
	case x.Inner && edit.IsReversal(m) && fact.OnlyZeros(x):
		return emptyCall
	case (x.Inner || x.InTest) && isSmall(m) && x.Errors != "" && m.Evidence.Tests > 0:
		return innerEdge
	case (x.Inner || x.InTest) && isSmall(m):
		return innerSmall
	case x.InTest:
		return seenInTest
	case x.Inner:
		return innerValues
	case x.Errors == results.ErrorInOriginal:
		return accepted
	case x.OtherSentinel():
		return otherError
	case isSmall(m) && x.Ends == "" && x.Errors == "" && x.Base == "":
		return smallValues
	case isSmall(m):
		return smallEdit
	}
	return twoValues
}

// undoing returns the reason of an undone part of the change that no input shows.
func (k ranking) undoing(m *results.Mutant) reason { return k.orUnproved(m, k.undoingAny(m)) }

// undoingAny is undoing, whatever the change says of itself.
func (k ranking) undoingAny(m *results.Mutant) reason {
	unaltering := m.Stage == results.Reached
	switch {
	case k.agrees[m.Function]: // the review says so
		return agreeing
	case k.alike:
		return meantAlike
	case k.missesCheck(m):
		return missed
	case k.missedByAdded[m.ID] && m.Evidence.Execs < fuzzed:
		return missedByTest
	case k.addsFastPath(m):
		return absorbed
	case k.partlyUnrun(m):
		return unrunPart
	case unaltering && k.noticed[edit.Shape(m)]:
		return likeNoticed
	case takesDeclarations(m), unaltering && takesFunctions(m):
		return dependent
	case unaltering && k.addsErrorCheck(m):
		return unfailing
	case guardsEmptiness(m):
		return emptiness
	case addsClosing(m):
		return closing
	case addsLocks(m):
		return locking
	case addsOnly(m, isCopy):
		return copying
	case fact.Wraps(m) != "":
		return unasked
	case fact.Unwraps(m) != "":
		return unwrapped
	case unaltering && addsPanic(m):
		return misuse
	case unaltering && addsCopy(m):
		return cloning
	case unaltering && (inserts(m) || extends(m)):
		return insertion
	case unaltering && regroups(m):
		return regrouped
	case unaltering && otherNumbers(m):
		return otherNumber
	case unaltering:
		return unaltered
	case m.Evidence.Execs >= fuzzed:
		return agreeing
	case k.movesOut(m) || asksByCall(m):
		return reworded
	case rewords(m) && !edit.TakesAway(m) && edit.Of(m).Size() > 2:
		return anew
	}
	return unfuzzed
}
