package locals

import (
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestWhatAFunctionDeclaresIsKnown(t *testing.T) {
	for src, want := range map[string]string{
		"func (r *T) f(a, b int) (c error) { return nil }":               "a b c r",
		"func f() { x, y := 1, 2; x = z; var v, w = 1, 2; const k = 1 }": "k v w x y",
		"func f() { for i, e := range l { i, e = g() } }":                "e i",
		"func f() { for i, e = range l {} }":                             "",
		"func f() { type t struct{ n int }; h.s = u{q: 1} }":             "n t",
		"func f() { func(p int) { in := p }(1) }":                        "in p",
		"func f() {\nout:\n\tfor {\n\t\tbreak out\n\t}\n}":               "out",
		"var v = func(p int) int { return w }":                           "p",
	} {
		f, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+src, 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(slices.Sorted(maps.Keys(In(f.Decls[0]))), " "); got != want {
			t.Errorf("%s: got %q, want %q", src, got, want)
		}
	}
}
