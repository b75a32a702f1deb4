package suggestion

import (
	"fmt"
	"go/format"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/mutantfuzz/mutantfuzz/engine/patch"
	"github.com/mutantfuzz/mutantfuzz/engine/suggestion/naming"
	"github.com/mutantfuzz/mutantfuzz/internal/stabledir"
)

const sizes = `package size

import "errors"

var (
	ErrUnit   = errors.New("unknown unit")
	ErrNumber = errors.New("no number")
)

type Size struct{ N, Unit int }

type Reader struct{ Base int }

type Unit int

const (
	None Unit = iota
	Metre
	Foot
)

func Parse(s string) (int, error)             { return 0, nil }
func ParseBase(s string, base int) (int, error) { return 0, nil }
func Read(b []byte) (Size, error)             { return Size{}, nil }
func Point(s string) (*Size, error)           { return nil, nil }
func Valid(s string) bool                     { return true }
func UnitOf(s string) Unit                    { return 0 }
func Convert(u Unit) Unit                     { return 0 }
func Fields(s string) []string                { return nil }
func (r Reader) Read(s string) int            { return 0 }
`

// givenRows is a test whose table a function returns.
const givenRows = `
func rows() []struct {
	in   string
	want int
} {
	return []struct {
		in   string
		want int
	}{
		{"1", 1},
	}
}

func TestRows(t *testing.T) {
	for _, tt := range rows() {
		if got, _ := Parse(tt.in); got != tt.want {
			t.Error(got)
		}
	}
}`

// call describes a Call: its callee, the sources of its operands, and its results.
type call struct {
	callee  string
	recv    string
	args    []string
	results []Result
}

var (
	three     = []Result{{Source: "3", Differs: true}, {Source: "nil"}}
	noUnit    = []Result{{Source: "0"}, {Error: `unknown unit "x"`, Differs: true}}
	parse     = call{callee: "Parse", args: []string{`"3x"`}, results: three}
	parseFail = call{callee: "Parse", args: []string{`"3x"`}, results: noUnit}
)

