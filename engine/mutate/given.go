package mutate

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/ast/inspector"
)

// given returns the source of the expression that gave its value to the variable which the condition of the if statement
// at c asks for. It is empty if the condition is not just about one variable, or if neither the statement itself nor the
// one before it assigns that.
func (s *site) given(c inspector.Cursor) string {
	n := c.Node().(*ast.IfStmt)
	asked := askedFor(n.Cond)
	before := n.Init
	if before == nil {
		if previous, ok := c.PrevSibling(); ok {
			before, _ = previous.Node().(ast.Stmt)
		}
	}
	assign, ok := before.(*ast.AssignStmt)
	if !ok || asked == nil {
		return ""
	}
	for i, left := range assign.Lhs {
		id, isName := left.(*ast.Ident)
		switch {
		case !isName || s.Info.ObjectOf(id) != s.Info.ObjectOf(asked):
		case len(assign.Rhs) == 1:
			return s.source(assign.Rhs[0])
		default:
			return s.source(assign.Rhs[i])
		}
	}
	return ""
}

// askedFor returns the variable of a condition such as "ok", "!ok" or "err != nil"; nil if it is another one.
func askedFor(condition ast.Expr) *ast.Ident {
	switch x := ast.Unparen(condition).(type) {
	case *ast.Ident:
		return x
	case *ast.UnaryExpr:
		if x.Op == token.NOT {
			return askedFor(x.X)
		}
	case *ast.BinaryExpr:
		id, isName := x.X.(*ast.Ident)
		other, isToo := x.Y.(*ast.Ident)
		if isName && isToo && other.Name == "nil" && (x.Op == token.EQL || x.Op == token.NEQ) {
			return id
		}
	}
	return nil
}
