package engine

import (
	"go/parser"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mutantfuzz/mutantfuzz/diffscope"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
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

func TestOnlyThePackagesOwnNameIsTakenOff(t *testing.T) {
	tests := []struct{ source, want string }{
		{"p.T{A: p.B, C: q.D}", "T{A: B, C: q.D}"},
		{`"p.T"`, `"p.T"`},
		{"[]p.T{{1}}", "[]T{{1}}"},
		{"(*p.T)(nil)", "(*T)(nil)"},
		{"not an expression {", "not an expression {"},
	}
	for _, tt := range tests {
		if got := localise(tt.source, "p"); got != tt.want {
			t.Errorf("localise(%s) = %s, want %s", tt.source, got, tt.want)
		}
	}
}

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
		{"became nil", []string{"0", ""}, []string{"0", "nil"}, "got0, got1", []string{"if got1 == nil {"}},
		{"no form", []string{"3", ""}, []string{"4", ""}, "got0, _", []string{"if got0 != 3 {"}},
		{"nothing", []string{""}, []string{""}, "_", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := &observed{original: &wire.Observation{Values: tt.original}, mutant: &wire.Observation{Values: tt.mutant}}
			names, checks := assertions(o, `f("100%")`, "p")
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

func TestAnotherErrorIsAssertedByItsText(t *testing.T) {
	o := &observed{
		original: &wire.Observation{Values: []string{""}, Errors: []string{`bad "x"`}},
		mutant:   &wire.Observation{Values: []string{""}, Errors: []string{"outside"}},
	}
	names, checks := assertions(o, "f()", "p")
	if want := `if got == nil || got.Error() != "bad \"x\"" {`; names != "got" || !strings.Contains(checks, want) {
		t.Errorf("%s := …, no %s in\n%s", names, want, checks)
	}
	o.mutant.Errors[0] = o.original.Errors[0]
	if _, checks := assertions(o, "f()", "p"); checks != "" {
		t.Errorf("the same error is asserted:\n%s", checks)
	}
}

func TestStacksNameTheUsersFilesOnly(t *testing.T) {
	u := &unit{run: &run{scope: &diffscope.Scope{Tree: "/r"}}}
	got := u.cleanStack("m.f\n\t/r/f.go:3\nm.mfza0\n\t/r/f_test.go:59\n")
	if want := "m.f\n\tf.go:3\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTestsAreNamedAfterTheCallee(t *testing.T) {
	for callee, want := range map[string]string{"parse": "Parse", "p.Map[int]": "Map", "x.y.öffne": "Öffne"} {
		if got := exportedName(callee); got != want {
			t.Errorf("exportedName(%s) = %s, want %s", callee, got, want)
		}
	}
}

func TestCallIsNoWitnessWhereItsArgumentsDiffer(t *testing.T) {
	u := &unit{woven: &weave.Woven{Sites: []weave.Site{{Callee: "Check", Args: []weave.SiteArg{{}}, PackageName: "p"}}}}
	c := claim{target: &target{Target: &weave.Target{Name: "p.FuzzX", Func: "FuzzX"}}}
	observation := func(arg string) *wire.Observation { return &wire.Observation{Args: []string{arg}} }
	for _, tt := range []struct {
		name             string
		original, mutant *wire.Observation
		want             string
	}{
		{"alike", observation("1"), observation("1"), "Check(1)"},
		{"given something else", observation("1"), observation("2"), ""},
		{"not made with the mutant", observation("1"), nil, ""},
		{"not made without the mutant", nil, observation("1"), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := u.exposure(c, &observed{original: tt.original, mutant: tt.mutant}).Call; got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestEffectLeavesOutWhatIsAlike(t *testing.T) {
	s := &weave.Site{Recv: true, Args: []weave.SiteArg{{Const: "3"}, {}}}
	o := &wire.Observation{Text: "nil", After: []string{"&Parser{…}", `&Buffer{"a"}`}}
	for _, tt := range []struct {
		name  string
		other *wire.Observation
		want  string
	}{
		{"an argument differs", &wire.Observation{After: []string{"&Parser{…}", `&Buffer{"b"}`}}, `nil; argument 2 becomes &Buffer{"a"}`},
		{"the other leaves it as it is", &wire.Observation{After: []string{"&Parser{…}", ""}}, `nil; argument 2 becomes &Buffer{"a"}`},
		{"the receiver differs", &wire.Observation{After: []string{"", `&Buffer{"a"}`}}, "nil; the receiver becomes &Parser{…}"},
		{"nothing that is shown differs", o, "nil"},
		{"the other does not make the call", nil, `nil; the receiver becomes &Parser{…}; argument 2 becomes &Buffer{"a"}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := effect(s, o, tt.other); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
	if got := effect(s, nil, o); got != "(the call is not made)" {
		t.Errorf("a call that is not made: %s", got)
	}
}

func TestLongTextsAreShownWhereTheyDiffer(t *testing.T) {
	long := strings.Repeat("é", 1000)
	for _, tt := range []struct{ name, a, b string }{
		{"short", "one", "two"},
		{"at the start", "one" + long, "two" + long},
		{"in the middle", long + "one" + long, long + "two" + long},
		{"at the end", long + "one", long + "two"},
		{"one ends earlier", long + "one", long},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a, b := apart(tt.a, tt.b)
			if a == b || !strings.Contains(a, "one") {
				t.Errorf("the difference is not shown: %s and %s", a, b)
			}
			if most := maxEffect + 2*len("…"); len(a) > most || len(b) > most || !utf8.ValidString(a+b) {
				t.Errorf("%d and %d bytes, valid %t", len(a), len(b), utf8.ValidString(a+b))
			}
		})
	}
	if a, b := apart("one", "two"); a != "one" || b != "two" {
		t.Errorf("short texts become %s and %s", a, b)
	}
}
