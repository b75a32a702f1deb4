package process

import (
	"testing"
	"time"
)

func TestStopwatchCountsWorkInFullAndSleepInPart(t *testing.T) {
	before := time.Now()
	idle := StartWatch()
	time.Sleep(20 * time.Millisecond)
	slept := idle.Elapsed()
	if all := time.Since(before); slept < 20*time.Millisecond/patience || slept > all {
		t.Errorf("%v of %v asleep", slept, all)
	}
	busy := StartWatch()
	for busy.Elapsed() < 5*time.Millisecond { // ends, because work counts
	}
}
