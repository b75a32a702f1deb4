package report

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mutantfuzz/mutantfuzz/report/finding"
	. "github.com/mutantfuzz/mutantfuzz/report/internal/sample"
	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestNothingJudgedIsNeverGreen(t *testing.T) {
	tests := []struct {
		name string
		r    *results.Results
		want string
	}{
		{"no function", &results.Results{}, "no function is in scope"},
		{"no mutant", &results.Results{Scope: []results.Function{{}}}, "have no mutants"},
		{"no time", &results.Results{Scope: []results.Function{{}}, Partial: true}, "the time was up before there was a mutant"},
		{"out of time", &results.Results{
			Scope:   []results.Function{{}},
			Mutants: []results.Mutant{Survivor("a1", Status(results.NotRun, ""))},
		}, "no mutant got a verdict"},
		{"nothing but logging", &results.Results{
			Scope:   []results.Function{{}},
			Mutants: []results.Mutant{Survivor("a1", Status(results.Ignored, ""), func(m *results.Mutant) { m.Reason = "arid code: logging" })},
		}, "the change only touches code that is never mutated"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var text strings.Builder
			if err := Text(&text, tt.r, TextOptions{Width: 500}); err != nil {
				t.Fatal(err)
			}
			for _, body := range []string{Markdown(tt.r, Options{}), text.String()} {
				if !strings.Contains(body, "mutantfuzz: nothing was judged\n") || !strings.Contains(body, tt.want) {
					t.Errorf("want a heading and a reason (%s) that nothing was judged:\n%s", tt.want, body)
				}
			}
		})
	}
}

func TestCountsAddUp(t *testing.T) {
	r := fixture(t)
	c := tallyOf(r)
	sum := c.byTests + c.byFuzzing + c.exposed + c.survived + c.equivalent + c.unviable + c.ignored + c.notRun
	if sum != len(r.Mutants) || c.total != len(r.Mutants) {
		t.Errorf("%+v adds up to %d of %d mutants", c, sum, len(r.Mutants))
	}
	score := r.Score
	r.Count()
	if c.judged() != score.Killed+score.Survived || c.exposed != score.Exposed || r.Score.Killed != score.Killed {
		t.Errorf("%+v does not agree with the score %+v", c, score)
	}
}

func TestReviewsHaveNoScore(t *testing.T) {
	if body := Markdown(fixture(t), Options{}); strings.Contains(body, "score") || strings.Contains(body, "%") && !strings.Contains(body, "%q") {
		t.Errorf("a score in\n%s", body)
	}
}

func TestBodiesStayWithinTheLimit(t *testing.T) {
	r := hostile(t, strings.Repeat("x\n", 5000), filled)
	full := len(Markdown(r, Options{Limit: unlimited}))
	for limit := full; limit >= 2000; limit = limit * 9 / 10 {
		body := Markdown(r, Options{Limit: limit})
		if len(body) > limit {
			t.Errorf("%d bytes with a limit of %d", len(body), limit)
		}
		if limit < full && !strings.Contains(body, "left out here to stay within the size limit") {
			t.Errorf("no word of what was left out, with a limit of %d:\n%s", limit, body)
		}
	}
}

func TestLongBodiesAreCutBetweenBlocks(t *testing.T) {
	for _, s := range []string{"x\n", "```\n</details>\n", "\U0001F98A", "~~~ <details>\n\n"} {
		r := hostile(t, strings.Repeat(s, 1000), filled)
		for i := range 50 {
			m := r.Mutants[i%5] // the first five are survivors
			m.ID += prose.Exact(i)
			m.Function += prose.Exact(i)
			m.Line, m.Verified = i+100, true
			r.Mutants = append(r.Mutants, m)
			r.Warnings = append(r.Warnings, r.Warnings[0])
		}
		selection := finding.Select(r, nil, finding.MaxFindings)
		for limit := 2000; limit < 2_000_000; limit *= 6 {
			body := Markdown(r, Options{Limit: limit, Selection: &selection})
			if len(body) > limit {
				t.Errorf("%d bytes with a limit of %d", len(body), limit)
			}
			inert(t, body)
		}
	}
}

