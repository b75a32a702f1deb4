package report

import (
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestAnEditReadsAsInAReview(t *testing.T) {
	for _, tt := range []struct{ original, replacement, want string }{
		{"n > max", "n >= max", "n > max → n >= max"},
		{"n > max", "(n > max && false)", "leave out what is done if n > max"},
		{"f(\n\ta,\n\tb)", "0", "f( a, b) → 0"},
	} {
		if got := Edit(&results.Mutant{Original: tt.original, Replacement: tt.replacement}); got != tt.want {
			t.Errorf("%q → %q reads %q, want %q", tt.original, tt.replacement, got, tt.want)
		}
	}
}

func TestTheRunSaysHowManyFindingsUnlessAReviewDoes(t *testing.T) {
	all := []results.Mutant{survivor("a1"), survivor("b2"), survivor("c3"), survivor("d4"), survivor("e5")}
	for _, tt := range []struct{ run, review, want int }{
		{0, 0, DefaultMaxFindings}, {1, 0, 1}, {4, 0, 4}, {1, 2, 2}, {4, 1, 1},
	} {
		r := push(all...)
		r.Options.MaxFindings = tt.run
		if s := Select(r, nil, tt.review); len(s.Open) != tt.want {
			t.Errorf("the run says %d, the review %d: %d findings, want %d", tt.run, tt.review, len(s.Open), tt.want)
		}
	}
}
