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
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
)

// A process has a memory: package variables, but also its environment and files.
// What one mutant left there can matter to the next one in the same process, and
// what one test left there to the next test.

// remembered returns the names of what is left for later in the same process: in the
// touched packages, their tests, and what they import of the unit.
func (u *unit) remembered() (names []string) {
	list := slices.Concat(u.typed.touched, u.typed.tests)
	known := u.typed.known()
	for _, p := range u.behind(u.touched) {
		list = append(list, known.check(p))
	}
	for _, p := range list {
		names = append(names, remembered(p)...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// remembering returns the names of declarations, tests among them, of a package of the
// unit that by what they mention lead to something remembered.
func (u *unit) remembering(pkg string, files []*ast.File) map[string]int {
	if len(u.memory) == 0 {
		return nil
	}
	for _, p := range u.behind([]string{pkg}) {
		files = append(files[:len(files):len(files)], parsed(&gotool.Package{Dir: p.Dir, GoFiles: p.GoFiles, CgoFiles: p.CgoFiles})...)
	}
	return distances(files, u.isOwn, u.memory)
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

// leansOnOthers reports whether a package or its tests import a module that is not of
// the unit, directly or not: of what lasts there nothing is known.
func (u *unit) leansOnOthers(path string) bool {
	p := u.listing[path]
	imports := slices.Concat(p.Imports, p.TestImports, p.XTestImports)
	for _, d := range u.behind([]string{path}) {
		imports = append(imports, d.Imports...)
	}
	return slices.ContainsFunc(imports, func(path string) bool {
		first, _, _ := strings.Cut(path, "/")
		return u.listing[path] == nil && (path == "C" || strings.Contains(first, "."))
	})
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
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}}
	for _, name := range slices.Concat(p.GoFiles, p.CgoFiles) {
		f, err := parser.ParseFile(loose.Fset, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err == nil {
			loose.Syntax = append(loose.Syntax, f)
		}
	}
	lenient := types.Config{Importer: k, Error: func(error) {}, FakeImportC: true}
	_, _ = lenient.Check(p.ImportPath, loose.Fset, loose.Syntax, loose.TypesInfo) // what is wrong is what was not loaded
	return loose
}

// remembered returns the names of what functions of a package may leave for others to
// see later: of package variables that they may change, and their own if they change
// what belongs to the whole process. It errs on the side of yes: a variable that is
// handed on, so that others may change what it refers to, counts as changed. What tests
// themselves assign is the same whatever the mutant; of them only what they hand on
// counts.
func remembered(p *packages.Package) []string {
	var all []string
	for _, f := range p.Syntax {
		m := memory{info: p.TypesInfo, test: strings.HasSuffix(p.Fset.Position(f.Package).Filename, "_test.go")}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Body != nil && (d.Recv != nil || d.Name.Name != "init") {
					m.look(d, d.Body)
				}
			case *ast.GenDecl:
				ast.Inspect(d, func(n ast.Node) bool {
					lit, ok := n.(*ast.FuncLit)
					if ok {
						m.look(d, lit.Body)
					}
					return !ok
				})
			}
		}
		all = append(all, m.names...)
	}
	return all
}

// memory gathers the names of what lasts.
type memory struct {
	info  *types.Info
	test  bool // only what is lent counts
	names []string
}

// look looks at body, which belongs to d.
func (m *memory) look(d ast.Decl, body *ast.BlockStmt) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				m.assign(n.Lhs...)
			}
			m.handOn(n.Rhs...)
		case *ast.IncDecStmt:
			m.assign(n.X)
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				m.assign(n.Key, n.Value)
			}
		case *ast.ValueSpec:
			m.handOn(n.Values...)
		case *ast.ReturnStmt:
			m.handOn(n.Results...)
		case *ast.CompositeLit:
			m.handOn(n.Elts...)
		case *ast.KeyValueExpr:
			m.handOn(n.Value)
		case *ast.SendStmt:
			m.lend(n.Chan)
		case *ast.UnaryExpr:
			if n.Op == token.AND || n.Op == token.ARROW {
				m.lend(n.X)
			}
		case *ast.CallExpr:
			m.call(n)
			if !m.test && changesProcess(m.info, n) {
				m.names = append(m.names, declared(d)...)
			}
		}
		return true
	})
}

