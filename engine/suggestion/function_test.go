package suggestion

import (
	"go/format"
	"go/parser"
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
	"github.com/mutantfuzz/mutantfuzz/engine/witness"
)

func TestAssertionsCoverWhatHasAForm(t *testing.T) {
	tests := []struct {
		name             string
		original, mutant []string
		names            string
		has              []string
	}{
		{"comparable", []string{"3"}, []string{"4"}, "got", []string{"if got != 3 {"}},
		{"composite", []string{`[]byte("a")`, "nil"}, nil, "got0, got1", []string{"reflect.DeepEqual(got0, want)", "if got1 != nil {"}},
		{"nil pointer", []string{"(*T)(nil)"}, nil, "got", []string{"if got != nil {"}},
		{"nil list in an interface", []string{"orb.MultiPoint(nil)"}, nil, "got", []string{"want := (orb.MultiPoint(nil)); !reflect.DeepEqual(got, want)"}},
		{"became nil", []string{"0", ""}, []string{"0", "nil"}, "got0, got1", []string{"if got1 == nil {"}},
		{"became a nil pointer", []string{"0", ""}, []string{"0", "(*p.T)(nil)"}, "got0, got1", []string{"if got1 == nil {"}},
		{"time", []string{"time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)"}, nil, "got", []string{"want := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC); !got.Equal(want)"}},
		{"no time", []string{"time.Time{}"}, nil, "got", []string{"if !got.IsZero() {"}},
		{"no form", []string{"3", ""}, []string{"4", ""}, "got0, _", []string{"if got0 != 3 {"}},
		{"no number", []string{"math.NaN()"}, []string{"0"}, "got", []string{"if !math.IsNaN(got) {", `"f(\"100%%\") = %v, want %v", got, "NaN")`}},
		{"no number within", []string{"[]float64{math.NaN()}", "1"}, []string{"[]float64{}", "1"}, "_, got1", []string{"if got1 != 1 {"}},
		{"nothing", []string{""}, []string{""}, "_", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := &witness.Difference{Original: &wire.Observation{Values: tt.original}, Mutant: &wire.Observation{Values: tt.mutant}}
			names, checks := Assertions(o, `f("100%")`, &weave.Site{PackageName: "p"}, "")
			if names != tt.names {
				t.Errorf("names = %q, want %q", names, tt.names)
			}
			for _, s := range tt.has {
				if !strings.Contains(checks, s) {
					t.Errorf("no %q in\n%s", s, checks)
				}
			}
			if tt.has == nil && checks != "" {
				t.Errorf("checks where there is nothing to check:\n%s", checks)
			}
			if _, err := parser.ParseExpr("func() {" + checks + "}"); err != nil {
				t.Errorf("%v in\n%s", err, checks)
			}
		})
	}
}

func TestResultsOfBasicTypesAreAssertedAsPeopleDo(t *testing.T) {
	for _, tt := range []struct {
		values, basic []string
		names         string
		has           []string
	}{
		{[]string{"uint32(5)"}, []string{"uint32"}, "got", []string{"if got != 5 {", `want %v", got, 5)`}},
		{[]string{"uint32(5)"}, []string{""}, "got", []string{"if got != uint32(5) {"}},
		{[]string{"uint32(4000000000)"}, []string{"uint32"}, "got", []string{"if got != uint32(4000000000) {"}},
		{[]string{"true"}, []string{"bool"}, "got", []string{"if !got {"}},
		{[]string{"false"}, []string{"bool"}, "got", []string{"if got {"}},
		{[]string{"true"}, []string{""}, "got", []string{"if got != true {"}},
		{[]string{"3", "true"}, []string{"int", "bool"}, "got, ok", []string{"if got != 3 {", "if !ok {", `f(): ok = %v, want %v", ok, true`}},
		{[]string{"3", `"a"`, "false"}, []string{"int", "string", "bool"}, "got0, got1, ok", []string{"if ok {", `f(): result 1 = %v`}},
		{[]string{"true", "true"}, []string{"bool", "bool"}, "got0, got1", []string{"if !got0 {", "if !got1 {"}},
	} {
		o := &witness.Difference{Original: &wire.Observation{Values: tt.values}, Mutant: &wire.Observation{}}
		names, checks := Assertions(o, "f()", &weave.Site{PackageName: "p", Basic: tt.basic}, "")
		if names != tt.names {
			t.Errorf("%v: %s, want %s", tt.values, names, tt.names)
		}
		for _, s := range tt.has {
			if !strings.Contains(checks, s) {
				t.Errorf("no %q in\n%s", s, checks)
			}
		}
	}
}

