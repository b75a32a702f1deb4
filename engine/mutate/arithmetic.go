package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
)

var arithmetic = &Operator{
	Name:     "arithmetic",
	Category: Arithmetic,
	Doc:      "Swaps `+` and `-`, `*` and `/`, and replaces `%` by `*`, also in `+=` and its like.",
	Before:   "func sum(a, b int) int {\n\treturn a + b\n}\n",
	After:    "func sum(a, b int) int {\n\treturn a - b\n}\n",
	mutate: func(s *site) {
		s.swapOperator(arithmeticSwaps, types.IsNumeric)
	},
}

var arithmeticSwaps = map[token.Token]token.Token{
	token.ADD: token.SUB, token.SUB: token.ADD,
	token.MUL: token.QUO, token.QUO: token.MUL,
	token.REM: token.MUL,
}

// assignOps maps each compound assignment to its operator.
var assignOps = map[token.Token]token.Token{
	token.ADD_ASSIGN: token.ADD, token.SUB_ASSIGN: token.SUB,
	token.MUL_ASSIGN: token.MUL, token.QUO_ASSIGN: token.QUO, token.REM_ASSIGN: token.REM,
	token.AND_ASSIGN: token.AND, token.OR_ASSIGN: token.OR, token.XOR_ASSIGN: token.XOR,
	token.AND_NOT_ASSIGN: token.AND_NOT, token.SHL_ASSIGN: token.SHL, token.SHR_ASSIGN: token.SHR,
}

// swapOperator replaces the operator of a binary expression or a compound
// assignment as swaps says, if the operands are of the given kind.
func (s *site) swapOperator(swaps map[token.Token]token.Token, kind types.BasicInfo) {
	switch n := s.Node().(type) {
	case *ast.BinaryExpr:
		if op, ok := swaps[n.Op]; ok && !s.isConstant(n) && s.basicInfo(n)&kind != 0 {
			first := len(s.mutants)
			s.replaceExpr(s.binary(n, op), op.Precedence(), s.binaryProbe(n, op))
			s.altersOperator(first, n)
		}
	case *ast.AssignStmt:
		if op, ok := swaps[assignOps[n.Tok]]; ok && s.basicInfo(n.Lhs[0])&kind != 0 {
			s.swapAssignment(n, op)
		}
	}
}

// swapAssignment replaces the operator of a compound assignment.
func (s *site) swapAssignment(n *ast.AssignStmt, op token.Token) {
	value := s.source(n.Lhs[0]) + " " + op.String() + " (" + s.source(n.Rhs[0]) + ")"
	if _, ok := s.eval(n.Pos(), value); !ok {
		return // for instance a division by a constant zero
	}
	before := s.text(n.Pos(), n.TokPos)
	after := s.text(n.TokPos+token.Pos(len(n.Tok.String())), n.End())
	s.replaceNode(before+op.String()+"="+after, nil)
}
