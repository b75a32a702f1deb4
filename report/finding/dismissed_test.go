package finding

import (
	"fmt"
	"strings"
	"testing"

	. "github.com/mutantfuzz/mutantfuzz/report/internal/sample"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestDismissedFindingsNeverComeBack(t *testing.T) {
	// Mutants whose IDs begin with the same letter are in one function. a1 and a2 make one finding.
	in := func(ids ...string) *results.Results {
		var list []results.Mutant
		for _, id := range ids {
			list = append(list, Survivor(id, Function("p."+id[:1])))
		}
		return Push(list...)
	}
	first := Select(in("a1", "a2", "b3"), nil, MaxFindings)
	if ids(first.Open) != "a1 b3" {
		t.Fatalf("open: %s", ids(first.Open))
	}
	past := first.History
	past.Dismiss(first.Open[0].Key, "octocat", "fine")
	tests := []struct {
		name string
		r    *results.Results
		open string
	}{
		{"as it was", in("a1", "a2", "b3"), "b3"},
		{"without the first", in("a2", "b3"), "b3"},
		{"killed", Push(Survivor("a1", Function("p.a"), Status(results.Killed, results.Revealed)), Survivor("b3", Function("p.b"))), "b3"},
		{"with new code in the function", in("a1", "a2", "a7", "b3"), "b3 a7"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := Select(tt.r, &past, MaxFindings)
			if got := ids(s.Open); got != tt.open {
				t.Errorf("open: %s, want %s", got, tt.open)
			}
			for _, f := range s.Open {
				if len(f.Also) > 0 {
					t.Errorf("%s is shown with what was dismissed", f.Mutant.ID)
				}
			}
			if len(s.Closed) != 1 || s.Closed[0].Fate != Dismissed || s.Closed[0].By != "octocat" || s.Closed[0].Reason != "fine" {
				t.Errorf("closed: %+v", s.Closed)
			}
			if len(s.Folded)+len(s.Elsewhere) != 0 {
				t.Errorf("folded: %d, elsewhere %d", len(s.Folded), len(s.Elsewhere))
			}
		})
	}
}

func TestDismissalsOutliveOtherClosedFindings(t *testing.T) {
	past := History{Shown: []Shown{{Key: "0123456789abcdef", Where: "x.go:1", Fate: Dismissed, By: "octocat"}}}
	for i := range 2 * maxClosed {
		past.Shown = append(past.Shown, Shown{Key: fmt.Sprintf("%016x", i), Where: "y.go:1", Fate: Noticed})
	}
	s := Select(Push(), &past, 0)
	if len(s.Closed) != maxClosed || s.Closed[0].Key != "0123456789abcdef" || s.Closed[1].Key != fmt.Sprintf("%016x", maxClosed+1) {
		t.Errorf("%d closed, the first %+v", len(s.Closed), s.Closed[:2])
	}
}

func TestOnlyOpenFindingsAreDismissed(t *testing.T) {
	for _, fate := range []Fate{Open, NotJudged, Noticed, Gone, Older} {
		h := History{Shown: []Shown{{Key: "0123456789abcdef", Fate: fate}}}
		h.Dismiss("0123456789abcdef", "octocat", "")
		if got, want := h.Shown[0].Fate == Dismissed, fate == Open || fate == NotJudged; got != want {
			t.Errorf("%s: dismissed %v, want %v", fate, got, want)
		}
	}
}

func TestHandlesNameOneFinding(t *testing.T) {
	h := History{Shown: []Shown{{Key: "3f2a000000000000"}, {Key: "3f2a010000000000"}, {Key: "aaaa000000000000"}}}
	s := Selection{History: h}
	for key, want := range map[string]string{"3f2a000000000000": "3f2a00", "3f2a010000000000": "3f2a01", "aaaa000000000000": "aaaa"} {
		if got := s.Handle(key); got != want || h.Named(strings.ToUpper(got)) != key {
			t.Errorf("%s is called %s, want %s; that is %s", key, got, want, h.Named(got))
		}
	}
	for _, handle := range []string{"", "aaa", "3f2a", "3f2a0", "bbbb", "aaaa0000000000000"} {
		if got := h.Named(handle); got != "" {
			t.Errorf("%q names %s, want none", handle, got)
		}
	}
}
