package reach

import (
	"slices"

	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
)

// starters are packages that tests import to start programs.
var starters = []string{"os/exec", "github.com/rogpeppe/go-internal/testscript"}

// InProgram reports whether tests may run code of a package in processes that they start, where nothing
// tells that it ran: it is package main, or part of a program of the tree while there are tests that
// start programs. Tests of what the program itself imports do not count: they start others, as a rule.
func (r *Reach) InProgram(pkg string) bool {
	if r.Packages[pkg].Name == "main" {
		return true
	}
	all := r.Sorted()
	return slices.ContainsFunc(all, func(program *gotool.Package) bool {
		return program.Name == "main" && slices.Contains(program.Deps, pkg) && slices.ContainsFunc(all, func(tests *gotool.Package) bool {
			return startsPrograms(tests) && !slices.Contains(program.Deps, tests.ImportPath)
		})
	})
}

// startsPrograms reports whether the tests of a package import what starts programs.
func startsPrograms(p *gotool.Package) bool {
	return slices.ContainsFunc(starters, func(path string) bool {
		return slices.Contains(p.TestImports, path) || slices.Contains(p.XTestImports, path)
	})
}
