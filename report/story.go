package report

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// story is a finding in words, for all renderers.
type story struct {
	label   string   // the kind of finding
	title   prose    // what is wrong, in a line
	place   string   // where; empty: unknown
	claim   prose    // what ran the code, and what came of it
	late    prose    // what did not run in time; it is said once in a text
	mends   prose    // what undoing a part of the change does to a crash; empty: it does nothing, or there is none
	drawn   prose    // says what the diff is of: a part of the change, or an edit
	code    string   // Go source that nothing runs; empty: the title says enough, or the diff does
	change  []string // lines of a diff; where there are rows, of all of the change, or of the first edit, if that is short and yet its row has no room for it
	edit    prose    // the same on one line; empty: the title says it, or there is no edit
	rows    []row    // of the edits that a test would notice, if they are several, or all of the change is drawn
	others  []row    // edits besides those, as many as a list has
	more    int      // edits besides the rows
	witness prose    // an input, and what comes of it; may be empty
	ask     prose    // for the behaviour that is meant
	next    prose    // what to do
	test    string   // Go source of a test, or of a row for one; empty: there is none
	about   prose    // says what that is, and where it belongs
	asserts prose    // says what it asserts
	stack   string   // of a crash

	key        string // of the finding; it and the next are for Markdown alone
	inline     bool   // its details are told elsewhere
	suggestion string // a block of Markdown that says what change says, so that a click makes it; empty: there is none
}

// once is s with what did not run in time as a part of its claim, unless that is said already.
func (s story) once(said *bool) story {
	if len(s.late) > 0 && !*said {
		s.claim, *said = s.claim.and(s.late), true
	}
	return s
}

// row is one of several edits of a function.
type row struct {
	file             string // where the first edit is in another one; else ""
	line             int
	edit             prose
	input, now, with string // an input, and what comes of it, unless that is not readable; empty: none is known
}

// at is the place of a row, as a table has it.
func (one row) at() prose {
	if one.file != "" {
		return say("%s", one.file+":"+plain(one.line))
	}
	return say(plain(one.line))
}

// place is at for what stands alone.
func (one row) place() prose {
	if one.file != "" {
		return append(one.at(), span{":", false})
	}
	return say("line " + plain(one.line) + ":")
}

// shows says what the input of a row shows; empty: none is known.
func (one row) shows() prose {
	switch {
	case one.input == "":
		return nil
	case one.now == "" && one.with == "":
		return say("%s shows it", one.input)
	}
	return one.outcomes("with the edit", "")
}

// Words in what a call does with something that it is passed, as package witness writes it.
const (
	becomes = " becomes "
	stays   = " stays as it is"
)

// returns is what a call without a result does.
const returns = "returns"

// outcomes says what the input of a row gives, or leaves in what it is passed: now, and without or with something. The sentence ends in end.
func (one row) outcomes(otherwise, end string) prose {
	operand, now, ok := strings.Cut(one.now, becomes)
	same, with, also := strings.Cut(one.with, becomes)
	switch {
	case ok && also && operand == same && !strings.Contains(operand, `"`) && !strings.Contains(now+with, becomes):
		return say("%s leaves %s in %s; "+otherwise+", %s"+end, one.input, now, operand, with)
	case ok && !strings.Contains(operand, `"`) || also && !strings.Contains(same, `"`) || strings.HasSuffix(one.now, stays) || strings.HasSuffix(one.with, stays),
		one.now == returns, one.with == returns:
		return say("%s: %s; "+otherwise+", %s"+end, one.input, one.now, one.with)
	}
	return say("%s gives %s; "+otherwise+", %s"+end, one.input, one.now, one.with)
}

// maxRows is how many edits a finding has at most.
const maxRows = 3

// partDrawn is above the diff of a part of the change, from the base to the head.
var partDrawn = say("This part of the change:")

// storyOf returns the story of f, a finding of r.
func storyOf(r *results.Results, f Finding) story {
	switch {
	case f.Crash != nil:
		return crashStory(r, f)
	case f.Old != nil:
		return oldStory(f)
	case f.Flaky != nil:
		return flakyStory(f)
	case f.Kind == NotRun:
		return unrunStory(r, f)
	}
	return mutantStory(r, f.distinct())
}

