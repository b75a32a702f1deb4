package verify

import (
	"errors"
	"testing"
)

func TestTestsRunOnceWithoutAMutantForEachChoice(t *testing.T) {
	var c controls
	runs := map[string]int{}
	late := errors.New("late")
	for _, tt := range []struct {
		choice, fails string
		err           error
		runs          int
	}{
		{"p A B", "TestB", nil, 1},
		{"p A B", "TestB", nil, 1},
		{"p A", "", nil, 1},
		{"p A", "", nil, 1},
		{"q A B", "", late, 1},
		{"q A B", "TestA", nil, 2}, // nothing was known of it
	} {
		test, err := c.failing(tt.choice, func() (string, error) {
			runs[tt.choice]++
			return tt.fails, tt.err
		})
		if test != tt.fails || !errors.Is(err, tt.err) || runs[tt.choice] != tt.runs {
			t.Errorf("%s: %q, %v, after %d runs", tt.choice, test, err, runs[tt.choice])
		}
	}
}
