package report

import (
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/finding"
	. "github.com/mutantfuzz/mutantfuzz/report/internal/sample"
	"github.com/mutantfuzz/mutantfuzz/report/results"
	"github.com/mutantfuzz/mutantfuzz/report/story"
)

func TestTestsOfChangedPackagesThatWereLeftOutAreNamed(t *testing.T) {
	r := &results.Results{Scope: []results.Function{{ID: "m/p.F", Package: "m/p", Name: "F"}}, Mutants: []results.Mutant{Survivor("a1", Function("m/p.F"))}}
	for _, tt := range []struct {
		tests []string
		want  string
	}{
		{nil, ""},
		{[]string{"m/q.TestA", "m/p/r.TestB"}, ""},
		{[]string{"m/p.TestA/v1.2"}, "`TestA/v1.2` was left out, because it fails here even without any edit."},
		{[]string{"m/p.TestA", "m/p.TestB", "m/p_test.TestC", "m/p.TestD", "m/q.TestE"}, "`TestA`, `TestB` and 2 more tests were left out, because they fail here even without any edit."},
	} {
		r.Quarantined = nil
		for _, test := range tt.tests {
			r.Quarantined = append(r.Quarantined, results.Quarantined{Test: test, Why: "fails"})
		}
		if got := story.Quarantined(r, &finding.Selection{}).Markdown(); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.tests, got, tt.want)
		}
		if body := Markdown(r, Options{}); strings.Contains(body, " left out (see the job summary)") != (tt.want != "") {
			t.Errorf("%v: %s", tt.tests, body)
		}
	}
	for i := range r.Quarantined {
		r.Quarantined[i].Unended = true
	}
	for want, why := range map[string]func(*results.Quarantined){
		"it fails only where mutantfuzz instruments the code.":      func(q *results.Quarantined) { q.Instrumented = true },
		"it did not pass in every run here, even without any edit.": func(q *results.Quarantined) { q.Flaky = true },
	} {
		one := *r
		one.Quarantined = []results.Quarantined{{Test: "m/p.TestA"}}
		why(&one.Quarantined[0])
		if got := story.Quarantined(&one, &finding.Selection{}).Markdown(); got != "`TestA` was left out, because "+want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	const late = "`TestA`, `TestB` and 2 more tests were left out, because they did not end in time."
	if got := story.Quarantined(r, &finding.Selection{}).Markdown(); got != late {
		t.Errorf("late: %q, want %q", got, late)
	}
	r.Mutants[0].Status = results.Killed
	if body := Markdown(r, Options{}); strings.Contains(body, "left out, because") {
		t.Errorf("with nothing to say:\n%s", body)
	}
}

// TestEditsThatATestThatFailsMayNoticeAreNotSaidToGoUnnoticed checks that nothing is claimed of such edits, and that
// the line about the test counts them.
func TestEditsThatATestThatFailsMayNoticeAreNotSaidToGoUnnoticed(t *testing.T) {
	doubtful := func(m *results.Mutant) {
		m.Evidence.Failing, m.Reason = true, "quarantined tests run this code, and might notice the edit: TestA"
	}
	r := &results.Results{
		Scope: []results.Function{{ID: "m/p.F", Package: "m/p", Name: "F"}},
		Mutants: []results.Mutant{
			Survivor("a1", Function("m/p.F"), doubtful), Survivor("a2", Function("m/p.F"), doubtful),
			Survivor("a3", Function("m/p.F"), doubtful, func(m *results.Mutant) { m.Evidence.OnDiff = false }),
		},
		Quarantined: []results.Quarantined{{Test: "m/p.TestA", Why: "fails"}},
	}
	s := finding.Select(r, nil, 0)
	if len(s.Open)+len(s.Folded)+len(s.Elsewhere) > 0 || len(s.Doubtful) != 2 {
		t.Fatalf("%d findings, %d and %d edits listed, %d doubtful", len(s.Open), len(s.Folded), len(s.Elsewhere), len(s.Doubtful))
	}
	const want = "`TestA` was left out, because it fails here even without any edit. It may notice 2 edits that no other test does."
	var text strings.Builder
	if err := Text(&text, r, TextOptions{Width: 200}); err != nil {
		t.Fatal(err)
	}
	for _, body := range []string{Markdown(r, Options{}), Markdown(r, Options{Whole: true}), strings.NewReplacer("‘", "`", "’", "`").Replace(text.String())} {
		if !strings.Contains(body, want) || strings.Contains(body, "no test notices") || strings.Contains(body, "nothing to report") {
			t.Errorf("want %q:\n%s", want, body)
		}
	}
	r.Quarantined[0].Test = "m/q.TestB"
	if got := story.Quarantined(r, &s).Markdown(); !strings.Contains(got, "of other packages") || !strings.Contains(got, "2 edits") {
		t.Error(got)
	}
}

func TestTestsOfTheChangeThatAreFlakyAreNamedFirst(t *testing.T) {
	r := &results.Results{Scope: []results.Function{{ID: "m/p.F", Package: "m/p"}}, Mutants: []results.Mutant{Survivor("a1", Exposed)}}
	r.Quarantined = []results.Quarantined{
		{Test: "m/p.TestNew/sub", Flaky: true, Change: results.TestAdded},
		{Test: "m/p.TestOld", Flaky: true},
		{Test: "m/p.TestFails", Change: results.TestAdded},
		{Test: "m/q.TestFar", Flaky: true, Change: results.TestAdded},
		{Test: "m/p.TestA", Flaky: true, Change: results.TestAltered},
		{Test: "m/p.TestB", Flaky: true, Change: results.TestAltered},
	}
	const want = "`TestNew/sub`, which this change adds, passes in some runs here and fails in others, without any edit. " +
		"`TestA` and `TestB`, which this change alters, pass in some runs here and fail in others, without any edit."
	if got := story.Flaky(r, &finding.Selection{}).Markdown(); got != want {
		t.Errorf("got %s", got)
	}
	body := Markdown(r, Options{})
	if at := strings.Index(body, want); at < 0 || at > strings.Index(body, "**Gap**") {
		t.Errorf("it is not above the findings:\n%s", body)
	}
	if r.Quarantined = r.Quarantined[1:4]; len(story.Flaky(r, &finding.Selection{})) != 0 {
		t.Errorf("others are named: %s", story.Flaky(r, &finding.Selection{}).Markdown())
	}
}

func TestTestsOfTheChangeThatFailAreNamedInTheReview(t *testing.T) {
	r := &results.Results{
		Scope: []results.Function{{ID: "m/p.F", Package: "m/p", Name: "F"}}, Mutants: []results.Mutant{Survivor("a1", Function("m/p.F"))},
		Quarantined: []results.Quarantined{
			{Test: "m/p.TestNew", Change: results.TestAdded}, {Test: "m/p.TestOld", Change: results.TestAltered}, {Test: "m/p.TestKept"},
			{Test: "m/p.TestFlaky", Change: results.TestAdded, Flaky: true}, {Test: "m/p.TestOnce", Change: results.TestAdded, Undiagnosed: true}, {Test: "m/q.TestFar", Change: results.TestAdded},
		},
	}
	const want = "`TestNew`, which this change adds, fails here. `TestOld`, which this change alters, fails here."
	if got := story.Failing(r).Markdown(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if body := Markdown(r, Options{}); !strings.Contains(body, want) {
		t.Errorf("the review:\n%s", body)
	}
	if got := story.Failing(&results.Results{Scope: r.Scope, Quarantined: r.Quarantined[2:]}).Markdown(); got != "" {
		t.Errorf("of others: %q", got)
	}
}
