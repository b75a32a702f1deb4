package runtime

import (
	"testing"
	"time"
)

func TestStopwatchCountsWorkInFullAndSleepInPart(t *testing.T) {
	before := time.Now()
	idle := startWatch()
	time.Sleep(20 * time.Millisecond)
	slept := idle.elapsed()
	if all := time.Since(before); slept < 20*time.Millisecond/patience || slept > all {
		t.Errorf("%v of %v asleep", slept, all)
	}
	busy := startWatch()
	for busy.elapsed() < 5*time.Millisecond { // ends, for work counts
	}
}
