package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
)

var concatenation = &Operator{
	Name:     "concatenation",
	Category: Arithmetic,
	Doc:      "Leaves out one side of a concatenation of strings.",
	Before:   "func full(dir, name string) string {\n\treturn dir + name\n}\n",
	After:    "func full(dir, name string) string {\n\treturn dir\n}\n",
	mutate:   mutateConcatenation,
}

func mutateConcatenation(s *site) {
	n, ok := s.Node().(*ast.BinaryExpr)
	if !ok || n.Op != token.ADD || s.isConstant(n) || s.basicInfo(n)&types.IsString == 0 {
		return
	}
	s.keepOperand(n.X, n.Y)
	s.keepOperand(n.Y, n.X)
}

// keepOperand replaces a binary expression by one of its operands.
func (s *site) keepOperand(kept, dropped ast.Expr) {
	if !s.droppable(dropped) {
		return
	}
	var probe *Probe
	if s.pure(kept) && s.total(dropped) {
		probe = s.differs(s.source(kept))
	}
	s.replaceExpr(s.source(kept), precedenceOf(kept), probe)
}
