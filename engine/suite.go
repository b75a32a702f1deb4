package engine

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/probe"
	"github.com/mutantfuzz/mutantfuzz/engine/verdicts"
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// suite is the woven test binary of one package.
type suite struct {
	pkg     string
	dir     string // absolute, in the user's tree
	binary  string
	tests   []*test
	start   time.Duration     // what a process takes that runs no test
	texts   map[string]string // source of the tests, by name
	book    *verdicts.Book    // nil: nothing is remembered
	killers *verdicts.Book    // by mutant: the test that killed it last
	part    bool              // only the tests that may reach a mutant are in tests; of others nothing is known
	// heard are the tests that fail now and then alone, but never in company; known
	// once mutants run there.
	heard    []*test
	parallel bool // some tests may run at once
	// uncounted says that no tests run at once and, by the source of the package and what it
	// imports of the unit, nothing asks how many processors there are.
	uncounted bool
	// undoes says that mutants are to be judged which bring old lines back.
	undoes bool
	// gathers says that what the tests leave alive one by one they judge together.
	gathers bool
	// unpruned says that every test judges every mutant.
	unpruned bool
	lies     atomic.Int32 // of processes in which mutants were tried
}

// test is one top-level test, example or fuzz target (its seeds).
type test struct {
	*suite
	name      string
	order     int           // among the tests of the suite, as the go command runs them
	duration  time.Duration // of a process that runs nothing else, at best
	steps     int64
	work      uint64       // counts of the blocks it ran, together: its cost, the same in every run
	frugal    bool         // by the source of its suite, and its own surveys, one processor does for it
	unsteady  bool         // by its source, or by the blocks of its first runs, it may not always do the same
	seeded    bool         // by its source, it does the same in all processes that start in the same second
	tried     atomic.Bool  // it can be run many times in one process, as far as is known
	blocks    map[int]bool // counters it moved
	marks     []byte       // infection marks it left
	chancy    atomic.Bool  // it does not always do the same without a mutant: what it says is weighed
	chancyIn  sync.Map     // IDs of functions with whose mutants it was seen to contradict itself
	flaky     atomic.Bool  // it has failed without a mutant too, after it had been surveyed
	skip      string       // of all tests together, which have no name: those left out
	surveyed  bool         // it has been run without a mutant as often as it takes
	aside     string       // why it judges nothing; empty: it does
	remembers bool         // by its source, it may leave something for later tests, or see what others left
	// inAnyOrder says that by its source the order of a map decides what it leaves
	// for itself to see.
	inAnyOrder bool
	// failsWithin says that the test runs tests of its own that fail, as those of
	// testing frameworks do, and passes: it must not end with the first failure.
	failsWithin bool
	usually     int // how many of many runs in one process fail without a mutant

	doubting sync.Mutex
	doubted  bool // guarded by doubting
	single   bool // it cannot run more than once in a process; known once it was doubted
	// each is what one of many runs in a process takes; 0 until it was doubted, or if single.
	each time.Duration
}

func (t *test) String() string { return t.pkg + "." + t.name }

// cost is what t takes in a process that runs others too.
func (t *test) cost() time.Duration { return max(t.duration-t.start, 0) }

// goesByChance reports whether what t says of m is weighed: t does not always do the same
// without a mutant, or did not with one of the same function. What goes by chance then is
// most likely what that function does, so that mutants of others need not be weighed.
func (t *test) goesByChance(m *mutant) bool {
	if t.chancy.Load() {
		return true
	}
	_, seen := t.chancyIn.Load(m.Function)
	return seen
}

// contradicted notes that t has passed and failed with m.
func (t *test) contradicted(m *mutant) { t.chancyIn.Store(m.Function, true) }

// isMisled reports whether what t says hangs on chance and on the tests before it in the
// same process. One that always does the same says there what it says under the go command.
func (t *test) isMisled() bool { return t.unsteady && t.remembers }

// isSolitary reports whether t is to share no process: it is misled there, and what it
// notices nowhere else will not be heard when all tests of the suite run together.
func (t *test) isSolitary() bool { return t.isMisled() && !t.gathers }

