package callgraph

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/mutantfuzz/mutantfuzz/engine/program"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
)

// writeModule writes the files of a txtar archive, with a go.mod if it has none.
func writeModule(t *testing.T, archive string) gotool.Go {
	t.Helper()
	dir := t.TempDir()
	files := txtar.Parse([]byte(archive)).Files
	if !slices.ContainsFunc(files, func(f txtar.File) bool { return f.Name == "go.mod" }) {
		files = append(files, txtar.File{Name: "go.mod", Data: []byte("module m\n\ngo 1.24\n")})
	}
	for _, f := range files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return gotool.Go{Dir: dir, Env: append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=mod")}
}

// graphIn builds the graph of all packages in a module and all their tests.
func graphIn(t *testing.T, archive string) *Graph {
	t.Helper()
	g, _, _ := graphOf(t, writeModule(t, archive), []string{"./..."})
	return g
}

// In each module, TestX of package m may reach the functions whose names begin with Yes, and none that begins with No.
var reachTests = []struct {
	name, source, test string
}{
	{
		name:   "calls and calls of calls",
		source: `func YesA() { YesB() }; func YesB() {}; func No() {}`,
		test:   `func TestX(t *testing.T) { YesA() }; func TestOther(t *testing.T) { No() }`,
	},
	{
		name: "methods of types that become an interface",
		source: `type I interface{ Do() }
			type A struct{}; func (A) Do() { YesA() }; func YesA() {}
			type B struct{}; func (*B) Do() { YesB() }; func YesB() {}
			type C struct{}; func (C) Do() { No() }; func No() {}
			func use(i I) { i.Do() }`,
		test: `func TestX(t *testing.T) { use(A{}); use(&B{}); _ = C{} }; func TestOther(t *testing.T) { use(C{}) }`,
	},
	{
		name: "unexported methods through an interface, and only where one is called",
		source: `type I interface{ yes() }; type J interface{ no() }
			type A struct{}; func (A) yes() { Yes() }; func (A) no() { No() }; func Yes() {}; func No() {}
			func use(i I) { i.yes() }`,
		test: `func TestX(t *testing.T) { use(A{}) }; var _ J = nil`,
	},
	{
		name:   "method values and method expressions",
		source: `type T struct{}; func (T) YesValue() {}; func (*T) YesExpression() {}; func (*T) No() {}; func call(f func()) { f() }`,
		test:   `func TestX(t *testing.T) { call(T{}.YesValue); f := (*T).YesExpression; f(nil) }`,
	},
	{
		name: "functions stored in a struct and in a map",
		source: `type command struct{ run func() }; func YesField() {}; func YesMap() {}; func No() {}
			func commands() map[string]command { return map[string]command{"a": {YesField}, "b": {run: YesMap}} }`,
		test: `func TestX(t *testing.T) { commands()["a"].run() }`,
	},
	{
		name:   "functions in the value of a package variable",
		source: `func YesA() {}; func YesB() {}; var table = []func(){YesA, func() { YesB() }}`,
		test:   `func TestX(t *testing.T) { table[0]() }`,
	},
	{
		name:   "functions handed to the standard library",
		source: `func Yes(r rune) rune { return r }; func No() {}`,
		test:   `func TestX(t *testing.T) { strings.Map(Yes, "a") }`,
	},
	{
		name:   "closures that are returned",
		source: `func YesMake() func() { return func() { YesInner() } }; func YesInner() {}; func No() {}`,
		test:   `func TestX(t *testing.T) { YesMake()() }`,
	},
	{
		name: "instances of generic functions and types, by their arguments",
		source: `type T struct{}; func (T) Do() { YesT() }; func YesT() {}
			type U struct{}; func (U) Do() { No() }; func No() {}
			func YesCall[E interface{ Do() }](e E) { e.Do() }
			type Box[E any] struct{ e E }; func (b Box[E]) YesShow() string { return fmt.Sprint(b.e) }
			type S struct{}; func (S) String() string { return YesS() }; func YesS() string { return "" }`,
		test: `func TestX(t *testing.T) { YesCall(T{}); Box[S]{}.YesShow() }; func TestOther(t *testing.T) { YesCall(U{}) }`,
	},
	{
		name:   "methods that a generic function elsewhere may call on its arguments",
		source: `type T struct{}; func (T) Compare(T) int { return Yes() }; func Yes() int { return 0 }; func No() {}`,
		test:   `func TestX(t *testing.T) { slices.Index([]T{}, T{}) }`,
	},
	{
		name: "methods promoted from embedded types and interfaces",
		source: `type A struct{}; func (A) Do() { YesDo() }; func (*A) YesPointer() {}; func YesDo() {}
			type B struct{ A }; type I interface{ Do() }; type C struct{ I }; func use(i I) { i.Do() }
			type D struct{}; func (D) Do() { No() }; func No() {}`,
		test: `func TestX(t *testing.T) { b := &B{}; b.YesPointer(); use(C{I: b}) }`,
	},
	{
		name:   "what init functions and initial values call",
		source: `func init() { register(YesA) }; var x = YesB(); func YesB() int { return 0 }; func YesA() {}; var all []func(); func register(f func()) { all = append(all, f) }; func No() {}`,
		test:   `func TestX(t *testing.T) {}`,
	},
	{
		name:   "what TestMain calls",
		source: `func Yes() {}; func No() {}`,
		test:   `func TestMain(m *testing.M) { Yes(); m.Run() }; func TestX(t *testing.T) {}; func TestOther(t *testing.T) { No() }`,
	},
	{
		name:   "methods that a template calls by name, on what another one returns",
		source: `type T struct{}; func (T) YesFirst() *U { return nil }; type U struct{}; func (*U) YesSecond() int { return 0 }; type V struct{}; func (V) No() {}`,
		test:   `func TestX(t *testing.T) { template.Must(template.New("").Parse("{{.YesFirst.YesSecond}}")).Execute(io.Discard, T{}) }`,
	},
	{
		name:   "methods that encoding/json calls, on parts of a value that is not there yet",
		source: `type T struct{ List []struct{ K map[string]U } }; type U struct{}; func (*U) UnmarshalJSON([]byte) error { Yes(); return nil }; func Yes() {}; func No() {}`,
		test:   `func TestX(t *testing.T) { json.Unmarshal(nil, new(T)) }`,
	},
	{
		name:   "literals that are deferred, started or ranged over",
		source: `func YesA() {}; func YesB() {}; func YesC(yield func(int) bool) {}; func YesD() {}; func No() {}`,
		test:   `func TestX(t *testing.T) { defer func() { YesA() }(); go func() { YesB() }(); for range YesC { YesD() } }`,
	},
	{
		name:   "tests that a test starts in a process of their own",
		source: `func Yes() {}`,
		test:   `func TestX(t *testing.T) { exec.Command(os.Args[0], "-test.run=TestHelper").Run() }; func TestHelper(t *testing.T) { Yes() }`,
	},
}

const testImports = `import ("encoding/json"; "fmt"; "io"; "os"; "os/exec"; "slices"; "strings"; "testing"; "text/template")
	var _, _, _, _, _, _, _, _, _ = json.Valid, fmt.Sprint, io.EOF, os.Args, exec.Command, slices.Sort[[]int], strings.Map, testing.Short, template.New
`

func TestReach(t *testing.T) {
	for _, test := range reachTests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			g := graphIn(t, "-- m.go --\npackage m\nimport \"fmt\"\nvar _ = fmt.Sprint\n"+test.source+
				"\n-- m_test.go --\npackage m\n"+testImports+test.test+"\n")
			expect(t, g, "m", "TestX")
		})
	}
}

