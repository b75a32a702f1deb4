package engine

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
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
				if d.Body != nil && (d.Recv != nil || d.Name.Name != "init") && len(changedVariables(p.TypesInfo, d.Body)) > 0 {
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
		found = found || ok && len(changedVariables(info, lit.Body)) > 0
		return !found && !ok
	})
	return found
}

// changedVariables returns the names of the package variables that body may
// change, in order.
func changedVariables(info *types.Info, body *ast.BlockStmt) []string {
	c := changes{info: info}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				c.set(n.Lhs...)
			}
			c.handOn(n.Rhs...)
		case *ast.ValueSpec:
			c.handOn(n.Values...)
		case *ast.ReturnStmt:
			c.handOn(n.Results...)
		case *ast.CompositeLit:
			c.handOn(n.Elts...)
		case *ast.KeyValueExpr:
			c.handOn(n.Value)
		case *ast.IncDecStmt:
			c.set(n.X)
		case *ast.SendStmt:
			c.set(n.Chan)
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				c.set(n.Key, n.Value)
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND || n.Op == token.ARROW {
				c.set(n.X)
			}
		case *ast.CallExpr:
			c.call(n)
		}
		return true
	})
	slices.Sort(c.names)
	return slices.Compact(c.names)
}

// changes gathers the names of package variables that may be changed.
type changes struct {
	info  *types.Info
	names []string
}

// set takes in that what each of list stands for is changed.
func (c *changes) set(list ...ast.Expr) {
	for _, e := range list {
		if v := rootVariable(c.info, e); v != nil {
			c.names = append(c.names, v.Name())
		}
	}
}

// handOn takes in that others get each of list, and may change what it refers to.
func (c *changes) handOn(list ...ast.Expr) {
	for _, e := range list {
		if v := rootVariable(c.info, e); v != nil && refers(c.info.TypeOf(e)) && !unchanging(v.Type()) {
			c.names = append(c.names, v.Name())
		}
	}
}

// call takes in that a call may change what it is made on or given.
func (c *changes) call(call *ast.CallExpr) {
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && c.info.Selections[sel] != nil {
		if v := rootVariable(c.info, sel.X); v != nil && !unchanging(v.Type()) {
			c.names = append(c.names, v.Name())
		}
	}
	if !readOnly(c.info, call) {
		c.handOn(call.Args...)
	}
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