func TestClosedFindingsAreStruckThrough(t *testing.T) {
	s := finding.Selection{Closed: []finding.Shown{
		{Where: "a.go:1", Fate: finding.Noticed}, {Where: "b.go:2", Fate: finding.Suppressed}, {Where: "c.go:3", Fate: finding.Harmless},
		{Where: "d.go:4", Fate: finding.Gone}, {Where: "e.go:5", Fate: finding.NotJudged}, {Where: "FuzzF", Fate: finding.Older}, {Where: "TestG", Fate: finding.Mended},
	}}
	body := Markdown(fixture(t), Options{Selection: &s})
	want := "- ~~`a.go:1`~~ now noticed\n" +
		"- ~~`b.go:2`~~ dismissed\n" +
		"- ~~`c.go:3`~~ makes no difference\n" +
		"- ~~`d.go:4`~~ no longer there\n" +
		"- `e.go:5` not judged this time\n" +
		"- ~~`FuzzF`~~ not shown to come from this change\n" +
		"- ~~`TestG`~~ no longer fails\n"
	if !strings.Contains(body, want) || !strings.Contains(body, "mutantfuzz: nothing found in what was judged\n") {
		t.Errorf("want\n%s\nin\n%s", want, body)
	}
}

func TestNoNextStepIsMadeUp(t *testing.T) {
	of := func(m results.Mutant, also ...results.Mutant) finding.Finding {
		f := finding.Finding{Mutant: &m}
		for i := range also {
			f.Also = append(f.Also, &also[i])
		}
		return f
	}
	for what, f := range map[string]finding.Finding{
		"several edits":                        of(Survivor("a1"), Survivor("a2")),
		"several edits, of which one is shown": of(Survivor("a1"), Survivor("a2", Exposed)),
		"a part of the change":                 of(Survivor("a1", Undoes("if a {\n", "if b {\n"))),
	} {
		if got := ask(f).Markdown(); got != "" {
			t.Errorf("%s: %q", what, got)
		}
	}
}

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
		{9, []string{"p.TestA", "p.TestB", "p.TestC", "p.TestD"}, 0, "`TestA`, `TestB`, `TestC` and 6 more tests run this code, and pass with it."},
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
}

func TestClaimsSayWhichTestsAreOfTheChange(t *testing.T) {
	m := Survivor("a1")
	m.Evidence.Tests, m.Evidence.By = 4, []string{"p.TestNew", "p.TestOther", "p.TestOld", "p.TestOlder"}
	m.Evidence.ByChange = []results.NewTest{{Test: "p.TestNew", Change: results.TestAdded}, {Test: "p.TestOther", Change: results.TestAltered}}
	want := "`TestNew` (new), `TestOther` (changed), `TestOld` and 1 more test run this code, and pass with it."
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
		ask   string
	}{
		{"a row", results.ExposedBy{Test: "func", Suggestion: suggestion(results.SuggestedRow)}, "A row for the table of `TestSize` (`size_test.go`) that notices it", ""},
		{"a function", results.ExposedBy{Test: "func", Suggestion: suggestion(results.SuggestedFunction)}, "A test for `size_test.go` that notices it", ""},
		{"a file of its own", results.ExposedBy{Test: "func", TestFile: "x_test.go"}, "A test for `x_test.go` that notices it", ""},
		{"nothing, but a call", results.ExposedBy{Call: "F(3)", Original: "1", Mutant: "2"}, "", ""},
		{"nothing, but a call within a test", results.ExposedBy{Call: "F(3)", InTest: true, Harness: "p.TestG", Original: "1", Mutant: "2"}, "", "With this edit, `TestG` gets another result from `F(3)`, and passes."},
		{"nothing, but a call with results that nobody can read", results.ExposedBy{Call: "F(3)", Original: "…a{1}", Mutant: "…a{2}"}, "", "A test that makes the call `F(3)`, and checks what it gives, would notice."},
		{"likewise, within a test", results.ExposedBy{Site: "f_test.go:9: d.F(n)", InTest: true, Harness: "p.TestG", Original: "…a{1}", Mutant: "…a{2}"}, "", "With this edit, `TestG` gets another result from `p.Fa1`, and passes."},
		{"with some values", results.ExposedBy{Site: "f_test.go:9: d.F(n, g)", Partly: "d.F(7, g)", InTest: true, Harness: "p.TestG", Original: "…a{1}", Mutant: "…a{2}"}, "", "With this edit, `TestG` gets another result from `d.F(7, g)`, and passes."},
		{"nothing, but a site", results.ExposedBy{Site: "f_test.go:9: d.F(n)", Harness: "p.FuzzF"}, "", "To notice it, a test has to call `d.F(n)` with what `FuzzF` passes."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := Survivor("a1")
			m.Stage, m.ExposedBy = results.Propagated, &tt.x
			s := storyOf(&results.Results{Mutants: []results.Mutant{m}}, finding.Finding{Mutant: &m, Kind: finding.Gap})
			if got := s.about.Markdown(); got != tt.about {
				t.Errorf("about: %s, want %s", got, tt.about)
			}
			if got := s.ask.Markdown(); got != tt.ask {
				t.Errorf("ask: %s, want %s", got, tt.ask)
			}
		})
	}
}

