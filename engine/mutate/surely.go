package mutate

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// neverFail lists functions of the standard library whose error is always nil, as documented. They return one only to
// implement an interface.
var neverFail = map[string]bool{
	"(*bytes.Buffer).Write": true, "(*bytes.Buffer).WriteByte": true, "(*bytes.Buffer).WriteRune": true, "(*bytes.Buffer).WriteString": true,
	"(*strings.Builder).Write": true, "(*strings.Builder).WriteByte": true, "(*strings.Builder).WriteRune": true, "(*strings.Builder).WriteString": true,
	"(*math/rand.Rand).Read": true, "math/rand.Read": true,
}

// cannotFail reports whether the node at c is the condition or body of an if statement that is entered only if a call
// fails that never does.
func (p *pass) cannotFail(c inspector.Cursor) bool {
	if kind := c.ParentEdgeKind(); kind != edge.IfStmt_Cond && kind != edge.IfStmt_Body {
		return false
	}
	s := c.Parent().Node().(*ast.IfStmt)
	init := s.Init
	if before, ok := c.Parent().PrevSibling(); init == nil && ok {
		init, _ = before.Node().(ast.Stmt)
	}
	assign, ok := init.(*ast.AssignStmt)
	if !ok || len(assign.Rhs) != 1 || s.Else != nil {
		return false
	}
	call, ok := ast.Unparen(assign.Rhs[0]).(*ast.CallExpr)
	if !ok {
		return false
	}
	id, ok := assign.Lhs[len(assign.Lhs)-1].(*ast.Ident)
	if fn := p.callee(call); !ok || fn == nil || !neverFail[fn.FullName()] {
		return false
	}
	v, ok := p.Info.ObjectOf(id).(*types.Var)
	return ok && p.compares(s.Cond, v, token.NEQ, token.LAND)
}

// chains reports whether s ends a method by returning its receiver, so that calls can be chained. A broken chain shows
// at once, and no test is written for that result.
func (p *pass) chains(s *ast.ReturnStmt) bool {
	body := p.Decl.Body.List
	if len(body) < 2 || body[len(body)-1] != s || len(s.Results) != 1 || p.Decl.Recv == nil || len(p.Decl.Recv.List[0].Names) == 0 {
		return false
	}
	id, ok := ast.Unparen(s.Results[0]).(*ast.Ident)
	return ok && p.Info.Uses[id] != nil && p.Info.Uses[id] == p.Info.Defs[p.Decl.Recv.List[0].Names[0]]
}
