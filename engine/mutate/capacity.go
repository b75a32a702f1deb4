package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/types/typeutil"
)

// capacities returns the parameters and local variables of a function that only decide how much memory is reserved: their
// values are used only as capacities, for the values of other such variables or, if follow is set, for such parameters of
// functions in the same file.
func (p *pass) capacities(decl *ast.FuncDecl, follow bool) map[types.Object]bool {
	c := &capacityUses{pass: p, decl: decl, follow: follow, found: map[types.Object]bool{}, feeds: map[types.Object][]types.Object{}}
	other := map[types.Object]bool{}
	var path []ast.Node
	ast.Inspect(decl.Body, func(n ast.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := p.Info.Uses[id].(*types.Var); ok && c.isOwnInteger(v) && !c.use(v, append(path, n)) {
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
	decl   *ast.FuncDecl                   // where they are used
	follow bool                            // into calls
	found  map[types.Object]bool           // variables used as a capacity
	feeds  map[types.Object][]types.Object // variables used for the values of others
}

// isOwnInteger reports whether v is an integer that the function has as a parameter or declares in its body.
func (c *capacityUses) isOwnInteger(v *types.Var) bool {
	b, ok := v.Type().Underlying().(*types.Basic)
	within := func(n ast.Node) bool { return n.Pos() <= v.Pos() && v.Pos() < n.End() }
	return ok && b.Info()&types.IsInteger != 0 && (within(c.decl.Type.Params) || within(c.decl.Body))
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
			switch {
			case arg >= 0 && c.follow && c.passesCapacity(n, arg):
				c.found[v] = true
				return true
			case !c.Info.Types[n.Fun].IsType() && !c.isBuiltin(n, "min") && !c.isBuiltin(n, "max"):
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

// passesCapacity reports whether an argument of a call is for a parameter that only decides how much memory is reserved.
func (c *capacityUses) passesCapacity(call *ast.CallExpr, arg int) bool {
	fn, ok := typeutil.Callee(c.Info, call).(*types.Func)
	if !ok {
		return false
	}
	fn = fn.Origin()
	params := fn.Signature().Params()
	if arg >= params.Len() || fn.Signature().Variadic() && arg == params.Len()-1 {
		return false
	}
	i := slices.IndexFunc(c.Syntax.Decls, func(d ast.Decl) bool {
		decl, ok := d.(*ast.FuncDecl)
		return ok && decl.Body != nil && c.Info.Defs[decl.Name] == fn
	})
	return i >= 0 && c.capacities(c.Syntax.Decls[i].(*ast.FuncDecl), false)[params.At(arg)]
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
		if !ok || !c.isOwnInteger(w) {
			return false
		}
		c.feeds[v] = append(c.feeds[v], w)
	}
	return true
}

// reserves reports whether all expressions are variables that only decide how much memory is reserved.
func (p *pass) reserves(list ...ast.Expr) bool {
	if p.reserved == nil {
		p.reserved = p.capacities(p.Decl, true)
	}
	return !slices.ContainsFunc(list, func(e ast.Expr) bool {
		id, ok := e.(*ast.Ident)
		return !ok || !p.reserved[p.Info.ObjectOf(id)]
	})
}
