package difference

import (
	"go/token"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mutantfuzz/mutantfuzz/diffscope/declaration"
)

func TestUndoneHunksHaveTheNamesOfHead(t *testing.T) {
	was := func(src string) *declaration.Decl {
		f, err := declaration.Parse(token.NewFileSet(), "m.go", []byte(src))
		if err != nil {
			t.Fatal(err)
		}
		return f.Decls[0]
	}
	d := was("package m\n\nfunc f(number int) int {\n\tif number > 2 {\n\t\treturn 0\n\t}\n\treturn number\n}\n")
	d.From = was("package m\n\nfunc f(n int) int {\n\tif n > 1 {\n\t\treturn 0\n\t}\n\treturn n\n}\n")
	want := []Hunk{{File: "m.go", First: 4, Count: 1, Old: "\tif number > 1 {\n"}}
	got, _ := hunksOf(d)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