// mutantStory is the story of a finding about mutants of code that runs. A change of behaviour that an input shows is told
// by itself: its author knows it by its lines, and what other edits show is for those who want to know more.
func mutantStory(r *results.Results, f Finding) story {
	if f.Kind == Behaviour && len(f.Also) > 0 && example(f.Mutant) != nil {
		alone := f
		alone.Also = nil
		s := mutantStory(r, alone)
		s.title, s.place = title(r, f), f.place()
		s.list(r, f, 1)
		return s
	}
	m := f.Mutant
	c := changeOf(m)
	s := story{
		label: label(f), title: title(r, f), place: f.place(),
		claim: claim(f, second(f)), ask: ask(f),
		next: say("%s has the whole story.", "mutantfuzz explain "+shellQuote(m.ID)),
	}
	switch unrun := unrunWithin(r, m); {
	case f.never() != nil:
		s.claim = neverClaim(m)
	case m.Evidence.Tests > 0 && len(untaken(r, f)) > 0:
		n := m.Evidence.Tests
		s.claim = runners(m).and(say(noun(n, "comes", "come") + " to these conditions, which are false every time, and " + noun(n, "passes", "pass") + " with any of these edits."))
	case len(f.Also) == 0 && m.Evidence.Tests > 0 && len(unrun) > 0:
		s.claim = comesTo(m, unrun)
	case len(f.Also) == 0 && m.Evidence.Tests > 0 && example(m) == nil:
		s.claim = s.claim.and(sameClaim(m))
	}
	s.claim = s.claim.and(blindTests(m)).and(notRunAtAll(r, f))
	whole := f.wholeTold(r)
	if whole != nil {
		s.claim = say("With all of the change to %s undone, "+noTest(Finding{Mutant: whole})+" fails.", functionName(r, m.Function)).and(s.claim)
	}
	if slices.ContainsFunc(f.all(), ownOnly) {
		s.late = say("Not all tests of packages that depend on this one could run.")
	}
	if !m.Verified {
		s.claim = s.claim.and(say("This was not confirmed with plain %s.", "go test"))
	}
	tests := testsFor(f.all())
	s.test, s.about = testOf(tests, whatIsNoticed(f.all(), tests))
	drawn := whole != nil && f.never() == nil && s.drawAbove(whole, say("All of the change to %s:", functionName(r, m.Function)))
	if drawn || len(f.Also) > 0 {
		s.tabulate(r, f)
	} else {
		s.draw(r, f, c)
	}
	s.witness = s.witness.and(before(f, len(s.rows) > 0))
	switch {
	case s.test == "":
		s.ask = s.ask.and(needed(r, f, s.showsCall()))
	case len(f.Also) > 0: // what is said of the test says it
		s.ask = nil
	}
	s.asserts = asserts(r, f, s.test)
	return s
}

// showsCall reports whether s has a call that shows a difference.
func (s *story) showsCall() bool {
	return len(s.witness) > 0 || slices.ContainsFunc(s.rows, func(one row) bool { return one.input != "" })
}

// tabulate gives s the edits of f as rows. Where the first undoes a part of the change that its row has no room
// for, that is drawn above, if it is short.
func (s *story) tabulate(r *results.Results, f Finding) {
	if m := f.Mutant; len(s.change) == 0 && isReversal(m) && !slices.ContainsFunc(summary(m), func(p span) bool { return p.code }) {
		s.drawAbove(m, partDrawn)
	}
	for _, one := range f.all()[:min(1+len(f.Also), maxRows)] {
		s.rows = append(s.rows, rowOf(r, f, one))
	}
	s.list(r, f, len(s.rows))
}

// drawAbove gives s the diff of the part of the change that m undoes, to stand above the rows behind some words, and reports whether it is short enough.
func (s *story) drawAbove(m *results.Mutant, words prose) bool {
	c := changeOf(m)
	lines := (change{before: c.after, after: c.before}).lines(maxDiffLines)
	if len(lines) > maxDrawnAbove {
		return false
	}
	s.drawn, s.change = words, lines
	return true
}

// list gives s the edits of f that follow the first n, which are told already: the first few with their inputs, where these are
// easy to read.
func (s *story) list(r *results.Results, f Finding, n int) {
	for i, one := range f.all()[n:min(1+len(f.Also), n+maxFolded)] {
		other := rowOf(r, f, one)
		if n+i >= maxRows || utf8.RuneCountInString(other.input) > maxCall {
			other.input = ""
		}
		s.others = append(s.others, other)
	}
	s.more = 1 + len(f.Also) - n
}

