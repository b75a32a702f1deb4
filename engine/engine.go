// Package engine analyses a change: it mutates the functions in scope, weaves
// all mutants into test binaries, runs the tests on them, fuzzes mutants and
// program, confirms what it found and says what became of every mutant.
//
// The order of work is the one of Groce, Kalburgi, Le Goues, Jain, Gopinath:
// Registered Report: First, Fuzz the Mutants, FUZZING 2022; the loop over the
// program that of Vikram, Laybourn, Li, Nair, OBrien, Sanna, Padhye: Guiding
// Greybox Fuzzing with Mutation Testing, ISSTA 2023.
package engine

import (
	"context"
	"errors"
	"regexp"
	"time"

	"github.com/mutantfuzz/mutantfuzz/diffscope"
	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/engine/verdicts"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Tests says whose tests may kill a mutant.
type Tests string

// Values of Tests.
const (
	TestsAuto       Tests = "auto"       // the package's own, then those of packages that depend on it
	TestsPackage    Tests = "package"    // the package's own
	TestsDependents Tests = "dependents" // the package's own and those of packages that depend on it, always
	TestsAll        Tests = "all"        // those of every package of the unit
	TestsNone       Tests = "none"
)

// Sandbox says what becomes of the rules by which the kernel confines tests and
// fuzzing.
type Sandbox string

// Values of Sandbox.
const (
	SandboxOn     Sandbox = "on"     // in force; loosened for tests that fail under them and pass without
	SandboxStrict Sandbox = "strict" // in force; tests that fail under them judge nothing
	SandboxOff    Sandbox = "off"    // not in force
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
	Sandbox     Sandbox
	Seed        int64
	Corpus      corpus.Store    // nil: keep nothing
	Verdicts    *verdicts.Store // of the tests, from earlier runs; nil: keep none
	Fresh       bool            // do not use those of earlier runs
	Progress    Progress        // nil: silent
	// Unpruned runs every mutant against every test that judges, whether or
	// not it was seen to reach and infect the mutant. It costs much and should
	// change no verdict, which is what it serves to show.
	Unpruned bool
	// Shown names the mutants that a report would show, which are confirmed
	// by plain rebuilds; it is asked again where some do not stand that. Nil:
	// exposed mutants and survivors, in order.
	Shown func(*results.Results) []string
	Now   func() time.Time // nil: time.Now
	only  string           // ID of the mutants to judge; empty: all
}

// Progress hears how far an analysis is.
type Progress interface {
	// Phase begins a phase of n steps; 0: it is not known how many.
	Phase(name string, n int)
	// Step ends k steps of the phase.
	Step(k int)
	// Say passes on a line for the log.
	Say(line string)
}

// silent is a Progress that nobody listens to.
type silent struct{}

// Phase does nothing.
func (silent) Phase(string, int) {}

// Step does nothing.
func (silent) Step(int) {}

// Say does nothing.
func (silent) Say(string) {}

// Output is what an analysis leaves besides the results.
type Output struct {
	Results *results.Results
	Entries map[string][]corpus.Entry // by harness: every entry that Results refers to
	Spared  []string                  // IDs of survivors that no test was run with: none reaches or infects them
}

// Run analyses the functions of scope. When ctx ends or the time is up, what
// has been found so far is returned, with Results.Partial set and no error.
// Results are returned with an error too, where there are any.
//
// Errors: *gotool.BuildError and *BrokenError when the program cannot be
// analysed; anything else is a fault of ours or of the system.
func Run(ctx context.Context, cfg Config, scope *diffscope.Scope) (*Output, error) {
	r := newRun(cfg, scope)
	defer r.close()
	r.startGuard()
	if cfg.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, cfg.Time, errOutOfTime)
		defer cancel()
	}
	for i := range scope.Units {
		u := r.unit(i)
		if u == nil {
			continue
		}
		err := u.analyse(ctx)
		u.decide()
		r.collect(u)
		if err != nil && !stopped(ctx, err) {
			return r.output(), err
		}
		r.res.Partial = r.res.Partial || err != nil || !u.tested || u.short
	}
	return r.output(), nil
}

// List finds the mutants of scope without running anything. Mutants that do
// not compile are known already; all others are pending.
func List(ctx context.Context, cfg Config, scope *diffscope.Scope) (*results.Results, error) {
	r := newRun(cfg, scope)
	defer r.close()
	for i := range scope.Units {
		u := r.unit(i)
		if u == nil {
			continue
		}
		if err := u.prepare(ctx); err != nil {
			return nil, err
		}
		r.collect(u)
	}
	return r.output().Results, nil
}

// analyse is the pipeline for one unit.
func (u *unit) analyse(ctx context.Context) error {
	steps := []func(context.Context) error{
		u.prepare, // load, mutate, weave
		u.build,
		u.runTests,
		u.equate,
		u.fuzz,
		u.settle,
		u.verify,
	}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// stopped reports whether err only says that the analysis was told to stop.
func stopped(ctx context.Context, err error) bool {
	return errors.Is(err, errOutOfTime) || ctx.Err() != nil && errors.Is(err, context.Cause(ctx)) ||
		errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

var errOutOfTime = errors.New("out of time")