var rowTests = []struct {
	name string
	test string // the body of a test, or all declarations
	call call
	// The row; empty: none can be made. A row may assert nothing, or the wrong thing: that
	// shows when it is run.
	want string
}{
	{
		"positional", `for _, tt := range []struct {
		in   string
		want int
	}{
		{"1", 1},
	} {
		if got, _ := Parse(tt.in); got != tt.want {
			t.Error(got)
		}
	}`, parse, `{"3x", 3}`,
	},
	{
		"keyed, over several lines, with a subtest", `tests := []struct {
		name    string
		in      string
		want    int
		wantErr bool
	}{
		{
			name: "one is one",
			in:   "1",
			want: 1,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Parse(tt.in)
			if (err != nil) != tt.wantErr {
				t.Fatal(err)
			}
			if got != tt.want {
				t.Error(got)
			}
		})
	}`, parseFail, "{\n\tname:    \"unknown unit\",\n\tin:      \"3x\",\n\twantErr: true,\n}",
	},
	{
		"nested arguments, as gotests writes them", `type args struct{ s string }
	tests := []struct {
		name string
		args args
		want int
	}{
		{"One", args{"1"}, 1},
	}
	for _, tt := range tests {
		if got, _ := Parse(tt.args.s); !reflect.DeepEqual(got, tt.want) {
			t.Error(tt.name)
		}
	}`, parse, `{"3x", args{"3x"}, 3}`,
	},
	{
		"a map from names", `for name, tc := range map[string]struct {
		in   string
		want int
	}{
		"one_digit": {in: "1", want: 1},
	} {
		got, _ := Parse(tc.in)
		if got != tc.want {
			t.Error(name)
		}
	}`, parseFail, `"unknown_unit": {in: "3x"}`,
	},
	{
		"a map from names, with an error", `for name, tc := range map[string]struct {
		in  string
		err error
	}{
		"no_digit": {in: "x", err: ErrNumber},
	} {
		_, err := Parse(tc.in)
		if !errors.Is(err, tc.err) {
			t.Error(name)
		}
	}`, parseFail, `"unknown_unit": {in: "3x", err: ErrUnit}`,
	},
	{
		"a map from inputs", `for in, want := range map[string]int{"1": 1} {
		if got, _ := Parse(in); got != want {
			t.Error(got)
		}
	}`, parse, `"3x": 3`,
	},
	{
		"lists of which not all is known", `for _, pair := range [][]string{
		{"a", "b"},
	} {
		in, want := pair[0], pair[1]
		if got := Fields(in)[0]; got != want {
			t.Error(got)
		}
	}`, call{callee: "Fields", args: []string{`"3x"`}, results: []Result{{Source: `[]string{"3x"}`, Differs: true}}}, `{"3x"}`,
	},
	{
		"elements of lists", `for _, pair := range [...][2]string{
		{"a", "b"},
	} {
		_, err := Parse(pair[0])
		if err.Error() != pair[1] {
			t.Error(err)
		}
	}`, parseFail, `{"3x", "unknown unit \"x\""}`,
	},
	{
		"inputs alone", `for _, in := range []string{"", "x"} {
		if _, err := Parse(in); err == nil {
			t.Error(in)
		}
	}`, parseFail, `"3x"`,
	},
	{
		"an error that a test words anew", `for _, in := range []string{"", "x"} {
		_, err := Parse(in)
		if err != nil {
			t.Log(fmt.Errorf("%s: %w", in, err))
			continue
		}
		t.Error(in)
	}`, parseFail, `"3x"`,
	},
	{
		"no success among failures", `for in, want := range map[string]error{"x": ErrUnit, "y": ErrUnit} {
		if _, err := Parse(in); !errors.Is(err, want) {
			t.Error(in)
		}
	}`, parse, "",
	},
	{
		"a success beside one", `for in, want := range map[string]error{"x": ErrUnit, "1": nil} {
		if _, err := Parse(in); !errors.Is(err, want) {
			t.Error(in)
		}
	}`, parse, `"3x": nil`,
	},
	{
		"the table of failures", `for _, in := range []string{"1"} {
		if _, err := Parse(in); err != nil {
			t.Error(in)
		}
	}
}

func TestFailures(t *testing.T) {
	failures := []string{"x", "y"}
	for _, in := range failures {
		if _, err := Parse(in); err == nil {
			t.Error(in)
		}
	}`, parseFail, `"3x"`,
	},
	{
		"a variable that holds one table after another", `tests := []struct {
		want int
		in   string
	}{
		{1, "1"},
	}
	for _, tt := range tests {
		Valid(tt.in)
	}
	tests = []struct {
		want int
		in   string
	}{
		{want: 1, in: "1"},
	}
	for _, tt := range tests {
		if got, _ := Parse(tt.in); got != tt.want {
			t.Error(got)
		}
	}`, parse, `{want: 3, in: "3x"}`,
	},
	{
		"a conversion", `for _, tt := range []struct {
		in   string
		want Size
	}{
		{"1", Size{N: 1}},
	} {
		if got, err := Read([]byte(tt.in)); err != nil || got != tt.want {
			t.Error(got)
		}
	}`, call{callee: "Read", args: []string{`[]byte("3")`}, results: []Result{{Source: "size.Size{N: 3}", Differs: true}, {Source: "nil"}}}, `{"3", Size{N: 3}}`,
	},
	{
		"what a pointer points to", `for _, tt := range []struct {
		in   string
		want Size
	}{
		{in: "1", want: Size{N: 1}},
	} {
		if got, _ := Point(tt.in); *got != tt.want {
			t.Error(got)
		}
	}`, call{callee: "Point", args: []string{`"3"`}, results: []Result{{Source: "&size.Size{N: 3}", Differs: true}, {Source: "nil"}}}, `{in: "3", want: Size{N: 3}}`,
	},
	{
		"a constant with a name", `for _, tt := range []struct {
		in, want Unit
	}{
		{Metre, Foot},
	} {
		if got := Convert(tt.in); got != tt.want {
			t.Error(got)
		}
	}`, call{callee: "Convert", args: []string{"size.Unit(2)"}, results: []Result{{Source: "size.Unit(1)", Name: "size.Metre", Differs: true}}}, `{2, Metre}`,
	},
	{
		"its value where the slot has another type", `for _, tt := range []struct {
		in   string
		want int
	}{
		{"m", 1},
	} {
		if got := int(UnitOf(tt.in)); got != tt.want {
			t.Error(got)
		}
	}`, call{callee: "UnitOf", args: []string{`"ft"`}, results: []Result{{Source: "size.Unit(2)", Name: "size.Foot", Differs: true}}}, `{"ft", 2}`,
	},
	{
		"the zero value of one", `for _, tt := range []struct {
		in   string
		want Unit
	}{
		{in: "m", want: Metre},
		{in: ""},
	} {
		if got := UnitOf(tt.in); got != tt.want {
			t.Error(got)
		}
	}`, call{callee: "UnitOf", args: []string{`"x"`}, results: []Result{{Source: "size.Unit(0)", Name: "size.None", Differs: true}}}, `{in: "x"}`,
	},
	{
		"rows by number", `tests := []struct {
		in string
		ok bool
	}{
		{"1", true},
	}
	for i := range tests {
		tt := tests[i]
		if _, err := Parse(tt.in); (err == nil) != tt.ok {
			t.Error(i)
		}
	}`, parse, `{"3x", true}`,
	},
	{
		"a flag in conditions only", `for _, tt := range []*struct {
		in  string
		bad bool
	}{
		{in: "x", bad: true},
	} {
		_, err := Parse(tt.in)
		if tt.bad {
			if err == nil {
				t.Error(tt.in)
			}
			continue
		}
		if err != nil {
			t.Error(err)
		}
	}`, parseFail, `{in: "3x", bad: true}`,
	},
	{
		"a receiver", `for _, tt := range []struct {
		r    Reader
		in   string
		want int
	}{
		{Reader{Base: 2}, "1", 1},
	} {
		if tt.r.Read(tt.in) != tt.want {
			t.Error(tt.in)
		}
	}`, call{callee: "Reader.Read", recv: "size.Reader{Base: 10}", args: []string{`"3"`}, results: []Result{{Source: "3", Differs: true}}}, `{Reader{Base: 10}, "3", 3}`,
	},
	{
		"a bool that all rows have", `for _, tt := range []struct {
		in string
		ok bool
	}{
		{in: "1", ok: true},
		{in: "x", ok: false},
	} {
		if Valid(tt.in) != tt.ok {
			t.Error(tt.in)
		}
	}`, call{callee: "Valid", args: []string{`"y"`}, results: []Result{{Source: "false", Differs: true}}}, `{in: "y", ok: false}`,
	},
	{
		"a package's table", `
var table = []struct {
	in   string
	want int
}{
	{"1", 1}, // one
	// the end
}

func TestTable(t *testing.T) {
	for _, tt := range table {
		if got, _ := Parse(tt.in); got != tt.want {
			t.Error(got)
		}
	}
}`, parse, `{"3x", 3}`,
	},
	{
		"a package's table that others use", `
var table = []struct {
	in   string
	want int
}{
	{"1", 1},
}

func first() int { return table[0].want }

func TestTable(t *testing.T) {
	for _, tt := range table {
		if got, _ := Parse(tt.in); got != tt.want {
			t.Error(got)
		}
	}
}`, parse, "",
	},
	{
		"what a function gives", givenRows, parse, `{"3x", 3}`,
	},
	{
		"the last of those that are appended", `
type entry struct {
	in   string
	want int
}

func common() []entry { return []entry{{"1", 1}} }

func special() []entry { return []entry{{in: "1", want: 1}} }

func TestRows(t *testing.T) {
	all := append(common(), special()...)
	for _, tt := range all {
		if got, _ := Parse(tt.in); got != tt.want {
			t.Error(got)
		}
	}
}`, parse, `{in: "3x", want: 3}`,
	},
	{
		"what a function gives that others use", givenRows + `

func count() int { return len(rows()) }`, parse, "",
	},
	{
		"what no function of those gives that are appended", `
type pair struct {
	in   string
	want int
}

func some() []pair { panic("none") }

func used() []pair { return []pair{{"1", 1}} }

func count() int { return len(used()) }

func TestRows(t *testing.T) {
	for _, tt := range append(some(), used()...) {
		if got, _ := Parse(tt.in); got != tt.want {
			t.Error(got)
		}
	}
}`, parse, "",
	},
	{
		"a helper of a test", `
func check(t testing.TB) {
	cases := [][]string{{"a", "b"}}
	for _, c := range cases {
		in := c[0]
		if _, err := Parse(in); err != nil && err.Error() != c[1] {
			t.Error(err)
		}
	}
}

func TestHelper(t *testing.T) { check(t) }`, parseFail, `{"3x", "unknown unit \"x\""}`,
	},
	{
		"a field whose name begins like another one's", `for _, tt := range []struct{ in, input, i string }{
		{"1", "", ""},
	} {
		if _, err := Parse(tt.in); err.Error() != tt.input {
			t.Error(err)
		}
	}`, parseFail, `{"3x", "unknown unit \"x\"", ""}`,
	},
	{
		"an argument that is no part of the row", `for _, tt := range []struct {
		want int
	}{
		{1},
	} {
		if got, _ := Parse("1"); got != tt.want {
			t.Error(got)
		}
	}`, parse, "",
	},
	{
		"an array of a fixed length", `for _, in := range [2]string{"", "x"} {
		if _, err := Parse(in); err == nil {
			t.Error(in)
		}
	}`, parseFail, "",
	},
	{
		"a table without rows", `for _, in := range []string{} {
		if _, err := Parse(in); err == nil {
			t.Error(in)
		}
	}`, parseFail, "",
	},
}