// draw gives s the only edit of f, which is c, and what shows it; or the code that the edit is about, where no run comes to it.
func (s *story) draw(r *results.Results, f Finding, c change) {
	m := f.Mutant
	if code := f.never(); code != nil {
		s.code, s.edit = drawCode("", []results.Code{*code}, maxDrawn), say(numbers(*code))
		return
	}
	s.drawn, s.change = say("This edit:"), c.lines(maxDiffLines)
	switch {
	case isReversal(m): // as its author knows it
		s.drawn, s.change = partDrawn, change{before: c.after, after: c.before}.lines(maxDiffLines)
	case len(s.change) == 1 && strings.HasPrefix(s.change[0], "-") && strings.HasSuffix(s.change[0], "{"): // the head of what is left out as a whole
		s.change = branchOf(m).lines(maxDiffLines)
	default:
		s.change = c.compiling(m).lines(maxDiffLines)
	}
	if isReversal(m) || neverFalse(m) || len(s.change) == 0 {
		s.edit = summary(m)
	}
	if row := rowOf(r, f, m); row.now != "" || row.with != "" {
		s.witness = row.outcomes(withWhat(f), ".")
	}
}

// before says what the base gives for the first input that is shown on which it gives something else: whoever reads that sees whether
// the change is meant to do that. The call may stand in a table, and not in the sentence before.
func before(f Finding, tabulated bool) prose {
	all := f.all()
	for _, m := range all[:min(len(all), maxRows)] {
		if x := example(m); x != nil && x.Base != "" && !isReversal(m) {
			gave := say("Before this change, %s gave %s", callOf(x.Setup, x.Call), shorten(x.Base, maxValue))
			if !tabulated { // the call stands in the sentence before
				gave = say("Before this change, it gave %s", shorten(x.Base, maxValue))
			}
			if !strings.Contains(x.Base, "error(") && !x.Fails() {
				return append(gave, say(": if that is still meant, it is the change that is wrong.")...)
			}
			return append(gave, span{".", false})
		}
	}
	return nil
}

// assertsNothing reports whether a test, if it is one, only makes a call.
func assertsNothing(test string) bool {
	return strings.Contains(test, "func Test") && len(assertion.FindAllString(test, -1)) == 0
}

// asserts says what the test for f asserts, and what to do if something else is meant.
func asserts(r *results.Results, f Finding, test string) prose {
	if assertsNothing(test) {
		if strings.Count(test, "func Test") > 1 {
			return say("They assert no result, only that the calls return.")
		}
		return say("It asserts no result, only that the call returns.")
	}
	if strings.Count(test, "func Test") > 1 && (f.Kind != Behaviour || len(f.Also) > 0) {
		return say("They assert what the program does now; if another result is meant, change the expectation.")
	}
	if f.Kind == Behaviour && len(f.Also) == 0 && f.Mutant.ExposedBy != nil && f.Mutant.ExposedBy.Ends != "" {
		return say("It asserts what the program does now; without this part of the change it " + crashVerb(f.Mutant.ExposedBy.Ends) + ".")
	}
	if f.Kind != Behaviour || len(f.Also) > 0 {
		return say("It asserts what the program does now; if the other result is meant, change the expectation.")
	}
	row := rowOf(r, f, f.Mutant)
	if row.now == "" || row.with == "" {
		return say("It pins the new behaviour. If that is not meant, it is the change that is wrong.")
	}
	return say("It pins the new behaviour: %s. If that is not meant, it is the change that is wrong.", row.now)
}

// needed says what a test would have to do for which there is no source; empty: no input is
// known. The call may be told already.
func needed(r *results.Results, f Finding, told bool) prose {
	for _, m := range f.all() {
		x := witness(m)
		if x == nil {
			continue
		}
		call := siteCall(x)
		if x.InTest || x.Call != "" {
			makes := say("makes this call,")
			if !told {
				makes = say("makes the call %s,", cmp.Or(callOf(x.Setup, x.Call), shorten(x.Partly, maxPartly), shorten(call, maxCall)))
			}
			if x.InTest {
				return say("%s", local(x.Harness)).and(makes).and(say("and passes with either result."))
			}
			if told {
				return nil
			}
			return say("A test that").and(makes).and(say("and looks at what it gives, would notice."))
		}
		return say("A test that notices it has to call %s with what %s passes in.", call, passedBy(r, x))
	}
	return nil
}

