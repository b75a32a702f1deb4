package mutate

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

var loopControl = &Operator{
	Name:     "loop-control",
	Category: Control,
	Doc:      "Replaces `break` by `continue` and the other way round.",
	Before:   "func until(ns []int, stop int) (sum int) {\n\tfor _, n := range ns {\n\t\tif n == stop {\n\t\t\tbreak\n\t\t}\n\t\tsum += n\n\t}\n\treturn sum\n}\n",
	After:    "func until(ns []int, stop int) (sum int) {\n\tfor _, n := range ns {\n\t\tif n == stop {\n\t\t\tcontinue\n\t\t}\n\t\tsum += n\n\t}\n\treturn sum\n}\n",
	mutate:   mutateLoopControl,
}

func mutateLoopControl(s *site) {
	n, ok := s.Node().(*ast.BranchStmt)
	if !ok {
		return
	}
	switch n.Tok {
	case token.BREAK:
		if target, ok := s.branchTarget(n, token.BREAK); ok && isLoop(target.Node()) {
			s.replaceNode("continue"+s.text(n.Pos()+token.Pos(len("break")), n.End()), nil)
		}
	case token.CONTINUE:
		// This break may be the first way out of a loop that has to be
		// endless for the function to compile.
		if target, ok := s.branchTarget(n, token.BREAK); ok && !endsIteration(target) && !(&site{target, s.pass}).tail() {
			s.replaceNode("break"+s.text(n.Pos()+token.Pos(len("continue")), n.End()), nil)
		}
	}
}

// endsIteration reports whether a switch or select is the last statement of the loop around it. Leaving it then has the
// effect of continue.
func endsIteration(c inspector.Cursor) bool {
	for ; !isLoop(c.Node()); c = c.Parent() {
		switch c.ParentEdgeKind() {
		case edge.BlockStmt_List:
			if !lastStmt(c.Parent().Node(), c.Node()) {
				return false
			}
		case edge.IfStmt_Body, edge.IfStmt_Else, edge.LabeledStmt_Stmt:
		case edge.ForStmt_Body, edge.RangeStmt_Body:
			return true
		default:
			return false
		}
	}
	return false
}

// branchTarget returns the statement to which a break or continue at the site
// would refer, with n's label if it has one.
func (s *site) branchTarget(n *ast.BranchStmt, tok token.Token) (inspector.Cursor, bool) {
	for c := range s.Enclosing() {
		if _, ok := c.Node().(*ast.FuncLit); ok {
			break
		}
		if n.Label != nil {
			label, ok := c.Parent().Node().(*ast.LabeledStmt)
			if ok && label.Label.Name == n.Label.Name {
				return c, true
			}
			continue
		}
		if isLoop(c.Node()) || tok == token.BREAK && isSwitch(c.Node()) {
			return c, true
		}
	}
	return s.Cursor, false
}

func isLoop(n ast.Node) bool {
	switch n.(type) {
	case *ast.ForStmt, *ast.RangeStmt:
		return true
	}
	return false
}

func isSwitch(n ast.Node) bool {
	switch n.(type) {
	case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
		return true
	}
	return false
}
