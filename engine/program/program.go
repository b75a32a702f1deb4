// Package program holds what the go command and go/types know of a program: the modules that one invocation of the go
// command sees together, with the functions in scope.
package program

import (
	"context"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/diffscope"
	"github.com/mutantfuzz/mutantfuzz/internal/deadline"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/internal/regular"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Program is a unit of diffscope that has functions in scope. New makes it; List, then Load fill it in.
type Program struct {
	diffscope.Unit
	Tree  string // absolute; holds the files that are analysed
	Tool  gotool.Go
	Flags []string // build flags, such as -tags=x
	// Functions are the functions in scope. Skipped says why one cannot be mutated, as far as is known yet.
	Functions  []diffscope.Function
	Hunks      []diffscope.Hunk
	Gone       []diffscope.Gone
	AddedData  []string                   // as in results.json
	TestedIn   []string                   // as in diffscope.Scope
	OtherTests []string                   // as in diffscope.Scope
	Packages   map[string]*gotool.Package // by import path: every package of the program; set by List
	Touched    []string                   // import paths of the packages with functions to mutate, sorted; set by List
	External   bool                       // Load also type-checks the external tests of touched packages
	Types      *Types                     // set by Load
	Files      []File                     // test files made for the analysis; set by AddHarnesses
	Undriven   map[string]string          // why no harness was made for a function, by ID; set by AddHarnesses
	leftOut    []string                   // import paths of packages that do not build; see LeaveOut
	targets    []string                   // import paths of the packages that Load loaded for their fuzz targets
}

// New returns the program of the n-th unit of a scope, to be built in an environment with flags; nil if none of the
// unit's functions is in scope.
func New(scope *diffscope.Scope, n int, env, flags []string) *Program {
	var functions []diffscope.Function
	for _, f := range scope.Functions {
		if f.Unit == n {
			functions = append(functions, f)
		}
	}
	if len(functions) == 0 {
		return nil
	}
	unit := scope.Units[n]
	return &Program{
		Unit: unit, Tree: scope.Tree, Flags: flags, Functions: functions, Hunks: scope.Hunks, Gone: scope.Gone, AddedData: scope.AddedData, TestedIn: scope.TestedIn, OtherTests: scope.OtherTests, Undriven: map[string]string{},
		Tool: gotool.Go{Dir: unit.Dir, Env: slices.Concat(env, unit.Env)},
	}
}

// listPart is the part of the remaining time for listing the packages with their dependencies. These are all that any
// package of the program or its tests need, and may have to be downloaded.
const listPart = 0.1

// List lists the packages of the program and sets Packages, Touched and Untested. If listing their dependencies takes
// too long, it lists the packages alone, since building the touched ones needs only part of the dependencies. The
// error is a *BrokenError if a touched package cannot be listed.
func (p *Program) List(ctx context.Context) error {
	var patterns []string
	for _, m := range p.Modules {
		rel, err := filepath.Rel(p.Dir, m.Dir)
		if err != nil {
			return err
		}
		patterns = append(patterns, "./"+filepath.ToSlash(filepath.Join(rel, "...")))
	}
	p.Touched = nil
	for _, f := range p.Functions {
		if f.Skipped == "" && !slices.Contains(p.Touched, f.Package) {
			p.Touched = append(p.Touched, f.Package)
		}
	}
	slices.Sort(p.Touched)
	part, cancel := deadline.Part(ctx, listPart)
	defer cancel()
	list, err := p.Tool.List(part, p.Flags, patterns...)
	if err != nil && part.Err() != nil && ctx.Err() == nil {
		list, err = p.Tool.ListAlone(ctx, p.Flags, patterns...)
	}
	if failed := (*gotool.CommandError)(nil); errors.As(err, &failed) { // for example, go.mod needs updates
		return broken(p.Touched, failed.Output)
	}
	if err != nil {
		return err
	}
	p.Packages = map[string]*gotool.Package{}
	for _, pkg := range list {
		p.Packages[pkg.ImportPath] = pkg
	}
	for _, path := range p.Touched {
		if pkg := p.Packages[path]; pkg == nil {
			return &BrokenError{Packages: []string{path}, Output: "the go command does not list this package"}
		} else if len(pkg.Errors) > 0 {
			return broken([]string{path}, strings.Join(pkg.Errors, "\n"))
		}
	}
	for i := range p.Functions {
		f := &p.Functions[i]
		pkg := p.Packages[f.Package]
		f.Untested = pkg != nil && !pkg.HasTests()
	}
	return nil
}

// Sorted returns the packages of the program, by import path.
func (p *Program) Sorted() []*gotool.Package {
	return slices.SortedFunc(maps.Values(p.Packages), func(a, b *gotool.Package) int {
		return strings.Compare(a.ImportPath, b.ImportPath)
	})
}

// Path returns the absolute name of a file that results.json names relative to the tree, with slashes.
func (p *Program) Path(file string) string { return filepath.Join(p.Tree, filepath.FromSlash(file)) }

// Rel returns the name in results.json of an absolute path in the tree.
func (p *Program) Rel(path string) string {
	rel, err := filepath.Rel(p.Tree, path)
	if err != nil { // it is on another volume
		rel = path
	}
	return filepath.ToSlash(rel)
}

// Own reports whether a package belongs to the program.
func (p *Program) Own(importPath string) bool { return p.Packages[importPath] != nil }

// Module returns the module of a package; nil if it is not one of the program's.
func (p *Program) Module(importPath string) *diffscope.Module {
	pkg := p.Packages[importPath]
	i := slices.IndexFunc(p.Modules, func(m diffscope.Module) bool { return pkg != nil && m.Path == pkg.ModulePath })
	if i < 0 {
		return nil
	}
	return &p.Modules[i]
}

// GoVersion returns the language version of a package's module; "" if it has none.
func (p *Program) GoVersion(importPath string) string {
	if m := p.Module(importPath); m != nil {
		return m.Go
	}
	return ""
}

// TestsImport reports whether pkg's code or tests import path, directly or not.
func (p *Program) TestsImport(pkg *gotool.Package, path string) bool {
	tests := slices.Concat(pkg.TestImports, pkg.XTestImports)
	return slices.Contains(pkg.Deps, path) || slices.ContainsFunc(tests, func(imp string) bool {
		return imp == path || p.Packages[imp] != nil && slices.Contains(p.Packages[imp].Deps, path)
	})
}

// Importers returns the packages with tests that are touched, or that import a touched package in code or tests,
// directly or not.
func (p *Program) Importers() []string {
	var list []string
	for _, pkg := range p.Sorted() {
		if pkg.HasTests() && p.LeadsToTouched(pkg) {
			list = append(list, pkg.ImportPath)
		}
	}
	return list
}

// WithTargets returns those of the importers that have fuzz targets, without packages that do not build.
func (p *Program) WithTargets() []string {
	return slices.DeleteFunc(p.Importers(), func(path string) bool { return !hasTarget(p.Packages[path]) || p.dependsOn(path, p.leftOut) })
}

// LeadsToTouched reports whether pkg is touched, or it or its tests import a touched package, directly or not.
func (p *Program) LeadsToTouched(pkg *gotool.Package) bool {
	return slices.ContainsFunc(p.Touched, func(path string) bool { return pkg.ImportPath == path || p.TestsImport(pkg, path) })
}

// hasTarget reports whether a test file of p seems to hold a fuzz target.
func hasTarget(p *gotool.Package) bool {
	for _, name := range p.TestFiles() {
		src, err := regular.Source(filepath.Join(p.Dir, name))
		if err == nil && strings.Contains(string(src), "testing.F") {
			return true
		}
	}
	return false
}

// InScope returns the IDs of the functions to mutate.
func (p *Program) InScope() map[string]bool {
	ids := map[string]bool{}
	for _, f := range p.Functions {
		if f.Skipped == "" {
			ids[f.ID] = true
		}
	}
	return ids
}

// Scope returns the functions in scope as results.json has them.
func (p *Program) Scope() (list []results.Function) {
	for _, f := range p.Functions {
		list = append(list, f.Function)
	}
	return list
}
