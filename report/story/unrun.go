package story

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/fact"
	"github.com/mutantfuzz/mutantfuzz/report/finding"
	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// unrunStory is the story of code that nothing runs.
func unrunStory(r *results.Results, f finding.Finding) Story {
	parts := f.UnrunParts(r)
	s := Story{
		Label: label(f), Title: unrunTitle(r, f, parts), Place: unrunPlace(f, parts), Code: drawParts(parts), Edit: linesOfParts(parts),
		Claim: otherNames(parts).And(uncalled(parts)),
	}
	if allUncalled(parts) {
		s.Claim = prose.Say("Neither code nor tests call it. Either it is left over, or a call is missing.")
	}
	list := slices.DeleteFunc(f.All(), func(m *results.Mutant) bool { // a function that nothing calls needs a call, not a test
		return slices.ContainsFunc(parts, func(p finding.UnrunPart) bool { return p.Uncalled && p.Mutants[0].Function == m.Function })
	})
	list = finding.Ways(list)
	tests := testsFor(withoutShortcuts(list))
	if !slices.ContainsFunc(tests, func(x *results.ExposedBy) bool { return !fact.GivesNothing(x) }) {
		tests = nil // code that does nothing would pass them
	}
	s.Test, s.About = testOf(tests, runsOf(list, tests, len(parts)))
	for _, m := range list {
		if row := rowOf(r, f, m); row.Input != "" && row.Now != returns && fact.SaysSomething(row.Now) && (s.Test == "" || fact.Illustrates(m) && len(m.ExposedBy.Setup) < 2) { // else the test says more
			s.Witness = prose.Say("For example, %s gives %s.", row.Input, row.Now)
			break
		}
	}
	if s.Test == "" {
		s.Ask = noticedBeside(r, f)
	}
	s.Asserts = prose.Say("It expects the current result; please check that this is what you want.")
	if strings.Count(s.Test, "func Test") > 1 {
		s.Asserts = prose.Say("They expect the current results; please check that these are what you want.")
	}
	return s
}

// withoutShortcuts returns the mutants of a list without those that only a call of an unexported function shows, if calls
// that other packages can make show others: a test had better take the way of a caller, with what callers pass.
func withoutShortcuts(list []*results.Mutant) []*results.Mutant {
	isPublic := func(m *results.Mutant) bool { return fact.Example(m) != nil && !m.ExposedBy.Inner }
	if !slices.ContainsFunc(list, isPublic) {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(m *results.Mutant) bool { return !isPublic(m) })
}

// runsOf says whether tests run all, one or some of the functions that a finding is about. functions is their number,
// and tests are those of mutants in list.
func runsOf(list []*results.Mutant, tests []*results.ExposedBy, functions int) verb {
	run := map[string]bool{}
	for _, m := range list {
		if slices.ContainsFunc(tests, func(x *results.ExposedBy) bool { return fact.Statements(x) == fact.Statements(m.ExposedBy) }) {
			run[m.Function] = true
		}
	}
	switch {
	case functions == 1:
		return verb{"runs it", "run it"}
	case len(run) == functions:
		return verb{"runs them", "run them"}
	case len(run) == 1:
		return verb{"runs one of them", "run one of them"}
	}
	return verb{"runs some of them", "run some of them"}
}

// maxUnrun is how many functions a title names.
const maxUnrun = 3

