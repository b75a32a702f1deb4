package engine

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/packages"
)

// remembers reports whether functions of a package may change its variables, so
// that what a mutant did can matter to the next one in the same process. It
// errs on the side of yes: a variable that is handed on, so that others may
// change what it refers to, counts as changed.
func remembers(p *packages.Package) bool {
	for _, f := range p.Syntax {
		if strings.HasSuffix(p.Fset.Position(f.Package).Filename, "_test.go") {
			continue
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Body != nil && (d.Recv != nil || d.Name.Name != "init") && changesVariables(p.TypesInfo, d.Body) {
					return true
				}
			case *ast.GenDecl:
				if literalsChangeVariables(p.TypesInfo, d) {
					return true
				}
			}
		}
	}
	return false
}

// literalsChangeVariables reports whether a function literal in a declaration may
// change a package variable.
func literalsChangeVariables(info *types.Info, d *ast.GenDecl) (found bool) {
	ast.Inspect(d, func(n ast.Node) bool {
		lit, ok := n.(*ast.FuncLit)
		found = found || ok && changesVariables(info, lit.Body)
		return !found && !ok
	})
	return found
}

// changesVariables reports whether body may change a package variable.
func changesVariables(info *types.Info, body *ast.BlockStmt) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				found = found || n.Tok != token.DEFINE && rootVariable(info, e) != nil
			}
			found = found || handsOn(info, n.Rhs)
		case *ast.ValueSpec:
			found = found || handsOn(info, n.Values)
		case *ast.ReturnStmt:
			found = found || handsOn(info, n.Results)
		case *ast.CompositeLit:
			found = found || handsOn(info, n.Elts)
		case *ast.KeyValueExpr:
			found = found || handsOn(info, []ast.Expr{n.Value})
		case *ast.IncDecStmt:
			found = found || rootVariable(info, n.X) != nil
		case *ast.SendStmt:
			found = found || rootVariable(info, n.Chan) != nil
		case *ast.RangeStmt:
			found = found || n.Tok == token.ASSIGN && (rootVariable(info, n.Key) != nil || rootVariable(info, n.Value) != nil)
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
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && info.Selections[sel] != nil {
		if v := rootVariable(info, sel.X); v != nil && !unchanging(v.Type()) {
			return true
		}
	}
	return !readOnly(info, call) && handsOn(info, call.Args)
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
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Map, *types.Slice, *types.Chan:
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
	if _, ok := t.Underlying().(*types.Basic); ok {
		return true
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
