package program

import (
	"cmp"
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/internal/regular"
)

// listMode is what the go command is asked for. Types are not: it would compile the very packages that are about to
// be mutated.
const listMode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps |
	packages.NeedTypesSizes | packages.NeedModule | packages.NeedForTest

// loader type-checks packages from source: the requested ones (full) with function bodies, and those between them
// without. All other packages come from export data.
type loader struct {
	fset    *token.FileSet
	overlay map[string][]byte
	full    map[*packages.Package]bool
	between map[*packages.Package]bool // whether it is in full, or imports such a package directly or not
	checked map[*packages.Package]bool
	exports *gotool.ExportData
}

// typeCheck type-checks the packages of t. It also loads what woven code imports and, where available, what the base
// imports.
func (p *Program) typeCheck(ctx context.Context, t *Types) error {
	l := &loader{
		fset: token.NewFileSet(), overlay: p.Overlay(), full: map[*packages.Package]bool{}, between: map[*packages.Package]bool{},
		checked: map[*packages.Package]bool{},
	}
	for _, pkg := range slices.Concat(t.Touched, t.Targets, slices.Collect(maps.Values(t.External))) {
		l.full[pkg] = true
	}
	outside := map[string]bool{}
	for pkg := range l.full {
		l.visit(pkg, outside)
	}
	std, err := weave.StdImports()
	if err != nil {
		return err
	}
	old := p.oldImports()
	for _, path := range slices.Concat(std, old, driverImports(outside)) {
		outside[path] = true
	}
	exported, err := p.Tool.Exports(ctx, p.Flags, slices.Sorted(maps.Keys(outside)))
	if err != nil {
		return err
	}
	l.exports, t.standard = gotool.NewExportData(exported.Files, l.fset), exported.Standard
	for _, pkg := range slices.Concat(t.Touched, t.Targets) {
		if l.check(pkg); len(pkg.Errors) > 0 {
			for _, path := range old { // imports of the base, which may be gone
				delete(exported.Faults, path)
			}
			return cmp.Or[error](brokenImports(exported.Faults, p.Tool.Dir), brokenPackage(pkg, p.Tool.Dir))
		}
	}
	maps.DeleteFunc(t.External, func(_ string, pkg *packages.Package) bool {
		l.check(pkg)
		return len(pkg.Errors) > 0
	})
	t.loader = l
	t.Std, err = l.imported(std, old)
	return err
}

// driverImports returns the packages that drivers may need for calls on values of a package's own types, although
// neither the package nor woven code imports them. outside has the imports of the packages that are loaded. A package
// can have to do with file systems without importing io/fs itself.
func driverImports(outside map[string]bool) []string {
	list := []string{"maps", "testing/fstest"}
	if outside["net/http"] {
		list = append(list, "net/http/httptest")
	}
	return list
}

// needed returns the package with an import path for files that are added to pkg: the one that pkg imports, directly or
// not, since it may be loaded from source, or else one with the types from export data only.
func (l *loader) needed(pkg *packages.Package, path string) (found *packages.Package, err error) {
	packages.Visit([]*packages.Package{pkg}, nil, func(p *packages.Package) {
		if p.PkgPath == path && p != pkg {
			found = p
		}
	})
	if found != nil {
		return found, nil
	}
	types, err := l.exports.Import(path)
	if err != nil {
		return nil, err
	}
	return &packages.Package{PkgPath: path, Name: types.Name(), Types: types}, nil
}

// imported loads packages from export data: all of std, and those of old that exist.
func (l *loader) imported(std, old []string) (map[string]*packages.Package, error) {
	loaded := map[string]*packages.Package{}
	for _, path := range std {
		types, err := l.exports.Import(path)
		if err != nil {
			return nil, err
		}
		loaded[path] = &packages.Package{PkgPath: path, Types: types}
	}
	for _, path := range old {
		if types, err := l.exports.Import(path); err == nil {
			loaded[path] = &packages.Package{PkgPath: path, Types: types}
		}
	}
	return loaded, nil
}

// oldImports returns what files of the base import, if old lines of them are known, except for packages of the
// program. Importing one of these could make an import cycle.
func (p *Program) oldImports() []string {
	paths := map[string]bool{}
	note := func(imports map[string]string) {
		for _, path := range imports {
			if !p.Own(path) && path != "unsafe" {
				paths[path] = true
			}
		}
	}
	for i := range p.Functions {
		note(p.Functions[i].Imports)
	}
	for _, g := range p.Gone {
		note(g.Imports)
	}
	return slices.Sorted(maps.Keys(paths))
}

