package mutate

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"strings"

	"golang.org/x/tools/go/ast/edge"
)

var integerLiteral = &Operator{
	Name:     "integer-literal",
	Category: Value,
	Doc:      "Replaces an integer literal by one more and by one less; -1 only by 0. Operands of comparisons, keys, and the base and size of numbers that `strconv` reads or writes are left alone.",
	Before:   "func pad(n int) int {\n\treturn n + 8\n}\n",
	After:    "func pad(n int) int {\n\treturn n + 9\n}\n",
	mutate:   mutateIntegerLiteral,
}

func mutateIntegerLiteral(s *site) {
	n, ok := s.Node().(*ast.BasicLit)
	if !ok || n.Kind != token.INT || s.fixedLiteral() {
		return
	}
	v := constant.MakeFromLiteral(n.Value, n.Kind, 0)
	one := constant.MakeInt64(1)
	if !s.minusOne(v) {
		s.replaceExpr(formatLike(n.Value, constant.BinaryOp(v, token.ADD, one)), token.HighestPrec, nil)
	}
	if constant.Sign(v) > 0 {
		s.replaceExpr(formatLike(n.Value, constant.BinaryOp(v, token.SUB, one)), token.HighestPrec, nil)
	}
}

// minusOne reports whether the site is the literal 1 of -1. That nearly always stands for "none" or "all", as any
// negative number would.
func (s *site) minusOne(v constant.Value) bool {
	sign, ok := s.Parent().Node().(*ast.UnaryExpr)
	return ok && sign.Op == token.SUB && constant.Compare(v, token.EQL, constant.MakeInt64(1))
}

// fixedLiteral reports whether a literal must stay: other operators make the
// same mutants, another value might clash with its neighbours, or it is a notation.
func (s *site) fixedLiteral() bool {
	switch s.ParentEdgeKind() {
	case edge.KeyValueExpr_Key:
		return true
	case edge.BinaryExpr_X, edge.BinaryExpr_Y:
		return comparison(s.Parent().Node().(*ast.BinaryExpr).Op)
	case edge.CallExpr_Args:
		return s.notation(s.Parent().Node().(*ast.CallExpr), s.ParentEdgeIndex())
	}
	return false
}

// notation reports whether an argument is the base or bit size of a number, as in strconv.ParseInt(s, 10, 64): nobody
// writes 9 there by mistake.
func (s *site) notation(call *ast.CallExpr, i int) bool {
	fn := s.callee(call)
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "strconv" && fn.Pkg().Path() != "math/big" {
		return false
	}
	params := fn.Signature().Params()
	return i < params.Len() && (params.At(i).Name() == "base" || params.At(i).Name() == "bitSize")
}

// verbs has the format of integers by the beginning of their literals, in lower case.
var verbs = map[string]string{"0x": "%#x", "0o": "%O", "0b": "%#b"}

// formatLike returns v in the base of a literal: in decimal, unless that has a prefix.
func formatLike(literal string, v constant.Value) string {
	if verb := verbs[strings.ToLower(literal[:min(2, len(literal))])]; verb != "" {
		if i, ok := constant.Uint64Val(v); ok {
			return fmt.Sprintf(verb, i)
		}
	}
	return v.ExactString()
}
