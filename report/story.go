package report

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/fact"
	"github.com/mutantfuzz/mutantfuzz/report/finding"
	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// sibling returns the name of a function in which tests notice a part of the change that has the shape of what m undoes;
// "": there is none.
func sibling(r *results.Results, m *results.Mutant) string {
	shape := edit.Shape(m)
	i := slices.IndexFunc(r.Mutants, func(o results.Mutant) bool {
		return shape != "" && o.Status == results.Killed && o.Function != m.Function && edit.Shape(&o) == shape
	})
	if i < 0 {
		return ""
	}
	return fact.FunctionName(r, r.Mutants[i].Function)
}

// story is a finding in words, for all renderers.
type story struct {
	label   string     // the kind of finding
	title   prose.Text // what is wrong, in a line
	place   string     // where; empty: unknown
	claim   prose.Text // what ran the code, and what came of it
	late    prose.Text // what did not run in time; a text says it once (see once)
	mends   prose.Text // what undoing a part of the change does to a failure; empty: nothing, or not known
	drawn   prose.Text // says what the diff shows: a part of the change, or an edit
	code    string     // Go source that nothing runs; empty: the title or the diff says enough
	change  []string   // lines of a diff; beside rows: of all of the change, or of a first edit too long for its row
	edit    prose.Text // code or change on one line; empty: the title says it, or there is neither
	rows    []row      // the edits, if there are several, or if the diff shows all of the change
	others  []row      // edits without a row, as many as a list has
	more    int        // number of edits without a row
	witness prose.Text // an input, and what comes of it; may be empty
	ask     prose.Text // what the author should do about the behaviour; may be empty
	next    prose.Text // what to do
	test    string     // Go source of a test, or of a row for one; empty: there is none
	about   prose.Text // says what the test is, and where it belongs
	asserts prose.Text // says what the test asserts
	stack   string     // of a crash

	key        string // of the finding; key, inline and suggestion are for Markdown alone
	inline     bool   // a comment of its own has the details
	suggestion string // a Markdown block that offers change as a suggestion to commit; empty: none
}

// once returns s with what did not run in time added to its claim, and sets said. If said is set, it returns s as it
// is.
func (s story) once(said *bool) story {
	if len(s.late) > 0 && !*said {
		s.claim, *said = s.claim.And(s.late), true
	}
	return s
}

// row is one of several edits of a finding.
type row struct {
	file             string // the file of the edit if it is not that of the first edit; else ""
	line             int
	edit             prose.Text
	input, now, with string // an input and its two results; empty: not known, or not readable
}

// at returns the place of a row for a table.
func (one row) at() prose.Text {
	if one.file != "" {
		return prose.Say("%s", one.file+":"+prose.Exact(one.line))
	}
	return prose.Say(prose.Exact(one.line))
}

// place returns the place of a row for a list, with a colon, as in "line 5:".
func (one row) place() prose.Text {
	if one.file != "" {
		return one.at().Plus(":")
	}
	return prose.Say("line " + prose.Exact(one.line) + ":")
}

// shows says what the input of a row shows; empty: no input is known.
func (one row) shows() prose.Text {
	switch {
	case one.input == "":
		return nil
	case one.now == "" && one.with == "":
		return prose.Say("%s shows it", one.input)
	}
	return one.outcomes("with the edit", "")
}

// becomes and stays are what package witness writes for what a call does to an argument or a receiver.
const (
	becomes = " becomes "
	stays   = " is unchanged"
)

// returns stands for the result of a call that has none.
const returns = "returns"

