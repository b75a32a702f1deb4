package mutate

import (
	"cmp"
	"go/token"
	"slices"

	"golang.org/x/tools/go/ast/edge"
)

// leavesOut sets Unread of the last mutant, unless none was added since there were before mutants. The mutant keeps the
// code in [from, to), but never runs it, so that the file compiles. Whoever makes its edit by hand removes that code.
func (s *site) leavesOut(before int, from, to token.Pos) {
	if len(s.mutants) > before {
		s.mutants[len(s.mutants)-1].Unread = s.unread(from, to)
	}
}

// unread returns the names of the function's local variables that are read only in [from, to), by their first read
// there. The compiler rejects such variables if that code is removed. Variables declared in the range, or in the header
// of the site's if or for statement, are left out.
func (s *site) unread(from, to token.Pos) (names []string) {
	declared := from
	switch s.ParentEdgeKind() {
	case edge.IfStmt_Cond, edge.ForStmt_Cond:
		declared = s.Parent().Node().Pos()
	}
	within := s.between(from, to)
	reads := readsOf(within)
	for _, u := range within {
		if n := reads[u.obj]; n > 0 && n == s.reads[u.obj] && isLocal(u.obj) && (u.obj.Pos() < declared || to <= u.obj.Pos()) {
			names = append(names, u.id.Name)
			delete(reads, u.obj)
		}
	}
	return names
}

// between returns the uses in [from, to).
func (p *pass) between(from, to token.Pos) []use {
	at := func(pos token.Pos) int {
		i, _ := slices.BinarySearchFunc(p.uses, pos, func(u use, pos token.Pos) int { return cmp.Compare(u.id.Pos(), pos) })
		return i
	}
	return p.uses[at(from):at(to)]
}
