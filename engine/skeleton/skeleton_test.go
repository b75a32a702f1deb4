package skeleton

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mutantfuzz/mutantfuzz/diffscope"
	"github.com/mutantfuzz/mutantfuzz/internal/realcode"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// std loads the packages that the sources in these tests import.
var std = sync.OnceValues(func() (realcode.Importer, error) {
	_, known, err := realcode.Load("net/url")
	return known, err
})

func TestEverySkeletonOfRealCodeCompiles(t *testing.T) {
	list, known, err := realcode.Load(realcode.Packages...)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != len(realcode.Packages) {
		t.Fatalf("%d of %d packages are loaded", len(list), len(realcode.Packages))
	}
	made, fit := 0, 0
	for _, p := range list {
		var sources []string
		for _, fn := range realcode.Functions(p) {
			if hasInput(fn) {
				fit++
			}
			if source, ok := Source(p.Types, fn); ok {
				sources = append(sources, source)
			}
		}
		made += len(sources)
		if err := realcode.Compile(p.Fset, p.PkgPath, p.Syntax, sources, known); err != nil {
			t.Errorf("%s: %v", p.PkgPath, err)
		}
	}
	t.Logf("%d skeletons, %d functions with parameters", made, fit)
	if made < 5000 || made*100 < fit*95 {
		t.Errorf("only %d skeletons for %d functions with parameters", made, fit)
	}
}

func hasInput(fn *types.Func) bool {
	return fn.Signature().Params().Len() > 0 && fn.Name() != "_"
}

// source type-checks one file and returns the skeleton of its last function, if there is one. It fails the test if the
// skeleton does not compile.
func source(t *testing.T, text string) (string, bool) {
	t.Helper()
	known, err := std()
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}}
	pkg, err := (&types.Config{Importer: known}).Check("example.com/p", fset, []*ast.File{file}, info)
	if err != nil {
		t.Fatal(err)
	}
	var last *ast.FuncDecl
	for _, d := range file.Decls {
		if d, ok := d.(*ast.FuncDecl); ok {
			last = d
		}
	}
	got, ok := Source(pkg, info.Defs[last.Name].(*types.Func))
	if ok {
		if err := realcode.Compile(fset, "example.com/p", []*ast.File{file}, []string{got}, known); err != nil {
			t.Error(err)
		}
	}
	return got, ok
}

func TestSkeletonOfAFunction(t *testing.T) {
	got, _ := source(t, "package p\n\nimport \"io\"\n\ntype Level int\n\nfunc Parse(r io.Reader, name string, level Level) (int, error) { return 0, nil }\n")
	want := `package p

import (
	"bytes"
	"testing"
)

func FuzzParse(f *testing.F) {
	f.Add([]byte(""), "", 0) // add typical, valid inputs of Parse
	f.Fuzz(func(t *testing.T, r []byte, name string, level int) {
		Parse(bytes.NewReader(r), name, Level(level))
		// Assert here what must hold for the results, for every input.
	})
}
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestSkeletonOfAMethod(t *testing.T) {
	got, _ := source(t, `package p

type list struct{ items []string }

func newList(sep string) (*list, error) { return nil, nil }

func (l *list) add(opts map[string]bool, names ...string) {}
`)
	want := `package p

import (
	"testing"
)

func Fuzz_list_add(f *testing.F) {
	f.Add("", "") // add typical, valid inputs of list.add
	f.Fuzz(func(t *testing.T, sep string, names string) {
		receiver, err := newList(sep)
		if err != nil {
			return
		}
		opts := map[string]bool{} // fill it from the fuzzed arguments
		receiver.add(opts, names)
		// Assert here what must hold after the call, for every input.
	})
}
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestCallsSuitTheirTypes(t *testing.T) {
	tests := map[string]struct{ src, want string }{
		"parameters that hide an import give way":  {"import \"net/url\"\nfunc F(url string, u *url.URL) {}", "F(url2, &u)"},
		"parameters that hide the function too":    {"func f(f string) {}", "f(f3)"},
		"no name, no problem":                      {"func F(string, int) {}", "F(arg1, arg2)"},
		"lists of strings are split":               {"func F(s []string) {}", `F(strings.Split(s, ","))`},
		"variadic bytes are all passed":            {"func F(b ...byte) {}", "F(b...)"},
		"pointers to numbers":                      {"func F(p *int) {}", "F(&p)"},
		"runes come from a string":                 {"func F(r []rune) {}", "F([]rune(r))"},
		"contexts and writers":                     {"import (\"context\"; \"io\")\nfunc F(ctx context.Context, w io.Writer, n int) {}", "F(context.Background(), io.Discard, n)"},
		"pointers to interfaces":                   {"import (\"context\"; \"io\")\nfunc F(ctx *context.Context, w *io.Writer, r *io.Reader, n int) {}", "F(&ctx, &w, &r, n)"},
		"ordered type parameters":                  {"import \"cmp\"\nfunc F[T cmp.Ordered](t T) {}", "F[int]("},
		"any will be a string":                     {"func F[K comparable, V any](m map[K]V) {}", "F[string, string](m)"},
		"core types":                               {"func F[S ~[]E, E any](s S) {}", "F[[]string, string]("},
		"constraints that point to a parameter":    {"type P struct{}\nfunc (*P) Set(string) {}\nfunc F[T any, PT interface{*T; Set(string)}](s string) {}", "F[P, *P](s)"},
		"constraints with methods are interfaces":  {"type S interface{ M() }\nfunc F[T S](t T) {}", "F[S](t2)"},
		"methods of generic types":                 {"type L[T any] struct{}\nfunc (l *L[E]) Add(e E) {}", "receiver.Add(e)"},
		"receivers of basic type are fuzzed":       {"type N int\nfunc (n N) Next() N { return n }", "receiver := N(value)"},
		"a receiver alone is built from any bytes": {"type T struct{}\nfunc (t T) M() {}", "data []byte"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, ok := source(t, "package p\n\n"+test.src+"\n")
			if !ok || !strings.Contains(got, test.want) {
				t.Errorf("%q is not in\n%s", test.want, got)
			}
		})
	}
}