// load writes each of rowTests as a package, and returns these packages, with their tests, in the same order.
func load(t *testing.T) []*packages.Package {
	t.Helper()
	dir := stabledir.Make(t)
	write := func(name, text string) {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("go.mod", "module example.com/m\n\ngo 1.23\n")
	for i, tt := range rowTests {
		body := tt.test
		if !strings.HasPrefix(body, "\n") {
			body = "\nfunc TestIt(t *testing.T) {\n\t" + body + "\n}"
		}
		imports := ""
		for _, name := range []string{"errors", "fmt", "reflect"} {
			if strings.Contains(body, name+".") {
				imports += fmt.Sprintf("\t%q\n", name)
			}
		}
		folder := fmt.Sprintf("p%02d", i)
		write(folder+"/size.go", sizes)
		src, err := format.Source([]byte("package size\n\nimport (\n" + imports + "\t\"testing\"\n)\n" + body + "\n"))
		if err != nil {
			t.Fatal(err)
		}
		write(folder+"/size_test.go", string(src))
	}
	list, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax | packages.NeedForTest, Dir: dir, Tests: true}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	var tests []*packages.Package
	for _, p := range list {
		if len(p.Errors) > 0 {
			t.Fatal(p.Errors)
		}
		if p.ForTest != "" && strings.HasPrefix(p.PkgPath, "example.com/m/p") && !strings.HasSuffix(p.PkgPath, ".test") {
			tests = append(tests, p)
		}
	}
	if len(tests) != len(rowTests) {
		t.Fatalf("%d packages are loaded", len(tests))
	}
	return tests
}