// outcomes says what the input of a row gives, or what it leaves in an argument: first as the program is, then
// otherwise. otherwise is a phrase such as "with the edit"; end ends the sentence.
func (one row) outcomes(otherwise, end string) prose.Text {
	operand, now, ok := strings.Cut(one.now, becomes)
	same, with, also := strings.Cut(one.with, becomes)
	switch {
	case ok && also && operand == same && !strings.Contains(operand, `"`) && !strings.Contains(now+with, becomes):
		return prose.Say("%s leaves %s in %s; "+otherwise+", %s"+end, one.input, now, operand, with)
	case ok && !strings.Contains(operand, `"`) || also && !strings.Contains(same, `"`) || strings.HasSuffix(one.now, stays) || strings.HasSuffix(one.with, stays),
		one.now == returns, one.with == returns:
		return prose.Say("%s: %s; "+otherwise+", %s"+end, one.input, one.now, one.with)
	}
	return prose.Say("%s gives %s; "+otherwise+", %s"+end, one.input, one.now, one.with)
}

// partDrawn introduces the diff of a part of the change, from the base to the head.
var partDrawn = prose.Say("This part of the change:")

// storyOf returns the story of f, a finding of r.
func storyOf(r *results.Results, f finding.Finding) story {
	switch {
	case f.Crash != nil:
		return crashStory(r, f)
	case f.Old != nil:
		return oldStory(f)
	case f.Flaky != nil:
		return flakyStory(f)
	case f.Kind == finding.NotRun:
		return unrunStory(r, f)
	}
	return mutantStory(r, f.Distinct())
}

// mutantStory is the story of a finding about mutants of code that runs. A change of behaviour that an input shows is
// told alone: its author recognises it by its lines. Its other edits are only listed.
func mutantStory(r *results.Results, f finding.Finding) story {
	if f.Kind == finding.Behaviour && len(f.Also) > 0 && fact.Example(f.Mutant) != nil {
		alone := f
		alone.Also = nil
		s := mutantStory(r, alone)
		s.title, s.place = title(r, f), f.Place()
		s.list(r, f, 1)
		return s
	}
	m := f.Mutant
	c := edit.Of(m)
	s := story{
		label: label(f), title: title(r, f), place: f.Place(),
		claim: claim(f, second(f)), ask: ask(f),
		next: prose.Say("%s has the whole story.", "mutantfuzz explain "+prose.ShellWord(m.ID)),
	}
	s.tellTests(r, f)
	s.claim = s.claim.And(blindTests(m)).And(quarantinedTests(m)).And(notRunAtAll(r, f))
	whole := f.WholeTold(r)
	if whole != nil {
		s.claim = prose.Say("With all of the change to %s undone, "+noTest(finding.Finding{Mutant: whole})+" fails.", fact.FunctionName(r, m.Function)).And(s.claim)
	}
	if slices.ContainsFunc(f.All(), ownOnly) {
		s.late = someLate
	}
	if !m.Verified {
		s.claim = s.claim.And(prose.Say("This was not confirmed with plain %s.", "go test"))
	}
	tests := testsFor(f.All())
	s.test, s.about = testOf(tests, whatIsNoticed(f.All(), tests))
	drawn := whole != nil && f.Never() == nil && s.drawAbove(whole, prose.Say("All of the change to %s:", fact.FunctionName(r, m.Function)))
	if drawn || len(f.Also) > 0 {
		s.tabulate(r, f)
	} else {
		s.draw(r, f, c)
		if whole != nil && len(s.change) > 0 && !edit.IsReversal(m) {
			s.drawn = prose.Say("One edit of the changed lines that no test notices:")
		}
	}
	s.witness = s.witness.And(before(f, len(s.rows) > 0))
	switch {
	case s.test == "":
		s.ask = s.ask.And(needed(r, f, s.showsCall()))
	case len(f.Also) > 0: // the description of the test says enough
		s.ask = nil
	}
	s.asserts = asserts(r, f, s.test)
	return s
}

