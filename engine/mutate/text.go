package mutate

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/ast/edge"
)

// text returns the source between two positions, including comments.
func (p *pass) text(from, to token.Pos) string {
	return string(p.Source[p.offset(from):p.offset(to)])
}

// source returns the source of a node.
func (p *pass) source(n ast.Node) string { return p.text(n.Pos(), n.End()) }

// offset returns the byte offset of a position. It ignores //line directives.
func (p *pass) offset(pos token.Pos) int { return p.Fset.PositionFor(pos, false).Offset }

// binary returns the source of n with op in place of its operator. Comments and layout between the operands stay.
func (p *pass) binary(n *ast.BinaryExpr, op token.Token) string {
	before := p.text(n.X.End(), n.OpPos)
	after := p.text(n.OpPos+token.Pos(len(n.Op.String())), n.Y.Pos())
	prec := op.Precedence()
	return p.operand(n.X, prec) + before + op.String() + after + p.operand(n.Y, prec+1)
}

// operand returns the source of e, in parentheses if e binds less tightly than
// the given precedence.
func (p *pass) operand(e ast.Expr, precedence int) string {
	if precedenceOf(e) < precedence {
		return "(" + p.source(e) + ")"
	}
	return p.source(e)
}

// precedenceOf returns the precedence of an expression's outermost operator.
func precedenceOf(e ast.Expr) int {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return e.Op.Precedence()
	case *ast.UnaryExpr, *ast.StarExpr:
		return token.UnaryPrec
	}
	return token.HighestPrec
}

// needsParens reports whether an expression of the given precedence needs
// parentheses at the site.
func (s *site) needsParens(precedence int) bool {
	switch s.ParentEdgeKind() {
	case edge.BinaryExpr_X:
		return precedence < s.Parent().Node().(*ast.BinaryExpr).Op.Precedence()
	case edge.BinaryExpr_Y:
		return precedence <= s.Parent().Node().(*ast.BinaryExpr).Op.Precedence()
	case edge.UnaryExpr_X, edge.StarExpr_X:
		return precedence < token.UnaryPrec
	case edge.CallExpr_Fun, edge.SelectorExpr_X, edge.IndexExpr_X, edge.SliceExpr_X, edge.TypeAssertExpr_X:
		return precedence < token.HighestPrec
	}
	return false
}

// inHeader reports whether the site is in the header of a statement and not inside brackets there. At such a place, a
// brace after a type name would begin the statement's block.
func (s *site) inHeader() bool {
	for c := s.Cursor; ; c = c.Parent() {
		switch c.ParentEdgeKind() {
		case edge.IfStmt_Init, edge.IfStmt_Cond, edge.ForStmt_Init, edge.ForStmt_Cond, edge.ForStmt_Post, edge.RangeStmt_Key, edge.RangeStmt_Value,
			edge.RangeStmt_X, edge.SwitchStmt_Init, edge.SwitchStmt_Tag, edge.TypeSwitchStmt_Init, edge.TypeSwitchStmt_Assign:
			return true
		case edge.ParenExpr_X, edge.CallExpr_Args, edge.IndexExpr_Index, edge.SliceExpr_Low, edge.SliceExpr_High, edge.SliceExpr_Max, edge.CompositeLit_Elts,
			edge.BlockStmt_List, edge.CaseClause_List, edge.CaseClause_Body, edge.CommClause_Comm, edge.CommClause_Body, edge.Invalid:
			return false
		}
	}
}

// hasOpenBrace reports whether an expression has, not inside brackets, a composite literal that begins with a type
// name.
func hasOpenBrace(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.CompositeLit:
		switch e.Type.(type) {
		case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.IndexListExpr:
			return true
		}
	case *ast.UnaryExpr:
		return hasOpenBrace(e.X)
	case *ast.StarExpr:
		return hasOpenBrace(e.X)
	case *ast.BinaryExpr:
		return hasOpenBrace(e.X) || hasOpenBrace(e.Y)
	case *ast.SelectorExpr:
		return hasOpenBrace(e.X)
	case *ast.IndexExpr:
		return hasOpenBrace(e.X)
	case *ast.IndexListExpr:
		return hasOpenBrace(e.X)
	case *ast.SliceExpr:
		return hasOpenBrace(e.X)
	case *ast.TypeAssertExpr:
		return hasOpenBrace(e.X)
	case *ast.CallExpr:
		return hasOpenBrace(e.Fun)
	}
	return false
}

// tail reports whether the end of the site's statement is the end of a function
// with results. Go demands a terminating statement there, so a mutant must not
// take it away.
func (s *site) tail() bool {
	for c := s.Cursor; ; c = c.Parent() {
		switch c.ParentEdgeKind() {
		case edge.BlockStmt_List, edge.CaseClause_Body, edge.CommClause_Body:
			if !lastStmt(c.Parent().Node(), c.Node()) {
				return false
			}
			if c.ParentEdgeKind() != edge.BlockStmt_List {
				c = c.Parent() // the end of any clause is the end of the switch
			}
		case edge.IfStmt_Body, edge.IfStmt_Else, edge.LabeledStmt_Stmt,
			edge.SwitchStmt_Body, edge.TypeSwitchStmt_Body, edge.SelectStmt_Body:
		case edge.FuncDecl_Body:
			return c.Parent().Node().(*ast.FuncDecl).Type.Results != nil
		case edge.FuncLit_Body:
			return c.Parent().Node().(*ast.FuncLit).Type.Results != nil
		default:
			return false
		}
	}
}

// lastStmt reports whether n is the last statement of a block or clause.
func lastStmt(list, n ast.Node) bool {
	var stmts []ast.Stmt
	switch list := list.(type) {
	case *ast.BlockStmt:
		stmts = list.List
	case *ast.CaseClause:
		stmts = list.Body
	case *ast.CommClause:
		stmts = list.Body
	}
	return len(stmts) > 0 && stmts[len(stmts)-1] == n
}
