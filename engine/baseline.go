package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/sandbox"
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// BaselineError says that tests fail without any mutant, so that nothing can
// be judged by them.
type BaselineError struct {
	Package string
	Tests   []string // top-level ones
	Message string   // of the panic or fatal error, or what else happened; empty for failed assertions
	Output  string
	hang    bool
}

// broken is the error of a run of plain tests that fails for good.
func (r testRun) broken(pkg string, tests []string) *BaselineError {
	return &BaselineError{
		Package: pkg, Tests: tests, Message: r.outcome.Message, Output: string(r.exit.Output), hang: r.outcome.Kind == results.KindHang,
	}
}

// perhapsRefused reports whether the sandbox can be what the tests fail of: code
// reports what it is refused, and does not hang or take the run-time down.
func (e *BaselineError) perhapsRefused() bool {
	return !e.hang && !strings.HasPrefix(e.Message, "fatal error: ")
}

func (e *BaselineError) Error() string {
	names := strings.Join(e.Tests, ", ")
	if names == "" {
		names = "the tests"
	}
	how := ""
	if e.Message != "" {
		how = " (" + e.Message + ")"
	}
	return fmt.Sprintf("%s: %s fail without any mutant, again and again%s\n%s\nhint: make them pass, or leave them out with --skip-tests", e.Package, names, how, tail(e.Output, 2000))
}

func tail(s string, n int) string {
	if len(s) > n {
		return "[...]" + s[len(s)-n:]
	}
	return s
}

// baseline runs the plain tests. Those that fail, and go on failing by themselves,
// judge nothing; where none is left that passes, that is an error.
func (u *unit) baseline(ctx context.Context, own []string) error {
	u.progress.Phase("baseline", 0)
	return each(ctx, u.slots, own, func(ctx context.Context, sl *slot, pkg string) error {
		var first *BaselineError
		for {
			passing, err := u.baselineOf(ctx, sl, pkg)
			var broken *BaselineError
			if err == nil && !passing && first != nil {
				return first
			}
			if !errors.As(err, &broken) {
				return err
			}
			helped, err := u.mend(ctx, sl, broken)
			if err != nil {
				return err
			}
			if helped {
				continue
			}
			if len(broken.Tests) == 0 { // and nobody knows which of them fail
				return broken
			}
			if first == nil {
				first = broken
			}
			u.setAllAside(pkg, broken.Tests, u.whyBroken())
		}
	})
}

// mend finds out whether tests fail for want of what the sandbox does not
// allow, or only because they run in a copy of the tree, and does something about
// that.
func (u *unit) mend(ctx context.Context, sl *slot, broken *BaselineError) (helped bool, err error) {
	if !broken.perhapsRefused() {
		return false, nil
	}
	helped, err = u.loosen(ctx, sl, broken.Package, broken.Tests, func(s *sandbox.Sandbox) (testRun, error) {
		return u.runPlain(ctx, sl, s, broken.Package, broken.Tests...)
	})
	if err != nil || helped {
		return helped, err
	}
	return u.hasMoved(ctx, sl, broken)
}

// whyBroken says why a test that fails plain judges nothing.
func (u *unit) whyBroken() string {
	if u.cfg.Sandbox == SandboxStrict {
		return failsStrictly
	}
	return failsPlain
}

// hasMoved builds broken tests once more in the copy of the tree, and sets
// them aside if that makes them pass: then all that is wrong is that they were
// compiled in another folder than the one they run in.
func (u *unit) hasMoved(ctx context.Context, sl *slot, broken *BaselineError) (bool, error) {
	out, err := os.MkdirTemp(u.work, "moved-")
	if err != nil {
		return false, err
	}
	tool := u.tool
	tool.Dir = sl.scratch.Dir(tool.Dir)
	built, err := tool.TestBinaries(ctx, gotool.TestBuild{Packages: []string{broken.Package}, Out: out, Flags: u.cfg.BuildFlags})
	if err != nil || len(broken.Tests) == 0 {
		return false, nil // the copy need not build: it may lack what lies beside the repository
	}
	c := u.plainCommand(broken.Package, broken.Tests...)
	c.Binary = built[broken.Package]
	run, err := u.execTests(ctx, sl, c)
	if err != nil || run.exit.Cause != worker.Exited || run.outcome.Kind != "" {
		return false, err
	}
	u.setAllAside(broken.Package, broken.Tests, failsElsewhere)
	return true, nil
}

// baselineOf runs the plain tests of one package, and those that fail up to twice
// more: on a busy machine tests of time fail more than once. Where the output names
// none, all run once more. It reports whether any test is left that passes.
func (u *unit) baselineOf(ctx context.Context, sl *slot, pkg string) (passing bool, err error) {
	run, err := u.runPlain(ctx, sl, nil, pkg)
	if err != nil || run.outcome.Kind == "" || run.exit.Cause == worker.Cancelled {
		return !strings.Contains(string(run.exit.Output), "no tests to run"), err
	}
	first := u.failedTests(run, pkg)
	if run.endless() && len(first) > 0 { // and there is no time to see it again
		u.setAllAside(pkg, first, endless)
		return true, nil
	}
	failed := first
	for i := 0; i < 2 && run.outcome.Kind != "" && (i == 0 || len(failed) > 0); i++ {
		run, err = u.runPlain(ctx, sl, nil, pkg, failed...)
		if err != nil || run.exit.Cause == worker.Cancelled {
			return true, err
		}
		if still := u.failedTests(run, pkg); len(still) > 0 {
			failed = still
		}
	}
	if run.outcome.Kind != "" {
		if len(failed) == 0 {
			failed, err = u.lastStarted(ctx, sl, pkg)
		}
		return false, cmp.Or(err, error(run.broken(pkg, failed)))
	}
	u.setAllAside(pkg, first, failsInTurn)
	return true, nil
}

// failedTests are the tests of pkg that failed. Output may name others: tests print
// what they like.
func (u *unit) failedTests(run testRun, pkg string) []string {
	declared := declaredTests(parsed(u.listing[pkg]))
	return slices.DeleteFunc(failedTests(run), func(name string) bool { return !declared[name] })
}

// failedTests are the top-level tests that failed. A line on a subtest alone may
// come from a test that has tests of its own fail, and passes.
func failedTests(run testRun) []string {
	var top []string
	for _, name := range run.outcome.Failed {
		if name == topLevel(name) {
			top = append(top, name)
		}
	}
	if len(top) > 0 {
		return top
	}
	return topLevels(run.outcome.Failed)
}

// runPlain runs tests of pkg without any weaving, all that judge if none are named, in s
// or, if that is nil, in the sandbox of the unit's tests.
func (u *unit) runPlain(ctx context.Context, sl *slot, s *sandbox.Sandbox, pkg string, tests ...string) (testRun, error) {
	c := u.plainCommand(pkg, tests...)
	c.Sandbox = s
	return u.execTests(ctx, sl, c)
}

func (u *unit) plainCommand(pkg string, tests ...string) worker.Command {
	args := append(worker.TestArgs(u.wall(0), tests...), u.cfg.TestFlags...)
	var aside []string
	if len(tests) == 0 {
		aside = u.asideOf(pkg)
	}
	if skip := u.skipping(aside...); skip != "" {
		args = append(args, "-test.skip="+skip)
	}
	return worker.Command{Binary: u.plain[pkg], Args: args, Dir: u.listing[pkg].Dir, Timeout: u.wall(0), Memory: plainMemoryLimit}
}
