package mutate

import (
	"go/ast"
	"go/token"
	"slices"
)

var loopIterations = &Operator{
	Name:     "loop-iterations",
	Category: Control,
	Doc:      "Leaves a loop before or after its first iteration.",
	Before:   "func total(ns []int) (sum int) {\n\tfor _, n := range ns {\n\t\tsum += n\n\t}\n\treturn sum\n}\n",
	After:    "func total(ns []int) (sum int) {\n\tfor _, n := range ns { break;\n\t\tsum += n\n\t}\n\treturn sum\n}\n",
	mutate:   mutateLoopIterations,
}

func mutateLoopIterations(s *site) {
	first := len(s.mutants)
	switch n := s.Node().(type) {
	case *ast.RangeStmt:
		s.breakFirst(n.Body)
		s.breakLast(n.Body)
		s.altersLoop(first, n, n.Body)
	case *ast.ForStmt:
		// Where there is a condition, another operator makes it false.
		if n.Cond != nil || !s.tail() {
			s.breakLast(n.Body)
			s.altersLoop(first, n, n.Body)
		}
	}
}

// altersLoop sets Beside of mutants[first:], which change how often the loop runs. They are about the change only if
// parts of both the loop's header and its body are new. Otherwise the loop is older, and the change only alters one of
// the two.
func (s *site) altersLoop(first int, loop ast.Stmt, body *ast.BlockStmt) {
	isNew := s.isNew(s.offset(loop.Pos()), s.offset(body.Lbrace)) &&
		slices.ContainsFunc(body.List, func(stmt ast.Stmt) bool { return s.isNew(s.offset(stmt.Pos()), s.offset(stmt.End())) })
	for i := range s.mutants[first:] {
		m := &s.mutants[first+i]
		m.Beside = m.OnDiff && !isNew
	}
}

// breakFirst offers the mutant that leaves the loop before its first iteration.
func (s *site) breakFirst(body *ast.BlockStmt) {
	if len(body.List) > 0 {
		first := body.Lbrace + 1
		s.at(body).add(first, "{break}", "{ break;"+s.text(first, body.End()), nil)
	}
}

// breakLast offers the mutant that leaves the loop after its first iteration.
func (s *site) breakLast(body *ast.BlockStmt) {
	if len(body.List) == 0 {
		return
	}
	last := body.List[len(body.List)-1]
	switch last := last.(type) {
	case *ast.ReturnStmt:
		return
	case *ast.BranchStmt:
		if last.Tok != token.CONTINUE {
			return
		}
	}
	before, after := s.text(body.Lbrace, last.End()), s.text(last.End(), body.End())
	s.at(body).add(last.End(), "{break}", before+"; break"+after, nil)
}
