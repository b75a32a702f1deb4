package verify

import (
	"bytes"
	"context"
	"errors"
	"go/parser"
	"go/printer"
	"go/scanner"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/build"
	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/engine/pool"
	"github.com/mutantfuzz/mutantfuzz/internal/deadline"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/internal/regular"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

const (
	// oldPart is the part of the remaining time that tests of the base may take.
	oldPart = 0.3
	// maxOldTests is how many tests of the base run one by one, once they fail together.
	maxOldTests = 10
	// maxRebuilds is how many parts of the change are undone, to find the one that a test of the
	// base fails for.
	maxRebuilds = 6
)

// failingOldTests runs the tests that the change deletes or alters, as the base has them, on the changed
// program, and returns those that fail there and pass on the base. Tests that do not compile any
// more are passed over. That there is no time is no error.
func (v *Verifier) failingOldTests(ctx context.Context) (failing []results.OldTest, err error) {
	if v.BaseTree == "" {
		return nil, nil
	}
	part, cancel := deadline.Part(ctx, oldPart)
	defer cancel()
	for _, pkg := range v.Touched {
		found, err := v.oldTestsOf(part, pkg)
		failing = append(failing, found...)
		if ctx.Err() != nil {
			return failing, context.Cause(ctx)
		}
		if err != nil && part.Err() == nil {
			return failing, err
		}
	}
	return failing, nil
}

// oldTestsOf does that for one package.
func (v *Verifier) oldTestsOf(ctx context.Context, pkg string) (failing []results.OldTest, err error) {
	dir, baseDir := v.Packages[pkg].Dir, v.basePath(v.Packages[pkg].Dir)
	old, now := testsIn(baseDir), testsIn(dir)
	changes := old.unlike(now, results.TestDeleted)
	if len(changes) == 0 {
		return nil, nil
	}
	files := old.instead(now, dir)
	built, err := v.BuildTests(ctx, build.TestBuild{Kind: "old", Files: files, Packages: []string{pkg}})
	if err != nil {
		return nil, unlessBroken(err)
	}
	names := slices.Sorted(maps.Keys(changes))
	if run, err := v.runOld(ctx, built[pkg], pkg, names...); err != nil || !run.Failed() {
		return nil, err // all of them pass
	}
	var base string
	for _, name := range names[:min(len(names), maxOldTests)] {
		run, err := v.runOld(ctx, built[pkg], pkg, name)
		if err != nil {
			return failing, err
		}
		if !run.Failed() {
			continue
		}
		if base == "" {
			onBase, err := v.BuildTests(ctx, build.TestBuild{Kind: "base", Dir: baseDir, Packages: []string{pkg}})
			if err != nil {
				return failing, unlessBroken(err)
			}
			base = onBase[pkg]
		}
		if passes, err := v.passesOnBase(ctx, base, baseDir, name); err != nil {
			return failing, err
		} else if !passes {
			continue
		}
		failing = append(failing, results.OldTest{Test: pkg + "." + name, Change: changes[name], Kind: run.Outcome.Kind, Message: run.Outcome.Message})
	}
	return failing, v.mendTests(ctx, pkg, failing, files)
}

// unlessBroken is err, but nil for what does not compile.
func unlessBroken(err error) error {
	var broken *gotool.BuildError
	if errors.As(err, &broken) {
		return nil
	}
	return err
}

// runOld runs plain tests, twice if they fail, and returns the last run.
func (v *Verifier) runOld(ctx context.Context, binary, pkg string, names ...string) (run pool.Run, err error) {
	sl := v.Take()
	defer v.Give(sl)
	if run, err = v.runRebuilt(ctx, sl, binary, pkg, names, v.Judged.QuarantinedOf(pkg)...); err == nil && run.Failed() {
		run, err = v.runRebuilt(ctx, sl, binary, pkg, names, v.Judged.QuarantinedOf(pkg)...)
	}
	return run, err
}

// passesOnBase reports whether a test passes in a binary of the base, in its folder there.
func (v *Verifier) passesOnBase(ctx context.Context, binary, dir, name string) (bool, error) {
	if binary == "" {
		return false, nil
	}
	sl := v.Take()
	defer v.Give(sl)
	run, err := v.Run(ctx, sl, plainTest(binary, dir, seedDeadline, name))
	return err == nil && !run.Failed(), err
}

// mendTests notes for tests of the base that are lost the smallest part of the change that, undone,
// makes them pass. Nobody asks that of others, and each part takes a build.
func (v *Verifier) mendTests(ctx context.Context, pkg string, failing []results.OldTest, files map[string][]byte) error {
	undone := slices.DeleteFunc(v.Fuzzer.Mutants.Undoing(), func(m *evidence.Mutant) bool { return m.Package != pkg })
	for _, m := range undone[:min(len(undone), maxRebuilds)] {
		if !slices.ContainsFunc(failing, unmended) {
			return nil
		}
		path, text, err := v.Mutated(m.Mutant)
		if err != nil {
			return err
		}
		with := maps.Clone(files)
		with[path] = text
		built, err := v.BuildTests(ctx, build.TestBuild{Kind: "mended", Files: with, Packages: []string{pkg}})
		if err != nil {
			if err = unlessBroken(err); err != nil {
				return err
			}
			continue
		}
		for i := range failing {
			if t := &failing[i]; unmended(*t) {
				run, err := v.runOld(ctx, built[pkg], pkg, strings.TrimPrefix(t.Test, pkg+"."))
				if err != nil {
					return err
				}
				if !run.Failed() {
					t.MendedBy = m.ID
				}
			}
		}
	}
	return nil
}

func unmended(t results.OldTest) bool { return t.Lost() && t.MendedBy == "" }

// testFiles are the test files in a folder, and the tests in them by name.
type testFiles struct {
	sources map[string][]byte   // by name of the file
	names   map[string][]string // of tests, examples and fuzz targets, likewise
	tests   map[string]string   // their source without layout and comments
}

// sourcesIn reads the test files in a folder, by name. What cannot be read is passed over.
func sourcesIn(dir string) map[string][]byte {
	sources := map[string][]byte{}
	names, _ := filepath.Glob(filepath.Join(dir, "*_test.go")) // the pattern is right
	for _, name := range names {
		if src, err := regular.Source(name); err == nil {
			sources[filepath.Base(name)] = src
		}
	}
	return sources
}

// testsIn reads and parses them. What cannot be parsed is passed over.
func testsIn(dir string) testFiles {
	t := testFiles{map[string][]byte{}, map[string][]string{}, map[string]string{}}
	for name, src := range sourcesIn(dir) {
		file, err := parser.ParseFile(token.NewFileSet(), name, src, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		t.sources[name] = src
		for _, fn := range gotool.TestsIn(file) {
			test := fn.Name.Name
			if test == "TestMain" {
				continue
			}
			t.names[name] = append(t.names[name], test)
			if fn.Body != nil && strings.HasPrefix(test, "Test") {
				var text bytes.Buffer
				_ = printer.Fprint(&text, token.NewFileSet(), fn.Body)
				t.tests[test] = text.String()
			}
		}
	}
	return t
}

// unlike says which tests of t are others in there, or missing: absent is what such a one is called.
// One that is there under another name is neither, nor is one that only has more to do there, such
// as further rows of a table. One that is there under another name, with other names and literals in it, is another one.
func (t testFiles) unlike(there testFiles, absent string) map[string]string {
	bodies, mine := map[string]bool{}, map[string]bool{}
	for _, body := range there.tests {
		bodies[body] = true
	}
	for _, body := range t.tests {
		mine[body] = true
	}
	forms := map[string]bool{} // of tests that only there has
	for name, body := range there.tests {
		if _, both := t.tests[name]; !both && !mine[body] {
			forms[form(body)] = true
		}
	}
	changes := map[string]string{}
	for name, body := range t.tests {
		switch other, found := there.tests[name]; {
		case bodies[body] || found && holds(other, body):
		case found, form(body) != "" && forms[form(body)]:
			changes[name] = results.TestAltered
		default:
			changes[name] = absent
		}
	}
	return changes
}

// leastForm is how many tokens code needs to have for its form to say anything.
const leastForm = 10

// form is what kinds of tokens code has; empty: it has few.
func form(code string) string {
	file := token.NewFileSet().AddFile("", -1, len(code))
	var s scanner.Scanner
	s.Init(file, []byte(code), nil, 0)
	var kinds []string
	for {
		_, kind, _ := s.Scan()
		if kind == token.EOF {
			break
		}
		kinds = append(kinds, kind.String())
	}
	if len(kinds) < leastForm {
		return ""
	}
	return strings.Join(kinds, " ")
}

// holds reports whether a text has all lines of a part, in order.
func holds(text, part string) bool {
	rest := strings.Split(part, "\n")
	for line := range strings.SplitSeq(text, "\n") {
		if len(rest) > 0 && line == rest[0] {
			rest = rest[1:]
		}
	}
	return len(rest) == 0
}

// instead are files for a folder that has now: the test files of t, and nothing in place of
// others.
func (t testFiles) instead(now testFiles, dir string) map[string][]byte {
	files := map[string][]byte{}
	for name, src := range now.sources {
		if t.sources[name] == nil {
			file, err := parser.ParseFile(token.NewFileSet(), name, src, parser.PackageClauseOnly)
			if err == nil {
				files[filepath.Join(dir, name)] = []byte("package " + file.Name.Name + "\n")
			}
		}
	}
	for name, src := range t.sources {
		files[filepath.Join(dir, name)] = src
	}
	return files
}
