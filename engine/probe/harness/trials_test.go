//go:build go1.21

package harness

import (
	"testing"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

func TestATestDrawsIfTheOriginalTakesOtherStepsInAnotherRun(t *testing.T) {
	var x trials
	for _, steps := range []int64{7, 7, 8, 8} {
		x.steps = steps
		x.noteWork("TestA")
		x.steps = 1
		x.noteWork("TestB")
	}
	if !x.draws["TestA"] || x.draws["TestB"] {
		t.Error(x.draws)
	}
}

func TestHowOftenATestIsRepeated(t *testing.T) {
	const budget = 600 * time.Microsecond
	for _, tt := range []struct {
		name    string
		outcome string
		each    time.Duration // what a run takes
		want    int
		draws   bool
	}{
		{"one that passes quickly", wire.OutcomeOK, 200 * time.Microsecond, 3, false},
		{"one that passes slowly", wire.OutcomeOK, time.Second, 0, false},
		{"one that fails quickly", wire.OutcomeFailure, 100 * time.Microsecond, 6, false},
		{"one that fails and takes a while", wire.OutcomeFailure, 5 * time.Millisecond, 3, false},
		{"one that fails slowly", wire.OutcomeFailure, time.Second, 1, false},
		{"one that draws, and fails", wire.OutcomeFailure, 5 * time.Millisecond, 12, true},
		{"one that draws, and fails slowly", wire.OutcomeFailure, time.Second, 1, true},
		{"one that draws, and passes", wire.OutcomeOK, 200 * time.Microsecond, 3, true},
	} {
		n := 0
		for n < 100 && !enough(n, time.Duration(n+1)*tt.each, budget, tt.outcome, tt.draws) {
			n++
		}
		if n != tt.want {
			t.Errorf("%s: %d times, want %d", tt.name, n, tt.want)
		}
	}
}
