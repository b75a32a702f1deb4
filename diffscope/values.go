package diffscope

import (
	"bytes"
	"context"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/diffscope/declaration"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
)

// changedNames holds the package-level constants and variables that differ from the base. A constant differs if its
// value or type does, however it is written. So a constant defined in terms of a changed one differs, too. If the
// value is not known, for instance because another package of the module defines it, the source text is compared.
type changedNames struct {
	at   map[string]map[string]*declaration.Decl // by import path and name
	base map[string]*types.Package               // by import path: packages in the base, where a constant or variable was rewritten
}

// changedNames finds the changed names in the packages of head's files. It skips test files and files excluded by
// build constraints.
func (f *finder) changedNames(ctx context.Context, head []*declaration.File) (*changedNames, error) {
	names := &changedNames{at: map[string]map[string]*declaration.Decl{}, base: map[string]*types.Package{}}
	dirs := map[string]bool{}
	for _, file := range head {
		reason := f.leaveOut(file)
		out := file.IsTest() || reason == excluded || f.packages[f.folder(file)] == nil
		if !out && slices.ContainsFunc(file.Decls, rewritten) {
			dirs[f.folder(file)] = true
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		p := f.packages[dir]
		files, err := f.loadAll(dir, slices.Concat(p.GoFiles, p.CgoFiles))
		if err != nil {
			return nil, err
		}
		now, then := f.resolve(p.ImportPath, p.Name, files, stubs{}), f.resolve(p.ImportPath, p.Name, f.asBefore(files), stubs{})
		imported, err := f.imported(ctx, dir, now, then)
		if err != nil {
			return nil, err
		}
		if len(imported) > 0 {
			now, then = f.resolve(p.ImportPath, p.Name, files, imported), f.resolve(p.ImportPath, p.Name, then.files, imported)
		}
		names.base[p.ImportPath] = then.pkg
		names.compare(now)
	}
	return names, nil
}

// imported returns the packages outside the modules, such as runtime, that rewritten constants of a folder's package
// mention at head or in the base. Their constants are the same on both sides.
func (f *finder) imported(ctx context.Context, dir string, now, then *resolved) (stubs, error) {
	paths := map[string]bool{}
	add := func(obj types.Object) {
		if name, ok := obj.(*types.PkgName); ok && !f.layout.Own(name.Imported().Path()) {
			paths[name.Imported().Path()] = true
		}
	}
	for _, file := range now.files {
		for _, d := range file.Decls {
			if rewritten(d) && d.Constant != nil {
				now.uses(d, add)
				then.uses(d.From, add)
			}
		}
	}
	at, ok := f.layout.Place(dir)
	if !ok || len(paths) == 0 {
		return nil, nil
	}
	return f.layout.Exports(ctx, at.Unit, slices.Sorted(maps.Keys(paths)))
}

// rewritten reports whether d is a constant or variable that the base also has, but written differently.
func rewritten(d *declaration.Decl) bool {
	return d.Kind == declaration.Value && d.Changed && !d.Added && d.Name != "_"
}

// compare adds the names of one package whose values differ. If a value is not known, the source text decides.
func (c *changedNames) compare(r *resolved) {
	for _, file := range r.files {
		for _, d := range file.Decls {
			if d.Kind != declaration.Value || d.Name == "_" {
				continue
			}
			if differs, known := c.differs(r.pkg, d.Name); known && differs && !d.Added || !known && rewritten(d) {
				c.add(r, d)
			}
		}
	}
}

// differs reports whether a constant has another value or type than in the base. That is known only if both values
// are.
func (c *changedNames) differs(head *types.Package, name string) (differs, known bool) {
	now, ok := head.Scope().Lookup(name).(*types.Const)
	if !ok || now.Val().Kind() == constant.Unknown {
		return false, false
	}
	base := c.base[head.Path()]
	if base == nil {
		return false, true // nothing that it depends on was rewritten
	}
	then, ok := base.Scope().Lookup(name).(*types.Const)
	if !ok || then.Val().Kind() == constant.Unknown {
		return false, false
	}
	return now.Val().ExactString() != then.Val().ExactString() ||
		types.TypeString(now.Type(), nil) != types.TypeString(then.Type(), nil), true
}

// grow adds the constants of a package that are defined by one of the names and whose value is not known. It reports
// whether it added any.
func (c *changedNames) grow(r *resolved) (grown bool) {
	for _, file := range r.files {
		for _, d := range file.Decls {
			if d.Constant == nil || d.Added || d.Name == "_" || c.has(r.pkg.Path(), d) {
				continue
			}
			if _, known := c.differs(r.pkg, d.Name); !known && c.mentionedIn(r, d.Constant) {
				c.add(r, d)
				grown = true
			}
		}
	}
	return grown
}

func (c *changedNames) add(r *resolved, d *declaration.Decl) {
	path := r.pkg.Path()
	if c.at[path] == nil {
		c.at[path] = map[string]*declaration.Decl{}
	}
	c.at[path][d.Name] = d
}

// has reports whether d, of a package with that import path, is one of the names.
func (c *changedNames) has(importPath string, d *declaration.Decl) bool {
	return c.at[importPath][d.Name] != nil
}

func (c *changedNames) empty() bool { return len(c.at) == 0 }

// of returns the changed declaration behind an object, or nil.
func (c *changedNames) of(obj types.Object) *declaration.Decl {
	if obj == nil || obj.Pkg() == nil || obj.Parent() != obj.Pkg().Scope() {
		return nil
	}
	return c.at[obj.Pkg().Path()][obj.Name()]
}

// mentionedIn reports whether an expression mentions one of the names.
func (c *changedNames) mentionedIn(r *resolved, e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && c.of(r.info.Uses[id]) != nil
		return !found
	})
	return found
}

