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

// reasonCounts marks entries that run known code another number of times. They help the search of the next analysis,
// and are not shown.
const reasonCounts = "counts"

// maxCounts bounds the entries that have no other reason and are saved for one target. Older entries of its corpus
// count towards it.
const maxCounts = 1000

// Target is a fuzz target or a driver, and what is known of it.
type Target struct {
	*weave.Target
	Binary string // path of the test binary that holds it
	// Driver says that the target was generated: it asserts nothing, and callers need not be able to make its inputs.
	Driver bool
	kept   bool           // the shared corpus had entries of it
	carved []corpus.Entry // those of corpus that come from calls of tests; see carve
	made   program.Made   // what it was generated for; zero for a user's fuzz target
	kind   string         // as results.json has it
	corpus []corpus.Entry
	known  map[string]bool // IDs of entries that it has or had in corpus, seeds and crashes included
	// seeds has, by ID, the names that go test gives to inputs that are in the tree: those added by f.Add, and
	// committed files.
	seeds       map[string]string
	struck      map[int]bool // observation sites that are not deterministic
	blocks      map[int]bool // block counters that some input moved
	steps       int          // calls between it and a function in scope; see reach.Unknown
	execs       int64
	originals   int64               // runs of the program itself, which execs includes
	invalid     int64               // of originals: runs that it skipped and, for a driver, failures of the program
	broken      string              // why it cannot be fuzzed; empty: it can
	invalidRuns int                 // runs given up because its process reported invalid data; guarded by Fuzzer.mu
	found       map[string]*finding // new entries, by ID
	order       []string            // IDs in found, in the order of discovery
	deadly      map[string]bool     // IDs of entries on which the program ended the process
	unfit       map[string]bool     // IDs of entries that do not fit its arguments
	rejected    map[string]bool     // keys of claims that did not repeat
	notices     map[int]bool        // mutants that t kills: where tests kill them, too, t has no more to tell
}

// drives reports whether t was made for a function.
func (t *Target) drives(function string) bool { return slices.Contains(t.made.For, function) }

// finding is a new corpus entry and the reasons to keep it.
type finding struct {
	entry   corpus.Entry
	reasons []string
	mutants []int
}

// newTarget returns a target that is some calls away from a function in scope; see Target.steps.
func newTarget(woven *weave.Target, binary string, steps int) *Target {
	return &Target{
		Target: woven, Binary: binary, steps: steps, known: map[string]bool{}, seeds: map[string]string{}, struck: map[int]bool{}, deadly: map[string]bool{},
		blocks: map[int]bool{}, unfit: map[string]bool{}, found: map[string]*finding{}, rejected: map[string]bool{}, notices: map[int]bool{},
	}
}

// add puts an entry into the corpus of t and records the reason to keep it. An entry that crashes the program is
// recorded, but not added to the corpus. Without a mutant, entries that the corpus had before this run are ignored.
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

// drop removes one reason to keep an entry.
func (t *Target) drop(id, reason string) {
	if f := t.found[id]; f != nil {
		f.reasons = slices.DeleteFunc(f.reasons, func(other string) bool { return other == reason })
	}
}

// Refute notes that an entry of t does not make the program fail after all.
func (t *Target) Refute(id string) { t.drop(id, results.EntryCrash) }

// Entry returns the entry of t with an ID, and whether t has it.
func (t *Target) Entry(id string) (corpus.Entry, bool) {
	if f := t.found[id]; f != nil {
		return f.entry, true
	}
	if i := slices.IndexFunc(t.corpus, func(e corpus.Entry) bool { return e.ID == id }); i >= 0 {
		return t.corpus[i], true
	}
	return corpus.Entry{}, false
}

// save stores what t found, except entries that crash the program: people who should not see a crash before it is fixed
// may read a shared corpus.
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

// driverSilence is how long a run of a driver may go without any step in fuzzing that is bounded by time. An input that
// takes longer, such as a power with a huge exponent, is not worth waiting for.
const driverSilence = 500 * time.Millisecond

// driverLongest is how long one run of a driver may take then, even if it makes steps. An input with which a loop of
// the program takes longer is not one to show, and a few of these would take the time of all others.
const driverLongest = time.Second

// run returns the command that runs a job in the binary of t. It fills in what the job has to know about a driver.
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

// With returns a copy of t for another binary. The copy counts its own invalid runs; its maps and its weave.Target are
// those of t.
func (t *Target) With(binary string) *Target {
	other := *t
	other.Binary = binary
	return &other
}

// Untrusted reports whether any run of t was given up because its process reported invalid data.
func (t *Target) Untrusted() bool { return t.invalidRuns > 0 }

// maxInvalid is how many workers of one job may report invalid data before the job ends, and how many runs of a target
// are given up for that reason before it is not run at all.
const maxInvalid = 3

// noteInvalid notes that a run of t was given up because its process reported invalid data each time. t is no longer
// fuzzed, but what was found so far is confirmed.
func (f *Fuzzer) noteInvalid(t *Target, invalid error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if t.invalidRuns++; t.invalidRuns == 1 {
		f.Warn("%s is no longer fuzzed: its test process reported invalid data: %v", t.Name, invalid)
	}
}

// givenUp reports whether t is no longer run at all, not even to confirm what was found.
func (f *Fuzzer) givenUp(t *Target) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return t.invalidRuns >= maxInvalid
}