func TestANextStepIsNamedWhereNoInputIsKnown(t *testing.T) {
	for _, tt := range []struct{ original, replacement, want string }{
		{"continue", "break", "A test in which the loop has more to do after this `continue` would notice."},
		{"{ f(x) }", "{ f(x); break }", "A test in which a later iteration makes a difference would notice."},
		{"f(x)", "", ""},
	} {
		m := Survivor("a1")
		m.Original, m.Replacement = tt.original, tt.replacement
		if got := ask(finding.Finding{Mutant: &m, Kind: finding.Gap}).Markdown(); got != tt.want {
			t.Errorf("%s → %s: %s, want %s", tt.original, tt.replacement, got, tt.want)
		}
	}
}

func TestWhatDidNotRunInTimeIsSaidOnce(t *testing.T) {
	late := func(m *results.Mutant) {
		m.Reason, m.Evidence.OwnOnly = "not all tests of packages that depend on this one ran in time", true
		m.Evidence.Tests, m.Evidence.By = 1, []string{"p.TestF"}
	}
	r := &results.Results{Mutants: []results.Mutant{Survivor("a1", Exposed, Function("p.F"), late), Survivor("b2", Exposed, Function("p.G"), late)}}
	for _, id := range []string{"F", "G"} {
		r.Scope = append(r.Scope, results.Function{ID: "p." + id, Name: id, Package: "p", Reason: results.ReasonChanged})
	}
	if n := len(finding.Findings(r)); n != 2 {
		t.Fatalf("%d findings", n)
	}
	const said = "Not all tests of packages that depend on this one could run."
	if body := Markdown(r, Options{}); strings.Count(body, said) != 1 {
		t.Error(body)
	}
	var out strings.Builder
	if err := Text(&out, r, TextOptions{Width: 1000}); err != nil || strings.Count(out.String(), said) != 1 {
		t.Error(out.String(), err)
	}
	s := finding.Select(r, nil, 0)
	if list := Annotations(r, &s); len(list) != 2 || !strings.Contains(list[0].Message, said) || !strings.Contains(list[1].Message, said) {
		t.Errorf("%+v", list)
	}
}

func TestWhatWasTheSameInAllTestsIsSaid(t *testing.T) {
	for _, tt := range []struct{ operator, original, replacement, claim, ask string }{
		{"return-value", "return f(x), diags", "if true { return f(x), nil }; return f(x), diags", "There `diags` is `nil` every time.", "A test in which `diags` is something else would notice."},
		{"error-return", "return err", "if true { return nil }; return err", "There `err` is `nil` every time.", "A test in which `err` is something else would notice."},
		{"return-value", "return n", "if true { return 0 }; return n", "There `n` is `0` every time.", "A test in which `n` is something else would notice."},
		{"return-value", "return f(x), g(x)", "if true { return f(x), nil }; return f(x), g(x)", "", ""},
		{"logical", "a && b", "a || b", "There both conditions hold every time.", "A test in which only one of them holds would notice."},
		{"logical", "a || b", "a && b", "Neither condition ever holds there.", "A test in which only one of them holds would notice."},
		{"statement-deletion", "f(x)", "if false { f(x) }", "", ""},
	} {
		m := Survivor("a1", Operator(tt.operator))
		m.Original, m.Replacement, m.Evidence.Tests, m.Evidence.By = tt.original, tt.replacement, 1, []string{"p.TestA"}
		for _, same := range []bool{true, false} {
			m.Evidence.Same = same
			claim, ask := "`TestA` runs this code, and passes with this edit.", ""
			if same && tt.claim != "" {
				claim, ask = claim+" "+tt.claim, tt.ask
			}
			if s := storyOf(&results.Results{}, finding.Finding{Kind: finding.Gap, Mutant: &m}); s.claim.Markdown() != claim || s.ask.Markdown() != ask {
				t.Errorf("%s, the same: %t: %q, %q", tt.original, same, s.claim.Markdown(), s.ask.Markdown())
			}
		}
	}
}

