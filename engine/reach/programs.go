package reach

import (
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
	p := r.Packages[pkg]
	if p == nil {
		return nil
	}
	for _, name := range p.IgnoredGoFiles {
		if !strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") { // never built
			continue
		}
		file, err := regular.Parse(token.NewFileSet(), filepath.Join(p.Dir, name), parser.SkipObjectResolution)
		if err != nil {
			tests = append(tests, name)
			continue
		}
		for _, fn := range gotool.TestsIn(file) {
			tests = append(tests, fn.Name.Name)
		}
	}
	return tests
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
