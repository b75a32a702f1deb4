package equivalence

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// flags holds the values that boolean variables have at some place in every run: a branch leads there, or a check before
// it leaves otherwise.
type flags map[types.Object]bool

// flagsAt returns the flags at the place that path leads to, from the innermost node outwards. A variable counts if
// nothing but its declaration sets it, so that its value holds as long as it is in scope.
func (p *Package) flagsAt(path []ast.Node) flags {
	known := flags{}
	i := slices.IndexFunc(path, func(n ast.Node) bool { _, ok := n.(*ast.FuncDecl); return ok })
	if i < 0 || jumps(path[i]) {
		return known
	}
	for child, parent := range pairs(path[:i+1]) {
		switch n := parent.(type) {
		case *ast.FuncLit: // it may run elsewhere
			return p.onlyDeclared(known, path[i])
		case *ast.IfStmt:
			if child == n.Body || child == n.Else {
				p.assume(known, n.Cond, child == n.Body)
			}
		case *ast.BinaryExpr:
			if child == n.Y && (n.Op == token.LAND || n.Op == token.LOR) {
				p.assume(known, n.X, n.Op == token.LAND)
			}
		}
		for _, s := range statementsOf(parent) {
			if s == child {
				break
			}
			if check, ok := s.(*ast.IfStmt); ok && check.Else == nil && p.leaves(check.Body) {
				p.assume(known, check.Cond, false)
			}
		}
	}
	return p.onlyDeclared(known, path[i])
}

// pairs yields each node of a path with the next one.
func pairs(path []ast.Node) func(yield func(child, parent ast.Node) bool) {
	return func(yield func(child, parent ast.Node) bool) {
		for i := range path[1:] {
			if !yield(path[i], path[i+1]) {
				return
			}
		}
	}
}

// jumps reports whether a function has a goto, which may pass over a check.
func jumps(fn ast.Node) (found bool) {
	ast.Inspect(fn, func(n ast.Node) bool {
		b, ok := n.(*ast.BranchStmt)
		found = found || ok && b.Tok == token.GOTO
		return !found
	})
	return found
}

// assume adds to known what follows from a condition that has a value. What is known already is closer to the place.
func (p *Package) assume(known flags, cond ast.Expr, value bool) {
	switch e := cond.(type) {
	case *ast.ParenExpr:
		p.assume(known, e.X, value)
	case *ast.UnaryExpr:
		if e.Op == token.NOT {
			p.assume(known, e.X, !value)
		}
	case *ast.BinaryExpr:
		if e.Op == token.LAND && value || e.Op == token.LOR && !value {
			p.assume(known, e.X, value)
			p.assume(known, e.Y, value)
		}
	case *ast.Ident:
		v, ok := p.pkg.TypesInfo.Uses[e].(*types.Var)
		if _, has := known[v]; ok && !has && v.Parent() != p.pkg.Types.Scope() && types.Identical(v.Type(), types.Typ[types.Bool]) {
			known[v] = value
		}
	}
}

// leaves reports whether what comes after a block does not run if the block does.
func (p *Package) leaves(block *ast.BlockStmt) bool {
	if len(block.List) == 0 {
		return false
	}
	switch s := block.List[len(block.List)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return s.Tok == token.BREAK || s.Tok == token.CONTINUE
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		if !ok {
			return false
		}
		name, ok := call.Fun.(*ast.Ident)
		return ok && p.pkg.TypesInfo.Uses[name] == types.Universe.Lookup("panic")
	}
	return false
}

// onlyDeclared returns those of known that fn sets nowhere but where it declares them.
func (p *Package) onlyDeclared(known flags, fn ast.Node) flags {
	if len(known) == 0 {
		return known
	}
	set := func(e ast.Expr) {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok {
			delete(known, p.pkg.TypesInfo.Uses[id]) // where it is declared, it is among the definitions
		}
	}
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				set(e)
			}
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				set(n.Key)
				if n.Value != nil {
					set(n.Value)
				}
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				set(n.X)
			}
		case *ast.FuncType: // return statements set results
			if n.Results != nil {
				for _, field := range n.Results.List {
					for _, name := range field.Names {
						delete(known, p.pkg.TypesInfo.Defs[name])
					}
				}
			}
		}
		return true
	})
	return known
}
