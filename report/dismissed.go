package report

import (
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/internal/config"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// minHandle is how many digits of a key name a finding at least.
const minHandle = 4

// Handle returns what names a finding for people, key being its key: so many digits of it, four
// at least, that no other finding which the review has shown begins with them.
func (s *Selection) Handle(key string) string {
	n := min(minHandle, len(key))
	for n < len(key) && slices.ContainsFunc(s.History.Shown, func(other Shown) bool {
		return other.Key != key && strings.HasPrefix(other.Key, key[:n])
	}) {
		n++
	}
	return key[:n]
}

// Named returns the key of the finding with a handle, in any case: the only one that was shown
// whose key begins with it. It is "" where there is none, or more than one.
func (h *History) Named(handle string) string {
	handle = strings.ToLower(handle)
	if len(handle) < minHandle {
		return ""
	}
	key := ""
	for _, s := range h.Shown {
		if !strings.HasPrefix(s.Key, handle) {
			continue
		}
		if key != "" {
			return ""
		}
		key = s.Key
	}
	return key
}

// Shows reports whether the review has an open entry for the finding with a key, which so can
// be dismissed.
func (h *History) Shows(key string) bool {
	return slices.ContainsFunc(h.Shown, func(s Shown) bool { return s.Key == key && s.undecided() })
}

func (s Shown) undecided() bool { return s.Fate == Open || s.Fate == NotJudged }

// Undecided reports whether there is an open finding, which so can be dismissed.
func (h *History) Undecided() bool { return slices.ContainsFunc(h.Shown, Shown.undecided) }

// Dismiss sets the finding with a key aside for good. By is the login of who wants that, and
// reason what they say, which may be nothing; both may be any text. Other findings than those
// that Shows knows stay as they are.
func (h *History) Dismiss(key, by, reason string) {
	if !h.Shows(key) {
		return
	}
	for i := range h.Shown {
		if s := &h.Shown[i]; s.Key == key {
			s.Fate, s.By, s.Reason = Dismissed, shorten(by, maxLogin), shorten(reason, maxReason)
		}
	}
}

// dismissed are the keys of dismissed findings and of the mutants of r that are part of these.
func (h *History) dismissed(r *results.Results) map[string]bool {
	keys := map[string]bool{}
	for _, s := range h.Shown {
		if s.Fate != Dismissed {
			continue
		}
		keys[s.Key] = true
		for _, key := range s.Also {
			keys[key] = true
		}
	}
	if len(keys) == 0 {
		return keys
	}
	for _, f := range append(crashes(r), oldTests(r)...) {
		if keys[f.Key] && f.Mutant != nil {
			keys[mutantKey(f.Mutant)] = true
		}
	}
	return keys
}

// latest are as many closed findings as are kept. Dismissed ones stay as long as there is room:
// nothing else keeps them from coming back.
func latest(closed []Shown) []Shown {
	more := len(closed) - maxClosed
	closed = slices.DeleteFunc(closed, func(s Shown) bool {
		drop := more > 0 && s.Fate != Dismissed
		if drop {
			more--
		}
		return drop
	})
	return closed[max(0, len(closed)-maxClosed):]
}

// without is f without the further mutants whose keys are dismissed.
func (f Finding) without(dismissed map[string]bool) Finding {
	if len(dismissed) > 0 {
		f.Also = slices.DeleteFunc(slices.Clone(f.Also), func(m *results.Mutant) bool { return dismissed[mutantKey(m)] })
	}
	return f
}

// Bounds on what is offered for the configuration file.
const (
	maxDismissals = 20
	maxDismissal  = 2000 // bytes of one entry
)

// dismissed offers what dismisses the same mutants in all pull requests.
func (m *markdown) dismissed() {
	entries := Dismissals(m.results, m.selection)
	if len(entries) == 0 || m.detail >= noFolded {
		return
	}
	m.fold("What was dismissed here, for the "+htmlCode(config.Name)+" of the team: it is about all pull requests", func() {
		m.WriteString(fence("yaml", string(config.Encode(entries))) + "\n")
	})
}

// Dismissals are entries for the configuration file, or for what is kept of reviews, one for each mutant of r that belongs to a
// dismissed finding of a review that shows s, up to 20.
func Dismissals(r *results.Results, s *Selection) (entries []config.Dismissal) {
	by := map[string]Shown{}
	for _, s := range s.Closed {
		for _, key := range append([]string{s.Key}, s.Also...) {
			if s.Fate == Dismissed {
				by[key] = s
			}
		}
	}
	for i := range r.Mutants {
		if len(by) == 0 || len(entries) == maxDismissals {
			break
		}
		key := mutantKey(&r.Mutants[i])
		s, ok := by[key]
		if !ok {
			continue
		}
		delete(by, key)
		entry := dismissal(&r.Mutants[i], s)
		text := entry.String()
		narrow := entry.Operator != "" && entry.Edit != "" // else it would be about more than that mutant
		if narrow && limitRuns(manyLines(text)) == text && len(text) <= maxDismissal {
			entries = append(entries, entry) // else it would not be about that mutant any more
		}
	}
	return entries
}

// dismissal is an entry about m.
func dismissal(m *results.Mutant, s Shown) config.Dismissal {
	reason := s.Reason
	if reason == "" {
		reason = "dismissed in review by " + s.By
	}
	return config.Dismissal{Function: m.Function, Operator: m.Operator, Edit: Edit(m), Reason: reason}
}
