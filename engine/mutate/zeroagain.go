package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// zeroesAgain reports whether an assignment changes nothing: it sets variables or fields with their zero value to that
// value, or nil slices to empty ones.
func (p *pass) zeroesAgain(n *ast.AssignStmt) bool {
	c, ok := p.root.FindNode(n)
	if !ok || n.Tok != token.ASSIGN || len(n.Lhs) != len(n.Rhs) {
		return false
	}
	s := &site{c, p}
	for i, x := range n.Lhs {
		if !p.isZeroOrEmpty(n.Rhs[i]) || !s.hasZero(x) {
			return false
		}
	}
	return true
}

// isZeroOrEmpty reports whether e is the zero value of its type or a slice without elements.
func (p *pass) isZeroOrEmpty(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || !p.isBuiltin(call, "make") {
		return p.isZero(e, "")
	}
	if _, isList := p.Info.TypeOf(call).Underlying().(*types.Slice); !isList {
		return false
	}
	n := p.Info.Types[call.Args[1]].Value
	return n != nil && isZeroConstant(n)
}

// hasZero reports whether e is a variable, or a field of one, that has its zero value at the site.
func (s *site) hasZero(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v := s.variable(e)
		return v != nil && s.isUnset(v)
	case *ast.SelectorExpr:
		sel := s.Info.Selections[e]
		return sel != nil && len(sel.Index()) == 1 && s.isFresh(s.variable(e.X), e.Sel.Name)
	}
	return false
}

// isUnset reports whether v has no value yet at the site. v is declared in the function without a value, or is a named
// result; nothing before the site names it, no loop or goto leads back to the site with the same v, and no function
// literal runs the site later.
func (s *site) isUnset(v *types.Var) bool {
	if !s.declaredUnset(v) && !s.isNamedResult(v) || s.isNamedBefore(v) || s.hasGoto() {
		return false
	}
	for later := range s.Enclosing((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil), (*ast.FuncLit)(nil)) {
		if later.Node().Pos() > v.Pos() {
			return false
		}
	}
	return true
}

// hasGoto reports whether the function has a goto.
func (p *pass) hasGoto() (found bool) {
	ast.Inspect(p.Decl.Body, func(n ast.Node) bool {
		branch, ok := n.(*ast.BranchStmt)
		found = found || ok && branch.Tok == token.GOTO
		return !found
	})
	return found
}

// isNamedBefore reports whether the function's body names v before the site.
func (s *site) isNamedBefore(v *types.Var) (found bool) {
	ast.Inspect(s.Decl.Body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && s.Info.Uses[id] == v && id.Pos() < s.Node().Pos()
		return !found
	})
	return found
}

// isNamedResult reports whether v is a named result of the function.
func (p *pass) isNamedResult(v *types.Var) bool {
	results := p.Decl.Type.Results
	return results != nil && slices.ContainsFunc(results.List, func(f *ast.Field) bool {
		return slices.ContainsFunc(f.Names, func(id *ast.Ident) bool { return p.Info.Defs[id] == v })
	})
}

// isFresh reports whether v is made without values just before the site. Between the two, only assignments to other
// fields of v may stand.
func (s *site) isFresh(v *types.Var, field string) bool {
	for before, ok := s.PrevSibling(); ok && v != nil; before, ok = before.PrevSibling() {
		switch n := before.Node().(type) {
		case *ast.DeclStmt:
			return s.declaredUnset(v) && n.Pos() <= v.Pos() && v.Pos() < n.End()
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				return len(n.Rhs) == 1 && s.Info.Defs[n.Lhs[0].(*ast.Ident)] == v && s.isNewStruct(n.Rhs[0])
			}
			if !s.setsOther(n, v, field) {
				return false
			}
		default:
			return false
		}
	}
	return false
}

// isNewStruct reports whether e is a composite literal without values, a pointer to one, or a call of new with a type.
func (p *pass) isNewStruct(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		lit, ok := ast.Unparen(e.X).(*ast.CompositeLit)
		return e.Op == token.AND && ok && len(lit.Elts) == 0
	case *ast.CompositeLit:
		return len(e.Elts) == 0
	case *ast.CallExpr:
		return p.isNewZero(e)
	}
	return false
}

// isNewZero reports whether call is one of new with a type. With a value, new copies that.
func (p *pass) isNewZero(call *ast.CallExpr) bool {
	return p.isBuiltin(call, "new") && p.Info.Types[call.Args[0]].IsType()
}

// setsOther reports whether an assignment only sets other fields of v, to values that do not depend on v.
func (p *pass) setsOther(n *ast.AssignStmt, v *types.Var, field string) bool {
	for _, x := range n.Lhs {
		sel, ok := ast.Unparen(x).(*ast.SelectorExpr)
		if !ok || p.variable(sel.X) != v || sel.Sel.Name == field {
			return false
		}
	}
	return !slices.ContainsFunc(n.Rhs, func(x ast.Expr) (found bool) {
		ast.Inspect(x, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			found = found || ok && p.Info.Uses[id] == v
			return !found
		})
		return found
	})
}