// usedBy reports whether d uses any of the names, and how near the nearest one is.
func (c *changedNames) usedBy(r *resolved, d *declaration.Decl) (near int, uses bool) {
	near = elsewhere
	r.uses(d, func(obj types.Object) {
		switch changed := c.of(obj); {
		case changed == nil:
			return
		case changed.File.Name == d.File.Name:
			near = sameFile
		case obj.Pkg().Path() == r.pkg.Path():
			near = min(near, samePackage)
		}
		uses = true
	})
	return near, uses
}

// exported reports whether other packages can use any of the names.
func (c *changedNames) exported() bool {
	for _, names := range c.at {
		if slices.ContainsFunc(slices.Collect(maps.Keys(names)), token.IsExported) {
			return true
		}
	}
	return false
}

// mayBeIn reports whether a file of a package can mention a name at all. It is a cheap test before resolving the
// package.
func (c *changedNames) mayBeIn(file *declaration.File, p *gotool.Package) bool {
	return c.inText(file.Src) && (c.at[p.ImportPath] != nil || slices.ContainsFunc(file.Syntax.Imports, func(spec *ast.ImportSpec) bool {
		return c.at[strings.Trim(spec.Path.Value, "\"`")] != nil
	}))
}

func (c *changedNames) inText(src []byte) bool {
	for _, names := range c.at {
		for name := range names {
			if bytes.Contains(src, []byte(name)) {
				return true
			}
		}
	}
	return false
}

// stubs returns stand-ins for the packages that declare the names, so that imports of them resolve.
func (c *changedNames) stubs(packages map[string]*gotool.Package) stubs {
	s := stubs{}
	for _, p := range packages {
		if c.at[p.ImportPath] == nil {
			continue
		}
		pkg := types.NewPackage(p.ImportPath, p.Name)
		for name := range c.at[p.ImportPath] {
			pkg.Scope().Insert(types.NewVar(token.NoPos, pkg, name, types.Typ[types.Invalid]))
		}
		pkg.MarkComplete()
		s[p.ImportPath] = pkg
	}
	return s
}
