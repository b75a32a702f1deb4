package mutate

import (
	"go/ast"
	"go/token"
	"go/types"
)

var relational = &Operator{
	Name:     "relational",
	Category: Relational,
	Doc: "Replaces a comparison by the few that suffice to detect every other replacement (Kaminski, Ammann, Offutt: " +
		"Improving Logic-Based Testing, JSS 2013): `<` by `<=`, `!=` and false, `==` of integers by `<=`, `>=` and false, and so on. " +
		"Operands without a meaningful order, such as characters and enumerations, only have `==` and `!=` swapped, and only outside of conditions, which " +
		"the condition operator covers. Replacements that cannot differ, as `len(s) <= 0` for `len(s) == 0`, are left out.",
	Before: "func fits(n, limit int) bool {\n\treturn n < limit\n}\n",
	After:  "func fits(n, limit int) bool {\n\treturn n <= limit\n}\n",
	mutate: mutateRelational,
}

// relationalSets maps each comparison to the comparisons that replace it. A
// constant replaces it, too: false for <, > and ==, true for the others.
var relationalSets = map[token.Token][]token.Token{
	token.LSS: {token.LEQ, token.NEQ},
	token.GTR: {token.GEQ, token.NEQ},
	token.LEQ: {token.LSS, token.EQL},
	token.GEQ: {token.GTR, token.EQL},
	token.EQL: {token.LEQ, token.GEQ},
	token.NEQ: {token.LSS, token.GTR},
}

// equivalentToZero maps each comparison to the replacement that is equivalent
// if a value that is never negative is compared with 0.
var equivalentToZero = map[token.Token]token.Token{
	token.GTR: token.NEQ,
	token.NEQ: token.GTR,
	token.EQL: token.LEQ,
	token.LEQ: token.EQL,
}

func mutateRelational(s *site) {
	n, ok := s.Node().(*ast.BinaryExpr)
	if !ok || !comparison(n.Op) || s.isConstant(n) {
		return
	}
	if !s.sufficientSet(n) {
		s.negateComparison(n)
		return
	}
	for _, op := range relationalSets[n.Op] {
		if equivalentToZero[n.Op] == op && s.comparesSizeWithZero(n) || op == token.NEQ && s.countsUp() {
			continue
		}
		s.replaceExpr(s.binary(n, op), op.Precedence(), s.binaryProbe(n, op))
	}
	use := s.conditionUse()
	switch n.Op {
	case token.LSS, token.GTR, token.EQL:
		if !use.is || use.never {
			s.never()
		}
	default:
		if !use.is || use.always {
			s.always()
		}
	}
}

// negateComparison offers the mutant that replaces == by !=, or != by ==.
func (s *site) negateComparison(n *ast.BinaryExpr) {
	if s.conditionUse().is {
		return
	}
	op := token.EQL
	if n.Op == token.EQL {
		op = token.NEQ
	}
	s.replaceExpr(s.binary(n, op), op.Precedence(), nil) // no probe: the value always differs
}

// sufficientSet reports whether the set in relationalSets replaces the comparison.
// This holds for <, <=, > and >=, and for == and != of integers that count something.
func (p *pass) sufficientSet(n *ast.BinaryExpr) bool {
	if n.Op != token.EQL && n.Op != token.NEQ {
		return true
	}
	return p.basicInfo(n.X)&p.basicInfo(n.Y)&types.IsInteger != 0 && !p.isToken(n.X) && !p.isToken(n.Y)
}

// isToken reports whether the expression is a constant that names something
// rather than counts: a character, or a declared constant of a named type, as
// in an enumeration.
func (p *pass) isToken(e ast.Expr) bool {
	var id *ast.Ident
	switch e := ast.Unparen(e).(type) {
	case *ast.BasicLit:
		return e.Kind == token.CHAR
	case *ast.Ident:
		id = e
	case *ast.SelectorExpr:
		id = e.Sel
	}
	c, ok := p.Info.Uses[id].(*types.Const)
	return ok && (namedType(c.Type()) != nil || types.Identical(c.Type(), types.Typ[types.UntypedRune]))
}

// comparesSizeWithZero reports whether n compares something that is never
// negative with 0, as len(s) == 0 does.
func (p *pass) comparesSizeWithZero(n *ast.BinaryExpr) bool {
	if v := p.Info.Types[n.Y].Value; v == nil || v.ExactString() != "0" {
		return false
	}
	if id, ok := ast.Unparen(n.X).(*ast.Ident); ok && p.holdsSize(p.Info.Uses[id]) {
		return true
	}
	return p.isSize(n.X) || p.basicInfo(n.X)&types.IsUnsigned != 0
}

// countsUp reports whether the site is the condition of a loop that counts by
// one. There, i != n does the same as i < n.
func (s *site) countsUp() bool {
	loop, ok := s.Parent().Node().(*ast.ForStmt)
	if !ok {
		return false
	}
	_, ok = loop.Post.(*ast.IncDecStmt)
	return ok
}
