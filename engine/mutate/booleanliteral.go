package mutate

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
)

var booleanLiteral = &Operator{
	Name:     "boolean-literal",
	Category: Value,
	Doc:      "Replaces `true` by `false` and the other way round, except as the whole of a condition.",
	Before:   "func found() bool {\n\treturn true\n}\n",
	After:    "func found() bool {\n\treturn false\n}\n",
	mutate:   mutateBooleanLiteral,
}

func mutateBooleanLiteral(s *site) {
	n, ok := s.Node().(*ast.Ident)
	if !ok || n.Name != "true" && n.Name != "false" || s.fixedLiteral() || !s.predeclared("true", "false") {
		return
	}
	if s.Info.Uses[n] != types.Universe.Lookup(n.Name) {
		return // the name is shadowed or being declared
	}
	switch s.ParentEdgeKind() {
	case edge.IfStmt_Cond, edge.ForStmt_Cond, edge.SwitchStmt_Tag:
		return
	}
	text := "true"
	if n.Name == "true" {
		text = "false"
	}
	s.replaceExpr(text, token.HighestPrec, nil)
}
