package report

import (
	"github.com/mutantfuzz/mutantfuzz/report/finding"
	"github.com/mutantfuzz/mutantfuzz/report/results"
	"github.com/mutantfuzz/mutantfuzz/report/story"
)

// Describe returns the findings of r as results.json has them: first those that a first review shows, in its order,
// then the rest. Every surviving mutant and every crash is in exactly one finding.
func Describe(r *results.Results) (list []results.Finding) {
	for i, one := range finding.List(r) {
		d := describe(r, one)
		if one.Shown {
			d.Shown, d.Rank = true, i+1
		}
		list = append(list, d)
	}
	return list
}

// describe returns a finding of r as results.json has it.
func describe(r *results.Results, f finding.Listed) results.Finding {
	s := story.Of(r, f.Finding)
	one := results.Finding{ID: f.Key, Kind: f.Kind.String(), Title: s.Title.Plain("`", "`"), Why: f.Why, Mutants: []string{}, Crashes: []string{}}
	for _, c := range f.Crashes(r) {
		one.Crashes = append(one.Crashes, c.Entry)
	}
	if f.Flaky != nil {
		one.File, one.Line, one.EndLine = f.Flaky[0].File, f.Flaky[0].Line, f.Flaky[0].Line
	}
	if f.Mutant == nil {
		return one
	}
	one.Function, one.File = f.Mutant.Function, f.Mutant.File
	one.Line, one.EndLine = f.Lines()
	for _, m := range f.All() {
		if m.Status == results.Survived {
			one.Mutants = append(one.Mutants, m.ID)
		}
	}
	return one
}
