package testfile

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"
)

// checked type-checks a package without imports.
func checked(t *testing.T, text string) *types.Package {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", "package p\n"+text, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := new(types.Config).Check("example.com/p", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

func TestNamesMeanOneThingEach(t *testing.T) {
	n := NewNames(checked(t, "var f int\nfunc x2() {}"))
	got := []string{n.F, n.T, n.Fresh("x"), n.Fresh("x"), n.Fresh("range"), n.Fresh("len"), n.Fresh("testing"), n.Std("bytes"), n.Library("example.com/v2/bytes", "bytes")}
	if want := []string{"f2", "t", "x", "x3", "range2", "len2", "testing2", "bytes", "bytes2"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for name, want := range map[string]bool{"x": true, "f": false, "len": false, "free": false} {
		if n.Gave(name) != want {
			t.Errorf("%s was given: %v", name, !want)
		}
	}
	n.Release("x")
	if got := n.Clone().Fresh("x"); got != "x" {
		t.Errorf("a name that was released is taken: %s", got)
	}
}

func TestOnlyImportsThatAreNamedAreKept(t *testing.T) {
	n := NewNames(checked(t, ""))
	n.Std("bytes")
	n.Library("example.com/v2/errors", "errors")
	n.Std("io")
	got := n.ImportsOf("func F(*testing.F) { _ = errors.New; var io struct{ EOF error }; _ = io.EOF }")
	if want := []string{`"example.com/v2/errors"`, `"io"`, `"testing"`}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTypeArgumentsSatisfyTheirConstraints(t *testing.T) {
	pkg := checked(t, `
type Meter int
func (Meter) Read() int { return 0 }
func Any[T any](T) {}
func Numbers[T ~int8 | ~uint64](T) {}
func Methods[T interface{ ~int; Read() int }](T) {}
func Lists[E comparable, S ~[]E](S) {}
func Nothing[T interface{ int; Read() int }](T) {}
func (*Log) Write() {}
type Log struct{}
func Pointers[P interface{ *T; Write() }, T any](P) {}
`)
	for name, want := range map[string]string{
		"Any": "[string]", "Numbers": "[int8]", "Methods": "[example.com/p.Meter]", "Lists": "[string []string]", "Nothing": "[]",
		"Pointers": "[*example.com/p.Log example.com/p.Log]",
	} {
		sig := pkg.Scope().Lookup(name).Type().(*types.Signature)
		_, args := NewNames(pkg).Instantiate(sig, sig.TypeParams())
		list := []string{}
		for _, arg := range args {
			list = append(list, arg.String())
		}
		if got := "[" + strings.Join(list, " ") + "]"; got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// manyTypes declares so many types that not all pairs of them can be tried, and one at the end with a method.
func manyTypes() string {
	var text strings.Builder
	for i := range 100 {
		fmt.Fprintf(&text, "type T%d struct{}\n", i)
	}
	return text.String() + "type Zone struct{}\nfunc (*Zone) Name() {}\ntype Zones []Zone\nfunc (Zones) Names() {}\n"
}

func TestTypeArgumentsAreFoundAmongManyTypes(t *testing.T) {
	pkg := checked(t, manyTypes()+`
func Pointer[T any, P interface{ *T; Name() }](T) {}
func List[S interface{ ~[]Zone; Names() }](S) {}
`)
	for name, want := range map[string]string{"Pointer": "Zone *Zone", "List": "Zones"} {
		sig := pkg.Scope().Lookup(name).Type().(*types.Signature)
		_, args := NewNames(pkg).Instantiate(sig, sig.TypeParams())
		var list []string
		for _, arg := range args {
			list = append(list, types.TypeString(arg, types.RelativeTo(pkg)))
		}
		if got := strings.Join(list, " "); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// A search that goes on after maxTries would not end within the time of any test.
func TestTheSearchForTypeArgumentsEnds(t *testing.T) {
	pkg := checked(t, manyTypes()+"func F[A, B, C, D any, P interface{ *D; Nothing() }](A, B, C, D) {}\n")
	sig := pkg.Scope().Lookup("F").Type().(*types.Signature)
	if _, args := NewNames(pkg).Instantiate(sig, sig.TypeParams()); args != nil {
		t.Errorf("type arguments are %v", args)
	}
}
