package finding

import (
	"cmp"
	"slices"

	"github.com/mutantfuzz/mutantfuzz/report/fact"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Listed is a finding in the list of all findings.
type Listed struct {
	Finding
	Why   string // says why it is a finding of its kind
	Shown bool   // a first review shows it
}

// List returns all findings of r: first those that a first review shows, in its order, then the rest. Every surviving
// mutant and every crash is in exactly one of them, crashes with the same key together.
func List(r *results.Results) []Listed {
	l := listing{rank: newRanking(r), known: map[*results.Mutant]bool{}}
	s := Select(r, nil, 0)
	for _, f := range s.Open {
		l.add(f, true)
	}
	for _, f := range slices.Concat(crashes(r), oldTests(r), flakyTests(r)) {
		if !slices.ContainsFunc(s.Open, func(open Finding) bool { return open.Key == f.Key }) {
			l.add(f, false)
		}
	}
	for _, f := range l.rest(r) {
		l.add(f, false)
	}
	return l.list
}

// listing is a list of all findings under construction.
type listing struct {
	rank  ranking
	known map[*results.Mutant]bool // the survivors that are already in list
	list  []Listed
}

// add adds a finding to the list, and marks its survivors as known.
func (l *listing) add(f Finding, shown bool) {
	l.list = append(l.list, Listed{f, l.rank.why(f), shown})
	for _, m := range f.All() {
		if m.Status == results.Survived {
			l.known[m] = true
		}
	}
}

// rest returns the survivors that are not in the list yet, as one note per function.
func (l *listing) rest(r *results.Results) (notes []Finding) {
	at := map[string]int{}
	for i := range r.Mutants {
		m := &r.Mutants[i]
		if m.Status != results.Survived || l.known[m] {
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
		all := notes[i].All()
		slices.SortStableFunc(all, func(a, b *results.Mutant) int {
			return cmp.Or(cmp.Compare(l.rank.reason(b).worth, l.rank.reason(a).worth), byPlace(a, b))
		})
		notes[i].Mutant, notes[i].Also = all[0], all[1:]
	}
	return notes
}

// why says why f is a finding of its kind.
func (k ranking) why(f Finding) string {
	switch {
	case f.Crash != nil:
		return crashWhy(f)
	case f.Old != nil:
		return "a test that the change " + fact.DoneTo(f.Old.Change) + " fails"
	case f.Flaky != nil:
		return "a test that the change adds fails in some runs"
	}
	return k.reason(f.Mutant).why
}

// crashWhy says why a crash is a finding of its kind.
func crashWhy(f Finding) string {
	switch {
	case f.Crash.Introduced == results.IntroducedNo:
		return "the base fails, too"
	case f.Crash.Introduced == results.IntroducedUnknown && f.Brought():
		return "the program fails, but not with a part of the change undone"
	case f.Crash.Introduced == results.IntroducedUnknown:
		return "the program fails; whether its base does is not known"
	}
	return "the program fails, and its base does not"
}

// Alone returns the finding about m, a survivor, and no other mutant. unworthy says why a review has no entry for it; "":
// it may have one.
func Alone(r *results.Results, m *results.Mutant) (f Finding, unworthy string) {
	why := newRanking(r).reason(m)
	if why.worth < worthShown {
		unworthy = why.why
	}
	return mutantFinding(m, why), unworthy
}
