package report

import (
	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Annotation is a finding at its line, for tools that show it beside the source.
type Annotation struct {
	File          string // as in the results: untrusted text
	Line, EndLine int    // from 1
	Title         string // one line, safe to print
	Message       string // one line, safe to print
}

// Annotations returns the open findings of s that have a place in the source. s is a selection of r.
func Annotations(r *results.Results, s *Selection) []Annotation {
	var list []Annotation
	for _, f := range s.Open {
		one := storyOf(r, f).once(new(bool))
		message := one.title.Explained(one.edits()).And(prose.Say("\u2014")).And(one.claim).And(one.mends)
		if f.Crash == nil { // the title of a crash has the input
			message = message.And(one.witness)
		}
		a := Annotation{Title: "mutantfuzz: " + one.label, Message: message.And(one.ask).Plain("", "")}
		var known bool
		if a.File, a.Line, a.EndLine, known = f.at(r); known {
			list = append(list, a)
		}
	}
	return list
}

// edits returns the edits of s on one line, because annotations have no room for a diff or a table.
func (s story) edits() prose.Text {
	if len(s.rows) == 0 {
		return s.edit
	}
	var p prose.Text
	for i, one := range s.rows {
		if i > 0 {
			p = p.Plus(";")
		}
		p = p.And(one.place().And(one.edit))
	}
	return p
}

// at returns the place of f in the source: the lines of its mutants, the declaration of its test, or the line at fault.
// known is false if there is no such place. f is a finding of r.
func (f Finding) at(r *results.Results) (file string, first, last int, known bool) {
	if f.Mutant != nil {
		first, last = f.lines()
		return f.Mutant.File, first, last, true
	}
	if f.Flaky != nil {
		return f.Flaky[0].File, f.Flaky[0].Line, f.Flaky[0].Line, true
	}
	if culprit, line := culpritOf(r, f.Crash); culprit != nil {
		return culprit.File, line, line, true
	}
	return "", 0, 0, false
}
