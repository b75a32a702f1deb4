package finding

import (
	"slices"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// maxCovering is how many new entries that only add coverage are worth committing.
const maxCovering = 20

// Worthwhile returns the new corpus entries that are worth committing, the most useful first: entries that kill
// mutants, so that go test notices these; entries that expose mutants; crashes that the change may have introduced; and
// at most maxCovering of those that only add coverage. Entries of generated drivers have no place in the repository.
// Entries on which the program fails without the change being at fault are left out, because they would make go test
// fail.
func Worthwhile(r *results.Results) []*results.Entry {
	rank := func(e *results.Entry) int {
		switch {
		case slices.Contains(e.Reasons, results.EntryKills):
			return 0
		case slices.Contains(e.Reasons, results.EntryExposes):
			return 1
		case slices.Contains(e.Reasons, results.EntryCrash):
			return 2
		default:
			return 3
		}
	}
	var ranked []*results.Entry
	useful := 0
	for i := range r.Corpus.New {
		e := &r.Corpus.New[i]
		if e.Path == "" || failsAnyway(r, e) {
			continue
		}
		ranked = append(ranked, e)
		if rank(e) < 3 {
			useful++
		}
	}
	slices.SortStableFunc(ranked, func(a, b *results.Entry) int { return rank(a) - rank(b) })
	return ranked[:min(len(ranked), useful+maxCovering)]
}

// failsAnyway reports whether the program fails on an entry without that being a bug of the change: the base may fail,
// too.
func failsAnyway(r *results.Results, e *results.Entry) bool {
	return slices.Contains(e.Reasons, results.EntryCrash) && !slices.ContainsFunc(crashesOn(r, e), func(f Finding) bool { return f.Kind == Bug })
}

// crashesOn returns the findings about failures on an entry.
func crashesOn(r *results.Results, e *results.Entry) (found []Finding) {
	for i := range r.Crashes {
		if c := &r.Crashes[i]; c.Entry == e.ID && c.Harness == e.Harness {
			found = append(found, crashFinding(r, c))
		}
	}
	return found
}

// onlyCovers reports whether an entry adds coverage and nothing else.
func onlyCovers(e *results.Entry) bool {
	return !slices.ContainsFunc(e.Reasons, func(reason string) bool { return reason != results.EntryCovers })
}

// concerns reports whether an entry shows something about the code that the change touches: a failure, or a mutant of
// that code.
func (k ranking) concerns(e *results.Entry) bool {
	if len(e.Mutants) == 0 {
		return true
	}
	for _, list := range k.mutants {
		if slices.ContainsFunc(list, func(m *results.Mutant) bool { return slices.Contains(e.Mutants, m.ID) && k.changed(m) }) {
			return true
		}
	}
	return false
}

// OfChange returns those of some entries that show something of the change: more than new coverage, in code that it
// touches.
func OfChange(r *results.Results, list []*results.Entry) []*results.Entry {
	rank := newRanking(r)
	return slices.DeleteFunc(slices.Clone(list), func(e *results.Entry) bool { return onlyCovers(e) || !rank.concerns(e) })
}
