package program

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"testing"
)

const constantSource = `package p

type locale string

const english, danish locale = "en", "da"

type row struct {
	name locale
	n    int
}

var v = 1

func one() (int, error) { return -3 + len("abc"), nil }

func list() []locale { return []locale{english, danish, locale("de")} }

func table() map[locale]row { return map[locale]row{english: {name: english, n: 1}, danish: {danish, 2}} }

func pointer() *row { return &row{n: 1} }

func nothing() {}

func variable() []int { return []int{1, v} }

func called() []int { return []int{1, called()[0]} }

func parameter(n int) row { return row{n: n} }

func closure() func() int { return func() int { return 1 } }

func longer() int {
	v++
	return 1
}
`

func TestFunctionsThatOnlyReturnConstants(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", constantSource, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
	if _, err := new(types.Config).Check("p", fset, []*ast.File{file}, info); err != nil {
		t.Fatal(err)
	}
	var constant []string
	for _, d := range file.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && returnsConstants(info, fn.Body) {
			constant = append(constant, fn.Name.Name)
		}
	}
	if want := []string{"one", "list", "table", "pointer"}; !slices.Equal(constant, want) {
		t.Errorf("only constants are returned by %v, want %v", constant, want)
	}
}
