package report

import (
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestWhatTheChangeDoesToResultsIsTold(t *testing.T) {
	old := func(x results.ExposedBy) results.Mutant {
		return survivor("a1", function("p.F"), undone, status(results.Killed, results.Revealed), func(m *results.Mutant) { m.Evidence.Old = &x })
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
		want   string // empty: nothing is told
	}{
		"the base is not known":        {old(call), told + "`F(\"a;\")` gives `\"a\"`; with the old lines of `p.F`, `\"a;\"`."},
		"the base gives the old value": {with(func(x *results.ExposedBy) { x.Base = "a;" }), told + "`F(\"a;\")` gives `\"a\"`; before this change, it gave `\"a;\"`."},
		"the base gives another one":   {with(func(x *results.ExposedBy) { x.Base = "b" }), told + "`F(\"a;\")` gives `\"a\"`; with the old lines of `p.F`, `\"a;\"`."},
		"the base gives the same":      {with(func(x *results.ExposedBy) { x.AsBefore = true }), ""},
		"part of a result is left out": {with(func(x *results.ExposedBy) { x.Original = "T{a: 1, …}" }), ""},
		"a result has no form":         {with(func(x *results.ExposedBy) { x.Original, x.Mutant = "1, _", "2, _" }), ""},
		"nobody can write the call":    {with(func(x *results.ExposedBy) { x.Call = "" }), ""},
		"no input shows it":            {survivor("a1", function("p.F"), undone, status(results.Killed, results.Revealed)), ""},
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

func TestWhatAFindingSaysOfTheBaseIsNotToldAgain(t *testing.T) {
	x := results.ExposedBy{Harness: "p.Driver_F", Driver: true, Call: `F("a;")`, Original: `"a"`, Mutant: `"a;"`, Base: "a;"}
	r := &results.Results{Mutants: []results.Mutant{
		survivor("a1", function("p.F"), undone, status(results.Killed, results.Revealed), func(m *results.Mutant) { m.Evidence.Old = &x }),
	}}
	shown := survivor("b2", function("p.F"), exposed)
	shown.ExposedBy.Base = "a;"
	for _, function := range []string{"p.F", "p.G"} {
		shown.Function = function
		if line := alteredLine(r, []Finding{{Kind: Gap, Mutant: &shown}}); (len(line) == 0) != (function == "p.F") {
			t.Errorf("beside a finding in %s: %v", function, line)
		}
	}
}
