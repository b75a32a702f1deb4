package usage

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"golang.org/x/tools/go/packages"
)

func TestItIsSeenHowTestsComeByValues(t *testing.T) {
	const source = "package p\ntype T struct{ A int; b int }\nfunc Fresh() *T { return nil }\nfunc Other() int { return 0 }\n"
	for name, tt := range map[string]struct {
		test               string
		empty, constructed bool
	}{
		"a variable":                {"func f() { var t T; _ = t }", true, false},
		"a new one":                 {"var t = new(T)", true, false},
		"a new one of a value":      {"var t = new(*Fresh())", false, true},
		"a literal":                 {"var t = &T{}", true, false},
		"of an exported field":      {"var t = T{A: 1}", true, false},
		"of another one":            {"var t = T{b: 1}", false, false},
		"a function":                {"var t = Fresh()", false, true},
		"and a field is set":        {"func f() { t := Fresh(); t.A = 1 }", false, false},
		"and a literal beside":      {"var t, u = Fresh(), T{b: 1}", false, false},
		"nothing":                   {"var n = Other()", false, false},
		"a variable with a value":   {"var t *T = Fresh()", false, true},
		"a function that gives one": {"func f() T { return *Fresh() }", false, true},
	} {
		t.Run(name, func(t *testing.T) {
			pkg := &packages.Package{PkgPath: "p", Fset: token.NewFileSet(), TypesInfo: &types.Info{
				Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{},
				Selections: map[*ast.SelectorExpr]*types.Selection{},
			}}
			for file, text := range map[string]string{"p.go": source, "p_test.go": "package p\n" + tt.test} {
				f, err := parser.ParseFile(pkg.Fset, file, text, 0)
				if err != nil {
					t.Fatal(err)
				}
				pkg.Syntax = append(pkg.Syntax, f)
			}
			checked, err := (&types.Config{}).Check("p", pkg.Fset, pkg.Syntax, pkg.TypesInfo)
			if err != nil {
				t.Fatal(err)
			}
			named := checked.Scope().Lookup("T").Type().(*types.Named)
			u := Of([]*packages.Package{pkg}, "p")
			if u.BeginsEmpty(named) != tt.empty || u.OnlyConstructed(named) != tt.constructed {
				t.Errorf("empty: %v, constructed: %v", u.BeginsEmpty(named), u.OnlyConstructed(named))
			}
		})
	}
}
