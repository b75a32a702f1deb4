package mutate

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/ast/edge"
)

// leavesOut notes that the last mutant, if one was offered since there were so many, takes what is read in [from, to) away from
// whoever makes its edit by hand: the mutant itself keeps that code where it never runs, so that the file compiles.
func (s *site) leavesOut(before int, from, to token.Pos) {
	if len(s.mutants) > before {
		s.mutants[len(s.mutants)-1].Unread = s.unread(from, to)
	}
}

// unread are the names of the function's local variables that nothing reads but the code in [from, to), in the order of their first
// reading, but for those declared there, or by the statement of the site that has them for itself. The compiler wants each of them
// used.
func (s *site) unread(from, to token.Pos) (names []string) {
	declared := from
	switch s.ParentEdgeKind() {
	case edge.IfStmt_Cond, edge.ForStmt_Cond:
		declared = s.Parent().Node().Pos()
	}
	within := countUses(s.Function, from, to)
	ast.Inspect(s.Decl, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		obj := s.Info.Uses[id]
		if n := within[obj]; n > 0 && n == s.uses[obj] && isLocal(obj) && (obj.Pos() < declared || to <= obj.Pos()) {
			names = append(names, id.Name)
			delete(within, obj)
		}
		return true
	})
	return names
}
