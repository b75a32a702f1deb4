package mutate

import (
	"go/ast"
	"go/token"
)

var compoundAssignment = &Operator{
	Name:     "compound-assignment",
	Category: Arithmetic,
	Doc:      "Replaces `+=` and its like by `=`: the old value is ignored.",
	Before:   "func total(ns []int) (sum int) {\n\tfor _, n := range ns {\n\t\tsum += n\n\t}\n\treturn sum\n}\n",
	After:    "func total(ns []int) (sum int) {\n\tfor _, n := range ns {\n\t\tsum = n\n\t}\n\treturn sum\n}\n",
	mutate:   mutateCompoundAssignment,
}

func mutateCompoundAssignment(s *site) {
	n, ok := s.Node().(*ast.AssignStmt)
	if !ok || assignOps[n.Tok] == token.ILLEGAL || assignOps[n.Tok] == token.SHL || assignOps[n.Tok] == token.SHR {
		return // the count of a shift may have another type
	}
	if v := s.variable(n.Lhs[0]); v != nil && s.Decl.Body.Pos() <= v.Pos() && v.Pos() < s.Decl.Body.End() && s.reads[v] == 0 {
		return // nothing else uses the variable
	}
	s.replaceNode(s.text(n.Pos(), n.TokPos)+"="+s.text(n.TokPos+token.Pos(len(n.Tok.String())), n.End()), nil)
}
