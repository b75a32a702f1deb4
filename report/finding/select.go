package finding

import (
	"cmp"
	"slices"

	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/fact"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// DefaultMaxFindings is the default limit for findings with an entry of their own.
const DefaultMaxFindings = 3

// MaxFindings is the upper limit for findings with an entry of their own, whatever an option says. More entries would
// not fit into a body together with their history.
const MaxFindings = 100

// Selection is what a review shows of some results.
type Selection struct {
	Open      []Finding         // with an entry each, in order
	Closed    []Shown           // findings of earlier pushes that are closed
	Folded    []*results.Mutant // the other survivors of what the change touches, by place
	Elsewhere []*results.Mutant // the other survivors of code that the change leaves as it was, by place, without those that a failing test may notice
	Undone    []*results.Mutant // survivors that undo a part of the change without a known effect, by place: often a rewording
	Doubtful  []*results.Mutant // survivors on changed lines that a test may notice, but that test also fails without them
	OnBase    []Finding         // failures that the base has, or may have, too
	History   History           // to be kept for the next push
}

// Empty reports whether there is nothing worth a review.
func (s *Selection) Empty() bool { return len(s.Open) == 0 && len(s.Closed) == 0 }

// Select chooses what to show of r: at most limit open findings, besides those that past keeps open. A limit of 0 means
// what the options of the run say, else DefaultMaxFindings; MaxFindings is the largest. Findings about mutants are only
// added while there are fewer than limit in all. If limit is at most DefaultMaxFindings, only the first finding may be
// one that is not evident.
//
// What past has shown stays, and is closed where it has been dealt with. After the first review, only failures and
// mutants of new code are added. If past is nil, this is the first review; it shows nothing if all findings are slight.
func Select(r *results.Results, past *History, limit int) Selection {
	if limit <= 0 {
		limit = cmp.Or(r.Options.MaxFindings, DefaultMaxFindings)
	}
	limit = min(limit, MaxFindings)
	past = past.bounded()
	first := len(past.Shown) == 0
	dismissed := past.dismissed(r)
	rank := newRanking(r)
	var current keyed
	if !first {
		current = index(r, rank, dismissed)
	}
	var s Selection
	shown, of := map[string]bool{}, current.owners(past)
	for _, p := range past.Shown {
		shown[p.Key] = true
		switch f, fate := current.fate(p); {
		case fate != Open:
			p.Fate = fate
			s.Closed = append(s.Closed, p)
		case f.AboutMutants() || !s.has(f): // else a finding shown before has its tests by now
			s.Open = append(s.Open, f.without(dismissed).among(of))
		}
	}
	s.Closed = latest(s.Closed)
	kept := len(s.Open)
	for _, f := range findings(r, rank, dismissed) { // the bugs come first
		room := limit
		if !f.AboutMutants() {
			room = min(kept+limit, MaxFindings)
		}
		if len(s.Open) >= room || len(s.Open) > 0 && limit <= DefaultMaxFindings && !f.evident() {
			break
		}
		if !shown[f.Key] && !s.has(f) && (first || !f.AboutMutants() || past.isNew(f.Key)) {
			s.Open = append(s.Open, f.without(dismissed))
		}
	}
	if first && !slices.ContainsFunc(s.Open, func(f Finding) bool { return !f.slight() }) {
		s.Open = nil
	}
	slices.SortStableFunc(s.Open, byKind)
	s.OnBase = slices.DeleteFunc(crashes(r), func(f Finding) bool { return f.Kind != Note || dismissed[f.Key] })
	s.fold(r, rank, dismissed)
	s.History = past.next(r, &s)
	return s
}

// slight reports whether f alone is no reason for a review: its edit only ends a loop early, and no input shows it.
func (f Finding) slight() bool {
	m := f.Mutant
	return f.AboutMutants() && f.Kind == Gap && !edit.IsReversal(m) && edit.OnlyOnce(m) &&
		!slices.ContainsFunc(f.All(), func(m *results.Mutant) bool { return fact.Example(m) != nil })
}

// Untold returns the folded survivors that tell a reader something new. It leaves out those on a line of which a
// finding shows an edit, and those run only by tests that check nothing, as a finding says.
func (s *Selection) Untold() []*results.Mutant {
	type place struct {
		file string
		line int
	}
	told := map[place]bool{}
	var blind []*results.Mutant // first mutants of findings about tests that check nothing: these cover what only those tests run
	for _, f := range s.Open {
		if f.AboutMutants() && f.Kind == Gap && f.Blind() {
			blind = append(blind, f.Mutant)
		}
		for _, m := range f.All() {
			if f.AboutMutants() && edit.LastLine(m) == m.Line {
				told[place{m.File, m.Line}] = true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(s.Folded), func(m *results.Mutant) bool {
		return edit.LastLine(m) == m.Line && told[place{m.File, m.Line}] || fact.OnlyBlind(m) && slices.ContainsFunc(blind, func(o *results.Mutant) bool {
			return slices.Equal(m.Evidence.Blind, o.Evidence.Blind)
		})
	})
}

// has reports whether an open finding covers f. Findings about tests do if they share one. Findings about mutants cover each other if both are about code that
// nothing runs, or if neither is and both are about the same function.
func (s *Selection) has(f Finding) bool {
	keys := f.testKeys()
	return slices.ContainsFunc(s.Open, func(open Finding) bool {
		if slices.ContainsFunc(open.testKeys(), func(key string) bool { return slices.Contains(keys, key) }) {
			return true
		}
		if !f.AboutMutants() || !open.AboutMutants() || (open.Kind == NotRun) != (f.Kind == NotRun) {
			return false
		}
		return f.Kind == NotRun || open.Mutant.Function == f.Mutant.Function
	})
}

// FlakyBeside returns the tests that the change adds, that fail in some runs, and that no finding of s has, be it open or
// dismissed: more serious ones may have taken all the room.
func (s *Selection) FlakyBeside(r *results.Results) (list []*results.FlakyTest) {
	known := map[string]bool{}
	for _, f := range s.Open {
		for _, key := range f.testKeys() {
			known[key] = true
		}
	}
	for _, p := range s.Closed {
		if p.Fate == Dismissed {
			for _, key := range append([]string{p.Key}, p.Also...) {
				known[key] = true
			}
		}
	}
	for _, f := range flakyTests(r) {
		for _, t := range f.Flaky {
			if !known[flakyKey(t)] {
				list = append(list, t)
			}
		}
	}
	return list
}

// asBefore reports whether m, which undoes a part of the change, gives the same on many inputs, or alters no state that
// its tests see.
func (k ranking) asBefore(m *results.Mutant) bool {
	return !m.Exposed() && (m.Evidence.Execs >= fuzzed || m.Evidence.Tests > 0 && k.reason(m) == unaltered)
}

// maxAlike bounds how many shown survivors each other one is compared with. Results come from anybody.
const maxAlike = 100

// fold sorts the survivors that have no entry of their own, are not dismissed, and that no test notices into the lists
// of s.
func (s *Selection) fold(r *results.Results, rank ranking, dismissed map[string]bool) {
	var shown []*results.Mutant
	for _, f := range s.Open {
		shown = append(shown, f.All()...)
		if whole := f.WholeTold(r); whole != nil {
			shown = append(shown, whole)
		}
	}
	shown = shown[:min(len(shown), maxAlike)]
	isShown := func(m *results.Mutant) bool {
		return slices.ContainsFunc(shown, func(k *results.Mutant) bool { return k == m || alikeToReaders(k, m) || toldWith(k, m) })
	}
	agree := map[string]bool{}
	for _, a := range Agreements(r) {
		agree[a.Function] = true
	}
	notRun := s.toldUnrun(r, rank)
	for i := range r.Mutants {
		switch m := &r.Mutants[i]; {
		case m.Status != results.Survived || isShown(m) || len(dismissed) > 0 && dismissed[mutantKey(m)]:
		case agree[m.Function] && edit.IsReversal(m), notRun(m): // the review says that already
		case m.Evidence.Seldom: // a test does notice it, if in few runs
		case m.Evidence.Failing && !m.Evidence.OwnOnly: // with OwnOnly, the review speaks of the package's own tests alone
			if rank.changed(m) {
				s.Doubtful = append(s.Doubtful, m)
			}
		case edit.IsReversal(m) && (rank.asBefore(m) || !rank.changed(m)):
			s.Undone = append(s.Undone, m)
		case rank.changed(m):
			s.Folded = append(s.Folded, m)
		default:
			s.Elsewhere = append(s.Elsewhere, m)
		}
	}
	slices.SortStableFunc(s.Folded, byPlace)
	slices.SortStableFunc(s.Elsewhere, byPlace)
	slices.SortStableFunc(s.Undone, byPlace)
}

// toldUnrun returns a function that reports whether a finding says that nothing runs a mutant's function, or its lines.
func (s *Selection) toldUnrun(r *results.Results, rank ranking) func(*results.Mutant) bool {
	whole, lines := map[string]bool{}, map[string][]results.Code{} // functions; code of those that run in part, by file
	for _, f := range s.Open {
		if f.Kind != NotRun {
			continue
		}
		for _, p := range f.UnrunParts(r) {
			one := p.Mutants[0]
			whole[one.Function] = whole[one.Function] || !rank.ran[one.Function]
			lines[one.File] = append(lines[one.File], p.Code...)
		}
	}
	return func(m *results.Mutant) bool {
		return whole[m.Function] || fact.Unrun(m) && slices.ContainsFunc(lines[m.File], func(c results.Code) bool {
			return c.StartLine <= m.Line && edit.LastLine(m) <= c.EndLine
		})
	}
}

// alsoKeys returns the keys of the mutants or tests that a review shows of f besides the one that names it. Of code that
// nothing runs, these include one mutant of each function: f is open as long as one of the functions does not run.
func (f Finding) alsoKeys() (keys []string) {
	if !f.AboutMutants() {
		keys = slices.DeleteFunc(f.testKeys(), func(key string) bool { return key == f.Key })
		return keys[:min(len(keys), maxAlso)]
	}
	all := f.Distinct().All()
	for _, m := range all[:min(len(all), MaxRows)] {
		if key := mutantKey(m); key != f.Key && len(keys) < MaxRows-1 {
			keys = append(keys, key)
		}
	}
	if f.Kind != NotRun {
		return keys
	}
	known := map[string]bool{f.Mutant.Function: true}
	for _, m := range f.All() {
		if known[m.Function] || len(keys) == maxAlso {
			continue
		}
		known[m.Function] = true
		if key := mutantKey(m); !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// ChangedJudged reports whether any mutants were judged, and no mutant of changed code was left out.
func ChangedJudged(r *results.Results) bool {
	var left []*results.Mutant
	for i := range r.Mutants {
		if m := &r.Mutants[i]; m.Status == results.NotRun {
			left = append(left, m)
		}
	}
	return anyJudged(r) && (len(left) == 0 || !slices.ContainsFunc(left, newRanking(r).changed))
}

// anyJudged reports whether any mutant was killed or survived.
func anyJudged(r *results.Results) bool {
	return slices.ContainsFunc(r.Mutants, func(m results.Mutant) bool { return m.Status == results.Killed || m.Status == results.Survived })
}

// worthListed is the least worth of a survivor that a review lists without an entry of its own. Of survivors with less,
// at most one in three is worth a look.
const worthListed = 34

// WorthListing returns those of some survivors of r that a review lists although they have no entry of their own.
func WorthListing(r *results.Results, list []*results.Mutant) []*results.Mutant {
	rank := newRanking(r)
	return slices.DeleteFunc(slices.Clone(list), func(m *results.Mutant) bool { return rank.reason(m).worth < worthListed })
}
