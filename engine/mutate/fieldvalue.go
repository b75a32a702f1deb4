package mutate

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
)

var fieldValue = &Operator{
	Name:     "field-value",
	Category: Value,
	Doc:      "Leaves a field of a composite literal at its zero value.",
	Before:   "func point(x, y int) struct{ X, Y int } {\n\treturn struct{ X, Y int }{X: x, Y: y}\n}\n",
	After:    "func point(x, y int) struct{ X, Y int } {\n\treturn struct{ X, Y int }{X: 0, Y: y}\n}\n",
	mutate:   mutateFieldValue,
}

func mutateFieldValue(s *site) {
	e, ok := s.Node().(ast.Expr)
	if !ok || s.ParentEdgeKind() != edge.KeyValueExpr_Value || !s.droppable(e) {
		return
	}
	key, ok := s.Parent().Node().(*ast.KeyValueExpr).Key.(*ast.Ident)
	if !ok {
		return
	}
	field, ok := s.Info.Uses[key].(*types.Var)
	if !ok || !field.IsField() {
		return
	}
	if zero, ok := s.zero(field.Type()); ok && !s.isZero(e, zero) {
		s.replaceExpr(zero, token.HighestPrec, nil)
	}
}
