package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/inspector"
)

// emptiesNil reports whether the assignment at c gives a variable that is still nil a list without elements: without it
// the variable is another kind of empty.
func (p *pass) emptiesNil(c inspector.Cursor, n *ast.AssignStmt) bool {
	if n.Tok != token.ASSIGN || len(n.Lhs) != len(n.Rhs) {
		return false
	}
	s := &site{c, p}
	for i, x := range n.Lhs {
		v := p.variable(x)
		if v == nil || !p.isEmptyList(n.Rhs[i]) || !s.isUnset(v) {
			return false
		}
	}
	return true
}

// isEmptyList reports whether e is a slice without elements that is not nil.
func (p *pass) isEmptyList(e ast.Expr) bool {
	if _, ok := p.Info.TypeOf(e).Underlying().(*types.Slice); !ok {
		return false
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return len(e.Elts) == 0
	case *ast.CallExpr:
		if p.isBuiltin(e, "make") {
			n := p.Info.Types[e.Args[1]].Value
			return n != nil && isZeroConstant(n)
		}
	}
	return false
}

// isUnset reports whether v is declared without a value, in the function or as a result, and nothing has set it when the
// site is first reached, which is not reached again with the same v.
func (s *site) isUnset(v *types.Var) bool {
	if !s.declaredUnset(v) && !s.isNamedResult(v) || s.setElsewhere(v) || s.setBefore(v) {
		return false
	}
	for loop := range s.Enclosing((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil)) {
		if loop.Node().Pos() > v.Pos() {
			return false
		}
	}
	return true
}

// setBefore reports whether a statement that stands before the site gives v a value.
func (s *site) setBefore(v *types.Var) (found bool) {
	ast.Inspect(s.Decl.Body, func(n ast.Node) bool {
		found = found || n != nil && n.Pos() < s.Node().Pos() && s.assigns(n, v)
		return !found
	})
	return found
}

// isNamedResult reports whether v is a result of the function that has a name.
func (p *pass) isNamedResult(v *types.Var) bool {
	results := p.Decl.Type.Results
	return results != nil && slices.ContainsFunc(results.List, func(f *ast.Field) bool {
		return slices.ContainsFunc(f.Names, func(id *ast.Ident) bool { return p.Info.Defs[id] == v })
	})
}
