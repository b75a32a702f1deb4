package witness

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestEffectsLeaveOutWhatIsAlike(t *testing.T) {
	s := &weave.Site{Recv: true, Source: "p.parser().Write(3, &buf)", Args: []weave.SiteArg{{Const: "3"}, {}}}
	observed := func(text string, errors int, after ...string) *wire.Observation {
		return &wire.Observation{Text: text, Errors: make([]string, errors), After: after}
	}
	failing := func(value, err string) *wire.Observation {
		return &wire.Observation{Text: value + ", " + err, Errors: []string{"", err}}
	}
	is := func(o *wire.Observation, names ...string) *wire.Observation {
		o.Is = names
		return o
	}
	long := "T{" + strings.Repeat("A: 1, ", 20)
	for _, tt := range []struct {
		fact             string
		original, mutant *wire.Observation
		a, b             string
	}{
		{"short results are shown whole", observed(`T{}, nil`, 2), observed(`T{}, error("x")`, 2), `T{}, nil`, `T{}, error("x")`},
		{"of long ones what differs", observed(long+`}, nil`, 2), observed(long+`}, error("x")`, 2), `_, nil`, `_, error("x")`},
		{
			"and of that the place", observed(long+`B: 1}, nil`, 2), observed(long+`B: 2}, nil`, 2),
			`B: 1, _`, `B: 2, _`,
		},
		{
			"a short result stays beside a long one", observed(`nil, error("`+strings.Repeat("x", 90)+`")`, 2), observed("&V{1}, nil", 2),
			`nil, error("` + strings.Repeat("x", 80-2-7-7-1) + "…", `&V{1}, nil`,
		},
		{
			"of an error beside a value the end is kept", observed(`0, error("uuid: 30306161-6161-eb61-6161-306161616161 is version 14, not version 6")`, 2), observed("9863, nil", 2),
			`0, error("uuid: 30306161-61… is version 14, not version 6")`, "9863, nil",
		},
		{
			"of a long value beside an error on one side nothing", failing(long+`}`, `error("no such zone")`), observed("T{"+strings.Repeat("B: 1, ", 20)+"}, nil", 2),
			`_, error("no such zone")`, `_, nil`,
		},
		{"an argument has its name", observed("nil", 1, "", `Buffer("a")`), observed("nil", 1, "", `Buffer("b")`), `buf becomes Buffer("a")`, `buf becomes Buffer("b")`},
		{"one that stays", observed("nil", 1, "", `Buffer("a")`), observed("nil", 1, "", ""), `buf becomes Buffer("a")`, `buf is unchanged`},
		{
			"of one that was empty the fields", observed("nil", 1, "", "&p."+strings.Repeat("X", 70)+"{Field: -1}"), observed("nil", 1, "", ""),
			`buf becomes {Field: -1}`, `buf is unchanged`,
		},
		{
			"and of others the types, if nothing else differs", observed("&p.A{"+strings.Repeat("X", 90)+": 1}", 1), observed("&p.B{"+strings.Repeat("X", 90)+": 1}", 1),
			"&p.A{" + strings.Repeat("X", 72) + "…", "&p.B{" + strings.Repeat("X", 72) + "…",
		},
		{
			"fields that are alike", observed(`&p.T{Config: p.Config{Min: 512, Shift: 45, Table: "`+strings.Repeat("x", 80)+`"}, N: 1}`, 1),
			observed(`&p.T{Config: p.Config{Shift: 45, Table: "`+strings.Repeat("x", 80)+`", Mask: 7}, N: 1}`, 1), "Config: p.Config{Min: 512, …}", "Config: p.Config{Mask: 7, …}",
		},
		{
			"entries of maps that are alike", observed(`&p.T{Header: map[string]string{"A": "`+strings.Repeat("x", 80)+`", "B": "b"}, N: 1}`, 1),
			observed(`&p.T{Header: map[string]string{"A": "`+strings.Repeat("x", 80)+`"}, N: 1}`, 1), `Header: map[string]string{"B": "b", …}`, "Header: map[string]string{…}",
		},
		{
			"also of the whole", observed(`&p.T{Min: 512, Table: "`+strings.Repeat("x", 80)+`"}`, 1), observed(`&p.T{Table: "`+strings.Repeat("x", 80)+`", Mask: 7}`, 1),
			"&p.T{Min: 512, …}", "&p.T{Mask: 7, …}",
		},
		{"and the receiver", observed("nil", 1, "P{1}", "b"), observed("nil", 1, "P{2}", "b"), `p.parser() becomes P{1}`, `p.parser() becomes P{2}`},
		{"beside results that differ", observed("1", 1, "", "b"), observed("2", 1, "", "c"), `1`, `2`},
		{"a call that is not made", observed("1", 1, "", "b"), nil, `1; buf becomes b`, `(not called)`},
		{"or only with the mutant", nil, observed("1", 1), `(not called)`, `1`},
		{
			"which known error it is comes before its text", is(failing("0", `error("a: b")`), "io.EOF"), is(failing("0", `error("a: c")`), "io.EOF", "p.ErrC"),
			"0, an error that is not p.ErrC", "0, an error that is p.ErrC",
		},
		{"results that cannot be told apart", observed("1, 2", 1), observed("1, 3", 1), `1, 2`, `1, 3`},
	} {
		a, b := effects(s, tt.original, tt.mutant)
		if a != tt.a || b != tt.b {
			t.Errorf("%s:\n%s\n%s\nwant\n%s\n%s", tt.fact, a, b, tt.a, tt.b)
		}
	}
}

