package report

import (
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/finding"
	"github.com/mutantfuzz/mutantfuzz/report/internal/attack"
)

func TestDismissedCrashesTakeTheirHunkWithThem(t *testing.T) {
	r := fixture(t)
	first := finding.Select(r, nil, 5)
	past := first.History
	past.Dismiss(first.Open[0].Key, "octocat", "")
	s := finding.Select(r, &past, 5)
	if got, want := len(s.Folded), len(first.Folded); got != want {
		t.Errorf("%d folded, want %d: the hunk that mends the crash was dismissed with it", got, want)
	}
	if s.Open[0].Crash != nil || s.Closed[0].Fate != finding.Dismissed {
		t.Errorf("open %+v, closed %+v", s.Open[0], s.Closed)
	}
}

func TestHandlesStandInReviewsAlone(t *testing.T) {
	r := fixture(t)
	if body := Markdown(r, Options{MaxFindings: 5}); strings.Contains(body, "comment `ignore") {
		t.Errorf("nobody reads comments on\n%s", body)
	}
	if body := Markdown(r, Options{MaxFindings: 5, Heard: true}); strings.Count(body, "comment `ignore ") != 4 {
		t.Errorf("want four handles in\n%s", body)
	}
}

// FuzzDismissalsStayInCode checks that a dismissal has no effect in a review outside of code, whoever dismisses what
// finding for what reason.
func FuzzDismissalsStayInCode(f *testing.F) {
	fields := append(stringFields(), filled, every)
	for _, s := range attack.All {
		f.Add(s, len(fields)-2)
		f.Add(s, len(fields)-1)
	}
	f.Fuzz(func(t *testing.T, s string, which int) {
		r := hostile(t, s, fields[uint(which)%uint(len(fields))])
		past := finding.Select(r, nil, 5).History
		for _, shown := range past.Shown {
			past.Dismiss(shown.Key, sentinel+s, sentinel+s)
		}
		selection := finding.Select(r, &past, 5)
		inert(t, Markdown(r, Options{Selection: &selection, Heard: true}))
	})
}
