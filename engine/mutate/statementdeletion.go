package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

var statementDeletion = &Operator{
	Name:     "statement-deletion",
	Category: Removal,
	Doc: "Makes a statement do nothing: a call, an assignment to an existing variable, `++`, `--`, a send, " +
		"`go` or `defer` (Deng, Offutt, Li: Empirical Evaluation of the Statement Deletion Mutation Operator, ICST 2013).",
	Before: "func push(s *[]int, v int) {\n\t*s = append(*s, v)\n}\n",
	After:  "func push(s *[]int, v int) {\n\tif false { *s = append(*s, v) }\n}\n",
	mutate: mutateStatementDeletion,
}

func mutateStatementDeletion(s *site) {
	switch n := s.Node().(type) {
	case *ast.ExprStmt, *ast.IncDecStmt, *ast.SendStmt, *ast.GoStmt, *ast.DeferStmt:
	case *ast.AssignStmt:
		if n.Tok == token.DEFINE || discards(n) {
			return
		}
	default:
		return
	}
	if s.inList() && !s.tail() && s.predeclared("false") {
		s.disable(s.unassigned(), s.Node().(ast.Stmt))
	}
}

// unassigned returns a probe for the mutant without the site's assignment of one value, which infects if the variable
// then has another value. It returns nil if the site is something else, or if evaluating the value may have an effect or
// panic.
func (s *site) unassigned() *Probe {
	n, ok := s.Node().(*ast.AssignStmt)
	if !ok || n.Tok != token.ASSIGN || len(n.Lhs) != 1 || len(n.Rhs) != 1 || s.variable(n.Lhs[0]) == nil || !s.effectless(n.Rhs[0]) {
		return nil
	}
	value := s.at(n.Rhs[0])
	if s.isConstant(n.Rhs[0]) && !s.isInexact(n.Lhs[0]) && types.Identical(s.Info.TypeOf(n.Lhs[0]), s.Info.TypeOf(n.Rhs[0])) {
		return value.comparing(s.source(n.Lhs[0])) // the variable beside it gives the constant its type
	}
	return value.differs(s.source(n.Lhs[0]))
}

// effectless reports whether e is total, but for calls of functions that have no effect and do not panic either.
func (s *site) effectless(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok || !s.callsWithoutEffect(call) {
		return s.total(e)
	}
	return !slices.ContainsFunc(call.Args, func(arg ast.Expr) bool { return !s.effectless(arg) })
}

// discards reports whether an assignment only assigns identifiers to blanks, as
// "_ = x" does.
func discards(n *ast.AssignStmt) bool {
	for i, lhs := range n.Lhs {
		if id, ok := lhs.(*ast.Ident); !ok || id.Name != "_" {
			return false
		}
		if _, ok := n.Rhs[min(i, len(n.Rhs)-1)].(*ast.Ident); !ok {
			return false
		}
	}
	return true
}
