package mutate

import (
	"go/ast"
	"go/token"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestHunksAreUndoneInsideTheFunction(t *testing.T) {
	const source = `package p

func g() {}

func f(n int) int {
	n++
	if n > 1 {
		return n
	}
	return 0
}
`
	tests := map[string]struct {
		hunk Hunk
		want string // lines of the mutated function; empty: no mutant
	}{
		"changed line": {Hunk{7, 1, "\tif n > 2 {\n"}, "func f(n int) int {\n\tn++\n\tif n > 2 {\n\t\treturn n\n\t}\n\treturn 0\n}\n"},
		"added line":   {Hunk{6, 1, ""}, "func f(n int) int {\n\tif n > 1 {\n\t\treturn n\n\t}\n\treturn 0\n}\n"},
		"removed line": {Hunk{10, 0, "\tn = -n\n"}, "func f(n int) int {\n\tn++\n\tif n > 1 {\n\t\treturn n\n\t}\n\tn = -n\n\treturn 0\n}\n"},
		"removed last": {Hunk{11, 0, "\tpanic(0)\n"}, "func f(n int) int {\n\tn++\n\tif n > 1 {\n\t\treturn n\n\t}\n\treturn 0\n\tpanic(0)\n}\n"},
		"begins before the function": {
			Hunk{3, 4, "func h() {\n}\n\nfunc f(n int) int {\n\tn--\n"},
			"func f(n int) int {\n\tn--\n\tif n > 1 {\n\t\treturn n\n\t}\n\treturn 0\n}\n",
		},
		"ends after the function": {
			Hunk{10, 3, "\treturn 1\n}\n\nvar x = 1\n"},
			"func f(n int) int {\n\tn++\n\tif n > 1 {\n\t\treturn n\n\t}\n\treturn 1\n}\n",
		},
		"of layout only":         {Hunk{6, 1, "\tn++ // more\n"}, ""},
		"that does not parse":    {Hunk{7, 1, "\t{ {\n"}, ""},
		"of the signature":       {Hunk{5, 1, "func f(n uint) int {\n"}, ""},
		"before the function":    {Hunk{3, 1, "func g() { panic(0) }\n"}, ""},
		"just before its line":   {Hunk{5, 0, "// more\n"}, ""},
		"after the function":     {Hunk{12, 0, "var x = 1\n"}, ""},
		"that adds the function": {Hunk{5, 7, ""}, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			f := load(t, strings.Replace(source, "func g() {}", "var y = 0", 1))
			f.Hunks = []Hunk{test.hunk}
			got := ""
			for _, m := range Mutants(f) {
				if m.Operator == "hunk-reversal" {
					if got != "" || m.Hunk != &f.Hunks[0] {
						t.Errorf("second mutant, or hunk not kept: %+v", m)
					}
					_, got, _ = strings.Cut(apply(f, m), "\n\nfunc f")
					got = "func f" + got
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestHunksThatOnlyAddAridCodeAreArid(t *testing.T) {
	const source = "package p\n\nfunc f(n int) int {\n\tprintln(n)\n\t// twice\n\tprintln(n)\n\tif n > 1 {\n\t\tprintln(n)\n\t}\n\tvar list []int\n\tlist = []int{}\n\treturn n + len(list)\n}\n"
	for name, test := range map[string]struct {
		hunk Hunk
		want string
	}{
		"of an empty list for nil":          {Hunk{11, 1, ""}, "zero-again"},
		"of arid statements":                {Hunk{4, 3, ""}, "logging"},
		"of more than arid statements":      {Hunk{6, 5, ""}, ""},
		"of statements instead of others":   {Hunk{4, 3, "\tn++\n"}, ""},
		"of which one statement goes on":    {Hunk{6, 2, "\t{\n"}, ""},
		"of an arid block with a condition": {Hunk{7, 3, ""}, "logging"},
	} {
		t.Run(name, func(t *testing.T) { undoneArid(t, load(t, source), test.hunk, test.want) })
	}
}

// undoneArid checks that f has mutants that undo the hunk, and that the rule want makes all of them arid.
func undoneArid(t *testing.T, f *Function, hunk Hunk, want string) {
	t.Helper()
	f.Hunks = []Hunk{hunk}
	found := false
	for _, m := range Mutants(f) {
		if m.Hunk != nil {
			found = true
			if m.Arid != want {
				t.Errorf("arid %q, want %q", m.Arid, want)
			}
		}
	}
	if !found {
		t.Error("no mutant undoes it")
	}
}

func TestHunksThatOnlyAlterCapacitiesAreArid(t *testing.T) {
	const source = "package p\n\nfunc f(n int) int {\n\tlist := make([]int, 0, n)\n\tset := make(map[int]bool, n)\n\tbuf := make([]int, n)\n\treturn len(list) + len(set) + len(buf)\n}\n"
	for name, test := range map[string]struct {
		hunk Hunk
		want string
	}{
		"of a list":            {Hunk{4, 1, "\tlist := make([]int, 0)\n"}, "capacity"},
		"of a map":             {Hunk{5, 1, "\tset := make(map[int]bool)\n"}, "capacity"},
		"of both, differently": {Hunk{4, 2, "\tlist := make([]int, 0, 9)\n\tset := make(map[int]bool, 9)\n"}, "capacity"},
		"and a length":         {Hunk{6, 1, "\tbuf := make([]int, n+1)\n"}, ""},
		"for a length":         {Hunk{4, 1, "\tlist := make([]int, n)\n"}, ""},
	} {
		t.Run(name, func(t *testing.T) { undoneArid(t, loadAll(t, source)[0], test.hunk, test.want) })
	}
}

func TestHunksThatAlterBlanksInATextOrWrapAnErrorAreNotArid(t *testing.T) {
	const source = "package p\n\nimport \"fmt\"\n\nfunc f(err error) (string, error) {\n\ts := \"a  b\"\n\treturn s, fmt.Errorf(\"x: %w\", err)\n}\n"
	for name, hunk := range map[string]Hunk{
		"blanks":  {6, 1, "\ts := \"a b\"\n"},
		"wrapped": {7, 1, "\treturn s, fmt.Errorf(\"x: %v\", err)\n"},
	} {
		t.Run(name, func(t *testing.T) { undoneArid(t, loadAll(t, source)[0], hunk, "") })
	}
}

func TestHunksInWhatNeverRunsHereAreArid(t *testing.T) {
	const source = "package p\n\nconst here = false\n\nfunc f(n int) int {\n\tif here && n > 1 {\n\t\tn++\n\t\tn--\n\t}\n\tn++\n\treturn n\n}\n"
	for name, test := range map[string]struct {
		hunk Hunk
		want string
	}{
		"added":                  {Hunk{6, 4, ""}, "never-runs-here"},
		"added to such a block":  {Hunk{7, 1, ""}, "never-runs-here"},
		"altered":                {Hunk{7, 1, "\t\tn *= 2\n"}, "never-runs-here"},
		"and what comes next":    {Hunk{6, 5, ""}, ""},
		"since its condition is": {Hunk{6, 1, "\tif n > 1 {\n"}, ""},
	} {
		t.Run(name, func(t *testing.T) { undoneArid(t, loadAll(t, source)[0], test.hunk, test.want) })
	}
}

func TestHunksWithinOneTextAreArid(t *testing.T) {
	const source = "package p\n\nfunc f(n int) string {\n\treturn `a\nb\nc\nd` + g(\n\t\tn)\n}\n\nfunc g(int) string { return `` }\n"
	for name, test := range map[string]struct {
		hunk Hunk
		want string
	}{
		"altered":      {Hunk{5, 2, "x\n"}, "text"},
		"added":        {Hunk{6, 1, ""}, "text"},
		"and its end":  {Hunk{6, 2, "x\nd` + g(\n"}, ""},
		"and its call": {Hunk{8, 1, "\t\t1)\n"}, ""},
	} {
		t.Run(name, func(t *testing.T) { undoneArid(t, loadAll(t, source)[0], test.hunk, test.want) })
	}
}

func TestHunksAreUndoneInsideLiteralsOfPackageVariables(t *testing.T) {
	f := load(t, "package p\n\nvar f = map[string]func(n int) int{\n\t\"a\": func(n int) int {\n\t\tn++\n\t\treturn n\n\t},\n}\n\nfunc g() {}\n")
	lit := f.Syntax.Decls[0].(*ast.GenDecl).Specs[0].(*ast.ValueSpec).Values[0].(*ast.CompositeLit).Elts[0].(*ast.KeyValueExpr).Value.(*ast.FuncLit)
	f.Decl = Declare(lit)
	f.Hunks = []Hunk{{First: 5, Count: 1, Old: "\t\tn--\n"}, {First: 4, Count: 1, Old: "\t\"b\": func(n int) int {\n"}}
	var got []string
	for _, m := range Mutants(f) {
		if m.Operator == "hunk-reversal" {
			got = append(got, m.Original+"→"+m.Replacement)
		}
	}
	if diff := cmp.Diff([]string{"\t\tn++\n→\t\tn--\n"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestImportsStayUsedWhereAHunkIsUndone(t *testing.T) {
	const source = "package p\n\nimport (\n\t\"strings\"\n\t\"sort\"\n)\n\nfunc f(s string) string {\n\tsort.Strings(nil)\n\treturn strings.TrimSpace(s)\n}\n"
	tests := map[string]struct {
		more string
		hunk Hunk
		want string // the replacement; empty: no mutant
	}{
		"the only use goes":       {"", Hunk{10, 1, "\treturn s\n"}, "var _ = strings.TrimSpace\n\treturn s\n"},
		"all go":                  {"", Hunk{9, 2, "\treturn s\n"}, "var _ = sort.Strings\nvar _ = strings.TrimSpace\n\treturn s\n"},
		"it has another":          {"\nvar g = strings.ToUpper\n", Hunk{10, 1, "\treturn s\n"}, "\treturn s\n"},
		"another comes":           {"", Hunk{10, 1, "\treturn strings.ToUpper(s)\n"}, "\treturn strings.ToUpper(s)\n"},
		"something else so named": {"", Hunk{10, 1, "\tstrings := s\n\treturn strings\n"}, "var _ = strings.TrimSpace\n\tstrings := s\n\treturn strings\n"},
		"another line's import":   {"", Hunk{10, 1, "\tsort.Ints(nil)\n\treturn strings.ToUpper(s)\n"}, "\tsort.Ints(nil)\n\treturn strings.ToUpper(s)\n"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f := load(t, source+tt.more)
			f.Hunks = []Hunk{tt.hunk}
			checkReversal(t, f, tt.want)
		})
	}
}

func TestDotImportsStayUsedWhereAHunkIsUndone(t *testing.T) {
	const source = "package p\n\nimport . \"math\"\n\nfunc f(a, b float64) float64 {\n\treturn Sqrt(a*a + b*b)\n}\n"
	for name, tt := range map[string]struct{ more, old, want string }{
		"the only use goes": {"", "\treturn a + b\n", "var _ = Sqrt\n\treturn a + b\n"},
		"it has another":    {"\nvar g = Cbrt\n", "\treturn a + b\n", "\treturn a + b\n"},
		"another comes":     {"", "\treturn Hypot(a, b)\n", "\treturn Hypot(a, b)\n"},
	} {
		t.Run(name, func(t *testing.T) {
			f := load(t, source+tt.more)
			f.Hunks = []Hunk{{6, 1, tt.old}}
			checkReversal(t, f, tt.want)
		})
	}
}

func TestOnlyWhatCanBeDeclaredKeepsAnImportUsed(t *testing.T) {
	const source = "package p\n\nimport (\n\t\"math\"\n\t\"slices\"\n\t\"strings\"\n)\n\nfunc f(s string) (b []string) {\n" +
		"\tb = []string{\n\t\ts,\n\t\tstrings.TrimSpace(s),\n\t}\n" +
		"\t_ = uint64(math.MaxUint64)\n" +
		"\tvar r strings.Builder\n\tr.Reset()\n" +
		"\tslices.Sort(b)\n\treturn b\n}\n"
	for hunk, want := range map[Hunk]string{
		{First: 14, Count: 1}: "const _ = math.MaxUint64\n\tvar r strings.Builder\n",
		{First: 17, Count: 1}: "var _ = slices.Sort[[]string, string]\n\treturn b\n",
	} {
		f := load(t, source)
		f.Hunks = []Hunk{hunk}
		checkReversal(t, f, want)
	}
	local := load(t, "package p\n\nimport \"slices\"\n\nfunc f() {\n\ttype t int\n\tslices.Sort([]t{1})\n\t_ = t(1)\n}\n")
	local.Hunks = []Hunk{{First: 7, Count: 1}} // type t is not known at the start of the body
	checkReversal(t, local, "")
	inside := load(t, strings.ReplaceAll(source, "\tvar r strings.Builder\n\tr.Reset()\n", ""))
	inside.Hunks = []Hunk{{First: 12, Count: 1}} // a declaration cannot stand there
	checkReversal(t, inside, "")
	typed := load(t, strings.ReplaceAll(source, "\t\tstrings.TrimSpace(s),\n", ""))
	typed.Hunks = []Hunk{{First: 14, Count: 2}}
	checkReversal(t, typed, "type _ = strings.Builder\n\tslices.Sort(b)\n")
}

// checkReversal checks the replacement by the mutant that undoes the hunk, and that the mutated program compiles.
// If want is empty, there must be no such mutant.
func checkReversal(t *testing.T, f *Function, want string) {
	t.Helper()
	got := ""
	for _, m := range Mutants(f) {
		if m.Operator == "hunk-reversal" {
			got = m.Replacement
			loadAll(t, apply(f, m))
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestSeveralHunksAreUndoneOneByOneAndAllAtOnce(t *testing.T) {
	f := load(t, "package p\n\nfunc f(n int) int {\n\tm := n + 1\n\tprintln(n)\n\treturn m\n}\n")
	f.Hunks = []Hunk{{First: 4, Count: 1, Old: ""}, {First: 6, Count: 1, Old: "\treturn n\n"}}
	var got []string
	for _, m := range Mutants(f) {
		if m.Operator == "hunk-reversal" {
			got = append(got, strings.TrimPrefix(apply(f, m), "package p\n\nfunc f(n int) int {\n"))
		}
	}
	want := []string{
		"\tprintln(n)\n\treturn m\n}\n",
		"\tm := n + 1\n\tprintln(n)\n\treturn n\n}\n",
		"\tprintln(n)\n\treturn n\n}\n",
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestHunksThatOverlapAreNotUndoneAllAtOnce(t *testing.T) {
	f := load(t, "package p\n\nfunc f(n int) int {\n\tn++\n\treturn n\n}\n")
	f.Hunks = []Hunk{{First: 4, Count: 2, Old: "\treturn n\n"}, {First: 5, Count: 1, Old: "\treturn -n\n"}}
	for _, m := range Mutants(f) {
		if m.Operator == "hunk-reversal" && m.Hunk != &f.Hunks[0] && m.Hunk != &f.Hunks[1] {
			t.Errorf("undoes %+v", m.Hunk)
		}
	}
}

func TestHunksThatOnlyRewordErrorsAreNoChange(t *testing.T) {
	const source = `package p

import (
	"errors"
	"fmt"
)

func f(n int) (string, error) {
	if n > 1 {
		return "", fmt.Errorf("p: bad %d", n)
	}
	if n < 0 {
		return "", errors.New("p: less")
	}
	return "x", nil
}
`
	for name, test := range map[string]struct {
		hunk    Hunk
		arid    string
		changed bool
	}{
		"of an error":               {Hunk{10, 1, "\t\treturn \"\", fmt.Errorf(\"bad %d\", n)\n"}, "text", false},
		"of two errors":             {Hunk{10, 4, "\t\treturn \"\", fmt.Errorf(\"bad %d\", n)\n\t}\n\tif n < 0 {\n\t\treturn \"\", errors.New(\"less\")\n"}, "text", false},
		"and alter more":            {Hunk{10, 1, "\t\treturn \"\", fmt.Errorf(\"bad %d\", n+1)\n"}, "", true},
		"where one is the result":   {Hunk{15, 1, "\treturn \"y\", nil\n"}, "", true},
		"where there was a wrapper": {Hunk{10, 1, "\t\treturn \"\", fmt.Errorf(\"bad %d\")\n"}, "", true},
	} {
		t.Run(name, func(t *testing.T) {
			f := load(t, source)
			f.Hunks = []Hunk{test.hunk}
			f.Changed = []Lines{{test.hunk.First, test.hunk.First + test.hunk.Count - 1}}
			for _, m := range Mutants(f) {
				switch {
				case m.Hunk != nil && m.Arid != test.arid:
					t.Errorf("arid %q, want %q", m.Arid, test.arid)
				case m.Hunk == nil && m.OnDiff != (test.changed && f.Changed[0].First <= m.EndLine && m.Line <= f.Changed[0].Last):
					t.Errorf("line %d, %s: on the change: %v", m.Line, m.Operator, m.OnDiff)
				}
			}
		})
	}
}

func TestWhatOnlyGoesIntoErrorsIsErrorText(t *testing.T) {
	const source = `package p

import "fmt"

func describe(n int) string {
	if n > 1 {
		return fmt.Sprint("many", n)
	}
	return "few"
}

func f(n int) error { return fmt.Errorf("have %s", describe(n)) }
`
	for name, test := range map[string]struct {
		more string
		want string
	}{
		"all calls":       {"", "error-text"},
		"not all":         {"func g() string { return describe(1) }\n", ""},
		"as a value":      {"var v = describe\n", ""},
		"wrapped":         {"func wrapf(s string) error { return nil }\n\nfunc h() error { return wrapf(describe(2)) }\n", "error-text"},
		"for others, too": {"func count(s string) int { return 0 }\n\nfunc h() int { return count(describe(2)) }\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := loadAll(t, source+test.more)[0]
			for _, m := range Mutants(f) {
				if strings.HasPrefix(m.Original, "return") && m.Arid != test.want {
					t.Errorf("%s of %s: arid %q, want %q", m.Operator, m.Original, m.Arid, test.want)
				}
			}
		})
	}
}

func TestOldLinesComeWithWhatTheyNeed(t *testing.T) {
	const source = "package p\n\nimport \"strings\"\n\nfunc f(s string, n int) string {\n\treturn strings.ToUpper(s)\n}\n\nfunc now(n, m int) int { return n }\n"
	function := func(value string) Gone { return Gone{Kind: token.FUNC, Type: "(s string) string", Value: value} }
	for name, test := range map[string]struct {
		old  string
		gone map[string]Gone
		want []string // texts that the mutant adds; nil: there is no mutant
	}{
		"an import":                     {"sort.Strings(nil); return s", nil, []string{`;import "sort"`}},
		"under another name":            {"other.Println(); return s", nil, []string{`;import other "fmt"`}},
		"a package whose name is taken": {"return strings.Sprint(strings.Sprint(s))", nil, []string{`;import oldstrings "fmt"`}},
		"a function":                    {"return g(s)", map[string]Gone{"g": function("{ return s }")}, []string{"\nvar g func(s string) string\ng = func(s string) string { return s }\n_ = g\n"}},
		"a variable that is counted up": {"k++; return s[:k]", map[string]Gone{"k": {Kind: token.VAR, Type: "int"}}, nil},
		"a variable that is called":     {"return m.Get(s)", map[string]Gone{"m": {Kind: token.VAR, Type: "interface{ Get(string) string }"}}, nil},
		"a constant":                    {"return s[:c]", map[string]Gone{"c": {Kind: token.CONST, Value: "1"}}, []string{"\nconst c = 1\n"}},
		"a constant with a type":        {"return s[:c]", map[string]Gone{"c": {Kind: token.CONST, Type: "uint8", Value: "1"}}, []string{"\nconst c uint8 = 1\n"}},
		"a variable":                    {"return s[v:]", map[string]Gone{"v": {Kind: token.VAR, Value: "len(\"a\")"}}, []string{"\nvar v = len(\"a\")\n_ = v\n"}},
		"a type":                        {"return string(kind(s))", map[string]Gone{"kind": {Kind: token.TYPE, Value: "string"}}, []string{"\ntype kind string\n"}},
		"what that needs in turn":       {"return g(s)", map[string]Gone{"g": {Kind: token.FUNC, Type: "(s string) string", Value: "{ return sort.Sprint(c) }", Imported: map[string]string{"sort": "fmt"}}, "c": {Kind: token.CONST, Value: "1"}}, []string{`;import sort "fmt"`, "\nconst c = 1\nvar g func(s string) string\ng = func(s string) string { return sort.Sprint(c) }\n_ = g\n"}},
		"itself":                        {"return g(s)", map[string]Gone{"g": function("{ if s == \"\" { return s }; return g(s[1:]) }")}, []string{"\nvar g func(s string) string\ng = func(s string) string { if s == \"\" { return s }; return g(s[1:]) }\n_ = g\n"}},
		"in another form":               {"return s[:now(1)]", map[string]Gone{"now": {Kind: token.FUNC, Type: "(n int) int", Value: "{ return n }"}}, []string{"\nvar now func(n int) int\nnow = func(n int) int { return n }\n_ = now\n"}},
		"nothing of that name":          {"return s[:n]", map[string]Gone{"n": {Kind: token.CONST, Value: "1"}}, []string{}},
		"what a parameter hides":        {"return g(s)", map[string]Gone{"g": function("{ return s[n:] }"), "n": {Kind: token.CONST, Value: "1"}}, nil},
		"a type with a method":          {"return string(kind(s))", map[string]Gone{"kind": {Kind: token.TYPE, Value: "string"}, "kind.String": function("{ return s }")}, nil},
		"too much":                      {"return g(s)", map[string]Gone{"g": function("{ /*" + strings.Repeat("x", maxLocals) + "*/ return s }")}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			f := load(t, source)
			f.Hunks, f.Gone = []Hunk{{First: 6, Count: 1, Old: "\t" + test.old + "\n"}}, test.gone
			f.Imported = map[string]string{"sort": "sort", "other": "fmt", "strings": "fmt"}
			var got []string
			for _, m := range Mutants(f) {
				if m.Operator != "hunk-reversal" {
					continue
				}
				got = []string{}
				for _, need := range m.Needs {
					got = append(got, need.Text)
				}
				loadAll(t, string(m.Apply(f.Source)))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestOldLinesNameAPackageWhoseNameIsTakenAsPeopleDo(t *testing.T) {
	for importPath, want := range map[string]string{"math/rand": "mathrand", "github.com/pkg/errors": "pkgerrors", "rand": "oldrand", "gopkg.in/yaml.v2": "gopkginyaml"} {
		name := strings.TrimSuffix(path.Base(importPath), ".v2")
		if got := aliasOf(importPath, name); got != want {
			t.Errorf("%s: %s, want %s", importPath, got, want)
		}
	}
}

func TestOnlyAChangeUndoneAsAWholeNamesAPackageAnew(t *testing.T) {
	f := load(t, "package p\n\nimport \"strings\"\n\nfunc f(s string) string {\n\ts = strings.ToUpper(s)\n\tprintln(s)\n\treturn strings.ToLower(s)\n}\n")
	f.Hunks = []Hunk{{First: 6, Count: 1, Old: "\ts = strings.Sprint(s)\n"}, {First: 8, Count: 1, Old: "\treturn strings.Sprint(s, s)\n"}}
	f.Imported = map[string]string{"strings": "fmt"}
	whole := 0
	for _, m := range Mutants(f) {
		if m.Operator != "hunk-reversal" {
			continue
		}
		if named := strings.Contains(m.Replacement, "oldstrings.Sprint(s)") && strings.Contains(m.Replacement, "oldstrings.Sprint(s, s)"); named != m.Whole {
			t.Errorf("whole %v: %s", m.Whole, m.Replacement)
		}
		if m.Whole {
			whole++
			loadAll(t, string(m.Apply(f.Source)))
		}
	}
	if whole != 1 {
		t.Errorf("%d undo all", whole)
	}
}

func TestPartOfAChangeUndoneHasFunctionsInTheirNewForm(t *testing.T) {
	f := load(t, "package p\n\nfunc f(n int) int {\n\tn = now(n, 1)\n\tprintln(n)\n\treturn n + 1\n}\n\nfunc now(n, m int) int { return n }\n")
	f.Hunks = []Hunk{{First: 4, Count: 1, Old: "\tn = now(n)\n"}, {First: 6, Count: 1, Old: "\treturn n + 2\n"}}
	f.Gone = map[string]Gone{"now": {Kind: token.FUNC, Type: "(n int) int", Value: "{ return n }"}}
	for _, m := range Mutants(f) {
		if m.Operator == "hunk-reversal" && m.Hunk == &f.Hunks[1] {
			if len(m.Needs) > 0 {
				t.Errorf("needs %v", m.Needs)
			}
			loadAll(t, string(m.Apply(f.Source)))
		}
	}
}
