package weave

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"testing"
)

func TestConstantsOfAParameterAreKnownByTheirValues(t *testing.T) {
	const source = `package p
type Level int
const (
	Low Level = iota
	mid
	High
	Top = High
	None Level = -1
)
type Name string
const First Name = "a\u034f"
type Bad string
func (b Bad) Error() string { return string(b) }
const ErrEmpty, errTwice Bad = "empty", "twice"
type Worse string
func (w Worse) Error() string { return string(w) }
const ErrEmptyToo, errOther Worse = "empty", "other"
type Any[T any] struct{}
func F(l Level, n Name, i int64, b byte, rest ...float32) {}
func G[T any](t T) {}
func (Any[T]) M(t T, l Level) {}
func R() (Level, *Level, error, Name) { return 0, nil, nil, "" }
`
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := (&types.Config{}).Check("p", fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	function := func(name string) *types.Func { return pkg.Scope().Lookup(name).(*types.Func) }
	method := types.NewMethodSet(pkg.Scope().Lookup("Any").Type()).At(0).Obj().(*types.Func)
	w := &weaver{}
	for inPackage, want := range map[string][]map[string]string{
		"p":      {{"0": "Low", "1": "mid", "-1": "None"}, nil, {`"twice"`: "errTwice", `"other"`: "errOther"}, {`"a\u034f"`: "First"}},
		"p_test": {{"0": "Low", "-1": "None"}, nil, {}, {`"a\u034f"`: "First"}},
	} {
		if got := w.returned(function("R"), inPackage); !slices.EqualFunc(got, want, maps.Equal[map[string]string]) {
			t.Errorf("results in %s: %v, want %v", inPackage, got, want)
		}
	}
	for _, tt := range []struct {
		fn        *types.Func
		i         int
		spread    bool
		inPackage string
		basic     string
		named     map[string]string
	}{
		{function("F"), 0, false, "p", "", map[string]string{"0": "Low", "1": "mid", "-1": "None"}},
		{function("F"), 0, false, "p_test", "", map[string]string{"0": "Low", "-1": "None"}},
		{function("F"), 1, false, "p", "", map[string]string{`"a\u034f"`: "First"}},
		{function("F"), 2, false, "p", "int64", nil},
		{function("F"), 3, false, "p", "uint8", nil},
		{function("F"), 4, false, "p", "float32", nil},
		{function("F"), 6, false, "p", "float32", nil},
		{function("F"), 4, true, "p", "", nil},
		{function("G"), 0, false, "p", "", nil},
		{method, 0, false, "p", "", nil},
		{method, 1, false, "p", "", map[string]string{"0": "Low", "1": "mid", "-1": "None"}},
	} {
		got := w.siteArg(tt.fn, tt.i, tt.spread, tt.inPackage)
		if got.Character != (tt.i == 3 && tt.basic != "") {
			t.Errorf("argument %d of %s is a character: %v", tt.i, tt.fn.Name(), got.Character)
		}
		if got.Basic != tt.basic || !maps.Equal(got.Named, tt.named) {
			t.Errorf("argument %d of %s in %s: %q, %v, want %q, %v", tt.i, tt.fn.Name(), tt.inPackage, got.Basic, got.Named, tt.basic, tt.named)
		}
	}
}
