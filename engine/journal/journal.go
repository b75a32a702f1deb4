// Package journal collects what an analysis reports while it runs: warnings, which the
// results repeat, and progress.
package journal

import (
	"fmt"
	"slices"
	"sync"
)

// Progress receives how far an analysis is.
type Progress interface {
	// Phase begins a phase of n steps; 0: it is not known how many.
	Phase(name string, n int)
	// Step ends k steps of the phase.
	Step(k int)
	// Say passes on a line for the log.
	Say(line string)
}

// Journal collects warnings and passes on progress. It may be used from several
// goroutines at once.
type Journal struct {
	progress Progress
	mu       sync.Mutex
	warnings []string
}

// New returns an empty journal that passes progress and warnings on to p, which may be
// nil.
func New(p Progress) *Journal { return &Journal{progress: p} }

// Warn adds a warning, once.
func (j *Journal) Warn(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	j.mu.Lock()
	defer j.mu.Unlock()
	if !slices.Contains(j.warnings, text) {
		j.warnings = append(j.warnings, text)
		j.Say("warning: %s", text)
	}
}

// Warnings are those given so far.
func (j *Journal) Warnings() []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.warnings)
}

// Phase begins a phase of n steps; 0: it is not known how many.
func (j *Journal) Phase(name string, n int) {
	if j.progress != nil {
		j.progress.Phase(name, n)
	}
}

// Step ends a step of the phase.
func (j *Journal) Step() {
	if j.progress != nil {
		j.progress.Step(1)
	}
}

// Say passes on a line for the log.
func (j *Journal) Say(format string, args ...any) {
	if j.progress != nil {
		j.progress.Say(fmt.Sprintf(format, args...))
	}
}
