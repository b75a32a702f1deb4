package mutate

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// load type-checks a file and returns its first function.
func load(t testing.TB, src string) *Function {
	t.Helper()
	return loadAll(t, src)[0]
}

// loadAll type-checks a file and returns its functions.
func loadAll(t testing.TB, src string) (out []*Function) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{
		Instances: make(map[*ast.Ident]types.Instance),
		Types:     make(map[ast.Expr]types.TypeAndValue), Defs: make(map[*ast.Ident]types.Object),
		Uses: make(map[*ast.Ident]types.Object), Selections: make(map[*ast.SelectorExpr]*types.Selection),
		Implicits: make(map[ast.Node]types.Object), Scopes: make(map[ast.Node]*types.Scope),
	}
	config := types.Config{Importer: importer.Default()}
	pkg, err := config.Check("p", fset, []*ast.File{file}, info)
	if err != nil {
		t.Fatal(err)
	}
	for _, decl := range file.Decls {
		if fn, ok := decl.(*ast.FuncDecl); ok {
			out = append(out, &Function{
				ID: "p." + fn.Name.Name, File: "p.go", Source: []byte(src), Fset: fset, Pkg: pkg, Info: info, Syntax: file, Decl: fn,
			})
		}
	}
	return out
}

// apply returns the source of the mutated file.
func apply(f *Function, m Mutant) string {
	return string(f.Source[:m.Offset]) + m.Replacement + string(f.Source[m.EndOffset:])
}

// mutatedLines returns, for each mutant, the first line that it changes, as mutated and without surrounding space.
func mutatedLines(f *Function, mutants []Mutant) []string {
	var out []string
	for _, m := range mutants {
		line := strings.Split(apply(f, m), "\n")[m.Line-1]
		out = append(out, strings.TrimSpace(line))
	}
	return out
}

func TestEveryOperatorMakesItsExampleAndItCompiles(t *testing.T) {
	const header = "package p\n\n"
	for _, op := range Operators() {
		t.Run(op.Name, func(t *testing.T) {
			f := load(t, header+op.Before)
			if op == hunkReversal {
				f.Hunks = []Hunk{{First: 4, Count: 1, Old: "\treturn 1\n"}}
			}
			var got []string
			for _, m := range Mutants(f) {
				if m.Operator != op.Name {
					continue
				}
				src := apply(f, m)
				if src == header+op.After {
					load(t, src) // it has to compile
					return
				}
				got = append(got, src)
			}
			t.Errorf("no mutant is\n%s\ngot:\n%s", op.After, strings.Join(got, "\n"))
		})
	}
}

func TestOperatorsAreDocumentedAndNamedOnce(t *testing.T) {
	seen := make(map[string]bool)
	for _, op := range Operators() {
		if seen[op.Name] || op.Name == "" || op.Category == "" || op.Doc == "" || op.mutate == nil {
			t.Errorf("operator %+v: a name of its own, a category, a doc and a function are required", op)
		}
		seen[op.Name] = true
	}
}

