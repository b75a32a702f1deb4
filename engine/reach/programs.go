package reach

import (
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
)

// starters has the packages that tests import to start programs.
var starters = []string{"os/exec", "github.com/rogpeppe/go-internal/testscript"}

// Unseen returns, for each touched package, whether its code may run without the analysis seeing it: in a program that
// tests or people start, or in tests that are not run here.
func (r *Reach) Unseen() map[string]bool {
	unseen := map[string]bool{}
	for _, pkg := range r.Touched {
		unseen[pkg] = r.inProgram(pkg) || r.excludesTests(pkg) || r.testedElsewhere(pkg)
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

// excludesTests reports whether build constraints exclude test files of pkg, so that it is not known what those run.
func (r *Reach) excludesTests(pkg string) bool {
	p := r.Packages[pkg]
	return p != nil && slices.ContainsFunc(p.IgnoredGoFiles, func(name string) bool {
		return strings.HasSuffix(name, "_test.go") && !strings.HasPrefix(name, "_") && !strings.HasPrefix(name, ".") // never built
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