// rowOf describes one mutant of f in a line. An input is none to show if what people see of both
// results is the same.
func rowOf(r *results.Results, f Finding, m *results.Mutant) row {
	line := row{line: m.Line, edit: summary(m)}
	if m.File != f.Mutant.File {
		line.file = m.File
	}
	if m.Function != f.Mutant.Function {
		line.edit = line.edit.and(say("in %s", functionName(r, m.Function)))
	}
	if unrun(m) && f.Kind != NotRun && !f.unrun() { // else the title says so
		line.edit = line.edit.and(say("(" + unrunBy(m) + " it)"))
	}
	if x := witness(m); x != nil && x.Original != x.Mutant {
		line.show(r, x)
	}
	return line
}

// show puts an input into a row, with what it gives if that tells readers something.
func (one *row) show(r *results.Results, x *results.ExposedBy) {
	one.input = inputOf(r, x)
	if tells(x) {
		one.now, one.with = difference(x.Original, x.Mutant)
		if (one.now == "") != (one.with == "") { // a call without a result, with which the program ends on one side
			one.now, one.with = cmp.Or(one.now, returns), cmp.Or(one.with, returns)
		}
	}
}

// How much is shown of a call as it is written in a harness or test, in runes: without values, and with some.
const (
	maxCall   = 60
	maxPartly = 120
)

// siteCall is the call that shows a difference, as it is written there.
func siteCall(x *results.ExposedBy) string {
	if _, call, ok := strings.Cut(x.Site, ": "); ok {
		return call
	}
	return x.Site
}

// inputOf is the call that shows a difference, with its arguments: else the harness with those of
// the entry, and the call in it as it is written there.
func inputOf(r *results.Results, x *results.ExposedBy) string {
	if x.Call != "" {
		return callOf(x.Setup, x.Call)
	}
	input := passedBy(r, x)
	if call := siteCall(x); call != x.Site {
		input += ": " + cmp.Or(shorten(x.Partly, maxPartly), shorten(call, maxCall))
	}
	return input
}

// callOf is a call after the statements that make what it is called on.
func callOf(setup []string, call string) string {
	return strings.Join(append(slices.Clip(setup), call), "; ")
}

// passedBy is the harness of an input, with its arguments where they are known.
func passedBy(r *results.Results, x *results.ExposedBy) string {
	if values := entryValues(r, x.Harness, x.Entry); values != "" {
		return local(x.Harness) + "(" + values + ")"
	}
	return local(x.Harness)
}

// where names the place of f for people.
func (f Finding) where() string {
	switch {
	case f.Crash != nil:
		return local(f.Crash.Harness)
	case f.Old != nil:
		return local(f.Old.Test)
	case f.Flaky != nil:
		return local(f.Flaky[0].Test)
	}
	return place(f.Mutant)
}

func place(m *results.Mutant) string { return fmt.Sprintf("%s:%d", m.File, m.Line) }

// second names the mutants in a sentence, as in "all pass with ...".
func second(f Finding) string {
	switch {
	case len(f.Also) > 0:
		return "with any of these edits"
	case isReversal(f.Mutant) && onlyTakesAway(f.Mutant):
		return "with it put back"
	case isReversal(f.Mutant):
		return "without it"
	default:
		return "with this edit"
	}
}

// withWhat is second beside the results of a call, where the author of a change has to know what of it is meant.
func withWhat(f Finding) string {
	if isReversal(f.Mutant) {
		return "without this part of the change"
	}
	return second(f)
}

// claim says who ran the mutated code and did not fail: of several edits that of the first, unless tests
// run only another one.
func claim(f Finding, second string) prose {
	m := f.Mutant
	if i := slices.IndexFunc(f.Also, func(m *results.Mutant) bool { return m.Evidence.Tests > 0 }); i >= 0 && m.Evidence.Tests == 0 {
		m = f.Also[i]
	}
	if m != f.Mutant || slices.ContainsFunc(f.Also, func(other *results.Mutant) bool { return m.Evidence.Tests > 0 && !runLike(m, other) }) {
		return runners(m).and(say(noun(m.Evidence.Tests, "runs", "run") + " some of this code, and " + noun(m.Evidence.Tests, "passes ", "pass ") + second + "."))
	}
	inputs := ""
	if n := m.Evidence.Execs - m.Evidence.Driven; n > 0 {
		inputs = count(n) + " fuzzing " + noun(int(min(n, 2)), "input", "inputs")
	}
	return claimOf(m, inputs, second)
}

