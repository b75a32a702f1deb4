// Package ledger records how the tests of a suite run with each mutant, and decides from these runs.
//
// [Decide] depends on the list of runs and on the [Plan] of the mutant, and on nothing else. It starts no process,
// reads no clock and knows tests by their names only. Package judge executes the runs that Decide asks for.
package ledger

import (
	"slices"
	"strings"
	"sync"
	"time"
)

// Context says in which kind of process a run took place.
type Context int

// Contexts.
const (
	InTrial   Context = iota // a trial: other mutants may have been active in the process
	InCleanly                // a trial that failed in a process that was shown to be clean
	Alone                    // one test in a process of its own
	InSuite                  // a whole-suite run: all tests but quarantined ones, as go test runs them
	InPart                   // a whole-suite run without the tests in Plan.LeftOut
	InQuick                  // the quick tests of a large suite that infect the mutant, in one process
	InSlow                   // one test of a large suite that runs by itself, because it is slow or Colliding
	InControl                // the tests of InQuick without the mutant: no survey ran just these together
)

// Step describes a run of a mutant.
type Step struct {
	Context Context
	Test    string // the test that runs, for Alone and InSlow; otherwise empty
	// Unbounded turns the step bound off. Goroutines that a test leaves behind go on taking
	// steps during other tests, which would look like a hang.
	Unbounded bool
}

// Entry is one run of a mutant by the tests of a suite.
type Entry struct {
	Step
	Kind    string   // Pass, or how it failed: Test, Crash or Hang
	Failed  string   // the test that failed, with its subtest; "" if unknown
	Random  bool     // for a trial: the test both passed and failed
	ByClock bool     // it failed only because it exceeded a time limit
	Idle    bool     // no test ran, so it says nothing
	Tests   []string // of a run InControl: those that ran
	Took    time.Duration
	Funcs   []int // the probe's numbers of the functions that ran; for a trial, so far in the process
}

// How a run ended, with the kinds of failure named as in results.json.
const (
	Pass  = ""
	Test  = "test"  // an assertion failed
	Crash = "crash" // a panic, an exit, a fatal error, too much memory
	Hang  = "hang"  // the step bound or a deadline was exceeded
)

// TopLevel returns the top-level test that a subtest belongs to. For a top-level test, that is the test itself.
func TopLevel(name string) string {
	top, _, _ := strings.Cut(name, "/")
	return top
}

// Ledger holds all runs of all mutants by the tests of one suite. The zero value is empty and ready to use. A Ledger is
// safe for concurrent use.
type Ledger struct {
	mu      sync.Mutex
	entries map[int][]Entry // by mutant
}

// Add records a run of the mutant with the given number.
func (l *Ledger) Add(mutant int, e Entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.entries == nil {
		l.entries = map[int][]Entry{}
	}
	l.entries[mutant] = append(l.entries[mutant], e)
}

// Of returns a copy of the runs of the mutant with the given number, in the order in which they were added.
func (l *Ledger) Of(mutant int) []Entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.entries[mutant])
}
