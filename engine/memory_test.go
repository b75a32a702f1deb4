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
		{"ranging over what can be changed", `var l = []*int{new(int)}; func f() { for _, p := range l { *p++ } }`, true},
		{"ranging over what cannot", `var l = []string{"a"}; func f() (n int) { for _, s := range l { n += len(s) }; return n }`, false},
		{"a part that refers to something", `var s struct{ m map[int]int }; func f() { t := s; t.m[1] = 2 }`, true},
		{"asserting", `var x any = new(int); func f() { n := x.(*int); *n = 1 }`, true},
		{"a closure", `var next = count(); func count() func() int { n := 0; return func() int { n++; return n } }
			func f() int { return next() }`, true},
		{"a closure in a map", `var m = map[int]func(){1: count()}; func count() func() { n := 0; return func() { n++ } }
			func f() { m[1]() }`, true},
		{"a closure set by init", `var next func() int; func init() { n := 0; next = func() int { n++; return n } }
			func f() int { return next() }`, true},
		{"functions set by init", `var m map[int]func() int; func init() { m = map[int]func() int{1: g} }; func g() int { return 1 }
			func f() int { return m[1]() }`, false},
		{"a closure handed on", `var next = count(); func count() func() int { n := 0; return func() int { n++; return n } }
			func f() func() int { return next }`, true},
		{"a method value", `var m sync.Map; var load = m.Swap; func f() { load(1, 2) }`, true},
		{"a function in a variable", `var g = func() int { return 1 }; var h = map[int]func() int{1: g}; func f() int { return g() + h[1]() }`, false},
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
				if got := len(remembered(p).names) > 0; got != tt.want {
					t.Errorf("remembers = %t", got)
				}
			}
		})
	}
}

func TestWhatIsComputedOnceIsNoMemory(t *testing.T) {
	const get = `; func get() *regexp.Regexp { once.Do(func() { r = regexp.MustCompile(text) }); return r }`
	tests := []struct {
		name, code, test string
		want             bool
	}{
		{"a variable", `var r *regexp.Regexp; var once sync.Once; const text = "x"` + get, ``, false},
		{"by a function", `var n int; var once sync.Once; func set() { n = 1 }; func get() int { once.Do(set); return n }`, ``, false},
		{"in one variable with what guards it", `var v struct { sync.Once; n int }
			func get() int { v.Do(func() { v.n = 1 }); return v.n }`, ``, false},
		{"a result", `var table = sync.OnceValue(func() map[int]int { m := map[int]int{}; m[1] = 2; return m }); func f() int { return table()[1] }`, ``, false},
		{"the result of a function", `var table = sync.OnceValue(load); func load() string { return "x" }; func f() string { return table() }`, ``, false},

		{"from a parameter", `var n int; var once sync.Once; func get(m int) int { once.Do(func() { n = m }); return n }`, ``, true},
		{"from what changes", `var r *regexp.Regexp; var once sync.Once; var text = "x"; func f() { text += "y" }` + get, ``, true},
		{"from what a function sees change", `var n, m int; var once sync.Once; func f() { m++ }; func see() int { return m }
			func get() int { once.Do(func() { n = see() }); return n }`, ``, true},
		{"from another that is", `var n, m int; var o, p sync.Once; func get(k int) int { o.Do(func() { n = k }); return n }
			func two() int { p.Do(func() { m = get(1) }); return m }`, ``, true},
		{"and seen elsewhere", `var n int; var once sync.Once; func set() { once.Do(func() { n = 1 }) }; func get() int { set(); return n }`, ``, true},
		{"and set again", `var n int; var once sync.Once; func get() int { once.Do(func() { n = 1 }); n++; return n }`, ``, true},
		{"and given out", `var m map[int]int; var once sync.Once; func get() map[int]int { once.Do(func() { m = map[int]int{} }); return m }`, ``, true},
		{"and computed again", `var n int; var once sync.Once; func get() int { once.Do(func() { n = 1 }); return n }`, `once = sync.Once{}`, true},
		{"by a function that others call", `var n int; var once sync.Once; func set() { n = 1 }; func get() int { once.Do(set); set(); return n }`, ``, true},
		{"a result that is changed", `var table = sync.OnceValue(func() map[int]int { return map[int]int{} }); func f() { table()[1] = 2 }`, ``, true},
		{"a result that is given out", `var table = sync.OnceValue(func() map[int]int { return map[int]int{} }); func f() map[int]int { return table() }`, ``, true},
		{"a result of what changes", `var n int; func f() int { n++; return last() }; var last = sync.OnceValue(func() int { return n })`, ``, true},
		{"by a function given to no variable", `type T struct { sync.Once }; var n int; func (t *T) get() int { t.Do(set); return n }; func set() { n = 2 }
			func f(t *T) int { return t.get() }`, ``, true},
		{"by what belongs to no variable", `type T struct { sync.Once; n int }; var v T; func (t *T) get() int { t.Do(func() { t.n = 1 }); return t.n }
			func f() int { return v.get() }`, ``, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, p := range loaded(t, map[string]string{"p.go": tt.code, "p_test.go": "func test() {" + tt.test + "}"}) {
				m := remembered(p)
				m = m.settled(p.Syntax, func(string) bool { return false })
				if got := len(m.names) > 0; got != tt.want {
					t.Errorf("remembers = %t (%q)", got, m.names)
				}
				if !tt.want && len(m.ran) == 0 {
					t.Error("no name leads to what is computed once")
				}
			}
		})
	}
}

