package mutate

import (
	"go/ast"
	"go/token"
)

var increment = &Operator{
	Name:     "increment",
	Category: Unary,
	Doc:      "Replaces `++` by `--` and the other way round, except in the header of a loop, where the mutant would only hang.",
	Before:   "func next(n *int) {\n\t*n++\n}\n",
	After:    "func next(n *int) {\n\t*n--\n}\n",
	mutate:   mutateIncrement,
}

func mutateIncrement(s *site) {
	n, ok := s.Node().(*ast.IncDecStmt)
	if !ok || !s.inList() {
		return
	}
	op := token.INC
	if n.Tok == token.INC {
		op = token.DEC
	}
	s.replaceNode(s.text(n.Pos(), n.TokPos)+op.String(), nil)
}
