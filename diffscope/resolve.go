package diffscope

import (
	"go/ast"
	"go/types"
	"path"

	"github.com/mutantfuzz/mutantfuzz/diffscope/declaration"
)

// resolved is a package whose identifiers are bound to their objects, as far as its own source allows.
type resolved struct {
	pkg   *types.Package
	info  *types.Info
	files []*declaration.File
}

// resolve type-checks a package without its dependencies. Imported packages are those in known, and empty otherwise;
// the errors that result are ignored. Scopes, local names, and fields and methods of the package's own types come out
// right, within milliseconds and without a build.
func (f *finder) resolve(importPath, name string, files []*declaration.File, known stubs) *resolved {
	r := &resolved{files: files, info: &types.Info{
		Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{},
	}}
	var syntax []*ast.File
	for _, file := range files {
		syntax = append(syntax, file.Syntax)
	}
	conf := types.Config{Importer: known, Error: func(error) {}, FakeImportC: true}
	r.pkg = types.NewPackage(importPath, name)
	// The checker reports to conf.Error and goes on; it returns the first of those errors.
	_ = types.NewChecker(&conf, f.fset, r.pkg, r.info).Files(syntax)
	return r
}

// uses calls yield with every object that d mentions. A function's receiver does not count. In one of kind Literals only the
// function literals count.
func (r *resolved) uses(d *declaration.Decl, yield func(types.Object)) {
	visit := func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && r.info.Uses[id] != nil {
			yield(origin(r.info.Uses[id]))
		}
		return true
	}
	switch n := d.Node.(type) {
	case *ast.FuncDecl:
		ast.Inspect(n.Type, visit)
		if n.Body != nil {
			ast.Inspect(n.Body, visit)
		}
	case *ast.TypeSpec:
		ast.Inspect(n, visit)
	case *ast.ValueSpec:
		if d.Kind == declaration.Value {
			ast.Inspect(n, visit)
			return
		}
		ast.Inspect(n, func(n ast.Node) bool {
			if lit, ok := n.(*ast.FuncLit); ok {
				ast.Inspect(lit, visit)
				return false
			}
			return true
		})
	}
}

// origin returns the generic object behind an instance.
func origin(obj types.Object) types.Object {
	if fn, ok := obj.(*types.Func); ok {
		return fn.Origin()
	}
	return obj
}

// stubs are stand-ins for imported packages, by import path. A package that is not in the map is empty.
type stubs map[string]*types.Package

// Import implements types.Importer.
func (s stubs) Import(importPath string) (*types.Package, error) {
	if s[importPath] == nil {
		s[importPath] = types.NewPackage(importPath, path.Base(importPath))
		s[importPath].MarkComplete()
	}
	return s[importPath], nil
}
