package weave

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"testing"
)

func TestVariablesAreNoImports(t *testing.T) {
	s := &Site{Imports: map[string]string{"list": `"container/list"`, "orb": `"orb"`}}
	got := s.ImportsFor("list, err := New(orb.X)\nif want := (orb.Point{}); list.Len() != want.X() {\n}")
	if want := []string{`"orb"`, `"testing"`}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestImportsAreThoseThatATestNames(t *testing.T) {
	s := &Site{Imports: map[string]string{"fmt": `"fmt"`, "ber": `"b"`, "über": `über "u"`, "strings": `"strings"`}}
	got := s.ImportsFor("x := f(über.Größe)\nfmt.Print(x)")
	if want := []string{`"fmt"`, `"testing"`, `über "u"`}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTextsAndFieldsNameNoImports(t *testing.T) {
	s := &Site{Imports: map[string]string{"fmt": `"fmt"`, "url": `"net/url"`, "time": `"time"`, "strings": `"strings"`}}
	got := s.ImportsFor("got := f(\"fmt.Print\", x.url.Path, `time.Now`) // strings.Split\nfor url := range got {\n\t_ = url\n}")
	if want := []string{`"testing"`}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestResultsThatShowNothingToOtherPackagesAreOpaque(t *testing.T) {
	const src = `package p
type hidden struct{ a int }
type shown struct{ a, B int }
type empty struct{}
func F1() hidden
func F2() *hidden
func F3() (*hidden, error)
func F4() func() int
func F5() (*empty, <-chan int)
func G1() shown
func G2() (*hidden, bool)
func G3() []hidden
func G4() interface{ M() }
func G5() (*shown, error)
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	config := types.Config{IgnoreFuncBodies: true}
	pkg, err := config.Check("p", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range pkg.Scope().Names() {
		fn, ok := pkg.Scope().Lookup(name).(*types.Func)
		if ok && isOpaque(fn.Signature()) != (name[0] == 'F') {
			t.Errorf("%s is opaque: %t", fn, isOpaque(fn.Signature()))
		}
	}
}
