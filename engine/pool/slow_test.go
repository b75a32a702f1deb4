package pool

import (
	"slices"
	"testing"
	"time"
)

func TestSlowTestsAreNamedWithWhatTheyTook(t *testing.T) {
	tests := map[string]struct {
		spent map[string]time.Duration
		want  []string
	}{
		"nothing ran":  {nil, nil},
		"all are fast": {map[string]time.Duration{"p.TestA": time.Second}, nil},
		"one of two":   {map[string]time.Duration{"p.TestA": time.Second, "p.TestB": 29 * time.Second}, []string{"p.TestB (29 s)"}},
		"the slowest three": {
			map[string]time.Duration{"p.TestA": 12 * time.Second, "p.TestB": 11 * time.Second, "p.TestC": 11 * time.Second, "p.TestD": 10 * time.Second},
			[]string{"p.TestA (12 s)", "p.TestB (11 s)", "p.TestC (11 s)"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := (&Runner{spent: test.spent}).Slowest(); !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestWhatRunsTogetherSharesTheTimeSpent(t *testing.T) {
	r := &Runner{spent: map[string]time.Duration{}}
	r.spend(4*time.Second, "p", []string{"TestA", "TestB"})
	r.spend(time.Second, "p", []string{"TestA"})
	if r.spent["p.TestA"] != 3*time.Second || r.spent["p.TestB"] != 2*time.Second {
		t.Errorf("spent %v", r.spent)
	}
}