// tellTests says in s what the tests do that run the first mutant of f, where more is known than that they pass.
func (s *story) tellTests(r *results.Results, f finding.Finding) {
	m := f.Mutant
	if name := sibling(r, m); name != "" && f.Kind == finding.Gap && len(s.ask) == 0 {
		s.ask = prose.Say("Tests notice the same in %s.", name)
	}
	switch unrun, taken := unrunWithin(r, m), takenClaim(r, m); {
	case f.Never() != nil:
		s.claim = neverClaim(m)
	case m.Evidence.Tests > 0 && len(f.Untaken(r)) > 0:
		n := m.Evidence.Tests
		s.claim = runners(m).And(prose.Say(prose.Noun(n, "comes", "come") + " to these conditions, which are false every time, and " + prose.Noun(n, "passes", "pass") + " with any of these edits."))
	case len(taken) > 0:
		s.claim = taken
		if fact.Example(m) == nil {
			s.ask = prose.Say("An input for which only this branch gives what it expects would notice.")
		}
	case len(f.Also) == 0 && m.Evidence.Tests > 0 && len(unrun) > 0:
		s.claim = comesTo(m, unrun)
	case len(f.Also) == 0 && m.Evidence.Tests > 0 && fact.Example(m) == nil:
		s.claim = s.claim.And(sameClaim(m))
	}
}

// someLate says that only the tests of the package itself are known.
var someLate = prose.Say("Not all tests of packages that depend on this one could run.")

// showsCall reports whether s has a call that shows a difference.
func (s *story) showsCall() bool {
	return len(s.witness) > 0 || slices.ContainsFunc(s.rows, func(one row) bool { return one.input != "" })
}

// tabulate gives s the edits of f as rows. If the first one undoes a part of the change and its row has no room for
// that, a short diff of the part stands above the rows.
func (s *story) tabulate(r *results.Results, f finding.Finding) {
	if m := f.Mutant; len(s.change) == 0 && edit.IsReversal(m) && !edit.Summary(m).Quotes() {
		s.drawAbove(m, partDrawn)
	}
	for _, one := range f.All()[:min(1+len(f.Also), finding.MaxRows)] {
		s.rows = append(s.rows, rowOf(r, f, one))
	}
	s.list(r, f, len(s.rows))
}

// drawAbove gives s the diff of the part of the change that m undoes, after some words, to stand above the rows. It
// reports whether the diff is short enough; if not, it leaves s as it is.
func (s *story) drawAbove(m *results.Mutant, words prose.Text) bool {
	c := edit.Of(m)
	lines := c.Reversed().Lines(maxDiffLines)
	if len(lines) > maxDrawnAbove {
		return false
	}
	s.drawn, s.change = words, lines
	return true
}

// list gives s the edits of f after the first n. Only those among the first MaxRows have inputs, and only short ones.
func (s *story) list(r *results.Results, f finding.Finding, n int) {
	for i, one := range f.All()[n:min(1+len(f.Also), n+maxFolded)] {
		other := rowOf(r, f, one)
		if n+i >= finding.MaxRows || utf8.RuneCountInString(other.input) > maxCall {
			other.input = ""
		}
		s.others = append(s.others, other)
	}
	s.more = 1 + len(f.Also) - n
}

// draw gives s the diff c of the only edit of f, and the input that shows it. If no run takes the branch that the edit
// is about, s gets the code of that branch instead.
func (s *story) draw(r *results.Results, f finding.Finding, c edit.Change) {
	m := f.Mutant
	if code := f.Never(); code != nil {
		s.code, s.edit = edit.Excerpt("", []results.Code{*code}, maxDrawn), prose.Say(edit.LineNumbers(*code))
		return
	}
	s.drawn, s.change = prose.Say("This edit:"), c.Lines(maxDiffLines)
	switch {
	case edit.IsReversal(m): // from base to head, as its author knows it
		s.drawn, s.change = partDrawn, c.Reversed().Lines(maxDiffLines)
	default:
		s.change = edit.Drawn(m, maxDiffLines)
	}
	if edit.IsReversal(m) || fact.NeverFalse(m) || len(s.change) == 0 {
		s.edit = edit.Summary(m)
	}
	if row := rowOf(r, f, m); row.now != "" || row.with != "" {
		s.witness = row.outcomes(withWhat(f), ".")
	}
}

