package suggestion

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
)

func TestStatementsOfExternalTestsNameThePackage(t *testing.T) {
	const declared = `package p
type T struct{ A int; b int }
type Kind int
const First Kind = 1
func New(list ...Kind) *T { return nil }
func (t *T) Do(k Kind) (int, error) { return 0, nil }
func inner() {}
`
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", declared, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := (&types.Config{Importer: importer.Default()}).Check("example.com/p", fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct{ from, want string }{
		"functions, types and constants":  {"got := New(First, Kind(2))", "got := p.New(p.First, p.Kind(2))"},
		"methods":                         {"x := New()\nx.Do(First)", "x := p.New()\nx.Do(p.First)"},
		"fields":                          {"got := T{A: 1}", "got := p.T{A: 1}"},
		"types within types":              {"got := map[string][]*T{}", "got := map[string][]*p.T{}"},
		"a variable of that name":         {"First := 1\nuse(First)", "First := 1\nuse(First)"},
		"other packages":                  {"got := fmt.Sprint(New())", "got := fmt.Sprint(p.New())"},
		"what is not exported":            {"inner()", ""},
		"a field that is not exported":    {"got := T{b: 1}", ""},
		"a method that is not exported":   {"New().do()", ""},
		"a key that may be a constant":    {"got := map[Kind]int{First: 1}", ""},
		"a variable named as the package": {"p := New()", ""},
		"no Go":                           {"got :=", ""},
	} {
		got, ok := External(tt.from, pkg)
		if ok != (tt.want != "") || got != tt.want {
			t.Errorf("%s: %q, %v", name, got, ok)
		}
	}
}

func TestTestsAreExternalWhereThoseOfTheFileAre(t *testing.T) {
	for name, tt := range map[string]struct {
		pkg  *gotool.Package
		want bool
	}{
		"all of the package":         {&gotool.Package{XTestGoFiles: []string{"p_test.go"}}, true},
		"those of the file":          {&gotool.Package{TestGoFiles: []string{"inner_test.go"}, XTestGoFiles: []string{"f_test.go"}}, true},
		"those of another file":      {&gotool.Package{TestGoFiles: []string{"f_test.go"}, XTestGoFiles: []string{"p_test.go"}}, false},
		"none":                       {&gotool.Package{TestGoFiles: []string{"f_test.go"}}, false},
		"the package is not of ours": {nil, false},
	} {
		if got := AreExternal(tt.pkg, "lib/f.go"); got != tt.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
