package report

import (
	"cmp"
	"encoding/hex"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// History is what the review of a pull request has shown so far. It is kept with the review, so that every push
// continues the same list. The zero value belongs to a pull request without a review.
type History struct {
	Shown []Shown `json:"shown"`
	// Seen holds the first seenSize bytes of the keys of all mutants of earlier pushes. A survivor among them is not
	// news: only what new code brings is added to a review.
	Seen []byte `json:"seen"`
	// Closed says that there were too many mutants to keep Seen. Then no mutant is added to the review.
	Closed bool `json:"closed,omitempty"`
}

// Shown is one finding that a review has an entry for.
type Shown struct {
	Key   string   `json:"key"`
	Also  []string `json:"also,omitempty"` // keys of the other mutants that it showed, or of the other tests
	Where string   `json:"where"`          // file and line, or harness or test
	Fate  Fate     `json:"fate"`
	// Failure says that the finding is a crash or a failing test. Histories of older versions do not say so.
	Failure bool `json:"failure,omitempty"`
	// By is the login of who dismissed the finding. Reason is what they said, and may be empty. Both are arbitrary
	// text.
	By     string `json:"by,omitempty"`
	Reason string `json:"reason,omitempty"`
}

// Fate is what has become of a finding.
type Fate string

// The fates of findings.
const (
	Open       Fate = "open"
	Noticed    Fate = "noticed"    // a test or harness fails with the mutant
	Suppressed Fate = "set_aside"  // the mutant is ignored, for example by a comment
	Harmless   Fate = "harmless"   // the mutant proved equivalent
	Gone       Fate = "gone"       // there is no such code, or no such mutant
	Mended     Fate = "mended"     // of a failure: it no longer happens
	Older      Fate = "older"      // the base fails, too, or may
	Dismissed  Fate = "dismissed"  // somebody with write access set it aside
	NotJudged  Fate = "not_judged" // the mutant, or what failed, was not run
)

const (
	seenSize = 3    // bytes; among maxSeen keys, one in 8,000 matches by accident, which only hides a finding
	maxSeen  = 2000 // keys

	maxAlso   = 20  // keys in Shown.Also
	maxWhere  = 80  // runes of Shown.Where
	maxClosed = 50  // closed findings kept; the oldest are dropped first, and dismissed ones last
	maxLogin  = 60  // runes of Shown.By
	maxReason = 100 // runes of Shown.Reason
)

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
	shown := map[string]bool{}
	for _, p := range past.Shown {
		shown[p.Key] = true
		switch f, fate := current.fate(p); {
		case fate != Open:
			p.Fate = fate
			s.Closed = append(s.Closed, p)
		case f.aboutMutants() || !s.has(f): // else a finding shown before has its tests by now
			s.Open = append(s.Open, f.without(dismissed))
		}
	}
	s.Closed = latest(s.Closed)
	kept := len(s.Open)
	for _, f := range findings(r, rank, dismissed) { // the bugs come first
		room := limit
		if !f.aboutMutants() {
			room = min(kept+limit, MaxFindings)
		}
		if len(s.Open) >= room || len(s.Open) > 0 && limit <= DefaultMaxFindings && !f.evident() {
			break
		}
		if !shown[f.Key] && !s.has(f) && (first || !f.aboutMutants() || past.isNew(f.Key)) {
			s.Open = append(s.Open, f.without(dismissed))
		}
	}
	if first && !slices.ContainsFunc(s.Open, func(f Finding) bool { return !f.slight() }) {
		s.Open = nil
	}
	slices.SortStableFunc(s.Open, func(a, b Finding) int { return cmp.Compare(a.Kind, b.Kind) })
	s.OnBase = slices.DeleteFunc(crashes(r), func(f Finding) bool { return f.Kind != Note || dismissed[f.Key] })
	s.fold(r, rank, dismissed)
	s.History = past.next(r, &s)
	return s
}

// slight reports whether f alone is no reason for a review: its edit only ends a loop early, and no input shows it.
func (f Finding) slight() bool {
	m := f.Mutant
	return f.aboutMutants() && f.Kind == Gap && !edit.IsReversal(m) && edit.OnlyOnce(m) &&
		!slices.ContainsFunc(f.all(), func(m *results.Mutant) bool { return example(m) != nil })
}