func TestMethodsThatOnlyReflectionCouldCallAreReachedAndNotCalled(t *testing.T) {
	const source = `
-- m.go --
package m

type Shower interface{ Show() }

type T struct{}

func (T) Show()   {}
func (T) Other()  {}
func (T) String() string { return "" }
func (T) Is(error) bool { return false }
-- m_test.go --
package m

import (
	"fmt"
	"io"
	"reflect"
	"testing"
	"text/template"
)

func TestPrint(t *testing.T) { fmt.Sprint(T{}) }

func TestTemplate(t *testing.T) { template.Must(template.New("").Parse("{{.Other}}")).Execute(io.Discard, T{}) }

func TestByName(t *testing.T) { reflect.ValueOf(T{}).MethodByName("Other").Call(nil) }

func TestCall(t *testing.T) { T{}.Other() }
`
	g := graphIn(t, source)
	for test, called := range map[string]bool{"TestPrint": false, "TestTemplate": true, "TestByName": true, "TestCall": true} {
		if may, _ := g.Reach("m", test); test != "TestCall" && may["m.T.Other"] == 0 {
			t.Errorf("%s cannot reach the method at all", test)
		}
		calls, known := g.Calls("m", test)
		if !known || (calls["m.T.Other"] > 0) != called {
			t.Errorf("%s: the method is called: %t, want %t", test, calls["m.T.Other"] > 0, called)
		}
		for _, method := range []string{"m.T.Show", "m.T.String", "m.T.Is"} {
			if test == "TestPrint" && calls[method] == 0 {
				t.Errorf("%s, which an interface has, is not called", method)
			}
		}
	}
}