// before says what the base gave for the first shown input on which it differs: the reader sees whether the change is
// meant to do that. tabulated says that the call stands in a table, and not in the sentence before.
func before(f finding.Finding, tabulated bool) prose.Text {
	all := f.All()
	for _, m := range all[:min(len(all), finding.MaxRows)] {
		if x := fact.Example(m); x != nil && x.Base != "" && !edit.IsReversal(m) {
			gave := prose.Say("Before this change, %s gave %s", fact.Call(x.Setup, x.Call), prose.Shorten(x.Base, prose.MaxValue))
			if !tabulated { // the call stands in the sentence before
				gave = prose.Say("Before this change, it gave %s", prose.Shorten(x.Base, prose.MaxValue))
			}
			if !strings.Contains(x.Base, "error(") && !x.Fails() {
				return append(gave, prose.Say(": if that is still meant, it is the change that is wrong.")...)
			}
			return gave.Plus(".")
		}
	}
	return nil
}

// asserts says what the test for f asserts, and what to do if something else is meant.
func asserts(r *results.Results, f finding.Finding, test string) prose.Text {
	if fact.AssertsNothing(test) {
		if strings.Count(test, "func Test") > 1 {
			return prose.Say("They assert no result, only that the calls return.")
		}
		return prose.Say("It asserts no result, only that the call returns.")
	}
	if strings.Count(test, "func Test") > 1 && (f.Kind != finding.Behaviour || len(f.Also) > 0) {
		return prose.Say("They expect the current results; if one is not intended, change the expected value.")
	}
	if f.Kind == finding.Behaviour && len(f.Also) == 0 && f.Mutant.ExposedBy != nil && f.Mutant.ExposedBy.Ends != "" {
		return prose.Say("It expects the current result; without this part of the change, the call " + crashVerb(f.Mutant.ExposedBy.Ends) + ".")
	}
	if f.Kind != finding.Behaviour || len(f.Also) > 0 {
		return prose.Say("It expects the current result; if that is not intended, change the expected value.")
	}
	row := rowOf(r, f, f.Mutant)
	if row.now == "" || row.with == "" {
		return prose.Say("It expects the new result. If that is not intended, correct the code, not the test.")
	}
	return prose.Say("It expects the new result, %s. If that is not intended, correct the code, not the test.", row.now)
}

// needed says what a test would have to do, if there is no source for one. It is empty if no input is known, or if
// there is nothing to add. told says that the text has the call already.
func needed(r *results.Results, f finding.Finding, told bool) prose.Text {
	for _, m := range f.All() {
		x := fact.Witness(m)
		if x == nil {
			continue
		}
		var which prose.Text
		if len(f.Also) > 0 {
			which = prose.Say("the edit of").And(lineOf(f, m))
		}
		switch call := fact.Call(x.Setup, x.Call); {
		case x.InTest:
			called := cmp.Or(call, prose.Shorten(x.Partly, maxPartly), fact.FunctionName(r, m.Function))
			return append(edited(f, m), prose.Say(", %s gets another result from %s, and passes.", fact.Local(x.Harness), called)...)
		case x.Call == "":
			return prose.Say("To notice it, a test has to call %s with what %s passes.", siteCall(x), passedBy(r, x))
		case told:
			return nil
		default:
			return prose.Say("A test that makes the call %s, and checks what it gives, would notice", call).And(which).Plus(".")
		}
	}
	return nil
}

// lineOf names the line of m, a mutant of f, and its file if it is not that of the first mutant.
func lineOf(f finding.Finding, m *results.Mutant) prose.Text {
	if m.File != f.Mutant.File {
		return prose.Say("line "+prose.Exact(m.Line)+" of %s", path.Base(m.File))
	}
	return prose.Say("line " + prose.Exact(m.Line))
}

