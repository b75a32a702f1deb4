package report

import (
	"github.com/mutantfuzz/mutantfuzz/report/finding"
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
func Annotations(r *results.Results, s *finding.Selection) []Annotation {
	var list []Annotation
	for _, f := range s.Open {
		one := storyOf(r, f).once(new(bool))
		message := one.title.Explained(one.edits()).And(prose.Say("\u2014")).And(one.claim).And(one.mends)
		if f.Crash == nil { // the title of a crash has the input
			message = message.And(one.witness)
		}
		a := Annotation{Title: "mutantfuzz: " + one.label, Message: message.And(one.ask).Plain("", "")}
		var known bool
		if a.File, a.Line, a.EndLine, known = f.At(r); known {
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
