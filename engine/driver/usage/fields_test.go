package usage

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

func TestFieldsThatTheChangeAddsComeFirstAndThenThoseThatFunctionsName(t *testing.T) {
	const text = `package p
type T[E any] struct { A int; B E; C string; D bool }
func (t T[E]) Len() int { if t.D { return len(t.C) }; return 0 }
func Other(t T[int]) int { return t.A }
`
	p := &packages.Package{Fset: token.NewFileSet(), TypesInfo: &types.Info{
		Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
	}}
	file, err := parser.ParseFile(p.Fset, "p.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	p.Syntax = []*ast.File{file}
	if p.Types, err = new(types.Config).Check("example.com/p", p.Fset, p.Syntax, p.TypesInfo); err != nil {
		t.Fatal(err)
	}
	named := p.Types.Scope().Lookup("T").Type().(*types.Named)
	inScope := []*types.Func{named.Method(0)}
	instance, err := types.Instantiate(nil, named, []types.Type{types.Typ[types.Int]}, true)
	if err != nil {
		t.Fatal(err)
	}
	for _, typ := range []types.Type{named, instance} {
		var names []string
		for _, f := range FieldsOf(p.Types, []string{"example.com/p.T.B", "example.com/p.A"}).First(FieldsIn(p, inScope).First(slices.Collect(typ.Underlying().(*types.Struct).Fields()))) {
			names = append(names, f.Name())
		}
		if got := strings.Join(names, " "); got != "B C D A" {
			t.Errorf("%s: %s", typ, got)
		}
	}
}
