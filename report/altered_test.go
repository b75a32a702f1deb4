package report

import (
	"strings"
	"testing"

	. "github.com/mutantfuzz/mutantfuzz/report/internal/sample"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestWhatTheChangeDoesToResultsIsTold(t *testing.T) {
	old := func(x results.ExposedBy) results.Mutant {
		return Survivor("a1", Function("p.F"), Undone, Status(results.Killed, results.Revealed), func(m *results.Mutant) { m.Evidence.Old = &x })
	}
	call := results.ExposedBy{Harness: "p.Driver_F", Driver: true, Call: `F("a;")`, Original: `"a"`, Mutant: `"a;"`}
	with := func(change func(*results.ExposedBy)) results.Mutant {
		x := call
		change(&x)
		return old(x)
	}
	const told = "What this change does to results, and tests notice: "
	for name, tt := range map[string]struct {
		mutant results.Mutant
		want   string // empty: the review says nothing
	}{
		"the base is not known":             {old(call), told + "`p.F`: `F(\"a;\")` gives `\"a\"`; with its old lines, `\"a;\"`."},
		"the base gives the old value":      {with(func(x *results.ExposedBy) { x.Base = "a;" }), told + "`F(\"a;\")` gives `\"a\"`; before this change, `\"a;\"`."},
		"the tests pass nothing like it":    {with(func(x *results.ExposedBy) { x.Base, x.Unlike = "a;", true }), "What this change does to results, for inputs unlike those of the tests: `F(\"a;\")` gives `\"a\"`; before this change, `\"a;\"`."},
		"the base gives another one":        {with(func(x *results.ExposedBy) { x.Base = "b" }), told + "`p.F`: `F(\"a;\")` gives `\"a\"`; with its old lines, `\"a;\"`."},
		"the base gives the same":           {with(func(x *results.ExposedBy) { x.AsBefore = true }), ""},
		"part of a result is left out":      {with(func(x *results.ExposedBy) { x.Original = "T{a: 1, …}" }), ""},
		"a result has no form":              {with(func(x *results.ExposedBy) { x.Original, x.Mutant = "1, _", "2, _" }), ""},
		"nobody can write the call":         {with(func(x *results.ExposedBy) { x.Call = "" }), ""},
		"part of it is what the base gives": {with(func(x *results.ExposedBy) { x.Original, x.Mutant, x.Base = "1", "12", "2" }), told + "`p.F`: `F(\"a;\")` gives `1`; with its old lines, `12`."},
		"the base gives nothing":            {with(func(x *results.ExposedBy) { x.Mutant, x.Base = `""`, `""` }), told + "`F(\"a;\")` gives `\"a\"`; before this change, `\"\"`."},
		"what is passed is altered":         {with(func(x *results.ExposedBy) { x.Original, x.Mutant = "b becomes 1", "b becomes 2" }), told + "`p.F`: `F(\"a;\")` leaves `1` in `b`; with its old lines, `2`."},
		"nobody can read the call":          {with(func(x *results.ExposedBy) { x.Call = `F("\xbd")` }), ""},
		"others cannot make it":             {with(func(x *results.ExposedBy) { x.Inner = true }), ""},
		"a test makes it":                   {with(func(x *results.ExposedBy) { x.InTest = true }), ""},
		"they differ in errors":             {with(func(x *results.ExposedBy) { x.OnlyErrors = true }), ""},
		"which known error it is":           {with(func(x *results.ExposedBy) { x.OnlyErrors, x.OriginalIs = true, "p.ErrA" }), told + "`p.F`: `F(\"a;\")` gives `\"a\"`; with its old lines, `\"a;\"`."},
		"no input shows it":                 {Survivor("a1", Function("p.F"), Undone, Status(results.Killed, results.Revealed)), ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := &results.Results{Mutants: []results.Mutant{tt.mutant}}
			body := Markdown(r, Options{})
			if tt.want == "" && strings.Contains(body, told) || !strings.Contains(body, tt.want) {
				t.Errorf("want %q:\n%s", tt.want, body)
			}
			var text strings.Builder
			if err := Text(&text, r, TextOptions{}); err != nil || strings.Contains(text.String(), "What this change does") != (tt.want != "") {
				t.Errorf("%v:\n%s", err, text.String())
			}
		})
	}
}
