package mutate

import (
	"go/ast"
	"go/token"
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
		s.disable(s.Node().(ast.Stmt))
	}
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
