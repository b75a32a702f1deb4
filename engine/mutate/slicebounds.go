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
	if s.movable(n.Low) {
		s.moveBound(n.Low, token.ADD)
		s.dropBound(n, n.Low)
	}
	if s.movable(n.High) {
		s.moveBound(n.High, token.SUB)
		if !n.Slice3 {
			s.dropBound(n, n.High)
		}
	}
}

// movable reports whether there is a bound, and it is no literal.
func (p *pass) movable(bound ast.Expr) bool {
	_, literal := bound.(*ast.BasicLit)
	return bound != nil && !literal
}

// moveBound adds one to a bound or takes one away.
func (s *site) moveBound(bound ast.Expr, op token.Token) {
	text := s.operand(bound, op.Precedence()) + " " + op.String() + " 1"
	s.at(bound).replaceExpr(text, op.Precedence(), nil) // always another value
}

// dropBound leaves out a bound.
func (s *site) dropBound(n *ast.SliceExpr, bound ast.Expr) {
	if s.droppable(bound) {
		text := s.text(n.Pos(), bound.Pos()) + s.text(bound.End(), n.End())
		s.replaceExpr(text, token.HighestPrec, nil)
	}
}
