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
		one := storyOf(r, f)
		a := Annotation{
			Title:   "mutantfuzz: " + one.label,
			Message: one.title.and(say("\u2014")).and(one.claim).and(one.witness).and(one.ask).plain("", ""),
		}
		switch culprit := culpritOf(r, f.Crash); {
		case f.Mutant != nil:
			a.File = f.Mutant.File
			a.Line, a.EndLine = f.lines()
		case culprit != nil:
			a.File, a.Line, a.EndLine = culprit.File, culprit.StartLine, culprit.StartLine
		default: // nobody knows its place
			continue
		}
		list = append(list, a)
	}
	return list
}
