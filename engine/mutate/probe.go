package mutate

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
)

// watch returns a probe for mutants that infect if the site's condition yields
// true (WhenTrue) or false (WhenFalse); nil if it cannot be watched.
func (s *site) watch(kind ProbeKind) *Probe {
	if !s.watchable() {
		return nil
	}
	return &Probe{Kind: kind, Offset: s.offset(s.Node().Pos()), EndOffset: s.offset(s.Node().End())}
}

// differs returns a probe for mutants that infect if the site's expression and
// the mutated one have different values; nil if it cannot be watched. The caller
// guarantees that evaluating mutated after the original has no effect and cannot
// panic. Floating-point values are not compared: 0 equals -0, but a program can
// tell them apart.
func (s *site) differs(mutated string) *Probe {
	if !s.watchable() || !s.standsAlone(mutated) || s.isInexact(s.expr()) {
		return nil
	}
	return s.comparing(mutated)
}

// comparing returns the probe of differs, without its checks.
func (s *site) comparing(mutated string) *Probe {
	return &Probe{Kind: Differs, Offset: s.offset(s.Node().Pos()), EndOffset: s.offset(s.Node().End()), Mutated: oneLine(mutated)}
}

// isInexact reports whether e is a floating-point or complex number.
func (p *pass) isInexact(e ast.Expr) bool { return p.basicInfo(e)&(types.IsFloat|types.IsComplex) != 0 }

// watchable reports whether the site's expression can become the argument of
// a function that returns it: its type is basic and stays the same there, it is
// no constant, and the call does not change what other calls in the statement see.
func (s *site) watchable() bool {
	e := s.expr()
	return !s.isConstant(e) && s.basicInfo(e) != 0 && s.standsAlone(s.source(e)) && s.sequenced()
}

// standsAlone reports whether an expression has the type of the site's
// expression without its context, which can give untyped values their type.
// Constants take the type of the original, which stands beside them.
func (s *site) standsAlone(text string) bool {
	want := types.Default(s.Info.TypeOf(s.expr()))
	got, ok := s.eval(s.Node().Pos(), text)
	if !ok {
		return false
	}
	if got.Value != nil {
		return assignable(got, want)
	}
	return types.Identical(types.Default(got.Type), want)
}

// sequenced reports whether a call around the site's expression does not change
// when it is evaluated. Go orders calls, but not reads of variables relative to
// calls: in f(a < b, g()), a call in place of a < b could read a earlier, before
// g changes it.
func (s *site) sequenced() bool {
	for c := s.Cursor; ; c = c.Parent() {
		parent := c.Parent()
		if b, ok := parent.Node().(*ast.BinaryExpr); ok && (b.Op == token.LAND || b.Op == token.LOR) {
			continue // the left operand is evaluated before the right one
		}
		switch c.ParentEdgeKind() {
		case edge.BlockStmt_List, edge.CaseClause_Body, edge.CommClause_Body, edge.FuncDecl_Body, edge.FuncLit_Body,
			edge.IfStmt_Cond, edge.ForStmt_Cond, edge.CaseClause_List, edge.SwitchStmt_Tag, edge.RangeStmt_X,
			edge.IfStmt_Init, edge.ForStmt_Init, edge.ForStmt_Post, edge.SwitchStmt_Init:
			return true
		}
		for sibling := range parent.Children() {
			if sibling != c && s.hasEffect(sibling) {
				return false
			}
		}
	}
}

// hasEffect reports whether evaluating the node may run other code.
func (p *pass) hasEffect(c inspector.Cursor) bool {
	for d := range c.Preorder((*ast.CallExpr)(nil), (*ast.UnaryExpr)(nil)) {
		if u, ok := d.Node().(*ast.UnaryExpr); ok && u.Op != token.ARROW {
			continue
		}
		if !p.pure(d.Node().(ast.Expr)) {
			return true
		}
	}
	return false
}

// pure reports whether evaluating the expression has no effect and runs no
// other code. Evaluated twice in a row, it yields the same value twice, or
// panics the first time.
func (p *pass) pure(e ast.Expr) bool { return p.benign(e, false) }

// total reports whether the expression is pure and cannot panic either.
func (p *pass) total(e ast.Expr) bool { return p.benign(e, true) }

// benign implements pure and, if total is set, total.
func (p *pass) benign(e ast.Expr, total bool) bool {
	switch e := e.(type) {
	case *ast.Ident, *ast.BasicLit:
		return true
	case *ast.ParenExpr:
		return p.benign(e.X, total)
	case *ast.SelectorExpr:
		return p.benignSelector(e, total)
	case *ast.StarExpr:
		return !total && p.benign(e.X, total)
	case *ast.IndexExpr:
		return !total && p.Info.Types[e.Index].IsValue() && p.benign(e.X, total) && p.benign(e.Index, total)
	case *ast.UnaryExpr:
		return e.Op != token.ARROW && e.Op != token.AND && p.benign(e.X, total)
	case *ast.BinaryExpr:
		return (!total || !p.mayPanic(e, e.Op)) && p.benign(e.X, total) && p.benign(e.Y, total)
	case *ast.CallExpr:
		return p.benignCall(e, total)
	}
	return false
}

// benignSelector is benign for selectors: a qualified identifier, or a field.
// If total is set, no pointer may be followed, because it may be nil.
func (p *pass) benignSelector(e *ast.SelectorExpr, total bool) bool {
	sel, ok := p.Info.Selections[e]
	if !ok {
		return true // qualified identifier
	}
	return sel.Kind() == types.FieldVal && (!total || !sel.Indirect()) && p.benign(e.X, total)
}

// benignCall is benign for calls: len, cap and conversions between basic types.
func (p *pass) benignCall(call *ast.CallExpr, total bool) bool {
	if len(call.Args) != 1 || !p.benign(call.Args[0], total) {
		return false
	}
	if p.Info.Types[call.Fun].IsType() {
		return p.basicInfo(call) != 0 && p.basicInfo(call.Args[0]) != 0
	}
	return p.isBuiltin(call, "len", "cap")
}

// mayPanic reports whether x op y can panic although neither operand does.
func (p *pass) mayPanic(e *ast.BinaryExpr, op token.Token) bool {
	switch op {
	case token.QUO, token.REM:
		return p.basicInfo(e.X)&types.IsInteger != 0
	case token.SHL, token.SHR:
		return p.basicInfo(e.Y)&types.IsUnsigned == 0 && !p.isConstant(e.Y)
	case token.EQL, token.NEQ:
		return p.basicInfo(e.X) == 0 && !p.isNil(e.X) && !p.isNil(e.Y) // interfaces may hold incomparable values
	}
	return false
}

// binaryProbe returns a probe for the mutant that replaces the operator of n by op; nil if there is none.
func (s *site) binaryProbe(n *ast.BinaryExpr, op token.Token) *Probe {
	if !s.pure(n.X) || !s.pure(n.Y) || s.mayPanic(n, op) || s.mayPanic(n, n.Op) && !comparison(n.Op) {
		return nil
	}
	return s.differs(s.binary(n, op))
}

// comparison reports whether the operator compares its operands.
func comparison(op token.Token) bool {
	switch op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return true
	}
	return false
}
