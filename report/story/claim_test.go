package story

import (
	"strconv"
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/finding"
	. "github.com/mutantfuzz/mutantfuzz/report/internal/sample"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestClaimsNameTheirEvidence(t *testing.T) {
	tests := []struct {
		tests int
		by    []string
		execs int64
		want  string
	}{
		{3, nil, 2_104_233, "3 tests run this code, and pass with it, also on 2.1 M fuzzing inputs."},
		{1, nil, 0, "1 test runs this code, and passes with it."},
		{1, []string{"p.TestA"}, 0, "`TestA` runs this code, and passes with it."},
		{2, []string{"p.TestA", "p.TestB"}, 0, "`TestA` and `TestB` run this code, and pass with it."},
		{9, []string{"p.TestA", "p.TestB", "p.TestC", "p.TestD"}, 0, "`TestA`, `TestB` and 7 more tests run this code, and pass with it."},
		{3, []string{"m/wkb.TestA", "m/ewkb.TestA", "m/wkb.TestB"}, 0, "`wkb.TestA`, `ewkb.TestA` and `TestB` run this code, and pass with it."},
		{0, nil, 1, "No test runs this code. On 1 fuzzing input nothing fails with it."},
		{0, nil, 0, "This code runs, and nothing fails with it."},
	}
	for _, tt := range tests {
		m := Survivor("a1")
		m.Evidence.Tests, m.Evidence.By, m.Evidence.Execs = tt.tests, tt.by, tt.execs
		if got := claim(finding.Finding{Mutant: &m}, "with it").Markdown(); got != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
	}
	m := Survivor("a1", Function("m/p.init"))
	if got, want := claim(finding.Finding{Mutant: &m}, "with it").Markdown(), "This code runs when the package is initialised, and nothing fails with it."; got != want {
		t.Errorf("of init: %s, want %s", got, want)
	}
}

func TestClaimsSayWhichTestsAreOfTheChange(t *testing.T) {
	m := Survivor("a1")
	m.Evidence.Tests, m.Evidence.By = 4, []string{"p.TestNew", "p.TestOther", "p.TestOld", "p.TestOlder"}
	m.Evidence.ByChange = []results.NewTest{{Test: "p.TestNew", Change: results.TestAdded}, {Test: "p.TestOther", Change: results.TestAltered}}
	want := "`TestNew` (new), `TestOther` (changed) and 2 more tests run this code, and pass with it."
	if got := claim(finding.Finding{Mutant: &m}, "with it").Markdown(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestWhatIsSuggestedSaysWhereItBelongs(t *testing.T) {
	suggestion := func(kind string) *results.Suggestion {
		return &results.Suggestion{Kind: kind, File: "size_test.go", Test: "TestSize", Source: "{in: 1}"}
	}
	for _, tt := range []struct {
		name  string
		x     results.ExposedBy
		about string
		shows string // by what the finding shows the input
		ask   string
	}{
		{"a row", results.ExposedBy{Test: "func", Suggestion: suggestion(results.SuggestedRow)}, "A row for the table of `TestSize` (`size_test.go`) that notices it", "", ""},
		{"a function", results.ExposedBy{Test: "func", Suggestion: suggestion(results.SuggestedFunction)}, "A test for `size_test.go` that notices it", "", ""},
		{"a file of its own", results.ExposedBy{Test: "func", TestFile: "x_test.go"}, "A test for `x_test.go` that notices it", "", ""},
		{"nothing, but a call", results.ExposedBy{Call: "F(3)", Original: "1", Mutant: "2"}, "", "`F(3)` gives `1`; with this edit, `2`.", ""},
		{"nothing, but a call within a test", results.ExposedBy{Call: "F(3)", InTest: true, Harness: "p.TestG", Original: "1", Mutant: "2"}, "", "`F(3)` in `TestG` gives `1`; with this edit, `2`.", "`TestG` leads to this call, and passes with either result: it does not check what comes of it."},
		{"nothing, but a call with results that nobody can read", results.ExposedBy{Call: "F(3)", Original: "…a{1}", Mutant: "…a{2}"}, "", "", "A test that makes the call `F(3)`, and checks what it gives, would notice."},
		{"likewise, within a test", results.ExposedBy{Site: "f_test.go:9: d.F(n)", InTest: true, Harness: "p.TestG", Original: "…a{1}", Mutant: "…a{2}"}, "", "", "With this edit, `p.Fa1` gives another result in `TestG`, which passes: it does not check what comes of it."},
		{"with some values", results.ExposedBy{Site: "f_test.go:9: d.F(n, g)", Partly: "d.F(7, g)", InTest: true, Harness: "p.TestG", Original: "…a{1}", Mutant: "…a{2}"}, "", "", "With this edit, `d.F(7, g)` gives another result in `TestG`, which passes: it does not check what comes of it."},
		{"nothing, but a site", results.ExposedBy{Site: "f_test.go:9: d.F(n)", Harness: "p.FuzzF"}, "", "", "To notice it, a test has to call `d.F(n)` with what `FuzzF` passes."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := Survivor("a1")
			m.Stage, m.ExposedBy = results.Propagated, &tt.x
			s := Of(&results.Results{Mutants: []results.Mutant{m}}, finding.Finding{Mutant: &m, Kind: finding.Gap})
			if got := s.About.Markdown(); got != tt.about {
				t.Errorf("about: %s, want %s", got, tt.about)
			}
			if got := s.Witness.Markdown(); got != tt.shows {
				t.Errorf("shows: %s, want %s", got, tt.shows)
			}
			if got := s.Ask.Markdown(); got != tt.ask {
				t.Errorf("ask: %s, want %s", got, tt.ask)
			}
		})
	}
}

func TestWhatWasTheSameInAllTestsIsSaid(t *testing.T) {
	for _, tt := range []struct{ operator, original, replacement, claim string }{
		{"return-value", "return f(x), diags", "if true { return f(x), nil }; return f(x), diags", "There `diags` is `nil` every time."},
		{"error-return", "return err", "if true { return nil }; return err", "There `err` is `nil` every time."},
		{"return-value", "return n", "if true { return 0 }; return n", "There `n` is `0` every time."},
		{"statement-deletion", "v = trim(v)", "if false { v = trim(v) }", "There `trim(v)` is the same as `v` every time."},
		{"return-value", "return f(x), g(x)", "if true { return f(x), nil }; return f(x), g(x)", ""},
		{"logical", "a && b", "a || b", "There both conditions hold every time."},
		{"logical", "a || b", "a && b", "Neither condition ever holds there."},
		{"statement-deletion", "f(x)", "if false { f(x) }", ""},
	} {
		m := Survivor("a1", Operator(tt.operator))
		m.Original, m.Replacement, m.Evidence.Tests, m.Evidence.By = tt.original, tt.replacement, 1, []string{"p.TestA"}
		for _, same := range []bool{true, false} {
			m.Evidence.Same = same
			claim := "`TestA` runs this code, and passes with this edit."
			if same && tt.claim != "" {
				claim += " " + tt.claim
			}
			if s := Of(&results.Results{}, finding.Finding{Kind: finding.Gap, Mutant: &m}); s.Claim.Markdown() != claim || len(s.Ask) > 0 {
				t.Errorf("%s, the same: %t: %q, %q", tt.original, same, s.Claim.Markdown(), s.Ask.Markdown())
			}
		}
	}
}

func TestWhereAComparisonMattersIsSaidIfNoTestComesThere(t *testing.T) {
	m := Survivor("a1", Operator("relational"), Function("p.F"), Writes("len(key) < 48", "len(key) <= 48"))
	m.Evidence.Tests, m.Evidence.By, m.Evidence.Same = 1, []string{"p.TestA"}, true
	f := finding.Finding{Kind: finding.Gap, Mutant: &m}
	s := Of(&results.Results{}, f)
	if got, want := s.Title.Plain("", ""), "p.F: no test has len(key) == 48"; got != want {
		t.Errorf("title: %q, want %q", got, want)
	}
	if got, want := s.Claim.Plain("", ""), "TestA runs this code, but never with len(key) == 48, and the edit changes nothing else."; got != want {
		t.Errorf("claim: %q, want %q", got, want)
	}
	m.ExposedBy = &results.ExposedBy{Call: "F([]byte(" + strconv.Quote(strings.Repeat("a", 48)) + "))", Original: "nil", Mutant: `error("short")`, Driver: true}
	m.Stage = results.Propagated
	want := `An input with len(key) == 48 gives nil; with this edit, error("short").`
	if got := Of(&results.Results{}, f).Witness.Plain("", ""); got != want {
		t.Errorf("a long input: %q, want %q", got, want)
	}
	m.ExposedBy.Call = "F(short)"
	want = `F(short) gives nil; with this edit, error("short").`
	if got := Of(&results.Results{}, f).Witness.Plain("", ""); got != want {
		t.Errorf("a short input: %q, want %q", got, want)
	}
	m.Evidence.Same = false
	if got, want := Of(&results.Results{}, f).Title.Plain("", ""), "p.F: no test fails with len(key) <= 48 in place of len(key) < 48"; got != want {
		t.Errorf("tests come there: %q, want %q", got, want)
	}
}

func TestWhatACallLeavesInWhatItIsPassedIsNoResult(t *testing.T) {
	for _, tt := range []struct{ now, with, want string }{
		{`1`, `2`, "`F(&b)` gives `1`; with the edit, `2`"},
		{`b becomes Buffer("x")`, `b becomes Buffer("")`, "`F(&b)` leaves `Buffer(\"x\")` in `b`; with the edit, `Buffer(\"\")`"},
		{`b becomes Buffer("x")`, `b is unchanged`, "`F(&b)`: `b becomes Buffer(\"x\")`; with the edit, `b is unchanged`"},
		{`b becomes 1; c becomes 2`, `b becomes 1; c becomes 3`, "`F(&b)`: `b becomes 1; c becomes 2`; with the edit, `b becomes 1; c becomes 3`"},
		{`"it becomes hot"`, `"it becomes"`, "`F(&b)` gives `\"it becomes hot\"`; with the edit, `\"it becomes\"`"},
	} {
		if got := (Row{Input: "F(&b)", Now: tt.now, With: tt.with}).Shows().Markdown(); got != tt.want {
			t.Errorf("%s\nwant %s", got, tt.want)
		}
	}
}

func TestACallThatANoticingTestHasToMakeIsThatOfOneEdit(t *testing.T) {
	silent := Survivor("b2", Function("p.F"), Line(8), Exposed)
	silent.ExposedBy.Driver, silent.ExposedBy.Original, silent.ExposedBy.Mutant = true, "1", "1"
	f := finding.Finding{Kind: finding.Gap, Mutant: &silent}
	r := &results.Results{Mutants: []results.Mutant{silent}}
	if got := needed(r, f, false).Plain("", ""); !strings.HasSuffix(got, "would notice.") {
		t.Error(got)
	}
	other := Survivor("a1", Function("p.F"), Line(3))
	f.Also = []*results.Mutant{&other}
	if got := needed(r, f, false).Plain("", ""); !strings.HasSuffix(got, "would notice the edit of line 8.") {
		t.Error(got)
	}
}

func TestAFixThatNothingRunsInAnotherFunctionIsNamed(t *testing.T) {
	undoes := Undoes("\tif a == nil || len(b) > 0 && c {\n\t\treturn d\n\t}\n", "")
	r := &results.Results{
		Scope: []results.Function{{ID: "p.F", Name: "F"}, {ID: "p.G", Name: "G"}, {ID: "p.H", Name: "H"}},
		Mutants: []results.Mutant{
			Survivor("a1", Function("p.F"), undoes), Survivor("b2", Function("p.G"), undoes, NotReached),
			Survivor("c3", Function("p.H"), Undoes("\te()\n", ""), NotReached),
		},
	}
	f := finding.Finding{Kind: finding.Gap, Mutant: &r.Mutants[0], Fix: true}
	if got, want := Of(r, f).Ask.Markdown(), "A test that fails without it would guard the fix. No test runs the same change to `G`."; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	r.Mutants[1].Stage = results.Reached
	if got := Of(r, f).Ask.Markdown(); strings.Contains(got, "the same change") {
		t.Errorf("tests run it: %s", got)
	}
}

func TestATitleSaysOfWhichTestsItSpeaks(t *testing.T) {
	for want, by := range map[string][]string{"no test of its package": {"p.TestF", "q.TestG"}, "no test that could run here": {"q.TestG", "p/q.TestF"}} {
		m := Survivor("a1", Function("p.F"), func(m *results.Mutant) { m.Evidence.OwnOnly, m.Evidence.Tests, m.Evidence.By = true, 2, by })
		if got := noTest(finding.Finding{Mutant: &m}); got != want {
			t.Errorf("by %v: %q, want %q", by, got, want)
		}
	}
}

func TestWhatFailsWithoutAFixIsSaid(t *testing.T) {
	m := Survivor("a1", Function("p.F"), Undoes("if x == nil {\n\treturn\n}\n", ""), func(m *results.Mutant) {
		m.Stage = results.Propagated
		m.ExposedBy = &results.ExposedBy{Driver: true, Ends: "panic", Site: "x_test.go:1: x.f(fuzzed.int())", Original: "returns", Mutant: "panics: nil"}
	})
	if got, want := failureWithout(finding.Finding{Mutant: &m, Fix: true}).Plain("", ""), "With some generated arguments, x.f(…): returns; without this fix, panics: nil."; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
