//go:build go1.21

package harness

import (
	"testing"
	"time"
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

func TestHowOftenATestThatFailsIsRepeated(t *testing.T) {
	x := trials{budget: 600 * time.Microsecond, draws: map[string]bool{"drawing": true}}
	for _, tt := range []struct {
		name, test string
		each       time.Duration // how long a run takes
		want       int
	}{
		{"quickly", "steady", 100 * time.Microsecond, 6},
		{"after a while", "steady", 5 * time.Millisecond, 3},
		{"slowly", "steady", time.Second, 1},
		{"and draws", "drawing", 5 * time.Millisecond, 12},
		{"and draws, slowly", "drawing", time.Second, 1},
	} {
		n := 0
		for n < 100 && !x.enough(n, time.Duration(n+1)*tt.each, tt.test) {
			n++
		}
		if n != tt.want {
			t.Errorf("one that fails %s: %d times, want %d", tt.name, n, tt.want)
		}
	}
}