// Importable returns those of some imports, by name, that a touched package can import: of the standard library, and of
// what it is linked with anyway. Anything else would run its initialization in every test.
func (p *Program) Importable(importPath string, imports map[string]string) map[string]string {
	able := map[string]string{}
	for _, pkg := range p.Types.Touched {
		for name, path := range imports {
			if pkg.PkgPath == importPath && (pkg.Imports[path] != nil || path == "unsafe" || p.Types.Std[path] != nil && p.links(importPath, path)) {
				able[name] = path
			}
		}
	}
	return able
}

// links reports whether a package is linked with another one, or with tests, which may use the standard library.
func (p *Program) links(importPath, path string) bool {
	own := p.Packages[importPath]
	return p.Types.IsStandard(path) || own != nil && slices.Contains(own.Deps, path)
}

// config returns the configuration to type-check pkg.
func (l *loader) config(pkg *packages.Package) *types.Config {
	conf := &types.Config{Importer: importer{l, pkg}, Sizes: pkg.TypesSizes, IgnoreFuncBodies: !l.full[pkg]}
	if pkg.Module != nil && pkg.Module.GoVersion != "" {
		conf.GoVersion = "go" + pkg.Module.GoVersion
	}
	return conf
}

// visit reports whether pkg is in between, and records that. It adds to outside the other packages that packages in
// between import directly.
func (l *loader) visit(pkg *packages.Package, outside map[string]bool) (between bool) {
	if known, ok := l.between[pkg]; ok {
		return known
	}
	l.between[pkg] = l.full[pkg]
	for _, imp := range pkg.Imports {
		if l.visit(imp, outside) {
			l.between[pkg] = true
		}
	}
	if l.between[pkg] {
		for _, imp := range pkg.Imports {
			if !l.between[imp] {
				outside[imp.PkgPath] = true
			}
		}
	}
	return l.between[pkg]
}

// check type-checks pkg once. Errors are in pkg.Errors afterwards.
func (l *loader) check(pkg *packages.Package) {
	if l.checked[pkg] {
		return
	}
	l.checked[pkg] = true
	if len(pkg.Errors) > 0 { // further errors would only follow from these
		return
	}
	pkg.Fset = l.fset
	pkg.TypesInfo = gotool.NewInfo()
	for _, name := range pkg.CompiledGoFiles {
		f, err := l.parse(name)
		if err != nil {
			pkg.Errors = append(pkg.Errors, syntaxErrors(err)...)
		}
		if f != nil {
			pkg.Syntax = append(pkg.Syntax, f)
		}
	}
	conf := l.config(pkg)
	conf.Error = func(err error) { pkg.Errors = append(pkg.Errors, l.typeError(err)) }
	pkg.Types = types.NewPackage(pkg.PkgPath, pkg.Name)
	_ = types.NewChecker(conf, l.fset, pkg.Types, pkg.TypesInfo).Files(pkg.Syntax) // conf.Error has its errors
}

func (l *loader) parse(name string) (*ast.File, error) {
	const mode = parser.AllErrors | parser.ParseComments
	if src, ok := l.overlay[name]; ok {
		return parser.ParseFile(l.fset, name, src, mode)
	}
	return regular.Parse(l.fset, name, mode)
}

// importer provides the packages that one package imports.
type importer struct {
	*loader
	of *packages.Package
}

// Import returns the package that an import path stands for. In tests that may be the variant built for them.
func (i importer) Import(path string) (*types.Package, error) {
	pkg := i.of.Imports[path]
	switch {
	case path == "unsafe":
		return types.Unsafe, nil
	case pkg == nil:
		return nil, errors.New("the go command does not list it")
	case i.between[pkg]:
		i.check(pkg)
		if pkg.Types == nil {
			return nil, pkg.Errors[0]
		}
		return pkg.Types, nil
	case pkg.Types == nil:
		t, err := i.exports.Import(pkg.PkgPath)
		if err != nil {
			return nil, err
		}
		pkg.Types = t
	}
	return pkg.Types, nil
}

func syntaxErrors(err error) (said []packages.Error) {
	var list scanner.ErrorList
	if !errors.As(err, &list) {
		return []packages.Error{{Msg: err.Error(), Kind: packages.ParseError}}
	}
	for _, e := range list {
		said = append(said, packages.Error{Pos: e.Pos.String(), Msg: e.Msg, Kind: packages.ParseError})
	}
	return said
}

func (l *loader) typeError(err error) packages.Error {
	said := packages.Error{Msg: err.Error(), Kind: packages.TypeError}
	var e types.Error
	if errors.As(err, &e) {
		said.Pos, said.Msg = l.fset.Position(e.Pos).String(), strings.TrimSpace(e.Msg)
	}
	return said
}
