package judge

import (
	"slices"
	"sync"
	"time"
)

// Context is the kind of process that a run was.
type Context int

// Contexts.
const (
	InTrial   Context = iota // a trial, in a process in which other mutants have been active
	InCleanly                // a trial, in a process that was shown to be clean
	Alone                    // one test in a process of its own
	InSuite                  // a whole-suite run: all tests but quarantined ones, as go test runs them
	InPart                   // the same without the tests that are left out for the mutant
	InQuick                  // those quick tests of a large suite that infect the mutant, together
	InSlow                   // one slow test of a large suite
)

// Step is a kind of run of a mutant.
type Step struct {
	Context Context
	Test    string // Alone and InSlow: the test that runs
	// Unbounded says that its steps are not bounded. Goroutines that a test leaves
	// behind go on taking steps during other tests, which would look like a hang.
	Unbounded bool
}

// Entry is one run of a mutant by the tests of a suite.
type Entry struct {
	Step
	Kind    string // Pass, or how it failed
	Failed  string // the test that failed, with its subtest; "" if unknown
	Random  bool   // of a trial: the test both passed and failed
	ByClock bool   // it failed only because it exceeded a time limit
	Took    time.Duration
	Funcs   []int // functions that ran
}

// ledger is all runs of all mutants by the tests of one suite. It serves several
// goroutines.
type ledger struct {
	mu      sync.Mutex
	entries map[int][]Entry // by mutant
}

func (l *ledger) add(m *Mutant, e Entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries[m.Number] = append(l.entries[m.Number], e)
}

// of returns the runs of a mutant, in order.
func (l *ledger) of(m *Mutant) []Entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.entries[m.Number])
}
