// Package engine analyses a change: it mutates the functions in scope, weaves
// all mutants into test binaries, runs the tests on them, fuzzes mutants and
// program, confirms what it found, and gives a verdict on every mutant.
package engine

import (
	"context"
	"errors"
	"regexp"
	"time"

	"github.com/mutantfuzz/mutantfuzz/diffscope"
	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/engine/journal"
	"github.com/mutantfuzz/mutantfuzz/engine/judge"
	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
	"github.com/mutantfuzz/mutantfuzz/engine/program"
	"github.com/mutantfuzz/mutantfuzz/engine/sandbox"
	"github.com/mutantfuzz/mutantfuzz/engine/verdicts"
	"github.com/mutantfuzz/mutantfuzz/engine/verify"
	"github.com/mutantfuzz/mutantfuzz/internal/deadline"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Tests says whose tests may kill a mutant.
type Tests string

// Values of Tests.
const (
	TestsAuto       Tests = "auto"       // the package's own, then those of packages that depend on it
	TestsPackage    Tests = "package"    // the package's own
	TestsDependents Tests = "dependents" // the package's own and those of packages that depend on it, always
	TestsAll        Tests = "all"        // those of every package of the program
	TestsNone       Tests = "none"
)

// Config says how to analyse.
type Config struct {
	Env         []string       // environment of the go command and, scrubbed, of tests
	BuildFlags  []string       // as -tags
	TestFlags   []string       // in the form the test binary takes, as -test.short
	SkipTests   *regexp.Regexp // top-level tests to leave out; nil: none
	Tests       Tests
	Time        time.Duration // bound on everything; 0: none
	Execs       int64         // bound on fuzzing runs; 0: no fuzzing; negative: bounded by Time
	MutantShare float64       // part of the fuzzing for the mutants first, 0 to 1
	Workers     int
	Sandbox     sandbox.Mode
	Seed        int64
	Unwatched   bool            // what tests call is neither evidence nor a seed of drivers
	Harnesses   []HarnessKind   // besides the user's fuzz targets
	Corpus      corpus.Store    // nil: keep nothing
	Verdicts    *verdicts.Store // of the tests, from earlier runs; nil: keep none
	Fresh       bool            // do not use those of earlier runs
	Progress    Progress        // nil: silent
	// Choose returns those of a function's mutants that there are to be, and may set
	// Ignored of them. It is called for one function after the other; nil: all.
	Choose func(*mutate.Function, []mutate.Mutant) []mutate.Mutant
	// Unpruned runs every mutant on every test that is not quarantined, even if the
	// test does not reach or infect it. That is slow and should change no verdict; it
	// is there to check just that.
	Unpruned bool
	// Shown names the mutants that a report would show, which are confirmed by
	// plain rebuilds, and whose inputs are made easier to read; it is called again
	// if some are not confirmed. Nil: exposed mutants and survivors, in order.
	Shown func(*results.Results) Shown
	only  string // ID of the mutants to judge; empty: all
}

// Shown are the mutants that a report would show, by ID.
type Shown = verify.Shown

// Progress receives how far an analysis is.
type Progress = journal.Progress

// BrokenError says that the analysed program does not build.
type BrokenError = program.BrokenError

// BaselineError says that no test of the touched packages passes without a mutant, so that
// nothing can be judged by them.
type BaselineError = judge.BaselineError

// HarnessKind makes harnesses beside the user's fuzz targets.
type HarnessKind = program.HarnessKind

// Output is what an analysis leaves besides the results.
type Output struct {
	Results *results.Results
	Entries map[string][]corpus.Entry // by harness: every entry that Results refers to
	Tests   []byte                    // a patch for the root with all tests that are suggested
	Spared  []string                  // IDs of survivors that no test was run with: none reaches or infects them
}

// Run analyses the functions of scope. When ctx ends or the time is up, what
// has been found so far is returned, with Results.Partial set and no error.
// Results are returned with an error too, where there are any: of several programs, those that can be analysed are.
//
// Errors: *gotool.BuildError, *BrokenError and *BaselineError when the program cannot
// be analysed; anything else is a fault of ours or of the system.
func Run(ctx context.Context, cfg Config, scope *diffscope.Scope) (*Output, error) {
	r := newRun(cfg, scope)
	defer r.workspace.Close()
	r.startGuard()
	if cfg.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, cfg.Time)
		defer cancel()
	}
	var failed error // of programs that cannot be analysed; others can
	for n, p := range r.programs {
		a := r.analysis(p)
		part, cancel := deadline.Part(ctx, 1/float64(len(r.programs)-n))
		err := a.analyse(part)
		cancel()
		r.collect(a)
		if err != nil && !deadline.Over(ctx, err) {
			failed = errors.Join(failed, err)
		}
		r.res.Partial = r.res.Partial || err != nil || a.short()
	}
	return r.output(), failed
}

// List finds the mutants of scope without running anything. Mutants that do
// not compile are known already; all others are pending.
func List(ctx context.Context, cfg Config, scope *diffscope.Scope) (*results.Results, error) {
	r := newRun(cfg, scope)
	defer r.workspace.Close()
	for _, p := range r.programs {
		a := r.analysis(p)
		if err := a.prepare(ctx); err != nil {
			return nil, err
		}
		r.collect(a)
	}
	return r.output().Results, nil
}
