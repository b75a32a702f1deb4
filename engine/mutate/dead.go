package mutate

import (
	"go/ast"
	"go/constant"
	"go/token"

	"golang.org/x/tools/go/ast/inspector"
)

// dead reports whether a node never runs in this build, because constants decide the condition before it: runtime.GOOS
// == "windows", or a constant of the package that has another value on other systems. No test can be asked to run it.
func (p *pass) dead(c inspector.Cursor) bool {
	if s, ok := c.Node().(*ast.IfStmt); ok && s.Else == nil && p.decided(s.Cond, false) {
		return true
	}
	s, ok := c.Parent().Node().(*ast.IfStmt)
	return ok && (c.Node() == s.Body && p.decided(s.Cond, false) || c.Node() == s.Else && p.decided(s.Cond, true))
}

// decided reports whether constants alone make a condition have the given value.
func (p *pass) decided(cond ast.Expr, value bool) bool {
	if v := p.Info.Types[cond].Value; v != nil {
		return v.Kind() == constant.Bool && constant.BoolVal(v) == value
	}
	switch e := cond.(type) {
	case *ast.ParenExpr:
		return p.decided(e.X, value)
	case *ast.UnaryExpr:
		return e.Op == token.NOT && p.decided(e.X, !value)
	case *ast.BinaryExpr:
		switch {
		case e.Op == token.LAND && !value, e.Op == token.LOR && value:
			return p.decided(e.X, value) || p.decided(e.Y, value)
		case e.Op == token.LAND, e.Op == token.LOR:
			return p.decided(e.X, value) && p.decided(e.Y, value)
		}
	}
	return false
}

// deadLines reports whether all lines of a hunk are inside a dead block, or were added as part of a dead if statement.
func (p *pass) deadLines(h *Hunk) bool {
	line := func(pos token.Pos) int { return p.Fset.PositionFor(pos, false).Line }
	for c := range p.root.Preorder((*ast.IfStmt)(nil), (*ast.BlockStmt)(nil)) {
		first, last := line(c.Node().Pos()), line(c.Node().End())
		if _, block := c.Node().(*ast.BlockStmt); block {
			first, last = first+1, last-1
		} else if h.Old != "" {
			continue // the old lines may have had another condition
		}
		if first <= h.First && h.First+h.Count-1 <= last && p.dead(c) {
			return true
		}
	}
	return false
}
