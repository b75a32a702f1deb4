package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// auditor checks the verdicts of one results.json.
type auditor struct {
	options
	res         *results.Results
	tree        *tree
	packages    map[string]string   // import paths of the functions in scope, by ID
	quarantined map[string]bool     // tests, as import/path.Test
	plain       map[string]*testRun // runs of whole packages without a mutant
}

func newAuditor(o options, res *results.Results) (*auditor, error) {
	a := &auditor{options: o, res: res, packages: map[string]string{}, quarantined: map[string]bool{}, plain: map[string]*testRun{}}
	for _, f := range res.Scope {
		a.packages[f.ID] = f.Package
	}
	for _, w := range res.Warnings {
		for _, name := range quarantined(w) {
			a.quarantined[name] = true
		}
	}
	var err error
	a.tree, err = copyTree(o.dir)
	return a, err
}

// several matches the warning about several tests of a package that are quarantined for the same reason. The
// warning names the first of them and counts the others.
var several = regexp.MustCompile(`^\d+ tests of (\S+) are quarantined, so their results are not used: each of ([^\s,]+(?:, [^\s,]+)*)`)

// quarantined returns the tests that a warning names as quarantined.
func quarantined(warning string) (names []string) {
	if name, _, ok := strings.Cut(warning, " is quarantined, so its result is not used: "); ok {
		return []string{name}
	}
	match := several.FindStringSubmatch(warning)
	if match == nil {
		return nil
	}
	for _, test := range strings.Split(match[2], ", ") {
		names = append(names, match[1]+"."+test)
	}
	return names
}

// check checks one verdict. An error means that it could not be checked.
func (a *auditor) check(ctx context.Context, v verdict) (f finding, err error) {
	f.verdict = v
	switch v.kind {
	case byTest:
		f.wrong, err = a.killedByTest(ctx, v.mutant)
	case byEntry:
		f.wrong, err = a.killedByEntry(ctx, v.mutant)
	case survived:
		f.wrong, err = a.survives(ctx, v.mutant)
	case exposed:
		if f.wrong, err = a.survives(ctx, v.mutant); err == nil && f.wrong == "" {
			f.wrong, err = a.exposes(ctx, v.mutant)
		}
	case crash:
		f.wrong, err = a.crashes(ctx, v.crash)
	}
	return f, err
}

// gotest says how to run go test in the folder of a file that the results name.
func (a *auditor) gotest(file string) gotest {
	g := gotest{dir: filepath.Dir(a.tree.path(file)), timeout: a.timeout, exec: a.exec, flags: slices.Clone(a.res.Options.TestFlags)}
	if skip := a.res.Options.SkipTests; skip != "" {
		g.flags = append(g.flags, "-skip="+skip)
	}
	return g
}

// program runs the tests of packages without a mutant. It runs each list of packages only once.
func (a *auditor) program(ctx context.Context, g gotest, pkgs ...string) (*testRun, error) {
	key := strings.Join(append([]string{g.dir}, pkgs...), " ")
	if r := a.plain[key]; r != nil {
		return r, nil
	}
	r, err := g.run(ctx, pkgs...)
	if err == nil {
		a.plain[key] = r
	}
	return r, err
}

// mutated runs go test with m in the tree.
func (a *auditor) mutated(ctx context.Context, m *results.Mutant, g gotest, args ...string) (run *testRun, err error) {
	src, err := a.tree.mutate(m)
	if err != nil {
		return nil, err
	}
	err = a.tree.with(map[string][]byte{a.tree.path(m.File): src}, func() error {
		run, err = g.run(ctx, args...)
		return err
	})
	return run, err
}

// killedByTest checks that the test named in the results fails with m and passes without it. The test runs alone,
// or with all tests of its package if the results say that it depends on them. For a subtest, the whole top-level
// test runs, unless that fails even without m.
func (a *auditor) killedByTest(ctx context.Context, m *results.Mutant) (string, error) {
	pkg, test := splitName(m.KilledBy.Name)
	top, _, _ := strings.Cut(test, "/")
	if m.Reason != "" {
		return a.killsInSuite(ctx, m, pkg, pkg+"."+test)
	}
	return a.kills(ctx, m, pkg, pkg+"."+test, exact(top), exact(test))
}

// killedByEntry checks that plain go test fails on the entry with m and passes without it.
func (a *auditor) killedByEntry(ctx context.Context, m *results.Mutant) (wrong string, err error) {
	err = a.withEntry(ctx, m.File, m.KilledBy.Name, m.KilledBy.Entry, func() error {
		pkg, test := splitName(m.KilledBy.Name)
		test += "/" + m.KilledBy.Entry
		wrong, err = a.kills(ctx, m, pkg, pkg+"."+test, exact(test))
		return err
	})
	return wrong, err
}

