package mutate

import (
	"cmp"
	"go/token"
	"slices"

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

// between are the uses in [from, to).
func (p *pass) between(from, to token.Pos) []use {
	at := func(pos token.Pos) int {
		i, _ := slices.BinarySearchFunc(p.uses, pos, func(u use, pos token.Pos) int { return cmp.Compare(u.id.Pos(), pos) })
		return i
	}
	return p.uses[at(from):at(to)]
}
