//go:build go1.21

package harness

import (
	"strings"
	"testing"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

func TestOnlyTheSubtestThatFailsIsRepeated(t *testing.T) {
	for _, tt := range []struct {
		name, test, failed string
		once, repeated     bool
		rows               int // how often the first row of TestRows runs: with the mutant, and in the end without
	}{
		{"it fails alone", "TestRows", "TestRows/row_101/[of_4]", false, true, 2},
		{"it fails alone, and the test is to run once", "TestRows", "TestRows/row_101/[of_4]", true, true, 2},
		{"it needs another subtest", "TestOrder", "TestOrder/second", false, true, 0},
		{"there is none", "TestWhole", "TestWhole", false, true, 0},
		{"there is none, and the test is to run once", "TestWhole", "TestWhole", true, false, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := runJob(t, wire.Job{
				Kind: wire.JobTrials, Target: "TestTrials", Tests: []wire.TrialTest{{Name: tt.test, Once: tt.once, Steps: 1000}},
				Trials: []wire.Trial{{Mutant: 2, Tests: []int{0}, Repeats: 40, RepeatTime: int64(time.Microsecond)}},
			})
			v := got.only(t, wire.EventTrial)
			if v.Outcome != wire.OutcomeFailure || v.Message != tt.failed || v.Repeated != tt.repeated {
				t.Errorf("%s in %q, repeated: %t\n%s", v.Outcome, v.Message, v.Repeated, got.output)
			}
			if rows := strings.Count(got.output, "runs row 1\n"); rows != tt.rows {
				t.Errorf("the first row ran %d times, want %d", rows, tt.rows)
			}
			if len(got.of(wire.EventClean)) != 1 {
				t.Errorf("the process was not seen to be clean: %+v", got.events)
			}
		})
	}
}

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
