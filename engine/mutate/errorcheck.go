package mutate

import (
	"go/ast"
	"go/token"
)

var errorCheck = &Operator{
	Name:     "error-check",
	Category: Removal,
	Doc:      "Disables an `if err != nil` without `else`: the error is ignored, and the function continues.",
	Before:   "func run(f func() error) error {\n\tif err := f(); err != nil {\n\t\treturn err\n\t}\n\treturn f()\n}\n",
	After:    "func run(f func() error) error {\n\tif err := f(); err != nil && false {\n\t\treturn err\n\t}\n\treturn f()\n}\n",
	mutate:   mutateErrorCheck,
}

func mutateErrorCheck(s *site) {
	n, ok := s.Node().(*ast.IfStmt)
	if !ok || n.Else != nil || s.isConstant(n.Cond) {
		return
	}
	cond, ok := ast.Unparen(n.Cond).(*ast.BinaryExpr)
	if ok && cond.Op == token.NEQ && s.comparesError(cond) {
		s.at(n.Cond).never()
	}
}
