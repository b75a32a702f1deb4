package equivalence

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
)

// flags holds the values that boolean variables have at some place in every run, because of the conditions that lead
// there.
type flags map[types.Object]bool

// flagsAt returns the flags at the place that path leads to, from the innermost node outwards. A variable counts if
// nothing but its declaration sets it, so that its value holds as long as it is in scope.
func (p *Package) flagsAt(path []ast.Node) flags {
	known := flags{}
	for i, child := range path[:max(len(path)-1, 0)] {
		switch parent := path[i+1].(type) {
		case *ast.IfStmt:
			if child == parent.Body || child == parent.Else {
				p.assume(known, parent.Cond, child == parent.Body)
			}
		case *ast.BinaryExpr:
			if child == parent.Y && (parent.Op == token.LAND || parent.Op == token.LOR) {
				p.assume(known, parent.X, parent.Op == token.LAND)
			}
		default:
			p.assumeChecks(known, statementsOf(parent), child)
		}
		if fn, ok := child.(*ast.FuncDecl); ok {
			p.keepConstant(known, fn)
			return known
		}
	}
	return nil // outside of functions
}

// assumeChecks adds to known what follows from the statements of a list before the one at the place: that none of their
// checks has left the list.
func (p *Package) assumeChecks(known flags, list []ast.Stmt, place ast.Node) {
	for _, s := range list {
		if s == place {
			return
		}
		if check, ok := s.(*ast.IfStmt); ok && check.Else == nil && mutate.LeavesAtEnd(check.Body) {
			p.assume(known, check.Cond, false)
		}
	}
}

// assume adds to known what follows from a condition that has a value.
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
			known[v] = value // what is known already is closer to the place
		}
	}
}

// keepConstant removes from known the variables that fn may set elsewhere than where it declares them, and all if it has
// a goto, which may pass over a check.
func (p *Package) keepConstant(known flags, fn *ast.FuncDecl) {
	set := func(e ast.Expr) {
		if id, ok := e.(*ast.Ident); ok {
			delete(known, p.pkg.TypesInfo.Uses[id]) // where it is declared, it is among the definitions
		}
	}
	ast.Inspect(fn, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BranchStmt:
			if n.Tok == token.GOTO {
				clear(known)
			}
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				set(ast.Unparen(e))
			}
		case *ast.RangeStmt:
			set(n.Key)
			set(n.Value)
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				set(ast.Unparen(n.X))
			}
		case *ast.FuncType: // return statements set results
			if n.Results == nil {
				return true
			}
			for _, field := range n.Results.List {
				for _, name := range field.Names {
					delete(known, p.pkg.TypesInfo.Defs[name])
				}
			}
		}
		return len(known) > 0
	})
}
