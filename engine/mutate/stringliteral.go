package mutate

import (
	"go/ast"
	"go/constant"
	"go/token"

	"golang.org/x/tools/go/ast/edge"
)

var stringLiteral = &Operator{
	Name:     "string-literal",
	Category: Value,
	Doc:      "Replaces a string literal by the empty string, and the empty string by another one, where it is assigned, returned or passed on.",
	Before:   "func greet(say func(string)) {\n\tsay(\"hello\")\n}\n",
	After:    "func greet(say func(string)) {\n\tsay(\"\")\n}\n",
	mutate:   mutateStringLiteral,
}

func mutateStringLiteral(s *site) {
	n, ok := s.Node().(*ast.BasicLit)
	if !ok || n.Kind != token.STRING {
		return
	}
	switch s.ParentEdgeKind() {
	case edge.ReturnStmt_Results, edge.AssignStmt_Rhs, edge.ValueSpec_Values, edge.CallExpr_Args:
	default:
		return
	}
	text := `""`
	if constant.StringVal(constant.MakeFromLiteral(n.Value, n.Kind, 0)) == "" {
		text = `"mutant"`
	}
	s.replaceExpr(text, token.HighestPrec, nil)
}