// unrunTitle names the functions that nothing runs, and the lines of functions that run in part. If these lines are
// shown below, it calls them a part of the function. If it names functions that are all new, it says so.
func unrunTitle(r *results.Results, f finding.Finding, parts []finding.UnrunPart) prose.Text {
	if allUncalled(parts) {
		return prose.Say("nothing calls").And(prose.ListOf(namesOf(parts), len(parts), "function", "functions"))
	}
	if cases := casesOf(parts); len(cases) > 0 {
		return prose.Say(nothingThat(r, f) + " gets to").And(anyOf(cases))
	}
	var items []prose.Text
	this := "this part of %s"
	for _, p := range parts[:min(len(parts), maxUnrun)] {
		switch {
		case !p.Runs:
			items = append(items, prose.Say("%s", p.Name))
		case len(p.Code) == 0:
			items = append(items, prose.Say(linesOf(p.Mutants)+" of %s", p.Name))
		default:
			items = append(items, prose.Say(this, p.Name))
			this = "of %s"
		}
	}
	one, many := "function", "functions"
	others := len(parts) - len(items)
	inPart := slices.ContainsFunc(parts[len(items):], func(p finding.UnrunPart) bool { return p.Runs })
	switch {
	case inPart && parts[len(items)].Runs: // so do all behind it
		items = append(items, prose.Say(prose.Noun(others, "a part of ", "parts of ")+prose.Plural(others, "more function", "more functions")))
		parts = parts[:len(items)]
	case inPart:
		one, many = "function, or a part of it", "functions, or parts of them"
	}
	runs := " runs"
	if len(items) == len(parts) && !slices.ContainsFunc(parts, func(p finding.UnrunPart) bool { return p.Runs || !isNew(r, p) }) {
		runs += " the new"
	}
	return prose.Say(nothingThat(r, f) + runs).And(prose.ListOf(items, len(parts), one, many))
}

// isNew reports whether the change adds the function of p.
func isNew(r *results.Results, p finding.UnrunPart) bool {
	return slices.ContainsFunc(r.Scope, func(f results.Function) bool { return f.ID == p.Mutants[0].Function && f.Reason == results.ReasonAdded })
}

// nothingThat begins a sentence about what runs the code of f.
func nothingThat(r *results.Results, f finding.Finding) string {
	switch {
	case slices.ContainsFunc(f.All(), ownOnly):
		return noTest(f)
	case slices.ContainsFunc(r.Harnesses, func(h results.Harness) bool { return h.Kind == results.HarnessTarget }):
		return "no test or fuzz target"
	}
	return "no test"
}

// casesOf names the case clauses that parts are made of, if they are few; empty: there is other code.
func casesOf(parts []finding.UnrunPart) (items []prose.Text) {
	for _, p := range parts {
		var heads []prose.Text
		for _, c := range p.Code {
			cases := edit.Cases(c)
			if len(cases) == 0 {
				return nil
			}
			for _, head := range cases {
				heads = append(heads, prose.Say("%s", prose.Shorten(head, maxInHeadline)))
			}
		}
		if !p.Runs || len(heads) == 0 || len(heads) > maxUnrun || len(heads) > 1 && len(parts) > 1 {
			return nil
		}
		items = append(items, anyOf(heads).And(prose.Say("of %s", p.Name)))
	}
	if len(items) > maxUnrun {
		return nil
	}
	return items
}

// anyOf joins items by commas, and the last one by "or".
func anyOf(items []prose.Text) (p prose.Text) {
	for i, item := range items {
		switch {
		case i == 0:
		case i == len(items)-1:
			p = p.Plus(" or")
		default:
			p = p.Plus(",")
		}
		p = p.And(item)
	}
	return p
}

// otherNames names the functions for which the title has no room, as many as a list has; empty: there are none.
func otherNames(parts []finding.UnrunPart) prose.Text {
	others := parts[min(len(parts), maxUnrun):]
	if len(others) == 0 {
		return nil
	}
	var items []prose.Text
	for _, p := range others[:min(len(others), maxListed)] {
		part := ""
		if p.Runs {
			part = "a part of "
		}
		items = append(items, prose.Say(part+"%s", p.Name))
	}
	return prose.Say(prose.Noun(len(others), "The other one is", "The others are")).And(prose.ListOf(items, len(others), "function", "functions")).Plus(".")
}