// runLike reports whether the tests that are named for a run b, too.
func runLike(a, b *results.Mutant) bool {
	return !slices.ContainsFunc(a.Evidence.By[:min(len(a.Evidence.By), maxRunners)], func(test string) bool { return !slices.Contains(b.Evidence.By, test) })
}

// sameClaim says what whenever tests came there was as m has it; empty: it is not known.
func sameClaim(m *results.Mutant) prose {
	switch variable, zero := neverSet(m); {
	case variable != "":
		return say("There %s is %s every time.", variable, zero)
	case bothAlways(m) == "both":
		return say("There both conditions hold every time.")
	case bothAlways(m) == "neither":
		return say("There neither condition holds, at any time.")
	}
	return nil
}

// notSame asks for a test in which that is not so.
func notSame(m *results.Mutant) prose {
	if variable, _ := neverSet(m); variable != "" {
		return say("A test in which %s is something else would say what is meant.", variable)
	}
	return say("A test in which only one of them holds would say what is meant.")
}

// claimOf says it of tests, and of inputs.
func claimOf(m *results.Mutant, inputs, second string) prose {
	none := "No test runs this code."
	if m.Evidence.Program {
		none = "No Go test is seen to run this code."
	}
	switch n := m.Evidence.Tests; {
	case n == 0 && inputs == "" && unrun(m):
		return say(none)
	case n == 0 && inputs == "":
		return say("This code runs, and nothing fails " + second + ".")
	case n == 0:
		return say(none + " On " + inputs + " nothing fails " + second + ".")
	case inputs == "":
		return runners(m).and(say(noun(n, "runs", "run") + " this code, and " + noun(n, "passes ", "pass ") + second + "."))
	default:
		return runners(m).and(say(noun(n, "runs", "run") + " this code, and " + noun(n, "passes ", "pass ") + second + ", also on " + inputs + "."))
	}
}

// blindTests says which of the tests that a claim about m names look at nothing that they get; empty: none is known to.
func blindTests(m *results.Mutant) prose {
	var blind []string
	for i, test := range m.Evidence.By[:min(len(m.Evidence.By), maxRunners)] {
		if slices.Contains(m.Evidence.Blind, test) {
			blind = append(blind, testNames(m.Evidence.By)[i])
		}
	}
	if len(blind) == 0 {
		return nil
	}
	return listed(blind, len(blind), "test", "tests").and(say(noun(len(blind), "looks", "look") + " at no result: only a panic or a hang makes " + noun(len(blind), "it", "them") + " fail."))
}

// maxRunners is how many tests a claim names.
const maxRunners = 3

// runners names tests that ran the mutated code, and counts the others. Of those of the change it says that they are: who wrote these wants
// them to notice what it does.
func runners(m *results.Mutant) prose {
	n := m.Evidence.Tests
	var items []prose
	for i, name := range testNames(m.Evidence.By) {
		if name != "" && len(items) < min(maxRunners, n) {
			items = append(items, say("%s"+remarkOn(m.Evidence.By[i], m), name))
		}
	}
	if len(items) == 0 {
		return say(plural(n, "test", "tests"))
	}
	return listOf(items, n, "test", "tests")
}

// remarkOn says of a test that ran m, in brackets, what the change does to it; empty: nothing.
func remarkOn(test string, m *results.Mutant) string {
	i := slices.IndexFunc(m.Evidence.ByChange, func(t results.NewTest) bool { return t.Test == test })
	switch {
	case i < 0:
		return ""
	case m.Evidence.ByChange[i].Change == results.TestAltered:
		return " (changed)"
	}
	return " (new)"
}

// testNames are the names of tests, with the last part of their package's path where several have the same; "" for what is no name.
func testNames(tests []string) []string {
	count := map[string]int{}
	for _, test := range tests {
		count[local(test)]++
	}
	names := make([]string, len(tests))
	for i, test := range tests {
		if names[i] = local(test); names[i] != "" && count[names[i]] > 1 {
			names[i] = path.Base(test)
		}
	}
	return names
}

