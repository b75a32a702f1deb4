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

// remembers reports whether anything that mutants do may be seen later in the same
// process, in the touched packages, their tests, or what they import of the unit.
func (u *unit) remembers() bool {
	if slices.ContainsFunc(slices.Concat(u.typed.touched, u.typed.tests), remembers) {
		return true
	}
	known := u.typed.known()
	return slices.ContainsFunc(u.behind(u.touched), func(p *gotool.Package) bool { return remembers(known.check(p)) })
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

// remembers reports whether functions of a package may leave something that others
// see later: change its variables, or what else of a process lasts. It errs on the
// side of yes: a variable that is handed on, so that others may change what it refers
// to, counts as changed. What tests themselves assign is the same whatever the mutant;
// of them only what they hand on counts.
func remembers(p *packages.Package) bool {
	for _, f := range p.Syntax {
		leaves := changesVariables
		if strings.HasSuffix(p.Fset.Position(f.Package).Filename, "_test.go") {
			leaves = lendsVariables
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Body != nil && (d.Recv != nil || d.Name.Name != "init") && leaves(p.TypesInfo, d.Body) {
					return true
				}
			case *ast.GenDecl:
				if literalIs(leaves, p.TypesInfo, d) {
					return true
				}
			}
		}
	}
	return false
}

// literalIs reports whether the body of a function literal in a declaration is what
// is asked for.
func literalIs(asked func(*types.Info, *ast.BlockStmt) bool, info *types.Info, d *ast.GenDecl) (found bool) {
	ast.Inspect(d, func(n ast.Node) bool {
		lit, ok := n.(*ast.FuncLit)
		found = found || ok && asked(info, lit.Body)
		return !found && !ok
	})
	return found
}

// changesVariables reports whether body may change a package variable, or what else
// lasts.
func changesVariables(info *types.Info, body *ast.BlockStmt) bool {
	return assignsVariables(info, body) || lendsVariables(info, body)
}

// assignsVariables reports whether body itself changes a package variable, or what
// belongs to the whole process.
func assignsVariables(info *types.Info, body *ast.BlockStmt) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				found = found || n.Tok != token.DEFINE && rootVariable(info, e) != nil
			}
		case *ast.IncDecStmt:
			found = found || rootVariable(info, n.X) != nil
		case *ast.RangeStmt:
			found = found || n.Tok == token.ASSIGN && (rootVariable(info, n.Key) != nil || rootVariable(info, n.Value) != nil)
		case *ast.CallExpr:
			found = found || changesProcess(info, n)
		}
		return !found
	})
	return found
}

// lendsVariables reports whether body lets others change a package variable.
func lendsVariables(info *types.Info, body *ast.BlockStmt) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			found = found || handsOn(info, n.Rhs)
		case *ast.ValueSpec:
			found = found || handsOn(info, n.Values)
		case *ast.ReturnStmt:
			found = found || handsOn(info, n.Results)
		case *ast.CompositeLit:
			found = found || handsOn(info, n.Elts)
		case *ast.KeyValueExpr:
			found = found || handsOn(info, []ast.Expr{n.Value})
		case *ast.SendStmt:
			found = found || rootVariable(info, n.Chan) != nil
		case *ast.UnaryExpr:
			found = found || (n.Op == token.AND || n.Op == token.ARROW) && rootVariable(info, n.X) != nil
		case *ast.CallExpr:
			found = found || callChanges(info, n)
		}
		return !found
	})
	return found
}

// callChanges reports whether a call may change a package variable that it is
// made on or given.
func callChanges(info *types.Info, call *ast.CallExpr) bool {
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		if v := rootVariable(info, sel.X); v != nil && !unchanging(v.Type()) {
			return true
		}
	}
	return !readOnly(info, call) && handsOn(info, call.Args)
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

// handsOn reports whether any of list lets others change a package variable.
func handsOn(info *types.Info, list []ast.Expr) bool {
	for _, e := range list {
		if v := rootVariable(info, e); v != nil && refers(info.TypeOf(e)) && !unchanging(v.Type()) {
			return true
		}
	}
	return false
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
