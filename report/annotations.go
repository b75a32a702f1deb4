package report

import (
	"github.com/mutantfuzz/mutantfuzz/report/finding"
	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
	"github.com/mutantfuzz/mutantfuzz/report/story"
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
		one := story.Of(r, f)
		details := one.Claim.And(one.Mends)
		if f.Crash == nil { // the title of a crash has the input
			details = details.And(one.Witness)
		}
		message := one.Title.Explained(editsOnLine(one))
		if details = details.And(one.Ask); len(details) > 0 {
			message = message.And(prose.Say("\u2014")).And(details)
		}
		a := Annotation{Title: "mutantfuzz: " + one.Label, Message: message.Plain("", "")}
		var known bool
		if a.File, a.Line, a.EndLine, known = f.At(r); known {
			list = append(list, a)
		}
	}
	return list
}

// editsOnLine returns the edits of s on one line, because annotations have no room for a diff or a table.
func editsOnLine(s story.Story) prose.Text {
	if len(s.Rows) == 0 {
		return s.Edit
	}
	var p prose.Text
	for i, one := range s.Rows {
		if i > 0 {
			p = p.Plus(";")
		}
		p = p.And(one.Place().And(one.Edit))
	}
	return p
}