func TestOperandsWithoutAShortSourceHaveNumbers(t *testing.T) {
	for _, tt := range []struct{ source, want string }{
		{"Put(m, b)", "m"}, {"Put(m[" + strings.Repeat("x", maxOperand) + "], b)", "argument 1"}, {"Put(m,", "argument 1"}, {"x", "argument 1"}, {"", "argument 1"},
	} {
		if got := operand(&weave.Site{Source: tt.source, Args: []weave.SiteArg{{}, {}}}, 0); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.source, got, tt.want)
		}
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
			a, b := apart(tt.a, tt.b, maxEffect)
			if a == b || !strings.Contains(a, "one") {
				t.Errorf("the difference is not shown: %s and %s", a, b)
			}
			if n := max(utf8.RuneCountInString(a), utf8.RuneCountInString(b)); n > maxEffect || !utf8.ValidString(a+b) {
				t.Errorf("%d characters, valid %t", n, utf8.ValidString(a+b))
			}
		})
	}
}

func TestNoEscapedCharacterIsCut(t *testing.T) {
	for _, escape := range []string{`\x00`, `\n`, `\u200b`, `\U000e0001`, `\\`} {
		text := `"` + strings.Repeat(escape, 50) + `"`
		for limit := 4; limit < 40; limit++ {
			got := strings.TrimSuffix(begin(text, limit), "…")
			if rest := strings.ReplaceAll(got[1:], escape, ""); rest != "" || utf8.RuneCountInString(got) >= limit {
				t.Errorf("%s cut to %d: %s", escape, limit, got)
			}
		}
	}
}

func FuzzEffectsAreShort(f *testing.F) {
	f.Add("T{1}, nil", `T{1}, error("x")`, "b", "", 2)
	f.Fuzz(func(t *testing.T, a, b, after, other string, results int) {
		s := &weave.Site{Source: "f(x)", Args: []weave.SiteArg{{}}}
		errors := make([]string, min(max(results, 0), 10))
		for _, o := range [][2]*wire.Observation{
			{{Text: a, Errors: errors, After: []string{after}}, {Text: b, Errors: errors, After: []string{other}}},
			{{Text: a, Errors: errors}, nil},
		} {
			x, y := effects(s, o[0], o[1])
			if n := max(utf8.RuneCountInString(x), utf8.RuneCountInString(y)); n > maxEffect+4*len(errors) {
				t.Errorf("%d characters: %q and %q", n, x, y)
			}
		}
	})
}

func TestOfALongValueOnlyAnErrorBesideItIsShownWhereAMutantEnds(t *testing.T) {
	long, err := "&p.T{A: "+strings.Repeat("x", maxEffect)+"}", `error("no such zone")`
	sites := []weave.Site{{Source: "Find(3)", Callee: "Find", Fails: true, PackageName: "p"}}
	for _, tt := range []struct {
		text   string
		errors []string
		want   string
	}{
		{long + ", " + err, []string{"", "no such zone"}, "_, " + err},
		{"&p.T{}, " + err, []string{"", "no such zone"}, "&p.T{}, " + err},
		{`false, error("no such zone: ` + strings.Repeat("x", maxEffect) + `")`, []string{"", "no such zone: "}, `false, error("no such zone: ` + strings.Repeat("x", maxEffect-29) + "…"},
		{`error("no such zone: ` + strings.Repeat("x", maxEffect) + `")`, []string{"no such zone: "}, `error("no such zone: ` + strings.Repeat("x", maxEffect-22) + "…"},
		{long + ", nil", []string{"", ""}, ""},
		{long, nil, ""},
	} {
		var by results.ExposedBy
		d := Difference{Original: &wire.Observation{Text: tt.text, Errors: tt.errors}, Mutant: &wire.Observation{Text: "panic: x"}, Ends: results.CrashPanic}
		if d.Describe(&by, sites); by.Original != tt.want || by.Mutant != "panics: x" {
			t.Errorf("%q; with the mutant %q, want %q", by.Original, by.Mutant, tt.want)
		}
	}
}

func TestWhatANewBufferGetsIsWritten(t *testing.T) {
	for _, tt := range []struct{ operand, after, want string }{
		{"bytes.Buffer{}", `*bytes.Buffer("a\n")`, `writes "a\n"`},
		{"&strings.Builder{}", `*strings.Builder("a")`, `writes "a"`},
		{"new(bytes.Buffer)", "", "writes nothing"},
		{"buf", `*bytes.Buffer("a")`, `buf becomes *bytes.Buffer("a")`},
		{"buf", "", "buf is unchanged"},
		{"bytes.Buffer{}", `*bytes.Buffer("a…`, `bytes.Buffer{} becomes *bytes.Buffer("a…`},
	} {
		if got := becomes(tt.operand, tt.after); got != tt.want {
			t.Errorf("%s, %s: %s, want %s", tt.operand, tt.after, got, tt.want)
		}
	}
}
