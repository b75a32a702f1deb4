package pool

import (
	"bytes"
	"context"
	"slices"

	"github.com/mutantfuzz/mutantfuzz/engine/build"
	"github.com/mutantfuzz/mutantfuzz/engine/executor"
	"github.com/mutantfuzz/mutantfuzz/engine/ledger"
	"github.com/mutantfuzz/mutantfuzz/engine/sandbox"
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// More reasons for which a test is quarantined, as phrases that fit after "it".
const (
	failsPlain    = "fails repeatedly on the unmodified code"
	needsGit      = "needs the git repository, which is not part of the copy of the tree that tests run in"
	failsStrictly = "fails on the unmodified code in the sandbox, which --sandbox=strict does not loosen"
)

// Blame finds the tests that make a run fail whose output names none. These are the tests that the more verbose
// output names; or else the last one that was started, if it fails alone, too.
func (x Executor) Blame(ctx context.Context, s executor.Spec) (tests []string, err error) {
	err = x.with(ctx, func(sl *Slot) error {
		s.Verbose = true
		run, err := x.Runner.Run(ctx, sl, x.Command(ctx, sl, s))
		if err != nil || !run.Failed() {
			return err
		}
		if tests = x.known(s.Suite.Package, run.Outcome.Failed); len(tests) > 0 {
			return nil
		}
		name := worker.LastStarted(run.Exit.Output)
		if !x.declaredIn(s.Suite.Package)[name] {
			return nil
		}
		s.Tests = []string{name}
		if run, err = x.Runner.Run(ctx, sl, x.Command(ctx, sl, s)); err == nil && run.Failed() {
			tests = s.Tests
		}
		return err
	})
	return tests, err
}

// Explain says why the tests of s fail without a mutant. It runs them plainly, and then plainly in the copy of the
// tree.
func (x Executor) Explain(ctx context.Context, s executor.Spec) (e executor.Explanation, err error) {
	err = x.with(ctx, func(sl *Slot) error {
		plain, err := x.Plain(ctx, s.Suite.Package)
		if err != nil {
			return err
		}
		run, err := x.RunPlain(ctx, sl, plain, s)
		if err != nil {
			return err
		}
		if run.passed() {
			e = executor.Explanation{Woven: s.Tests, Why: executor.FailsWoven}
			return nil
		}
		s.Tests, e.Woven = failing(s.Tests, run.Outcome)
		moved, err := x.passesMoved(ctx, sl, s)
		switch {
		case moved:
			e.Why = executor.FailsElsewhere
		case bytes.Contains(run.Exit.Output, []byte("not a git repository")):
			e.Why = needsGit
		case x.Sandbox == sandbox.Strict:
			e.Why = failsStrictly
		default:
			e.Why, e.Broken = failsPlain, true
		}
		return err
	})
	return e, err
}

// failing divides tests into those that a run reports as failed, and those that passed. If the run names none, or may
// have ended early, all count as failed.
func failing(tests []string, o worker.Outcome) (failed, passed []string) {
	if o.Kind != results.KindTest || len(o.Failed) == 0 {
		return tests, nil
	}
	for _, test := range tests {
		if slices.ContainsFunc(o.Failed, func(name string) bool { return ledger.TopLevel(name) == test }) {
			failed = append(failed, test)
		} else {
			passed = append(passed, test)
		}
	}
	if len(failed) == 0 {
		return tests, nil
	}
	return failed, passed
}

// passesMoved builds the tests in the copy of the tree, and reports whether they pass then. If so, they fail only
// because they run in another folder than the one they were compiled in.
func (x Executor) passesMoved(ctx context.Context, sl *Slot, s executor.Spec) (bool, error) {
	built, err := x.BuildTests(ctx, build.TestBuild{
		Kind: "moved", Dir: sl.Scratch.Dir(x.Tool.Dir), Packages: []string{s.Suite.Package},
	})
	if err != nil || len(s.Tests) == 0 {
		return false, nil // the copy may not build without files beside the repository
	}
	run, err := x.RunPlain(ctx, sl, built[s.Suite.Package], s)
	return err == nil && run.passed(), err
}
