// Package executor is what runs tests, as judging sees it: the runs that it can ask for, and what they report. Package pool
// runs them in processes; tests of judging use a fake.
package executor

import (
	"context"
	"slices"
	"time"
)

// Suite is the tests of one package.
type Suite struct {
	Package string
	// Only are the tests that may reach a mutant. Other tests are neither surveyed nor run. Nil: all tests may.
	Only []string
	// Near returns the tests that may reach a mutant, the nearest first; nil means that it does not know, so all may.
	// It is slow, and called only if each test has to be surveyed by itself. A nil func: all tests may.
	Near func(context.Context) []string
	// Likely returns tests that probably reach a mutant. They are surveyed first where Near does not know which may. Nil: no
	// test is more likely to than others.
	Likely func() []string
	// Apart says that no other process may run beside the suite: its tests need something that a machine has only
	// once, such as a port. A survey sets it.
	Apart bool
	// Roomy says that the tests need more memory than the usual limit. A survey sets it, and then sets Apart, too.
	Roomy bool
	// Without are the subtests to leave out of all runs: they fail without a mutant, while many other subtests of the
	// same test pass. A survey sets it.
	Without []string
}

// Has reports whether s has all tests of o, another suite of the same package.
func (s *Suite) Has(o *Suite) bool {
	return s.Only == nil || o.Only != nil && !slices.ContainsFunc(o.Only, func(test string) bool { return !slices.Contains(s.Only, test) })
}

// Spec describes a run of one process.
type Spec struct {
	Suite  *Suite
	Tests  []string // top-level names, in any order; nil: all of the suite
	Skip   []string // tests to leave out
	Mutant int      // initial value of M: a mutant's number, or wire.Original, Probed or Identity
	Steps  int64    // taken without a mutant; 0: unknown
	// Unbounded says that no step bound ends the run, only a time limit.
	Unbounded bool
	Takes     time.Duration // duration without a mutant; 0: unknown
	Limit     time.Duration // upper bound on the time limit; 0: none
	Verbose   bool          // report which tests pass, and which skip the rest of themselves
}

// Report is the result of a run.
type Report struct {
	Kind    string // as in ledger.Entry
	Failed  []string
	Message string
	Output  string
	ByClock bool     // it failed only because it exceeded a time limit
	Before  []string // if ByClock: the tests that had failed before the time limit
	TooBig  bool     // it failed because it exceeded the limit on memory or on stacks
	NoTests bool     // it did not fail, and no test was seen to run: TestMain may have ended the process before
	Skipped []string // tests that skipped the rest of themselves or of a subtest; only from Cover and verbose runs
	Passed  []string // tests and subtests that passed; only from verbose runs
	Took    time.Duration
	Steps   int64
	Blocks  []int  // counters that moved, ascending; only from Cover and runs of wire.Probed
	Marks   []byte // infection marks by mutant, as the probe leaves them; likewise
	Funcs   []int  // functions entered
	// Untrusted says that the process reported invalid data, so that it may have run any code.
	Untrusted bool
}

// Executor runs tests. Its methods may be called from several goroutines, and wait until another process may run.
// They return an error if we are at fault, or if the context is done.
type Executor interface {
	// Width returns how many processes may run at once.
	Width() int
	// List returns the tests of a suite, in the order in which go test runs them.
	List(ctx context.Context, s *Suite) ([]string, error)
	// Run runs one process.
	Run(ctx context.Context, s Spec) (Report, error)
	// Allow finds out whether a failing run would pass in a loosened sandbox, apart from tests that fail there as
	// well. If so, it loosens the sandbox from then on and returns true.
	Allow(ctx context.Context, s Spec) (bool, error)
	// Blame returns the tests that make a run fail whose output names none, as when a test calls os.Exit. It returns
	// none if it cannot find any.
	Blame(ctx context.Context, s Spec) ([]string, error)
	// Explain says why tests fail repeatedly without a mutant.
	Explain(ctx context.Context, s Spec) (Explanation, error)
	// Registered returns the tests of a suite that Cover and Try can run.
	Registered(s *Suite) []string
	// Cover runs registered tests one after the other in one process, without a mutant. It reports what each passing
	// test did, and how many ran to their end: the process may end within one.
	Cover(ctx context.Context, s *Suite, tests []string) (reports map[string]Report, ran int, err error)
	// Try runs mutants in one process, each on its tests, and returns their verdicts in order. The process may end
	// before it has tried all of them. began reports whether tests ran at all.
	Try(ctx context.Context, s *Suite, trials []Trial) (verdicts []Verdict, began bool, err error)
}

// Explanation says why tests fail repeatedly without a mutant.
type Explanation struct {
	Woven  []string // tests that pass uninstrumented; the other fields are about the remaining ones
	Why    string   // phrase that fits after "it", such as [FailsElsewhere]
	Broken bool     // the tests fail with plain go test, too
}

// Reasons for which a test fails without a mutant, as phrases that fit after "it".
const (
	FailsWoven     = "fails on the unmodified code when it is instrumented, which is a fault of mutantfuzz"
	FailsElsewhere = "passes only in the folder that it was compiled in" // and not in the copy of the tree
)

// Trial is a mutant and the registered tests to run it on.
type Trial struct {
	Mutant int
	Tests  []TrialTest
	Takes  time.Duration // duration of the slowest test without a mutant
}

// TrialTest is one test of a trial.
type TrialTest struct {
	Name  string
	Steps int64 // taken without a mutant; 0: unknown
	Once  bool  // do not repeat the whole test if it fails: that would take longer than a run alone
}

// Test returns the test with that name; nil if the trial has none.
func (t *Trial) Test(name string) *TrialTest {
	i := slices.IndexFunc(t.Tests, func(x TrialTest) bool { return x.Name == name })
	if i < 0 {
		return nil
	}
	return &t.Tests[i]
}

// Verdict is the result of the trial of one mutant.
type Verdict struct {
	Mutant int
	Kind   string // as in ledger.Entry; ledger.Pass if all tests passed
	Test   string // the deciding test, with its subtest
	// Repeated says that it failed each time, and passed without the mutant. Otherwise its failure is only a hint.
	Repeated bool
	// Random says that the test both passed and failed with the mutant. Drift says that it failed without it, too.
	Random, Drift bool
	// Early says that the mutant's function ran before the tests, while the mutant was not active yet. So go test may
	// give another result.
	Early bool
	// Clean says that the process was clean: after this trial, all tests that had failed with a mutant still passed
	// without one.
	Clean bool
	Funcs []int // functions entered so far in the process
}
