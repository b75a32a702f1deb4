package engine

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
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
		{"handing on an interface", `var l sync.Locker = new(sync.Mutex); func f() { g(l) }; func g(l sync.Locker) { l.Lock() }`, true},
		{"setting the environment", `func f() { os.Setenv("P", "1") }`, true},
		{"writing files", `func f() error { return os.WriteFile("p", nil, 0o600) }`, true},
		{"reading the environment", `func f() string { return os.Getenv("P") }`, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, p := range loaded(t, map[string]string{"p.go": tt.code}) {
				if got := len(remembered(p)) > 0; got != tt.want {
					t.Errorf("remembers = %t", got)
				}
			}
		})
	}
}

func TestWhatTestsAssignThemselvesIsNoMemoryButWhatTheyHandOn(t *testing.T) {
	code := `var Mode int; type T struct{ n int }; func (t *T) Add() { t.n++ }`
	for body, want := range map[string]bool{
		`Mode = 1`:                           false,
		`os.Setenv("P", "1")`:                false,
		`shared.Add()`:                       true,
		`func(t *T) { t.Add() }(shared)`:     true,
		`if shared.n != 0 { panic(shared) }`: false,
	} {
		files := map[string]string{"p.go": code, "p_test.go": "var shared = new(T)\nfunc f() {" + body + "}"}
		got := false
		for _, p := range loaded(t, files) {
			got = got || len(remembered(p)) > 0
		}
		if got != want {
			t.Errorf("%s: remembers = %t, want %t", body, got, want)
		}
	}
}

func TestTestsThatRangeOverMapsMayNotAlwaysDoTheSameWhereSomethingIsLeft(t *testing.T) {
	list := loaded(t, map[string]string{
		"p.go":      `var M map[int]int; func F() { for range M {} }`,
		"p_test.go": `func each() { for range M {} }; func none() { F() }; func literal() { func() { for range M {} }() }`,
	})
	for _, memory := range []bool{true, false} {
		u := &unit{typed: &typed{touched: list}}
		if memory {
			u.memory = []string{"M"}
		}
		want := []string{"each", "literal"}
		if !memory {
			want = nil
		}
		if got := u.inAnyOrder("example.com/p"); !slices.Equal(got, want) {
			t.Errorf("memory %t: %q, want %q", memory, got, want)
		}
	}
}

func TestWhereOnlyTheFirstTimeTellsATrialIsNoPass(t *testing.T) {
	steady, clock, ordered := &test{suite: &suite{}}, &test{suite: &suite{}, unsteady: true}, &test{suite: &suite{}, inAnyOrder: true}
	tests := []*test{steady, clock, ordered}
	if got := toPassAgain(tests); !slices.Equal(got, tests[1:]) {
		t.Errorf("%d tests, want all but the steady one", len(got))
	}
	for _, t := range tests {
		t.tried.Store(true)
	}
	if got := toPassAgain(tests); !slices.Equal(got, tests[2:]) {
		t.Errorf("%d tests that were tried, want the one that goes through a map", len(got))
	}
}

func TestMemoryIsSeenWithoutTheTypesOfImports(t *testing.T) {
	for code, want := range map[string]bool{
		`var m = map[int]int{}; func f() { m[1] = 2 }`:                       true,
		`var mu sync.Mutex; func f() { mu.Lock() }`:                          true,
		`var e = missing.New(); func f() any { return e }`:                   true,
		`var m sync.Map; func f() { m.Store(1, 2) }`:                         true,
		`var s = "x"; func f() string { return strings.ToUpper(s) }`:         false,
		`func f() string { return strings.Repeat(strings.ToUpper("x"), 2) }`: false,
	} {
		dir := t.TempDir()
		text := "package p\nimport (\"strings\"; \"sync\"; \"example.com/missing\")\n" + code
		if err := os.WriteFile(filepath.Join(dir, "p.go"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := len(remembered(known{}.check(&gotool.Package{ImportPath: "p", Dir: dir, GoFiles: []string{"p.go"}}))) > 0; got != want {
			t.Errorf("%s: remembers = %t, want %t", code, got, want)
		}
	}
}

// loaded returns a package of files, with the variant that its tests make, as
// analyses load it. They may use some packages of the standard library.
func loaded(t *testing.T, files map[string]string) []*packages.Package {
	t.Helper()
	dir := t.TempDir()
	const header = "package p\n\nimport (\n\"errors\"\n\"os\"\n\"regexp\"\n\"sort\"\n\"sync\"\n)\n\n" +
		"var _ = errors.New\nvar _ = os.Args\nvar _ *regexp.Regexp\nvar _ = sort.Ints\nvar _ sync.Locker\n"
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(header+text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/p\n\ngo 1.21\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	list, err := packages.Load(&packages.Config{Mode: loadMode, Dir: dir, Tests: true}, ".")
	if err != nil {
		t.Fatal(err)
	}
	list = slices.DeleteFunc(list, func(p *packages.Package) bool {
		return strings.HasSuffix(p.ID, ".test") || len(list) > 1 && p.ForTest == ""
	})
	if len(list) != 1 || len(list[0].Errors) > 0 {
		t.Fatal(list)
	}
	return list
}
