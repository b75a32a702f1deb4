// Package story puts findings into words: what is wrong, what ran the code and what came of it, an input that shows it, what
// to do, and the sentences around them. The words are the same for every format that they are rendered in.
package story

import (
	"cmp"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/fact"
	"github.com/mutantfuzz/mutantfuzz/report/finding"
	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Limits on single pieces of a story, so that none of them takes the room of the others.
const (
	maxDiffLines  = 30 // lines of a diff
	maxDrawnAbove = 8  // lines of a diff above a table of edits
	maxWholeLines = 16 // lines of all of the change to a function
	maxStackLines = 20
	maxListed     = 8 // edits, or functions, that are listed besides those shown
)

// Story is a finding in words, for all renderers.
type Story struct {
	Label   string     // the kind of finding
	Title   prose.Text // what is wrong, in a line
	Place   string     // where; empty: unknown
	Claim   prose.Text // what ran the code, and what came of it
	Mends   prose.Text // what undoing a part of the change does to a failure; empty: nothing, or not known
	Drawn   prose.Text // says what the diff shows: a part of the change, or an edit
	Code    string     // Go source that nothing runs; empty: the title or the diff says enough
	Change  []string   // lines of a diff; beside rows: of all of the change, or of a first edit too long for its row
	Edit    prose.Text // code or change on one line; empty: the title says it, or there is neither
	Rows    []Row      // the edits, if there are several, or if the diff shows all of the change
	Others  []Row      // edits without a row, as many as a list has
	More    int        // number of edits without a row
	Witness prose.Text // an input, and what comes of it; may be empty
	Ask     prose.Text // what the author should do about the behaviour; may be empty
	Next    prose.Text // what to do
	Test    string     // Go source of a test, or of a row for one; empty: there is none
	About   prose.Text // says what the test is, and where it belongs
	Asserts prose.Text // says what the test asserts
	Unfiled bool       // the artifact has the test in results.json alone, and not in the folder tests
	Stack   string     // of a crash
}

// partDrawn introduces the diff of a part of the change, from the base to the head.
var partDrawn = prose.Say("This part of the change:")

// Of returns the story of f, a finding of r.
func Of(r *results.Results, f finding.Finding) Story {
	s := of(r, f)
	s.Title, s.Claim = ofGoTests(r, s.Title), ofGoTests(r, s.Claim)
	return s
}

// ofGoTests makes a text that says what no test does say so of Go tests, if there are others.
func ofGoTests(r *results.Results, p prose.Text) prose.Text {
	if !r.Revisions.OtherTests {
		return p
	}
	return p.Reworded("no test", "no Go test").Reworded("No test", "No Go test")
}

func of(r *results.Results, f finding.Finding) Story {
	switch {
	case f.Crash != nil:
		return crashStory(r, f)
	case f.Old != nil:
		return oldStory(f)
	case f.Flaky != nil:
		return flakyStory(r, f)
	case f.Kind == finding.NotRun:
		return unrunStory(r, f)
	}
	return mutantStory(r, f.Distinct())
}

// mutantStory is the story of a finding about mutants of code that runs. A change of behaviour that an input shows is
// told alone: its author recognises it by its lines. So is a long branch that no test takes. Other edits are only listed.
func mutantStory(r *results.Results, f finding.Finding) Story {
	if len(f.Also) > 0 && (f.Kind == finding.Behaviour && fact.Example(f.Mutant) != nil || f.BeginsUntaken()) {
		alone := f
		alone.Also = nil
		s := mutantStory(r, alone)
		s.Title, s.Place = title(r, f), f.Place()
		s.list(r, f, 1)
		return s
	}
	m := f.Mutant
	c := edit.Of(m)
	s := Story{
		Label: label(f), Title: title(r, f), Place: f.Place(),
		Claim: claim(f, second(f)), Ask: ask(r, f),
		Next: prose.Say("%s has the whole story.", "mutantfuzz explain "+prose.ShellWord(m.ID)),
	}
	s.tellTests(r, f)
	s.Claim = s.Claim.And(blindTests(m)).And(quarantinedTests(m)).And(notRunAtAll(r, f))
	whole := f.WholeTold(r)
	if whole != nil {
		s.Claim = prose.Say("With all of the change to %s undone, "+noTest(finding.Finding{Mutant: whole})+" fails.", fact.FunctionName(r, m.Function)).And(s.Claim).And(unrunIn(r, whole))
	}
	if !m.Verified {
		s.Claim = s.Claim.And(prose.Say("This was not confirmed with plain %s.", "go test"))
	}
	tests := testsFor(f.All())
	if !slices.ContainsFunc(f.All(), func(o *results.Mutant) bool {
		return o.Function == m.Function && o.ExposedBy != nil && fact.SuggestedTest(o.ExposedBy) != ""
	}) {
		tests = nil // none is about what the title says
	}
	s.Test, s.About = testOf(tests, whatIsNoticed(f.All(), tests))
	switch {
	case whole != nil && f.Never() == nil:
		s.Drawn, s.Change = prose.Say("All of the change to %s:", fact.FunctionName(r, m.Function)), firstLines(edit.Of(whole).Reversed())
		s.tabulate(r, f)
	case len(f.Also) > 0:
		s.tabulate(r, f)
	default:
		s.draw(r, f, c)
	}
	s.Witness = s.Witness.And(before(f, slices.ContainsFunc(s.Rows, func(one Row) bool { return one.Input != "" })))
	if len(s.Ask) == 0 && f.Kind == finding.Gap {
		s.Ask = noticedBeside(r, f)
	}
	switch {
	case s.Test == "":
		s.Ask = s.Ask.And(needed(r, f, s.showsCall()))
	case len(f.Also) > 0: // the description of the test says enough
		s.Ask = noticedBeside(r, f)
		if slices.ContainsFunc(s.Rows, func(one Row) bool { return one.Input != "" }) { // a sentence about a call names the test
			s.Ask = s.Ask.And(calledIn(f))
		}
	}
	s.Asserts = asserts(r, f, s.Test)
	return s
}

// showsCall reports whether s has a call that shows a difference.
func (s *Story) showsCall() bool {
	return len(s.Witness) > 0 || slices.ContainsFunc(s.Rows, func(one Row) bool { return one.Input != "" })
}

// tabulate gives s the edits of f as rows. If the first one undoes a part of the change and its row has no room for
// that, a short diff of the part stands above the rows.
func (s *Story) tabulate(r *results.Results, f finding.Finding) {
	if m := f.Mutant; len(s.Change) == 0 && edit.IsReversal(m) && (edit.Of(m).Size() > 2 || !edit.Summary(m).Quotes()) {
		s.drawAbove(m, f.Fix)
	}
	for _, one := range f.All()[:min(1+len(f.Also), finding.MaxRows)] {
		s.Rows = append(s.Rows, rowOf(r, f, one))
	}
	s.tellOnlyInput()
	if f.Fix && len(s.Witness) == 0 {
		s.Witness = failureWithout(f)
	}
	s.list(r, f, len(s.Rows))
}

// failureWithout says what fails without a fix, if generated arguments show that; empty: they do not.
func failureWithout(f finding.Finding) prose.Text {
	for _, m := range f.All() {
		if m.Exposed() && m.ExposedBy != nil && m.ExposedBy.Ends != "" {
			if p := unwritten(m, "without this fix"); len(p) > 0 {
				return p
			}
		}
	}
	return nil
}

// tellOnlyInput tells the input of the only row that has one in a sentence: a table of two rows or three would be empty
// but for it.
func (s *Story) tellOnlyInput() {
	only := -1
	for i, one := range s.Rows {
		if one.Input == "" {
			continue
		}
		if only >= 0 {
			return
		}
		only = i
	}
	if only < 0 || len(s.Rows) == 1 || s.Rows[only].Now == "" && s.Rows[only].With == "" {
		return
	}
	one := &s.Rows[only]
	s.Witness = one.outcomes("with the edit of line "+prose.Exact(one.line), ".")
	one.Input, one.Now, one.With = "", "", ""
}

// drawAbove gives s the diff of the part of the change that m undoes, to stand above the rows, if it is short. A longer one
// is cut, if it may be.
func (s *Story) drawAbove(m *results.Mutant, mayCut bool) {
	c := edit.Of(m).Reversed()
	lines := c.Lines(maxDiffLines)
	switch {
	case len(lines) <= maxDrawnAbove:
		s.Drawn, s.Change = partDrawn, lines
	case mayCut:
		s.Drawn, s.Change = partDrawn, firstLines(c)
	}
}

// firstLines returns the first lines of a long diff as they are: folded here and there, nobody could read them.
func firstLines(c edit.Change) []string {
	lines := c.Lines(math.MaxInt)
	if more := len(lines) - maxWholeLines; more > 1 {
		return append(slices.Clip(lines[:maxWholeLines]), " … "+prose.Plural(more, "more line", "more lines"))
	}
	return lines
}

// list gives s the edits of f after the first n. Only those among the first MaxRows have inputs, and only short ones.
func (s *Story) list(r *results.Results, f finding.Finding, n int) {
	told := rowOf(r, f, f.Mutant).Input
	for i, one := range f.All()[n:min(1+len(f.Also), n+maxListed)] {
		other := rowOf(r, f, one)
		if n+i >= finding.MaxRows || utf8.RuneCountInString(other.Input) > maxCall || other.Input == told {
			other.Input = ""
		}
		s.Others = append(s.Others, other)
	}
	s.More = 1 + len(f.Also) - n
}

// draw gives s the diff c of the only edit of f, and the input that shows it. If no run takes the branch that the edit
// is about, s gets the code of that branch instead.
func (s *Story) draw(r *results.Results, f finding.Finding, c edit.Change) {
	m := f.Mutant
	if code := f.Never(); code != nil {
		s.Code, s.Edit = edit.Excerpt("", []results.Code{*code}, maxDrawn), prose.Say(edit.LineNumbers(*code))
		return
	}
	s.Drawn, s.Change = prose.Say("This edit:"), c.Lines(maxDiffLines)
	switch {
	case edit.IsReversal(m): // from base to head, as its author knows it
		s.Drawn, s.Change = partDrawn, c.Reversed().Lines(maxDiffLines)
	default:
		s.Change = edit.Drawn(m, maxDiffLines)
	}
	if edit.IsReversal(m) || fact.NeverFalse(m) || len(s.Change) == 0 {
		s.Edit = edit.Summary(m)
	}
	if row := rowOf(r, f, m); row.Now != "" || row.With != "" {
		s.Witness = row.outcomes(withWhat(f), ".")
	} else {
		s.Witness = unwritten(m, withWhat(f))
	}
}

// unwritten says what comes of an input for which there is no short form, if its results say something by themselves.
// otherwise is a phrase such as "with this edit".
func unwritten(m *results.Mutant, otherwise string) prose.Text {
	x := m.ExposedBy
	if !m.Exposed() || x == nil || !x.Driver || x.Call != "" || x.OutOfMemory() || !fact.Tells(x) || fact.OnlyHidden(x) || siteCall(x) == x.Site {
		return nil
	}
	var one Row
	one.Input = cmp.Or(prose.Shorten(x.Partly, maxPartly), prose.Shorten(siteCall(x), maxCall))
	one.tell(x)
	with := prose.Say("With some generated arguments,")
	if names := unknownIn(x.Partly); len(names) > 0 {
		with = prose.Say("For some generated").And(prose.ListOf(names, len(names), "value", "values")).Plus(",")
	}
	return with.And(one.outcomes(otherwise, "."))
}
