//go:build go1.21

// Package process is what a woven test binary asks the operating system for: what the
// coordinator has set, memory that outlives the process, a limit on its memory, and the
// time that it has used.
package process

import "time"

// Stopwatch measures processor time rather than elapsed time, so that as much is
// done on a busy machine as on an idle one.
type Stopwatch struct {
	start time.Time
	spent time.Duration // processor time at the start
}

// StartWatch starts a stopwatch.
func StartWatch() Stopwatch { return Stopwatch{time.Now(), processorTime()} }

// patience is how many times as long a process may take that sleeps all the time.
const patience = 4

// Elapsed returns the processor time spent since the start, not more than the time
// that has passed, nor less than a part of it.
func (w Stopwatch) Elapsed() time.Duration {
	passed := time.Since(w.start)
	return max(min(processorTime()-w.spent, passed), passed/patience)
}
