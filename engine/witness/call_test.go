package witness

import (
	"slices"
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestCallNeedsEveryArgumentAsSource(t *testing.T) {
	tests := []struct {
		name     string
		site     weave.Site
		observed []string
		want     string
	}{
		{"function", weave.Site{Callee: "Parse", Args: []weave.SiteArg{{}}}, []string{`"a"`}, `Parse("a")`},
		{"constants stay in place", weave.Site{Callee: "p.Cut", Args: []weave.SiteArg{{}, {Const: "p.All"}, {}}}, []string{`"a"`, "3"}, `p.Cut("a", p.All, 3)`},
		{"no form", weave.Site{Callee: "Parse", Args: []weave.SiteArg{{}, {}}}, []string{`"a"`, ""}, ""},
		{"too few observed", weave.Site{Callee: "Parse", Args: []weave.SiteArg{{}}}, nil, ""},
		{"method of a literal", weave.Site{Callee: "v.Next", Recv: true, PackageName: "p"}, []string{"p.Version{Major: 1}"}, "(Version{Major: 1}).Next()"},
		{"method of a constant", weave.Site{Callee: "l.Width", Recv: true, PackageName: "p", Receiver: weave.SiteArg{Named: map[string]string{"0": "Low"}}}, []string{"p.Level(0)"}, "Low.Width()"},
		{"method of what has no form", weave.Site{Callee: "v.Next", Recv: true}, []string{""}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := callText(&tt.site, tt.observed); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestOfACallWithoutFormShortValuesAreWritten(t *testing.T) {
	args := make([]weave.SiteArg, 3)
	long := `"` + strings.Repeat("long ", 10) + `"`
	for _, tt := range []struct {
		source   string
		site     weave.Site
		observed []string
		want     string
	}{
		{"Describe(input, all, method)", weave.Site{Args: args}, []string{"[]float64{1, 2}", "true", ""}, "Describe([]float64{1, 2}, true, method)"},
		{"Describe(input, f(2), method)", weave.Site{Args: args}, []string{long, "true", ""}, ""},
		{"d.Describe(input, all, method)", weave.Site{Args: args, Recv: true, PackageName: "p"}, []string{"p.T{}", long, "p.T{}", ""}, "d.Describe(input, T{}, method)"},
		{"d.Describe(Fast, all, method)", weave.Site{Args: []weave.SiteArg{{Const: "Fast"}, {}, {}}}, []string{"1", ""}, "d.Describe(Fast, 1, method)"},
		{"d.Describe(fuzzed2.bytes(), int(fuzzed2.int()), f(all))", weave.Site{Args: args, Recv: true}, []string{"", "[]byte(\"a\")", "3", "4"}, "d.Describe([]byte(\"a\"), 3, f(all))"},
		{"d.Describe(in...)", weave.Site{Args: args[:1], Spread: true}, []string{"[]int{1}"}, ""},
	} {
		tt.site.Source = tt.source
		if got := partly(&tt.site, tt.observed); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.source, got, tt.want)
		}
	}
}

func TestOnlyThePackagesOwnNameIsTakenOff(t *testing.T) {
	tests := []struct{ source, want string }{
		{"p.T{A: p.B, C: q.D}", "T{A: B, C: q.D}"},
		{`"p.T"`, `"p.T"`},
		{"[]p.T{{1}}", "[]T{{1}}"},
		{"(*p.T)(nil)", "(*T)(nil)"},
		{"not an expression {", "not an expression {"},
	}
	for _, tt := range tests {
		if got := Localise(tt.source, "p"); got != tt.want {
			t.Errorf("Localise(%s) = %s, want %s", tt.source, got, tt.want)
		}
	}
}

func TestWhatDiffersInErrorsAloneIsKnown(t *testing.T) {
	observed := func(text string, errors ...string) *wire.Observation {
		return &wire.Observation{Text: text, Errors: errors}
	}
	for _, tt := range []struct {
		fact      string
		a, b      *wire.Observation
		where     string
		onlyThose bool
	}{
		{"values", observed("1, nil", "", ""), observed("2, nil", "", ""), "", false},
		{"an error comes", observed("1, nil", "", ""), observed(`0, error("x")`, "", "x"), results.ErrorInMutant, false},
		{"an error goes", observed(`0, error("x")`, "", "x"), observed("1, nil", "", ""), results.ErrorInOriginal, false},
		{"another error", observed(`0, error("a, b")`, "", "a, b"), observed(`0, p.Faults("c")`, "", "c"), results.ErrorInBoth, true},
		{"another error and another value", observed(`0, error("x")`, "", "x"), observed(`1, error("y")`, "", "y"), results.ErrorInBoth, false},
		{"an argument, too", observed(`error("x")`, "x"), &wire.Observation{Text: `error("y")`, Errors: []string{"y"}, After: []string{"[]int{1}"}}, results.ErrorInBoth, false},
		{"another error within a value", observed(`p.Time{At: 1, Err: error("a \"b\"")}`), observed(`p.Time{At: 1, Err: *p.Fault("c")}`), results.ErrorInBoth, true},
		{"another value beside it", observed(`p.Time{At: 1, Err: error("a")}`), observed(`p.Time{At: 2, Err: error("b")}`), "", false},
		{"an error within a value alone", observed(`p.Time{At: 1, Err: error("a")}`), observed(`p.Time{At: 1, Err: nil}`), "", false},
		{"no call", observed(`error("x")`, "x"), nil, results.ErrorInOriginal, false},
	} {
		if where, only := errorsOf(tt.a, tt.b); where != tt.where || only != tt.onlyThose {
			t.Errorf("%s: %q, %t", tt.fact, where, only)
		}
	}
}

func TestListsOfValuesAreSplitBetweenValues(t *testing.T) {
	for values, want := range map[string][]string{
		`1`:                           {"1"},
		`nil, error("a, b")`:          {"nil", `error("a, b")`},
		`T{A: 1, B: "}"}, []int{1,2}`: {`T{A: 1, B: "}"}`, "[]int{1,2}"},
		`"\"", ',', ` + "`,`":         {`"\""`, `','`, "`,`"},
		`f(1, 2), 3`:                  {"f(1, 2)", "3"},
		`)), "`:                       {")), \""},
	} {
		if got := split(values); len(want) > 1 && !slices.Equal(got, want) {
			t.Errorf("split(%q) = %q, want %q", values, got, want)
		}
	}
}

func TestListsThatAreWrittenOutAreArguments(t *testing.T) {
	for list, want := range map[string]string{
		`[]string{"0", "", "-3"}`: `"0"|""|"-3"`,
		`[]any{uint64(1), f(2)}`:  `uint64(1)|f(2)`,
		`[]T{T{1}, T{}}`:          `T{1}|T{}`,
		`[]string(nil)`:           ``,
	} {
		if got, ok := spread(list); !ok || strings.Join(got, "|") != want {
			t.Errorf("%s: %q, %v", list, got, ok)
		}
	}
	for _, list := range []string{`[]T{{1}}`, `[]int{2: 1}`, `[]string{}`, `[2]int{1, 2}`, `list`, `f(nil)`, `[]string{`} {
		if got, ok := spread(list); ok {
			t.Errorf("%s: %q", list, got)
		}
	}
}

func TestWhatAnyCallerPassesInLeavesNothingOut(t *testing.T) {
	for statement, want := range map[string]bool{
		`Parse("k", 3)`: true,
		`New(Options{Max: 3}).Parse([]byte("k"))`: true,
		`Parse([]string{}, map[string]int{})`:     true,
		`Sum([]Pair{{A: 1}})`:                     true,
		`Sum([]Pair{{}})`:                         false,
		`Parse(nil)`:                              false,
		`(*Parser)(nil).Parse("k")`:               false,
		`(&Parser{}).Parse("k")`:                  false,
		`(&Parser{max: 3}).Parse("k")`:            false,
		`Parse(new(Options))`:                     false,
		`Parse(`:                                  false,
		`Parse("{{$x := 1}}")`:                    true,
		`Parse("a := nil")`:                       true,
	} {
		if got := LeavesNothingOut([]string{`p := New("x")`, statement}); got != want {
			t.Errorf("%s: %v, want %v", statement, got, want)
		}
	}
}

func TestStructsAreCountedAndListsAreNot(t *testing.T) {
	statements := []string{`p := New(Options{Max: 3, In: []string{"a"}})`, `p.Add([]T{T{}}, map[string]int{"k": 1}, "T{}")`}
	if got := Structs(statements); got != 2 {
		t.Errorf("%d structs, want 2", got)
	}
}

func TestOnlyAtHome(t *testing.T) {
	for statement, want := range map[string]bool{
		`New("x").Text(3)`:                      false,
		`New("x").text(3)`:                      true,
		`set := newSet([]byte("a"), string(b))`: true,
		`set := New([]byte("a"), string(b))`:    false,
		`set.Add(&hidden{n: uint8(1)})`:         false,
		`F(parse("f()"))`:                       true,
		`parse("a := 1")`:                       true,
	} {
		if got := OnlyAtHome([]string{"x := Y()", statement}); got != want {
			t.Errorf("%s: %v, want %v", statement, got, want)
		}
	}
}

func TestConstantsAreWrittenAsCallersDo(t *testing.T) {
	level := map[string]string{"0": "Low", "-1": "None", `"h"`: "High"}
	for _, c := range []struct {
		source string
		arg    weave.SiteArg
		want   string
	}{
		{"int64(1)", weave.SiteArg{Basic: "int64"}, "1"},
		{"int64(-1)", weave.SiteArg{Basic: "int64"}, "-1"},
		{"float64(1e+06)", weave.SiteArg{Basic: "float64"}, "1e+06"},
		{"int64(1)", weave.SiteArg{}, "int64(1)"},
		{"int32(117)", weave.SiteArg{Basic: "int32", Character: true}, "'u'"},
		{"int32(10)", weave.SiteArg{Basic: "int32", Character: true}, `'\n'`},
		{"int32(8203)", weave.SiteArg{Basic: "int32", Character: true}, `'\u200b'`},
		{"int32(769)", weave.SiteArg{Basic: "int32", Character: true}, `'\u0301'`},
		{"int32(-1)", weave.SiteArg{Basic: "int32", Character: true}, "-1"},
		{"int32(117)", weave.SiteArg{Basic: "int32"}, "117"},
		{"uint8(39)", weave.SiteArg{Basic: "uint8", Character: true}, `'\''`},
		{"uint8(200)", weave.SiteArg{Basic: "uint8", Character: true}, "200"},
		{"int64(1)", weave.SiteArg{Basic: "int32"}, "int64(1)"},
		{"int64(x)", weave.SiteArg{Basic: "int64"}, "int64(x)"},
		{"int64(1) + int64(2)", weave.SiteArg{Basic: "int64"}, "int64(1) + int64(2)"},
		{"float64(math.NaN())", weave.SiteArg{Basic: "float64"}, "float64(math.NaN())"},
		{`"a"`, weave.SiteArg{Basic: "string"}, `"a"`},
		{"Level(0)", weave.SiteArg{Named: level}, "Low"},
		{"qr.Level(-1)", weave.SiteArg{Named: level}, "qr.None"},
		{`qr.Level("h")`, weave.SiteArg{Named: level}, "qr.High"},
		{"Pen{Level: 0, Name: \"x\"}", weave.SiteArg{Fields: map[string]map[string]string{"Level": level}}, "Pen{Level: Low, Name: \"x\"}"},
		{"&qr.Pen{Name: \"0\", Level: -1}", weave.SiteArg{Fields: map[string]map[string]string{"Level": level}}, "&qr.Pen{Name: \"0\", Level: qr.None}"},
		{"[]string(nil)", weave.SiteArg{Nil: true}, "nil"},
		{"(*Pen)(nil)", weave.SiteArg{Nil: true}, "nil"},
		{"[]string(nil)", weave.SiteArg{}, "[]string(nil)"},
		{"Pen{0}", weave.SiteArg{Fields: map[string]map[string]string{"Level": level}}, "Pen{0}"},
		{"Level(7)", weave.SiteArg{Named: level}, "Level(7)"},
		{"Level(a.b(0))", weave.SiteArg{Named: level}, "Level(a.b(0))"},
	} {
		if got := asArgument(c.source, c.arg); got != c.want {
			t.Errorf("%s: %s, want %s", c.source, got, c.want)
		}
	}
}

func TestConstantsThatACallReturnsHaveTheirNames(t *testing.T) {
	sites := []weave.Site{{PackageName: "qr", Returned: []map[string]string{{"1": "High", `"x"`: "Cross"}, nil}}}
	d := Difference{
		Original: &wire.Observation{Values: []string{"qr.Level(1)", "nil"}, Text: "1, nil"},
		Mutant:   &wire.Observation{Values: []string{"qr.Level(7)", "nil"}, Text: "7, nil"},
	}
	got := d.Named(sites)
	if got.Original.Values[0] != "qr.High" || got.Original.Text != "High, nil" {
		t.Errorf("a constant: %q, %q", got.Original.Values, got.Original.Text)
	}
	if got.Mutant.Values[0] != "qr.Level(7)" || got.Mutant.Text != "7, nil" {
		t.Errorf("no constant: %q, %q", got.Mutant.Values, got.Mutant.Text)
	}
	if d.Original.Values[0] != "qr.Level(1)" || d.Original.Text != "1, nil" {
		t.Errorf("what was observed is another: %q, %q", d.Original.Values, d.Original.Text)
	}
	unclear := Difference{Original: &wire.Observation{Values: []string{"qr.Level(1)", "nil"}, Text: "1"}}.Named(sites)
	if unclear.Original.Values[0] != "qr.High" || unclear.Original.Text != "1" {
		t.Errorf("a text in which results cannot be told apart: %q, %q", unclear.Original.Values, unclear.Original.Text)
	}
	for source, want := range map[string]string{`qr.Level("x")`: "qr.Cross", "qr.Level(2)": "", "1": "", `qr.Level(f("x"))`: ""} {
		if got := NameOf(source, sites[0].Returned[0]); got != want {
			t.Errorf("%s is named %q, want %q", source, got, want)
		}
	}
}
