//go:build go1.21

// Package process asks the operating system for what a woven test binary needs: the coordinator's variables, memory
// that outlives the process, a limit on the process's memory, and the time that it has used.
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

// patience is how many times its budget a process may take if it sleeps all the time.
const patience = 4

// Elapsed returns the processor time spent since the start. It returns at most the time that has passed, and at
// least 1/patience of that.
func (w Stopwatch) Elapsed() time.Duration {
	passed := time.Since(w.start)
	return max(min(processorTime()-w.spent, passed), passed/patience)
}