func TestMutantsOfOneLine(t *testing.T) {
	tests := map[string]struct {
		params, line, after string // after: statements below the line
		want                []string
	}{
		"ordered comparisons get their sufficient set": {
			params: "a, b int", line: "if a < b { return }",
			want: []string{"if a <= b { return }", "if a != b { return }", "if a < b && false { return }"},
		},
		"equal integers may become smaller or larger": {
			params: "a, b int", line: "if a == b { return }",
			want: []string{"if a <= b { return }", "if a >= b { return }", "if a == b && false { return }"},
		},
		"comparisons with nil are only disabled or forced": {
			params: "p *int", line: "if p == nil { return }",
			want: []string{"if p == nil && false { return }", "if p == nil || true { return }"},
		},
		"the path of an error is not taken without one": {
			params: "err error", line: "if err != nil { return }",
			want: []string{"if err != nil && false { return }"},
		},
		"success as a result has either value": {
			params: "err error", line: "_ = func() bool { return err == nil }",
			want: []string{
				"_ = func() bool { return err == nil && false }", "_ = func() bool { return err == nil || true }", "if false { _ = func() bool { return err == nil } }",
			},
		},
		"success is neither made up nor denied": {
			params: "err error, n *int", line: "if err == nil { *n++ }",
			want: []string{"if err == nil && false { *n++ }", "if err == nil { *n-- }", "if err == nil { if false { *n++ } }"},
		},
		"a length is not compared with less than 0": {
			params: "s string", line: "if len(s) > 0 { return }",
			want: []string{"if len(s) >= 0 { return }", "if len(s) > 0 && false { return }"},
		},
		"operands that bind less tightly are put in parentheses": {
			params: "a, b, c int", line: "c = a * (b + c) + a",
			want: []string{
				"if false { c = a * (b + c) + a }", "c = a / (b + c) + a", "c = a * (b + c) - a", "c = a * (b - c) + a",
			},
		},
		"the other connector is put in parentheses where it binds less tightly": {
			params: "a, b, c bool", line: "if a && b && c { return }",
			want: []string{
				"if a && b && c && false { return }", "if a && b || c { return }", "if (a || b) && c { return }",
				"if (a || true) && b && c { return }", "if a && (b || true) && c { return }", "if a && b && (c || true) { return }",
			},
		},
		"constants in range only": {
			params: "b byte", line: "b = 255",
			want: []string{"if false { b = 255 }", "b = 254"},
		},
		"no division by a constant zero": {
			params: "n int", line: "n = n / 1",
			want: []string{"if false { n = n / 1 }", "n = n * 1", "n = n / 2"},
		},
		"no index beyond an array": {
			params: "a [2]int, n int", line: "n = a[1]",
			want: []string{"if false { n = a[1] }", "n = a[0]"},
		},
		"an assignment to a new variable stays": {line: "x := f; _ = x"},
		"hexadecimal stays hexadecimal": {
			params: "n int", line: "n = 0xff",
			want: []string{"if false { n = 0xff }", "n = 0x100", "n = 0xfe"},
		},
		"octal stays octal": {
			params: "n int", line: "n = 0o77",
			want: []string{"if false { n = 0o77 }", "n = 0o100", "n = 0o76"},
		},
		"binary stays binary": {
			params: "n int", line: "n = 0B1_1",
			want: []string{"if false { n = 0B1_1 }", "n = 0b100", "n = 0b10"},
		},
		"a shadowed false is not used":                  {params: "n int, false bool", line: "n = 0", want: []string{"n = 1"}},
		"a shadowed nil is not used":                    {params: "nil int", line: "if nil > 8 { }", want: []string{"if nil >= 8 { }", "if nil != 8 { }", "if nil > 8 && false { }"}},
		"constants and array lengths are left alone":    {line: "const n = 3; var a [n + 1]int; _ = a"},
		"constant conditions are left alone":            {line: "if 1 < 2 { return }"},
		"case labels are left alone, their bodies not":  {params: "n int", line: "switch n { case 1: n--; case 2: }", want: []string{"switch n { case 1: if false { n-- }; case 2: }", "switch n { case 1: n++; case 2: }"}},
		"a break that ends a switch is no loop's":       {params: "n int", line: "switch n { case 1: break }", want: []string{"switch n { case 1: if false { break } }"}},
		"swapped constants would be two more arguments": {params: "g func(...int)", line: "g(1+0, 2+0)", want: []string{"if false { g(1+0, 2+0) }", "g(2+0, 2+0)", "g(0+0, 2+0)", "g(1+1, 2+0)", "g(1+0, 3+0)", "g(1+0, 1+0)", "g(1+0, 2+1)"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			f := load(t, "package p\n\nfunc f("+test.params+") {\n\t"+test.line+"\n}\n")
			got := mutatedLines(f, Mutants(f))
			slices.Sort(got)
			slices.Sort(test.want)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// mutantsBy returns the mutatedLines of the mutants that op makes of the first function in src.
func mutantsBy(t *testing.T, op *Operator, src string) []string {
	t.Helper()
	f := load(t, src)
	mutants := slices.DeleteFunc(Mutants(f), func(m Mutant) bool { return m.Operator != op.Name })
	return mutatedLines(f, mutants)
}

func TestWhatIsNeverNegativeIsNotComparedWithLessThan0(t *testing.T) {
	tests := []struct {
		name, before string
		never        bool
	}{
		{"a length in a variable", "n := len(s)", true},
		{"in one of several", "_, n := 1, len(s)", true},
		{"declared with var", "var n = cap(s)", true},
		{"lengths only", "n := len(s); n = cap(s)", true},
		{"a length that is reduced", "n := len(s); n--", false},
		{"a length that is added to", "n := len(s); n += k", false},
		{"a length or something else", "n := len(s); n = k", false},
		{"a length whose address is taken", "n := len(s); p := &n; *p = k", false},
		{"by a method called Len", "n := l.Len()", true},
		{"the variable of a loop", "n := len(s); for n = range k { }", false},
		{"something else", "n := k", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := mutantsBy(t, relational, "package p\n\nfunc f(s []int, k int, l interface{ Len() int }) {\n\t"+test.before+"\n\tif n == 0 { return }\n}\n")
			if never := !slices.Contains(got, "if n <= 0 { return }"); never != test.never || len(got) == 0 {
				t.Errorf("mutants are %q", got)
			}
		})
	}
}

func TestOnlyIntegersThatCountAreTakenForSmallerOrLarger(t *testing.T) {
	const header = "package p\n\nimport \"reflect\"\n\nconst quote = '\"'\n\nconst limit = 8\n\n"
	for params, ordered := range map[string]bool{
		"n int | n == 3":                       true,
		"n int | n == limit":                   true,
		"n int | 3 != n":                       true,
		"n reflect.Kind | n == 3":              true,
		"n reflect.Kind | n == reflect.Array":  false,
		"n reflect.Kind | reflect.Array != n":  false,
		"n byte | n == 'x'":                    false,
		"n rune | n != quote":                  false,
		"n reflect.Kind | n < reflect.Pointer": true,
	} {
		param, cond, _ := strings.Cut(params, " | ")
		got := mutantsBy(t, relational, header+"func f("+param+") {\n\tif "+cond+" {\n\t}\n\t_ = reflect.Int\n}\n")
		if (len(got) > 0) != ordered {
			t.Errorf("%s, a %s: mutants are %q", cond, param, got)
		}
	}
}

func TestArgumentsWhoseOrderMakesNoDifferenceAreNotSwapped(t *testing.T) {
	const imports = "bytes maps math math/big math/bits os reflect slices strings"
	for call, swapped := range map[string]bool{
		"bytes.Equal(b, c)":                                false,
		"bytes.EqualFold(b, c)":                            false,
		"bytes.Compare(b, c)":                              true,
		"strings.EqualFold(s, u)":                          false,
		"strings.EqualFold(string(b), g(u))":               false,
		"strings.Compare(s, u)":                            true,
		"strings.HasPrefix(s, u)":                          true,
		"reflect.DeepEqual(b, c)":                          false,
		"slices.Equal(b, c)":                               false,
		"slices.Equal[[]byte](b, c)":                       false,
		"slices.EqualFunc(b, c, less)":                     true,
		"slices.Compare(b, c)":                             true,
		"maps.Equal(m, w)":                                 false,
		"math.Max(x, y)":                                   false,
		"math.Min(x, y)":                                   false,
		"math.Hypot(x, y)":                                 false,
		"math.Pow(x, y)":                                   true,
		"math.FMA(x, y, x)":                                true, // its last two arguments
		"min(x, y)":                                        false,
		"max(x, y, 1)":                                     false,
		"new(big.Int).Add(i, j)":                           false,
		"new(big.Int).Sub(i, j)":                           true,
		"os.SameFile(nil, info)":                           false,
		"Equal(b, c)":                                      true, // not bytes.Equal
		"(*T)(nil).Equal(b, c)":                            true,
		"func(b, c []byte) bool { return b == nil }(b, c)": true,
	} {
		src := "package p\n\nimport (\n"
		used := ""
		for _, pkg := range strings.Fields(imports) {
			src += "\t\"" + pkg + "\"\n"
		}
		for _, use := range []string{"bytes.Equal", "maps.Equal[map[int]int, map[int]int]", "math.Max", "(*big.Int).Add", "bits.Add", "os.SameFile", "reflect.DeepEqual", "slices.Equal[[]int]", "strings.Compare"} {
			used += "var _ = " + use + "\n"
		}
		src += ")\n\nfunc f(b, c []byte, s, u string, m, w map[int]int, x, y float64, i, j *big.Int, info os.FileInfo, g func(string) string, less func(a, b byte) bool) {\n\t_ = " +
			call + "\n}\n\ntype T struct{}\n\nfunc (*T) Equal(b, c []byte) bool { return len(b) < len(c) }\n\nfunc Equal(b, c []byte) bool { return len(b) < len(c) }\n\n" + used
		if got := mutantsBy(t, argumentSwap, src); (len(got) > 0) != swapped {
			t.Errorf("%s: mutants are %q", call, got)
		}
	}
}

func TestBasesAndSizesOfNumbersAreLeftAlone(t *testing.T) {
	for call, want := range map[string]int{
		`strconv.ParseInt("7", 10, 64)`:          0,
		`strconv.FormatFloat(1.5, 'f', 2, 64)`:   2, // of the precision
		`new(big.Int).SetString("7", 10)`:        0,
		`func(base int) int { return base }(10)`: 2,
	} {
		src := "package p\n\nimport (\n\"math/big\"\n\"strconv\"\n)\n\nvar _ = big.NewInt\nvar _ = strconv.Itoa\n\nfunc f(v ...any) {\n\tf(" + call + ")\n}\n"
		if got := mutantsBy(t, integerLiteral, src); len(got) != want {
			t.Errorf("%s: mutants are %q, want %d", call, got, want)
		}
	}
}

func TestArgumentsThatAFunctionTreatsAlikeAreNotSwapped(t *testing.T) {
	for body, want := range map[string]int{
		"if fold { return strings.EqualFold(a, b) }; return a == b": 0,
		"return len(a) + len(b) > 1 && b != a":                      0,
		"return a < b":                                              1,
		"return a + b == `x`":                                       1,
		"if fold { return a == `` }; return b == a":                 1,
		"for range 3 { a += b }; return a == b":                     1,
	} {
		src := "package p\n\nimport \"strings\"\n\nfunc f(s, u string) bool {\n\treturn same(s, u, true)\n}\n\nfunc same(a, b string, fold bool) bool { " + body +
			" }\n\nvar _ = strings.EqualFold\n"
		if got := mutantsBy(t, argumentSwap, src); len(got) != want {
			t.Errorf("%s: mutants are %q, want %d", body, got, want)
		}
	}
}

func TestArgumentsThatAreLookedAtOneAfterTheOtherAreSwapped(t *testing.T) {
	const declarations = `

type T struct{ n int }

var first, second int

func save(n int) bool { return n > 1 }
`
	for function, want := range map[string]int{
		"(a, b int) bool { return a > 1 && b > 1 }":                                                0,
		"(a, b int) bool { return save(a) && save(b) }":                                            1,
		"(a, b int) bool { return save(a) || save(b) }":                                            1,
		"(a, b int) bool { return a > 1 && (b > 1 && save(1)) }":                                   1,
		"(a, b int) bool { return 6 / a > 1 && 6 / b > 1 }":                                        1,
		"(a, b *T) bool { return a == nil && b == nil }":                                           0,
		"(a, b *T) bool { return a.n == b.n && b != a }":                                           0,
		"(a, b *T) bool { return a.n == 0 && b == nil || b.n == 0 && a == nil }":                   1,
		"(a, b T) bool { return a.n == 0 && b.n == 1 || b.n == 0 && a.n == 1 }":                    0,
		"(a, b []int) bool { return a[0] > 1 && b[0] > 1 }":                                        1,
		"(a, b int) bool { return save(a) == save(b) }":                                            0,
		"(a, b int) bool { return (a*first + b*b) * (a*second + first*first) == 0 }":               1, // first and second are no placeholders for a and b
		"(a, b int) bool { return (a*first + b*first) * (a*second + b*second) == second - first }": 0,
	} {
		params, _, _ := strings.Cut(function, ") ")
		src := "package p\n\nfunc f" + strings.Replace(params, "a, b", "x, y", 1) + ") bool {\n\treturn both(x, y)\n}\n\nfunc both" + function + declarations
		if got := mutantsBy(t, argumentSwap, src); len(got) != want {
			t.Errorf("%s: mutants are %q, want %d", function, got, want)
		}
	}
}

func TestFormatsAndTextsOfErrorsAreNotSwapped(t *testing.T) {
	for call, want := range map[string]int{
		`errors.New(s + u)`:         0,
		`fmt.Errorf(s, u)`:          0,
		`fmt.Sprintf("%s", s)`:      0,
		`fmt.Sprintf(s, u)`:         1,
		`strings.Contains(s, "=")`:  1,
		`strings.Contains(s, "=%")`: 0,
	} {
		src := "package p\n\nimport (\n\"errors\"\n\"fmt\"\n\"strings\"\n)\n\nfunc f(s, u string) {\n\t_ = " + call +
			"\n\t_, _, _ = errors.New, fmt.Sprint, strings.Contains\n}\n"
		if got := mutantsBy(t, argumentSwap, src); len(got) != want {
			t.Errorf("%s: mutants are %q, want %d", call, got, want)
		}
	}
}

func TestZeroIsNotReplacedByAnotherZero(t *testing.T) {
	tests := []struct{ result, value, want string }{
		{"T", "0", ""},
		{"T", "1", "*new(T)"},
		{"int", "0", ""},
		{"float64", "0.0", ""},
		{"int", "1", "0"},
		{"[]int", "[]int{}", ""},
		{"[2]int", "[2]int{1, 2}", "if true { return [2]int{} }; return [2]int{1, 2}"},
		{"[2]int", "[2]int{}", ""},
		{"struct{ a int }", "struct{ a int }{1}", "if true { return struct{a int}{} }; return struct{ a int }{1}"},
		{"map[int]int", "map[int]int{}", "if true { return nil }; return map[int]int{}"},
	}
	for _, test := range tests {
		src := "package p\n\nfunc f[T int | float64]() " + test.result + " {\n\treturn " + test.value + "\n}\n"
		got := strings.TrimPrefix(strings.Join(mutantsBy(t, returnValue, src), " "), "return ")
		if got != test.want {
			t.Errorf("for %s as %s: %q, want %q", test.value, test.result, got, test.want)
		}
	}
}

func TestFunctionsThatMustReturnStillDo(t *testing.T) {
	for _, body := range []string{
		"for { if n > 3 { continue }; n++ }",
		"if n > 1 { return 1 } else { return 2 }",
		"switch { case n > 1: return 1; default: panic(n) }",
		"L: for { for { continue L } }",
		"select {}",
	} {
		f := load(t, "package p\n\nfunc f(n int) int {\n\t"+body+"\n}\n")
		for _, m := range Mutants(f) {
			if err := compiles(f, m.Offset, m.EndOffset, m.Replacement); err != nil {
				t.Errorf("%s: %s: %v", m.Operator, apply(f, m), err)
			}
		}
	}
}

func TestIDsOutliveShiftsAndReformatting(t *testing.T) {
	ids := func(src string) (out []string) {
		for _, m := range Mutants(load(t, src)) {
			out = append(out, m.ID)
		}
		return out
	}
	before := ids("package p\n\nfunc f(a, b int) bool {\n\treturn a+1 < b && b+1 < a\n}\n")
	after := ids("package p\n\n// Moved.\n\nfunc f(a, b int) bool {\n\treturn a + 1 < b && // why\n\t\tb + 1 < a\n}\n")
	if diff := cmp.Diff(before, after); diff != "" || len(before) == 0 {
		t.Errorf("%d IDs, -before +after:\n%s", len(before), diff)
	}
}

func TestPositionsArePhysicalDespiteLineDirectives(t *testing.T) {
	f := load(t, "package p\n\nfunc f(n *int) {\n//line other.go:900\n\t*n++\n}\n")
	for _, m := range Mutants(f) {
		if m.Line != 5 || m.Column != 2 || m.EndLine != 5 || m.EndColumn != 6 {
			t.Errorf("%s is at %d:%d-%d:%d, want 5:2-5:6", m.Operator, m.Line, m.Column, m.EndLine, m.EndColumn)
		}
	}
}

func TestMutantsHaveTheWholeLinesThatTheyChange(t *testing.T) {
	const src = "package p\n\nfunc f(a, b int) bool {\n\treturn a < b && // why\n\t\tb < 9\n}"
	type lines struct{ before, after string }
	tests := map[string]struct {
		part, replacement string
		want              lines
	}{
		"within a line":     {"<", "<=", lines{"\treturn a < b && // why", "\treturn a <= b && // why"}},
		"over two lines":    {"b && // why\n\t\tb", "b", lines{"\treturn a < b && // why\n\t\tb < 9", "\treturn a < b < 9"}},
		"whole lines":       {"\t\tb < 9\n", "\t\ttrue\n", lines{"\t\tb < 9", "\t\ttrue"}},
		"before a line":     {"", "// A function.\n", lines{"package p", "// A function.\npackage p"}},
		"in the last line":  {"}", "};", lines{"}", "};"}},
		"lines taken away":  {"\treturn a < b && // why\n\t\tb < 9\n", "", lines{"\treturn a < b && // why\n\t\tb < 9", ""}},
		"in the first line": {"p", "q", lines{"package p", "qackage p"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			from := strings.Index(src, test.part)
			before, after := changedLines([]byte(src), from, from+len(test.part), test.replacement)
			if got := (lines{before, after}); got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
	for _, m := range Mutants(load(t, src+"\n")) {
		prefix, rest := m.Before[:m.Column-1], m.Before[m.Column-1+len(m.Original):]
		if !strings.Contains(src, m.Before) || m.After != prefix+m.Replacement+rest {
			t.Errorf("%s %q: %q becomes %q", m.Operator, m.Replacement, m.Before, m.After)
		}
	}
}

func TestMutantsOnChangedLinesAreMarked(t *testing.T) {
	f := load(t, "package p\n\nfunc f(n *int) {\n\t*n++\n\t*n--\n}\n")
	f.Changed = []Lines{{First: 5, Last: 7}}
	for _, m := range Mutants(f) {
		if m.OnDiff != (m.Line == 5) {
			t.Errorf("%s on line %d: OnDiff is %v", m.Operator, m.Line, m.OnDiff)
		}
	}
}

func TestEditsBesideWhatIsNewAreMarked(t *testing.T) {
	for _, tt := range []struct {
		line   string   // new code is in «», which are empty where code was removed
		beside []string // the line as the mutants beside the change make it
	}{
		{"if a > 1 «|| b > 2» { return 0, 1 }", []string{"if a >= 1 || b > 2 { return 0, 1 }", "if a != 1 || b > 2 { return 0, 1 }", "if a > 1 && false || b > 2 { return 0, 1 }",
			"if a > 1 || b > 2 { return 0, 0 }", "if a > 1 || b > 2 { return 1, 1 }", "if a > 1 || b > 2 { return 0, 2 }"}},
		{"if a > «2» { return a, a }", []string{"if a > 2 { if true { return 0, a }; return a, a }", "if a > 2 { if true { return a, 0 }; return a, a }",
			"if a > 2 { return a + 1, a }", "if a > 2 { return a, a + 1 }"}},
		{"g(a, b«, c»)", []string{"g(b, a, c)"}},
		{"return a, b«+1»", []string{"if true { return 0, b+1 }; return a, b+1", "return a + 1, b+1"}},
		{"return h(s[a:b]«, s[c:]»)", []string{"return h(s[a + 1:b], s[c:])", "return h(s[:b], s[c:])", "return h(s[a:b - 1], s[c:])", "return h(s[a:], s[c:])"}},
		{"«a++»", nil},
		{"g(a, b, c«)»", []string{"g(b, a, c)", "g(a, c, b)"}},
		{"a = b«»*c", nil},
		{"a = s[«b»] + c", []string{"a = s[b] - c"}},
		{"a = s[b] «+» c", nil},
		{"a = s[b] + «c»", nil},
	} {
		const before = "package p\n\nfunc f(a, b, c int, s []int, g func(a, b, c int), h func(s ...[]int) (int, int)) (int, int) {\n\t"
		src := before + strings.NewReplacer("«", "", "»", "").Replace(tt.line) + "\n\treturn 1, 1\n}\n"
		f := load(t, src)
		f.Changed = []Lines{{First: 4, Last: 4}}
		start, rest, _ := strings.Cut(tt.line, "«")
		part, _, _ := strings.Cut(rest, "»")
		f.Fresh = []Span{{Start: len(before + start), End: len(before + start + part)}}
		f.Hunks = []Hunk{{First: 4, Count: 1, Old: "\tgoto end\n"}}
		beside := slices.DeleteFunc(Mutants(f), func(m Mutant) bool { return !m.Beside })
		got := mutatedLines(f, beside)
		slices.Sort(got)
		slices.Sort(tt.beside)
		if diff := cmp.Diff(tt.beside, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.line, diff)
		}
	}
}

func TestLeavingOutABlockOfWhichLittleIsNewIsBesideTheChange(t *testing.T) {
	for _, tt := range []struct {
		block string // new code is in «»
		want  bool
	}{
		{"{\n\t\tg(1)\n\t\tg(2)\n\t\tg(3)\n\t\t«g(4)»\n\t}", true},
		{"{\n\t\tg(1)\n\t\t«g(4)»\n\t}", false},
		{"{ g(1); g(2); g(3); «g(4)» }", false},
	} {
		const before = "package p\n\nfunc f(ok bool, g func(int)) {\n\tif ok "
		start, rest, _ := strings.Cut(tt.block, "«")
		part, _, _ := strings.Cut(rest, "»")
		f := load(t, before+strings.NewReplacer("«", "", "»", "").Replace(tt.block)+" else {\n\t\tg(0)\n\t}\n}\n")
		f.Changed = []Lines{{First: 1, Last: 20}}
		f.Fresh = []Span{{Start: len(before + start), End: len(before + start + part)}}
		found := false
		for _, m := range Mutants(f) {
			if m.Operator == "branch-removal" && m.Offset == len(before) {
				if found = true; m.Beside != tt.want {
					t.Errorf("%s: beside is %t", tt.block, m.Beside)
				}
			}
		}
		if !found {
			t.Errorf("%s: no branch is left out", tt.block)
		}
	}
}

func TestLoopIsBesideTheChangeUnlessThatBringsSomethingThatItGoesThroughAndSomethingThatItDoes(t *testing.T) {
	for loop, want := range map[string]bool{ // new code is in «»
		"for _, n := range s {\n\t\tg(1)\n\t\t«g(n)»\n\t}":   true,
		"for _, n := range s {\n\t\t«g(1)\n\t\tg(n)»\n\t}":   true,
		"for _, n := range «s» {\n\t\tg(1)\n\t\tg(n)\n\t}":   true,
		"for _, n := range «s» {\n\t\tg(1)\n\t\t«g(n)»\n\t}": false,
		"«for _, n := range s {\n\t\tg(1)\n\t\tg(n)\n\t}»":   false,
	} {
		const before = "package p\n\nfunc f(s []int, g func(int)) {\n\t"
		var source strings.Builder
		var fresh []Span
		for i, part := range strings.FieldsFunc(before+loop+"\n}\n", func(r rune) bool { return r == '«' || r == '»' }) {
			start := source.Len()
			source.WriteString(part)
			if i%2 == 1 {
				fresh = append(fresh, Span{Start: start, End: source.Len()})
			}
		}
		f := load(t, source.String())
		f.Changed, f.Fresh = []Lines{{First: 4, Last: 7}}, fresh
		found := 0
		for _, m := range Mutants(f) {
			if m.Operator == loopIterations.Name {
				if found++; m.Beside != want {
					t.Errorf("%s: beside is %t", loop, m.Beside)
				}
			}
		}
		if found != 2 {
			t.Errorf("%s: %d mutants", loop, found)
		}
	}
}

func TestFunctionWithoutBodyHasNoMutants(t *testing.T) {
	if got := Mutants(load(t, "package p\n\nfunc f()\n")); got != nil {
		t.Errorf("%d mutants", len(got))
	}
}

func TestStatementsOnOneLineStaySeparate(t *testing.T) {
	const source = "func(n int) int {\n\tn++ // more\n\treturn n\n}, nil\n"
	const want = "func ( n int ) int { n ++ ; return n ; } , nil"
	if got := oneLine(source); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCasesHaveTheirHeads(t *testing.T) {
	f := load(t, "package p\n\nfunc f(c chan int, n int) int {\n\tswitch n {\n\tcase 1, 2:\n\t\tn++\n\tdefault:\n\t\tn--\n\t}\n\tselect {\n\tcase <-c:\n\t\treturn 1\n\t}\n\treturn n\n}\n")
	heads := map[string]string{}
	for _, m := range Mutants(f) {
		if m.Case != "" {
			heads[m.Original] = m.Case
		}
	}
	if want := map[string]string{"n++": "case 1, 2", "n--": "default", "return 1": "case <-c"}; !cmp.Equal(heads, want) {
		t.Errorf("got %q, want %q", heads, want)
	}
}

func TestBranchEndIsWhereTheBranchOfAConditionThatNeverHoldsEnds(t *testing.T) {
	f := load(t, "package p\n\nfunc f(a int) (b int) {\n\tif a < 1 {\n\t\treturn 2\n\t}\n\tfor a > 3 {\n\t\ta--\n\t}\n\tif a == 9 {\n\t\tb = 7\n\t} else {\n\t\tb = 8\n\t}\n\treturn b\n}\n")
	branches := map[string]string{}
	for _, m := range Mutants(f) {
		if m.BranchEnd > 0 {
			branches[m.Replacement] = string(f.Source[m.EndOffset:m.BranchEnd])
		}
	}
	want := map[string]string{"a < 1 && false": " {\n\t\treturn 2\n\t}", "a == 9 && false": " {\n\t\tb = 7\n\t}"}
	if diff := cmp.Diff(want, branches); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestElseIsWhatIsDoneWhereAConditionThatAlwaysHoldsIsFalse(t *testing.T) {
	f := load(t, "package p\n\nfunc f(a, b, d bool) (c int) {\n\tif a {\n\t\tc++\n\t} else {\n\t\tc--\n\t}\n\tif b {\n\t\tc = 3\n\t} else if a {\n\t\tc = 7\n\t}\n\tfor a {\n\t\ta = false\n\t}\n\tif d {\n\t\treturn 1\n\t}\n\tc++\n\treturn c\n}\n")
	branches := map[string]string{}
	for _, m := range Mutants(f) {
		if m.Else.End > 0 {
			branches[m.Replacement] = string(f.Source[m.Else.Start:m.Else.End])
		}
	}
	want := map[string]string{"a || true": "{\n\t\tc--\n\t}", "b || true": "if a {\n\t\tc = 7\n\t}", "d || true": "c++\n\treturn c"}
	if diff := cmp.Diff(want, branches); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestErrorsThatAreNilAreNotReplacedByNil(t *testing.T) {
	const do = "\n\nfunc do() (int, error)\n"
	tests := map[string]struct {
		body    string
		mutants int
	}{
		"inside of a condition that it is nil": {"n, err := do()\n\tif err == nil {\n\t\treturn n, err\n\t}\n\treturn 0, nil", 0},
		"that and another one":                 {"n, err := do()\n\tif n > 1 && err == nil {\n\t\treturn n, err\n\t}\n\treturn 0, nil", 0},
		"that or another one":                  {"n, err := do()\n\tif n > 1 || err == nil {\n\t\treturn n, err\n\t}\n\treturn 0, nil", 1},
		"that it is not nil":                   {"n, err := do()\n\tif err != nil {\n\t\treturn n, err\n\t}\n\treturn 0, nil", 1},
		"the other branch":                     {"n, err := do()\n\tif err != nil {\n\t\tn++\n\t} else {\n\t\treturn n, err\n\t}\n\treturn 0, nil", 0},
		"behind a check":                       {"n, err := do()\n\tif err != nil {\n\t\treturn 0, nil\n\t}\n\treturn n, err", 0},
		"behind a check that goes on":          {"n, err := do()\n\tif err != nil {\n\t\tn++\n\t}\n\treturn n, err", 1},
		"behind a check and a call":            {"n, err := do()\n\tif err != nil {\n\t\treturn 0, nil\n\t}\n\tn, err = do()\n\treturn n, err", 1},
		"set again":                            {"n, err := do()\n\tif err == nil {\n\t\tn, err = do()\n\t\treturn n, err\n\t}\n\treturn 0, nil", 1},
		"another variable of that name":        {"n, err := do()\n\tif err == nil {\n\t\t_, err := do()\n\t\treturn n, err\n\t}\n\treturn 0, nil", 1},
		"a nearer condition on something else": {"n, err := do()\n\tif err == nil {\n\t\tif n > 1 {\n\t\t\treturn n, err\n\t\t}\n\t}\n\treturn 0, nil", 1},
		"a literal sets it":                    {"n, err := do()\n\tset := func() { _, err = do() }\n\tif err == nil {\n\t\tset()\n\t\treturn n, err\n\t}\n\treturn 0, nil", 1},
		"somebody has its address":             {"n, err := do()\n\tp := &err\n\tif err == nil {\n\t\t_, *p = do()\n\t\treturn n, err\n\t}\n\treturn 0, nil", 1},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := mutantsBy(t, errorReturn, "package p\n\nfunc f() (int, error) {\n\t"+tt.body+"\n}"+do); len(got) != tt.mutants {
				t.Errorf("%q, want %d", got, tt.mutants)
			}
		})
	}
}

func TestAConstantThatIsAnErrorIsReplacedByNil(t *testing.T) {
	const source = "package p\n\nfunc f() (int, error) {\n\treturn 0, none\n}\n\ntype failure string\n\nfunc (f failure) Error() string { return string(f) }\n\nconst none failure = \"none\"\n"
	if got, want := mutantsBy(t, errorReturn, source), 1; len(got) != want || !strings.Contains(strings.Join(got, ""), "return 0, nil") {
		t.Errorf("%q, want %d with nil", got, want)
	}
}

func TestContinueIsNoBreakOutOfASwitchAtTheEndOfALoop(t *testing.T) {
	for body, want := range map[string]int{
		"for range n { if n > 1 { continue }; n++ }":                                                  1,
		"for range n { switch n { case 1: continue }; n++ }":                                          1,
		"for range n { switch n { case 1: continue; default: n++ } }":                                 0,
		"for range n { if n > 1 { switch { case n > 2: if n > 3 { continue }; n++ } } else { n++ } }": 0,
		"for range n { if n > 1 { switch { case n > 2: continue } }; n++ }":                           1,
		"for ; n > 1; n-- { switch { case n > 2: for range n { continue } } }":                        1,
	} {
		if got := mutantsBy(t, loopControl, "package p\n\nfunc f(n int) {\n\t"+body+"\n}\n"); len(got) != want {
			t.Errorf("%s: %q, want %d", body, got, want)
		}
	}
}