// kills checks that the test called name fails with m and passes without it. It runs the tests of pkg that match
// a pattern: the first of patterns whose tests pass without m. If m ends the process, no test fails by name; that
// counts as a failure.
func (a *auditor) kills(ctx context.Context, m *results.Mutant, pkg, name string, patterns ...string) (string, error) {
	g := a.gotest(m.File)
	var before *testRun
	pattern := ""
	for _, pattern = range patterns {
		var err error
		if before, err = g.run(ctx, "-run="+pattern, pkg); err != nil {
			return "", err
		}
		if len(before.packages) == 0 {
			break
		}
	}
	if len(before.packages) > 0 {
		return name + " fails without the mutant:\n" + before.text(), nil
	}
	if !before.ran(pkg) {
		return "there is no test " + name, nil
	}
	after, err := a.mutated(ctx, m, g, "-run="+pattern, pkg)
	switch {
	case err != nil:
		return "", err
	case after.unbuilt:
		return "the mutant does not build:\n" + after.text(), nil
	case len(after.packages) == 0:
		return name + " passes with the mutant", nil
	case len(after.failed) > 0 && !after.failed[name]:
		return fmt.Sprintf("%s does not fail with the mutant, but %s", name, sorted(after.failed)), nil
	}
	return "", nil
}

// killsInSuite checks that a test fails with m, and not without it, when all tests of pkg run.
func (a *auditor) killsInSuite(ctx context.Context, m *results.Mutant, pkg, name string) (string, error) {
	g := a.gotest(m.File)
	before, err := a.program(ctx, g, pkg)
	if err != nil {
		return "", err
	}
	after, err := a.mutated(ctx, m, g, pkg)
	switch {
	case err != nil:
		return "", err
	case after.unbuilt:
		return "the mutant does not build:\n" + after.text(), nil
	}
	failures := a.newFailures(before, after)
	// The test counts here even if it is quarantined: it may behave differently when it runs alone.
	noticed := after.failed[name] && !before.failed[name]
	if !noticed && !slices.Contains(failures, pkg) {
		return fmt.Sprintf("%s does not fail with the mutant among all tests of %s, but %v", name, pkg, failures), nil
	}
	return "", nil
}

// survives checks that every test that could have killed m passes with m, if it passes without it.
func (a *auditor) survives(ctx context.Context, m *results.Mutant) (string, error) {
	g := a.gotest(m.File)
	pkgs, err := a.judges(ctx, g, a.packages[m.Function])
	if err != nil || len(pkgs) == 0 {
		return "", err
	}
	before, err := a.program(ctx, g, pkgs...)
	if err != nil {
		return "", err
	}
	after, err := a.mutated(ctx, m, g, pkgs...)
	if err != nil {
		return "", err
	}
	if after.unbuilt && !before.unbuilt {
		return "the mutant does not build:\n" + after.text(), nil
	}
	failures := a.newFailures(before, after)
	if len(failures) == 0 {
		return "", nil
	}
	// One failure may be chance: the tests have to fail again, and not without the mutant.
	again, err := a.mutated(ctx, m, g, pkgs...)
	if err != nil {
		return "", err
	}
	calm, err := g.run(ctx, pkgs...)
	if err != nil {
		return "", err
	}
	both := slices.DeleteFunc(a.newFailures(calm, again), func(s string) bool { return !slices.Contains(failures, s) })
	if len(both) == 0 {
		return "", nil
	}
	return fmt.Sprintf("%s fail with the mutant:\n%s", strings.Join(both, ", "), again.text()), nil
}

// newFailures returns the tests that fail in after but not in before, except quarantined ones. It adds the
// packages that fail only in after although none of their tests does.
func (a *auditor) newFailures(before, after *testRun) []string {
	var list []string
	blamed := map[string]bool{}
	for name := range after.failed {
		pkg, test := splitName(name)
		blamed[pkg] = true
		top, _, _ := strings.Cut(test, "/")
		if !before.failed[name] && !a.quarantined[pkg+"."+top] {
			list = append(list, name)
		}
	}
	for pkg := range after.packages {
		if !blamed[pkg] && !before.packages[pkg] {
			list = append(list, pkg)
		}
	}
	slices.Sort(list)
	return list
}

// judges returns the packages whose tests may kill mutants of pkg, by the option that the results were made with.
// That is pkg alone for "package", and none for "none". Otherwise it is every package of the workspace whose test
// binary links pkg.
func (a *auditor) judges(ctx context.Context, g gotest, pkg string) ([]string, error) {
	switch a.res.Options.Tests {
	case "none":
		return nil, nil
	case "package":
		return []string{pkg}, nil
	}
	out, stderr, err := g.command(ctx, "list", "-e", "-test", "-f", `{{.ImportPath}}{{range .Deps}} {{.}}{{end}}`, "work")
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, stderr)
	}
	var list []string
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		if name, ok := strings.CutSuffix(fields[0], ".test"); ok && (name == pkg || slices.Contains(fields, pkg)) {
			list = append(list, name)
		}
	}
	return list, nil
}

