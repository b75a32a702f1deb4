package mutate

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
)

var condition = &Operator{
	Name:     "condition",
	Category: Connector,
	Doc: "Makes a condition always true or always false: that of an `if`, `for` or `case`, a boolean result, or one operand of `&&` (true) " +
		"or `||` (false). The condition is still evaluated, so its calls are made. Comparisons that the relational operator covers " +
		"are left to it, and no loop is made endless.",
	Before: "func first(ok bool) int {\n\tif ok {\n\t\treturn 1\n\t}\n\treturn 2\n}\n",
	After:  "func first(ok bool) int {\n\tif ok || true {\n\t\treturn 1\n\t}\n\treturn 2\n}\n",
	mutate: mutateCondition,
}

func mutateCondition(s *site) {
	use := s.conditionUse()
	if !use.is || s.isConstant(s.expr()) {
		return
	}
	if n, ok := ast.Unparen(s.expr()).(*ast.BinaryExpr); ok {
		switch {
		case n.Op == token.LAND:
			use.always = false // making a single operand true tells more
		case n.Op == token.LOR:
			use.never = false
		case s.sufficientSet(n):
			return
		case s.comparesError(n) && s.ParentEdgeKind() != edge.ReturnStmt_Results:
			// An error path taken without an error says nothing, and an ignored error is left to the error-check operator.
			use.always, use.never = false, use.never && n.Op == token.NEQ
		}
	}
	if use.always {
		s.always()
	}
	if use.never {
		s.never()
	}
}

// conditionUse says whether an expression is a condition, and which constants
// are worth putting in its place.
type conditionUse struct{ is, always, never bool }

func (s *site) conditionUse() conditionUse {
	e, ok := s.Node().(ast.Expr)
	if !ok || s.basicInfo(e)&types.IsBoolean == 0 {
		return conditionUse{}
	}
	switch s.ParentEdgeKind() {
	case edge.IfStmt_Cond, edge.ReturnStmt_Results:
		return conditionUse{is: true, always: true, never: true}
	case edge.CaseClause_List:
		_, tagged := s.caseTag()
		return conditionUse{is: !tagged, always: true, never: true}
	case edge.ForStmt_Cond:
		return conditionUse{is: true, never: true}
	case edge.BinaryExpr_X, edge.BinaryExpr_Y:
		switch s.Parent().Node().(*ast.BinaryExpr).Op {
		case token.LAND:
			return conditionUse{is: true, always: true}
		case token.LOR:
			return conditionUse{is: true, never: true}
		}
	}
	return conditionUse{}
}

// caseTag returns the tag of the switch that the site's case belongs to. A type
// switch counts as tagged.
func (s *site) caseTag() (tag ast.Expr, tagged bool) {
	for c := range s.Enclosing((*ast.SwitchStmt)(nil), (*ast.TypeSwitchStmt)(nil)) {
		if sw, ok := c.Node().(*ast.SwitchStmt); ok {
			return sw.Tag, sw.Tag != nil
		}
		break
	}
	return nil, true
}

// comparesError reports whether n compares an error with nil.
func (p *pass) comparesError(n *ast.BinaryExpr) bool {
	return p.isNil(n.Y) && isError(p.Info.TypeOf(n.X))
}

// isError reports whether t is the predeclared type error.
func isError(t types.Type) bool {
	return t != nil && types.Identical(t, types.Universe.Lookup("error").Type())
}