func TestWhatTheBaseGivesForAnInputIsSaidOnce(t *testing.T) {
	a, b := Survivor("a1", Exposed, Function("p.F")), Survivor("b2", Exposed, Function("p.F"))
	b.ExposedBy.Base = "map[a:1]"
	r := &results.Results{Mutants: []results.Mutant{a, b}}
	if body := Markdown(r, Options{}); strings.Count(body, "Before this change, `Fb2()` gave `map[a:1]`: if that is still meant, it is the change that is wrong.") != 1 {
		t.Error(body)
	}
	r.Mutants = r.Mutants[1:]
	if body := Markdown(r, Options{}); !strings.Contains(body, "`Fb2()` gives `1`; with this edit, `2`. Before this change, it gave `map[a:1]`: if that") {
		t.Error(body)
	}
}

func TestATestIsShownWholeOrNotAtAll(t *testing.T) {
	for _, tt := range []struct {
		letters int
		shown   bool
	}{{400, true}, {maxTestWidth + 1, false}} {
		m := Survivor("a1", Exposed)
		source := "func TestF(t *testing.T) {\n\tF(\"" + strings.Repeat("x", tt.letters) + "\")\n}"
		m.ExposedBy.Test, m.ExposedBy.Suggestion = source, &results.Suggestion{Kind: results.SuggestedFunction, File: "f_test.go", Test: "TestF", Source: source}
		body := Markdown(&results.Results{Mutants: []results.Mutant{m}}, Options{})
		if strings.Contains(body, source) != tt.shown || strings.Contains(body, "the artifact has it, in `tests`") == tt.shown {
			t.Errorf("a test with a line of %d letters:\n%s", tt.letters, body)
		}
	}
}

func TestEditsOfAFunctionAreATable(t *testing.T) {
	with := func(call, original, mutant string) func(*results.Mutant) {
		return func(m *results.Mutant) {
			m.Stage, m.ExposedBy = results.Propagated, &results.ExposedBy{Call: call, Original: original, Mutant: mutant}
		}
	}
	r := &results.Results{Mutants: []results.Mutant{
		Survivor("a1", Function("p.F"), with(`F("a|b")`, "1", "2")), Survivor("b2", Function("p.F"), Removal),
		Survivor("c3", Function("p.F")), Survivor("d4", Function("p.F")),
	}}
	body := Markdown(r, Options{})
	for _, want := range []string{
		"| line | edit | input | now | with the edit |\n|---|---|---|---|---|\n",
		`| 101 | <code>aa1</code> → <code>ba1</code> | <code>F("a&#124;b")</code> | <code>1</code> | <code>2</code> |` + "\n",
		"| 102 | leave out <code>ab2</code> | – | – | – |\n",
		"<details><summary>The same holds for 1 more edit</summary>\n\n- line 104: `ad4` → `bd4`\n\n</details>",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("no %q in\n%s", want, body)
		}
	}
	if strings.Contains(body, "more survivor") {
		t.Errorf("survivors of the table are listed again:\n%s", body)
	}
}

func TestColumnsWithNothingInThemAreLeftOut(t *testing.T) {
	exposed := func(m *results.Mutant) {
		m.Stage, m.ExposedBy = results.Propagated, &results.ExposedBy{Call: "F(1)", Original: "…x: T{y: 1", Mutant: "…x: T{y: 2"}
	}
	body := Markdown(&results.Results{Mutants: []results.Mutant{
		Survivor("a1", Function("p.F"), exposed), Survivor("b2", Function("p.F"), Removal),
	}}, Options{})
	if want := "| line | edit | input |\n|---|---|---|\n"; !strings.Contains(body, want) {
		t.Errorf("no %q in\n%s", want, body)
	}
}

