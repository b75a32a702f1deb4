package report

import (
	"errors"
	"strings"
	"testing"

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
			Mutants: []results.Mutant{survivor("a1", status(results.NotRun, ""))},
		}, "no mutant got a verdict"},
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
			m := r.Mutants[i%5] // the survivors
			m.ID += plain(i)
			m.Function += plain(i)
			m.Line, m.Verified = i+100, true
			r.Mutants = append(r.Mutants, m)
			r.Warnings = append(r.Warnings, r.Warnings[0])
		}
		for limit := 2000; limit < 2_000_000; limit *= 3 {
			body := Markdown(r, Options{Limit: limit, MaxFindings: 1000})
			if len(body) > limit {
				t.Errorf("%d bytes with a limit of %d", len(body), limit)
			}
			inert(t, body)
		}
	}
}

func TestClosedFindingsAreStruckThrough(t *testing.T) {
	s := Selection{Closed: []Shown{
		{Where: "a.go:1", Fate: Noticed}, {Where: "b.go:2", Fate: Suppressed}, {Where: "c.go:3", Fate: Harmless},
		{Where: "d.go:4", Fate: Gone}, {Where: "e.go:5", Fate: NotJudged},
	}}
	body := Markdown(fixture(t), Options{Selection: &s})
	want := "- ~~`a.go:1`~~ now noticed\n" +
		"- ~~`b.go:2`~~ ignored by a comment\n" +
		"- ~~`c.go:3`~~ makes no difference\n" +
		"- ~~`d.go:4`~~ no longer there\n" +
		"- `e.go:5` not judged this time\n"
	if !strings.Contains(body, want) || !strings.Contains(body, "mutantfuzz: nothing left to look at\n") {
		t.Errorf("want\n%s\nin\n%s", want, body)
	}
}

func TestClaimsNameTheirEvidence(t *testing.T) {
	tests := []struct {
		tests  int
		execs  int64
		stage  string
		adjust func(*results.Mutant)
		want   string
	}{
		{3, 2_104_233, results.Infected, nil, "3 tests and 2.1 M fuzzing inputs run this line; none fails with the second version."},
		{1, 0, results.Infected, nil, "1 test runs this line; it does not fail with the second version."},
		{0, 1, results.Infected, nil, "1 fuzzing input runs this line; it does not fail with the second version."},
		{1, 1, results.Infected, nil, "1 test and 1 fuzzing input run this line; none fails with the second version."},
		{2, 0, results.Infected, removal, "2 tests run this line; none fails without it."},
		{0, 0, results.Reached, nil, "This line runs, and nothing fails with the second version."},
		{0, 0, results.NotReached, nil, "No test or fuzz target runs this line, so nothing can fail with the second version."},
	}
	for _, tt := range tests {
		m := survivor("a1")
		m.Evidence.Tests, m.Evidence.Execs, m.Stage = tt.tests, tt.execs, tt.stage
		if tt.adjust != nil {
			tt.adjust(&m)
		}
		if got := claim(&m, changeOf(&m)).markdown(); got != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
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
