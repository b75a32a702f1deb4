package revisions

import (
	"cmp"
	"context"

	"github.com/mutantfuzz/mutantfuzz/engine/build"
	"github.com/mutantfuzz/mutantfuzz/engine/executor"
	"github.com/mutantfuzz/mutantfuzz/engine/pool"
	"github.com/mutantfuzz/mutantfuzz/engine/testdiff"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// brokenTestsOf returns the tests of a package that the change leaves as they are and that always fail on the changed
// program, but pass on the base.
func (t *Tests) brokenTestsOf(ctx context.Context, pkg string) (broken []results.OldTest, err error) {
	s := t.Judged.SurveyOf(pkg)
	if s == nil {
		return nil, nil
	}
	failing := s.Broken()
	if len(failing) == 0 {
		return nil, nil
	}
	dir, baseDir := t.Packages[pkg].Dir, t.OnBase(t.Packages[pkg].Dir)
	old, now := testdiff.Read(baseDir), testdiff.Read(dir)
	var names []string
	for _, name := range failing {
		if len(names) < maxOldTests && old.Same(now, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	head, err := t.Plain(ctx, pkg)
	if err != nil {
		return nil, gotool.UnlessBroken(err)
	}
	onBase, err := t.BuildTests(ctx, build.TestBuild{Kind: "base", Dir: baseDir, Packages: []string{pkg}})
	if err != nil {
		return nil, gotool.UnlessBroken(err)
	}
	for _, name := range names {
		run, err := t.alwaysFails(ctx, head, dir, name)
		if err != nil {
			return broken, err
		}
		if !run.Failed() {
			continue
		}
		lost, err := t.passesOnBase(ctx, onBase[pkg], baseDir, name)
		if err == nil && lost {
			lost, err = t.failsThere(ctx, pkg, name)
		}
		if err != nil {
			return broken, err
		}
		if lost {
			message := cmp.Or(run.Outcome.Message, run.Exit.Complaint())
			broken = append(broken, results.OldTest{Test: pkg + "." + name, Change: results.TestKept, Kind: run.Outcome.Kind, Message: message})
		}
	}
	return broken, t.mendTests(ctx, pkg, broken, map[string][]byte{})
}

// failsThere reports whether a test fails in a binary that was compiled in the folder in which it runs, as that of the
// base was: some tests pass only there. It returns true if the test does not build there.
func (t *Tests) failsThere(ctx context.Context, pkg, name string) (bool, error) {
	sl := t.Take()
	defer t.Give(sl)
	built, err := t.BuildTests(ctx, build.TestBuild{Kind: "moved", Dir: sl.Scratch.Dir(t.Tool.Dir), Packages: []string{pkg}})
	if err != nil || built[pkg] == "" {
		return true, gotool.UnlessBroken(err)
	}
	run, err := t.RunPlain(ctx, sl, built[pkg], whole(t.Judged.Plain(pkg, []string{name})))
	return run.Failed(), err
}

// whole returns s with all subtests of its tests, also those that are left out of other runs because they fail.
func whole(s executor.Spec) executor.Spec {
	suite := *s.Suite
	suite.Without = nil
	s.Suite = &suite
	return s
}

// alwaysFails runs a test up to three times, as long as it fails, and returns the last run.
func (t *Tests) alwaysFails(ctx context.Context, binary, dir, name string) (run pool.Run, err error) {
	sl := t.Take()
	defer t.Give(sl)
	for range 3 {
		if run, err = t.Run(ctx, sl, t.TestCommand(binary, dir, testDeadline, name)); err != nil || !run.Failed() {
			break
		}
	}
	return run, err
}
