package report

import (
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/finding"
	"github.com/mutantfuzz/mutantfuzz/report/internal/known"
	. "github.com/mutantfuzz/mutantfuzz/report/internal/sample"
	"github.com/mutantfuzz/mutantfuzz/report/results"
	"github.com/mutantfuzz/mutantfuzz/report/story"
)

func TestAFixWhoseOwnTestPassesWithoutItIsAFinding(t *testing.T) {
	for name, tt := range map[string]struct {
		fixes    bool
		newTests []results.NewTest
		byChange []results.NewTest
		want     string
	}{
		"its test runs the change":          {true, []results.NewTest{{Test: "p.TestNew", Change: results.TestAdded}}, []results.NewTest{{Test: "p.TestNew", Change: results.TestAdded}}, "a1"},
		"the change does not say it fixes":  {false, []results.NewTest{{Test: "p.TestNew", Change: results.TestAdded}}, []results.NewTest{{Test: "p.TestNew", Change: results.TestAdded}}, ""},
		"its test runs something else":      {true, []results.NewTest{{Test: "p.TestNew", Change: results.TestAdded}}, nil, ""},
		"its test is only altered":          {true, []results.NewTest{{Test: "p.TestNew", Change: results.TestAltered}}, []results.NewTest{{Test: "p.TestNew", Change: results.TestAltered}}, ""},
		"its test is not known to pass":     {true, nil, []results.NewTest{{Test: "p.TestNew", Change: results.TestAdded}}, ""},
		"another of its tests is not known": {true, []results.NewTest{{Test: "p.TestB", Change: results.TestAdded}}, []results.NewTest{{Test: "p.TestNew", Change: results.TestAdded}}, ""},
	} {
		m := Survivor("a1", Function("p.F"), Undoes("return f(x)\n", "return g(x)\n"), Status(results.Survived, results.Reached), FuzzedWith(known.Agreed))
		m.Evidence.Whole, m.Evidence.Tests, m.Evidence.By, m.Evidence.ByChange = true, 1, []string{"p.TestNew"}, tt.byChange
		r := &results.Results{
			Revisions: results.Revisions{Fixes: tt.fixes}, NewTests: tt.newTests, Mutants: []results.Mutant{m},
			Scope: []results.Function{{ID: "p.F", Name: "F", Reason: results.ReasonChanged}},
		}
		found := finding.Findings(r)
		if got := known.IDs(found); got != tt.want {
			t.Errorf("%s: findings %q, want %q", name, got, tt.want)
			continue
		}
		if tt.want == "" {
			continue
		}
		if got, want := story.Of(r, found[0]).Title.Plain("", ""), "F: the test that this change adds passes without this fix"; got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
		if body := Markdown(r, Options{}); !strings.Contains(body, "Old and new give the same results on 25.0 k inputs, too.") {
			t.Errorf("%s: the number of inputs is missing:\n%s", name, body)
		}
	}
}

func TestAFixThatNoTestShowsIsOneFinding(t *testing.T) {
	whole := func(id, of string, changes ...func(*results.Mutant)) results.Mutant {
		m := Survivor(id, Function(of), Undoes("case tea.KeyPressMsg:\n", "case tea.KeyMsg:\n"), Status(results.Survived, results.Reached))
		m.Evidence.Whole, m.Evidence.Tests, m.Evidence.By = true, 1, []string{"p.TestF"}
		for _, change := range changes {
			change(&m)
		}
		return m
	}
	other := func(m *results.Mutant) { m.Original = "list := make([]T, 0, n)\n" }
	for name, tt := range map[string]struct {
		fixes   bool
		mutants []results.Mutant
		want    string
		title   string
	}{
		"one function":                {true, []results.Mutant{whole("a1", "p.F")}, "a1", "F: no test fails without this fix"},
		"two":                         {true, []results.Mutant{whole("a1", "p.F"), whole("b2", "p.G", other)}, "a1", "F and G: no test fails without this fix in either of them"},
		"it does not say so":          {false, []results.Mutant{whole("a1", "p.F")}, "", ""},
		"a test shows another part":   {true, []results.Mutant{whole("a1", "p.F"), whole("b2", "p.G", other, Status(results.Killed, results.Revealed))}, "", ""},
		"a part by itself is noticed": {true, []results.Mutant{whole("a1", "p.F"), whole("b2", "p.F", func(m *results.Mutant) { m.Evidence.Whole = false }, Status(results.Killed, results.Revealed))}, "a1", "F: no test fails without this fix"},
		"only a part is undone":       {true, []results.Mutant{whole("a1", "p.F", func(m *results.Mutant) { m.Evidence.Whole = false })}, "", ""},
		"no test runs it":             {true, []results.Mutant{whole("a1", "p.F", func(m *results.Mutant) { m.Evidence.Tests, m.Evidence.By = 0, nil })}, "", ""},
		"it gives the same":           {true, []results.Mutant{whole("a1", "p.F", FuzzedWith(known.Agreed))}, "", ""},
		"thousands give the same":     {true, []results.Mutant{whole("a1", "p.F", FuzzedWith(known.SparedOften))}, "", ""},
		"but not all of it runs":      {true, []results.Mutant{whole("a1", "p.F", FuzzedWith(known.SparedOften), func(m *results.Mutant) { m.Evidence.OldUnrun = 1 })}, "a1", "F: no test fails without this fix"},
		"it only copies":              {true, []results.Mutant{whole("a1", "p.F", func(m *results.Mutant) { m.Original, m.Replacement = "x := slices.Clone(a)\n", "x := a\n" })}, "", ""},
	} {
		r := &results.Results{
			Revisions: results.Revisions{Fixes: tt.fixes}, Mutants: tt.mutants,
			Scope: []results.Function{{ID: "p.F", Name: "F", Reason: results.ReasonChanged}, {ID: "p.G", Name: "G", Reason: results.ReasonChanged}},
		}
		found := finding.Findings(r)
		if got := known.IDs(found); got != tt.want {
			t.Errorf("%s: findings %q, want %q", name, got, tt.want)
			continue
		}
		if tt.want == "" {
			continue
		}
		if got := story.Of(r, found[0]).Title.Plain("", ""); got != tt.title {
			t.Errorf("%s: %q, want %q", name, got, tt.title)
		}
		const ask = "A test that fails without it would guard the fix."
		if body := Markdown(r, Options{}); !strings.Contains(body, ask) {
			t.Errorf("%s: nothing says what to do:\n%s", name, body)
		}
		again := finding.Select(r, &finding.History{Shown: finding.Select(r, nil, 0).History.Shown}, 0)
		if body := Markdown(r, Options{Selection: &again}); !strings.Contains(body, ask) || !strings.Contains(body, "without this fix") {
			t.Errorf("%s: on the next push it is told otherwise:\n%s", name, body)
		}
	}
}
