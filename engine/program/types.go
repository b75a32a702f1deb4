package program

import (
	"context"
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/mutantfuzz/mutantfuzz/diffscope"
	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
	"github.com/mutantfuzz/mutantfuzz/internal/regular"
)

// Types holds the packages that are loaded with syntax and types.
type Types struct {
	Touched []*packages.Package // one variant each: with in-package tests if there are any
	Targets []*packages.Package // variants whose test files may hold fuzz targets
	// External holds the external tests of touched packages that type-check, by the import path of the touched
	// package. They show how a package is used, and serve suggested tests. It is empty unless Program.External is
	// set.
	External map[string]*packages.Package
	// Std holds packages from export data by import path: those that woven code imports, and others that old lines
	// need.
	Std      map[string]*packages.Package
	loader   *loader
	standard map[string]bool // packages of the standard library among all that are loaded
}

// IsStandard reports whether an import path is that of a package of the standard library, if anything that is loaded
// imports it. The go command says so: paths do not tell, for modules may have names without a dot.
func (t *Types) IsStandard(path string) bool { return t.standard[path] }

// Tests returns the packages whose tests are loaded with types: those that may hold fuzz targets, and external tests.
func (t *Types) Tests() []*packages.Package {
	list := slices.Clone(t.Targets)
	for _, path := range slices.Sorted(maps.Keys(t.External)) {
		if !slices.Contains(list, t.External[path]) {
			list = append(list, t.External[path])
		}
	}
	return list
}

// Load loads the touched packages, and those with targets, in one go, so that they agree on the types they share.
// Call List first. The error is a *BrokenError if a package does not build.
func (p *Program) Load(ctx context.Context, targets []string) error {
	p.targets = targets
	patterns := slices.Concat(p.Touched, targets)
	slices.Sort(patterns)
	list, err := packages.Load(&packages.Config{
		Context: ctx, Mode: listMode, Dir: p.Tool.Dir, Env: p.Tool.Env, BuildFlags: p.Flags, Tests: true, Overlay: p.Overlay(),
	}, slices.Compact(patterns)...)
	if ctx.Err() != nil { // the error only has the text of the cause
		return context.Cause(ctx)
	}
	if err != nil {
		return err
	}
	t, err := variants(list, p.Touched, targets, p.Tool.Dir)
	if err != nil {
		return err
	}
	if !p.External {
		t.External = nil
	}
	if err := p.typeCheck(ctx, t); err != nil {
		return err
	}
	p.Types = t
	p.markUncalled(t.Touched)
	p.markConstant(t.Touched)
	return nil
}

// variants picks one variant of each package: "p [p.test]" before plain p, since it has the same files and the
// in-package tests.
func variants(list []*packages.Package, touched, targets []string, dir string) (*Types, error) {
	var t Types
	best := map[string]*packages.Package{}
	for _, p := range list {
		if strings.HasSuffix(p.ID, ".test") {
			continue
		}
		if len(p.Errors) > 0 {
			return nil, brokenPackage(p, dir)
		}
		if best[p.PkgPath] == nil || p.ForTest != "" {
			best[p.PkgPath] = p
		}
	}
	t.External = map[string]*packages.Package{}
	for _, path := range touched {
		if p := best[path+"_test"]; p != nil {
			t.External[path] = p
		}
		if best[path] == nil {
			return nil, &BrokenError{Packages: []string{path}, Output: "the go command finds no Go files in it"}
		}
		t.Touched = append(t.Touched, best[path])
	}
	for _, path := range targets {
		for _, variant := range []string{path, path + "_test"} {
			if p := best[variant]; p != nil {
				t.Targets = append(t.Targets, p)
			}
		}
	}
	return &t, nil
}

// Declarations returns f's declaration or, if f stands for a variable, the function literals in its value. The error
// says in terms for users why there is none to mutate.
func (t *Types) Declarations(f *diffscope.Function) (list []*mutate.Function, err error) {
	for _, p := range t.Touched {
		i := slices.Index(p.CompiledGoFiles, f.Path)
		if p.PkgPath != f.Package || i < 0 {
			continue
		}
		src, err := regular.Source(f.Path)
		if err != nil {
			return nil, err
		}
		for nth, decl := range declaredAt(p, p.Syntax[i], f) {
			list = append(list, &mutate.Function{
				ID: f.ID, Nth: nth + twinsBefore(p, decl), File: f.File, Source: src,
				Fset: p.Fset, Pkg: p.Types, Info: p.TypesInfo, Syntax: p.Syntax[i], Decl: decl,
			})
		}
		if len(list) == 0 {
			return nil, fmt.Errorf("it has no body that can be mutated")
		}
		return list, nil
	}
	return nil, fmt.Errorf("no build of the package compiles %s as it is", f.File)
}

// declaredAt finds f by where it begins. Line and name do not suffice: a line may have several functions, even
// several named init.
func declaredAt(p *packages.Package, syntax *ast.File, f *diffscope.Function) (list []*ast.FuncDecl) {
	there := func(n ast.Node) bool {
		at := p.Fset.PositionFor(n.Pos(), false)
		return at.Line == f.StartLine && at.Column == f.Column
	}
	for _, d := range syntax.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if !f.Literal && d.Body != nil && there(d) {
				return []*ast.FuncDecl{d}
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if v, ok := spec.(*ast.ValueSpec); ok && f.Literal && there(v) {
					list = append(list, literalsOf(v, f.Name)...)
				}
			}
		}
	}
	return list
}

// twinsBefore returns how many functions with decl's name precede it in the package. Only init and _ may be declared
// several times.
func twinsBefore(p *packages.Package, decl *ast.FuncDecl) (n int) {
	name := decl.Name.Name
	if decl.Recv != nil || name != "init" && name != "_" {
		return 0
	}
	for _, syntax := range p.Syntax {
		for _, d := range syntax.Decls {
			if d == decl {
				return n
			}
			if d, ok := d.(*ast.FuncDecl); ok && d.Recv == nil && d.Name.Name == name {
				n++
			}
		}
	}
	return 0 // a literal
}

// literalsOf returns the function literals in the value of a variable that spec declares. If several variables share
// one value, its literals belong to the first variable.
func literalsOf(spec *ast.ValueSpec, name string) (list []*ast.FuncDecl) {
	i := slices.IndexFunc(spec.Names, func(id *ast.Ident) bool { return id.Name == name })
	if i < 0 || i >= len(spec.Values) {
		return nil
	}
	ast.Inspect(spec.Values[i], func(n ast.Node) bool {
		lit, ok := n.(*ast.FuncLit)
		if ok {
			list = append(list, mutate.Declare(lit))
		}
		return !ok
	})
	return list
}

// Object returns the package and the object of a function in scope; nil if it has none, as literals do not.
func (t *Types) Object(f *diffscope.Function) (*types.Package, *types.Func) {
	list, err := t.Declarations(f)
	if err != nil || f.Literal {
		return nil, nil
	}
	fn, _ := list[0].Info.Defs[list[0].Decl.Name].(*types.Func)
	return list[0].Pkg, fn
}
