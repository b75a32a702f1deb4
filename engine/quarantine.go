package engine

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/judge"
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
)

// BaselineError says that no test of a package passes without a mutant, so that
// nothing can be judged by them.
type BaselineError struct {
	Package string
	Tests   []string // top-level ones; empty: nobody knows which
	Message string   // of the panic or fatal error, or what else happened; empty for failed assertions
	Output  string
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

// Why a test is quarantined, after its name.
const (
	failsPlain     = "fails without any mutant, again and again"
	failsStrictly  = "fails without any mutant in the sandbox, and --sandbox=strict allows tests nothing more"
	failsWoven     = "fails without any mutant when it is instrumented, which is a fault of mutantfuzz"
	failsElsewhere = "fails in any other folder than the one that it was compiled in"
)

// Blame names the test that ends a run without a word: the last one that was started, if
// it fails by itself too.
func (x executor) Blame(ctx context.Context, s judge.Spec) (tests []string, err error) {
	err = x.with(ctx, func(sl *slot) error {
		c := x.command(sl, s)
		c.Args = append(c.Args, "-test.v")
		run, err := x.execTests(ctx, sl, c)
		name := worker.LastStarted(run.exit.Output)
		if err != nil || run.outcome.Kind == "" || !declaredTests(parsed(x.listing[s.Suite.Package]))[name] {
			return err
		}
		s.Tests = []string{name}
		if run, err = x.execTests(ctx, sl, x.command(sl, s)); err == nil && run.outcome.Kind != "" {
			tests = s.Tests
		}
		return err
	})
	return tests, err
}

// Explain says why tests fail without a mutant.
func (x executor) Explain(ctx context.Context, s judge.Spec) (why string, broken bool, err error) {
	err = x.with(ctx, func(sl *slot) error {
		plain, err := x.plainOf(ctx, s.Suite.Package)
		if err != nil {
			return err
		}
		run, err := x.execTests(ctx, sl, x.plainCommand(plain, s))
		if err != nil {
			return err
		}
		if run.outcome.Kind == "" && run.exit.Cause == worker.Exited {
			why = failsWoven
			return nil
		}
		moved, err := x.passesMoved(ctx, sl, s)
		switch {
		case moved:
			why = failsElsewhere
		case x.cfg.Sandbox == SandboxStrict:
			why = failsStrictly
		default:
			why, broken = failsPlain, true
		}
		return err
	})
	return why, broken, err
}

// plainCommand runs tests of a binary without any weaving.
func (u *unit) plainCommand(binary string, s judge.Spec) worker.Command {
	args := append(worker.TestArgs(u.wall(0), s.Tests...), u.cfg.TestFlags...)
	if skip := u.skipping(s.Skip...); skip != "" {
		args = append(args, "-test.skip="+skip)
	}
	return worker.Command{Binary: binary, Args: args, Dir: u.listing[s.Suite.Package].Dir, Timeout: u.wall(0), Memory: plainMemoryLimit}
}

// passesMoved builds tests once more in the copy of the tree, and reports whether that
// makes them pass: then all that is wrong is that they were compiled in another folder
// than the one they run in.
func (u *unit) passesMoved(ctx context.Context, sl *slot, s judge.Spec) (bool, error) {
	out, err := os.MkdirTemp(u.work, "moved-")
	if err != nil {
		return false, err
	}
	tool := u.tool
	tool.Dir = sl.scratch.Dir(tool.Dir)
	built, err := tool.TestBinaries(ctx, gotool.TestBuild{Packages: []string{s.Suite.Package}, Out: out, Flags: u.cfg.BuildFlags})
	if err != nil || len(s.Tests) == 0 {
		return false, nil // the copy need not build: it may lack what lies beside the repository
	}
	run, err := u.execTests(ctx, sl, u.plainCommand(built[s.Suite.Package], s))
	return err == nil && run.exit.Cause == worker.Exited && run.outcome.Kind == "", err
}

// plainOf is the test binary of a package without any weaving, which is built when it
// is first asked for.
func (u *unit) plainOf(ctx context.Context, pkg string) (string, error) {
	u.plainMu.Lock()
	defer u.plainMu.Unlock()
	if u.plain[pkg] == "" {
		built, err := u.buildTests(ctx, "plain", nil, []string{pkg})
		if err != nil {
			return "", err
		}
		u.plain[pkg] = built[pkg]
	}
	return u.plain[pkg], nil
}

// noteQuarantined warns of the tests that judge nothing.
func (u *unit) noteQuarantined(r *judge.Result) {
	for _, q := range r.Quarantined() {
		u.warn("%s.%s is quarantined and judges nothing: it %s", q.Package, q.Test, q.Why)
	}
}

// spend notes what a run of tests of a package took, each the same part. All tests
// together are none of them.
func (u *unit) spend(d time.Duration, pkg string, tests []string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, t := range tests {
		u.spent[pkg+"."+t] += d / time.Duration(len(tests))
	}
}

// quarantinedOf are the tests of a package that judge nothing.
func (u *unit) quarantinedOf(pkg string) (names []string) {
	if u.judged == nil {
		return nil
	}
	for _, q := range u.judged.Quarantined() {
		if q.Package == pkg && !slices.Contains(names, q.Test) {
			names = append(names, q.Test)
		}
	}
	return names
}
