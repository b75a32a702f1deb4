package engine

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
	"github.com/mutantfuzz/mutantfuzz/internal/regular"
)

// A process has a memory: package variables, but also its environment and files.
// What one mutant left there can matter to the next one in the same process, and
// what one test left there to the next test.

// remembered returns what is left for later in the same process: in the touched
// packages, their tests, and what they import of the unit.
func (u *unit) remembered() (all memory) {
	list := slices.Concat(u.typed.touched, u.typed.tests)
	known := u.typed.known()
	for _, p := range u.behind(u.touched) {
		list = append(list, known.check(p))
	}
	var files []*ast.File
	for _, p := range list {
		m := remembered(p)
		all.names = append(all.names, m.names...)
		all.once = append(all.once, m.once...)
		all.process = all.process || m.process
		files = append(files, p.Syntax...)
	}
	return all.settled(files, u.isOwn)
}

// remembering returns the names of declarations, tests among them, of a package of the
// unit that by what they mention lead to something remembered.
func (u *unit) remembering(pkg string, files []*ast.File) map[string]int {
	if len(u.memory.names) == 0 {
		return nil
	}
	for _, p := range u.behind([]string{pkg}) {
		files = append(files[:len(files):len(files)], parsed(&gotool.Package{Dir: p.Dir, GoFiles: p.GoFiles, CgoFiles: p.CgoFiles})...)
	}
	return distances(files, u.isOwn, u.memory.names)
}

// behind are the packages of the unit that some packages or their tests import,
// directly or not.
func (u *unit) behind(paths []string) (list []*gotool.Package) {
	seen := slices.Clone(paths)
	for _, path := range paths {
		p := u.listing[path]
		direct := slices.Concat(p.Imports, p.TestImports, p.XTestImports)
		for _, dep := range direct {
			if d := u.listing[dep]; d != nil {
				direct = append(direct, d.Deps...)
			}
		}
		for _, dep := range direct {
			if d := u.listing[dep]; d != nil && !slices.Contains(seen, dep) {
				seen = append(seen, dep)
				list = append(list, d)
			}
		}
	}
	return list
}

// known are packages whose types are loaded, by path. As an importer it finds no
// others.
type known map[string]*types.Package

// Import returns the types of a package, or an error if they are not loaded.
func (k known) Import(path string) (*types.Package, error) {
	if p := k[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("%s is not loaded", path)
}

// known are the packages that were loaded, with what they import.
func (t *typed) known() known {
	k := known{}
	roots := slices.AppendSeq(slices.Concat(t.touched, t.tests), maps.Values(t.std))
	packages.Visit(roots, nil, func(p *packages.Package) {
		if p.Types != nil && p.Types.Complete() {
			k[p.PkgPath] = p.Types
		}
	})
	return k
}

// check finds the types of p as far as those of what it imports are known.
func (k known) check(p *gotool.Package) *packages.Package {
	loose := &packages.Package{Fset: token.NewFileSet(), TypesInfo: &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Implicits: map[ast.Node]types.Object{},
	}}
	for _, name := range slices.Concat(p.GoFiles, p.CgoFiles) {
		f, err := regular.Parse(loose.Fset, filepath.Join(p.Dir, name), parser.SkipObjectResolution)
		if err == nil {
			loose.Syntax = append(loose.Syntax, f)
		}
	}
	lenient := types.Config{Importer: k, Error: func(error) {}, FakeImportC: true}
	_, _ = lenient.Check(p.ImportPath, loose.Fset, loose.Syntax, loose.TypesInfo) // what is wrong is what was not loaded
	return loose
}