// listed names the first few of n things, called one or many, and counts the others.
func listed(names []string, n int, one, many string) prose {
	items := make([]prose, len(names))
	for i, name := range names {
		items[i] = say("%s", name)
	}
	return listOf(items, n, one, many)
}

// listOf is listed for what takes more than a name.
func listOf(items []prose, n int, one, many string) (p prose) {
	more := n - len(items)
	for i, item := range items {
		switch {
		case i > 0 && i == len(items)-1 && more == 0:
			p = append(p, span{" and ", false})
		case i > 0:
			p = append(p, span{", ", false})
		}
		p = append(p, item...)
	}
	if more > 0 {
		p = append(p, span{" and " + plural(more, "more "+one, "more "+many), false})
	}
	return p
}

// ask is the next step: what a test would have to bring about that notices the edits, as far as that is known of the first one
// where no input is known of any.
func ask(f Finding) prose {
	known := slices.ContainsFunc(f.all(), func(m *results.Mutant) bool { return example(m) != nil })
	switch {
	case wraps(f.Mutant) != "":
		return say("A test that asks for it, with %s, would notice.", "errors.Is(err, "+wraps(f.Mutant)+")")
	case !known && endsLoop(onOneLine(f.Mutant.Original), onOneLine(f.Mutant.Replacement)):
		return say("A test in which the loop has more to do would say what is meant.")
	case !known && leavesLoop(f.Mutant):
		return say("A test in which the loop has more to do after this %s would say what is meant.", "continue")
	case !known && f.never() != nil:
		return say("A test in which it is " + unseen(f.Mutant) + " would run this code.")
	case !known && unseen(f.Mutant) != "" && len(f.Also) == 0:
		operand, value := missing(f.Mutant)
		return say("A test in which %s is "+value+" would say what is meant.", oneLine(shortCondition(operand, maxInHeadline)))
	case len(f.Also) > 0: // what a test would need of all of them is not known
		return nil
	case !known && f.Mutant.Evidence.Tests > 0 && sameClaim(f.Mutant) != nil:
		return notSame(f.Mutant)
	case known && f.Kind == Behaviour && f.Mutant.ExposedBy.Ends == "" && !f.Mutant.ExposedBy.InTest:
		return say("If the new result is meant, a test should say so.")
	}
	return nil
}

// lines are the first and the last line of a finding's mutants.
func (f Finding) lines() (first, last int) {
	for i, m := range f.all() {
		if m.Function != f.Mutant.Function {
			continue
		}
		if i == 0 || m.Line < first {
			first = m.Line
		}
		last = max(last, lastLine(m))
	}
	return first, last
}

// place names the lines of f, which are of one file.
func (f Finding) place() string {
	first, last := f.lines()
	if first == last || len(f.Also) == 0 && f.Kind != NotRun {
		return place(f.Mutant)
	}
	return fmt.Sprintf("%s:%d–%d", f.Mutant.File, first, last)
}

func isTarget(r *results.Results, harness string) bool {
	for i := range r.Harnesses {
		if h := &r.Harnesses[i]; h.Name == harness {
			return h.Kind == results.HarnessTarget
		}
	}
	return false
}

// splitName splits the name of a harness, import/path.Name, where the path may
// have dots of its own.
func splitName(harness string) (pkg, name string) {
	dot := strings.LastIndexByte(harness, '.')
	if dot < 0 {
		return ".", harness
	}
	return harness[:dot], harness[dot+1:]
}

// local returns the name of a harness without its import path.
func local(harness string) string {
	_, name := splitName(harness)
	return name
}

// functionName returns the name of the function id without its import path, of which the last part stands before it where
// another function in scope has the same name.
func functionName(r *results.Results, id string) string {
	i := slices.IndexFunc(r.Scope, func(f results.Function) bool { return f.ID == id && f.Name != "" })
	if i < 0 {
		return id
	}
	f := &r.Scope[i]
	if slices.ContainsFunc(r.Scope, func(o results.Function) bool { return o.Name == f.Name && o.ID != id }) {
		return path.Base(f.Package) + "." + f.Name
	}
	return f.Name
}