// reaches reports whether t evaluates the mutated code of m.
func (t *test) reaches(m *mutant) bool {
	if m.Probed {
		return t.marks[m.number]&probe.MarkEvaluated != 0
	}
	return t.blocks[m.Block]
}

// infects reports whether t may see another state with m active. A mutant
// without a probe counts as infected whenever it is reached. One of a function that asks for
// the time does, in a test that may not always do the same, whenever that function is entered:
// probed clones are slower than others, and the way that the clock had them take in a few runs
// tells little of where these come.
func (t *test) infects(m *mutant) bool {
	switch {
	case t.unsteady && m.unsteady:
		return t.blocks[m.Entry]
	case m.Probed:
		return t.shows(m)
	}
	return t.blocks[m.Block]
}

// shows reports whether t was seen to make a difference where m, which has a probe, is.
func (t *test) shows(m *mutant) bool { return t.marks[m.number]&probe.MarkInfected != 0 }

// judges reports whether m is run against t.
func (t *test) judges(m *mutant) bool {
	return t.aside == "" && (t.unpruned || t.infects(m))
}

func topLevel(name string) string {
	top, _, _ := strings.Cut(name, "/")
	return top
}

// topLevels are the tests that names of subtests belong to, each once.
func topLevels(names []string) []string {
	var list []string
	for _, name := range names {
		if top := topLevel(name); !slices.Contains(list, top) {
			list = append(list, top)
		}
	}
	return list
}

// killer is the test of s that killed m, or nil.
func (s *suite) killer(m *mutant) *test {
	if m.killedBy == nil {
		return nil
	}
	name, ok := strings.CutPrefix(m.killedBy.Name, s.pkg+".")
	if !ok {
		return nil
	}
	return find(s.tests, []string{name})
}

func allTests(suites []*suite) []*test {
	var all []*test
	for _, s := range suites {
		all = append(all, s.tests...)
	}
	return all
}

// slow is by how much durations have to differ to count: the order of tests must
// not hang on the clock.
const slow = 250 * time.Millisecond

// against are the tests that may tell m from the program and have not yet: the
// one that did so in an earlier run, then the cheap ones first; those that go by
// chance last.
func (s *suite) against(m *mutant) []*test {
	var tests []*test
	for _, t := range s.tests {
		if t.judges(m) && !t.flaky.Load() && !slices.Contains(m.atRandom, t) && !(slices.Contains(m.passed, t) && m.believes(t)) {
			tests = append(tests, t)
		}
	}
	likely := s.likely(m)
	slices.SortStableFunc(tests, func(a, b *test) int {
		return cmp.Or(lessIf(!m.weighs(a), !m.weighs(b)), lessIf(a.name == likely, b.name == likely),
			cmp.Compare(a.duration/slow, b.duration/slow), cmp.Compare(a.work, b.work))
	})
	return tests
}

// lessIf orders what holds before what does not.
func lessIf(a, b bool) int {
	switch {
	case a && !b:
		return -1
	case b && !a:
		return 1
	}
	return 0
}

func find(tests []*test, failed []string) *test {
	for _, name := range failed {
		for _, t := range tests {
			if t.name == topLevel(name) {
				return t
			}
		}
	}
	return nil
}

// killedBy says that one of tests failed as o says.
func killedBy(tests []*test, o worker.Outcome) results.KilledBy {
	failed := o.Failed
	if o.Kind == results.KindCrash && tests[0].parallel {
		failed = topLevels(failed) // the output need not name the subtest that panicked
	}
	return results.KilledBy{By: results.ByTest, Kind: o.Kind, Name: nameOf(tests, failed)}
}

// nameOf names the test that failed, with its subtest where the output tells.
func nameOf(tests []*test, failed []string) string {
	best := tests[0].String()
	for _, name := range failed {
		for _, t := range tests {
			if full := t.pkg + "." + name; t.name == topLevel(name) && (len(full) > len(best) || best == tests[0].String() && t != tests[0]) {
				best = full
			}
		}
	}
	return best
}