func TestTheSameEditTwiceIsOneRow(t *testing.T) {
	whole := func(m *results.Mutant) { m.Line, m.Original, m.Replacement = 101, "f(x)", "" }
	deleted := func(m *results.Mutant) { m.Line, m.Original, m.Replacement = 101, "f(x)", "if false { f(x) }" }
	r := &results.Results{Mutants: []results.Mutant{Survivor("a1", Function("p.F"), Exposed, Undone, whole), Survivor("b1", Function("p.F"), Exposed, deleted)}}
	body := Markdown(r, Options{})
	if strings.Contains(body, "| line |") || strings.Count(body, "-f(x)\n") != 1 || strings.Contains(body, "<details>") {
		t.Errorf("an edit is there twice:\n%s", body)
	}
}

func TestTheHeadingIsNotSaidAgain(t *testing.T) {
	one := Survivor("a1", Function("p.F"))
	for name, tt := range map[string]struct {
		mutants []results.Mutant
		want    string
	}{
		"a single finding":     {[]results.Mutant{one, Survivor("b2", Function("p.F"))}, "\n**Gap** · `f.go:101–102`\n"},
		"a single mutant":      {[]results.Mutant{one}, "\n**Gap** · `f.go:101`\n"},
		"the first of several": {[]results.Mutant{one, Survivor("b2", Function("p.F")), Survivor("c3")}, "\n**1. Gap** · `f.go:101–102`\n"},
	} {
		if body := Markdown(&results.Results{Mutants: tt.mutants}, Options{MaxFindings: finding.MaxFindings}); !strings.Contains(body, tt.want) {
			t.Errorf("%s: no %q in\n%s", name, tt.want, body)
		}
	}
}

