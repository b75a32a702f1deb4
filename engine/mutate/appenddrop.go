package mutate

import (
	"go/ast"
	"go/token"
)

var appendDrop = &Operator{
	Name:     "append-drop",
	Category: Removal,
	Doc:      "Drops the elements that `append` adds. Its arguments are still evaluated.",
	Before:   "func push(s []int, v int) []int {\n\treturn append(s, v)\n}\n",
	After:    "func push(s []int, v int) []int {\n\treturn append(s, v)[:len(s)]\n}\n",
	mutate:   mutateAppendDrop,
}

func mutateAppendDrop(s *site) {
	call, ok := s.Node().(*ast.CallExpr)
	if !ok || len(call.Args) < 2 || !s.isBuiltin(call, "append") || !s.predeclared("len") {
		return
	}
	if slice := call.Args[0]; s.pure(slice) {
		s.replaceExpr(s.source(call)+"[:len("+oneLine(s.source(slice))+")]", token.HighestPrec, nil)
	}
}
