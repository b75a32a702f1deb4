package revisions

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/build"
	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/engine/pool"
	"github.com/mutantfuzz/mutantfuzz/engine/testdiff"
	"github.com/mutantfuzz/mutantfuzz/internal/deadline"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

const (
	// oldPart is the part of the remaining time that running tests of the base may take.
	oldPart = 0.3
	// maxOldTests bounds the tests of one package that run one by one.
	maxOldTests = 10
	// maxRebuilds bounds how many parts of the change are undone to find the one that makes a test fail.
	maxRebuilds = 6
)

// failingOldTests returns the tests of the base that fail on the changed program and pass on the base. Tests that the
// change deletes or alters run as the base has them. Tests that no longer compile are left out. Running out of time is
// no error.
func (t *Tests) failingOldTests(ctx context.Context) (failing []results.OldTest, err error) {
	if t.BaseTree == "" {
		return nil, nil
	}
	part, cancel := deadline.Part(ctx, oldPart)
	defer cancel()
	for _, pkg := range t.Touched {
		for _, find := range []func(context.Context, string) ([]results.OldTest, error){t.brokenTestsOf, t.oldTestsOf} {
			found, err := find(part, pkg)
			failing = append(failing, found...)
			if ctx.Err() != nil {
				return failing, context.Cause(ctx)
			}
			if err != nil && part.Err() == nil {
				return failing, err
			}
		}
	}
	return failing, nil
}

// oldTestsOf returns the tests of a package that the change deletes or alters and that fail on the changed program, but
// pass on the base. It returns none if a test of the package passes only in the folder in which it was compiled.
func (t *Tests) oldTestsOf(ctx context.Context, pkg string) (failing []results.OldTest, err error) {
	if s := t.Judged.SurveyOf(pkg); s != nil && s.Bound() {
		return nil, nil
	}
	dir, baseDir := t.Packages[pkg].Dir, t.OnBase(t.Packages[pkg].Dir)
	old, now := testdiff.Read(baseDir), testdiff.Read(dir)
	changes := old.Changes(now, results.TestDeleted)
	if len(changes) == 0 {
		return nil, nil
	}
	files := old.Instead(now, dir)
	built, err := t.BuildTests(ctx, build.TestBuild{Kind: "old", Files: files, Packages: []string{pkg}})
	if err != nil {
		return nil, gotool.UnlessBroken(err)
	}
	names := slices.Sorted(maps.Keys(changes))
	if run, err := t.runOld(ctx, built[pkg], pkg, names...); err != nil || !run.Failed() {
		return nil, err // all of them pass
	}
	var base string
	for _, name := range names[:min(len(names), maxOldTests)] {
		run, err := t.runOld(ctx, built[pkg], pkg, name)
		if err != nil {
			return failing, err
		}
		if !run.Failed() {
			continue
		}
		if base == "" {
			onBase, err := t.BuildTests(ctx, build.TestBuild{Kind: "base", Dir: baseDir, Packages: []string{pkg}})
			if err != nil {
				return failing, gotool.UnlessBroken(err)
			}
			base = onBase[pkg]
		}
		if passes, err := t.passesOnBase(ctx, base, baseDir, name); err != nil {
			return failing, err
		} else if !passes {
			continue
		}
		failing = append(failing, results.OldTest{Test: pkg + "." + name, Change: changes[name], Kind: run.Outcome.Kind, Message: run.Outcome.Message})
	}
	return failing, t.mendTests(ctx, pkg, failing, files)
}

// runOld runs tests of a plain binary, a second time if they fail, and returns the last run.
func (t *Tests) runOld(ctx context.Context, binary, pkg string, names ...string) (run pool.Run, err error) {
	sl := t.Take()
	defer t.Give(sl)
	spec := whole(t.Judged.Plain(pkg, names, t.Judged.QuarantinedOf(pkg)...))
	if run, err = t.RunPlain(ctx, sl, binary, spec); err == nil && run.Failed() {
		run, err = t.RunPlain(ctx, sl, binary, spec)
	}
	return run, err
}

// passesOnBase reports whether a test passes twice in a binary of the base, in its folder there.
func (t *Tests) passesOnBase(ctx context.Context, binary, dir, name string) (bool, error) {
	if binary == "" {
		return false, nil
	}
	sl := t.Take()
	defer t.Give(sl)
	for range 2 { // a flaky test may pass once
		if run, err := t.Run(ctx, sl, t.TestCommand(binary, dir, testDeadline, name)); err != nil || !run.Outcome.Passed() {
			return false, err
		}
	}
	return true, nil
}

// mendTests notes, for those of failing that are lost (see results.OldTest.Lost), the smallest part of the change that
// makes them pass if it is undone. For others nobody asks that, and each part takes a build.
func (t *Tests) mendTests(ctx context.Context, pkg string, failing []results.OldTest, files map[string][]byte) error {
	undone := slices.DeleteFunc(t.Mutants.Undoing(), func(m *evidence.Mutant) bool { return m.Package != pkg })
	for _, m := range undone[:min(len(undone), maxRebuilds)] {
		if !slices.ContainsFunc(failing, unmended) {
			return nil
		}
		path, text, err := t.Mutated(m.Mutant)
		if err != nil {
			return err
		}
		with := maps.Clone(files)
		with[path] = text
		built, err := t.BuildTests(ctx, build.TestBuild{Kind: "mended", Files: with, Packages: []string{pkg}})
		if err != nil {
			if err = gotool.UnlessBroken(err); err != nil {
				return err
			}
			continue
		}
		for i := range failing {
			if lost := &failing[i]; unmended(*lost) {
				run, err := t.runOld(ctx, built[pkg], pkg, strings.TrimPrefix(lost.Test, pkg+"."))
				if err != nil {
					return err
				}
				if run.Outcome.Passed() {
					lost.MendedBy = m.ID
				}
			}
		}
	}
	return nil
}

func unmended(t results.OldTest) bool { return t.Lost() && t.MendedBy == "" }