func TestBesideAnErrorThatTheMutantDoesNotGiveNothingIsAsserted(t *testing.T) {
	failing := &wire.Observation{Values: []string{"[]byte(nil)", ""}, Errors: []string{"", "bad"}}
	for name, tt := range map[string]struct {
		o    witness.Difference
		want string
	}{
		"no error":      {witness.Difference{Original: failing, Mutant: &wire.Observation{Values: []string{"[]byte(nil)", "nil"}, Errors: []string{"", ""}}}, "_, err"},
		"a panic":       {witness.Difference{Original: failing, Mutant: &wire.Observation{Text: "panic: x"}, Ends: "panic"}, "_, err"},
		"the same":      {witness.Difference{Original: failing, Mutant: &wire.Observation{Values: []string{`[]byte("a")`, ""}, Errors: []string{"", "bad"}}}, "got, err"},
		"data, too":     {witness.Difference{Original: &wire.Observation{Values: []string{"1", "io.EOF"}, Errors: []string{"", "EOF"}, Is: []string{"io.EOF"}}, Mutant: &wire.Observation{Values: []string{"1", "nil"}, Errors: []string{"", ""}}}, "got, err"},
		"another error": {witness.Difference{Original: &wire.Observation{Values: []string{"1", "p.ErrA"}, Errors: []string{"", "a"}, Is: []string{"p.ErrA"}}, Mutant: &wire.Observation{Values: []string{"1", ""}, Errors: []string{"", "a"}}}, "_, err"},
	} {
		names, checks := Assertions(&tt.o, "f()", &weave.Site{PackageName: "p", Fails: true}, "")
		if names != tt.want || !strings.Contains(checks, "err") || strings.Contains(checks, "got") != strings.Contains(tt.want, "got") {
			t.Errorf("the mutant gives %s: %q, want %q, with\n%s", name, names, tt.want, checks)
		}
	}
}

func TestAnotherErrorIsAssertedByItsText(t *testing.T) {
	o := &witness.Difference{
		Original: &wire.Observation{Values: []string{""}, Errors: []string{`bad "x"`}},
		Mutant:   &wire.Observation{Values: []string{""}, Errors: []string{"outside"}},
	}
	names, checks := Assertions(o, "f()", &weave.Site{PackageName: "p"}, "")
	if want := `if err == nil || err.Error() != "bad \"x\"" {`; names != "err" || !strings.Contains(checks, want) {
		t.Errorf("%s := …, no %s in\n%s", names, want, checks)
	}
	o.Mutant.Errors[0] = o.Original.Errors[0]
	if _, checks := Assertions(o, "f()", &weave.Site{PackageName: "p"}, ""); checks != "" {
		t.Errorf("the same error is asserted:\n%s", checks)
	}
}

func TestOfTwoErrorsTheVariableIsAssertedByWhichTheyDiffer(t *testing.T) {
	failing := func(value, text string, is ...string) *wire.Observation {
		return &wire.Observation{Values: []string{value}, Errors: []string{text}, Is: is}
	}
	for name, tt := range map[string]struct {
		original, mutant *wire.Observation
		want, testify    string
	}{
		"one more is wrapped":   {failing("p.ErrStore", "a", "io.EOF", "p.ErrStore"), failing("p.ErrStore", "a", "p.ErrStore"), "!errors.Is(err, io.EOF)", "ErrorIs(t, err, io.EOF)"},
		"one less is wrapped":   {failing("", "a"), failing("p.ErrStore", "a", "p.ErrStore"), "errors.Is(err, ErrStore)", "False(t, errors.Is(err, ErrStore))"},
		"only the text is new":  {failing("io.EOF", "head: EOF", "io.EOF"), failing("io.EOF", "body: EOF", "io.EOF"), `err.Error() != "head: EOF"`, `EqualError(t, err, "head: EOF")`},
		"another one":           {failing("p.ErrA", "a", "p.ErrA"), failing("p.ErrB", "b", "p.ErrB"), "!errors.Is(err, ErrA)", "ErrorIs(t, err, ErrA)"},
		"its name is no source": {failing("", "a", "m/v2/p.ErrA"), failing("", "b"), `err.Error() != "a"`, `EqualError(t, err, "a")`},
	} {
		for lib, want := range map[string]string{"": tt.want, "assert": tt.testify} {
			_, checks := Assertions(&witness.Difference{Original: tt.original, Mutant: tt.mutant}, "f()", &weave.Site{PackageName: "p", Fails: true}, lib)
			if !strings.Contains(checks, want) {
				t.Errorf("%s: no %s in\n%s", name, want, checks)
			}
		}
	}
}

