package driver

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

var nightly = flag.Bool("nightly", false, "write drivers for all real packages")

// TestDriversOfRealCodeCompile writes a driver for every function of real packages, as if all of them
// had changed.
func TestDriversOfRealCodeCompile(t *testing.T) {
	paths := realPackages
	if !*nightly {
		paths = realPackages[:24]
	}
	list, known := load(t, paths...)
	driven, safe := 0, 0
	reasons := map[string]int{}
	for _, p := range list {
		w := newWriter(p, newDanger([]*packages.Package{p}))
		sources := []string{string(w.shared())}
		for _, fn := range functions(p) {
			_, source, why := w.driver(fn)
			switch {
			case why == "":
				sources = append(sources, string(source))
				safe++
			case strings.HasPrefix(why, "it leads to"), strings.HasPrefix(why, "it takes nothing"), !callable(fn):
			default:
				safe++
				reasons[why]++
			}
		}
		if err := compile(p.Fset, p.PkgPath, p.Syntax, sources, known); err != nil {
			t.Errorf("%s: %v", p.PkgPath, err)
		}
		driven += len(sources) - 1
	}
	for _, why := range slices.SortedFunc(maps.Keys(reasons), func(a, b string) int { return reasons[b] - reasons[a] })[:min(20, len(reasons))] {
		t.Logf("%4d × %s", reasons[why], why)
	}
	t.Logf("%d drivers, %d functions that are not dangerous and take something", driven, safe)
	if driven < 40*len(paths) || driven*100 < safe*75 {
		t.Errorf("only %d drivers for %d functions", driven, safe)
	}
}

// driverOf type-checks one file, and returns the driver of its last function, having seen that it
// compiles, or why there is none.
func driverOf(t *testing.T, text string) (source, why string) {
	t.Helper()
	known := std(t)
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", "package p\n\n"+text, 0)
	if err != nil {
		t.Fatal(err)
	}
	p := &packages.Package{
		PkgPath: "example.com/p", Name: "p", Fset: fset, Syntax: []*ast.File{file},
		TypesInfo: &types.Info{
			Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{},
			Selections: map[*ast.SelectorExpr]*types.Selection{},
		},
	}
	if p.Types, err = (&types.Config{Importer: importer(known)}).Check(p.PkgPath, fset, p.Syntax, p.TypesInfo); err != nil {
		t.Fatal(err)
	}
	list := functions(p)
	w := newWriter(p, newDanger([]*packages.Package{p}))
	_, made, why := w.driver(list[len(list)-1])
	if why == "" {
		if err := compile(fset, p.PkgPath, p.Syntax, []string{string(w.shared()), string(made)}, known); err != nil {
			t.Error(err)
		}
	}
	return string(made), why
}

func TestDriverMakesWhatAFunctionTakes(t *testing.T) {
	tests := map[string]struct {
		src  string
		want []string
	}{
		"basic types are fuzzed as they are":       {"func F(s string, n int8) int { return len(s) }", []string{"s string, n int8", "F(s, n)"}},
		"named types are converted":                {"type Level int\nfunc F(l Level) {}", []string{"l int", "F(Level(l))"}},
		"errors have a text":                       {"func F(err error) {}", []string{`errors.New(`, "!= \"\""}},
		"readers read a string":                    {"import \"io\"\nfunc F(r io.Reader) {}", []string{"F(strings.NewReader(r))"}},
		"lists are filled from bytes":              {"func F(list []string) {}", []string{"data []byte", "append(list, in.string())"}},
		"maps are made before they are filled":     {"func F(m map[string]int) {}", []string{"m = map[string]int{}", "m[in.string()] = int(in.int())"}},
		"constructors come before fields":          {"type T struct{ n int }\nfunc NewT(n int) *T { return &T{n} }\nfunc (t *T) Get() int { return t.n }", []string{"t2 := NewT(n)", "t2.Get()"}},
		"constructors' errors are respected":       {"type T struct{ n int }\nfunc ParseT(s string) (T, error) { return T{}, nil }\nfunc (t T) Get() int { return t.n }", []string{":= ParseT(s)", "!= nil {"}},
		"structs without constructor get fields":   {"type T struct{ A int; b string }\nfunc F(t T) {}", []string{"t2.A = a", "t2.b = b"}},
		"other methods are called before":          {"type T struct{ n int }\nfunc (t *T) Set(n int) { t.n = n }\nfunc (t *T) Get() int { return t.n }", []string{"switch in.upTo(0)", ".Set(int(in.int()))"}},
		"functions return what the input has":      {"func F(f func(int) string) {}", []string{"func(_ int) string { return result }"}},
		"interfaces have the package's types":      {"type I interface{ M() int }\ntype A int\nfunc (a A) M() int { return int(a) }\nfunc F(i I) {}", []string{"F(A(i))"}},
		"type parameters get types":                {"func F[K comparable, V any](m map[K]V) {}", []string{"F[string, string](m)"}},
		"variadic arguments are a list":            {"func F(names ...string) {}", []string{"F(names...)"}},
		"constants of the function are seeds":      {"func F(s string) bool { return s == \"magic\" }", []string{`f.Add("magic")`}},
		"pointers may be nil":                      {"type T struct{ A int }\nfunc F(t *T) {}", []string{"var t2 *T", "if !in.rarely()"}},
		"types of the standard library are parsed": {"import \"net/url\"\nfunc F(u *url.URL) {}", []string{"url.Parse("}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got, why := driverOf(t, test.src+"\n")
			for _, want := range test.want {
				if why != "" || !strings.Contains(got, want) {
					t.Errorf("%q is not in\n%s%s", want, got, why)
				}
			}
		})
	}
}

func TestNoDriverLeadsToDanger(t *testing.T) {
	for name, test := range map[string]struct{ src, want string }{
		"directly":              {"import \"os\"\nfunc F(s string) { os.Remove(s) }", "os.Remove, which deletes files"},
		"through a function":    {"import \"os/exec\"\nfunc run(s string) { exec.Command(s) }\nfunc F(s string) { run(s) }", "os/exec.Command, which starts programs"},
		"through a method":      {"import \"os\"\ntype T struct{ f *os.File }\nfunc (t *T) put(s string) { t.f.WriteString(s) }\nfunc F(t *T, s string) { t.put(s) }", "which writes files"},
		"as a value":            {"import \"os\"\nfunc F(s string) { do := os.Exit; do(1) }", "os.Exit, which ends the process"},
		"waiting for ever":      {"func F(n int) { select {} }", "may wait for ever"},
		"nothing to be made of": {"func F(c chan int) {}", "no value of type chan int could be made"},
		"nothing to fuzz":       {"func F() int { return 1 }", "takes nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			if got, why := driverOf(t, test.src+"\n"); !strings.Contains(why, test.want) {
				t.Errorf("got %q\n%s", why, got)
			}
		})
	}
}