func TestTheSummaryOfAJobListsSurvivorsByFileAndChangedLinesFirst(t *testing.T) {
	in := func(file string) func(*results.Mutant) { return func(m *results.Mutant) { m.File = file } }
	weak := Operator("relational")
	r := &results.Results{Mutants: []results.Mutant{
		Survivor("a1", weak, in("a.go"), ElsewhereInIt), Survivor("b2", weak, in("b.go")), Survivor("c3", weak, in("a.go")), Survivor("d4", weak, in("b.go"), ElsewhereInIt),
		Survivor("e5", weak, in("b.go"), Beside),
	}}
	var got []string
	for line := range strings.Lines(Markdown(r, Options{Whole: true})) {
		if strings.Contains(line, "no test notices") || strings.HasPrefix(line, "- ") {
			got = append(got, strings.TrimSpace(line))
		}
	}
	want := []string{
		"<details><summary><code>a.go</code>: no test notices 1 edit of a changed line</summary>", "- `a.go:103` `ac3` → `bc3`",
		"<details><summary><code>b.go</code>: no test notices 1 edit of a changed line</summary>", "- `b.go:102` `ab2` → `bb2`",
		"<details><summary><code>a.go</code>: no test notices 1 edit of code that the change does not touch</summary>", "- `a.go:101` `aa1` → `ba1`",
		"<details><summary><code>b.go</code>: no test notices 2 edits of code that the change does not touch</summary>", "- `b.go:104` `ad4` → `bd4`", "- `b.go:105` `ae5` → `be5`",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTheSummaryOfAJobIsBounded(t *testing.T) {
	r := &results.Results{}
	for i := range 3 * maxSurvivors {
		r.Mutants = append(r.Mutants, Survivor(fmt.Sprint("a", i), Operator("relational"), func(m *results.Mutant) { m.File = fmt.Sprintf("f%d.go", i/150) }))
		r.Mutants = append(r.Mutants, Survivor(fmt.Sprint("b", i), Operator("relational"), ElsewhereInIt))
	}
	body := Markdown(r, Options{Whole: true, Limit: 1 << 20})
	if n := strings.Count(body, "\n- `f"); n != maxSurvivors {
		t.Errorf("%d lines, want %d", n, maxSurvivors)
	}
	for _, want := range []string{
		"- … and on 100 more lines; results.json has them\n", "Of other files: 300 edits of changed lines; results.json has them.\n",
		"No test notices 600 edits of code that the change does not touch; results.json has them.\n",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("no %q in\n%s", want, body)
		}
	}
	if body := Markdown(r, Options{Whole: true, Limit: 8000}); len(body) > 8000 {
		t.Errorf("%d bytes", len(body))
	}
}

func TestFailuresOfTheBaseAreFoldedAndNoFinding(t *testing.T) {
	r := &results.Results{Crashes: []results.Crash{{Harness: "p.FuzzF", Entry: "e1", Kind: results.CrashPanic, Message: "boom", Introduced: results.IntroducedNo}}}
	s := finding.Select(r, nil, 0)
	if !s.Empty() {
		t.Errorf("a review because of %+v", s.Open)
	}
	body := Markdown(r, Options{})
	if strings.Contains(strings.SplitN(body, "\n", 2)[0], "panic") || !strings.Contains(body, "1 failure that is older than this change") || !strings.Contains(body, "- `FuzzF` panics: `boom`\n") {
		t.Error(body)
	}
}

func TestNewFunctionThatNothingRunsIsOneFinding(t *testing.T) {
	r := &results.Results{
		Scope: []results.Function{{ID: "p.F", Name: "F", Reason: results.ReasonAdded}},
		Mutants: []results.Mutant{Survivor("a1", Function("p.F"), NotReached), Survivor("b2", Function("p.F"), NotReached),
			Survivor("c3", Function("p.F"))},
	}
	body := Markdown(r, Options{MaxFindings: finding.MaxFindings})
	for _, want := range []string{"**1. Gap** · `f.go:103`\n", "**2. Not run**: no test or fuzz target runs lines 101 and 102 of `F` · `f.go:101–102`\n"} {
		if !strings.Contains(body, want) {
			t.Errorf("no %q in\n%s", want, body)
		}
	}
}

func TestRegressionTestIsAsStored(t *testing.T) {
	r := fixture(t)
	got, err := RegressionTest(r, "3f9a")
	if err != nil {
		t.Fatal(err)
	}
	if want := r.Mutants[0].ExposedBy.Test; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestMutantsAreFoundByUniquePrefix(t *testing.T) {
	r := fixture(t)
	tests := []struct{ id, want string }{
		{"3f9a1c0b77d2", ""},
		{"3f", ""},
		{"51c7be20d9", "is the start of 2 IDs: 51c7be20d9e8, 51c7be20d9ff"},
		{"zz", "is not in these results"},
		{"", "is not in these results"},
	}
	for _, tt := range tests {
		_, err := Mutant(r, tt.id)
		switch {
		case tt.want == "" && err != nil:
			t.Errorf("%q: %v", tt.id, err)
		case tt.want != "" && (!errors.Is(err, ErrUnknownMutant) || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%q: error %v, want one that says %q", tt.id, err, tt.want)
		}
	}
}

func TestNoTestWithoutExposingCall(t *testing.T) {
	if _, err := RegressionTest(fixture(t), "9d0e"); err == nil || !strings.Contains(err.Error(), "\nhint: ") {
		t.Errorf("error %v, want one with a hint", err)
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
		if got := (row{input: "F(&b)", now: tt.now, with: tt.with}).shows().Markdown(); got != tt.want {
			t.Errorf("%s\nwant %s", got, tt.want)
		}
	}
}

func TestSurvivorsThatSeldomMatterAreCountedAndNotListed(t *testing.T) {
	weak := Operator("relational")
	r := &results.Results{Mutants: []results.Mutant{Survivor("a1", Exposed), Survivor("b2"), Survivor("c3", weak), Survivor("d4", weak)}}
	body := Markdown(r, Options{})
	for _, want := range []string{"3 more edits of changed lines that no test notices", "- `f.go:102` ", "- … and 2 that tell less (see the job summary)\n"} {
		if !strings.Contains(body, want) {
			t.Errorf("no %q in\n%s", want, body)
		}
	}
	if strings.Contains(body, "f.go:103") || !strings.Contains(Markdown(r, Options{Whole: true}), "f.go:103") {
		t.Errorf("listed, or not in the summary:\n%s", body)
	}
	r.Mutants = slices.Delete(r.Mutants, 1, 2)
	if body := Markdown(r, Options{}); strings.Contains(body, "more edit") {
		t.Errorf("a list of nothing:\n%s", body)
	}
}

func TestTheSummarySpeaksOnlyOfTestsThatRan(t *testing.T) {
	r := &results.Results{Mutants: []results.Mutant{Survivor("a1", Operator("relational")), Survivor("b2", Operator("relational"))}}
	for late, want := range map[bool]string{false: ": no test notices 2 edits of changed lines", true: ": no test that ran notices 2 edits of changed lines"} {
		r.Mutants[1].Evidence.Awaits = late
		if body := Markdown(r, Options{Whole: true}); !strings.Contains(body, want) {
			t.Errorf("no %q in\n%s", want, body)
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
