package report

import "github.com/mutantfuzz/mutantfuzz/report/results"

// Annotation is a finding at its line, for what shows them beside the source.
type Annotation struct {
	File          string // as the results name it: any text
	Line, EndLine int    // from 1
	Title         string // one line, fit to be printed
	Message       string // likewise
}

// Annotations returns the open findings of s, a selection of r, that have a place in the source.
func Annotations(r *results.Results, s *Selection) []Annotation {
	var list []Annotation
	for _, f := range s.Open {
		one := storyOf(r, f).once(new(bool))
		message := one.title.explained(one.edits()).and(say("\u2014")).and(one.claim).and(one.mends)
		if f.Crash == nil { // its title has the input
			message = message.and(one.witness)
		}
		a := Annotation{Title: "mutantfuzz: " + one.label, Message: message.and(one.ask).plain("", "")}
		var known bool
		if a.File, a.Line, a.EndLine, known = f.at(r); known {
			list = append(list, a)
		}
	}
	return list
}

// edits are the edits of s on one line: no diff and no table fit beside the source.
func (s story) edits() prose {
	if len(s.rows) == 0 {
		return s.edit
	}
	var p prose
	for i, one := range s.rows {
		if i > 0 {
			p = append(p, span{";", false})
		}
		p = p.and(one.place().and(one.edit))
	}
	return p
}

// at is where f, a finding of r, is in the source: the lines of its mutants, the declaration of a test, or the
// line at fault. It may not be known.
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
