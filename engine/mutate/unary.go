package mutate

import (
	"go/ast"
	"go/token"
)

var unary = &Operator{
	Name:     "unary",
	Category: Unary,
	Doc:      "Leaves out a `!`, `-` or `^`. A `!` before a condition is left to the condition operator.",
	Before:   "func abs(n int) int {\n\tif n < 0 {\n\t\treturn -n\n\t}\n\treturn n\n}\n",
	After:    "func abs(n int) int {\n\tif n < 0 {\n\t\treturn n\n\t}\n\treturn n\n}\n",
	mutate:   mutateUnary,
}

func mutateUnary(s *site) {
	n, ok := s.Node().(*ast.UnaryExpr)
	if !ok {
		return
	}
	var probe *Probe
	switch n.Op {
	case token.NOT:
		if s.conditionUse().is {
			return
		}
	case token.SUB, token.XOR:
		if s.pure(n.X) {
			probe = s.differs(s.source(n.X))
		}
	default:
		return
	}
	s.replaceExpr(s.source(n.X), precedenceOf(n.X), probe)
}
