package mutate

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
)

var returnValue = &Operator{
	Name:     "return-value",
	Category: Value,
	Doc: "Returns the zero value of its type in place of one result; for integers, also the value plus one. " +
		"Boolean results are left to the condition operator, errors to error-return.",
	Before: "func double(n int) int {\n\treturn 2 * n\n}\n",
	After:  "func double(n int) int {\n\tif true { return 0 }; return 2 * n\n}\n",
	mutate: mutateReturnValue,
}

func mutateReturnValue(s *site) {
	n, ok := s.Node().(*ast.ReturnStmt)
	if !ok || !s.inList() || s.results().Len() != len(n.Results) {
		return
	}
	for i, result := range n.Results {
		t := s.results().At(i).Type()
		if s.basicInfo(result)&types.IsBoolean != 0 || isError(t) || s.besideError(s.Cursor, n, i) {
			continue
		}
		if zero, ok := s.zero(t); ok {
			s.returnInstead(n, i, zero)
		}
		if s.basicInfo(result)&types.IsInteger != 0 && !s.isConstant(result) {
			s.returnMore(n, i)
		}
	}
}

// returnInstead offers the mutant that returns a zero value as the i-th result.
// Unless the result is a constant, the original statement stays after it. It
// never runs there, but keeps variables and imports used.
func (s *site) returnInstead(n *ast.ReturnStmt, i int, zero string) {
	result := n.Results[i]
	if s.isZero(result, zero) || !s.predeclared("true") || zero == "nil" && !s.predeclared("nil") {
		return
	}
	if s.isConstant(result) && s.droppable(result) && zero != "nil" { // nil cannot replace a constant of an error type
		s.at(result).replaceExpr(zero, token.HighestPrec, nil)
		return
	}
	var probe *Probe
	if s.total(result) {
		probe = s.at(result).differs(zero)
	}
	instead := "{ " + oneLine(s.text(n.Pos(), result.Pos())+zero+s.text(result.End(), n.End())) + " }"
	before := len(s.mutants)
	s.add(n.Pos(), instead, "if true "+instead+"; "+s.source(n), probe)
	s.alters(before, result.Pos(), result.End())
	s.leavesOut(before, result.Pos(), result.End())
}

// returnMore offers the mutant that returns the integer plus one.
func (s *site) returnMore(n *ast.ReturnStmt, i int) {
	result := s.at(n.Results[i])
	prec := token.ADD.Precedence()
	result.replaceExpr(s.operand(result.expr(), prec)+" + 1", prec, nil) // no probe: the value always differs
}

// isZero reports whether e is a zero constant, nil, a variable that is never set, a package variable with a name such
// as ZeroTime, a composite literal of a struct, array or slice without elements, or written like zero. An empty slice
// counts, because code hardly ever means it to differ from nil.
func (p *pass) isZero(e ast.Expr, zero string) bool {
	if v := p.Info.Types[e].Value; v != nil {
		return isZeroConstant(v)
	}
	if lit, ok := ast.Unparen(e).(*ast.CompositeLit); ok {
		switch p.Info.TypeOf(lit).Underlying().(type) {
		case *types.Struct, *types.Array, *types.Slice:
			return len(lit.Elts) == 0
		}
		return false
	}
	return p.isNil(e) || p.isEmptyVariable(e) || p.isNeverSet(e) || normalise(p.source(e)) == normalise(zero)
}

// emptyName matches names of package variables that hold the zero value of their type.
var emptyName = regexp.MustCompile(`^(Nil|Zero|Empty|nil|zero|empty)([A-Z_0-9]|$)`)

// isEmptyVariable reports whether e is a package variable whose name matches emptyName. Values of other packages'
// variables are unknown, and callers rely on the name.
func (p *pass) isEmptyVariable(e ast.Expr) bool {
	var id *ast.Ident
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		id = e
	case *ast.SelectorExpr:
		id = e.Sel
	default:
		return false
	}
	v, ok := p.Info.Uses[id].(*types.Var)
	return ok && v.Pkg() != nil && v.Parent() == v.Pkg().Scope() && emptyName.MatchString(v.Name())
}

// isZeroConstant reports whether v is the zero value of every type that can
// hold it, including type parameters.
func isZeroConstant(v constant.Value) bool {
	switch v.Kind() {
	case constant.Bool:
		return !constant.BoolVal(v)
	case constant.String:
		return constant.StringVal(v) == ""
	}
	return constant.Sign(v) == 0
}