// of returns the Call of a function, or method, of package p.
func (c call) of(t *testing.T, p *packages.Package) *Call {
	t.Helper()
	var callee types.Object
	name := c.callee
	if typ, method, ok := strings.Cut(c.callee, "."); ok {
		callee, _, _ = types.LookupFieldOrMethod(p.Types.Scope().Lookup(typ).Type(), true, p.Types, method)
	} else {
		callee = p.Types.Scope().Lookup(name)
	}
	made := &Call{Callee: callee.(*types.Func), Package: p.PkgPath, Recv: Value{Source: c.recv}, Results: c.results}
	for _, a := range c.args {
		made.Args = append(made.Args, Value{Source: a})
	}
	return made
}

func TestRowsHaveTheFormOfTheTable(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	for i, p := range load(t) {
		tt := rowTests[i]
		t.Run(tt.name, func(t *testing.T) {
			rows := TablesOf([]*packages.Package{p}).Rows(tt.call.of(t, p))
			got := ""
			if len(rows) > 0 {
				got = rows[0].Source
			}
			if got != tt.want {
				t.Fatalf("row %s, want %s", got, tt.want)
			}
			if len(rows) == 0 {
				return
			}
			stands(t, &rows[0])
			if strings.Contains(tt.test, "TestFailures") && rows[0].Test != "TestFailures" {
				t.Errorf("the row is for %s", rows[0].Test)
			}
		})
	}
}

// stands checks that the edit of r puts the row into its file, and that the file grows by no lines but those of the
// inserted text.
func stands(t *testing.T, r *Row) {
	t.Helper()
	src, err := os.ReadFile(r.Path)
	if err != nil {
		t.Fatal(err)
	}
	after, err := patch.Apply(src, r.Edit)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(fold(string(after)), fold(r.Source)) {
		t.Errorf("no %s in\n%s", r.Source, after)
	}
	lines := strings.Count(string(after), "\n") - strings.Count(string(src), "\n")
	if want := strings.Count(r.Text, "\n"); lines != want {
		t.Errorf("%d lines more, want %d:\n%s", lines, want, after)
	}
}

