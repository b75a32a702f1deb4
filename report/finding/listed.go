package finding

import (
	"go/ast"
	"go/parser"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// altersList reports whether the part of the change that m undoes only adds, removes, moves or replaces constant elements
// of lists, maps or structs, which are listed in the code or returned.
func altersList(m *results.Mutant) bool {
	old, now := edit.CodeLines(edit.Effective(m)), edit.CodeLines(m.Original)
	altered := slices.Concat(without(old, now), without(now, old))
	return len(altered) > 0 && !slices.ContainsFunc(altered, func(line string) bool { return !listsConstants(line) })
}

// listsConstants reports whether a line has only constant elements of a composite literal, each with a comma behind it, or
// returns a composite literal of constants.
func listsConstants(line string) bool {
	list, returned := strings.CutPrefix(line, "return ")
	if !returned {
		if !strings.HasSuffix(line, ",") {
			return false
		}
		list = "_{" + line + "}"
	}
	e, err := parser.ParseExpr(list)
	if err != nil {
		return false
	}
	literal, ok := e.(*ast.CompositeLit)
	return ok && len(literal.Elts) > 0 && !slices.ContainsFunc(literal.Elts, func(e ast.Expr) bool { return !isConstant(e) })
}

// isConstant reports whether e is a literal, a name that other packages can use, or a composite literal of such values. A
// local variable has no such name.
func isConstant(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return true
	case *ast.Ident:
		return e.IsExported() || slices.Contains([]string{"true", "false", "nil"}, e.Name)
	case *ast.UnaryExpr:
		return isConstant(e.X)
	case *ast.KeyValueExpr:
		_, isField := e.Key.(*ast.Ident)
		return (isField || isConstant(e.Key)) && isConstant(e.Value)
	case *ast.CompositeLit:
		return !slices.ContainsFunc(e.Elts, func(e ast.Expr) bool { return !isConstant(e) })
	}
	return false
}