func TestNoSkeletonWhereNothingCanBeFuzzed(t *testing.T) {
	for name, src := range map[string]string{
		"no parameters":                          "func F() int { return 1 }",
		"initialisers":                           "func init() {}",
		"constraints that nothing meets":         "func F[T interface{ int; M() }](t T) {}",
		"predeclared names with another meaning": "type string []byte\nfunc F(n int, s string) {}",
	} {
		t.Run(name, func(t *testing.T) {
			if got, ok := source(t, "package p\n\n"+src+"\n"); ok {
				t.Errorf("got\n%s", got)
			}
		})
	}
}

func TestASkeletonHasTheBuildConstraintOfTheFunction(t *testing.T) {
	fset, dir := token.NewFileSet(), t.TempDir()
	for name, want := range map[string]string{"p_linux.go": "//go:build linux\n\npackage p\n", "p.go": "package p\n"} {
		text := "package p\n\nfunc F(s string) {}\n"
		f := diffscope.Function{Path: filepath.Join(dir, name), Function: results.Function{ID: "example.com/p.F", File: name}}
		if err := os.WriteFile(f.Path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		file, err := parser.ParseFile(fset, name, text, 0)
		if err != nil {
			t.Fatal(err)
		}
		pkg, err := new(types.Config).Check("example.com/p", fset, []*ast.File{file}, nil)
		if err != nil {
			t.Fatal(err)
		}
		list := Offer([]diffscope.Function{f}, nil, func(*diffscope.Function) (*types.Package, *types.Func) {
			return pkg, pkg.Scope().Lookup("F").(*types.Func)
		})
		if len(list) != 1 || !strings.HasPrefix(list[0].Source, want) {
			t.Errorf("%s: %v", name, list)
		}
	}
}

func TestFileNameIsNew(t *testing.T) {
	pkg := types.NewPackage("example.com/p", "p")
	fn := types.NewFunc(token.NoPos, pkg, "ParseAll", types.NewSignatureType(nil, nil, nil, nil, nil, false))
	have := map[string]bool{"parseall_fuzz_test.go": true, "parseall_fuzz2_test.go": true}
	for _, want := range []string{"parseall_fuzz3_test.go"} {
		if got := FileName(fn, func(name string) bool { return have[name] }); got != want {
			t.Errorf("got %s, not %s", got, want)
		}
	}
}