func TestErrorsAreAssertedAsPeopleDo(t *testing.T) {
	o := &witness.Difference{
		Original: &wire.Observation{Values: []string{"3", "nil"}, Errors: []string{"", ""}},
		Mutant:   &wire.Observation{Values: []string{"0", ""}, Errors: []string{"", "bad"}},
	}
	names, checks := Assertions(o, `f("100%")`, &weave.Site{PackageName: "p"}, "")
	if want := "if err != nil {\n\t\tt.Errorf(\"f(\\\"100%%\\\"): %v\", err)"; names != "got, err" || !strings.Contains(checks, want) {
		t.Errorf("%s := …, no %s in\n%s", names, want, checks)
	}
	o.Original, o.Mutant = o.Mutant, o.Original
	names, checks = Assertions(o, `f("100%")`, &weave.Site{PackageName: "p"}, "")
	if want := "if err == nil {\n\t\tt.Errorf(\"f(\\\"100%%\\\"): no error\")"; names != "_, err" || !strings.Contains(checks, want) {
		t.Errorf("%s := …, no %s in\n%s", names, want, checks)
	}
}

func TestThatACallFailsIsAssertedWhereTheMutantEndsTheProgram(t *testing.T) {
	for testify, want := range map[string]string{"": "if err == nil {\n\t\tt.Error(\"f(): no error\")", "assert": "assert.Error(t, err)"} {
		o := &witness.Difference{Original: &wire.Observation{Values: []string{"nil", ""}, Errors: []string{"", "bad"}}, Ends: "panic"}
		names, checks := Assertions(o, "f()", &weave.Site{PackageName: "p", Fails: true}, testify)
		if names != "_, err" || !strings.Contains(checks, want) {
			t.Errorf("%s := …, no %s in\n%s", names, want, checks)
		}
	}
}

func TestANewFileHasTheBuildConstraintOfTheCode(t *testing.T) {
	f := Function{Name: "TestX", Imports: []string{`"testing"`}, Constraint: "linux && !arm"}
	if file, err := f.File("p"); err != nil || !strings.HasPrefix(string(file), "//go:build linux && !arm\n\npackage p\n") {
		t.Errorf("%v\n%s", err, file)
	}
}

func TestThatACallFailsIsAssertedBesideOtherResults(t *testing.T) {
	for name, tt := range map[string]struct{ original, want, not string }{
		"an error without a form": {"", "if err == nil {", "DeepEqual(err"},
		"one that has one":        {"&E{Code: 3}", "reflect.DeepEqual(err, want)", "err == nil"},
	} {
		o := &witness.Difference{
			Original: &wire.Observation{Values: []string{"0", tt.original}, Errors: []string{"", "bad"}},
			Mutant:   &wire.Observation{Values: []string{"1", tt.original}, Errors: []string{"", "bad"}},
		}
		if _, checks := Assertions(o, "f()", &weave.Site{PackageName: "p", Fails: true}, ""); !strings.Contains(checks, tt.want) || strings.Contains(checks, tt.not) {
			t.Errorf("%s:\n%s", name, checks)
		}
	}
}

func TestAnErrorIsNamedSoWhereNeitherSideFails(t *testing.T) {
	o := &witness.Difference{
		Original: &wire.Observation{Values: []string{"3", "nil"}, Errors: []string{"", ""}},
		Mutant:   &wire.Observation{Values: []string{"0", "nil"}, Errors: []string{"", ""}},
	}
	names, checks := Assertions(o, "f()", &weave.Site{PackageName: "p", Fails: true}, "")
	if want := "if err != nil {"; names != "got, err" || !strings.Contains(checks, want) {
		t.Errorf("%s := …, no %s in\n%s", names, want, checks)
	}
}

func TestLongCallsAreNamedByTheirFunctionInFailures(t *testing.T) {
	long := strings.Repeat("x", maxCall)
	for call, want := range map[string]string{
		"f(1)": "f(1)", `f("` + long + `")`: "f", `(&p.T{}).Method("` + long + `")`: "Method", "f(" + long: "f(" + long, `fs[0]("` + long + `")`: `fs[0]("` + long + `")`,
	} {
		if got := shortly(call); got != want {
			t.Errorf("%s: %s, want %s", call, got, want)
		}
	}
}

