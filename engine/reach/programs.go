package reach

import (
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
)

// starters are packages that tests import to start programs.
var starters = []string{"os/exec", "github.com/rogpeppe/go-internal/testscript"}

// Unseen are the touched packages whose code may run where nothing tells that it did: it is of a program, or tests that do not
// run here may run it.
func (r *Reach) Unseen() map[string]bool {
	unseen := map[string]bool{}
	for _, pkg := range r.Touched {
		unseen[pkg] = r.inProgram(pkg) || r.excludesTests(pkg) || r.testedElsewhere(pkg)
	}
	return unseen
}

// inProgram reports whether code of a package may run where nothing tells that it did: it is of a program of the tree that
// tests may start in processes of their own, or of package main without a test file, which people try out by hand.
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

// excludesTests reports whether build constraints leave test files of a package out: what those run is not known.
func (r *Reach) excludesTests(pkg string) bool {
	p := r.Packages[pkg]
	return p != nil && slices.ContainsFunc(p.IgnoredGoFiles, func(name string) bool {
		return strings.HasSuffix(name, "_test.go") && !strings.HasPrefix(name, "_") && !strings.HasPrefix(name, ".") // which no constraint lets in
	})
}

// testedElsewhere reports whether tests of another module, which are not run, may run code of a package.
func (r *Reach) testedElsewhere(pkg string) bool {
	return slices.ContainsFunc(r.Outside, func(imported string) bool {
		p := r.Packages[imported]
		return imported == pkg || p != nil && slices.Contains(p.Deps, pkg)
	})
}

// mayStart reports whether the tests of a package, or a helper that they import, import what starts programs. What a program
// itself imports does not count: that starts others, as a rule.
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
