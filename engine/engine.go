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

// Tests says whose tests may kill a mutant. The zero value means TestsAuto.
type Tests string

// Values of Tests.
const (
	TestsAuto       Tests = "auto"       // as TestsDependents, but dependents get a limited time if Config.Time is set
	TestsPackage    Tests = "package"    // those of the mutant's package
	TestsDependents Tests = "dependents" // those of the mutant's package and of the packages that depend on it
	TestsAll        Tests = "all"        // those of every package of the program
	TestsNone       Tests = "none"
)

// Config says how to analyse.
type Config struct {
	Env         []string       // environment of the go command and, scrubbed, of tests; nil: os.Environ()
	BuildFlags  []string       // such as -tags
	TestFlags   []string       // in the form that a test binary takes, such as -test.short
	SkipTests   *regexp.Regexp // top-level tests to leave out; nil: none
	Tests       Tests
	Time        time.Duration // bound on everything; 0: none
	Execs       int64         // bound on fuzzing runs; 0: no fuzzing; negative: bounded by Time
	MutantShare float64       // part of the fuzzing that goes to the mutants, before the program; 0 to 1
	Workers     int           // at least one is used
	Sandbox     sandbox.Mode  // empty: sandbox.On
	Seed        int64
	Unwatched   bool            // do not watch what tests call, for evidence and for seeds of drivers
	Harnesses   []HarnessKind   // generated besides the user's fuzz targets
	Corpus      corpus.Store    // nil: keep nothing
	Verdicts    *verdicts.Store // of the tests, kept from run to run; nil: keep none
	Fresh       bool            // do not use verdicts from earlier runs
	Progress    Progress        // nil: silent
	// Choose returns the mutants of a function that are to be used, and may set their field Ignored. It is called for
	// one function after the other. Nil: use all.
	Choose func(*mutate.Function, []mutate.Mutant) []mutate.Mutant
	// Unpruned runs every mutant on every test that is not quarantined, even if the test does not reach or infect it.
	// That is slow and should change no verdict; it exists to check exactly that.
	Unpruned bool
	// Shown returns the IDs of the mutants that a report would show. These are confirmed by plain rebuilds, and their
	// inputs are made easier to read. It is called again if some are not confirmed. Nil: exposed mutants and
	// survivors, in order.
	Shown func(*results.Results) Shown
	only  string // ID of the only mutants to judge; empty: all
}

// Shown lists the IDs of the mutants that a report would show.
type Shown = verify.Shown

// Progress receives reports on how far an analysis has come.
type Progress = journal.Progress

// BrokenError says that the analysed program does not build.
type BrokenError = program.BrokenError

// BaselineError says that no test of the touched packages passes without a mutant, so that they cannot judge any.
type BaselineError = judge.BaselineError

// HarnessKind generates harnesses besides the user's fuzz targets.
type HarnessKind = program.HarnessKind

// Output holds the results of an analysis and what belongs to them.
type Output struct {
	Results *results.Results
	Entries map[string][]corpus.Entry // by harness: all entries that Results refers to
	Tests   []byte                    // patch for the repository's root that adds all suggested tests
	Spared  []string                  // IDs of survivors that no test was run with: none reaches or infects them
}

// Run analyses the functions of scope. When ctx ends or the time is up, it returns what it has found so far, with
// Results.Partial set and no error. The output is returned with an error too: if one of several programs cannot be
// analysed, it holds the results of the others.
//
// Errors: *gotool.BuildError, *BrokenError and *BaselineError if a program cannot be analysed. Any other error is a
// fault of the engine or of the system. Errors of several programs are joined.
func Run(ctx context.Context, cfg Config, scope *diffscope.Scope) (*Output, error) {
	r := newRun(cfg, scope)
	defer r.workspace.Close()
	r.startGuard()
	if cfg.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, cfg.Time)
		defer cancel()
	}
	var failed error // errors of programs that cannot be analysed; the others still are
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

// List finds the mutants of scope without running anything. Mutants that do not compile, are ignored or cannot be run
// already have that status; all others are pending.
func List(ctx context.Context, cfg Config, scope *diffscope.Scope) (*results.Results, error) {
	r := newRun(cfg, scope)
	defer r.workspace.Close()
	for _, p := range r.programs {
		a := r.analysis(p)
		if err := a.leavingOut(a.prepare)(ctx); err != nil {
			return nil, err
		}
		r.collect(a)
	}
	return r.output().Results, nil
}
