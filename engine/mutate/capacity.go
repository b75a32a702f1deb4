package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// capacities returns the function's local variables that only decide how much memory is reserved: their values are used
// only as capacities or for the values of other such variables.
func (p *pass) capacities() map[types.Object]bool {
	c := &capacityUses{pass: p, found: map[types.Object]bool{}, feeds: map[types.Object][]types.Object{}}
	other := map[types.Object]bool{}
	var path []ast.Node
	ast.Inspect(p.Decl.Body, func(n ast.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := p.Info.Uses[id].(*types.Var); ok && p.isLocalInteger(v) && !c.use(v, append(path, n)) {
				other[v] = true
			}
		}
		path = append(path, n)
		return true
	})
	for again := true; again; {
		again = false
		for v, into := range c.feeds {
			if !other[v] && slices.ContainsFunc(into, func(w types.Object) bool { return other[w] || !c.found[w] && len(c.feeds[w]) == 0 }) {
				other[v], again = true, true
			}
		}
	}
	for v := range c.feeds {
		c.found[v] = true
	}
	for v := range other {
		delete(c.found, v)
	}
	return c.found
}

// capacityUses collects how integers are used.
type capacityUses struct {
	*pass
	found map[types.Object]bool           // variables used as a capacity
	feeds map[types.Object][]types.Object // variables used for the values of others
}

// isLocalInteger reports whether v is an integer variable that the function's body declares.
func (p *pass) isLocalInteger(v *types.Var) bool {
	b, ok := v.Type().Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0 && p.Decl.Body.Pos() <= v.Pos() && v.Pos() < p.Decl.Body.End()
}

// use records a use of v, the last node of path. It is not ok if the use may affect anything but capacities.
func (c *capacityUses) use(v *types.Var, path []ast.Node) (ok bool) {
	for i := len(path) - 2; i >= 0; i-- {
		switch n := path[i].(type) {
		case *ast.CallExpr:
			arg := slices.IndexFunc(n.Args, func(e ast.Expr) bool { return e == path[i+1] })
			if arg >= 0 && (c.aridCall(n) == aridCapacity || c.isBuiltin(n, "make") && c.capacityHint(n, arg)) {
				c.found[v] = true
				return true
			}
			if !c.Info.Types[n.Fun].IsType() {
				return false
			}
		case *ast.IncDecStmt:
			return ast.Unparen(n.X) == path[i+1]
		case *ast.AssignStmt:
			return c.assigned(v, n, path[i+1].(ast.Expr))
		case *ast.BinaryExpr, *ast.ParenExpr:
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				return false
			}
		default:
			return false
		}
	}
	return false
}

// assigned records a use of v in an operand of an assignment. It is not ok if the use may affect anything but
// capacities.
func (c *capacityUses) assigned(v *types.Var, n *ast.AssignStmt, operand ast.Expr) (ok bool) {
	if slices.Contains(n.Lhs, operand) {
		_, isVariable := operand.(*ast.Ident)
		return isVariable
	}
	if len(n.Lhs) != len(n.Rhs) {
		return false
	}
	target, ok := n.Lhs[slices.Index(n.Rhs, operand)].(*ast.Ident)
	if !ok {
		return false
	}
	if obj := c.Info.ObjectOf(target); obj != v {
		w, ok := obj.(*types.Var)
		if !ok || !c.isLocalInteger(w) {
			return false
		}
		c.feeds[v] = append(c.feeds[v], w)
	}
	return true
}

// reserves reports whether all expressions are variables that only decide how much memory is reserved.
func (p *pass) reserves(list ...ast.Expr) bool {
	if p.reserved == nil {
		p.reserved = p.capacities()
	}
	return !slices.ContainsFunc(list, func(e ast.Expr) bool {
		id, ok := e.(*ast.Ident)
		return !ok || !p.reserved[p.Info.ObjectOf(id)]
	})
}
