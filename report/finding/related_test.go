package finding

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	. "github.com/mutantfuzz/mutantfuzz/report/internal/sample"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestEditsOfOneNewThingAreOneFinding(t *testing.T) {
	scope := []results.Function{
		{ID: "p.WithLimit", Package: "p", Name: "WithLimit", Reason: results.ReasonAdded},
		{ID: "p.Parse", Package: "p", Name: "Parse", Reason: results.ReasonChanged},
		{ID: "p.clamp", Package: "p", Name: "clamp", Reason: results.ReasonAdded},
		{ID: "p.List.Len", Package: "p", Name: "List.Len", Reason: results.ReasonAdded},
		{ID: "q.Print", Package: "q", Name: "Print", Reason: results.ReasonChanged},
		{ID: "q.width", Package: "q", Name: "width", Reason: results.ReasonChanged},
	}
	needing := func(text string) func(*results.Mutant) {
		return func(m *results.Mutant) { m.Needs = &results.Needs{Added: []results.Addition{{Text: text}}} }
	}
	edit := func(id, in, line string, changes ...func(*results.Mutant)) results.Mutant {
		m := Survivor(id, append(changes, Function(in))...)
		m.Context, m.Column = line, 1
		return m
	}
	for fact, tt := range map[string]struct {
		added   []string
		mutants []results.Mutant
		want    []string
	}{
		"one function sets a new field, and another one goes by it": {
			[]string{"p.options.limit"},
			[]results.Mutant{edit("a1", "p.WithLimit", "\to.limit = n"), edit("b2", "p.Parse", "\tif len(s) > o.limit {")},
			[]string{"gap a1 b2"},
		},
		"both only read it": {
			[]string{"p.options.limit"},
			[]results.Mutant{edit("a1", "p.WithLimit", "\tif n < o.limit {"), edit("b2", "p.Parse", "\tif len(s) > o.limit {")},
			[]string{"gap a1", "gap b2"},
		},
		"the field is not new": {
			nil,
			[]results.Mutant{edit("a1", "p.WithLimit", "\to.limit = n"), edit("b2", "p.Parse", "\tif len(s) > o.limit {")},
			[]string{"gap a1", "gap b2"},
		},
		"a field of that name in another package": {
			[]string{"p.options.limit"},
			[]results.Mutant{edit("a1", "p.WithLimit", "\to.limit = n"), edit("b2", "q.Print", "\tif len(s) > o.limit {")},
			[]string{"gap a1", "gap b2"},
		},
		"an exported field, in another package": {
			[]string{"p.Options.Limit"},
			[]results.Mutant{edit("a1", "p.WithLimit", "\treturn Options{Limit: n}"), edit("b2", "q.Print", "\tif len(s) > o.Limit {")},
			[]string{"gap a1 b2"},
		},
		"both go by an exported option": {
			[]string{"p.Options.Limit"},
			[]results.Mutant{edit("a1", "p.WithLimit", "\tif n < o.Limit {"), edit("b2", "p.Parse", "\tif len(s) > o.Limit {")},
			[]string{"gap a1 b2"},
		},
		"what nothing runs sets a new variable": {
			[]string{"p.limit"},
			[]results.Mutant{edit("a1", "p.WithLimit", "\tlimit = n", NotReached), edit("b2", "p.Parse", "\tif depth > limit {"), edit("c3", "p.List.Len", "\tx", NotReached)},
			[]string{"not_run a1 c3", "gap b2"},
		},
		"likewise, and no run takes the branch that goes by it": {
			[]string{"p.limit"},
			[]results.Mutant{
				edit("a1", "p.WithLimit", "\tlimit = n", NotReached), edit("b2", "p.Parse", "\tif depth > limit {", Operator("branch-removal"), Otherwise, func(m *results.Mutant) { m.Original, m.Replacement = "depth > limit", "depth > limit && false" }),
				edit("c3", "p.List.Len", "\tx", NotReached),
			},
			[]string{"not_run b2 a1 c3"},
		},
		"a line calls a new function": {
			nil,
			[]results.Mutant{edit("a1", "p.Parse", "\tn = clamp(n)"), edit("b2", "p.clamp", "\tif n < 0 {")},
			[]string{"gap a1 b2"},
		},
		"two lines call a function in which all is noticed": {
			nil,
			[]results.Mutant{edit("a1", "p.Parse", "\tn = clamp(n)"), edit("b2", "p.WithLimit", "\treturn clamp(n)")},
			[]string{"gap a1", "gap b2"},
		},
		"a line calls a function that had other parameters": {
			nil,
			[]results.Mutant{
				edit("a1", "q.Print", "\tn = width(n, 0)", Undone, needing("\nvar width func(n int) int\nwidth = func(n int) int {\n\treturn n\n}")),
				edit("b2", "q.width", "\tif n < 0 {"),
			},
			[]string{"gap b2 a1"},
		},
		"a method that other types may have": {
			nil,
			[]results.Mutant{edit("a1", "p.Parse", "\tn := list.Len()"), edit("b2", "p.List.Len", "\treturn len(l.items)")},
			[]string{"gap a1", "gap b2"},
		},
	} {
		r := &results.Results{Scope: scope, AddedData: tt.added, Mutants: tt.mutants}
		var got []string
		for _, f := range Findings(r) {
			one := f.Kind.String()
			for _, m := range f.All() {
				one += " " + m.ID
			}
			got = append(got, one)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", fact, diff)
		}
	}
}

func TestAnOptionOfOneStatementIsOnlyToldWithWhatGoesByIt(t *testing.T) {
	for name, tt := range map[string]struct {
		line string
		want string
	}{
		"where an edit goes by it": {"\tif len(s) > o.limit {", "gap b2 a1"},
		"else not":                 {"\tif len(s) > 3 {", "gap b2"},
	} {
		r := &results.Results{
			Scope: []results.Function{
				{ID: "p.WithLimit", Package: "p", Name: "WithLimit", File: "f.go", StartLine: 100, EndLine: 102, Reason: results.ReasonAdded}, {ID: "p.Parse", Package: "p", Name: "Parse"},
			},
			AddedData: []string{"p.options.limit"},
			Mutants:   []results.Mutant{Survivor("a1", Function("p.WithLimit"), NotReached), Survivor("b2", Function("p.Parse"))},
		}
		r.Mutants[0].Context, r.Mutants[1].Context = "\to.limit = n", tt.line
		got := ""
		for _, f := range Findings(r) {
			got += f.Kind.String()
			for _, m := range f.All() {
				got += " " + m.ID
			}
		}
		if got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}
