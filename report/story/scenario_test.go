package story

import (
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/finding"
	. "github.com/mutantfuzz/mutantfuzz/report/internal/sample"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestTitlesSayWhatNoTestDoes(t *testing.T) {
	loop := func(m *results.Mutant) { m.Context = "\tfor _, x := range list {\n\t\tf(x)\n\t}" }
	given := func(source string) func(*results.Mutant) {
		return func(m *results.Mutant) { m.Evidence.Given = source }
	}
	none := func(*results.Mutant) {}
	for _, tt := range []struct {
		original, replacement string
		more                  func(*results.Mutant)
		want                  string
	}{
		{"deep", "deep && false", none, "no test has deep true"},
		{"deep", "deep || true", none, "no test has deep false"},
		{"!deep", "!deep && false", none, "no test has deep false"},
		{"n == 0", "n == 0 && false", none, "no test has n == 0"},
		{"n <= k(1)", "n <= k(1) || true", none, "no test has n > k(1)"},
		{"(a || b)", "(a || b) && false", none, "no test has a || b true"},
		{"ok", "ok || true", given("x.(T)"), "no test has ok false from x.(T)"},
		{"err != nil", "err != nil && false", given("os.Open(name)"), "no test makes os.Open fail"},
		{"err != nil", "err != nil && false", given("func() error { return nil }()"), "no test has err != nil"},
		{"err != nil", "err != nil || true", given("os.Open(name)"), "no test has err == nil"},
		{"a && b", "a || b", Operator("logical"), "no test has a && b false"},
		{"a || b", "a && b", Operator("logical"), "no test has a || b true"},
		{"return n", "if true { return 0 }; return n", Operator("return-value"), "no test has n other than 0"},
		{"v = trim(lower(v))", "if false { v = trim(lower(v)) }", Operator("statement-deletion"), "no test has trim(lower(v)) other than v"},
		{"ready = n > 2", "if false { ready = n > 2 }", Operator("statement-deletion"), "no test comes to line 101 with ready other than n > 2"},
		{"x.n = 0", "if false { x.n = 0 }", Operator("statement-deletion"), "no test fails with x.n = 0 left out"},
		{"strings.ToLower(s)", "s", Operator("argument-propagation"), "no test has strings.ToLower(s) other than s"},
		{"continue", "break", loop, "no test needs the loop to go on after this continue"},
		{"{ f(x) }", "{ f(x); break }", loop, "no test needs more than one iteration of for _, x := range list"},
		{"{ if x { continue }; f(x) }", "{ if x { continue }; f(x); break }", loop, "no test needs another iteration of for _, x := range list after a full one"},
	} {
		m := Survivor("a1", Function("p.F"), Writes(tt.original, tt.replacement), func(m *results.Mutant) {
			m.Evidence.Same, m.Evidence.Tests, m.Evidence.By = true, 1, []string{"p.TestA"}
		})
		tt.more(&m)
		f := finding.Finding{Kind: finding.Gap, Mutant: &m}
		if got, want := Of(&results.Results{}, f).Title.Plain("", ""), "p.F: "+tt.want; got != want {
			t.Errorf("%s → %s: %q, want %q", tt.original, tt.replacement, got, want)
		}
	}
}

func TestTitlesDoNotDenyWhatATestMayDo(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*results.Mutant)
		want   string
	}{
		"tests have both values":      {func(m *results.Mutant) { m.Evidence.Same = false }, "p.F: no test fails with true in place of deep"},
		"a program runs unseen":       {func(m *results.Mutant) { m.Evidence.Program = true }, "p.F: no test is seen that has deep false"},
		"tests of dependents are out": {func(m *results.Mutant) { m.Evidence.OwnOnly = true }, "p.F: no test that could run here has deep false"},
	} {
		m := Survivor("a1", Function("p.F"), Writes("deep", "true"), func(m *results.Mutant) {
			m.Evidence.Same, m.Evidence.Tests, m.Evidence.By = true, 1, []string{"q.TestA"}
		})
		tt.change(&m)
		if got := Of(&results.Results{}, finding.Finding{Kind: finding.Gap, Mutant: &m}).Title.Plain("", ""); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

func TestTitleOfAnUndonePartSaysWhatNoTestDoesWithin(t *testing.T) {
	undone := Survivor("a1", Function("p.F"), Undoes("err = g()\nif err != nil {\n\treturn wrap(err)\n}\nreturn nil\n", "return g()\n"), Status(results.Survived, results.Reached), Between(10, 90))
	check := func(id, condition string, from int) results.Mutant {
		return Survivor(id, Function("p.F"), Writes(condition, condition+" && false"), Between(from, from+10), func(m *results.Mutant) {
			m.Evidence.Same, m.Evidence.Never, m.Evidence.Given = true, &results.Code{StartLine: 3, EndLine: 3}, "g()"
		})
	}
	for name, tt := range map[string]struct {
		others []results.Mutant
		want   string
	}{
		"one condition":         {[]results.Mutant{check("b2", "err != nil", 20)}, "p.F: no test makes g fail"},
		"the same once more":    {[]results.Mutant{check("b2", "err != nil", 20), check("c3", "err != nil", 20)}, "p.F: no test makes g fail"},
		"two conditions":        {[]results.Mutant{check("b2", "err != nil", 20), check("c3", "n > 2", 40)}, "p.F: no test fails without the change to lines 101 to 105"},
		"a condition behind it": {[]results.Mutant{check("b2", "err != nil", 120)}, "p.F: no test fails without the change to lines 101 to 105"},
		"none":                  {nil, "p.F: no test fails without the change to lines 101 to 105"},
	} {
		r := &results.Results{Mutants: append([]results.Mutant{undone}, tt.others...)}
		if got := Of(r, finding.Finding{Kind: finding.Gap, Mutant: &r.Mutants[0]}).Title.Plain("", ""); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

func TestWhatGuardsAFixIsWhatNoTestDoesInAnyOfItsFunctions(t *testing.T) {
	undone := func(id string, from int) results.Mutant {
		return Survivor(id, Function("p."+id), Undoes("if old(x) {\n\tcontinue\n}\n", ""), Exposed, Between(from, from+50))
	}
	check := func(id, condition string, from int) results.Mutant {
		return Survivor(id, Function("p."+id), Writes(condition, condition+" && false"), Between(from, from+10), func(m *results.Mutant) {
			m.Evidence.Same, m.Evidence.Never = true, &results.Code{StartLine: 3, EndLine: 3}
		})
	}
	const guards = "One that does, and fails without this change, would guard the fix."
	for name, tt := range map[string]struct {
		checks []results.Mutant
		change func(*results.Mutant)
		want   string
	}{
		"the same in both": {[]results.Mutant{check("F", "old(x)", 20), check("G", "old(x)", 120)}, nil, "No test has `old(x)` true. " + guards},
		"seen in part": {[]results.Mutant{check("F", "old(x)", 20), check("G", "old(x)", 120)}, func(m *results.Mutant) { m.Evidence.Program = true },
			"No test is seen that has `old(x)` true. " + guards},
		"in one":       {[]results.Mutant{check("F", "old(x)", 20)}, nil, "A test that fails without it would guard the fix."},
		"not the same": {[]results.Mutant{check("F", "old(x)", 20), check("G", "x == nil", 120)}, nil, "A test that fails without it would guard the fix."},
	} {
		r := &results.Results{Mutants: append([]results.Mutant{undone("F", 10), undone("G", 110)}, tt.checks...)}
		if tt.change != nil {
			tt.change(&r.Mutants[0])
		}
		f := finding.Finding{Kind: finding.Gap, Fix: true, Mutant: &r.Mutants[0], Also: []*results.Mutant{&r.Mutants[1]}}
		if got := ask(r, f).Markdown(); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}
