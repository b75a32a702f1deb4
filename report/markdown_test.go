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
	"github.com/mutantfuzz/mutantfuzz/report/story"
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
	c := story.Count(r)
	sum := c.ByTests + c.ByFuzzing + c.Exposed + c.Survived + c.Equivalent + c.Unviable + c.Ignored + c.NotRun
	if sum != len(r.Mutants) || c.Total != len(r.Mutants) {
		t.Errorf("%+v adds up to %d of %d mutants", c, sum, len(r.Mutants))
	}
	score := r.Score
	r.Count()
	if c.Judged() != score.Killed+score.Survived || c.Exposed != score.Exposed || r.Score.Killed != score.Killed {
		t.Errorf("%+v does not agree with the score %+v", c, score)
	}
}

func TestReviewsHaveNoScore(t *testing.T) {
	if body := Markdown(fixture(t), Options{}); strings.Contains(body, "score") || strings.Contains(body, "%") && !strings.Contains(body, "%q") {
		t.Errorf("a score in\n%s", body)
	}
}

func TestBodiesStayWithinTheLimit(t *testing.T) {
	r := hostile(t, strings.Repeat("x\n", 1000), filled)
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
		r := hostile(t, strings.Repeat(s, 200), filled)
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
		"- ~~`TestG`~~ did not fail this time\n"
	if !strings.Contains(body, want) || !strings.Contains(body, "mutantfuzz: nothing found in what was judged\n") {
		t.Errorf("want\n%s\nin\n%s", want, body)
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
	if body := Markdown(r, Options{}); strings.Count(body, "not all tests of dependent packages could run") != 1 || strings.Count(body, "no test of its package fails") != 2 {
		t.Error(body)
	}
	var out strings.Builder
	if err := Text(&out, r, TextOptions{Width: 1000}); err != nil || strings.Count(out.String(), ": no test of its package fails") != 3 { // with the headline
		t.Error(out.String(), err)
	}
	s := finding.Select(r, nil, 0)
	if list := Annotations(r, &s); len(list) != 2 || !strings.Contains(list[0].Message, ": no test of its package fails") || !strings.Contains(list[1].Message, ": no test of its package fails") {
		t.Errorf("%+v", list)
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

func TestALongTestOfACrashIsSaidToBeWhereItIs(t *testing.T) {
	crash := results.Crash{Harness: "p.FuzzA", Introduced: results.IntroducedYes, Call: "F()", Test: strings.Repeat("x", maxTestWidth+1)}
	body := Markdown(&results.Results{Crashes: []results.Crash{crash}}, Options{})
	if !strings.Contains(body, "the artifact has it, in `results.json`.") {
		t.Error(body)
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
		Survivor("c3", Function("p.F"), with("F(3)", "3", "4")), Survivor("d4", Function("p.F")),
	}}
	body := Markdown(r, Options{})
	for _, want := range []string{
		"| line | edit | input | now | with the edit |\n|---|---|---|---|---|\n",
		`| 101 | <code>aa1</code> → <code>ba1</code> | <code>F("a&#124;b")</code> | <code>1</code> | <code>2</code> |` + "\n",
		"| 102 | leave out <code>ab2</code> | – | – | – |\n",
		"\n\nNo test notices 1 more edit of this code (see the job summary).\n",
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
	r.Mutants = nil
	for i := range 3 * maxElsewhere {
		r.Mutants = append(r.Mutants, Survivor(fmt.Sprint("b", i), Operator("relational"), ElsewhereInIt, func(m *results.Mutant) { m.Line = 100 + i }))
	}
	if n := strings.Count(Markdown(r, Options{Whole: true, Limit: 1 << 20}), "\n- `"); n != maxElsewhere {
		t.Errorf("%d lines of code that the change does not touch, want %d", n, maxElsewhere)
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
	for _, want := range []string{"**1. Gap** · `f.go:103`\n", "**2. Not run**: no test runs lines 101 and 102 of `F` · `f.go:101–102`\n"} {
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

func TestSurvivorsThatSeldomMatterAreCountedAndNotListed(t *testing.T) {
	weak := Operator("relational")
	r := &results.Results{Mutants: []results.Mutant{Survivor("a1", Exposed), Survivor("b2"), Survivor("c3", weak), Survivor("d4", weak)}}
	body := Markdown(r, Options{})
	for _, want := range []string{"3 more edits of changed lines that no test notices", "- `f.go:102` ", "- … and 2 more (see the job summary)\n"} {
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
