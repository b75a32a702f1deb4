// Package ledger keeps the runs of mutants by the tests of a suite, and says what they amount to.
//
// [Decide] is a function of a list of runs and of what the suite asks of a mutant, and of nothing else: it starts no
// process, reads no clock and knows no test but by its name. Package judge does the runs that it asks for.
package ledger

import (
	"slices"
	"strings"
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
	Funcs   []int // functions that ran, by the numbers of the probe; of a trial those so far in the process
}

// How a run ended, as results.json names it: it passed, or how it failed.
const (
	Pass  = ""
	Test  = "test"  // an assertion failed
	Crash = "crash" // a panic, an exit, a fatal error, too much memory
	Hang  = "hang"  // the step bound, or a deadline
)

// TopLevel is the test that a subtest belongs to; a test that is no subtest is its own.
func TopLevel(name string) string {
	top, _, _ := strings.Cut(name, "/")
	return top
}

// Ledger is all runs of all mutants by the tests of one suite. The zero value has none. It serves several
// goroutines.
type Ledger struct {
	mu      sync.Mutex
	entries map[int][]Entry // by mutant
}

// Add adds a run of the mutant of a number.
func (l *Ledger) Add(mutant int, e Entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.entries == nil {
		l.entries = map[int][]Entry{}
	}
	l.entries[mutant] = append(l.entries[mutant], e)
}

// Of returns the runs of the mutant of a number, in order: a copy.
func (l *Ledger) Of(mutant int) []Entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.entries[mutant])
}
