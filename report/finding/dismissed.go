package finding

import (
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/internal/config"
	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// minHandle is the minimum number of digits of a key that name a finding.
const minHandle = 4

// Handle returns a short name for the finding with a key: the first digits of the key, at least minHandle, and as many
// as it takes to distinguish it from all other findings that the review has shown.
func (s *Selection) Handle(key string) string {
	n := min(minHandle, len(key))
	for n < len(key) && slices.ContainsFunc(s.History.Shown, func(other Shown) bool {
		return other.Key != key && strings.HasPrefix(other.Key, key[:n])
	}) {
		n++
	}
	return key[:n]
}

// Named returns the key of the only shown finding whose key starts with a handle, in upper or lower case. It returns ""
// if there is no such finding, or more than one.
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

// Shows reports whether the review has an open entry for the finding with a key, so that it can be dismissed.
func (h *History) Shows(key string) bool {
	return slices.ContainsFunc(h.Shown, func(s Shown) bool { return s.Key == key && s.undecided() })
}

func (s Shown) undecided() bool { return s.Fate == Open || s.Fate == NotJudged }

// Undecided reports whether any finding is open, so that it can be dismissed.
func (h *History) Undecided() bool { return slices.ContainsFunc(h.Shown, Shown.undecided) }

// Dismiss closes the finding with a key for good, if Shows reports true for it, and otherwise does nothing. by is the
// login of the person who dismisses it, and reason what they say, which may be empty. Both are untrusted text.
func (h *History) Dismiss(key, by, reason string) {
	if !h.Shows(key) {
		return
	}
	for i := range h.Shown {
		if s := &h.Shown[i]; s.Key == key {
			s.Fate, s.By, s.Reason = Dismissed, prose.Shorten(by, maxLogin), prose.Shorten(reason, maxReason)
		}
	}
}

// dismissed returns the keys of the dismissed findings and of the mutants of r that belong to them.
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
		if f.Mutant != nil && slices.ContainsFunc(append(f.testKeys(), f.Key), func(key string) bool { return keys[key] }) {
			keys[mutantKey(f.Mutant)] = true
		}
	}
	return keys
}

// latest returns the closed findings to keep, at most maxClosed. It drops the oldest first, and dismissed ones only if
// there are too many of these, because nothing else keeps them from coming back.
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

// without returns f without the mutants in Also whose keys are dismissed.
func (f Finding) without(dismissed map[string]bool) Finding {
	if len(dismissed) > 0 {
		f.Also = slices.DeleteFunc(slices.Clone(f.Also), func(m *results.Mutant) bool { return dismissed[mutantKey(m)] })
	}
	return f
}

// Limits on what is offered for the configuration file.
const (
	maxDismissals = 20
	maxDismissal  = 2000 // bytes of one entry
)

// Dismissals returns entries for the configuration file: one for each mutant of r that belongs to a finding dismissed
// in the review that shows s, at most 20.
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
		narrow := entry.Operator != "" && entry.Edit != "" // otherwise it would match other mutants, too
		if narrow && prose.ShownAsIs(text) && len(text) <= maxDismissal {
			entries = append(entries, entry) // otherwise cleaning it up would change what it matches
		}
	}
	return entries
}

// dismissal returns an entry that matches m.
func dismissal(m *results.Mutant, s Shown) config.Dismissal {
	reason := s.Reason
	if reason == "" {
		reason = "dismissed in review by " + s.By
	}
	return config.Dismissal{Function: m.Function, Operator: m.Operator, Edit: edit.Text(m), Reason: reason}
}