func TestNamesLeadToWhatTheyMention(t *testing.T) {
	for _, p := range loaded(t, map[string]string{"p.go": `
		var start = first
		func first() { var s T; println(s.n) }
		type T struct { n N }
		type N int
		func (N) String() string { return told }
		const told = "x"
		func other() { first() }
		var hooks []func(); func init() { hooks = append(hooks, hooked) }; func hooked() {}`}) {
		for from, want := range map[string][]string{
			"start": {"N", "String", "T", "first", "told"},
			"hooks": {"hooked"},
		} {
			led := mentions(p.Syntax, func(string) bool { return false }).from([]string{from})
			for _, name := range want {
				if !led[name] {
					t.Errorf("%s does not lead to %s", from, name)
				}
			}
			if led["other"] {
				t.Errorf("%s leads to other", from)
			}
		}
	}
}

func TestWhatTestsAssignThemselvesIsNoMemoryButWhatTheyHandOn(t *testing.T) {
	code := `var Mode int; var Hook func() int; func New() int { return 1 }; type T struct{ n int }; func (t *T) Add() { t.n++ }`
	for body, want := range map[string]bool{
		`Mode = 1`:                                           false,
		`os.Setenv("P", "1")`:                                false,
		`Mode = New()`:                                       true,
		`Mode = int(int64(len("x")))`:                        false,
		`Hook = func() int { return New() }`:                 false,
		`shared.Add()`:                                       true,
		`func(t *T) { t.Add() }(shared)`:                     true,
		`if shared.n != 0 { panic(shared) }`:                 false,
		`if New() != 1 { Mode++ }`:                           true,
		`if New() != 1 { Mode = 2 }`:                         true,
		`switch { case New() != 1: Mode++ }`:                 true,
		`if err := os.Chdir("x"); err != nil { panic(err) }`: false,
	} {
		files := map[string]string{"p.go": code, "p_test.go": "var shared = new(T)\nfunc f() {" + body + "}"}
		got := false
		for _, p := range loaded(t, files) {
			got = got || len(remembered(p).names) > 0
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
			u.memory.names = []string{"M"}
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
	if got := (&mutant{Mutant: wovenIn("f")}).toPassAgain(tests); !slices.Equal(got, tests[1:]) {
		t.Errorf("%d tests, want all but the steady one", len(got))
	}
	for _, t := range tests {
		t.tried.Store(true)
	}
	if got := (&mutant{Mutant: wovenIn("f")}).toPassAgain(tests); !slices.Equal(got, tests[2:]) {
		t.Errorf("%d tests that were tried, want the one that goes through a map", len(got))
	}
	if got := (&mutant{Mutant: wovenIn("f"), lasts: true}).toPassAgain(tests); !slices.Equal(got, tests[1:]) {
		t.Errorf("%d tests for a mutant that cannot be tried, want all but the steady one", len(got))
	}
	if got := (&mutant{Mutant: wovenIn("f"), lasts: true, unordered: true}).toPassAgain(tests); !slices.Equal(got, tests) {
		t.Errorf("%d tests for a mutant that goes through a map once, want all", len(got))
	}
}

func TestMemoryIsSeenWithoutTheTypesOfImports(t *testing.T) {
	for code, want := range map[string]bool{
		`var m = map[int]int{}; func f() { m[1] = 2 }`:                                          true,
		`var mu sync.Mutex; func f() { mu.Lock() }`:                                             true,
		`var e = missing.New(); func f() any { return e }`:                                      true,
		`var m sync.Map; func f() { m.Store(1, 2) }`:                                            true,
		`var s = "x"; func f() string { return strings.ToUpper(s) }`:                            false,
		`func f() string { return strings.Repeat(strings.ToUpper("x"), 2) }`:                    false,
		`func f(b []byte) { a := missing.Address(b); b = append(append(b, a.String()...), 1) }`: false,
	} {
		dir := t.TempDir()
		text := "package p\nimport (\"strings\"; \"sync\"; \"example.com/missing\")\n" + code
		if err := os.WriteFile(filepath.Join(dir, "p.go"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := len(remembered(known{}.check(&gotool.Package{ImportPath: "p", Dir: dir, GoFiles: []string{"p.go"}})).names) > 0; got != want {
			t.Errorf("%s: remembers = %t, want %t", code, got, want)
		}
	}
}

// loaded returns a package of files, with the variant that its tests make, as
// analyses load it. They may use some packages of the standard library.
func loaded(t *testing.T, files map[string]string) []*packages.Package {
	t.Helper()
	dir := t.TempDir()
	const header = "package p\n\nimport (\n\"context\"\n\"errors\"\n\"fmt\"\n\"io\"\n\"os\"\n\"reflect\"\n\"regexp\"\n\"sort\"\n\"strings\"\n\"sync\"\n)\n\n" +
		"var _ context.Context\nvar _ = errors.New\nvar _ = fmt.Sprint\nvar _ io.Writer\nvar _ reflect.Type\nvar _ strings.Builder\nvar _ = os.Args\nvar _ *regexp.Regexp\nvar _ = sort.Ints\nvar _ sync.Locker\n"
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(header+text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/p\n\ngo 1.23\n"), 0o600); err != nil {
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
