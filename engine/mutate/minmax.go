package mutate

import "go/ast"

var minMax = &Operator{
	Name:     "min-max",
	Category: Value,
	Doc:      "Replaces the predeclared `min` by `max` and the other way round.",
	Before:   "func clip(n, limit int) int {\n\treturn min(n, limit)\n}\n",
	After:    "func clip(n, limit int) int {\n\treturn max(n, limit)\n}\n",
	mutate:   mutateMinMax,
}

func mutateMinMax(s *site) {
	call, ok := s.Node().(*ast.CallExpr)
	if !ok || len(call.Args) < 2 || s.isConstant(call) {
		return
	}
	name := ""
	switch {
	case s.isBuiltin(call, "min"):
		name = "max"
	case s.isBuiltin(call, "max"):
		name = "min"
	}
	if name == "" || !s.predeclared(name) {
		return
	}
	text := name + s.text(call.Fun.End(), call.End())
	var probe *Probe
	if s.allPure(call.Args) {
		probe = s.differs(text)
	}
	s.replaceExpr(text, precedenceOf(call), probe)
}

// allPure reports whether every expression is pure.
func (p *pass) allPure(list []ast.Expr) bool {
	for _, e := range list {
		if !p.pure(e) {
			return false
		}
	}
	return true
}