func TestAnyIsWrittenOutWhereGoDoesNotHaveIt(t *testing.T) {
	for statements, want := range map[string]string{
		`got := f(map[string]any{"any": []any{1}})`: `got := f(map[string]interface{}{"any": []interface{}{1}})`,
		"p.any(x) // any": "p.any(x) // any",
		"f(x)":            "f(x)",
	} {
		if got := WithoutAny(statements); got != want {
			t.Errorf("%s: %s", statements, got)
		}
	}
}

func TestAssertionsAreWrittenWithTestifyWhereTestsCallThat(t *testing.T) {
	for want, tt := range map[string]struct {
		original, mutant []string
		errors           []string // of the original
		fails            bool
	}{
		"got: assert.EqualValues(t, 3, got)":                             {original: []string{"3"}},
		`got: assert.Equal(t, "a", got)`:                                 {original: []string{`"a"`}},
		"got: assert.True(t, got)":                                       {original: []string{"true"}},
		"got: assert.False(t, got)":                                      {original: []string{"false"}},
		`got: assert.Equal(t, []byte("a"), got)`:                         {original: []string{`[]byte("a")`}},
		"got: assert.Nil(t, got)":                                        {original: []string{"(*T)(nil)"}},
		"got: assert.NotNil(t, got)":                                     {original: []string{""}, mutant: []string{"nil"}},
		"got: assert.True(t, math.IsNaN(got))":                           {original: []string{"math.NaN()"}},
		"got: assert.True(t, got.IsZero())":                              {original: []string{"time.Time{}"}},
		"_: ":                                                            {original: []string{""}, mutant: []string{""}},
		"got, err: assert.EqualValues(t, 1, got) assert.NoError(t, err)": {original: []string{"1", "nil"}, fails: true},
		"err: assert.Error(t, err)":                                      {original: []string{""}, mutant: []string{"nil"}, errors: []string{"bad"}, fails: true},
		`err: assert.EqualError(t, err, "bad \"x\"")`:                    {original: []string{""}, mutant: []string{""}, errors: []string{`bad "x"`}, fails: true},
		"got: assert.True(t, got.Equal(time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)))": {original: []string{"time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)"}},
	} {
		o := &witness.Difference{Original: &wire.Observation{Values: tt.original, Errors: tt.errors}, Mutant: &wire.Observation{Values: tt.mutant}}
		if len(tt.errors) > 0 {
			o.Mutant.Errors = []string{"other"}
		}
		names, checks := Assertions(o, "f()", &weave.Site{PackageName: "p", Fails: tt.fails}, "assert")
		if got := names + ": " + strings.Join(strings.Fields(checks), " "); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestWhatAFileCallsTestify(t *testing.T) {
	const assert, require = `"github.com/stretchr/testify/assert"`, `"github.com/stretchr/testify/require"`
	for imports, want := range map[string]string{
		assert:                          "assert",
		require:                         "require",
		require + ";" + assert:          "assert",
		"a " + assert:                   "a",
		". " + assert:                   "",
		"_ " + require:                  "",
		`"example.com/assert"`:          "",
		"":                              "",
		"is " + require + `; "testing"`: "is",
	} {
		if got := Testify([]byte("package p\nimport (" + imports + ")\n")); got != want {
			t.Errorf("%s: %q, want %q", imports, got, want)
		}
	}
}

func TestAnErrorWithANameIsAskedFor(t *testing.T) {
	for testify, want := range map[string]string{
		"":       `if !errors.Is(err, ErrUnit) { t.Errorf("f() = %v, want %v", err, ErrUnit) }`,
		"assert": "assert.ErrorIs(t, err, ErrUnit)",
	} {
		o := &witness.Difference{
			Original: &wire.Observation{Values: []string{"0", "size.ErrUnit"}, Errors: []string{"", "unknown unit"}},
			Mutant:   &wire.Observation{Values: []string{"0", "nil"}, Errors: []string{"", ""}},
		}
		names, checks := Assertions(o, "f()", &weave.Site{PackageName: "size", Fails: true}, testify)
		if got := strings.Join(strings.Fields(checks), " "); names != "_, err" || !strings.HasSuffix(got, want) {
			t.Errorf("%s: %s, want %s", names, got, want)
		}
	}
}

func TestADeclarationIsAsGofmtWritesIt(t *testing.T) {
	f := Function{Name: "TestF", Body: "got := F(struct{ A int; B []string }{A: 1})\n\t_ = got\n"}
	text := f.Declaration("_2")
	if formatted, err := format.Source([]byte(text)); err != nil || string(formatted) != text || !strings.HasPrefix(text, "func TestF_2(") {
		t.Errorf("%v, %s", err, text)
	}
}
