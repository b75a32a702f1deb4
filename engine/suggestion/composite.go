package suggestion

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
)

// Elided returns the body of a function without the element types that composite literals need not repeat, as gofmt -s
// does. A body that does not parse is returned as it is.
func Elided(body string) string {
	const before = "package p; func _() {\n"
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", before+body+"\n}", parser.SkipObjectResolution)
	if err != nil {
		return body
	}
	type text struct{ from, to int }
	var repeated []text
	ast.Inspect(file, func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		key, value := elementsOf(lit.Type)
		for _, e := range lit.Elts {
			parts := []struct{ part, of ast.Expr }{{e, value}}
			if pair, ok := e.(*ast.KeyValueExpr); ok {
				parts = []struct{ part, of ast.Expr }{{pair.Key, key}, {pair.Value, value}}
			}
			for _, p := range parts {
				if from, to, ok := repeats(p.part, p.of); ok {
					repeated = append(repeated, text{fset.Position(from).Offset - len(before), fset.Position(to).Offset - len(before)})
				}
			}
		}
		return true
	})
	slices.SortFunc(repeated, func(a, b text) int { return b.from - a.from })
	for _, t := range repeated {
		body = body[:t.from] + body[t.to:]
	}
	return body
}

// elementsOf returns the types of the keys and the elements of a slice, an array or a map, as written; nil: none.
func elementsOf(t ast.Expr) (key, value ast.Expr) {
	switch t := t.(type) {
	case *ast.ArrayType:
		return nil, t.Elt
	case *ast.MapType:
		return t.Key, t.Value
	}
	return nil, nil
}

// repeats reports whether element is a literal that repeats the type of the elements, or the address of one. from and
// to delimit what is redundant.
func repeats(element, of ast.Expr) (from, to token.Pos, ok bool) {
	from = element.Pos()
	if address, ok := element.(*ast.UnaryExpr); ok && address.Op == token.AND {
		pointer, ok := of.(*ast.StarExpr)
		if !ok {
			return 0, 0, false
		}
		element, of = address.X, pointer.X
	}
	lit, ok := element.(*ast.CompositeLit)
	if !ok || lit.Type == nil || of == nil || types.ExprString(lit.Type) != types.ExprString(of) {
		return 0, 0, false
	}
	return from, lit.Lbrace, true
}
