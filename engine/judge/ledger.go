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
	InQuick                  // those quick tests of a large suite that infect the mutant, together
	InSlow                   // one slow test of a large suite
	Cached                   // no run: the verdict of an earlier analysis, by all tests of the suite
)

// Entry is one run of a mutant.
type Entry struct {
	Mutant  int
	Suite   string // package
	Context Context
	Test    string // Alone and InSlow: the test that ran
	Kind    string // Pass, or how it failed
	Failed  string // the test that failed, with its subtest; "" if unknown
	Random  bool   // of a trial: the test both passed and failed
	ByClock bool   // it failed only because it exceeded a time limit
	// Unbounded says that its steps were not bounded. Goroutines that a test leaves
	// behind go on taking steps during other tests, which would look like a hang.
	Unbounded bool
	Took      time.Duration
	Reason    string // Cached: that of the verdict
	Funcs     []int  // functions that ran
}

// Ledger is all runs of all mutants. The zero value is an empty one. It serves
// several goroutines.
type Ledger struct {
	mu      sync.Mutex
	entries map[int][]Entry // by mutant
}

// Append adds a run.
func (l *Ledger) Append(e Entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.entries == nil {
		l.entries = map[int][]Entry{}
	}
	l.entries[e.Mutant] = append(l.entries[e.Mutant], e)
}

// Of returns the runs of a mutant, in order.
func (l *Ledger) Of(mutant int) []Entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.entries[mutant])
}
