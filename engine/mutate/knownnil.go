package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
)

// knownNil reports whether e is a local variable that is certainly nil at the site, which is a statement of a list.
// That is so if an if statement around the site, or one just before it that returns otherwise, checks that it is nil,
// and nothing can have set it since.
func (s *site) knownNil(e ast.Expr) bool {
	v := s.variable(e)
	if v == nil || v.Parent() == nil || v.Parent() == s.Pkg.Scope() || s.setElsewhere(v) {
		return false
	}
	return s.insideNilBranch(v) || s.afterNilCheck(v)
}

// variable returns the variable that e names; nil if e is anything else.
func (p *pass) variable(e ast.Expr) *types.Var {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return nil
	}
	v, _ := p.Info.Uses[id].(*types.Var)
	return v
}

// insideNilBranch reports whether the site is in a branch of the nearest if statement around it that is entered only if
// v is nil, and that does not set v.
func (s *site) insideNilBranch(v *types.Var) bool {
	for c := range s.Enclosing((*ast.IfStmt)(nil), (*ast.FuncLit)(nil)) {
		n, ok := c.Node().(*ast.IfStmt)
		if !ok {
			return false
		}
		at := s.Node().Pos()
		switch {
		case n.Body.Pos() <= at && at < n.Body.End():
			return s.compares(n.Cond, v, token.EQL, token.LAND) && !s.sets(n.Body, v)
		case n.Else != nil && n.Else.Pos() <= at:
			return s.compares(n.Cond, v, token.NEQ, token.LOR) && !s.sets(n.Else, v)
		}
		return false
	}
	return false
}

// afterNilCheck reports whether the statement before the site returns if v is not nil.
func (s *site) afterNilCheck(v *types.Var) bool {
	before, ok := s.PrevSibling()
	if !ok {
		return false
	}
	n, ok := before.Node().(*ast.IfStmt)
	if !ok || n.Else != nil || len(n.Body.List) == 0 {
		return false
	}
	_, returns := n.Body.List[len(n.Body.List)-1].(*ast.ReturnStmt)
	return returns && s.compares(n.Cond, v, token.NEQ, token.LOR) && !s.sets(n.Cond, v)
}

// compares reports whether cond is the comparison of v with nil by op, or has it as an operand of connectors.
func (p *pass) compares(cond ast.Expr, v *types.Var, op, connector token.Token) bool {
	n, ok := ast.Unparen(cond).(*ast.BinaryExpr)
	if !ok {
		return false
	}
	if n.Op == connector {
		return p.compares(n.X, v, op, connector) || p.compares(n.Y, v, op, connector)
	}
	id, ok := ast.Unparen(n.X).(*ast.Ident)
	return ok && n.Op == op && p.Info.Uses[id] == v && p.isNil(n.Y)
}

// setElsewhere reports whether v may be set at any time: its address is taken, or a function literal
// other than the one that declares it sets it.
func (s *site) setElsewhere(v *types.Var) (found bool) {
	ast.Inspect(s.Decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.UnaryExpr:
			id, ok := ast.Unparen(n.X).(*ast.Ident)
			found = found || n.Op == token.AND && ok && s.Info.Uses[id] == v
		case *ast.FuncLit:
			found = found || (n.Pos() > v.Pos() || n.End() < v.Pos()) && s.sets(n.Body, v)
		}
		return !found
	})
	return found
}

// sets reports whether n or a node below it assigns to v.
func (s *site) sets(n ast.Node, v *types.Var) (found bool) {
	is := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		return ok && (s.Info.Uses[id] == v || s.Info.Defs[id] == v)
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, lhs := range n.Lhs {
				found = found || is(lhs)
			}
		case *ast.RangeStmt:
			found = found || n.Key != nil && is(n.Key) || n.Value != nil && is(n.Value)
		}
		return !found
	})
	return found
}
