package fuzz

import (
	"context"
	"slices"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/engine/program"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// reasonCounts marks entries that run known code another number of times. They help
// the next run's search, and are not shown.
const reasonCounts = "counts"

// maxCounts bounds how many of those a shared corpus gets for one target.
const maxCounts = 1000

// Target is a fuzz target and what is known of it.
type Target struct {
	*weave.Target
	Binary      string         // that holds it
	Driver      bool           // it was generated: it asserts nothing, and not all of its inputs are ones that callers can make
	kept        bool           // the shared corpus had inputs of it
	carved      []corpus.Entry // of corpus, what tests pass to its function
	made        program.Made   // what it was generated for
	kind        string         // as results.json has it
	corpus      []corpus.Entry
	known       map[string]bool   // IDs in corpus
	seeds       map[string]string // by ID: what go test calls inputs that are in the tree, those that the target adds itself, or committed ones
	struck      map[int]bool      // observation sites that are not deterministic
	blocks      map[int]bool      // counters that some input moved
	steps       int               // calls between it and a function in scope; see reach.Unknown
	execs       int64
	originals   int64               // of these, runs of the program itself
	invalid     int64               // of originals: what the target skipped, and for a driver what the program failed on
	broken      string              // why it cannot be fuzzed; empty: it can
	invalidRuns int                 // runs given up because its process reported invalid data; guarded by Fuzzer.mu
	found       map[string]*finding // new entries by ID
	order       []string            // IDs in found, in the order of discovery
	deadly      map[string]bool     // IDs of entries that ended a process without a mutant
	unfit       map[string]bool     // IDs of entries that are no inputs of it
	rejected    map[string]bool     // "mutant entry" pairs that did not repeat
	notices     map[int]bool        // mutants that tests notice, and t does, too: there is no more to learn from t
}

// drives reports whether t was made for a function.
func (t *Target) drives(function string) bool { return slices.Contains(t.made.For, function) }

// finding is a new corpus entry and the reasons to keep it.
type finding struct {
	entry   corpus.Entry
	reasons []string
	mutants []int
}

// newTarget returns a woven target, which is some steps away from a function in scope.
func newTarget(woven *weave.Target, binary string, steps int) *Target {
	return &Target{
		Target: woven, Binary: binary, steps: steps, known: map[string]bool{}, seeds: map[string]string{}, struck: map[int]bool{}, deadly: map[string]bool{},
		blocks: map[int]bool{}, unfit: map[string]bool{}, found: map[string]*finding{}, rejected: map[string]bool{}, notices: map[int]bool{},
	}
}

// add puts an entry into t's corpus. A reason makes it a finding as well.
func (t *Target) add(e corpus.Entry, reason string, mutant int) {
	f := t.found[e.ID]
	if f == nil {
		if t.known[e.ID] && mutant == 0 { // it was in the corpus before this run
			return
		}
		if !t.known[e.ID] && reason != results.EntryCrash {
			t.corpus = append(t.corpus, e)
		}
		t.known[e.ID] = true
		f = &finding{entry: e}
		t.found[e.ID] = f
		t.order = append(t.order, e.ID)
	}
	if !slices.Contains(f.reasons, reason) {
		f.reasons = append(f.reasons, reason)
	}
	if mutant > 0 && !slices.Contains(f.mutants, mutant) {
		f.mutants = append(f.mutants, mutant)
	}
}

// drop takes a reason to keep an entry away.
func (t *Target) drop(id, reason string) {
	if f := t.found[id]; f != nil {
		f.reasons = slices.DeleteFunc(f.reasons, func(other string) bool { return other == reason })
	}
}

// Refute notes that an entry of t does not make the program fail after all.
func (t *Target) Refute(id string) { t.drop(id, results.EntryCrash) }

// Entry returns the entry of t with an ID.
func (t *Target) Entry(id string) (corpus.Entry, bool) {
	if f := t.found[id]; f != nil {
		return f.entry, true
	}
	if i := slices.IndexFunc(t.corpus, func(e corpus.Entry) bool { return e.ID == id }); i >= 0 {
		return t.corpus[i], true
	}
	return corpus.Entry{}, false
}

// save stores what t found, except what crashes the program: a shared corpus may be
// read by people who should not see a crash before it is fixed.
func (f *Fuzzer) save(ctx context.Context, t *Target) {
	if f.Corpus == nil {
		return
	}
	// New entries are stored even if the time is up.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), saveTime)
	defer cancel()
	var list []corpus.Entry
	counts := len(t.corpus) - len(t.found)
	for _, id := range t.order {
		f := t.found[id]
		if slices.Contains(f.reasons, results.EntryCrash) || len(f.reasons) == 0 {
			continue
		}
		if slices.Equal(f.reasons, []string{reasonCounts}) {
			if counts++; counts > maxCounts {
				continue
			}
		}
		list = append(list, f.entry)
	}
	if err := f.Corpus.Save(ctx, t.Name, list); err != nil {
		f.Warn("the corpus was not saved: %v", err)
	}
}

// driverSilence is how long a driver may run user code without any step while it is fuzzed for a time. What takes longer, such as a
// power with a huge exponent, is no input worth waiting for.
const driverSilence = 500 * time.Millisecond

// driverLongest is how long one run of a driver may take then, with steps: an input that a loop of the program takes
// longer with is none to show, and a few of these would take the time of all others.
const driverLongest = time.Second

// run is a run of t's binary with a job.
func (t *Target) run(job *wire.Job, mutant int, steps int64, on func(*wire.Event)) worker.Command {
	if job.Driver, job.Reads = t.Driver, t.made.Reads; t.Driver {
		job.Home = t.Package
	}
	c := worker.Command{Binary: t.Binary, Job: job, Mutant: mutant, Steps: steps, OnEvent: on}
	if t.Driver && job.Kind == wire.JobFuzz && job.Timed() {
		c.Silence, c.Longest = driverSilence, driverLongest
	}
	return c
}

// With returns a copy of t for another binary. Later changes to one do not change the
// other.
func (t *Target) With(binary string) *Target {
	other := *t
	other.Binary = binary
	return &other
}

// Untrusted reports whether runs of t were given up because its process reported
// invalid data.
func (t *Target) Untrusted() bool { return t.invalidRuns > 0 }

// maxInvalid is how often a job is started again because its child reports invalid
// data, and how many runs of a target are given up for that until it is run no more.
const maxInvalid = 3

// noteInvalid notes that a run of t was given up because its child reported invalid
// data each time. t is not fuzzed any more, but what was found so far is confirmed.
func (f *Fuzzer) noteInvalid(t *Target, invalid error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if t.invalidRuns++; t.invalidRuns == 1 {
		f.Warn("%s is not fuzzed any more: its test process reported invalid data: %v", t.Name, invalid)
	}
}

// givenUp reports whether t is not run any more, not even to confirm what was found.
func (f *Fuzzer) givenUp(t *Target) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return t.invalidRuns >= maxInvalid
}