func TestACallIsNamedAfterTheVariableOfItsError(t *testing.T) {
	list, pkg := sentinels{}, types.NewPackage("m/p", "p")
	for name, text := range map[string]string{"ErrUnit": "unknown unit", "ErrOddUnit": "this is an unknown unit", "errHidden": "it is no size"} {
		list[types.NewVar(token.NoPos, pkg, name, types.Universe.Lookup("error").Type())] = text
	}
	for text, want := range map[string]string{
		"unknown unit": "Unit", "parse 3x: this is an unknown unit": "OddUnit", "unknown unit: x": "UnknownUnit", "it is no size": "ItIsNoSize",
	} {
		if got := naming.Camel(list.wordsFor(&Call{Results: []Result{{Error: text}}})); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

func TestCallsAreNamedAfterWhatIsSpecialAboutThem(t *testing.T) {
	for _, tt := range []struct {
		args []string
		err  string
		want string
	}{
		{[]string{`"bytes=0-"`, "int64(1)"}, "", "Bytes0_1"},
		{[]string{`""`}, "", "Empty"},
		{[]string{`"é0"`, `"0"`}, "", "NonASCII"},
		{[]string{`"éa"`}, "", "A"},
		{[]string{`"0"`, "qrcode.RecoveryLevel(0)"}, "", "0_0"},
		{[]string{`[]byte("\x00ab")`}, "", "00ab"},
		{[]string{`"some thing"`, "true"}, "", "SomeThingTrue"},
		{[]string{`"` + strings.Repeat("x", 99) + `"`}, "", ""},
		{[]string{`"3x"`}, `unknown unit "x"`, "UnknownUnit"},
		{[]string{`"3x"`}, `parse "3x": unknown unit`, "UnknownUnit"},
		{[]string{`"3x"`}, "strconv.ParseFloat: parsing \".\": invalid syntax", "InvalidSyntax"},
		{[]string{`"3x"`}, "EOF", "Eof"},
		{[]string{`"3x"`}, "\xff", "3x"},
		{[]string{"-1"}, "", "Minus1"},
		{[]string{"0", "int8(-1)", "2"}, "", "0Minus1_2"},
		{[]string{`"-1"`, "n - 1"}, "", "1N1"},
		{[]string{"3", "[]jwt.Option(nil)"}, "", "3"},
		{[]string{"(*jwt.Token)(nil)"}, "", ""},
		{[]string{`"-"`}, "", "Dash"},
		{[]string{"0i", `" /."`, `""`}, "", "0i"},
		{[]string{`" /."`, `""`}, "", "SpaceSlashDot"},
		{[]string{`"[{}]"`}, "", ""},
		{[]string{`&ast.CommentGroup{List: []*ast.Comment{&ast.Comment{Text: "x:skip"}}}`}, "", "XSkip"},
		{[]string{`T{A: 1}`, `"{a"`}, "", "A"},
		{[]string{`time.Date(1970, 1, 2, 0, 0, 0, 0, time.UTC)`, `"a"`}, "", "1970A"},
		{[]string{`[]byte("-----BEGIN PGP SIGNED MESSAGE-----")`}, "", "BeginPGPSignedMessage"},
		{[]string{`"::1 {0 0 lo0  0}"`}, "", ""},
		{[]string{`"a"`, "3", "4"}, "", "A3_4"},
		{[]string{`"a\n\nׁa"`, "2", `"a"`}, "", "NonASCII"},
		{[]string{`"a\u200da"`, "12"}, "", "12"},
		{[]string{`"a\tlong"`}, "", "ALong"},
		{[]string{`"several words of more than that many letters"`}, "", "SeveralWordsOfMoreThan"},
	} {
		c := Call{Results: []Result{{Error: tt.err}}}
		for _, a := range tt.args {
			c.Args = append(c.Args, Value{Source: a})
		}
		if got := naming.Camel(new(Tables).Words(&c)); got != tt.want {
			t.Errorf("%v, %s: %q, want %q", tt.args, tt.err, got, tt.want)
		}
	}
}
