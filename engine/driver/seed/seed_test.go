package seed

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"math"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/mutantfuzz/mutantfuzz/engine/testfile"
)

// checked type-checks a package without imports. It also returns the body of its last function.
func checked(t *testing.T, text string) (*packages.Package, ast.Node) {
	t.Helper()
	p := &packages.Package{Fset: token.NewFileSet(), TypesInfo: &types.Info{
		Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
	}}
	file, err := parser.ParseFile(p.Fset, "p.go", "package p\n"+text, 0)
	if err != nil {
		t.Fatal(err)
	}
	p.Syntax = []*ast.File{file}
	if p.Types, err = new(types.Config).Check("example.com/p", p.Fset, p.Syntax, p.TypesInfo); err != nil {
		t.Fatal(err)
	}
	return p, file.Decls[len(file.Decls)-1].(*ast.FuncDecl).Body
}

func TestConstantsAreInGroupsThatBelongTogether(t *testing.T) {
	const declared = "func f(s string, n int) bool { return n > len(s) }\nvar table = []string{\"x\", \"y\"}\nvar other = 7\n"
	for body, want := range map[string]string{
		`f("a", 1); f("b", other)`:                                                             `[s:"a" n:1] [s:"b"]`,
		"_ = []struct{ s string; n int }{{\"a\", 1}, {n: 2, s: \"b\"}}":                        `[s:"a" n:1] [n:2 s:"b"]`,
		"for _, tt := range []struct{ in string; more int }{{\"a\", 1}} { f(tt.in, tt.more) }": `[s:"a" n:1]`,
		"_ = other == 3 && 4 < other":                                                          "[3] [4]",
		"switch other {\ncase 1, 2:\ncase 3:\n}":                                               "[1 2] [3]",
		"_ = []byte{'a', 'b'}":                                                                 `["ab"]`,
		"_ = []byte{'a', byte(other)}":                                                         "[97]",
		"_ = other + 3":                                                                        "",
		`s, n := "a", 1; f(s, n); s = "b"; f((s), other)`:                                      `[s:"a" n:1] [s:"b"]`,
		`var s, n = "a", 1; f(s, n)`:                                                           `[s:"a" n:1]`,
		"_ = table":                                                                            `["x" "y"]`,
	} {
		p, node := checked(t, declared+"func g() {\n"+body+"\n}\n")
		var got []string
		for _, group := range slices.Concat(Constants(p.TypesInfo, node, "f"), OfVariables(p, node)) {
			var texts []string
			for _, c := range group {
				texts = append(texts, strings.TrimPrefix(c.Name+":"+c.String(), ":"))
			}
			got = append(got, fmt.Sprint(texts))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %s, want %s", body, strings.Join(got, " "), want)
		}
	}
}

