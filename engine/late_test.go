package engine

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
			if got := slowest(test.spent); !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestWhatRunsTogetherSharesTheTimeSpent(t *testing.T) {
	u := &unit{run: &run{}, spent: map[string]time.Duration{}}
	u.spend(4*time.Second, "p", []string{"TestA", "TestB"})
	u.spend(time.Second, "p", []string{"TestA"})
	if u.spent["p.TestA"] != 3*time.Second || u.spent["p.TestB"] != 2*time.Second {
		t.Errorf("spent %v", u.spent)
	}
}
