package callgraph

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"golang.org/x/tools/go/gcexportdata"

	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
)

// loader type-checks packages from source where they may lead from a harness
// to touched code, and takes the types of all others from export data. All
// packages share one set of types: test files are added to the package that
// they belong to, as they see it and its other importers do.
type loader struct {
	cfg     Config
	fset    *token.FileSet
	seeds   map[string]bool // packages that are touched or harnesses
	exports map[string]string
	outside map[string]*types.Package // from export data, by import path
	inside  map[string]*source        // from source, by import path
	order   []*source                 // of inside, and external test packages
}

// source is a package that is read in full.
type source struct {
	path     string // without the "_test" of an external test package
	external bool   // it is such a package
	types    *types.Package
	info     *types.Info
	files    []*ast.File
	checker  *types.Checker
	errs     []error // of the type checker, so far
	err      error   // why it could not be understood, without its tests
	testErr  error   // ... and with them
}

func newLoader(cfg Config) *loader {
	l := &loader{
		cfg: cfg, fset: token.NewFileSet(), seeds: map[string]bool{},
		outside: map[string]*types.Package{"unsafe": types.Unsafe}, inside: map[string]*source{},
	}
	for _, path := range slices.Concat(cfg.Touched, cfg.Harnesses) {
		l.seeds[path] = true
	}
	return l
}

// load reads all packages that are wanted: first without their tests, for
// tests may import what no package may.
func (l *loader) load(ctx context.Context) error {
	wanted := l.wanted()
	var err error
	if l.exports, err = l.cfg.Exports(ctx, l.imports(wanted)); err != nil {
		return err
	}
	for _, path := range wanted {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		l.source(path)
	}
	for _, path := range l.cfg.Harnesses {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if l.inside[path] == nil {
			return fmt.Errorf("the unit has no package %s", path)
		}
		l.addTests(l.inside[path])
	}
	return nil
}

// wanted are the packages to read in full: touched ones, harnesses, and what
// lies between.
func (l *loader) wanted() []string {
	linked := maps.Clone(l.seeds)
	for _, path := range l.cfg.Harnesses {
		p := l.cfg.Packages[path]
		if p == nil {
			continue
		}
		for _, imp := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
			linked[imp] = true
			if q := l.cfg.Packages[imp]; q != nil {
				for _, dep := range q.Deps {
					linked[dep] = true
				}
			}
		}
	}
	maps.DeleteFunc(linked, func(path string, _ bool) bool { return !l.isInside(path) })
	return slices.Sorted(maps.Keys(linked))
}

// isInside reports whether a package is read from source. So is every package
// of the unit that depends on one that is, since export data would bring a
// second set of its types.
func (l *loader) isInside(path string) bool {
	p := l.cfg.Packages[path]
	return p != nil && (l.seeds[path] || slices.ContainsFunc(p.Deps, func(dep string) bool { return l.seeds[dep] }))
}

// imports are the packages outside that wanted packages import.
func (l *loader) imports(wanted []string) []string {
	outside := map[string]bool{}
	for _, path := range wanted {
		p := l.cfg.Packages[path]
		list := p.Imports
		if slices.Contains(l.cfg.Harnesses, path) {
			list = slices.Concat(p.Imports, p.TestImports, p.XTestImports)
		}
		for _, imp := range list {
			if imp != "C" && imp != "unsafe" && !l.isInside(imp) {
				outside[imp] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(outside))
}

// source reads the package at path without its tests.
func (l *loader) source(path string) *source {
	if s := l.inside[path]; s != nil {
		return s
	}
	p := l.cfg.Packages[path]
	s := l.newSource(p, p.Name, path)
	l.inside[path] = s
	switch {
	case len(p.Errors) > 0:
		s.errs = append(s.errs, errors.New(p.Errors[0]))
	case len(p.CgoFiles) > 0:
		s.errs = append(s.errs, errors.New("it uses cgo"))
	default:
		l.check(s, p, p.GoFiles)
	}
	s.err = errors.Join(s.errs...)
	s.testErr = s.err
	l.order = append(l.order, s) // behind what it imports
	return s
}

// addTests adds the test files of s to it, and its external test package to
// l.order.
func (l *loader) addTests(s *source) {
	p := l.cfg.Packages[s.path]
	if s.err != nil {
		return
	}
	plain := s.files
	if s.types.Path() != "" && len(p.TestGoFiles) > 0 {
		l.check(s, p, p.TestGoFiles)
	}
	if len(s.errs) > 0 {
		s.files = plain
	}
	x := l.newSource(p, p.Name+"_test", s.path+"_test")
	x.external = true
	if len(p.XTestGoFiles) > 0 {
		l.check(x, p, p.XTestGoFiles)
		l.order = append(l.order, x)
	}
	x.err = errors.Join(x.errs...)
	s.testErr = errors.Join(append(s.errs, x.err)...)
}

func (l *loader) newSource(p *gotool.Package, name, path string) *source {
	s := &source{path: p.ImportPath, types: types.NewPackage(path, name), info: &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Instances: map[*ast.Ident]types.Instance{},
		Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Implicits: map[ast.Node]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{},
		FileVersions: map[*ast.File]string{},
	}}
	conf := &types.Config{
		Importer: importer{l, s}, Sizes: types.SizesFor("gc", runtime.GOARCH),
		Error: func(err error) { s.errs = append(s.errs, err) },
	}
	if v := l.cfg.GoVersion(p.ImportPath); v != "" {
		conf.GoVersion = "go" + v
	}
	s.checker = types.NewChecker(conf, l.fset, s.types, s.info)
	return s
}

// check parses files of p and type-checks them as part of s.
func (l *loader) check(s *source, p *gotool.Package, files []string) {
	var syntax []*ast.File
	for _, name := range files {
		f, err := parser.ParseFile(l.fset, filepath.Join(p.Dir, name), nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			s.errs = append(s.errs, err)
			continue
		}
		syntax = append(syntax, f)
	}
	s.files = slices.Concat(s.files, syntax)
	_ = s.checker.Files(syntax) // s.errs has them all
}

// importer imports on behalf of one package, which cannot be understood where
// what it imports cannot.
type importer struct {
	*loader
	by *source
}

// Import returns the package at path.
func (i importer) Import(path string) (*types.Package, error) {
	if !i.isInside(path) {
		return i.external(path)
	}
	if s := i.source(path); !slices.Contains(i.order, s) {
		return nil, errors.New("import cycle")
	} else if s.err != nil {
		return nil, s.err
	} else {
		return s.types, nil
	}
}

// external reads a package from export data.
func (l *loader) external(path string) (*types.Package, error) {
	if p := l.outside[path]; p != nil && p.Complete() {
		return p, nil
	}
	f, err := os.Open(l.exports[path])
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := gcexportdata.NewReader(f)
	if err != nil {
		return nil, err
	}
	return gcexportdata.Read(r, l.fset, l.outside, path)
}
