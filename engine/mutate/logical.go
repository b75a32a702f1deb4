package mutate

import (
	"go/ast"
	"go/token"
)

var logical = &Operator{
	Name:     "logical",
	Category: Connector,
	Doc:      "Replaces `&&` by `||` and the other way round.",
	Before:   "func both(a, b bool) bool {\n\treturn a && b\n}\n",
	After:    "func both(a, b bool) bool {\n\treturn a || b\n}\n",
	mutate:   mutateLogical,
}

func mutateLogical(s *site) {
	n, ok := s.Node().(*ast.BinaryExpr)
	if !ok || s.isConstant(n) {
		return
	}
	switch n.Op {
	case token.LAND:
		s.replaceExpr(s.binary(n, token.LOR), token.LOR.Precedence(), s.connectorProbe(n, WhenFalse))
	case token.LOR:
		s.replaceExpr(s.binary(n, token.LAND), token.LAND.Precedence(), s.connectorProbe(n, WhenTrue))
	}
}

// connectorProbe returns a probe for the mutant that replaces the connector of n;
// nil if there is none. Where both connectors yield the same value, only one of
// them evaluates the right operand, so that operand must have no effect.
func (s *site) connectorProbe(n *ast.BinaryExpr, kind ProbeKind) *Probe {
	if !s.total(n.Y) {
		return nil
	}
	return s.watch(kind)
}
