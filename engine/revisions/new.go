package revisions

import (
	"bytes"
	"context"
	"maps"
	"os"
	"slices"

	"github.com/mutantfuzz/mutantfuzz/engine/build"
	"github.com/mutantfuzz/mutantfuzz/engine/pool"
	"github.com/mutantfuzz/mutantfuzz/engine/testdiff"
	"github.com/mutantfuzz/mutantfuzz/internal/deadline"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

const (
	// newPart is the part of the remaining time that running tests of the change on the base may take.
	newPart = 0.3
	// maxNewPackages is the number of packages with changed test files above which these do not run on the base.
	maxNewPackages = 8
	// newOutput is how much of the output of such a run is read, in bytes.
	newOutput = 1 << 20
)

// passingNewTests runs the tests in files that the change touches on the code of the base. If all of them pass there,
// it returns those that the change adds or alters. known is false if some fail, or if this could not be found out: for
// instance because they do not compile without the change, or because there is no time.
func (t *Tests) passingNewTests(ctx context.Context) (tests []results.NewTest, known bool, err error) {
	if t.BaseTree == "" {
		return nil, false, nil
	}
	list := t.changedTests()
	switch {
	case len(list) == 0:
		return nil, true, nil
	case t.killed || !slices.ContainsFunc(t.Scope(), changesCode) || len(list) > maxNewPackages || slices.ContainsFunc(list, func(c changedTests) bool { return c.base == "" }):
		return nil, false, nil
	}
	part, cancel := deadline.Part(ctx, newPart)
	defer cancel()
	known, err = t.passOnBase(part, list)
	switch {
	case ctx.Err() != nil:
		return nil, false, context.Cause(ctx)
	case part.Err() != nil:
		return nil, false, nil
	case err != nil || !known:
		return nil, false, err
	}
	for _, c := range list {
		for _, name := range slices.Sorted(maps.Keys(c.changes)) {
			tests = append(tests, results.NewTest{Test: c.pkg + "." + name, Change: c.changes[name]})
		}
	}
	return tests, true, nil
}

// changesCode reports whether the change alters the function itself, and not only what it uses.
func changesCode(f results.Function) bool {
	return f.Reason == results.ReasonAdded || f.Reason == results.ReasonChanged
}

// changedTests has the tests of one package in which the change touches test files.
type changedTests struct {
	pkg       string
	dir, base string            // its folder at head and in the base; base is empty if there is none
	files     map[string][]byte // what to put into the base so that it has the test files of head
	all       []string          // tests, examples and fuzz targets in the files that are touched
	changes   map[string]string // tests that are added or altered, and which of these it is; see results.NewTest
}

// changedTests returns the changed tests of all packages of the program. It looks for them only once.
func (t *Tests) changedTests() []changedTests {
	if !t.looked {
		t.looked, t.changed = true, t.findChanged()
	}
	return t.changed
}

// findChanged finds the changed tests of all packages of the program.
func (t *Tests) findChanged() (list []changedTests) {
	for _, pkg := range t.Sorted() {
		if !pkg.HasTests() {
			continue
		}
		base := t.OnBase(pkg.Dir)
		if maps.EqualFunc(testdiff.Sources(base), testdiff.Sources(pkg.Dir), bytes.Equal) {
			continue
		}
		old, now := testdiff.Read(base), testdiff.Read(pkg.Dir)
		c := changedTests{pkg: pkg.ImportPath, dir: pkg.Dir, base: base, files: now.Instead(old, base), changes: now.Changes(old, results.TestAdded), all: now.InOtherFiles(old)}
		if len(c.all) == 0 {
			continue
		}
		if _, err := os.Stat(base); err != nil {
			c.base = ""
		}
		list = append(list, c)
	}
	return list
}

// passOnBase reports whether tests pass on the code of the base, both in the folder of the base and in that of head:
// the change may alter files that code or tests read. Tests that the change adds or alters must not be skipped.
func (t *Tests) passOnBase(ctx context.Context, list []changedTests) (bool, error) {
	b := build.TestBuild{Kind: "new", Dir: t.OnBase(t.Dir), Files: map[string][]byte{}}
	for _, c := range list {
		maps.Copy(b.Files, c.files)
		b.Packages = append(b.Packages, c.pkg)
	}
	built, err := t.BuildTests(ctx, b)
	if err != nil {
		return false, gotool.UnlessBroken(err)
	}
	sl := t.Take()
	defer t.Give(sl)
	for _, c := range list {
		for _, dir := range []string{c.base, c.dir} {
			if passes, err := t.passIn(ctx, sl, built[c.pkg], dir, c); err != nil || !passes {
				return false, err
			}
		}
	}
	return true, nil
}

// passIn reports whether the tests of c pass in a folder, and those that the change adds or alters all ran.
func (t *Tests) passIn(ctx context.Context, sl *pool.Slot, binary, dir string, c changedTests) (bool, error) {
	if binary == "" {
		return false, nil
	}
	command := t.TestCommand(binary, dir, testDeadline, c.all...)
	command.Args, command.OutputLimit = append(command.Args, "-test.v"), newOutput
	run, err := t.Run(ctx, sl, command)
	if err != nil || run.Failed() {
		return false, err
	}
	for name := range c.changes {
		if !bytes.Contains(run.Exit.Output, []byte("--- PASS: "+name+" (")) {
			return false, nil
		}
	}
	return true, nil
}