// edited begins a sentence about what comes of m, a mutant of f.
func edited(f finding.Finding, m *results.Mutant) prose.Text {
	switch {
	case len(f.Also) > 0:
		return prose.Say("With the edit of").And(lineOf(f, m))
	case edit.IsReversal(m):
		return prose.Say("Without this part of the change")
	}
	return prose.Say("With this edit")
}

// rowOf returns the row of m, a mutant of f. It has no input if both results look the same.
func rowOf(r *results.Results, f finding.Finding, m *results.Mutant) row {
	line := row{line: m.Line, edit: edit.Summary(m)}
	if m.File != f.Mutant.File {
		line.file = m.File
	}
	if m.Function != f.Mutant.Function {
		line.edit = line.edit.And(prose.Say("in %s", fact.FunctionName(r, m.Function)))
	}
	if fact.Unrun(m) && f.Kind != finding.NotRun && !f.Unrun() { // else the title says so
		line.edit = line.edit.And(prose.Say("(" + unrunBy(m) + " it)"))
	}
	if x := fact.Witness(m); x != nil && x.Original != x.Mutant {
		line.show(r, x)
	}
	return line
}

// show puts an input into a row, and its results if a reader can make something of them.
func (one *row) show(r *results.Results, x *results.ExposedBy) {
	one.input = inputOf(r, x)
	if fact.Tells(x) {
		one.now, one.with = prose.Difference(x.Original, x.Mutant)
		if (one.now == "") != (one.with == "") { // a call without a result that ends the program on one side
			one.now, one.with = cmp.Or(one.now, returns), cmp.Or(one.with, returns)
		}
	}
}

// How much of a call is shown as a harness or test has it, in runes: without values, and with some.
const (
	maxCall   = 60
	maxPartly = 120
)

// siteCall returns the call that shows a difference, as the source has it.
func siteCall(x *results.ExposedBy) string {
	if _, call, ok := strings.Cut(x.Site, ": "); ok {
		return call
	}
	return x.Site
}

// inputOf returns the call that shows a difference, with its arguments. If that cannot be written, it returns the
// harness with the arguments of the entry, and the call as the harness has it.
func inputOf(r *results.Results, x *results.ExposedBy) string {
	if x.Call != "" {
		return fact.Call(x.Setup, x.Call)
	}
	input := passedBy(r, x)
	if call := siteCall(x); call != x.Site {
		input += ": " + cmp.Or(prose.Shorten(x.Partly, maxPartly), prose.Shorten(call, maxCall))
	}
	return input
}

// passedBy returns the harness of an input, with its arguments if they are known, as in "FuzzParse(\"a\")".
func passedBy(r *results.Results, x *results.ExposedBy) string {
	if values := entryValues(r, x.Harness, x.Entry); values != "" {
		return fact.Local(x.Harness) + "(" + values + ")"
	}
	return fact.Local(x.Harness)
}

// second returns the phrase for the mutants in a sentence such as "all tests pass with this edit".
func second(f finding.Finding) string {
	switch {
	case len(f.Also) > 0:
		return "with any of these edits"
	case edit.IsReversal(f.Mutant) && edit.TakesAway(f.Mutant):
		return "with it put back"
	case edit.IsReversal(f.Mutant):
		return "without it"
	default:
		return "with this edit"
	}
}

// withWhat is second for a sentence about the results of a call. There the author has to be told that a part of the
// change is meant.
func withWhat(f finding.Finding) string {
	if edit.IsReversal(f.Mutant) {
		return "without this part of the change"
	}
	return second(f)
}