// crashes checks that the entry fails on the program. If the results have a test for the crash, as for one that a
// driver found, it checks that test instead: the driver is not in the source.
func (a *auditor) crashes(ctx context.Context, c *results.Crash) (wrong string, err error) {
	if c.Test != "" {
		return a.testFails(ctx, c)
	}
	pkg, test := splitName(c.Harness)
	dir, err := a.folder(ctx, a.res.Scope[0].File, pkg)
	if err != nil {
		return "", err
	}
	err = a.withEntry(ctx, path.Join(dir, "x"), c.Harness, c.Entry, func() error {
		run, err := a.gotest(path.Join(dir, "x")).run(ctx, "-run="+exact(test+"/"+c.Entry), pkg)
		if err == nil && len(run.packages) == 0 {
			wrong = "go test passes on the entry"
		}
		return err
	})
	return wrong, err
}

// testFails checks that the test that the results have for a crash fails on the program. If the results blame a
// part of the change, the test also has to pass with that part undone, unless that does not build.
func (a *auditor) testFails(ctx context.Context, c *results.Crash) (wrong string, err error) {
	found := offered.FindStringSubmatch(c.Test)
	if found == nil {
		return "the offered test has no test function", nil
	}
	g, args := a.gotest(c.TestFile), []string{"-run=" + exact(found[1]), "."}
	err = a.tree.with(map[string][]byte{a.tree.path(c.TestFile): []byte(c.Test)}, func() error {
		run, err := g.run(ctx, args...)
		switch {
		case err != nil:
			return err
		case run.unbuilt:
			wrong = "the offered test does not build:\n" + run.text()
		case len(run.packages) == 0:
			wrong = "the offered test passes"
		}
		i := slices.IndexFunc(a.res.Mutants, func(m results.Mutant) bool { return m.ID == c.MendedBy })
		if wrong != "" || i < 0 {
			return nil
		}
		undone, err := a.mutated(ctx, &a.res.Mutants[i], g, args...)
		if err == nil && !undone.unbuilt && len(undone.packages) > 0 {
			wrong = "the offered test fails with that part of the change undone, too:\n" + undone.text()
		}
		return err
	})
	return wrong, err
}

// withEntry calls f while an entry is in testdata/fuzz of its target. file is any file of the module, relative to
// the root.
func (a *auditor) withEntry(ctx context.Context, file, harness, id string, f func() error) error {
	pkg, target := splitName(harness)
	dir, err := a.folder(ctx, file, pkg)
	if err != nil {
		return err
	}
	name := a.tree.path(path.Join(dir, "testdata", "fuzz", target, id))
	if _, err := os.Stat(name); err == nil {
		return f() // it was committed
	}
	data, err := os.ReadFile(filepath.Join(a.corpus, filepath.FromSlash(pkg), target, id))
	if a.corpus == "" || err != nil {
		return fmt.Errorf("entry %s of %s is missing\nhint: -corpus names the folder with the entries of the results", id, harness)
	}
	return a.tree.with(map[string][]byte{name: data}, f)
}

// folder returns the folder of package pkg, relative to the root. file is any file of the module.
func (a *auditor) folder(ctx context.Context, file, pkg string) (string, error) {
	out, stderr, err := a.gotest(file).command(ctx, "list", "-e", "-f", "{{.Dir}}", pkg)
	if err != nil {
		return "", fmt.Errorf("go list %s: %w\n%s", pkg, err, stderr)
	}
	rel, err := filepath.Rel(a.tree.path("."), strings.TrimSpace(string(out)))
	return filepath.ToSlash(rel), err
}

var testStart = regexp.MustCompile(`\.(Test|Example|Fuzz)[^./]*(/.*)?$`)

// splitName splits "import/path.Test/sub" into "import/path" and "Test/sub".
func splitName(name string) (pkg, test string) {
	// Subtests and import paths may both hold dots and slashes. The first dot that is followed by what looks like
	// a test separates them.
	for i := range name {
		if name[i] == '.' && testStart.MatchString(name[i:]) && testStart.FindStringIndex(name[i:])[0] == 0 {
			return name[:i], name[i+1:]
		}
	}
	return name, ""
}

// exact returns the pattern for -run that matches exactly one test, subtest by subtest.
func exact(test string) string {
	parts := strings.Split(test, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.Join(parts, "/")
}

func sorted(set map[string]bool) string {
	return strings.Join(slices.Sorted(maps.Keys(set)), ", ")
}