// assign takes in that what each of list stands for is assigned to.
func (m *memory) assign(list ...ast.Expr) {
	if !m.test {
		m.lend(list...)
	}
}

// lend takes in that others may change each of list.
func (m *memory) lend(list ...ast.Expr) {
	for _, e := range list {
		if v := rootVariable(m.info, e); v != nil {
			m.names = append(m.names, v.Name())
		}
	}
}

// handOn takes in that others get each of list, and may change what it refers to.
func (m *memory) handOn(list ...ast.Expr) {
	for _, e := range list {
		if v := rootVariable(m.info, e); v != nil && refers(m.info.TypeOf(e)) && !unchanging(v.Type()) {
			m.names = append(m.names, v.Name())
		}
	}
}

// call takes in that a call may change what it is made on or given.
func (m *memory) call(call *ast.CallExpr) {
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		if v := rootVariable(m.info, sel.X); v != nil && !unchanging(v.Type()) {
			m.names = append(m.names, v.Name())
		}
	}
	if !readOnly(m.info, call) {
		m.handOn(call.Args...)
	}
}

// lasting are the functions of the standard library that change what belongs to the
// whole process, by the path of their package.
var lasting = map[string][]string{
	"database/sql": {"Register"},
	"encoding/gob": {"Register", "RegisterName"},
	"expvar":       {"NewFloat", "NewInt", "NewMap", "NewString", "Publish"},
	"flag":         {"Set"},
	"log":          {"SetFlags", "SetOutput", "SetPrefix"},
	"log/slog":     {"SetDefault", "SetLogLoggerLevel"},
	"math/rand":    {"Seed"},
	"mime":         {"AddExtensionType"},
	"net/http":     {"Handle", "HandleFunc"},
	"os": {
		"Chdir", "Chmod", "Clearenv", "Create", "Link", "Mkdir", "MkdirAll", "OpenFile", "Remove", "RemoveAll", "Rename",
		"Setenv", "Symlink", "Truncate", "Unsetenv", "WriteFile",
	},
}

// changesProcess reports whether a call is of a function of the standard library
// that changes what belongs to the whole process.
func changesProcess(info *types.Info, call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	f, ok := info.Uses[sel.Sel].(*types.Func)
	return ok && f.Pkg() != nil && f.Signature().Recv() == nil && slices.Contains(lasting[f.Pkg().Path()], f.Name())
}

// readOnly reports whether a call is of a built-in function that changes
// nothing.
func readOnly(info *types.Info, call *ast.CallExpr) bool {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok {
		return false
	}
	b, ok := info.Uses[id].(*types.Builtin)
	return ok && (b.Name() == "len" || b.Name() == "cap" || b.Name() == "min" || b.Name() == "max" || b.Name() == "panic")
}

// refers reports whether a value of type t lets others change what it stands
// for.
func refers(t types.Type) bool {
	if t == nil {
		return false
	}
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Kind() == types.Invalid // as far as is known
	case *types.Pointer, *types.Map, *types.Slice, *types.Chan, *types.Interface:
		return true
	}
	return false
}

// unchanging reports whether values of type t stay as they are whatever is
// called on them.
func unchanging(t types.Type) bool {
	if types.Identical(t, types.Universe.Lookup("error").Type()) {
		return true
	}
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if b, ok := t.Underlying().(*types.Basic); ok {
		return b.Kind() != types.Invalid // then it is not known
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return false
	}
	switch named.Obj().Pkg().Path() {
	case "time":
		return named.Obj().Name() == "Location"
	case "regexp", "reflect", "encoding/base64", "encoding/base32", "encoding/binary", "hash/crc32", "unicode":
		return true
	}
	return named.Obj().Pkg().Path() == "strings" && named.Obj().Name() == "Replacer"
}

// rootVariable returns the package variable that e is or is a part of, or nil.
func rootVariable(info *types.Info, e ast.Expr) *types.Var {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.SelectorExpr:
			if v := packageVariable(info.Uses[x.Sel]); v != nil {
				return v
			}
			e = x.X
		case *ast.Ident:
			return packageVariable(info.Uses[x])
		default:
			return nil
		}
	}
}

func packageVariable(obj types.Object) *types.Var {
	v, ok := obj.(*types.Var)
	if !ok || v.IsField() || v.Pkg() == nil || v.Parent() != v.Pkg().Scope() {
		return nil
	}
	return v
}
