package mutate

import (
	"go/ast"
	"go/token"
)

var caseRemoval = &Operator{
	Name:     "case-removal",
	Category: Removal,
	Doc:      "Makes the body of a `case` or `default` do nothing, in `switch`, type switch and `select`.",
	Before:   "func name(n int) (s string) {\n\tswitch n {\n\tcase 1:\n\t\ts = \"one\"\n\t}\n\treturn s\n}\n",
	After:    "func name(n int) (s string) {\n\tswitch n {\n\tcase 1:\n\t\tif false { s = \"one\" }\n\t}\n\treturn s\n}\n",
	mutate:   mutateCaseRemoval,
}

func mutateCaseRemoval(s *site) {
	var body []ast.Stmt
	var head string
	switch n := s.Node().(type) {
	case *ast.CaseClause:
		body, head = n.Body, s.text(n.Case, n.Colon)
	case *ast.CommClause:
		body, head = n.Body, s.text(n.Case, n.Colon)
	}
	if len(body) > 0 && falls(body[len(body)-1]) {
		body = body[:len(body)-1] // fallthrough has to stay last in its clause
	}
	if len(body) == 0 || !s.predeclared("false") || s.at(body[len(body)-1]).tail() {
		return
	}
	before := len(s.mutants)
	if s.arid == "" {
		s.arid = s.aridList(body)
	}
	s.disable(nil, body...)
	for i := before; i < len(s.mutants); i++ {
		s.mutants[i].Case = head
	}
}

// falls reports whether the statement is a fallthrough.
func falls(stmt ast.Stmt) bool {
	b, ok := stmt.(*ast.BranchStmt)
	return ok && b.Tok == token.FALLTHROUGH
}
