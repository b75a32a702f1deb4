package mutate

import "go/ast"

var branchRemoval = &Operator{
	Name:     "branch-removal",
	Category: Removal,
	Doc: "Disables one branch of an `if`. Without an `else` the condition becomes false; with one, the condition still " +
		"decides, but the branch does nothing.",
	Before: "func count(ok bool, n *int) {\n\tif ok {\n\t\t*n++\n\t} else {\n\t\t*n--\n\t}\n}\n",
	After:  "func count(ok bool, n *int) {\n\tif ok {\n\t\t*n++\n\t} else { if false {\n\t\t*n--\n\t} }\n}\n",
	mutate: mutateBranchRemoval,
}

func mutateBranchRemoval(s *site) {
	n, ok := s.Node().(*ast.IfStmt)
	if !ok || s.isConstant(n.Cond) {
		return
	}
	if n.Else == nil {
		if len(n.Body.List) > 0 {
			s.at(n.Cond).never()
		}
		return
	}
	if s.tail() {
		return
	}
	s.kill(n.Body)
	if block, ok := n.Else.(*ast.BlockStmt); ok {
		s.kill(block)
	}
}

// kill offers the mutant in which a block directly below the site does nothing. It needs no probe: what runs the block
// infects it.
func (s *site) kill(block *ast.BlockStmt) {
	if s := s.at(block); len(block.List) > 0 && s.predeclared("false") {
		s.emptyBlock()
	}
}
