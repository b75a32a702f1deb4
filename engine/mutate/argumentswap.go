package mutate

import (
	"go/ast"
	"go/constant"
	"go/types"
	"strings"
)

var argumentSwap = &Operator{
	Name:     "argument-swap",
	Category: Value,
	Doc:      "Swaps two neighbouring arguments of one type, but not a format, nor of what makes the text of an error.",
	Before:   "func pow(power func(x, y int) int, a, b int) int {\n\treturn power(a, b)\n}\n",
	After:    "func pow(power func(x, y int) int, a, b int) int {\n\treturn power(b, a)\n}\n",
	mutate:   mutateArgumentSwap,
}

func mutateArgumentSwap(s *site) {
	call, ok := s.Node().(*ast.CallExpr)
	if !ok || s.isBuiltin(call, "min", "max", "append") || s.makesError(call) {
		return
	}
	for i := range len(call.Args) - 1 {
		a, b := call.Args[i], call.Args[i+1]
		if s.isConstant(a) && s.isConstant(b) || s.isFormat(a) || s.isFormat(b) || !types.Identical(s.Info.TypeOf(a), s.Info.TypeOf(b)) {
			continue
		}
		swapped := s.text(call.Pos(), a.Pos()) + s.source(b) + s.text(a.End(), b.Pos()) + s.source(a) + s.text(b.End(), call.End())
		before := len(s.mutants)
		s.replaceExpr(swapped, precedenceOf(call), nil)
		s.alters(before, a.Pos(), b.End())
	}
}

// isFormat reports whether the expression is a constant with verbs, as package fmt
// takes.
func (p *pass) isFormat(e ast.Expr) bool {
	v := p.Info.Types[e].Value
	return v != nil && v.Kind() == constant.String && strings.Contains(constant.StringVal(v), "%")
}
