// Package finding chooses what a review of results shows: which findings there are, which mutants each is about, and which
// of them are shown, in which order, after what earlier reviews have shown. It decides, and leaves the words to others.
package finding

import (
	"slices"

	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/fact"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Kind says what a finding is. Findings are shown in the order of their kinds.
type Kind int

// The kinds of findings.
const (
	Bug       Kind = iota // the program, or a test, fails because of the change, as far as is known
	Behaviour             // with a part of the change undone, the program gives another result for an input
	Gap                   // changed code can be altered, and no test fails
	NotRun                // no test or fuzz target runs code that the change adds or alters
	Note                  // anything else; it has no entry of its own
)

// String returns the name of k in results.json.
func (k Kind) String() string {
	return [...]string{results.FindingBug, results.FindingBehaviour, results.FindingGap, results.FindingNotRun, results.FindingNote}[k]
}

// Finding is one thing worth a look. It is a crash if Crash is set, a failing test if Old is, and flaky tests if Flaky
// is. Otherwise it is a group of survivors that one more test would notice.
type Finding struct {
	Kind   Kind
	Key    string // names the finding across pushes; does not depend on line numbers
	Crash  *results.Crash
	Old    *results.OldTest     // a test that fails in the form it had before the change; nil: another kind of finding
	Flaky  []*results.FlakyTest // tests of a package that the change adds and that fail in some runs; nil: another kind
	Lost   []*results.OldTest   // further tests like Old, in the same package, that seem to fail for the same reason
	Mutant *results.Mutant      // the mutant most likely to be acted on, or one that mends the failure; nil: none does
	Also   []*results.Mutant    // further mutants, in the order in which they are shown
	Fix    bool                 // Mutant undoes what a fix does to a function, and no test shows what it fixes
}

// AboutMutants reports whether f is about mutants that survive, not about what fails.
func (f Finding) AboutMutants() bool { return f.Crash == nil && f.Old == nil && f.Flaky == nil }

// All returns the mutants of f, the first one first; nil if there are none.
func (f Finding) All() []*results.Mutant {
	if f.Mutant == nil {
		return nil
	}
	return append([]*results.Mutant{f.Mutant}, f.Also...)
}

// MaxRows is how many edits of a finding have a row; the others are listed. It also bounds the tests of a finding.
const MaxRows = 3

// Findings returns what deserves an entry of its own in a review, most useful first. Crashes and failing tests that the
// change seems to bring come before groups of survivors that maintainers tend to act on. The first mutant of each group
// is confirmed by a rebuild.
//
// That findings are few is what made mutants in code review bearable at Google (Petrović, Ivanković et al.: Practical
// Mutation Testing at Scale, TSE 2021, sections 3 and 6).
func Findings(r *results.Results) []Finding { return findings(r, newRanking(r), nil) }

// findings does the work of Findings. No mutant with a dismissed key is the first of a finding about mutants, and no test
// with such a key is part of a finding.
func findings(r *results.Results, rank ranking, dismissed map[string]bool) []Finding {
	found := slices.DeleteFunc(failures(r, dismissed), func(f Finding) bool { return f.Kind == Note })
	return append(found, mutants(r, rank, func(m *results.Mutant) bool {
		return m.Verified && !(len(dismissed) > 0 && dismissed[mutantKey(m)])
	})...)
}

// possible returns the findings about mutants that there would be if all survivors were verified.
func possible(r *results.Results, rank ranking) []Finding {
	return mutants(r, rank, func(*results.Mutant) bool { return true })
}

// Candidates returns the first mutant of every finding about mutants that Findings would return if all survivors were
// verified, in the same order.
func Candidates(r *results.Results) []*results.Mutant {
	var candidates []*results.Mutant
	for _, f := range possible(r, newRanking(r)) {
		candidates = append(candidates, f.Mutant)
	}
	return candidates
}

// Witnesses returns the survivors whose inputs the first n findings about mutants show, in the order in which they are
// shown. It assumes that the first mutant of each finding is verified.
func Witnesses(r *results.Results, n int) (list []*results.Mutant) {
	found := possible(r, newRanking(r))
	for _, f := range found[:min(len(found), n)] {
		// Edits that share a call are one row. Each may get a smaller call later, and then a row of its own.
		lists := [][]*results.Mutant{f.All(), f.Distinct().All()}
		if f.Kind == NotRun {
			lists = [][]*results.Mutant{{f.Mutant}, Ways(f.All())}
		}
		for _, all := range lists {
			for _, m := range all[:min(len(all), MaxRows)] {
				if m.Exposed() && !slices.Contains(list, m) {
					list = append(list, m)
				}
			}
		}
	}
	return list
}

// mutantFinding returns the finding about m alone. why is the reason to show m.
func mutantFinding(m *results.Mutant, why reason) Finding {
	kind := Gap
	switch {
	case m.Stage == results.NotReached || why == newUnrun || why == newLine || why == simple:
		kind = NotRun
	case edit.IsReversal(m) && fact.Witness(m) != nil && !m.ExposedBy.AsBefore && !m.ExposedBy.NotOnBase && !fact.Hidden(m.ExposedBy):
		kind = Behaviour
	}
	return Finding{Kind: kind, Key: mutantKey(m), Mutant: m}
}
