package report

import (
	"cmp"
	"slices"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Describe returns the findings of r as results.json has them: first those that a first review shows, in its order,
// then the rest. Every surviving mutant and every crash is in exactly one finding.
func Describe(r *results.Results) []results.Finding {
	d := description{results: r, rank: newRanking(r), known: map[*results.Mutant]bool{}}
	s := Select(r, nil, 0)
	for i, f := range s.Open {
		one := d.describe(f)
		one.Shown, one.Rank = true, i+1
		d.list = append(d.list, one)
	}
	for _, f := range append(crashes(r), oldTests(r)...) {
		if !slices.ContainsFunc(s.Open, func(open Finding) bool { return open.Key == f.Key }) {
			d.list = append(d.list, d.describe(f))
		}
	}
	for _, f := range d.rest() {
		d.list = append(d.list, d.describe(f))
	}
	return d.list
}

// description is a list of findings under construction.
type description struct {
	results *results.Results
	rank    ranking
	known   map[*results.Mutant]bool // the survivors that are already in list
	list    []results.Finding
}

// rest returns the survivors that are not in the list yet, as one note per function.
func (d *description) rest() (notes []Finding) {
	at := map[string]int{}
	for i := range d.results.Mutants {
		m := &d.results.Mutants[i]
		if m.Status != results.Survived || d.known[m] {
			continue
		}
		if n, ok := at[m.Function]; ok {
			notes[n].Also = append(notes[n].Also, m)
			continue
		}
		at[m.Function] = len(notes)
		notes = append(notes, Finding{Kind: Note, Key: hash("note", m.Function), Mutant: m})
	}
	for i := range notes {
		all := notes[i].all()
		slices.SortStableFunc(all, func(a, b *results.Mutant) int {
			return cmp.Or(cmp.Compare(d.rank.reason(b).worth, d.rank.reason(a).worth), byPlace(a, b))
		})
		notes[i].Mutant, notes[i].Also = all[0], all[1:]
	}
	return notes
}

// describe returns f as results.json has it, and marks its survivors as known.
func (d *description) describe(f Finding) results.Finding {
	s := storyOf(d.results, f)
	one := results.Finding{ID: f.Key, Kind: f.Kind.String(), Title: s.title.Plain("`", "`"), Mutants: []string{}, Crashes: []string{}}
	switch {
	case f.Crash != nil:
		one.Why = crashWhy(f)
		for i := range d.results.Crashes {
			if c := &d.results.Crashes[i]; crashKey(c) == f.Key {
				one.Crashes = append(one.Crashes, c.Entry)
			}
		}
	case f.Old != nil:
		one.Why = "a test that the change " + doneTo[f.Old.Change] + " fails"
	case f.Flaky != nil:
		one.Why, one.File = "a test that the change adds fails in some runs", f.Flaky[0].File
		one.Line, one.EndLine = f.Flaky[0].Line, f.Flaky[0].Line
	default:
		one.Why = d.rank.reason(f.Mutant).why
	}
	if f.Mutant == nil {
		return one
	}
	one.Function, one.File = f.Mutant.Function, f.Mutant.File
	one.Line, one.EndLine = f.lines()
	for _, m := range f.all() {
		if m.Status == results.Survived {
			d.known[m] = true
			one.Mutants = append(one.Mutants, m.ID)
		}
	}
	return one
}

// crashWhy says why a crash is a finding of its kind.
func crashWhy(f Finding) string {
	switch {
	case f.Crash.Introduced == results.IntroducedNo:
		return "the base fails, too"
	case f.Crash.Introduced == results.IntroducedUnknown && f.brought():
		return "the program fails, but not with a part of the change undone"
	case f.Crash.Introduced == results.IntroducedUnknown:
		return "the program fails; whether its base does is not known"
	}
	return "the program fails, and its base does not"
}

// doneTo maps the change of a test to the verb for what the change under analysis does to it.
var doneTo = map[string]string{results.TestDeleted: "deletes", results.TestAltered: "alters", results.TestKept: "leaves as it is"}
