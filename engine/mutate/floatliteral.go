package mutate

import (
	"go/ast"
	"go/constant"
	"go/token"
)

var floatLiteral = &Operator{
	Name:     "float-literal",
	Category: Value,
	Doc:      "Replaces a floating-point literal by 0, and 0 by 1.",
	Before:   "func tax(net float64) float64 {\n\treturn net * 0.19\n}\n",
	After:    "func tax(net float64) float64 {\n\treturn net * 0.0\n}\n",
	mutate:   mutateFloatLiteral,
}

func mutateFloatLiteral(s *site) {
	n, ok := s.Node().(*ast.BasicLit)
	if !ok || n.Kind != token.FLOAT || s.fixedLiteral() {
		return
	}
	text := "0.0"
	if constant.Sign(constant.MakeFromLiteral(n.Value, n.Kind, 0)) == 0 {
		text = "1.0"
	}
	s.replaceExpr(text, token.HighestPrec, nil)
}
