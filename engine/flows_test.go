package engine

import "testing"

func TestWhatVariablesReferToIsFollowedWithinThePackage(t *testing.T) {
	tests := []struct {
		name, code string
		want       bool
	}{
		{"a local that is read", `var m = map[int]int{}; func f() int { n := m; n = m; return n[1] }`, false},
		{"a local that is set again", `var m = map[int]int{}; func f() int { n := m; n = nil; return len(n) }`, false},
		{"a declared local that is written to", `var m = map[int]int{}; func f() { var n = m; n[1] = 2 }`, true},
		{"a local of a local", `var m = map[int]int{}; func f() { n := m; o := n; o[1] = 2 }`, true},
		{"a converted one", `type M map[int]int; var m = M{}; func f() { n := map[int]int(m); n[1] = 2 }`, true},
		{"a part of an array", `var a [3]int; func f() { s := a[1:]; s[0] = 1 }`, true},
		{"two values at once", `var m, o = map[int]int{}, 1; func f() { n, p := m, o; n[p] = 2 }`, true},
		{"an element that is written to", `var m = map[int]*int{}; func f() { if p, ok := m[1]; ok { *p = 2 } }`, true},
		{"an element that is read", `var m = map[int]*int{}; func f() int { if p, ok := m[1]; ok { return *p }; return 0 }`, false},
		{"appending", `var s = make([]int, 0, 1); func f() int { return len(append(s, 1)) }`, true},
		{"appended", `var s = []int{1}; func f() []int { return append([]int(nil), s...) }`, false},
		{"appended as an element", `var s = []int{1}; func f() [][]int { return append([][]int(nil), s) }`, true},
		{"appended pointers", `var s = []*int{new(int)}; func f() []*int { return append([]*int(nil), s...) }`, true},
		{"copied", `var s = []int{1}; func f(d []int) { copy(d, s) }`, false},
		{"copied to", `var s = []int{1}; func f(d []int) { copy(s, d) }`, true},
		{"cleared", `var m = map[int]int{}; func f() { n := m; delete(n, 1) }`, true},

		{"a parameter that is read", `var m = map[int]int{}; func f() int { return g(m) }; func g(m map[int]int) int { return m[1] }`, false},
		{"one of several", `var m = map[int]int{}; func f() { g(1, nil, m) }; func g(n int, list ...map[int]int) { for _, m := range list { m[n] = 2 } }`, true},
		{"a parameter handed on", `var m = map[int]int{}; func f() { g(m) }; func g(m map[int]int) { h(m) }; func h(m map[int]int) { m[1] = 2 }`, true},
		{"a parameter given back", `var m = map[int]int{}; func f() { g(m)[1] = 2 }; func g(m map[int]int) map[int]int { return m }`, true},
		{"a named result", `var m = map[int]int{}; func f() { g()[1] = 2 }; func g() (n map[int]int) { n = m; return }`, true},
		{"a parameter of any type that is read", `var m = map[int]int{}; func f() int { return g(m) }; func g[T any](list map[int]T) int { return len(list) }`, false},
		{"a parameter of any type", `var s = []int{1}; func f() { g(s, 2) }; func g[T any](list []T, v T) { list[0] = v }`, true},
		{"a parameter of any type, named", `var s = []int{1}; func f() { g[int](s, 2) }; func g[T any](list []T, v T) { list[0] = v }`, true},
		{"a function elsewhere", `var s = []string{"b"}; func f() { t := s; sort.Strings(t) }`, true},
		{"a function elsewhere that reads", `var s = []string{"b"}; func f() int { return sort.SearchStrings(s, "b") }`, false},
		{"a literal", `var m = map[int]int{}; func f() { func(m map[int]int) { m[1] = 2 }(m) }`, true},
		{"a literal with a name", `var m = map[int]int{}; func f() { g := func(m map[int]int) { m[1] = 2 }; g(m) }`, true},
		{"a literal around", `var m = map[int]int{}; func f() func() { n := m; return func() { n[1] = 2 } }`, true},

		{"a method that reads", `type T struct{ n int }; var v = &T{1}; func f() int { return v.get() }; func (t *T) get() int { return t.n }`, false},
		{"a method that writes", `type T struct{ n int }; var v = &T{1}; func f() { v.set() }; func (t *T) set() { t.n = 1 }`, true},
		{"a method that calls one", `type T struct{ n int }; var v T; func f() { v.get() }; func (t *T) get() { t.set() }; func (t *T) set() { t.n++ }`, true},
		{"a method on a copy", `type T struct{ n int }; var v T; func f() int { return v.set() }; func (t T) set() int { t.n = 1; return t.n }`, false},
		{"a method on a copy that refers", `type T struct{ m map[int]int }; var v T; func f() { v.set() }; func (t T) set() { t.m[1] = 1 }`, true},
		{"a method of a part", `type T struct{ n int }; var v struct{ t T }; func f() { v.t.set() }; func (t *T) set() { t.n = 1 }`, true},
		{"a method of an embedded part", `type T struct{ n int }; var v struct{ *T }; func f() { v.set() }; func (t *T) set() { t.n = 1 }`, true},
		{"a method of any type", `type T[E any] struct{ e E }; var v T[int]; func f() { v.set(1) }; func (t *T[E]) set(e E) { t.e = e }`, true},
		{"a method that any value may have", `type I interface{ get() int }; var v I; func f() int { return v.get() }`, true},
		{"a method that is handed on", `type T struct{ n int }; var v = T{}; func f() func() { return v.set }; func (t *T) set() { t.n = 1 }`, true},
		{"a method as a function", `type T struct{ n int }; var v T; func f() { (*T).set(&v) }; func (t *T) set() { t.n = 1 }`, true},
		{"a lock in a part", `type T struct{ mu sync.Mutex }; var v = new(T); func f() { v.lock() }; func (t *T) lock() { t.mu.Lock() }`, true},

		{"a field that is read", `type t struct{ m []int }; var table = []int{1}; func f(v *t) int { v.m = table; return v.m[0] }`, false},
		{"a field that is written to", `type t struct{ m []int }; var table = []int{1}; func f(v *t) { v.m = table }; func g(v *t) { v.m[0] = 1 }`, true},
		{"a field set in a literal", `type t struct{ m []int }; var table = []int{1}; func f() *t { return &t{m: table} }; func g(v *t) { v.m[0] = 1 }`, true},
		{"a field set in a short literal", `type t struct{ m []int }; var table = []int{1}; func f() *t { return &t{table} }; func g(v *t) { v.m[0] = 1 }`, true},
		{"a field set in a literal and read", `type t struct{ m []int }; var table = []int{1}; func f() *t { return &t{table} }; func g(v *t) int { return v.m[0] }`, false},
		{"a field set at first", `type t struct{ m []int }; var table, one = []int{1}, &t{table}; func g(v *t) { v.m[0] = 1 }`, true},
		{"a field set by init", `type t struct{ m []int }; var table, one = []int{1}, new(t); func init() { one.m = table }; func g(v *t) { v.m[0] = 1 }`, true},
		{"a field that others see", `type T struct{ M []int }; var table = []int{1}; func f() *T { return &T{M: table} }`, true},
		{"a field of any type", `type t[E any] struct{ m []E }; var table = []int{1}; func f(v *t[int]) { v.m = table }; func (v *t[E]) g(e E) { v.m[0] = e }`, true},
		{"a field of an embedded type", `type b struct{ m []int }; type t struct{ b }; var table = []int{1}
			func f(v *t) { v.m = table }; func g(v *t) { v.b.m[0] = 1 }`, true},
		{"a field that is given out", `type t struct{ m []int }; var table = []int{1}; func f(v *t) { v.m = table }; func (v *t) Table() []int { return v.m }`, true},
		{"an embedded value that is written to", `type b struct{ n int }; type t struct{ *b }; var one = new(b)
			func f(v *t) { v.b = one }; func g(v *t) { v.n = 1 }`, true},

		{"within a literal that is read", `type T struct{ M []int }; var table = []int{1}; func f() int { x := T{M: table}; return x.M[0] }`, false},
		{"within a literal that is written to", `type T struct{ M []int }; var table = []int{1}; func f() { x := &T{M: table}; y := x; y.M[0] = 2 }`, true},
		{"within literals", `var table = []int{1}; func f() int { n := 0; for _, t := range [][]int{table} { n += t[0] }; return n }`, false},
		{"within literals that are written to", `var table = []int{1}; func f() { for _, t := range []struct{ T [][]int }{{[][]int{table}}} { t.T[0][0]++ } }`, true},
		{"within a map", `var table = []int{1}; func f() int { return map[string][]int{"x": table}["x"][0] }`, false},
		{"within a map that is written to", `var table = []int{1}; func f() { map[string][]int{"x": table}["x"][0] = 2 }`, true},
		{"within a literal that is handed on", `type T struct{ M []int }; var table = []int{1}; func f() int { return g(&T{table}) }; func g(t *T) int { t.M[0] = 2; return 1 }`, true},
		{"within a slice", `var table = []int{1}; func f() int { var l [][]int; l = append(l, table); return l[0][0] }`, false},
		{"within a slice that is written to", `var table = []int{1}; func f() { var l [][]int; l = append(l, table[:1]); l[0][0] = 2 }`, true},
		{"a slice that is used again", `var s = make([]int, 0, 9); func f() { t := s[:0]; t = append(t, 1) }`, true},
		{"a slice of any type that is used again", `var s = make([]int, 0, 9); func f() { g(s[:0], 1) }; func g[T any](l []T, v T) { l = append(l, v) }`, true},
		{"a slice within something that is used again", `var s struct{ l [9]int }; func f() { t := &s; u := t.l[:0]; u = append(u, 1) }`, true},
		{"a list of any type that refers to itself", `type L[E any] struct { next *L[E]; all []*L[E]; e E }; var first = &L[int]{}
			func f() int { x := first; return g(x) }; func g(x *L[int]) int { var n []string; n = append(n, "x"); return x.e + len(n) }`, false},
		{"a list whose type has no end but one", `type L[E any] struct { next *L[E]; e []E }; var first = &L[L[int]]{}
			func f() int { return len(g(first)) }; func g(x *L[L[int]]) []L[int] { y := x; return append(y.e[:0], L[int]{}) }`, true},
		{"within a slice at first", `var table = []int{1}; var all = [][]int{table}; func f() int { return all[0][0] + table[0] }`, false},
		{"within a slice at first that is written to", `var table = []int{1}; var all = [][]int{table}; func f() { for _, t := range all { t[0] = 2 } }`, true},
		{"a closure within a literal", `var next = count(); func count() func() { n := 0; return func() { n++ } }
			type T struct{ F func() }; func f() { x := T{F: next}; x.F() }`, true},

		{"printing", `type T struct{ n int }; var v = &T{}; func f() string { return fmt.Sprint(v, 1) }`, false},
		{"printing to it", `var v = new(strings.Builder); func f() { fmt.Fprint(v, 1) }`, true},
		{"printing what says so", `type T struct{ n int }; var v = &T{}; func f() string { return fmt.Sprint(v) }; func (t *T) String() string { return "x" }`, false},
		{"printing what counts that", `type T struct{ n int }; var v = &T{}; func f() string { return fmt.Sprint(v) }; func (t *T) String() string { t.n++; return "x" }`, true},
		{"an error that is kept", `type T struct{ n int }; var v = &T{}; func f() error { return fmt.Errorf("%w", v) }; func (t *T) Error() string { return "x" }`, true},

		{"any type that holds numbers", `var s = [][2]int{{1}}; func f() int { return g(s) }; func g[T interface{ [2]int | [3]int }](list []T) int { t := list[0]; return t[0] }`, false},
		{"any type that may refer", `var s = []*int{new(int)}; func f() { g(s) }; func g[T *int](list []T) { t := list[0]; *t = 1 }`, true},

		{"another variable", `var m = map[int]int{}; var n map[int]int; func f() { n = m }`, true},
		{"another variable at first", `type t struct{ n int }; var m = &t{}; var n = m; func f() { n.n = 1 }`, true},
		{"another variable at first that is read", `type t struct{ n int }; var m = &t{}; var n = m; func f() int { return n.n }`, false},
		{"a type switch", `var x any = map[int]int{}; func f() { switch y := x.(type) { case map[int]int: y[1] = 2 } }`, true},
		{"a type switch that reads", `var x any = map[int]int{}; func f() int { switch y := x.(type) { case map[int]int: return y[1] }; return 0 }`, false},
		{"a closure run by another function", `var next = count(); func count() func() { n := 0; return func() { n++ } }
			func f() { run(next) }; func run(g func()) { g() }`, true},
		{"a function run by another function", `var next = f; func f() {}; func g() { run(next) }; func run(g func()) { g() }`, false},
		{"a closure under other names", `var next = count(); func count() func() { n := 0; return func() { n++ } }
			func f() { g := next; h := g; h() }`, true},
		{"closures ranged over", `var all = []func(){count()}; func count() func() { n := 0; return func() { n++ } }
			func f() { for _, g := range all { g() } }`, true},
		{"functions ranged over", `var all = []func(){f}; func f() {}; func g() { for _, f := range all { f() } }`, false},
		{"a closure ranged over", `var seq = count(); func count() func(func(int) bool) { n := 0; return func(yield func(int) bool) { n++; yield(n) } }
			func f() { for range seq {} }`, true},
		{"a channel ranged over", `var c = make(chan int); func f() { for range c {} }`, true},
		{"a literal set by init", `var n int; var g func(); func init() { g = func() { n++ } }`, true},
		{"comparing", `var s = []int{1}; func f(t []int) bool { return reflect.DeepEqual(s, t) }`, false},
		{"writing it", `var s = []byte("x"); func f(w io.Writer) { w.Write(s) }`, false},
		{"writing it in a way of one's own", `var s = []byte("x"); func f() { w(0).Write(s) }; type w int; func (w) Write(s []byte) (int, error) { s[0] = 1; return 1, nil }`, true},
		{"a key", `type k struct{ s string }; var key = &k{"x"}; func f(c context.Context) any { return context.WithValue(c, key, 1).Value(key) }`, false},
		{"a value with a key", `type k struct{ s string }; var v = &k{"x"}; func f(c context.Context) any { return context.WithValue(c, k{}, v) }`, true},
		{"writing to standard error", `func f() { os.Stderr.WriteString("x") }`, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, p := range loaded(t, map[string]string{"p.go": tt.code}) {
				if got := remembered(p).names; len(got) > 0 != tt.want {
					t.Errorf("remembered: %q", got)
				}
			}
		})
	}
}

func TestBenchmarksLeaveNothing(t *testing.T) {
	for name, want := range map[string]bool{"BenchmarkF()": false, "TestF()": true} {
		files := map[string]string{"p.go": `func F() int { return 1 }`, "p_test.go": "var sink int\nfunc " + name + " { sink = F() }"}
		for _, p := range loaded(t, files) {
			if got := remembered(p).names; len(got) > 0 != want {
				t.Errorf("%s: remembered: %q", name, got)
			}
		}
	}
}
