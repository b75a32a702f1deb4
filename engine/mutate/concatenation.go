package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
)

var concatenation = &Operator{
	Name:     "concatenation",
	Category: Arithmetic,
	Doc:      "Replaces one operand of a concatenation of strings by the empty string.",
	Before:   "func full(dir, name string) string {\n\treturn dir + name\n}\n",
	After:    "func full(dir, name string) string {\n\treturn dir + \"\"\n}\n",
	mutate:   mutateConcatenation,
}

func mutateConcatenation(s *site) {
	n, ok := s.Node().(*ast.BinaryExpr)
	if !ok || n.Op != token.ADD || s.isConstant(n) || s.basicInfo(n)&types.IsString == 0 {
		return
	}
	if _, chain := n.X.(*ast.BinaryExpr); !chain { // the operands of a chain are replaced one by one
		s.at(n.X).empty()
	}
	s.at(n.Y).empty()
}

// empty offers the mutant that has "" in place of the site's string expression.
func (s *site) empty() {
	if !s.droppable(s.expr()) || s.source(s.Node()) == `""` {
		return
	}
	var probe *Probe
	if s.total(s.expr()) {
		probe = s.differs(`""`)
	}
	s.replaceExpr(`""`, token.HighestPrec, probe)
}
