// Package judge finds out what the tests say of each mutant.
//
// The oracle is the go command: a mutant is killed if go test of a package fails
// with it and passes without, and has survived if it passes. Everything here is a
// way to find that out sooner, or evidence that it is so:
//
//   - A survey runs the unmutated tests: what they reach and infect, how long
//     they take, and which of them are flaky. Those kill nothing.
//   - A trial runs many mutants in one process. It hints at the test that kills a
//     mutant, and is enough where the process is shown to be clean.
//   - A run alone is one test in a process of its own with the mutant active.
//   - A run of the suite is all tests of a package as go test runs them, with the
//     mutant active from the start. It is what a survivor has to pass.
//
// Every run is an entry in a [Ledger]. What a mutant's entries amount to is decided
// by [Decide], and what to run next by [Next]; both are functions of the entries and
// of nothing else.
package judge

import (
	"context"
	"time"
)

// Mutant is what judging needs to know of a mutant.
type Mutant struct {
	Number  int    // value of the probe's M, from 1
	Package string // import path
	Block   int    // counter that moves when it is reached; -1: unknown, nothing reaches it
	Probed  bool   // surveys tell whether it was infected; else it is, as far as anybody knows, wherever it is reached
	Class   int    // of the order in which mutants are judged: all of a class before any of the next
}

// Suite is the tests of one package.
type Suite struct {
	Package string
	// Only are the tests that may reach a mutant, where that is known; nil: all may.
	// Others are neither surveyed nor run.
	Only []string
	// Near returns the tests that may reach a mutant, the nearest first. It is asked
	// where each has to be surveyed by itself, and takes its time. Nil: all may.
	Near func(context.Context) []string
}

// Kinds of failures, as results.json names them.
const (
	Pass  = ""
	Test  = "test"  // an assertion failed
	Crash = "crash" // a panic, an exit, a fatal error, too much memory
	Hang  = "hang"  // the step bound, or a deadline
)

// Spec is a run of one process.
type Spec struct {
	Suite  *Suite
	Tests  []string // top-level names, in any order; nil: all of the suite
	Skip   []string // of all of the suite
	Mutant int      // value of M from the start: a mutant's number, or one of the probe's that are none
	Steps  int64    // what it takes without a mutant; 0: unknown
	// Unbounded says that only a clock ends the run, not the number of steps.
	Unbounded bool
	Takes     time.Duration // the same in time; 0: unknown
}

// Report is how a run went.
type Report struct {
	Kind    string // Pass, Test, Crash, Hang
	Failed  []string
	Message string
	Output  string
	ByClock bool // nothing but the time that it took says that it would not have ended
	NoTests bool // there was no test to run
	Took    time.Duration
	Coverage
}

// Coverage is what a run did.
type Coverage struct {
	Steps  int64
	Blocks []int  // counters that moved, ascending
	Marks  []byte // infection marks by mutant, as the probe leaves them
	Funcs  []int  // functions entered
	// Anything says that what the process tells of itself cannot be: it may have run any
	// code.
	Anything bool
}

// Executor runs tests. Its methods may be called from several goroutines; they wait
// until there is room for another process. An error is a fault of ours, or the end of
// the context.
type Executor interface {
	// Width is how many processes may run at once.
	Width() int
	// List returns the tests of a suite, in the order in which go test runs them.
	List(ctx context.Context, s *Suite) ([]string, error)
	// Run runs one process.
	Run(ctx context.Context, s Spec) (Report, error)
	// Allow finds out whether a run that fails would pass if tests were allowed more
	// than they are, and if so allows it from now on.
	Allow(ctx context.Context, s Spec) (bool, error)
	// Blame names the test that ends a run without a word, as one does that calls
	// os.Exit; none where that is not known.
	Blame(ctx context.Context, s Spec) ([]string, error)
	// Explain says why tests fail again and again without a mutant, in words that fit
	// after "it", and whether they do so under the go command too.
	Explain(ctx context.Context, s Spec) (why string, broken bool, err error)
	// Registered are the tests of a suite that Cover and Try can run.
	Registered(s *Suite) []string
	// Cover runs registered tests one after the other in one process without a
	// mutant, and reports what each did. It may end before it has reported all.
	Cover(ctx context.Context, s *Suite, tests []string, report func(test string, passed bool, took time.Duration, c Coverage)) error
	// Try runs mutants in one process, each on its tests, and reports what came of each
	// in order. It may end before it has reported all; it returns how the process ended.
	Try(ctx context.Context, s *Suite, trials []Trial, report func(Verdict)) (TrialEnd, error)
}

// Trial is a mutant and the registered tests to run it on.
type Trial struct {
	Mutant int
	Tests  []string
	Steps  []int64       // of each test without a mutant
	Takes  time.Duration // what the slowest of them takes
}

// Verdict is what a trial says of a mutant.
type Verdict struct {
	Mutant int
	Kind   string // Pass: all tests passed
	Test   string // that decided, with the subtest
	// Random says that the test passed as well as failed with the mutant, Drift that
	// it failed without as well.
	Random, Drift bool
	// Early says that the mutant's function had run before the tests did, when the mutant
	// was not active yet: go test might say something else.
	Early bool
	Funcs []int // functions entered so far in the process
}

// TrialEnd is how a process of trials ended.
type TrialEnd struct {
	Began bool // the tests were run at all
	// Clean is of how many verdicts it was shown afterwards that no mutant had changed
	// the process: the original still passed all tests that had failed.
	Clean int
}
