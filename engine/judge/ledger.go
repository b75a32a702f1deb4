package judge

import (
	"slices"
	"sync"
	"time"
)

// Context says in what a run ran its tests.
type Context int

// Contexts.
const (
	InTrial   Context = iota // in a process in which other mutants had been active
	InCleanly                // the same, in one that was shown to be clean
	Alone                    // one test in a process of its own
	InSuite                  // all tests of the suite that judge, as go test runs them
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
	Failed  string // the test that failed, with its subtest; "" if the run does not tell
	Random  bool   // of a trial: the test passed as well as failed
	ByClock bool   // it counts as failed for the time it took
	// Unbounded says that nothing counted its steps. What a test leaves running goes on
	// stepping while the others run, and that is no hang of theirs.
	Unbounded bool
	Took      time.Duration
	Reason    string // Cached: what stood beside the verdict
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
