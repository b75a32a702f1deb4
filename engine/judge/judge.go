// Package judge decides by the tests which mutants are killed and which survive.
//
// The oracle is the go command: a mutant is killed if go test of a package fails
// with it and passes without, and has survived if it passes. The kinds of runs here
// find that out sooner, or confirm it:
//
//   - A survey runs the tests without a mutant, for what they reach and infect, how
//     long they take, and which of them are flaky. Flaky tests kill nothing, but for those that hardly ever fail.
//   - A trial runs many mutants in one process. It hints at the test that kills a
//     mutant, and is enough for a kill if the process is shown to be clean.
//   - A run alone is one test in a process of its own, with the mutant active.
//   - A whole-suite run is all tests of a package as go test runs them, with the
//     mutant active from the start. A survivor has to pass it.
//
// Every run is an entry in the ledger of a suite: [ledger.Decide] says what the entries of a mutant amount
// to, and which run is due; it depends on these and on the plan only. [Result.Decide] puts together what all suites say.
package judge

import (
	"context"
	"slices"
	"time"
)

// Mutant is what judging needs to know of a mutant.
type Mutant struct {
	Number  int    // value of the probe's M, from 1
	Package string // import path
	Block   int    // counter that counts when it is reached; -1: unknown, it counts as never reached
	Probed  bool   // surveys record whether it infects the state; else it is taken to whenever it is reached
	Class   int    // of the order in which mutants are judged: all of a class before any of the next
}

// Suite is the tests of one package.
type Suite struct {
	Package string
	// Only are the tests that may reach a mutant, if that is known; nil: all may.
	// Others are neither surveyed nor run.
	Only []string
	// Near returns the tests that may reach a mutant, the nearest first; nil: that is not known, all
	// may. It is slow, and called only if each test has to be surveyed by itself. Nil: all may.
	Near func(context.Context) []string
	// Apart says that no other process runs beside those of the suite: its tests use what there is
	// only once on a machine, such as a port. A survey finds that out.
	Apart bool
	// Roomy says that its tests need more memory than others may have. A survey finds that out, and
	// then has the suite run apart, too.
	Roomy bool
	// Without are the subtests that are left out of all runs, because they fail without a mutant, while many others of
	// their tests pass. A survey finds that out.
	Without []string
}

// Spec is a run of one process.
type Spec struct {
	Suite  *Suite
	Tests  []string // top-level names, in any order; nil: all of the suite
	Skip   []string // of all of the suite
	Mutant int      // value of M from the start: a mutant's number, or wire.Original, Probed or Identity
	Steps  int64    // that it takes without a mutant; 0: unknown
	// Unbounded says that only a time limit ends the run, not the number of steps.
	Unbounded bool
	Takes     time.Duration // that it takes without a mutant; 0: unknown
	Limit     time.Duration // after which it is ended; 0: a generous one
	Verbose   bool          // it tells which tests skip the rest of themselves, and which pass
}

// Report is the result of a run.
type Report struct {
	Kind    string // as of a [ledger.Entry]
	Failed  []string
	Message string
	Output  string
	ByClock bool     // it failed only because it exceeded a time limit
	Before  []string // the tests that had failed by then
	TooBig  bool     // it failed because it exceeded the limit on memory, or that on stacks
	NoTests bool     // there was no test to run
	Skipped []string // tests that skipped the rest of themselves, or of a subtest; known of Cover and verbose runs
	Passed  []string // tests and subtests that passed; known of verbose runs
	Took    time.Duration
	Steps   int64
	Blocks  []int  // counters that moved, ascending
	Marks   []byte // infection marks by mutant, as the probe leaves them
	Funcs   []int  // functions entered
	// Untrusted says that the process reported invalid data, so that it may have run
	// any code.
	Untrusted bool
}

// Executor runs tests. Its methods may be called from several goroutines; they wait
// until another process may run. An error is a fault of ours, or that of a context
// that is done.
type Executor interface {
	// Width is how many processes may run at once.
	Width() int
	// List returns the tests of a suite, in the order in which go test runs them.
	List(ctx context.Context, s *Suite) ([]string, error)
	// Run runs one process.
	Run(ctx context.Context, s Spec) (Report, error)
	// Allow finds out whether a run that fails, or those of its tests that do not fail in any case,
	// would pass with a loosened sandbox, and if so loosens it from now on.
	Allow(ctx context.Context, s Spec) (bool, error)
	// Blame finds the test that ends a run whose output names none, as one does that
	// calls os.Exit. It returns none if it finds none.
	Blame(ctx context.Context, s Spec) ([]string, error)
	// Explain says why tests fail repeatedly without a mutant.
	Explain(ctx context.Context, s Spec) (Explanation, error)
	// Registered are the tests of a suite that Cover and Try can run.
	Registered(s *Suite) []string
	// Cover runs registered tests one after the other in one process without a
	// mutant, and reports what each did that passed. The process may end before it has
	// run all.
	Cover(ctx context.Context, s *Suite, tests []string) (map[string]Report, error)
	// Try runs mutants in one process, each on its tests, and returns the verdict on
	// each, in order. The process may end before it has tried all; began says that the
	// tests were run at all.
	Try(ctx context.Context, s *Suite, trials []Trial) (verdicts []Verdict, began bool, err error)
}

// Explanation says why tests fail repeatedly without a mutant.
type Explanation struct {
	Woven  []string // those of them that pass where nothing is instrumented; all else is about the others
	Why    string   // in words that fit after "it"
	Broken bool     // they fail with plain go test, too
}

// Trial is a mutant and the registered tests to run it on.
type Trial struct {
	Mutant int
	Tests  []TrialTest
	Takes  time.Duration // what the slowest of them takes without a mutant
}

// TrialTest is a test of a trial.
type TrialTest struct {
	Name  string
	Steps int64 // that it takes without a mutant; 0: unknown
	Once  bool  // a failure is a hint, and not repeated
}

// Test is the test of that name; nil: it is none of the trial.
func (t *Trial) Test(name string) *TrialTest {
	i := slices.IndexFunc(t.Tests, func(x TrialTest) bool { return x.Name == name })
	if i < 0 {
		return nil
	}
	return &t.Tests[i]
}

// Verdict is the result of the trial of a mutant.
type Verdict struct {
	Mutant int
	Kind   string // as of a [ledger.Entry]: ledger.Pass if all tests passed
	Test   string // that decided, with the subtest
	// Random says that the test both passed and failed with the mutant, Drift that it
	// failed without it, too.
	Random, Drift bool
	// Early says that the mutant's function ran before the tests, when the mutant was
	// not active yet, so that go test may give another result.
	Early bool
	// Clean says that the process was clean: after this trial the original still passed
	// all tests that had failed with a mutant.
	Clean bool
	Funcs []int // functions entered so far in the process
}