// expect checks that the named tests of pkg may reach all functions whose names begin with Yes, and none whose name
// begins with No.
func expect(t *testing.T, g *Graph, pkg string, names ...string) {
	t.Helper()
	may, known := g.Reach(pkg, names...)
	if !known {
		t.Fatalf("nothing is known of %s", pkg)
	}
	checked := 0
	for _, s := range g.sources {
		for _, f := range g.functions(s) {
			id := g.id(f)
			name := id[strings.LastIndexByte(id, '.')+1:]
			_, reached := may[id]
			switch {
			case strings.HasPrefix(name, "Yes") && !reached:
				t.Errorf("%s is not reached", id)
			case strings.HasPrefix(name, "No") && reached:
				t.Errorf("%s is reached", id)
			case strings.HasPrefix(name, "Yes"):
				checked++
			}
		}
	}
	if checked == 0 {
		t.Error("nothing is reached")
	}
}

func TestReachAcrossPackages(t *testing.T) {
	g := graphIn(t, `
-- a/a.go --
package a

type Visitor interface{ Visit() }

func Walk(v Visitor) { v.Visit(); YesA() }

func YesA() {}

func yesHidden() { YesHidden() }

func YesHidden() {}

func NoA() {}
-- a/export_test.go --
package a

var Hidden = yesHidden
-- a/a_test.go --
package a_test

import (
	"testing"

	"m/a"
	"m/b"
)

func TestX(t *testing.T) { a.Walk(b.V{}); a.Hidden() }
-- b/b.go --
package b

import "m/a"

type V struct{}

func (V) Visit() { YesB() }

func YesB() {}

func NoB() { a.NoA() }
-- b/b_test.go --
package b

import "testing"

func TestNo(t *testing.T) { NoB() }
`)
	expect(t, g, "m/a", "TestX")
	expect(t, g, "m/a")
	if may, _ := g.Reach("m/b", "TestNo"); may["m/b.NoB"] != 1 || may["m/a.NoA"] != 2 {
		t.Errorf("m/b.NoB should be one step away and m/a.NoA two: %v", may)
	}
}

func TestTargetsAreOfTheKindThatGoTestKnows(t *testing.T) {
	g := graphIn(t, `
-- m.go --
package m

func FuzzOld(data []byte) int { return 0 }
-- m_test.go --
package m

import "testing"

func FuzzIn(f *testing.F) {}

func FuzzyMatch(t *testing.T) {}

func Fuzzer(f *testing.F) {}
-- x_test.go --
package m_test

import "testing"

func FuzzOut(f *testing.F) {}
`)
	names, known := g.Targets("m")
	if want := []string{"FuzzIn", "FuzzOut"}; !known || !slices.Equal(names, want) {
		t.Errorf("targets are %v, not %v", names, want)
	}
}

func TestNothingIsKnownOfTestsThatLinkWhatCannotBeRead(t *testing.T) {
	g := graphIn(t, `
-- fine/fine.go --
package fine

func Yes() {}
-- fine/fine_test.go --
package fine

import "testing"

func TestX(t *testing.T) { Yes() }
-- broken/broken.go --
package broken

import "m/fine"

func F() int { return fine.Missing }
-- between/a.go --
package between

func A() {}
-- between/between.go --
package between

import "m/broken"

func F() int { return broken.F() }
-- above/above_test.go --
package above

import (
	"testing"

	"m/between"
)

func TestX(t *testing.T) { between.F() }
-- test/test.go --
package test
-- test/test_test.go --
package test

import "testing"

func TestX(t *testing.T) { undefined() }
-- c/c.go --
package c

// int f(void);
import "C"

func F() { C.f() }
-- c/c_test.go --
package c

import "testing"

func TestX(t *testing.T) { F() }
`)
	expect(t, g, "m/fine", "TestX")
	for _, pkg := range []string{"m/above", "m/test", "m/c", "m/missing"} {
		if _, known := g.Reach(pkg); known {
			t.Errorf("%s is known", pkg)
		}
	}
	if _, known := g.Reach("m/fine", "TestMissing"); known {
		t.Error("a test that there is not is known")
	}
}

func TestAssemblyMayCallItsPackageAndLinkNamesTheirTargets(t *testing.T) {
	g := graphIn(t, `
-- m.go --
package m

import _ "unsafe"

func assembly()

func YesFromAssembly() {}

//go:linkname pulled m/other.yes
func pulled()

//go:linkname YesPushed elsewhere.pushed
func YesPushed() {}
-- m.s --
-- m_test.go --
package m

import (
	"testing"

	_ "m/other"
)

func TestX(t *testing.T) { assembly(); pulled() }
-- other/other.go --
package other

func yes() { Yes() }

func Yes() {}
-- none/none.go --
package none

func No() {}
`)
	expect(t, g, "m", "TestX")
}

func TestCancelledBuildIsAnError(t *testing.T) {
	p := &program.Program{Packages: map[string]*gotool.Package{"m": {ImportPath: "m", Name: "m"}}}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Build(ctx, p, []string{"m"}); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}
