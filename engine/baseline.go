package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

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

// baseline runs the plain tests. Tests that fail, and go on failing by themselves,
// are an error; those that do not, or only because they run in a copy of the tree,
// are set aside.
func (u *unit) baseline(ctx context.Context, own []string) error {
	u.progress.Phase("baseline", 0)
	return each(ctx, u.slots, own, func(ctx context.Context, sl *slot, pkg string) error {
		for {
			err := u.baselineOf(ctx, sl, pkg)
			var broken *BaselineError
			if !errors.As(err, &broken) || !broken.perhapsRefused() {
				return err
			}
			helped, lerr := u.loosen(ctx, sl, pkg, broken.Tests, func(s *worker.Sandbox) (testRun, error) {
				return u.runPlain(ctx, sl, s, pkg, broken.Tests...)
			})
			if lerr != nil {
				return lerr
			}
			if !helped {
				return u.perhapsMoved(ctx, sl, broken)
			}
		}
	})
}

// perhapsMoved builds broken tests once more in the copy of the tree, and sets
// them aside if that makes them pass: then all that is wrong is that they were
// compiled in another folder than the one they run in. Else they are the error.
func (u *unit) perhapsMoved(ctx context.Context, sl *slot, broken *BaselineError) error {
	out, err := os.MkdirTemp(u.work, "moved-")
	if err != nil {
		return err
	}
	tool := u.tool
	tool.Dir = sl.scratch.Dir(tool.Dir)
	built, err := tool.TestBinaries(ctx, gotool.TestBuild{Packages: []string{broken.Package}, Out: out, Flags: u.cfg.BuildFlags})
	if err != nil || len(broken.Tests) == 0 {
		return broken // the copy need not build: it may lack what lies beside the repository
	}
	c := u.plainCommand(broken.Package, broken.Tests...)
	c.Binary = built[broken.Package]
	run, err := u.execTests(ctx, sl, c)
	if err != nil || run.exit.Cause != worker.Exited || run.outcome.Kind != "" {
		return cmp.Or(err, error(broken))
	}
	u.setAllAside(broken.Package, broken.Tests, failsElsewhere)
	return nil
}

// baselineOf runs the plain tests of one package, and those that fail up to twice
// more: on a busy machine tests of time fail more than once. Where the output names
// none, all run once more.
func (u *unit) baselineOf(ctx context.Context, sl *slot, pkg string) error {
	run, err := u.runPlain(ctx, sl, nil, pkg)
	if err != nil || run.outcome.Kind == "" || run.exit.Cause == worker.Cancelled {
		return err
	}
	first := u.failedTests(run, pkg)
	if run.endless() && len(first) > 0 { // and there is no time to see it again
		u.setAllAside(pkg, first, endless)
		return nil
	}
	failed := first
	for i := 0; i < 2 && run.outcome.Kind != "" && (i == 0 || len(failed) > 0); i++ {
		run, err = u.runPlain(ctx, sl, nil, pkg, failed...)
		if err != nil || run.exit.Cause == worker.Cancelled {
			return err
		}
		if still := u.failedTests(run, pkg); len(still) > 0 {
			failed = still
		}
	}
	if run.outcome.Kind != "" {
		if len(failed) == 0 {
			failed, err = u.lastStarted(ctx, sl, pkg)
		}
		return cmp.Or(err, error(run.broken(pkg, failed)))
	}
	u.setAllAside(pkg, first, failsInTurn)
	return nil
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

// runPlain runs tests of pkg without any weaving, all if none are named, in s
// or, if that is nil, in the sandbox of the unit's tests.
func (u *unit) runPlain(ctx context.Context, sl *slot, s *worker.Sandbox, pkg string, tests ...string) (testRun, error) {
	c := u.plainCommand(pkg, tests...)
	c.Sandbox = s
	return u.execTests(ctx, sl, c)
}

func (u *unit) plainCommand(pkg string, tests ...string) worker.Command {
	args := append(worker.TestArgs(u.wall(0), tests...), u.cfg.TestFlags...)
	if u.cfg.SkipTests != nil {
		args = append(args, "-test.skip="+u.cfg.SkipTests.String())
	}
	return worker.Command{Binary: u.plain[pkg], Args: args, Dir: u.listing[pkg].Dir, Timeout: u.wall(0), Memory: plainMemoryLimit}
}