// namesOf returns the names of the first functions, as many as a title has.
func namesOf(parts []finding.UnrunPart) (items []prose.Text) {
	for _, p := range parts[:min(len(parts), maxUnrun)] {
		items = append(items, prose.Say("%s", p.Name))
	}
	return items
}

// allUncalled reports whether nothing calls any of the functions.
func allUncalled(parts []finding.UnrunPart) bool {
	return !slices.ContainsFunc(parts, func(p finding.UnrunPart) bool { return !p.Uncalled })
}

// uncalled names the functions that nothing calls, not even tests; empty: there are none.
func uncalled(parts []finding.UnrunPart) prose.Text {
	list := slices.DeleteFunc(slices.Clone(parts), func(p finding.UnrunPart) bool { return !p.Uncalled })
	if len(list) == 0 {
		return nil
	}
	return prose.Say("Nothing calls").And(prose.ListOf(namesOf(list), len(list), "function", "functions")).Plus(".")
}

// unrunPlace returns the lines of the first function of f, and the places of the others that the title names.
func unrunPlace(f finding.Finding, parts []finding.UnrunPart) string {
	first, last := f.Lines()
	var code []results.Code // of the first function
	for _, p := range parts {
		if p.Mutants[0].Function == f.Mutant.Function {
			code = p.Code
		}
	}
	where := edit.Place(f.Mutant)
	switch {
	case len(code) > 0 && len(code) <= maxUnrun:
		where = f.Mutant.File + ":" + edit.Ranges(code)
	case len(code) > 0:
		where = fmt.Sprintf("%s:%d–%d", f.Mutant.File, min(first, code[0].StartLine), max(last, code[len(code)-1].EndLine))
	case first < last:
		where = fmt.Sprintf("%s:%d–%d", f.Mutant.File, first, last)
	}
	for _, p := range parts[:min(len(parts), maxUnrun)] {
		switch m := p.Mutants[0]; {
		case m.Function == f.Mutant.Function:
		case m.File == f.Mutant.File:
			where += ", " + firstUnrun(p)
		default:
			where += ", " + m.File + ":" + firstUnrun(p)
		}
	}
	return where
}

// firstUnrun returns the first line of p that nothing runs.
func firstUnrun(p finding.UnrunPart) string {
	if len(p.Code) > 0 {
		return prose.Exact(p.Code[0].StartLine)
	}
	return prose.Exact(p.Mutants[0].Line)
}

// linesOfParts returns the lines of the code that the title calls a part of a function.
func linesOfParts(parts []finding.UnrunPart) (p prose.Text) {
	parts = drawnParts(parts)
	for i, part := range parts {
		if i > 0 {
			p = p.Plus(";")
		}
		p = p.And(prose.Say(edit.LineNumbers(part.Code...)))
		if len(parts) > 1 {
			p = p.And(prose.Say("of %s", part.Name))
		}
	}
	return p
}

// drawnParts returns the parts whose code is shown.
func drawnParts(parts []finding.UnrunPart) []finding.UnrunPart {
	return slices.DeleteFunc(slices.Clone(parts[:min(len(parts), maxUnrun)]), func(p finding.UnrunPart) bool { return len(p.Code) == 0 })
}

// maxDrawn is about how many lines of code that nothing runs are shown.
const maxDrawn = 8

// maxDrawnName is how many runes of the name of a function stand above its code.
const maxDrawnName = 70

// drawParts returns the first lines of the code that nothing runs, about as many of each function; empty: there are
// none.
func drawParts(parts []finding.UnrunPart) string {
	parts = drawnParts(parts)
	var all []string
	room := maxDrawn
	for i, p := range parts {
		name, share := "", room/(len(parts)-i)
		if len(parts) > 1 {
			name = prose.OneLine(p.Name, maxDrawnName)
		}
		all = append(all, edit.Excerpt(name, p.Code, share))
		room -= min(share, edit.LinesIn(p.Code))
	}
	return strings.Join(all, "\n\n")
}
