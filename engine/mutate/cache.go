package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"strings"
)

// cacheName matches names of variables, fields and types that hold what could be computed again.
var cacheName = regexp.MustCompile(`(?i)cache`)

// Methods of caches. Their first argument is the key.
var (
	lookUpMethods = map[string]bool{"Get": true, "Load": true, "Lookup": true, "LoadOrStore": true}
	storeMethods  = map[string]bool{"Set": true, "Store": true, "Add": true, "Put": true}
)

// caches are the caches that a function uses, by their source text. They are those of [memo], package variables that
// are caches by their name or that of their type, and fields that are caches by their name. Fields count only if the
// function both stores to them and looks up in them: packages that provide caches keep their content in fields, and
// only fill it in a function.
type caches struct {
	*pass
	known map[string]bool
	keys  map[types.Object]int // how often a variable is the key in an access to a cache
}

// findCaches returns the caches that the function uses.
func (p *pass) findCaches() *caches {
	c := &caches{pass: p, known: map[string]bool{}, keys: map[types.Object]int{}}
	for _, m := range p.memos {
		c.known[m.in] = true
	}
	stores := map[string]bool{}
	p.eachAccess(func(cache ast.Expr, _ ast.Expr, stored bool) {
		stores[types.ExprString(cache)] = stores[types.ExprString(cache)] || stored
	})
	p.eachAccess(func(cache ast.Expr, _ ast.Expr, stored bool) {
		if text := types.ExprString(cache); p.isSharedCache(cache) || !stored && stores[text] && p.isCacheField(cache) {
			c.known[text] = true
		}
	})
	p.eachAccess(func(cache, key ast.Expr, _ bool) {
		if id, ok := ast.Unparen(key).(*ast.Ident); ok && c.known[types.ExprString(cache)] {
			c.keys[p.Info.Uses[id]]++
		}
	})
	return c
}

// eachAccess calls f for every expression that may look up a key in a cache or store something under it.
func (p *pass) eachAccess(f func(cache, key ast.Expr, stored bool)) {
	assigned := map[ast.Expr]bool{}
	ast.Inspect(p.Decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				assigned[ast.Unparen(e)] = true
			}
		case *ast.IndexExpr:
			if p.isMap(n.X) {
				f(n.X, n.Index, assigned[n])
			}
		case *ast.CallExpr:
			if cache, method, ok := p.keyed(n); ok {
				f(cache, n.Args[0], storeMethods[method])
			}
		}
		return true
	})
}

// keyed returns the receiver and the method of a call if the method looks up a key or stores something under one.
func (p *pass) keyed(call *ast.CallExpr) (cache ast.Expr, method string, ok bool) {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || p.Info.Selections[sel] == nil {
		return nil, "", false
	}
	method = sel.Sel.Name
	return sel.X, method, lookUpMethods[method] && len(call.Args) > 0 || storeMethods[method] && len(call.Args) > 1
}

// isSharedCache reports whether e is a package variable that is a cache by its name or that of its type.
func (p *pass) isSharedCache(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := p.Info.Uses[id].(*types.Var)
	if !ok || v.Parent() != p.Pkg.Scope() {
		return false
	}
	named := namedType(v.Type())
	return cacheName.MatchString(v.Name()) || named != nil && cacheName.MatchString(named.Obj().Name())
}

func (p *pass) isCacheField(e ast.Expr) bool {
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	return ok && p.Info.Selections[sel] != nil && cacheName.MatchString(sel.Sel.Name)
}

// fills reports whether a statement only stores something in a cache or replaces it by a new one. Without the
// statement, the function returns the same, but takes longer.
func (c *caches) fills(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		if !ok {
			return false
		}
		cache, method, ok := c.keyed(call)
		return ok && storeMethods[method] && c.known[types.ExprString(cache)]
	case *ast.AssignStmt:
		if len(s.Lhs) != 1 || len(s.Rhs) != 1 || s.Tok != token.ASSIGN {
			return false
		}
		if e, ok := ast.Unparen(s.Lhs[0]).(*ast.IndexExpr); ok {
			return c.isMap(e.X) && c.known[types.ExprString(e.X)]
		}
		return c.isSharedCache(s.Lhs[0]) && c.isNew(s.Rhs[0])
	}
	return false
}

// isNew reports whether e makes an empty value, as far as its form shows.
func (p *pass) isNew(e ast.Expr) bool {
	e = ast.Unparen(e)
	if ref, ok := e.(*ast.UnaryExpr); ok && ref.Op == token.AND {
		e = ref.X
	}
	switch e := e.(type) {
	case *ast.CompositeLit:
		return len(e.Elts) == 0
	case *ast.CallExpr:
		fn := p.callee(e)
		return p.isBuiltin(e, "make") || p.isNewZero(e) || fn != nil && strings.HasPrefix(strings.ToLower(fn.Name()), "new")
	}
	return false
}

// isKey reports whether e is the key in an access to a cache.
func (c *caches) isKey(parent ast.Node, e ast.Expr) bool {
	switch parent := parent.(type) {
	case *ast.IndexExpr:
		return parent.Index == e && c.known[types.ExprString(parent.X)]
	case *ast.CallExpr:
		cache, _, ok := c.keyed(parent)
		return ok && parent.Args[0] == e && c.known[types.ExprString(cache)]
	}
	return false
}

// makesKey reports whether an assignment only sets a variable that is read only as the key of a cache.
func (c *caches) makesKey(s *ast.AssignStmt) bool {
	if len(s.Lhs) != 1 {
		return false
	}
	id, ok := s.Lhs[0].(*ast.Ident)
	if !ok {
		return false
	}
	v := c.Info.ObjectOf(id)
	return c.keys[v] > 0 && c.keys[v] == c.reads[v]
}