// claim says which tests and inputs run the mutated code without failing. Of several edits it is about the first, or,
// if no test runs that one, about the first that tests run.
func claim(f finding.Finding, second string) prose.Text {
	m := f.Mutant
	if i := slices.IndexFunc(f.Also, func(m *results.Mutant) bool { return m.Evidence.Tests > 0 }); i >= 0 && m.Evidence.Tests == 0 {
		m = f.Also[i]
	}
	if m != f.Mutant || slices.ContainsFunc(f.Also, func(other *results.Mutant) bool { return m.Evidence.Tests > 0 && !runLike(m, other) }) {
		for _, other := range f.Also { // tests of the change say most
			if len(other.Evidence.ByChange) > len(m.Evidence.ByChange) {
				m = other
			}
		}
		return runners(m).And(prose.Say(prose.Noun(m.Evidence.Tests, "runs", "run") + " some of this code, and " + prose.Noun(m.Evidence.Tests, "passes ", "pass ") + second + "."))
	}
	inputs := ""
	if n := m.Evidence.Execs - m.Evidence.Driven; n > 0 {
		inputs = prose.Count(n) + " fuzzing " + prose.Noun(int(min(n, 2)), "input", "inputs")
	}
	return claimOf(m, inputs, second)
}

// runLike reports whether all tests that a claim about a names run b, too.
func runLike(a, b *results.Mutant) bool {
	return !slices.ContainsFunc(a.Evidence.By[:min(len(a.Evidence.By), maxRunners)], func(test string) bool { return !slices.Contains(b.Evidence.By, test) })
}

// sameClaim says what held whenever tests came to m: the value of a variable, or both or neither of two conditions. It
// is empty if that is not known.
func sameClaim(m *results.Mutant) prose.Text {
	switch variable, zero := fact.NeverSet(m); {
	case variable != "":
		return prose.Say("There %s is %s every time.", variable, zero)
	case fact.BothAlways(m) == "both":
		return prose.Say("There both conditions hold every time.")
	case fact.BothAlways(m) == "neither":
		return prose.Say("Neither condition ever holds there.")
	}
	return nil
}

// notSame asks for a test in which what sameClaim says does not hold.
func notSame(m *results.Mutant) prose.Text {
	if variable, _ := fact.NeverSet(m); variable != "" {
		return prose.Say("A test in which %s is something else would notice.", variable)
	}
	return prose.Say("A test in which only one of them holds would notice.")
}

// claimOf returns the claim about m. inputs names the fuzzing inputs that run it, or is empty.
func claimOf(m *results.Mutant, inputs, second string) prose.Text {
	none := "No test runs this code."
	if m.Evidence.Program {
		none = "No Go test is seen to run this code."
	}
	switch n := m.Evidence.Tests; {
	case n == 0 && inputs == "" && fact.Unrun(m):
		return prose.Say(none)
	case n == 0 && inputs == "":
		return prose.Say("This code runs, and nothing fails " + second + ".")
	case n == 0:
		return prose.Say(none + " On " + inputs + " nothing fails " + second + ".")
	case inputs == "":
		return runners(m).And(prose.Say(prose.Noun(n, "runs", "run") + " this code, and " + prose.Noun(n, "passes ", "pass ") + second + "."))
	default:
		return runners(m).And(prose.Say(prose.Noun(n, "runs", "run") + " this code, and " + prose.Noun(n, "passes ", "pass ") + second + ", also on " + inputs + "."))
	}
}

// blindTests says which of the tests named in a claim about m check no result; empty: none is known to.
func blindTests(m *results.Mutant) prose.Text {
	var blind []string
	for i, test := range m.Evidence.By[:min(len(m.Evidence.By), maxRunners)] {
		if slices.Contains(m.Evidence.Blind, test) {
			blind = append(blind, testNames(m.Evidence.By)[i])
		}
	}
	if len(blind) == 0 {
		return nil
	}
	return prose.Listed(blind, len(blind), "test", "tests").And(prose.Say(prose.Noun(len(blind), "checks", "check") + " no result: only a panic or a hang makes " + prose.Noun(len(blind), "it", "them") + " fail."))
}

