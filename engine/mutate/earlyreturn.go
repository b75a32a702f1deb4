package mutate

import "go/ast"

var earlyReturn = &Operator{
	Name:     "early-return",
	Category: Removal,
	Doc:      "Disables a guard: an `if` without `else` whose body ends by returning.",
	Before:   "func half(n int) int {\n\tif n == 1 {\n\t\treturn 1\n\t}\n\treturn n / 2\n}\n",
	After:    "func half(n int) int {\n\tif n == 1 && false {\n\t\treturn 1\n\t}\n\treturn n / 2\n}\n",
	mutate:   mutateEarlyReturn,
}

func mutateEarlyReturn(s *site) {
	n, ok := s.Node().(*ast.IfStmt)
	if !ok || n.Else != nil || len(n.Body.List) == 0 || s.isConstant(n.Cond) {
		return
	}
	if _, ok := n.Body.List[len(n.Body.List)-1].(*ast.ReturnStmt); ok {
		s.at(n.Cond).never()
	}
}
