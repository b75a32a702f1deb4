package finding

import (
	"cmp"
	"encoding/hex"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/fact"
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
	// Unrun says that the finding is about code that nothing runs. Also then has a mutant of each further function.
	Unrun bool `json:"unrun,omitempty"`
	// Commented says that the finding had a comment of its own at its lines. If there is none any more, somebody deleted it.
	Commented bool `json:"commented,omitempty"`
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
	Mended     Fate = "mended"     // of a failure: it was not seen again, which may be chance
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
	failures    map[string]Finding // those about tests by the key of each test
	survivors   map[string]Finding
	others      map[string]*results.Mutant
	leftOut     map[string]bool // folders of packages that are left out because they do not build
	idle        map[string]bool // harnesses without a run
	quarantined map[string]bool // keys of findings about tests that are quarantined: that nothing is said of them means nothing
	unjudged    bool            // nothing was judged, or not all of the program could be
}

func index(r *results.Results, rank ranking, dismissed map[string]bool) keyed {
	k := keyed{
		failures: map[string]Finding{}, survivors: map[string]Finding{}, others: map[string]*results.Mutant{},
		leftOut: map[string]bool{}, idle: map[string]bool{}, quarantined: map[string]bool{},
		unjudged: fact.Broken(r) != "" || r.Partial && !anyJudged(r),
	}
	for _, f := range r.Scope {
		if f.Skipped == results.LeftOut {
			k.leftOut[path.Dir(f.File)] = true
		}
	}
	for i := range r.Harnesses {
		if h := &r.Harnesses[i]; h.Execs == 0 {
			k.idle[fact.Local(h.Name)] = true
		}
	}
	for _, q := range r.Quarantined {
		test := fact.Parent(q.Test)
		k.quarantined[oldKey(&results.OldTest{Test: test})], k.quarantined[flakyKey(&results.FlakyTest{Test: test})] = true, true
	}
	for _, f := range failures(r, dismissed) {
		for _, key := range append(f.testKeys(), f.Key) {
			k.failures[key] = f
		}
	}
	for _, f := range possible(r, rank) {
		for i, m := range f.All() {
			g := Finding{Kind: f.Kind, Key: mutantKey(m), Mutant: m, Also: slices.Delete(slices.Clone(f.All()), i, i+1), Fix: f.Fix}
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
	keys, older := append([]string{p.Key}, p.Also...), false
	if i := slices.IndexFunc(keys, func(key string) bool { return k.survivors[key].Kind == NotRun }); p.Unrun && i >= 0 {
		keys = keys[i:] // some of its functions still do not run, whatever tests miss in the others
	}
	for _, key := range keys {
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

// owners returns which undecided finding of past has shown a mutant, by the key of the finding. Mutants of two findings
// may have become one group since then.
func (k keyed) owners(past *History) map[*results.Mutant]string {
	of := map[*results.Mutant]string{}
	take := func(m *results.Mutant, key string) {
		if _, ok := of[m]; m != nil && !ok {
			of[m] = key
		}
	}
	for _, p := range past.Shown {
		if p.undecided() {
			take(k.survivors[p.Key].Mutant, p.Key)
		}
	}
	for _, p := range past.Shown {
		for _, key := range p.Also {
			if p.undecided() {
				take(k.survivors[key].Mutant, p.Key)
			}
		}
	}
	return of
}

// among returns f without the mutants in Also that another finding has, as of says. What is left is from then on f's.
func (f Finding) among(of map[*results.Mutant]string) Finding {
	f.Also = slices.DeleteFunc(slices.Clone(f.Also), func(m *results.Mutant) bool { return cmp.Or(of[m], f.Key) != f.Key })
	for _, m := range f.All() {
		of[m] = f.Key
	}
	return f
}

// missing returns what has become of p if there is no such failure or mutant. It remains what it was if it was dealt
// with before its code went.
func (k keyed) missing(p Shown) Fate {
	switch {
	case !p.undecided():
		return p.Fate
	case k.unjudged, p.Failure && (len(k.leftOut) > 0 || k.idle[p.Where]), k.leftOut[path.Dir(p.Where)]:
		return NotJudged
	case slices.ContainsFunc(append([]string{p.Key}, p.Also...), func(key string) bool { return k.quarantined[key] }):
		return NotJudged
	case p.Failure:
		return Mended
	}
	return Gone
}

// Commented reports whether the finding with a key had a comment of its own.
func (h *History) Commented(key string) bool {
	return slices.ContainsFunc(h.Shown, func(p Shown) bool { return p.Key == key && p.Commented })
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
		n.Shown = append(n.Shown, Shown{
			Key: f.Key, Also: f.alsoKeys(), Where: prose.OneLine(f.where(), maxWhere), Fate: Open,
			Failure: !f.AboutMutants(), Unrun: f.Kind == NotRun, Commented: h.Commented(f.Key),
		})
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
