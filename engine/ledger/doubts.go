package ledger

import (
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/sequential"
)

// Doubts has the runs without a mutant of the tests of a suite that failed or contradicted themselves. The zero value has none.
// Its methods may be called from several goroutines.
type Doubts struct {
	mu    sync.Mutex
	runs  map[Step]sequential.Runs // by kind of run and test in doubt
	took  map[Step]time.Duration
	flaky map[string]bool // tests that failed beside others and are not quarantined yet
	mixed map[string]bool // tests that both passed and failed with some mutant
	found bool            // since the last Take, a test was found to fail alone or to contradict itself
	finds int             // how many calls of Take found something
}

// Of returns the runs of the test in doubt, and how long they took together.
func (d *Doubts) Of(s Step) (sequential.Runs, time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.runs[s], d.took[s]
}

// Add adds a run of the test in doubt.
func (d *Doubts) Add(s Step, failed bool, took time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.runs == nil {
		d.runs, d.took = map[Step]sequential.Runs{}, map[Step]time.Duration{}
	}
	n := d.runs[s]
	if failed {
		n.Failed++
	} else {
		n.Passed++
	}
	d.runs[s] = n
	d.took[s] += took
}

// Failing returns the runs of the tests that failed at least once.
func (d *Doubts) Failing() map[Step]sequential.Runs {
	d.mu.Lock()
	defer d.mu.Unlock()
	failing := maps.Clone(d.runs)
	maps.DeleteFunc(failing, func(_ Step, n sequential.Runs) bool { return n.Failed == 0 })
	return failing
}

// Fails notes that the test of s fails without a mutant.
func (d *Doubts) Fails(s Step) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if s.Context == Alone {
		d.found = true
		return
	}
	if d.flaky == nil {
		d.flaky = map[string]bool{}
	}
	d.flaky[s.Test] = true
}

// Contradicts notes that a test both passed and failed with a mutant. The mutants that it reaches have to pass again.
func (d *Doubts) Contradicts(test string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.mixed == nil {
		d.mixed = map[string]bool{}
	}
	d.found = d.found || !d.mixed[test]
	d.mixed[test] = true
}

// Steady reports whether no test contradicts itself with any mutant.
func (d *Doubts) Steady() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.mixed) == 0
}

// Contradicted reports whether a test both passed and failed with some mutant.
func (d *Doubts) Contradicted(test string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.mixed[test]
}

// Take returns the tests to quarantine, and whether anything was found since the last call.
func (d *Doubts) Take() (flaky []string, found bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	flaky = slices.Sorted(maps.Keys(d.flaky))
	found = d.found || len(flaky) > 0
	d.flaky, d.found = nil, false
	if found {
		d.finds++
	}
	return flaky, found
}

// Finds returns how many calls of Take found something.
func (d *Doubts) Finds() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.finds
}
