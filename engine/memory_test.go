package engine

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/go/packages"
)

func TestFunctionsThatChangePackageVariablesAreSeen(t *testing.T) {
	tests := []struct {
		name, code string
		want       bool
	}{
		{"reading", `var n = 1; var m = map[string]int{}; var r = regexp.MustCompile("x"); var e = errors.New("e")
			func f(s string) (int, error) { return n + m[s] + len(m) + len(r.FindString(s)), e }`, false},
		{"initialising", `var m map[string]int; func init() { m = map[string]int{} }; func f() int { return m["x"] }`, false},
		{"locals", `func f() int { n := 1; n++; m := map[int]int{}; m[n] = n; return m[n] }`, false},
		{"assigning", `var n int; func f() { n = 1 }`, true},
		{"counting", `var n int; func f() { n++ }`, true},
		{"writing into a map", `var m = map[int]int{}; func f() { m[1] = 2 }`, true},
		{"writing into a part", `var s struct{ a [2]int }; func f() { s.a[1] = 2 }`, true},
		{"deleting", `var m = map[int]int{}; func f() { delete(m, 1) }`, true},
		{"handing out the address", `var n int; func f() *int { return &n }`, true},
		{"locking", `var mu sync.Mutex; func f() { mu.Lock() }`, true},
		{"once", `var once sync.Once; func f() { once.Do(func() {}) }`, true},
		{"storing", `var m = new(sync.Map); func f() { m.Store(1, 2) }`, true},
		{"sorting", `var s = []string{"b", "a"}; func f() { sort.Strings(s) }`, true},
		{"sending", `var c = make(chan int, 1); func f() { c <- 1 }`, true},
		{"receiving", `var c = make(chan int, 1); func f() int { return <-c }`, true},
		{"handing on", `var m = map[int]int{}; func f() { g(m) }; func g(m map[int]int) { m[1] = 2 }`, true},
		{"under another name", `var m = map[int]int{}; func f() { n := m; n[1] = 2 }`, true},
		{"giving out", `var m = map[int]int{}; func f() map[int]int { return m }`, true},
		{"giving out within something", `var m = map[int]int{}; func f() []map[int]int { return []map[int]int{m} }`, true},
		{"a literal in a variable", `var n int; var f = func() { n++ }`, true},
		{"within a literal", `var n int; func f() func() { return func() { n = 1 } }`, true},
		{"in a method", `var n int; type T int; func (T) init() { n = 1 }`, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			source := "package p\n\nimport (\n\"errors\"\n\"regexp\"\n\"sort\"\n\"sync\"\n)\n\nvar _ = errors.New\nvar _ *regexp.Regexp\nvar _ = sort.Ints\nvar _ sync.Locker\n" + tt.code + "\n"
			for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.21\n", "p.go": source} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			list, err := packages.Load(&packages.Config{Mode: loadMode, Dir: dir}, ".")
			if err != nil {
				t.Fatal(err)
			}
			if len(list) != 1 || len(list[0].Errors) > 0 {
				t.Fatal(list[0].Errors)
			}
			if got := remembers(list[0]); got != tt.want {
				t.Errorf("remembers = %t", got)
			}
		})
	}
}

func TestVariablesThatAFunctionMayChangeAreNamed(t *testing.T) {
	const source = `package p

		var counter, limit int
		var table = map[string][]int{}
		var queue = make(chan int, 1)

		func f(key string) {
			counter++
			if counter < limit {
				table[key] = nil
				go func() { queue <- 1; counter = 0 }()
			}
		}`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	if _, err := new(types.Config).Check("p", fset, []*ast.File{file}, info); err != nil {
		t.Fatal(err)
	}
	body := file.Decls[len(file.Decls)-1].(*ast.FuncDecl).Body
	if got := changedVariables(info, body); !slices.Equal(got, []string{"counter", "queue", "table"}) {
		t.Errorf("changed are %q", got)
	}
}