// untold returns the folded survivors that tell a reader something new. It leaves out those on a line of which a
// finding shows an edit, and those run only by tests that check nothing, as a finding says.
func (s *Selection) untold() []*results.Mutant {
	type place struct {
		file string
		line int
	}
	told := map[place]bool{}
	var blind []*results.Mutant // first mutants of findings about tests that check nothing: these cover what only those tests run
	for _, f := range s.Open {
		if f.aboutMutants() && f.Kind == Gap && f.blind() {
			blind = append(blind, f.Mutant)
		}
		for _, m := range f.all() {
			if f.aboutMutants() && edit.LastLine(m) == m.Line {
				told[place{m.File, m.Line}] = true
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(s.Folded), func(m *results.Mutant) bool {
		return edit.LastLine(m) == m.Line && told[place{m.File, m.Line}] || onlyBlind(m) && slices.ContainsFunc(blind, func(o *results.Mutant) bool {
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
		if !f.aboutMutants() || !open.aboutMutants() || (open.Kind == NotRun) != (f.Kind == NotRun) {
			return false
		}
		return f.Kind == NotRun || open.Mutant.Function == f.Mutant.Function
	})
}

// bounded returns what of h a review can have kept, and no more than it keeps. For nil that is an empty history.
func (h *History) bounded() *History {
	if h == nil {
		return &History{}
	}
	b := &History{Seen: h.Seen[:min(len(h.Seen)/seenSize, maxSeen)*seenSize], Closed: h.Closed}
	known := map[string]bool{}
	for _, s := range h.Shown {
		if s.valid() && !known[s.Key] && len(b.Shown) < MaxFindings+maxClosed {
			known[s.Key] = true
			s.Where, s.By, s.Reason = prose.OneLine(s.Where, maxWhere), prose.Shorten(s.By, maxLogin), prose.Shorten(s.Reason, maxReason)
			b.Shown = append(b.Shown, s)
		}
	}
	return b
}

var keyForm = regexp.MustCompile(`^[0-9a-f]{16}$`)

// valid reports whether a review can have kept s.
func (s *Shown) valid() bool {
	switch s.Fate {
	case Open, Noticed, Suppressed, Harmless, Gone, Mended, Older, Dismissed, NotJudged:
		return keyForm.MatchString(s.Key) && len(s.Also) <= maxAlso && !slices.ContainsFunc(s.Also, func(key string) bool { return !keyForm.MatchString(key) })
	}
	return false
}

// keyed is every finding there could be, by key.
type keyed struct {
	failures  map[string]Finding // those about tests by the key of each test
	survivors map[string]Finding
	others    map[string]*results.Mutant
	leftOut   map[string]bool // folders of packages that are left out because they do not build
	idle      map[string]bool // harnesses without a run
	unjudged  bool            // nothing was judged, or not all of the program could be
}

func index(r *results.Results, rank ranking, dismissed map[string]bool) keyed {
	k := keyed{
		failures: map[string]Finding{}, survivors: map[string]Finding{}, others: map[string]*results.Mutant{},
		leftOut: map[string]bool{}, idle: map[string]bool{},
		unjudged: broken(r) != "" || r.Partial && tallyOf(r).judged() == 0,
	}
	for _, f := range r.Scope {
		if f.Skipped == results.LeftOut {
			k.leftOut[path.Dir(f.File)] = true
		}
	}
	for i := range r.Harnesses {
		if h := &r.Harnesses[i]; h.Execs == 0 {
			k.idle[local(h.Name)] = true
		}
	}
	for _, f := range failures(r, dismissed) {
		for _, key := range append(f.testKeys(), f.Key) {
			k.failures[key] = f
		}
	}
	for _, f := range mutants(r, rank, func(*results.Mutant) bool { return true }) {
		for i, m := range f.all() {
			g := Finding{Kind: f.Kind, Key: mutantKey(m), Mutant: m, Also: slices.Delete(slices.Clone(f.all()), i, i+1), Fix: f.Fix}
			if f.Kind != NotRun { // another mutant need not show what the first one shows
				g.Kind = mutantFinding(m, rank.reason(m)).Kind
			}
			k.survivors[g.Key] = g
		}
	}
	for i := range r.Mutants {
		m := &r.Mutants[i]
		f := mutantFinding(m, rank.reason(m))
		_, known := k.survivors[f.Key]
		switch {
		case m.Status != results.Survived:
			k.others[f.Key] = m
		case !known:
			k.survivors[f.Key] = f
		}
	}
	return k
}

// fate returns what has become of p, and the finding if it is open. It is open as long as one of its mutants survives, or
// one of its tests fails.
func (k keyed) fate(p Shown) (Finding, Fate) {
	if p.Fate == Dismissed {
		return Finding{}, Dismissed // for good, whatever becomes of it
	}
	older := false
	for _, key := range append([]string{p.Key}, p.Also...) {
		f, ok := k.failures[key]
		if ok && f.Kind == Note {
			older = true
			continue
		}
		if !ok {
			f, ok = k.survivors[key]
		}
		if ok {
			f.Key = p.Key
			return f, Open
		}
	}
	if older {
		return Finding{}, Older
	}
	m, ok := k.others[p.Key]
	if !ok {
		return Finding{}, k.missing(p)
	}
	switch m.Status {
	case results.Killed:
		return Finding{}, Noticed
	case results.Ignored:
		if m.Evidence.Tests > 0 || strings.HasPrefix(m.Reason, results.OnlyQuarantined) {
			return Finding{}, NotJudged // the tests were inconclusive
		}
		return Finding{}, Suppressed
	case results.Equivalent:
		return Finding{}, Harmless
	case results.NotRun, results.Pending:
		return Finding{}, NotJudged
	default:
		return Finding{}, k.missing(p)
	}
}

// missing returns what has become of p if there is no such failure or mutant. It remains what it was if it was dealt
// with before its code went.
func (k keyed) missing(p Shown) Fate {
	switch {
	case !p.undecided():
		return p.Fate
	case k.unjudged, p.Failure && (len(k.leftOut) > 0 || k.idle[p.Where]), k.leftOut[path.Dir(p.Where)]:
		return NotJudged
	case p.Failure:
		return Mended
	}
	return Gone
}

// asBefore reports whether m, which undoes a part of the change, gives the same on many inputs, or alters no state that
// its tests see.
func (k ranking) asBefore(m *results.Mutant) bool {
	return !m.Exposed() && (m.Evidence.Execs >= fuzzed || m.Evidence.Tests > 0 && k.reason(m) == unaltered)
}

// maxAlike bounds how many shown survivors each other one is compared with. Results come from anybody.
const maxAlike = 100

// fold sorts the survivors that have no entry of their own and are not dismissed into the lists of s.
func (s *Selection) fold(r *results.Results, rank ranking, dismissed map[string]bool) {
	var shown []*results.Mutant
	for _, f := range s.Open {
		shown = append(shown, f.all()...)
		if whole := f.wholeTold(r); whole != nil {
			shown = append(shown, whole)
		}
	}
	shown = shown[:min(len(shown), maxAlike)]
	isShown := func(m *results.Mutant) bool {
		return slices.ContainsFunc(shown, func(k *results.Mutant) bool { return k == m || alikeToReaders(k, m) || toldWith(k, m) })
	}
	agree := map[string]bool{}
	for _, a := range agreements(r) {
		agree[a.Function] = true
	}
	notRun := s.toldUnrun(r, rank)
	for i := range r.Mutants {
		switch m := &r.Mutants[i]; {
		case m.Status != results.Survived || isShown(m) || len(dismissed) > 0 && dismissed[mutantKey(m)]:
		case agree[m.Function] && edit.IsReversal(m), notRun(m): // the review says that already
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
		for _, p := range unrunParts(r, f) {
			one := p.mutants[0]
			whole[one.Function] = whole[one.Function] || !rank.ran[one.Function]
			lines[one.File] = append(lines[one.File], p.code...)
		}
	}
	return func(m *results.Mutant) bool {
		return whole[m.Function] || unrun(m) && slices.ContainsFunc(lines[m.File], func(c results.Code) bool {
			return c.StartLine <= m.Line && edit.LastLine(m) <= c.EndLine
		})
	}
}

// alsoKeys returns the keys of the mutants or tests that a review shows of f besides the one that names it.
func (f Finding) alsoKeys() (keys []string) {
	if !f.aboutMutants() {
		keys = slices.DeleteFunc(f.testKeys(), func(key string) bool { return key == f.Key })
		return keys[:min(len(keys), maxAlso)]
	}
	all := f.distinct().all()
	for _, m := range all[:min(len(all), maxRows)] {
		if key := mutantKey(m); key != f.Key && len(keys) < maxRows-1 {
			keys = append(keys, key)
		}
	}
	return keys
}

// isNew reports whether no earlier push had a mutant with the key.
func (h *History) isNew(key string) bool {
	if h.Closed {
		return false
	}
	prefix := seenPrefix(key)
	for seen := range slices.Chunk(h.Seen, seenSize) {
		if slices.Equal(seen, prefix) {
			return false
		}
	}
	return true
}

func seenPrefix(key string) []byte {
	sum, err := hex.DecodeString(key)
	if err != nil || len(sum) < seenSize {
		return nil
	}
	return sum[:seenSize]
}

// next returns h continued by the selection s made of r.
func (h *History) next(r *results.Results, s *Selection) History {
	n := History{Closed: h.Closed}
	for _, f := range s.Open {
		n.Shown = append(n.Shown, Shown{Key: f.Key, Also: f.alsoKeys(), Where: prose.OneLine(f.where(), maxWhere), Fate: Open, Failure: !f.aboutMutants()})
	}
	n.Shown = append(n.Shown, s.Closed...)

	var prefixes [][]byte
	for seen := range slices.Chunk(h.Seen, seenSize) {
		prefixes = append(prefixes, seen)
	}
	for i := range r.Mutants {
		prefixes = append(prefixes, seenPrefix(mutantKey(&r.Mutants[i])))
	}
	slices.SortFunc(prefixes, slices.Compare)
	prefixes = slices.CompactFunc(prefixes, slices.Equal)
	if len(prefixes) > maxSeen {
		n.Closed = true
	}
	if !n.Closed {
		n.Seen = slices.Concat(prefixes...)
	}
	return n
}
