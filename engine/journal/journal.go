// Package journal collects what an analysis reports while it runs: its progress, and warnings, which the results
// repeat.
package journal

import (
	"fmt"
	"slices"
	"sync"
)

// Progress receives reports on how far an analysis has come.
type Progress interface {
	// Phase begins a phase of n steps; 0: their number is not known.
	Phase(name string, n int)
	// Step says that k more steps of the phase are done.
	Step(k int)
	// Say passes on a line for the log.
	Say(line string)
}

// Journal collects warnings and passes on progress. Several goroutines may use it at once.
type Journal struct {
	progress Progress
	mu       sync.Mutex
	warnings []string
}

// New returns an empty journal that passes progress and warnings on to p, which may be nil.
func New(p Progress) *Journal { return &Journal{progress: p} }

// Warn adds a warning and passes it on, unless the same one has been given before.
func (j *Journal) Warn(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	j.mu.Lock()
	defer j.mu.Unlock()
	if !slices.Contains(j.warnings, text) {
		j.warnings = append(j.warnings, text)
		j.Say("warning: %s", text)
	}
}

// Warnings returns the warnings given so far.
func (j *Journal) Warnings() []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.warnings)
}

// Phase begins a phase of n steps; 0: their number is not known.
func (j *Journal) Phase(name string, n int) {
	if j.progress != nil {
		j.progress.Phase(name, n)
	}
}

// Step says that one more step of the phase is done.
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
