package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// memo is a cache of results: a map or sync.Map that a function looks up first and fills last,
//
//	if v, ok := m[key]; ok { return v }
//	…
//	m[key] = v
//	return v
//
// Without one of these parts, the function returns the same results, but takes longer.
type memo struct {
	in    string // source text of the map
	hit   *ast.IfStmt
	store ast.Stmt
}

// findMemos returns the caches of results in the function.
func (p *pass) findMemos() (list []memo) {
	type lookup struct {
		hit      *ast.IfStmt
		from, by string
	}
	var lookups []lookup
	ast.Inspect(p.Decl.Body, func(n ast.Node) bool {
		block, ok := n.(*ast.BlockStmt)
		if !ok {
			return true
		}
		for i, s := range block.List {
			if hit, ok := s.(*ast.IfStmt); ok && hit.Else == nil {
				made := hit.Init
				if made == nil && i > 0 {
					made = block.List[i-1]
				}
				if from, by, ok := p.lookedUp(made, hit); ok {
					lookups = append(lookups, lookup{hit, from, by})
				}
			}
			if i+1 >= len(block.List) {
				continue
			}
			into, at, value := p.stored(s)
			ret, ok := block.List[i+1].(*ast.ReturnStmt)
			if !ok || value == nil || len(ret.Results) == 0 || types.ExprString(ret.Results[0]) != types.ExprString(value) {
				continue
			}
			for _, l := range lookups {
				if l.from == into && l.by == at {
					list = append(list, memo{into, l.hit, s})
				}
			}
		}
		return true
	})
	return list
}

// lookedUp returns the map and the key that statement s looks up. It is not ok unless hit returns what is found there.
func (p *pass) lookedUp(s ast.Stmt, hit *ast.IfStmt) (from, by string, ok bool) {
	a, ok := s.(*ast.AssignStmt)
	if !ok || len(a.Lhs) != 2 || len(a.Rhs) != 1 || len(hit.Body.List) == 0 {
		return "", "", false
	}
	ret, ok := hit.Body.List[len(hit.Body.List)-1].(*ast.ReturnStmt)
	if !ok || types.ExprString(hit.Cond) != types.ExprString(a.Lhs[1]) || len(ret.Results) == 0 {
		return "", "", false
	}
	value := ast.Unparen(ret.Results[0])
	if assertion, ok := value.(*ast.TypeAssertExpr); ok {
		value = assertion.X
	}
	if types.ExprString(value) != types.ExprString(a.Lhs[0]) {
		return "", "", false
	}
	switch e := ast.Unparen(a.Rhs[0]).(type) {
	case *ast.IndexExpr:
		return types.ExprString(e.X), types.ExprString(e.Index), p.isMap(e.X)
	case *ast.CallExpr:
		m, ok := p.onSyncMap(e, "Load")
		return m, firstArgument(e), ok
	}
	return "", "", false
}

// stored returns the map that a statement fills, the key and the value. The value is nil if the statement fills none.
func (p *pass) stored(s ast.Stmt) (into, at string, value ast.Expr) {
	switch s := s.(type) {
	case *ast.AssignStmt:
		if len(s.Lhs) != 1 || len(s.Rhs) != 1 || s.Tok != token.ASSIGN {
			return "", "", nil
		}
		if e, ok := s.Lhs[0].(*ast.IndexExpr); ok && p.isMap(e.X) {
			return types.ExprString(e.X), types.ExprString(e.Index), s.Rhs[0]
		}
	case *ast.ExprStmt:
		if call, ok := s.X.(*ast.CallExpr); ok && len(call.Args) == 2 {
			if m, ok := p.onSyncMap(call, "Store"); ok {
				return m, firstArgument(call), call.Args[1]
			}
		}
	}
	return "", "", nil
}

func firstArgument(call *ast.CallExpr) string {
	if len(call.Args) == 0 {
		return ""
	}
	return types.ExprString(call.Args[0])
}

func (p *pass) isMap(e ast.Expr) bool {
	t := p.Info.TypeOf(e)
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Map)
	return ok
}

// onSyncMap returns the receiver of a call of the given method of sync.Map.
func (p *pass) onSyncMap(call *ast.CallExpr, method string) (m string, ok bool) {
	fn := p.callee(call)
	sel, isMethod := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if fn == nil || !isMethod || fn.FullName() != "(*sync.Map)."+method {
		return "", false
	}
	return types.ExprString(sel.X), true
}

// remembers reports whether a statement only fills a cache of results.
func (p *pass) remembers(s ast.Stmt) bool {
	return slices.ContainsFunc(p.memos, func(m memo) bool { return m.store == s }) || p.caches.fills(s)
}

// recalls reports whether an if statement only returns what a cache of results holds.
func (p *pass) recalls(s *ast.IfStmt) bool {
	return slices.ContainsFunc(p.memos, func(m memo) bool { return m.hit == s })
}
