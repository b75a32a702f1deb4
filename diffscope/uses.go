package diffscope

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// resolved is a package whose identifiers are bound to what they mean, as far
// as its own source tells.
type resolved struct {
	pkg   *types.Package
	info  *types.Info
	files []*file
}

// resolve type-checks a package without its dependencies. Everything imported
// stays unknown, and the errors that brings are nobody's concern: scopes,
// local names, fields and methods of the package's own types come out right,
// in milliseconds and without a build.
func (f *finder) resolve(importPath, name string, files []*file, known stubs) *resolved {
	r := &resolved{files: files, info: &types.Info{
		Defs: map[*ast.Ident]types.Object{},
		Uses: map[*ast.Ident]types.Object{},
	}}
	var syntax []*ast.File
	for _, file := range files {
		syntax = append(syntax, file.syntax)
	}
	conf := types.Config{Importer: known, Error: func(error) {}, FakeImportC: true}
	r.pkg = types.NewPackage(importPath, name)
	// The checker reports to conf.Error and goes on; what it returns is the
	// first of those errors.
	_ = types.NewChecker(&conf, f.fset, r.pkg, r.info).Files(syntax)
	return r
}

// uses calls yield with every object that d mentions. A function's receiver is
// no part of that, and of a literalDecl only the literals are.
func (r *resolved) uses(d *decl, yield func(types.Object)) {
	visit := func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && r.info.Uses[id] != nil {
			yield(origin(r.info.Uses[id]))
		}
		return true
	}
	switch n := d.node.(type) {
	case *ast.FuncDecl:
		ast.Inspect(n.Type, visit)
		if n.Body != nil {
			ast.Inspect(n.Body, visit)
		}
	case *ast.TypeSpec:
		ast.Inspect(n, visit)
	case *ast.ValueSpec:
		if d.kind == valueDecl {
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

// origin is the generic object behind an instance.
func origin(obj types.Object) types.Object {
	if fn, ok := obj.(*types.Func); ok {
		return fn.Origin()
	}
	return obj
}

// stubs are stand-ins for imported packages, by import path. Others are empty.
type stubs map[string]*types.Package

// Import implements types.Importer.
func (s stubs) Import(importPath string) (*types.Package, error) {
	if s[importPath] == nil {
		s[importPath] = types.NewPackage(importPath, path.Base(importPath))
		s[importPath].MarkComplete()
	}
	return s[importPath], nil
}

// changedNames are the package-level constants, variables and types that
// differ from the base, by import path and name.
type changedNames map[string]map[string]*decl

// changedNames collects them from the files of head that the build has.
func (f *finder) changedNames(head []*file) changedNames {
	names := changedNames{}
	for _, file := range head {
		if reason := f.leaveOut(file); file.test() || reason == excluded || reason == outOfModules {
			continue
		}
		p := f.packages[f.folder(file)]
		for _, d := range file.decls {
			if d.function() || !d.changed || d.added {
				continue
			}
			if names[p.ImportPath] == nil {
				names[p.ImportPath] = map[string]*decl{}
			}
			names[p.ImportPath][d.name] = d
		}
	}
	return names
}

// of returns the changed declaration behind an object, or nil.
func (c changedNames) of(obj types.Object) *decl {
	if obj.Pkg() == nil || obj.Parent() != obj.Pkg().Scope() {
		return nil
	}
	return c[obj.Pkg().Path()][obj.Name()]
}

// exported reports whether other packages can use any of the names.
func (c changedNames) exported() bool {
	for _, names := range c {
		if slices.ContainsFunc(slices.Collect(maps.Keys(names)), token.IsExported) {
			return true
		}
	}
	return false
}

// mentioned reports whether a file's text has any of the names: a cheap test
// before a package is looked at closely.
func (c changedNames) mentioned(src []byte) bool {
	for _, names := range c {
		for name := range names {
			if bytes.Contains(src, []byte(name)) {
				return true
			}
		}
	}
	return false
}

// stubs returns stand-ins for the packages with the names, so that an import
// of them resolves.
func (c changedNames) stubs(packages map[string]*gotool.Package) stubs {
	s := stubs{}
	for _, p := range packages {
		if c[p.ImportPath] == nil {
			continue
		}
		pkg := types.NewPackage(p.ImportPath, p.Name)
		for name := range c[p.ImportPath] {
			pkg.Scope().Insert(types.NewVar(token.NoPos, pkg, name, types.Typ[types.Invalid]))
		}
		pkg.MarkComplete()
		s[p.ImportPath] = pkg
	}
	return s
}

// addUses adds the functions that use a changed constant, variable or type
// directly: those of its package, and those of packages that import it.
func (f *finder) addUses(ctx context.Context, head []*file) error {
	names := f.changedNames(head)
	if len(names) == 0 {
		return nil
	}
	candidates := map[string]*gotool.Package{}
	for dir, p := range f.packages {
		if names[p.ImportPath] != nil {
			candidates[dir] = p
		}
	}
	known := maps.Clone(candidates)
	users := map[*decl]int{}
	if names.exported() {
		for unit := range f.layout.units {
			pkgs, err := f.layout.all(ctx, unit)
			if err != nil {
				return err
			}
			for _, p := range pkgs {
				candidates[p.Dir] = p
			}
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(candidates)) {
		at, ok := f.layout.place(dir)
		if !ok || !f.layout.wanted(dir, at) {
			continue
		}
		if err := f.addUsesIn(candidates[dir], names, known, users); err != nil {
			return err
		}
	}
	f.noteUses(users)
	return nil
}

// manyUses is how many functions may use what changed without a note. The
// number was picked without much thought.
const manyUses = 20

// noteUses says where a large scope comes from.
func (f *finder) noteUses(users map[*decl]int) {
	total := 0
	for _, n := range users {
		total += n
	}
	if total <= manyUses {
		return
	}
	used := slices.SortedFunc(maps.Keys(users), func(a, b *decl) int {
		return cmp.Or(cmp.Compare(users[b], users[a]), strings.Compare(a.file.name, b.file.name), strings.Compare(a.name, b.name))
	})
	for _, d := range used {
		f.notes.add(fmt.Sprintf("%d functions did not change but use what did; they come last", total),
			fmt.Sprintf("%s in %s (%d)", d.name, d.file.name, users[d]))
	}
}

// addUsesIn adds the functions of one package that use changed names, and
// counts them by the first name that each uses.
func (f *finder) addUsesIn(p *gotool.Package, names changedNames, known map[string]*gotool.Package, users map[*decl]int) error {
	f.packages[p.Dir] = p
	files, err := f.loadAll(p.Dir, slices.Concat(p.GoFiles, p.CgoFiles))
	if err != nil || !slices.ContainsFunc(files, func(file *file) bool { return f.mayUse(file, p, names) }) {
		return err
	}
	s := names.stubs(known)
	delete(s, p.ImportPath)
	r := f.resolve(p.ImportPath, p.Name, files, s)
	for _, file := range files {
		if f.leaveOut(file) != "" {
			continue
		}
		for _, d := range file.decls {
			if !d.function() || d.name == "init" || f.found[d] {
				continue
			}
			if used := usesAny(r, d, names); used != nil {
				users[used]++
				f.add(d, results.ReasonUsesChanged)
			}
		}
	}
	return nil
}

// mayUse reports whether a file can mention a changed name at all.
func (f *finder) mayUse(file *file, p *gotool.Package, names changedNames) bool {
	if !names.mentioned(file.src) {
		return false
	}
	if names[p.ImportPath] != nil {
		return true
	}
	return slices.ContainsFunc(file.syntax.Imports, func(spec *ast.ImportSpec) bool {
		return names[strings.Trim(spec.Path.Value, "\"`")] != nil
	})
}

// usesAny returns the first of the names that d uses, or nil. A method's
// receiver uses its type unless that is a struct: a new field alone must not
// put every method in scope.
func usesAny(r *resolved, d *decl, names changedNames) *decl {
	var found *decl
	r.uses(d, func(obj types.Object) {
		if found == nil {
			found = names.of(obj)
		}
	})
	if recv, _, ok := strings.Cut(d.name, "."); ok && found == nil {
		if t := names[r.pkg.Path()][recv]; t != nil && t.kind == typeDecl {
			if _, isStruct := t.node.(*ast.TypeSpec).Type.(*ast.StructType); !isStruct {
				return t
			}
		}
	}
	return found
}

// loadAll loads files of one folder.
func (f *finder) loadAll(dir string, names []string) ([]*file, error) {
	var files []*file
	for _, name := range names {
		file, err := f.load(f.layout.name(dir, filepath.Base(name)))
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}