// quarantinedTests names the tests of FailingTests; empty: there are none.
func quarantinedTests(m *results.Mutant) prose.Text {
	list, others, _ := strings.Cut(fact.FailingTests(m), " and ")
	if list == "" {
		return nil
	}
	names := strings.Split(list, ", ")
	more, _ := strconv.Atoi(strings.TrimSuffix(others, " more")) // 0 if there are none
	n := len(names) + max(more, 0)
	return prose.Listed(names[:min(len(names), maxRunners)], n, "test", "tests").And(prose.Say(prose.Noun(n, "does", "do") + " not pass here in every run, even without any edit, so " + prose.Noun(n, "it does", "they do") + " not count."))
}

// maxRunners is how many tests a claim names.
const maxRunners = 3

// runners names tests that ran the mutated code, and counts the others. It marks those that the change adds or alters:
// their authors want them to notice the change.
func runners(m *results.Mutant) prose.Text {
	n := m.Evidence.Tests
	var items []prose.Text
	for i, name := range testNames(m.Evidence.By) {
		if name != "" && len(items) < min(maxRunners, n) {
			items = append(items, prose.Say("%s"+remarkOn(m.Evidence.By[i], m), name))
		}
	}
	if len(items) == 0 {
		return prose.Say(prose.Plural(n, "test", "tests"))
	}
	return prose.ListOf(items, n, "test", "tests")
}

// remarkOn returns what the change does to a test that ran m, in brackets; empty: nothing.
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

// testNames returns the names of tests, with the last part of the import path where several have the same name. A name
// is "" if it cannot be told.
func testNames(tests []string) []string {
	count := map[string]int{}
	for _, test := range tests {
		count[fact.Local(test)]++
	}
	names := make([]string, len(tests))
	for i, test := range tests {
		if names[i] = fact.Local(test); names[i] != "" && count[names[i]] > 1 {
			names[i] = path.Base(test)
		}
	}
	return names
}

// ask returns the next step: what a test would have to bring about to notice the edits. If no input is known for any
// edit, the step is for the first one, as far as it is known.
func ask(f finding.Finding) prose.Text {
	known := slices.ContainsFunc(f.All(), func(m *results.Mutant) bool { return fact.Example(m) != nil })
	switch {
	case f.Fix:
		return askFix(f)
	case fact.Wraps(f.Mutant) != "":
		return prose.Say("A test that asks for it, with %s, would notice.", "errors.Is(err, "+fact.Wraps(f.Mutant)+")")
	case !known && edit.OnlyOnce(f.Mutant):
		return prose.Say("A test in which a later iteration makes a difference would notice.")
	case !known && edit.LeavesLoop(f.Mutant):
		return prose.Say("A test in which the loop has more to do after this %s would notice.", "continue")
	case !known && f.Never() != nil:
		return prose.Say("A test in which it is " + fact.Unseen(f.Mutant) + " would run this code.")
	case !known && fact.Unseen(f.Mutant) != "" && len(f.Also) == 0:
		operand, value := missing(f.Mutant)
		return prose.Say("A test in which %s is "+value+" would notice.", prose.Inline(edit.ShortCondition(operand, maxInHeadline)))
	case len(f.Also) > 0: // what a test needs to notice all of them is not known
		return nil
	case !known && f.Mutant.Evidence.Tests > 0 && sameClaim(f.Mutant) != nil:
		return notSame(f.Mutant)
	case known && f.Kind == finding.Behaviour && f.Mutant.ExposedBy.Ends == "" && !f.Mutant.ExposedBy.InTest:
		return prose.Say("If the new result is meant, a test should say so.")
	}
	return nil
}

func isTarget(r *results.Results, harness string) bool {
	for i := range r.Harnesses {
		if h := &r.Harnesses[i]; h.Name == harness {
			return h.Kind == results.HarnessTarget
		}
	}
	return false
}
