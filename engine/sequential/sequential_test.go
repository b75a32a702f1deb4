package sequential

import (
	"errors"
	"strings"
	"testing"
)

// outcomes returns a function for Repeat. Its runs end as the letters of text say: "p" passes, "f" fails, "e" is an
// error. The last letter is repeated.
func outcomes(text string) func() (bool, error) {
	i := -1
	return func() (bool, error) {
		i++
		switch text[min(i, len(text)-1)] {
		case 'e':
			return false, errors.ErrUnsupported
		case 'f':
			return true, nil
		}
		return false, nil
	}
}

func TestRunsAreRepeatedUntilTheShareIsKnown(t *testing.T) {
	for _, tt := range []struct {
		runs   string
		before bool // it failed before
		want   Share
		passed Runs
	}{
		{"p", false, None, Runs{1, 0}},
		{"p", true, None, Runs{4, 0}},
		{"f", false, All, Runs{0, 2}},
		{"f", true, All, Runs{0, 1}},
		{"pf", true, All, Runs{1, 9}},
		{"fp", true, All, Runs{0, 1}},
		{"fp", false, None, Runs{34, 1}},
		{strings.Repeat("pf", 200), true, Some, Runs{30, 30}},
		{strings.Repeat("fp", 200), false, Some, Runs{4, 4}},
	} {
		got, n, err := Repeat(tt.before, outcomes(tt.runs))
		if err != nil || got != tt.want || n != tt.passed {
			t.Errorf("%.10s, failed before %v: %v after %+v, %v; want %v after %+v", tt.runs, tt.before, got, n, err, tt.want, tt.passed)
		}
	}
	if got, n, err := Repeat(false, outcomes("fe")); !errors.Is(err, errors.ErrUnsupported) || got != Unknown || n != (Runs{0, 1}) {
		t.Errorf("%v after %+v, %v", got, n, err)
	}
}

func TestMostRunsFailOrPass(t *testing.T) {
	for _, tt := range []struct {
		runs Runs
		want Share
	}{
		{Runs{1, 1}, Unknown},
		{Runs{8, 1}, Unknown},
		{Runs{9, 1}, None},
		{Runs{1, 9}, All},
		{Runs{18, 10}, None},
		{Runs{10, 18}, All},
		{Runs{mostRuns/2 - 1, mostRuns / 2}, Unknown},
		{Runs{mostRuns / 2, mostRuns / 2}, Some},
	} {
		if got := Most(tt.runs.Passed, tt.runs.Failed); got != tt.want {
			t.Errorf("%+v: %v, want %v", tt.runs, got, tt.want)
		}
	}
}

// Whatever the share of failures, there is an answer after a bounded number of runs, unless all of them end alike.
func TestAnyShareIsDecided(t *testing.T) {
	for failing := range 101 {
		passed, failed := 0, 0
		for n := 1; ; n++ {
			if failed*100 < n*failing {
				failed++
			} else {
				passed++
			}
			if passed == 0 || failed == 0 {
				if n > MaxRuns { // all runs had the same outcome
					break
				}
				continue
			}
			s := Decide(passed, failed)
			if s == Unknown && n >= MaxRuns {
				t.Fatalf("%d %%: nothing after %d runs", failing, n)
			}
			if s == Unknown {
				continue
			}
			if failing >= 30 && failing <= 60 && s != Some {
				t.Errorf("%d %%: %v after %d runs", failing, s, n)
			}
			break
		}
	}
}
