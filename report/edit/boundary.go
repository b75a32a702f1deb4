package edit

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"unicode/utf8"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// between has the relation of two operands for which a comparison gives another value than the one in its place, for
// each two that have exactly one such relation. NaN, which has no relation to any number, is not considered.
var between = map[[2]token.Token]token.Token{
	{token.LSS, token.LEQ}: token.EQL, {token.LSS, token.NEQ}: token.GTR,
	{token.LEQ, token.LSS}: token.EQL, {token.LEQ, token.EQL}: token.LSS,
	{token.GTR, token.GEQ}: token.EQL, {token.GTR, token.NEQ}: token.LSS,
	{token.GEQ, token.GTR}: token.EQL, {token.GEQ, token.EQL}: token.GTR,
	{token.EQL, token.LEQ}: token.LSS, {token.EQL, token.GEQ}: token.GTR,
	{token.NEQ, token.LSS}: token.GTR, {token.NEQ, token.GTR}: token.LSS,
}

// Boundary returns the comparison that holds where m, which replaces the operator of a comparison, gives another value
// than the program, and only there: "n == 1" for "n < 1" that becomes "n <= 1". It is empty if m does something else, or
// if that is too long to be read.
func Boundary(m *results.Mutant) string {
	x, left, right := comparison(m.Original)
	y, otherLeft, otherRight := comparison(Effective(m))
	relation, ok := between[[2]token.Token{x, y}]
	boundary := left + " " + relation.String() + " " + right
	if !ok || left != otherLeft || right != otherRight || utf8.RuneCountInString(boundary) > maxSource {
		return ""
	}
	return boundary
}

// comparison returns the operator and the operands of a comparison; token.ILLEGAL if source is something else.
func comparison(source string) (operator token.Token, left, right string) {
	source = strings.TrimSpace(source)
	x, err := parser.ParseExpr(source)
	b, ok := x.(*ast.BinaryExpr)
	if err != nil || !ok || strings.Contains(source, "\n") {
		return token.ILLEGAL, "", ""
	}
	return b.Op, source[b.X.Pos()-1 : b.X.End()-1], source[b.Y.Pos()-1 : b.Y.End()-1]
}
