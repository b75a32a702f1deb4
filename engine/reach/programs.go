package reach

import (
	"go/build"
	"go/doc"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/internal/regular"
)

// starters has the packages that tests import to start programs.
var starters = []string{"os/exec", "github.com/rogpeppe/go-internal/testscript"}

// Unseen returns, for each touched package, whether its code may run without the analysis seeing it: in a program that
// tests or people start, or in tests that are not run here.
func (r *Reach) Unseen() map[string]bool {
	unseen := map[string]bool{}
	for _, pkg := range r.Touched {
		p := r.Packages[pkg]
		onlyExcluded := p != nil && !p.HasTests() && len(r.Excluded(pkg)) > 0
		unseen[pkg] = r.inProgram(pkg) || onlyExcluded || r.testedElsewhere(pkg)
	}
	return unseen
}

// inProgram reports whether code of pkg may run unseen because it belongs to a program of the tree: one that tests may
// start as a process of its own. A package main without test files counts too, since people try it out by hand.
func (r *Reach) inProgram(pkg string) bool {
	return slices.ContainsFunc(r.Sorted(), func(program *gotool.Package) bool {
		switch {
		case program.Name != "main" || pkg != program.ImportPath && !slices.Contains(program.Deps, pkg):
			return false
		case pkg == program.ImportPath && !program.HasTests():
			return true
		}
		return slices.ContainsFunc(r.Sorted(), func(tests *gotool.Package) bool { return r.mayStart(tests, program) })
	})
}

// Excluded returns the tests of pkg in files that build constraints exclude, so that it is not known what those run. A
// file that cannot be parsed counts as a test with the name of the file.
func (r *Reach) Excluded(pkg string) (tests []string) {
	for _, f := range r.excludedFiles(pkg) {
		tests = append(tests, f.tests...)
	}
	return tests
}

// RunsElsewhere returns those tests of Excluded that go test runs with other build tags, and those that it runs on other
// systems. Examples without expected output are never run.
func (r *Reach) RunsElsewhere(pkg string) (tagged, ported []string) {
	for _, f := range r.excludedFiles(pkg) {
		running := slices.DeleteFunc(slices.Clone(f.tests), func(test string) bool { return slices.Contains(f.idle, test) })
		if fitsSystem(r.Packages[pkg].Dir, f.name) {
			ported = append(ported, running...)
		} else {
			tagged = append(tagged, running...)
		}
	}
	return tagged, ported
}

// excluded is a test file that build constraints exclude.
type excluded struct {
	name  string
	tests []string // the name of the file if it cannot be parsed
	idle  []string // those of them that are never run
}

// excludedFiles returns the test files of pkg that build constraints exclude.
func (r *Reach) excludedFiles(pkg string) (list []excluded) {
	p := r.Packages[pkg]
	if p == nil {
		return nil
	}
	for _, name := range p.IgnoredGoFiles {
		if !strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") { // never built
			continue
		}
		f := excluded{name: name}
		file, err := regular.Parse(token.NewFileSet(), filepath.Join(p.Dir, name), parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			f.tests = []string{name}
			list = append(list, f)
			continue
		}
		for _, fn := range gotool.TestsIn(file) {
			f.tests = append(f.tests, fn.Name.Name)
		}
		for _, x := range doc.Examples(file) {
			if x.Output == "" && !x.EmptyOutput {
				f.idle = append(f.idle, "Example"+x.Name)
			}
		}
		list = append(list, f)
	}
	return list
}

// systems are operating systems and processors for which tests may be written.
var systems = [][2]string{
	{"windows", "amd64"}, {"darwin", "arm64"}, {"darwin", "amd64"}, {"linux", "amd64"}, {"linux", "arm64"}, {"linux", "386"}, {"linux", "arm"},
	{"linux", "s390x"}, {"linux", "ppc64le"}, {"linux", "riscv64"}, {"freebsd", "amd64"}, {"netbsd", "amd64"}, {"openbsd", "amd64"},
	{"plan9", "386"}, {"solaris", "amd64"}, {"aix", "ppc64"}, {"android", "arm64"}, {"ios", "arm64"}, {"js", "wasm"}, {"wasip1", "wasm"},
}

// fitsSystem reports whether a file is part of its package on some system, without further build tags.
func fitsSystem(dir, name string) bool {
	return slices.ContainsFunc(systems, func(s [2]string) bool {
		c := build.Default
		c.GOOS, c.GOARCH, c.CgoEnabled = s[0], s[1], true
		fits, err := c.MatchFile(dir, name)
		return err == nil && fits
	})
}

// testedElsewhere reports whether tests of another module, which are not run, may run code of pkg.
func (r *Reach) testedElsewhere(pkg string) bool {
	return slices.ContainsFunc(r.Outside, func(imported string) bool {
		p := r.Packages[imported]
		return imported == pkg || p != nil && slices.Contains(p.Deps, pkg)
	})
}

// mayStart reports whether the given tests may start program: whether they, or a helper package that they import,
// import one of starters. Packages that belong to program do not count, because they usually start other programs.
func (r *Reach) mayStart(tests, program *gotool.Package) bool {
	starts := func(imports []string) bool {
		return slices.ContainsFunc(starters, func(path string) bool { return slices.Contains(imports, path) })
	}
	imports := slices.Concat(tests.TestImports, tests.XTestImports)
	return !slices.Contains(program.Deps, tests.ImportPath) && (starts(imports) || slices.ContainsFunc(imports, func(path string) bool {
		helper := r.Packages[path]
		return helper != nil && helper != program && !slices.Contains(program.Deps, path) && starts(helper.Imports)
	}))
}
