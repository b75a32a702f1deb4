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
	"sync"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/mutantfuzz/mutantfuzz/engine/danger"
	"github.com/mutantfuzz/mutantfuzz/engine/testfile"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/internal/realcode"
)

var nightly = flag.Bool("nightly", false, "write drivers for all real packages")

// TestDriversOfRealCodeCompile writes and compiles a driver for every function of real packages that can have one, as
// if all of them had changed.
func TestDriversOfRealCodeCompile(t *testing.T) {
	paths := realcode.Packages
	if !*nightly {
		paths = paths[:12]
	}
	list, known, err := realcode.Load(paths...)
	if err != nil {
		t.Fatal(err)
	}
	driven, safe := 0, 0
	reasons := map[string]int{}
	for _, p := range list {
		w := writerFor(p)
		sources := []string{string(w.shared())}
		for _, fn := range realcode.Functions(p) {
			d := w.driver(fn)
			switch why := d.why; {
			case why == "":
				sources = append(sources, string(d.source))
				safe++
			case strings.HasPrefix(why, "it leads to"), strings.HasPrefix(why, "it takes nothing"), !testfile.Callable(fn):
			default:
				safe++
				reasons[why]++
			}
		}
		if err := realcode.Compile(p.Fset, p.PkgPath, p.Syntax, sources, known); err != nil {
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

// writerFor returns a writer for a package. Of what it imports, everything without a dot in its path is of the standard
// library.
func writerFor(p *packages.Package) *writer {
	return newWriter(p, danger.New([]*packages.Package{p}), func(path string) bool {
		return path != p.PkgPath && !strings.Contains(path, ".")
	})
}

var stdOnce = sync.OnceValues(func() (realcode.Importer, error) {
	_, known, err := realcode.Load("net/url")
	return known, err
})

// std returns the packages that the sources in these tests import.
func std(t *testing.T) realcode.Importer {
	t.Helper()
	known, err := stdOnce()
	if err != nil {
		t.Fatal(err)
	}
	return known
}

// checked type-checks a package of one file and, if there are tests, one test file. It also returns its functions.
func checked(t *testing.T, text string, tests ...string) (*packages.Package, []*types.Func) {
	t.Helper()
	fset := token.NewFileSet()
	var files []*ast.File
	for i, text := range append([]string{text}, tests...) {
		file, err := parser.ParseFile(fset, []string{"p.go", "p_test.go"}[i], "package p\n\n"+text, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	p := &packages.Package{
		PkgPath: "example.com/p", Name: "p", Fset: fset, Syntax: files,
		TypesInfo: &types.Info{
			Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{},
			Selections: map[*ast.SelectorExpr]*types.Selection{},
		},
	}
	var err error
	if p.Types, err = (&types.Config{Importer: std(t)}).Check(p.PkgPath, fset, p.Syntax, p.TypesInfo); err != nil {
		t.Fatal(err)
	}
	return p, realcode.Functions(p)
}

// driverOf returns the driver of the last function of a file, or why there is none. It fails the test if the driver
// does not compile.
func driverOf(t *testing.T, text string, tests ...string) (source, why string) {
	t.Helper()
	p, list := checked(t, text, tests...)
	w := writerFor(p)
	d := w.driver(list[len(list)-1])
	if d.why == "" {
		if err := realcode.Compile(p.Fset, p.PkgPath, p.Syntax, []string{string(w.shared()), string(d.source)}, std(t)); err != nil {
			t.Error(err)
		}
	}
	return string(d.source), d.why
}

func TestDriverMakesWhatAFunctionTakes(t *testing.T) {
	tests := map[string]struct {
		src  string
		want []string
	}{
		"basic types are fuzzed as they are":       {"func F(s string, n int8) int { return len(s) }", []string{"s string, n int8", "F(s, n)"}},
		"named types are converted":                {"type Level int\nfunc F(l Level) {}", []string{"l int", "F(Level(l))"}},
		"enumerations have their constants":        {"type Kind uint8\nconst (\n\tA Kind = iota + 1\n\tB\n\tc\n)\nfunc F(k Kind, list []Kind) {}", []string{"F(Kind((*driverInput)(nil).within(int64(k), 1, 3)), list)", "within(int64(uint8(fuzzed.int())), 1, 3)"}},
		"units have any values":                    {"type Size int\nconst (\n\tB  Size = 1\n\tKB Size = 1000\n\tMB Size = 1000000\n)\nfunc F(s Size) {}", []string{"F(Size(s))"}},
		"or are those of the package":              {"type E struct{ Code int }\nfunc (e *E) Error() string { return \"\" }\nvar ErrGone error = &E{}\nfunc F(err error) {}", []string{"err = ErrGone", "err2 := E{Code: ", "err = &err2"}},
		"errors have a text":                       {"func F(err error) {}", []string{`errors.New(`, "!= \"\""}},
		"readers read a string":                    {"import \"io\"\nfunc F(r io.Reader) {}", []string{"F(strings.NewReader(r))"}},
		"lists are filled from bytes":              {"func F(list []string) {}", []string{"data []byte", "append(list, fuzzed.string())"}},
		"iterators are ranged over":                {"import \"iter\"\nfunc F(n int) iter.Seq[string] { return nil }", []string{"result := F(n)", "if result != nil {", "slices.Collect(result)"}},
		"iterators over pairs are, too":            {"func F(n int) func(yield func(string, int) bool) { return nil }", []string{"maps.Collect(result)"}},
		"readers that it gives are read":           {"import \"io\"\nfunc F(n int) (io.Reader, error) { return nil, nil }", []string{"result, _ := F(n)", "if result != nil {", "io.ReadAll(result)"}},
		"file systems have a file":                 {"import \"io/fs\"\nfunc F(files fs.FS, t fs.StatFS) {}", []string{"F(fstest.MapFS{files: {Data: []byte(files2)}}, fstest.MapFS{t2: {Data: []byte(t3)}})"}},
		"what only seeks is not":                   {"import \"io\"\nfunc F(n int) (io.Seeker, error) { return nil, nil }", []string{"\t\tF(n)\n"}},
		"readers of the package's own are, too":    {"type R struct{ n int }\nfunc (r *R) N() int { return r.n }\nfunc (r *R) Read(b []byte) (int, error) { return 0, nil }\nfunc F(n int) *R { return &R{n} }", []string{"result.N()\n\t\t\tio.ReadAll(result)"}},
		"a receiver is asked":                      {"type T struct{ n, m int }\nfunc (t *T) N() int { t.m++; return t.n }\nfunc (t *T) Check() error { return nil }\nfunc (t *T) Set(s string) { t.n = len(s) }", []string{asked("t2.Set(s)", "t2.N()", "t2.Check()") + "\n\t}"}},
		"and nothing is done with it":              {"type T struct{ n int; b [4]byte }\nfunc fill([]byte) error { return nil }\nfunc (t *T) Reset() error { t.n = 0; return nil }\nfunc (t *T) Again() error { return t.Reset() }\nfunc (t *T) Fill() error { return fill(t.b[:]) }\nfunc (t *T) Set(s string) { t.n = len(s) }", []string{"t2.Set(s)\n\n\t}"}},
		"a receiver is asked with arguments":       {"type T struct{ m map[string]int; n int }\nfunc NewT() *T { return &T{m: map[string]int{}} }\nfunc (t *T) Has(k string) bool { _, ok := t.m[k]; return ok }\nfunc (t *T) Size(k string) int { return t.n }\nfunc (t *T) Get(k, l string) (int, bool) { v, ok := t.m[k]; return v, ok }\nfunc (t *T) Take(k string) int { t.n--; return t.m[k] }\nfunc (t *T) Put(k string, v int) { t.m[k] = v }", []string{asked("t2.Put(k, v)") + "\t\tif other {\n\t\t\tt2.Get(k3, l)\n\t\t} else {\n\t\t\tt2.Has(k2)\n\t\t}\n\n\t}"}},
		"a receiver with type parameters, too":     {"type T[K comparable] struct{ m map[K]int }\nfunc NewT[K comparable]() *T[K] { return &T[K]{m: map[K]int{}} }\nfunc (t *T[K]) Has(k K) bool { _, ok := t.m[k]; return ok }\nfunc (t *T[K]) Put(k K) { t.m[k] = 1 }", []string{"t2 := NewT[string]()", asked("t2.Put(k)") + "\t\tt2.Has(k2)\n\n\t}"}},
		"what New makes of nothing is asked":       {"type T struct{ m map[string]int }\nfunc (t *T) Has(k string) bool { _, ok := t.m[k]; return ok }\nfunc (t *T) Put(k string, v int) { t.m[k] = v }\nfunc NewT() *T { return &T{m: map[string]int{}} }", []string{"result := NewT()\n\t\tif result != nil {\n\t\t\tresult.Has(k)\n\t\t}"}},
		"where it says whether it could, too":      {"type T struct{ m map[string]int }\nfunc NewT() *T { return &T{m: map[string]int{}} }\nfunc (t *T) Has(k string) bool { _, ok := t.m[k]; return ok }\nfunc (t *T) Put(k string, v int) bool { t.m[k] = v; return v > 0 }", []string{asked("t2.Put(k, v)") + "\t\tt2.Has(k2)\n\n\t}"}},
		"but not where nothing is altered":         {"type T struct{ m map[string]int }\nfunc NewT() *T { return &T{m: map[string]int{}} }\nfunc (t *T) Has(k string) bool { _, ok := t.m[k]; return ok }\nfunc (t *T) Empty(k string) bool { return t.m[k] == 0 }", []string{"t2.Empty(k)\n\n\t}"}},
		"but one that gives something is not":      {"type T struct{ m map[string]int }\nfunc NewT() *T { return &T{m: map[string]int{}} }\nfunc (t *T) Has(k string) bool { _, ok := t.m[k]; return ok }\nfunc (t *T) Put(k string, v int) int { t.m[k] = v; return v }", []string{"t2.Put(k, v)\n\n\t}"}},
		"what a constructor's writer got is read":  {"import \"io\"\ntype T struct{ w io.Writer }\nfunc NewT(w io.Writer, n int) *T { return &T{w} }\nfunc (t *T) Put(s string) { io.WriteString(t.w, s) }", []string{"buf := new(bytes.Buffer)", "t2 := NewT(buf, n)", asked("t2.Put(s)") + "\t\tbuf.String()"}},
		"maps are made before they are filled":     {"func F(m map[string]int) {}", []string{"m = map[string]int{}", "m[fuzzed.string()] = int(fuzzed.int())"}},
		"so are those of the standard library":     {"import \"net/url\"\nfunc F(v url.Values) {}", []string{"v = url.Values{}", "v[fuzzed.string()] = "}},
		"constructors come before fields":          {"type T struct{ n int }\nfunc NewT(n int) *T { return &T{n} }\nfunc (t *T) Get() int { return t.n }", []string{"t2 := NewT(n)", "t2.Get()"}},
		"constructors' errors are respected":       {"type T struct{ n int }\nfunc ParseT(s string) (T, error) { return T{}, nil }\nfunc (t T) Get() int { return t.n }", []string{":= ParseT(s)", "!= nil {"}},
		"what New puts together comes from it":     {"type T struct{ Name string; Parts []string }\nfunc NewT(name string) T { return T{Name: name} }\nfunc (t T) Get() int { return 0 }", []string{"t2 := NewT(name)", "t2.Get()"}},
		"settings are no arguments of New":         {"type T struct{ Max int }\nfunc NewT() T { return T{} }\nfunc (t T) Get() int { return 0 }", []string{"T{Max: "}},
		"lists of numbers are written as such":     {"type L []float64\nfunc LoadL(raw interface{}) L { return nil }\nfunc (l L) Sum(by int) float64 { return 0 }", []string{"append(l, float64(fuzzed.float()))"}},
		"structs without constructor get fields":   {"type T struct{ A int; b string }\nfunc F(t T) {}", []string{"t2 := T{A: a, b: b}"}},
		"empty bytes in a field are nil":           {"type T struct{ A int; B []byte }\nfunc F(t T) {}", []string{"T{A: a, B: append([]byte(nil), b...)}"}},
		"methods are called before, its own too":   {"type T struct{ n int }\nfunc (t *T) Set(n int) { t.n = n }\nfunc (t *T) Get() int { return t.n }", []string{"switch fuzzed.call(2) - 1", "case 0:\n\t\t\t\tt2.Get()", "case 1:\n\t\t\t\tt2.Set(int(fuzzed.int()))"}},
		"functions return what the input has":      {"func F(f func(int) string) {}", []string{"func(_ int) string { return result }"}},
		"and write what it has":                    {"import \"io\"\nfunc F(f func(io.Writer)) {}", []string{"F(func(out io.Writer) { io.WriteString(out, written) })"}},
		"iterators yield a few values":             {"import \"iter\"\nfunc F(s iter.Seq[int]) {}", []string{"items = append(items, int(fuzzed.int()))", "F(iter.Seq[int](func(yield func(int) bool) {"}},
		"iterators of pairs yield pairs":           {"func F(s func(func(string, bool) bool)) {}", []string{"items2 = append(items2, fuzzed.bool())", "if !yield(items[i], items2[i]) {"}},
		"and the input chooses among them":         {"type I interface{ M() int }\ntype A int\nfunc (a A) M() int { return int(a) }\ntype B string\nfunc (b *B) M() int { return len(*b) }\nfunc F(i I) {}", []string{"case 0:\n\t\t\ti = A(int(fuzzed.int()))\n\t\tcase 1:", "F(i)"}},
		"a driver without bytes asks all":          {"type T struct{ n, m int }\nfunc (t *T) N() int { return t.n }\nfunc (t *T) M() int { return t.m }\nfunc NewT(n int) *T { return &T{n: n} }", []string{"result := NewT(n)\n\t\tif result != nil {\n\t\t\tresult.N()\n\t\t\tresult.M()\n\t\t}"}},
		"an input may leave out an option":         {"type T struct{ n int; s string }\ntype Option func(*T)\nfunc WithN(n int) Option { return func(t *T) { t.n = n } }\nfunc WithS(s string) Option { return func(t *T) { t.s = s } }\nfunc New(o ...Option) *T { return nil }\nfunc (t *T) Get() int { return t.n }", []string{"switch fuzzed.call(1) {\n\t\t\tcase 0:"}},
		"options are chosen":                       {"type T struct{ n int; s string }\ntype Option func(*T)\nfunc WithN(n int) Option { return func(t *T) { t.n = n } }\nfunc WithS(s string) Option { return func(t *T) { t.s = s } }\nfunc New(o ...Option) *T { return nil }\nfunc (t *T) Get() int { return t.n }", []string{"case 0:\n\t\t\t\to = append(o, WithN(int(fuzzed.int())))\n\t\t\tcase 1:\n\t\t\t\to = append(o, WithS(fuzzed.string()))", "New(o...)"}},
		"interfaces have the package's types":      {"type I interface{ M() int }\ntype A int\nfunc (a A) M() int { return int(a) }\nfunc F(i I) {}", []string{"F(A(i))"}},
		"type parameters get types":                {"func F[K comparable, V any](m map[K]V) {}", []string{"F[string, string](m)"}},
		"variadic arguments are a list":            {"func F(names ...string) {}", []string{"F(names...)"}},
		"constants of the function are seeds":      {"func F(s string) bool { return s == \"magic\" }", []string{`f.Add("magic")`}},
		"those of variables that it names, too":    {"var magic = []byte{'m', 1}\nfunc F(s string) bool { return s == string(magic) }", []string{`f.Add("m\x01")`}},
		"pointers may be nil":                      {"type T struct{ A int }\nfunc F(t *T) {}", []string{"var t2 *T", "if !fuzzed.rarely()"}},
		"fields that are optional mostly are nil":  {"import \"time\"\ntype T struct{ N *int; At *time.Time }\nfunc F(t T) {}", []string{"var N *int\n\t\tif fuzzed.bool() {", "var At *time.Time\n\t\tif fuzzed.bool() {"}},
		"types with fields to set need no method":  {"type E struct{ K string; next *E }\ntype L struct{ e *E }\nfunc (l *L) Last() *E { return l.e }\nfunc F(e *E) {}", []string{"var next *E\n\t\t\tif fuzzed.bool() {", "E{K: fuzzed.string(), next: next}"}},
		"others are made by methods":               {"type E struct{ k string; next *E }\ntype L struct{ e *E }\nfunc (l *L) Last() *E { return l.e }\nfunc F(e *E) {}", []string{".Last()"}},
		"zero is no instant":                       {"import \"time\"\nfunc F(at time.Time) {}", []string{"F((*driverInput)(nil).instant(at))"}},
		"anything is of everyday types":            {"func F(v interface{}) {}", []string{"case 1:\n\t\t\tv = fuzzed.string()", "case 13:\n\t\t\tvar dynamic []string"}},
		"anything is of types that are asked for":  {"type T struct{ A int }\nfunc F(v interface{}) bool { _, ok := v.(T); return ok }", []string{"dynamic8 := T{A: ", "v = dynamic8"}},
		"structs are joined where fields are read": {"import (\n\"reflect\"\n\"time\"\n)\nfunc F(v interface{}) int { _ = v.(time.Time); return reflect.ValueOf(v).NumField() }", []string{"for again := true; again; {", "v, again = fuzzed.joined(before, v)", "struct{ field time.Time }{field: ", "B int\n\t\t\t\t}{A: fuzzed.string(), B: "}},
		"options have type arguments":              {"type Option func(int)\nfunc Hide[T any]() Option { return nil }\nfunc Show(n int) Option { return nil }\nfunc F(o ...Option) int { return len(o) }", []string{"o = append(o, Hide[string]())", "o = append(o, Show(int(fuzzed.int())))"}},
		"what is received from is closed":          {"func F(c <-chan string) {}", []string{"make(chan string, 4)", "channel <- fuzzed.string()", "close(channel)", "F(channel)"}},
		"constants have the number of their type":  {"func F(v interface{}) bool { return v == 70000 }", []string{`f.Add([]byte("\x02\x80p\x11\x01`}},
		"handlers can be told from each other":     {"import \"net/http\"\nfunc F(page http.Handler) func(http.Handler) http.Handler { return nil }", []string{"F(http.NotFoundHandler())", "result(http.RedirectHandler(\"/\", 302)).ServeHTTP("}},
		"what a string builder got is read":        {"import \"strings\"\nfunc F(b *strings.Builder, n int) {}", []string{"buf := new(strings.Builder)\n\t\tF(buf, n)\n\t\tbuf.String()"}},
		"several string builders are not":          {"import \"strings\"\nfunc F(b []*strings.Builder) {}", []string{"append(b, new(strings.Builder))", "F(b)\n\n\t}"}},
		"pointers to interfaces point to such":     {"import (\"context\"; \"io\")\nfunc F(c *context.Context, w *io.Writer, r *io.Reader, s string) {}", []string{"c := context.Context(context.Background())", "F(&c, &w, &r2, s)"}},
		"pointers to values of reflect, too":       {"import \"reflect\"\nfunc F(v *reflect.Value, t *reflect.Type) {}", []string{"v2 := reflect.ValueOf(v)", "F(&v2, &t3)"}},
		"writers that are pointers get no text":    {"import \"io\"\nfunc F(s string, f func(*io.Writer)) {}", []string{"F(s, func(_ *io.Writer) { return })"}},
		"names need not be of ASCII letters":       {"type Äpfel int\nfunc (Äpfel) F(Öl []int) {}", []string{"äpfel2 := Äpfel(äpfel)", "var öl []int"}},
		"a receiver without a name gets one":       {"type T int\nfunc (_ T) F() {}", []string{"t3 := T(t2)", "t3.F()"}},
		"constants beyond a float are no seeds":    {"import \"math\"\nfunc F(f float32) bool { return float64(f) > math.MaxFloat64 || f == 1.5 }", []string{"f.Add(float32(1.5))"}},
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

func TestDynamicTypesAreThoseOfTests(t *testing.T) {
	const text = `package p

import "testing"

func F(v interface{}) bool { return v == nil }

func TestF(t *testing.T) {
	for _, test := range []struct {
		in   interface{}
		want bool
	}{{struct{ A int "k" }{1}, false}, {in: []uint{1}}} {
		F(test.in)
	}
	type local struct {
		N int "n"
		m map[string]*flag
	}
	type itself struct{ next *itself }
	F(map[string]bool{})
	F(&local{})
	F(itself{})
}

type flag bool
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p_test.go", text, 0)
	if err != nil {
		t.Fatal(err)
	}
	p := &packages.Package{PkgPath: "example.com/p", Name: "p", Fset: fset, Syntax: []*ast.File{file}, TypesInfo: &types.Info{
		Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{},
	}}
	if p.Types, err = (&types.Config{Importer: std(t)}).Check(p.PkgPath, fset, p.Syntax, p.TypesInfo); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, typ := range newMaker(writerFor(p), p.Types.Scope().Lookup("F").(*types.Func)).dynamicTypes() {
		got = append(got, typ.String())
	}
	if want := []string{
		"map[string]bool", "*struct{N int \"n\"; m map[string]*example.com/p.flag}", "struct{A int \"k\"}", "[]uint",
	}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestEntriesAreTheNearestPublicFunctions(t *testing.T) {
	for name, test := range map[string]struct {
		src  string
		want string
	}{
		"a caller":                   {"func F() { f() }\nfunc f() {}", "F"},
		"a caller's caller":          {"func F() { g() }\nfunc g() { f() }\nfunc f() {}", "F"},
		"who only names it":          {"func F() { g(f) }\nfunc g(func()) {}\nfunc f() {}", "F"},
		"a method of a public type":  {"type T int\nfunc (T) M() { f() }\nfunc f() {}", "M"},
		"none of a type of its own":  {"type t int\nfunc (t) M() { f() }\nfunc f() {}", ""},
		"who gives what is read":     {"import \"io\"\ntype t int\nfunc New() io.Reader { return t(1) }\nfunc Zero() t { return 0 }\nfunc (t) Read(b []byte) (int, error) { return 0, nil }", "New"},
		"through an interface":       {"type i interface{ m() }\nfunc F(v i) { v.m() }\ntype t int\nfunc (t) m() {}", "F"},
		"the nearest":                {"func F() { G() }\nfunc G() { f() }\nfunc f() {}", "G F"},
		"nobody":                     {"func F() {}\nfunc f() {}", ""},
		"not through another method": {"type i interface{ m() }\nfunc F(v i) { v.m() }\ntype t int\nfunc (t) m(int) {}", ""},
	} {
		t.Run(name, func(t *testing.T) {
			p, list := checked(t, test.src+"\n")
			var got []string
			for _, fn := range writerFor(p).entries(list[len(list)-1]) {
				got = append(got, fn.Name())
			}
			if strings.Join(got, " ") != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

func TestMethodsOfTypesThatOthersCannotFillAreDrivenThroughCallers(t *testing.T) {
	const parsed = "type list struct{ hosts []Host }\nfunc Parse(s string) (*List, error) { return &List{hosts: []Host{{name: s}}}, nil }\n" +
		"type List struct{ hosts []Host }\nfunc (l *List) String() string { return l.hosts[0].String() }\n" +
		"type Host struct{ name string }\nfunc Names(h Host) string { return h.String() }\n"
	for name, test := range map[string]struct {
		src  string
		want []string
		own  bool // the only driver makes a receiver that other packages cannot make
	}{
		"filled by hand":                           {parsed + "func (h Host) String() string { return h.name }", []string{"Host_String", "List_String"}, false},
		"with a constructor":                       {parsed + "func NewHost(s string) Host { return Host{s} }\nfunc (h Host) String() string { return h.name }", []string{"Host_String"}, false},
		"of fields that anybody can set":           {"func F(s string) { T{s}.M(s) }\ntype T struct{ S string }\nfunc (v T) M(s string) string { return v.S }", []string{"T_M"}, false},
		"without a caller":                         {"type T struct{ s string }\nfunc (v T) M(s string) string { return v.s }", []string{"T_M"}, false},
		"with a constructor that cannot be called": {"type T struct{ s string }\ntype source interface{ next() string }\nfunc NewT(from source) *T { return &T{from.next()} }\nfunc (v T) M(s string) string { return v.s }", []string{"T_M"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			p, list := checked(t, test.src+"\n")
			w := writerFor(p)
			if !w.drive(list[len(list)-1], "id") {
				t.Fatal("there is no driver")
			}
			var got []string
			for _, d := range w.drivers {
				if len(d.forIDs) > 0 {
					got = append(got, strings.TrimPrefix(d.name, weave.Driver))
				}
			}
			if !slices.Equal(got, test.want) || w.drivers[0].inner != (test.own || len(test.want) > 1) {
				t.Errorf("got %q, the first of them inner: %v; want %q", got, w.drivers[0].inner, test.want)
			}
		})
	}
}

func TestMethodsOfTypesThatOthersKnowByAnInterfaceAreCalledThroughThat(t *testing.T) {
	const table = "type Table interface{ Add(s string) Table; Print() string }\ntype table struct{ rows []string }\nfunc (t *table) Add(s string) Table { t.rows = append(t.rows, s); return t }\n" +
		"func (t *table) Hidden(s string) { t.rows = nil }\nfunc (t *table) Len() int { return len(t.rows) }\nfunc (t *table) Print() string { return \"\" }\n"
	for name, test := range map[string]struct {
		src    string
		public bool
	}{
		"a function gives one":             {table + "func New(rows ...string) Table { return &table{rows} }\n", true},
		"of another type":                  {table + "type other struct{ table }\nfunc New(rows ...string) Table { return &other{} }\n", false},
		"without the method":               {table + "type Adder interface{ Add(s string) Table }\nfunc New(rows ...string) Adder { return &table{rows} }\n", false},
		"one of another package":           {"import \"fmt\"\n" + table + "func (t *table) String() string { return \"\" }\nfunc New(rows ...string) fmt.Stringer { return &table{rows} }\n", false},
		"none that other packages can use": {table + "func fresh(rows ...string) Table { return &table{rows} }\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			p, list := checked(t, test.src)
			w := writerFor(p)
			method := "Print"
			if strings.Contains(test.src, "String()") {
				method = "String"
			}
			fn := list[slices.IndexFunc(list, func(fn *types.Func) bool { return fn.Name() == method })]
			d := w.driver(fn)
			if d.why != "" || d.shown != test.public || strings.Contains(string(d.source), ":= New(rows...)") != test.public {
				t.Errorf("public: %v by\n%s%s", d.shown, d.source, d.why)
			}
			if test.public && (strings.Contains(string(d.source), "Hidden(") || strings.Contains(string(d.source), "Len()") || !strings.Contains(string(d.source), ".Add(")) {
				t.Errorf("other methods than those of the interface are called, or not all of these, by\n%s", d.source)
			}
		})
	}
}

func TestValuesComeFromAnEmptyConstructorOrFromOneThatTakesSomething(t *testing.T) {
	const method = "type T struct{ n int }\nfunc (t *T) M(by int) int { return t.n + by }\n"
	for name, test := range map[string]struct {
		src  string
		want []string
		not  string
	}{
		"an empty one first":         {"func New() *T { return &T{} }\nfunc Load(n int) *T { return &T{n} }\n", []string{"if fuzzed.bool() {\n\t\t\tt3 := New()", "} else {\n\t\t\tt4 := Load(n)"}, ""},
		"one that may fail first":    {"func Parse(s string) (T, error) { return T{len(s)}, nil }\nfunc Default() T { return T{} }\n", []string{":= Default()", ":= Parse(s)"}, ""},
		"one that cannot fail first": {"func New(n int) *T { return &T{n} }\nfunc Default() *T { return &T{} }\n", []string{":= New(n)"}, "Default()"},
		"no copies":                  {"func New() *T { return &T{} }\nfunc Clone(t *T) *T { return t }\n", []string{":= New()"}, "Clone("},
	} {
		t.Run(name, func(t *testing.T) {
			checkDriver(t, test.src+method, test.want, test.not)
		})
	}
}

func TestAConstructorOfAnInterfaceThatGivesNilHasMadeNothing(t *testing.T) {
	const text = "type R interface{ Len() int }\ntype r struct{ n int }\nfunc (x *r) Len() int { return x.n }\n" +
		"func NewR(s string) (R, error) { if s == \"\" { return nil, nil }; return &r{len(s)}, nil }\nfunc F(list []R) int { return len(list) }\n"
	checkDriver(t, text, []string{"if item == nil {\n\t\t\t\treturn\n"}, "")
	checkDriver(t, text+"func G(p *R) int { return (*p).Len() }\n", []string{"p3 := R(p2)\n\t\t\tp = &p3"}, "") // a parameter of type *R still gets a pointer
}

// checkDriver checks that the driver of the last function in text contains all of want and, if not is set, lacks not.
func checkDriver(t *testing.T, text string, want []string, not string) {
	t.Helper()
	got, why := driverOf(t, text)
	for _, part := range want {
		if why != "" || !strings.Contains(got, part) {
			t.Errorf("%q is not in\n%s%s", part, got, why)
		}
	}
	if not != "" && strings.Contains(got, not) {
		t.Errorf("%q is in\n%s", not, got)
	}
}

func TestReceiversStartEmptyWhereTestsBeginWithEmptyOnes(t *testing.T) {
	const set = "type Set struct{ items []string }\nfunc (s *Set) Add(item string) { s.items = append(s.items, item) }\nfunc (s *Set) First() string { return s.items[0] }\n"
	const list = "type List[T any] struct{ items []T }\nfunc (l *List[T]) Push(item T) { l.items = append(l.items, item) }\nfunc (l *List[T]) First() T { return l.items[0] }\n"
	for name, test := range map[string]struct {
		src, tests string
		empty      bool
	}{
		"a variable":                      {set, "func f() { var s Set; s.Add(\"\") }", true},
		"a literal":                       {set, "var s = &Set{}", true},
		"a pointer to a new one":          {set, "var s = new(Set)", true},
		"with type arguments":             {list, "var l List[int]", true},
		"none":                            {set, "var s = Set{items: nil}", false},
		"nor without tests":               {set, "", false},
		"nor with a constructor":          {"func NewSet(items []string) *Set { return &Set{items} }\n" + set, "var s Set", false},
		"nor if nothing can fill it":      {"type Set struct{ items []string }\nfunc (s *Set) First() string { return s.items[0] }\n", "var s Set", false},
		"nor where the package alone can": {strings.ReplaceAll(set, "First", "first"), "var s Set", false},
	} {
		t.Run(name, func(t *testing.T) {
			p, functions := checked(t, test.src, test.tests)
			fn := functions[slices.IndexFunc(functions, func(fn *types.Func) bool { return strings.EqualFold(fn.Name(), "First") })]
			d := writerFor(p).driver(fn)
			if d.why != "" {
				t.Fatal(d.why)
			}
			if empty := strings.Contains(string(d.source), "{}\n"); empty != test.empty || empty && d.filled {
				t.Errorf("empty: %v, filled: %v in\n%s", empty, d.filled, d.source)
			}
		})
	}
}

func TestReceiversComeFromTheFunctionThatAllTestsGetThemFrom(t *testing.T) {
	const parser = "type Parser struct{ Open bool; Text string }\nfunc Fresh() Parser { return Parser{} }\nfunc (p *Parser) Parse(s string) int { return len(p.Text + s) }\n"
	for name, test := range map[string]struct {
		tests string
		by    string
	}{
		"all do":               {"func f() { p := Fresh(); p.Parse(\"\") }", "Fresh()"},
		"one fills it":         {"func f() { p := Fresh(); p.Parse(\"\"); p = Parser{Open: true} }", "Parser{Open:"},
		"one sets a field":     {"func f() { p := Fresh(); p.Open = true }", "Parser{Open:"},
		"one begins with none": {"func f() { p := Fresh(); p.Parse(\"\"); var q Parser; q.Parse(\"\") }", "Parser{Open:"},
		"none does":            {"", "Parser{Open:"},
	} {
		t.Run(name, func(t *testing.T) {
			p, functions := checked(t, parser, test.tests)
			fn := functions[slices.IndexFunc(functions, func(fn *types.Func) bool { return fn.Name() == "Parse" })]
			if d := writerFor(p).driver(fn); !strings.Contains(string(d.source), test.by) {
				t.Errorf("%s is not in\n%s%s", test.by, d.source, d.why)
			}
		})
	}
}

func TestMethodsThatFillAReceiverComeFirst(t *testing.T) {
	checkDriver(t, "type T struct{ n int }\nfunc (t *T) A() int { return t.n }\nfunc (t *T) B(by int) int { return t.n + by }\nfunc (t *T) C(by int) { t.n += by }\n"+
		"func (t *T) D(by int) error { t.n -= by; return nil }\nfunc (t *T) Get() int { return t.n }\n",
		[]string{"case 0:\n\t\t\t\tt2.Get()", "case 1:\n\t\t\t\tt2.C(", "case 2:\n\t\t\t\tt2.D(", "case 3:\n\t\t\t\tt2.B(", "case 4:\n\t\t\t\tt2.A("}, "")
}

func TestMethodsThatSetWhatIsReadAreCalledBeforeAndBuffersThatTheyGetAreAsked(t *testing.T) {
	methods := "import \"io\"\ntype T struct{ a, b, c, d, e, f int; w io.Writer }\nfunc (t *T) Add(n int) { t.f += n }\n"
	for _, field := range []string{"A", "B", "C", "D", "E"} {
		methods += "func (t *T) With" + field + "(n int) *T { t." + strings.ToLower(field) + " = n; return t }\n"
	}
	methods += "func (t *T) WithWriter(w io.Writer) *T { t.w = w; return t }\nfunc (t *T) line(n int) { io.WriteString(t.w, string(rune(t.a+t.b+t.c+t.d+t.e+n))) }\n"
	checkDriver(t, methods+"func (t *T) Print(n int) { t.line(n) }\n",
		[]string{"buf := new(bytes.Buffer)", ".WithA(", ".WithE(", ".WithWriter(buf)", "buf.String()"}, "t2.Add(")
}

// asked returns what a driver that reads bytes has for the driven call and those after it: the bytes can leave out each.
func asked(calls ...string) string {
	var b strings.Builder
	for _, call := range calls {
		b.WriteString("\t\tif fuzzed.call(0) == 0 {\n\t\t\t" + call + "\n\t\t}\n")
	}
	return b.String()
}

func TestWhatIsInAValueIsAskedBeforeHowMuchItIs(t *testing.T) {
	checkDriver(t, "type T struct{ s []string }\nfunc (t *T) Len() int { return len(t.s) }\nfunc (t *T) Map() map[string]int { return nil }\nfunc (t *T) Keys() []string { return t.s }\nfunc (t *T) String() string { return \"\" }\n"+
		"func (t *T) Cut(n int) { t.s = t.s[n:] }\n", []string{asked("t2.String()", "t2.Keys()", "t2.Len()", "t2.Map()")}, "")
}

func TestMethodsThatRefuseAreNotAskedAfterwards(t *testing.T) {
	checkDriver(t, "type T struct{ s []int }\nfunc (t *T) Len() int { return len(t.s) }\nfunc (t *T) Front() int { if len(t.s) == 0 { panic(\"empty\") }; return t.s[0] }\n"+
		"func (t *T) Cut(n int) { t.s = t.s[n:] }\n", []string{asked("t2.Cut(n)", "t2.Len()") + "\n\t})"}, "")
}

func TestIteratorsAreUsedUpBeforeTheReceiverIsAsked(t *testing.T) {
	checkDriver(t, "import \"iter\"\ntype T struct{ n int }\nfunc (t *T) Len() int { return t.n }\nfunc (t *T) All(n int) iter.Seq[int] { return nil }\n",
		[]string{"slices.Collect(result)\n\t\t}\n" + asked("t2.Len()")}, "")
}

func TestMethodsMakeValuesThatNoFunctionMakes(t *testing.T) {
	for name, test := range map[string]struct {
		src  string
		want []string
		not  string
	}{
		"of a type that can be made": {"type L struct{ n int }\nfunc New(n int) *L { return &L{n} }\nfunc (l *L) Iterator() *I { return &I{l} }\ntype I struct{ l *L }\nfunc (i *I) Next(by int) int { return i.l.n + by }", []string{":= New(n)", "l.Iterator()"}, "I{l:"},
		"with type arguments":        {"type L[T any] struct{ s []T }\nfunc New[T any](s ...T) *L[T] { return &L[T]{s} }\nfunc (l *L[T]) Iterator() I[T] { return I[T]{l} }\ntype I[T any] struct{ l *L[T] }\nfunc (i *I[T]) Next(by int) int { return len(i.l.s) + by }", []string{"l.Iterator()"}, "I[string]{"},
		"functions first":            {"type L struct{ N int }\nfunc (l *L) Iterator() *I { return &I{l} }\ntype I struct{ l *L }\nfunc NewI(l *L) *I { return &I{l} }\nfunc (i *I) Next(by int) int { return i.l.N + by }", []string{"NewI("}, "Iterator()"},
		"none that leads to danger":  {"import \"os\"\ntype L struct{ N int }\nfunc (l *L) Iterator() *I { os.Remove(\"x\"); return &I{1} }\ntype I struct{ n int }\nfunc (i *I) Next(by int) int { return i.n + by }", []string{"I{n: n}"}, "Iterator()"},
		"not the method itself":      {"type L struct{ n int }\ntype I struct{ l *L }\nfunc (l *L) Iterator(by int) *I { return &I{l} }", []string{"l.Iterator(by)"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			checkDriver(t, test.src+"\n", test.want, test.not)
		})
	}
}

func TestNoDriverLeadsToDanger(t *testing.T) {
	for name, test := range map[string]struct{ src, want string }{
		"directly":              {"import \"os\"\nfunc F(s string) { os.Remove(s) }", "os.Remove, which deletes files"},
		"through a function":    {"import \"os/exec\"\nfunc run(s string) { exec.Command(s) }\nfunc F(s string) { run(s) }", "os/exec.Command, which starts programs"},
		"through a method":      {"import \"os\"\ntype T struct{ f *os.File }\nfunc (t *T) put(s string) { t.f.WriteString(s) }\nfunc F(t *T, s string) { t.put(s) }", "which writes files"},
		"as a value":            {"import \"os\"\nfunc F(s string) { do := os.Exit; do(1) }", "os.Exit, which ends the process"},
		"waiting for ever":      {"func F(n int) { select {} }", "may block forever"},
		"nothing to be made of": {"func F(c chan int) {}", "no value of type chan int could be made"},
		"no type arguments":     {"type T[E interface{ int; M() }] struct{}\nfunc (T[E]) F(n int) {}", "no type arguments were found that fit the constraints of its receiver"},
		"nothing to fuzz":       {"func F() int { return 1 }", "takes nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			if got, why := driverOf(t, test.src+"\n"); !strings.Contains(why, test.want) {
				t.Errorf("got %q\n%s", why, got)
			}
		})
	}
}
