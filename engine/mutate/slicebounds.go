package mutate

import (
	"go/ast"
	"go/token"
)

var sliceBounds = &Operator{
	Name:     "slice-bounds",
	Category: Value,
	Doc:      "Moves a bound of a slice inwards by one, or leaves it out. Bounds that are literals are left to the integer-literal operator.",
	Before:   "func tail(s []int, from int) []int {\n\treturn s[from:]\n}\n",
	After:    "func tail(s []int, from int) []int {\n\treturn s[from + 1:]\n}\n",
	mutate:   mutateSliceBounds,
}

func mutateSliceBounds(s *site) {
	n, ok := s.Node().(*ast.SliceExpr)
	if !ok {
		return
	}
	if n.Low != nil && !literal(n.Low) {
		s.moveBound(n.Low, token.ADD)
		s.dropBound(n, n.Low)
	}
	if n.High != nil && !literal(n.High) {
		s.moveBound(n.High, token.SUB)
		if !n.Slice3 {
			s.dropBound(n, n.High)
		}
	}
}

// literal reports whether e is a literal.
func literal(e ast.Expr) bool {
	_, ok := e.(*ast.BasicLit)
	return ok
}

// moveBound offers the mutant with a bound one larger (ADD) or smaller (SUB).
// If the bound ends with a literal, as n+1 does, the literal's mutants are the same.
func (s *site) moveBound(bound ast.Expr, op token.Token) {
	if sum, ok := bound.(*ast.BinaryExpr); ok && literal(sum.Y) {
		return
	}
	text := s.operand(bound, op.Precedence()) + " " + op.String() + " 1"
	s.at(bound).replaceExpr(text, op.Precedence(), nil) // no probe: the value always differs
}

// dropBound offers the mutant without a bound.
func (s *site) dropBound(n *ast.SliceExpr, bound ast.Expr) {
	if s.droppable(bound) {
		text := s.text(n.Pos(), bound.Pos()) + s.text(bound.End(), n.End())
		before := len(s.mutants)
		s.replaceExpr(text, token.HighestPrec, nil)
		s.alters(before, bound.Pos(), bound.End())
	}
}
