//go:build go1.21

package runtime

import "time"

// stopwatch measures processor time rather than elapsed time, so that as much is
// done on a busy machine as on an idle one.
type stopwatch struct {
	start time.Time
	spent time.Duration // processor time at the start
}

func startWatch() stopwatch { return stopwatch{time.Now(), processorTime()} }

// patience is how many times as long a process may take that sleeps all the time.
const patience = 4

// elapsed returns the processor time spent since the start, not more than the time
// that has passed, nor less than a part of it.
func (w stopwatch) elapsed() time.Duration {
	passed := time.Since(w.start)
	return max(min(processorTime()-w.spent, passed), passed/patience)
}
