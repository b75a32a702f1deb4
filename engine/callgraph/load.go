package callgraph

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/mutantfuzz/mutantfuzz/engine/program"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/internal/regular"
)

// loader type-checks the packages of the program from source: with function bodies if they may lead from a harness to
// touched code, otherwise only their declarations. All other packages come from export data. There is a single set of
// types: test files are added to their package, so packages that import it see them, too.
type loader struct {
	*program.Program
	harnesses []string
	fset      *token.FileSet
	touched   map[string]bool
	outside   *gotool.ExportData
	unit      map[string]*source // by import path, without external test packages
	order     []*source          // each after the packages that it imports
}

// source is a package of the program, or an external test package.
type source struct {
	path    string // without the "_test" of an external test package
	full    bool   // its function bodies are type-checked
	types   *types.Package
	info    *types.Info
	files   []*ast.File
	checker *types.Checker
	err     error // why it is not known, without its tests; nil: it is
	testErr error // why it is not known with its tests; nil: it is
}

// load reads the harnesses and what they import. It first reads all packages without their tests, because imports of
// tests may form cycles that imports of packages may not.
func load(ctx context.Context, p *program.Program, harnesses []string) (l *loader, err error) {
	l = &loader{
		Program: p, harnesses: harnesses, fset: token.NewFileSet(), touched: map[string]bool{},
		unit: map[string]*source{},
	}
	for _, path := range p.Touched {
		l.touched[path] = true
	}
	inside, outside := l.linked()
	exported, err := p.Tool.Exports(ctx, p.Flags, outside)
	if err != nil {
		return nil, err
	}
	l.outside = gotool.NewExportData(exported.Files, l.fset)
	for _, path := range inside {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		l.source(path)
	}
	for _, path := range harnesses {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if l.unit[path] == nil {
			return nil, fmt.Errorf("package %s is not part of this program", path)
		}
		l.addTests(l.unit[path])
	}
	return l, nil
}

// linked returns the packages of the program that are linked into the test binary of a harness, and the packages
// outside of the program that these import.
func (l *loader) linked() (inside, outside []string) {
	seen := map[string]bool{"C": true, "unsafe": true}
	var visit func(paths []string)
	visit = func(paths []string) {
		for _, path := range paths {
			if seen[path] {
				continue
			}
			seen[path] = true
			p := l.Packages[path]
			if p == nil {
				outside = append(outside, path)
				continue
			}
			inside = append(inside, path)
			visit(p.Imports)
			if slices.Contains(l.harnesses, path) {
				visit(p.TestImports)
				visit(p.XTestImports)
			}
		}
	}
	visit(l.harnesses)
	slices.Sort(inside)
	slices.Sort(outside)
	return inside, outside
}

// matters reports whether function bodies of p may lead to touched code. Other packages can only call touched code that
// is passed to them, and passing it counts as reaching it.
func (l *loader) matters(p *gotool.Package) bool {
	return l.touched[p.ImportPath] || slices.Contains(l.harnesses, p.ImportPath) ||
		slices.ContainsFunc(p.Deps, func(dep string) bool { return l.touched[dep] })
}

// source reads the package at path without its tests.
func (l *loader) source(path string) *source {
	if s := l.unit[path]; s != nil {
		return s
	}
	p := l.Packages[path]
	s := l.newSource(p, p.Name, path)
	l.unit[path] = s
	switch {
	case len(p.Errors) > 0:
		s.err = errors.New(p.Errors[0])
	case s.full && len(p.CgoFiles) > 0:
		s.err = errors.New("it uses cgo")
	default:
		s.err = l.check(s, p, slices.Concat(p.GoFiles, p.CgoFiles))
	}
	s.testErr = s.err
	l.order = append(l.order, s) // type-checking it has appended what it imports
	return s
}

// addTests adds the test files of s to s, and its external test package to l.order.
func (l *loader) addTests(s *source) {
	if s.err != nil {
		return
	}
	p, plain := l.Packages[s.path], s.files
	if s.testErr = l.check(s, p, p.TestGoFiles); s.testErr != nil {
		s.files = plain
	}
	if len(p.XTestGoFiles) > 0 {
		x := l.newSource(p, p.Name+"_test", s.path+"_test")
		x.err = l.check(x, p, p.XTestGoFiles)
		l.order = append(l.order, x)
		s.testErr = cmp.Or(s.testErr, x.err)
	}
}

func (l *loader) newSource(p *gotool.Package, name, path string) *source {
	s := &source{path: p.ImportPath, full: l.matters(p), types: types.NewPackage(path, name), info: gotool.NewInfo()}
	conf := &types.Config{
		Importer: l, Sizes: types.SizesFor("gc", runtime.GOARCH),
		IgnoreFuncBodies: !s.full, FakeImportC: true, // for packages of which only declarations are read
	}
	if v := l.GoVersion(p.ImportPath); v != "" {
		conf.GoVersion = "go" + v
	}
	s.checker = types.NewChecker(conf, l.fset, s.types, s.info)
	return s
}

// check parses the named files of p and type-checks them as part of s.
func (l *loader) check(s *source, p *gotool.Package, files []string) error {
	var syntax []*ast.File
	for _, name := range files {
		f, err := regular.Parse(l.fset, filepath.Join(p.Dir, name), parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		syntax = append(syntax, f)
	}
	s.files = slices.Concat(s.files, syntax)
	return s.checker.Files(syntax)
}

// Import returns the package at path. It fails if the package does not type-check, so that its importers fail, too.
func (l *loader) Import(path string) (*types.Package, error) {
	if l.Packages[path] == nil {
		return l.outside.Import(path)
	}
	s := l.source(path)
	if s.err == nil && !slices.Contains(l.order, s) {
		return nil, errors.New("import cycle")
	}
	return s.types, s.err
}
