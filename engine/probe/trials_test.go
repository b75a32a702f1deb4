//go:build go1.21

package probe

import (
	"testing"
	"time"
)

func TestHowOftenATestIsRepeated(t *testing.T) {
	const budget = 600 * time.Microsecond
	unsteady := TrialTest{Least: 24, LeastTime: int64(time.Millisecond)}
	for _, tt := range []struct {
		name    string
		least   int // of the mutant
		test    TrialTest
		outcome string
		each    time.Duration // what a run takes
		want    int
	}{
		{"one that is steady", 0, TrialTest{}, OutcomeOK, 200 * time.Microsecond, 3},
		{"one that is slow", 0, TrialTest{}, OutcomeOK, time.Second, 0},
		{"one that fails slowly", 0, TrialTest{}, OutcomeFailure, time.Second, 1},
		{"one that may differ", 0, unsteady, OutcomeOK, 30 * time.Microsecond, 24},
		{"one that may differ and takes a while", 0, unsteady, OutcomeFailure, 300 * time.Microsecond, 3},
		{"one that may differ and is slow", 0, unsteady, OutcomeFailure, time.Second, 2},
		{"with a mutant that asks for it", 16, TrialTest{}, OutcomeOK, 2 * time.Millisecond, 16},
		{"with a mutant that asks for it and is slow", 16, TrialTest{}, OutcomeFailure, 60 * time.Millisecond, 2},
	} {
		x := &trials{least: tt.least}
		n := 0
		for n < 100 && !x.enough(tt.test, n, time.Duration(n+1)*tt.each, budget, tt.outcome) {
			n++
		}
		if n != tt.want {
			t.Errorf("%s: %d times, want %d", tt.name, n, tt.want)
		}
	}
}
