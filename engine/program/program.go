// Package program is what the go command and go/types know of a program: the modules
// that one invocation of the go command sees together, with functions in scope.
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

// Program is a unit of diffscope with functions in scope. New makes it; List and Load
// fill it in, one after the other.
type Program struct {
	diffscope.Unit
	Tree  string // absolute; where the files that are analysed are
	Tool  gotool.Go
	Flags []string // build flags, as -tags
	// Functions are those in scope. Their Skipped says why one cannot be mutated, as far
	// as the analysis has come.
	Functions []diffscope.Function
	Hunks     []diffscope.Hunk
	Gone      []diffscope.Gone
	AddedData []string                   // as in results.json
	TestedIn  []string                   // as in diffscope.Scope
	Packages  map[string]*gotool.Package // by import path: every package of the program; set by List
	Touched   []string                   // import paths of the packages with functions to mutate, sorted; set by List
	External  bool                       // whether Load type-checks the external tests of touched packages, too
	Types     *Types                     // set by Load
	Files     []File                     // test files that only the analysis knows; set by AddHarnesses
	Undriven  map[string]string          // why functions have no harness that was made for them, by ID; likewise
	leftOut   []string                   // import paths of packages that do not build; see LeaveOut
	targets   []string                   // import paths of the packages that were loaded for their targets
}

// New returns the program of the n-th unit of a scope, to be built in an environment
// with flags; nil if none of its functions is in scope.
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
		Unit: unit, Tree: scope.Tree, Flags: flags, Functions: functions, Hunks: scope.Hunks, Gone: scope.Gone, AddedData: scope.AddedData, TestedIn: scope.TestedIn, Undriven: map[string]string{},
		Tool: gotool.Go{Dir: unit.Dir, Env: slices.Concat(env, unit.Env)},
	}
}

// listPart is the part of the remaining time that it may take to list the packages with what they depend on, which may have to be downloaded:
// all that any package of the program needs, or its tests.
const listPart = 0.1

// List lists the packages of the program. If what they depend on takes too long, they are listed alone: to build those that matter takes only a part
// of it. A touched package that cannot be listed is a *BrokenError.
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
	if failed := (*gotool.CommandError)(nil); errors.As(err, &failed) { // as where go.mod needs updates
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

// Sorted are the packages of the program, by import path.
func (p *Program) Sorted() []*gotool.Package {
	return slices.SortedFunc(maps.Values(p.Packages), func(a, b *gotool.Package) int {
		return strings.Compare(a.ImportPath, b.ImportPath)
	})
}

// Path is the absolute name of a file that results.json names relative to the tree, with slashes.
func (p *Program) Path(file string) string { return filepath.Join(p.Tree, filepath.FromSlash(file)) }

// Rel is the name that results.json has for what is at an absolute path in the tree.
func (p *Program) Rel(path string) string {
	rel, err := filepath.Rel(p.Tree, path)
	if err != nil { // it is on another volume
		rel = path
	}
	return filepath.ToSlash(rel)
}

// Own reports whether a package belongs to the program.
func (p *Program) Own(importPath string) bool { return p.Packages[importPath] != nil }

// Module returns the module of a package; nil: none of the program's.
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

// Importers returns the packages with tests that import, directly or not, a
// touched package, or are one.
func (p *Program) Importers() []string {
	var list []string
	for _, pkg := range p.Sorted() {
		if pkg.HasTests() && p.LeadsToTouched(pkg) {
			list = append(list, pkg.ImportPath)
		}
	}
	return list
}

// WithTargets returns the packages with fuzz targets among the importers, but for those that do not build.
func (p *Program) WithTargets() []string {
	return slices.DeleteFunc(p.Importers(), func(path string) bool { return !hasTarget(p.Packages[path]) || p.dependsOn(path, p.leftOut) })
}

// LeadsToTouched reports whether pkg or its tests import, directly or not, a
// touched package, or are one.
func (p *Program) LeadsToTouched(pkg *gotool.Package) bool {
	return slices.ContainsFunc(p.Touched, func(path string) bool { return pkg.ImportPath == path || p.TestsImport(pkg, path) })
}

// hasTarget reports whether a test file of p looks as if it held a fuzz
// target.
func hasTarget(p *gotool.Package) bool {
	for _, name := range p.TestFiles() {
		src, err := regular.Source(filepath.Join(p.Dir, name))
		if err == nil && strings.Contains(string(src), "testing.F") {
			return true
		}
	}
	return false
}

// InScope are the IDs of the functions to mutate.
func (p *Program) InScope() map[string]bool {
	ids := map[string]bool{}
	for _, f := range p.Functions {
		if f.Skipped == "" {
			ids[f.ID] = true
		}
	}
	return ids
}

// Scope are the functions in scope as results.json has them.
func (p *Program) Scope() (list []results.Function) {
	for _, f := range p.Functions {
		list = append(list, f.Function)
	}
	return list
}