func TestConstantsOfAGroupBecomeArgumentsTogether(t *testing.T) {
	text, number := testfile.Param{Name: "s", Type: testfile.StringType}, testfile.Param{Name: "n", Type: types.Typ[types.Int8]}
	group := []Constant{{constant.MakeString("a"), ""}, {constant.MakeInt64(5), ""}}
	named := []Constant{{constant.MakeString("a"), "sep"}, {constant.MakeString("b"), "S"}, {constant.MakeInt64(5), "min"}}
	for name, tt := range map[string]struct {
		form   Form
		groups [][]Constant
		want   []string
		rows   string
	}{
		"none":            {Form{Params: []testfile.Param{text, number}}, nil, []string{`"", int8(0)`}, ""},
		"together":        {Form{Params: []testfile.Param{text, number}}, [][]Constant{group}, []string{`"", int8(0)`, `"a", int8(5)`, `"a", int8(0)`, `"", int8(5)`}, ""},
		"one that fits":   {Form{Params: []testfile.Param{number}}, [][]Constant{group, {{constant.MakeInt64(300), ""}}}, []string{"int8(0)", "int8(5)"}, ""},
		"the rest":        {Form{Params: []testfile.Param{text}, Reads: true}, [][]Constant{group}, []string{`"", []byte("")`, `"a", []byte("\x01\x05")`, `"a", []byte("\x01a\x00\x01\x05")`}, ""},
		"all from bytes":  {Form{Reads: true}, [][]Constant{group}, []string{`[]byte("")`, `[]byte("\x01a\x00\x01\x05")`}, ""},
		"of any type":     {Form{Reads: true, Anys: true}, [][]Constant{{{constant.MakeInt64(5), ""}, {constant.MakeBool(true), ""}}}, []string{`[]byte("")`, `[]byte("\x02\x05\x03\x01")`}, ""},
		"each once":       {Form{Params: []testfile.Param{text}}, [][]Constant{group, group}, []string{`""`, `"a"`}, ""},
		"by name":         {Form{Params: []testfile.Param{text, number}}, [][]Constant{named}, []string{`"", int8(0)`, `"b", int8(0)`, `"a", int8(5)`, `"a", int8(0)`, `"", int8(5)`}, `"b", int8(0)`},
		"not all by name": {Form{Params: []testfile.Param{text, {Name: "sep2", Type: testfile.StringType}}}, [][]Constant{named[1:]}, []string{`"", ""`, `"b", ""`, `"", "b"`}, ""},
	} {
		var got []string
		list, rows := tt.form.Seeds(tt.groups)
		for _, values := range list {
			got = append(got, strings.Join(values, ", "))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
		var whole []string
		for _, row := range rows {
			whole = append(whole, strings.Join(row, ", "))
		}
		if strings.Join(whole, "; ") != tt.rows {
			t.Errorf("%s: the rows are %q, want %q", name, whole, tt.rows)
		}
	}
}

func TestThereAreNotMoreSeedsThanTheirBound(t *testing.T) {
	var groups [][]Constant
	for i := range int64(2 * maxSeeds) {
		groups = append(groups, []Constant{{Value: constant.MakeInt64(i)}})
	}
	if list, _ := (Form{Params: []testfile.Param{{Name: "n", Type: types.Typ[types.Int]}}}).Seeds(groups); len(list) != maxSeeds {
		t.Errorf("%d seeds", len(list))
	}
}

func TestADictionaryIsNoCall(t *testing.T) {
	var words []Constant
	for i := range 100_000 {
		words = append(words, Constant{Value: constant.MakeString(fmt.Sprint("word", i))})
	}
	form := Form{Params: []testfile.Param{{Name: "s", Type: testfile.StringType}}, Reads: true}
	list, _ := form.Seeds([][]Constant{words, {{Value: constant.MakeString("other")}}})
	for _, values := range list {
		if n := strings.Count(values[1], "word"); n > maxGroup {
			t.Fatalf("a seed has %d words", n)
		}
	}
	if last := list[len(list)-1]; last[0] != `"other"` {
		t.Errorf("the last seed is %s", last)
	}
}

func TestKindsAreNumberedInTheirOrder(t *testing.T) {
	for kind, value := range map[byte]constant.Value{
		ofString: constant.MakeString("a"), ofInt: constant.MakeInt64(70000), ofBool: constant.MakeBool(true), ofFloat: constant.MakeFloat64(0.5),
	} {
		c := Constant{Value: value}
		if text := encoded([]Constant{c}, true); text[0] != kind {
			t.Errorf("%v: %q", c, text)
		}
		basic, ok := Kinds[kind-1].(*types.Basic)
		if !ok || literal(c, basic) == "" {
			t.Errorf("%v is none of %v", c, Kinds[kind-1])
		}
	}
}

func TestAConstantThatAFloatCannotHoldIsNoSeed(t *testing.T) {
	largest := constant.MakeFloat64(math.MaxFloat64)
	for _, tt := range []struct {
		value constant.Value
		kind  types.BasicKind
		want  string
	}{
		{largest, types.Float32, ""},
		{largest, types.Float64, "float64(1.7976931348623157e+308)"},
		{constant.BinaryOp(largest, token.MUL, largest), types.Float64, ""},
		{constant.MakeFloat64(math.MaxFloat32), types.Float32, "float32(3.4028234663852886e+38)"},
	} {
		if got := literal(Constant{Value: tt.value}, types.Typ[tt.kind]); got != tt.want {
			t.Errorf("%v of kind %v: %q, want %q", tt.value, tt.kind, got, tt.want)
		}
	}
}

func TestTestsOfFunctionsThatTakeTheSameStandInForThoseThatNoneNames(t *testing.T) {
	p, _ := checked(t, `type T struct{}
func Parse(s string) T { return T{} }
func ParseWith(s string, strict bool) T { return T{} }
func ParseBytes(b []byte) T { return T{} }
func Other(text string) T { return T{} }
func New(n int) *T { return nil }
func (T) Has(key string) bool { return false }
func (T) HasAny(key string, more ...int) bool { return false }
func (T) Len() int { return 0 }
func (T) Reset() {}
func last() {}`)
	var all []*types.Func
	named := map[string]*types.Func{}
	for _, d := range p.Syntax[0].Decls {
		if d, ok := d.(*ast.FuncDecl); ok {
			fn := p.TypesInfo.Defs[d.Name].(*types.Func)
			all, named[fn.Name()] = append(all, fn), fn
		}
	}
	for name, want := range map[string]string{
		"Parse":     "ParseWith",
		"ParseWith": "",
		"Has":       "HasAny Parse ParseWith ParseBytes",
		"Reset":     "Parse ParseWith ParseBytes Other",
		"last":      "",
	} {
		var got []string
		for _, fn := range Alike(named[name], all) {
			got = append(got, fn.Name())
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
