package report

import (
	"slices"

	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

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

// entryLine says where a new entry goes, what its arguments are, and what it is good for.
func entryLine(r *results.Results, e *results.Entry) prose.Text {
	line := prose.Say("%s: %s", e.Path, argumentsOf(e))
	switch {
	case len(e.Mutants) > 0 && slices.Contains(e.Reasons, results.EntryKills):
		return append(line, prose.Say("; with this input, %s fails for", local(e.Harness))...).And(editsOf(r, e, " of the edits"))
	case len(e.Mutants) > 0:
		return line.And(prose.Say("gives another result with")).And(editsOf(r, e, prose.Noun(len(e.Mutants), " edit", " edits")))
	case slices.ContainsFunc(r.Crashes, func(c results.Crash) bool { return c.Entry == e.ID && c.Harness == e.Harness }):
		return line.And(prose.Say("makes the program fail"))
	default:
		return line.And(prose.Say("reaches new code"))
	}
}

// editsOf counts the mutants that an entry kills or exposes. edits follows their number if they are of one function.
func editsOf(r *results.Results, e *results.Entry, edits string) prose.Text {
	if f := commonFunction(r, e.Mutants); f != "" {
		return prose.Say(prose.Exact(len(e.Mutants))+edits+" of %s", functionName(r, f))
	}
	return prose.Say(prose.Plural(len(e.Mutants), "edit", "edits"))
}

// commonFunction returns the function that all these mutants are in, or "".
func commonFunction(r *results.Results, ids []string) string {
	wanted := make(map[string]bool, len(ids))
	for _, id := range ids {
		wanted[id] = true
	}
	function := ""
	for i := range r.Mutants {
		m := &r.Mutants[i]
		if !wanted[m.ID] {
			continue
		}
		if function != "" && function != m.Function {
			return ""
		}
		function = m.Function
	}
	return function
}
