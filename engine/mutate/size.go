package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
)

// isSize reports whether the expression is a length or capacity: a call of len
// or cap, or of a method Len, as sort.Interface, strings.Builder and
// reflect.Value have it.
func (p *pass) isSize(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	if fn := p.callee(call); fn != nil {
		return fn.Signature().Recv() != nil && fn.Name() == "Len" && len(call.Args) == 0
	}
	return p.isBuiltin(call, "len", "cap")
}

// holdsSize reports whether obj is a variable of the function that only ever
// holds lengths and capacities.
func (p *pass) holdsSize(obj types.Object) bool {
	if obj == nil {
		return false
	}
	declared, only := false, true
	is := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		return ok && p.Info.ObjectOf(id) == obj
	}
	set := func(variable ast.Expr, sizes bool) {
		if is(variable) {
			only = only && sizes
			declared = declared || p.Info.Defs[ast.Unparen(variable).(*ast.Ident)] == obj
		}
	}
	ast.Inspect(p.Decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			plain := (n.Tok == token.ASSIGN || n.Tok == token.DEFINE) && len(n.Lhs) == len(n.Rhs)
			for i, variable := range n.Lhs {
				set(variable, plain && p.isSize(n.Rhs[i]))
			}
		case *ast.ValueSpec:
			for i, variable := range n.Names {
				set(variable, i < len(n.Values) && p.isSize(n.Values[i]))
			}
		case *ast.IncDecStmt:
			set(n.X, false)
		case *ast.RangeStmt:
			set(n.Key, false)
			set(n.Value, false)
		case *ast.UnaryExpr:
			only = only && !(n.Op == token.AND && is(n.X))
		}
		return true
	})
	return declared && only
}
