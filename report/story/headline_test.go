package story

import (
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/finding"
	. "github.com/mutantfuzz/mutantfuzz/report/internal/sample"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestTheFunctionAtFaultIsFoundInStacksOfEitherForm(t *testing.T) {
	r := &results.Results{Scope: []results.Function{{ID: "m/p.F", Name: "F"}, {ID: "m/p.T.Do", Name: "T.Do"},
		{ID: "m/p.List.Push", Name: "List.Push"}, {ID: "m/nats.go.Dial", Name: "Dial"}}}
	for stack, want := range map[string]string{
		"m/p.F(0x1)\n\tf.go:3\n":                               "F",
		"m/p.F\n\tf.go:3\n":                                    "F",
		"m/p.Fourth\n\tf.go:9\nm/p.(*T).Do\n\tt.go:4\n":        "T.Do",
		"m/p.F.func1\n\tf.go:3\nm/p.FuzzF\n\tf_test.go:1\n":    "F", // a function literal in F
		"m/p.(*List[...]).Push(0xc0000140a8, 0x1)\n\tl.go:3\n": "List.Push",
		"m/p.List[...].Push(...)\n\tl.go:3\n":                  "List.Push",
		"m/p.F[...](0x1)\n\tf.go:3\n":                          "F",
		"m/p.F[...].func1()\n\tf.go:3\n":                       "F",
		"m/nats%2ego.Dial({0x0, 0x0})\n\tn.go:3\n":             "Dial",
	} {
		if got := culprit(r, &results.Crash{Harness: "m/p.FuzzF", Stack: stack}); got != want {
			t.Errorf("%q: %s, want %s", stack, got, want)
		}
	}
}

func TestTheInputInATitleIsThatOfTheHarness(t *testing.T) {
	entry := results.Entry{ID: "e", Harness: "m/p.FuzzF", Values: []string{`string("1 2")`, "3"}}
	r := &results.Results{Scope: []results.Function{{ID: "m/p.digits", Name: "digits"}}, Corpus: results.Corpus{New: []results.Entry{entry}}}
	within := "m/p.digits(0x1)\n\tf.go:3\n"
	for _, tt := range []struct{ entry, stack, call, want string }{
		{"e", within, "", "this change makes `digits` panic in `FuzzF(\"1 2\", 3)`"},
		{"e", within + "m/p_test.FuzzF.func1(0x1)\n\tf_test.go:3\n", "", "this change makes `digits` panic on `\"1 2\", 3`"},
		{"e", within + "m/p.parse(0x1)\n\tf.go:9\nm/p.FuzzF.func1(0x1)\n", "", "this change makes `digits` panic in `FuzzF(\"1 2\", 3)`"},
		{"e", "m/q.F(0x1)\n", "", "this change makes `FuzzF` panic on `\"1 2\", 3`"},
		{"e", within, "digits(1)", "this change makes `digits(1)` panic"},
		{"none", within, "", "this change makes `digits` panic"},
	} {
		c := results.Crash{Harness: "m/p.FuzzF", Entry: tt.entry, Kind: results.CrashPanic, Stack: tt.stack, Call: tt.call, Introduced: results.IntroducedYes}
		if got := crashHeadline(r, finding.Finding{Crash: &c}).Markdown(); got != tt.want {
			t.Errorf("%s, want %s", got, tt.want)
		}
	}
}

func TestNothingIsLeftIfAllThatWasShownWasJudged(t *testing.T) {
	r := Push(Survivor("k9", Status(results.Killed, results.Revealed)))
	for want, closed := range map[string][]finding.Shown{
		"nothing left to look at":          {{Fate: finding.Noticed}, {Fate: finding.Gone}},
		"nothing found in what was judged": {{Fate: finding.Noticed}, {Fate: finding.NotJudged}},
	} {
		if got := Headline(r, &finding.Selection{Closed: closed}).Markdown(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestACallTooLongForATitleIsNamedByItsFunction(t *testing.T) {
	long := `("` + strings.Repeat("x", maxCall) + `")`
	for _, tt := range []struct {
		setup []string
		call  string
		want  string
	}{
		{nil, "Hash" + long, "Hash"},
		{nil, "p.Hash" + long, "p.Hash"},
		{[]string{"a := 1"}, "Hash" + long, "Hash"},
		{[]string{"v := New()"}, "v.Hash" + long, "walker.visit"},
		{nil, "hash" + long, "walker.visit"},
		{nil, "T{}.Hash" + long, "walker.visit"},
		{nil, "", "walker.visit"},
		{nil, "Hash(1)", "Hash(1)"},
	} {
		r := &results.Results{Scope: []results.Function{{ID: "m/p.walker.visit", Name: "walker.visit"}}}
		if got := failing(r, &results.Crash{Setup: tt.setup, Call: tt.call, Stack: "m/p.(*walker).visit\n\tf.go:3\n"}); got != tt.want {
			t.Errorf("%q, %s: %s, want %s", tt.setup, tt.call, got, tt.want)
		}
	}
}

func TestSurvivorsThatWereNotConfirmedAreNotNothing(t *testing.T) {
	survivor := results.Mutant{
		Status: results.Survived, Stage: results.Reached, Operator: "logical", Function: "p.F", Original: "a && b", Replacement: "a || b",
		Evidence: results.Evidence{OnDiff: true},
	}
	for verified, want := range map[bool]string{true: "p.F: no test fails with a || b in place of a && b", false: "nothing confirmed in time"} {
		survivor.Verified = verified
		r := &results.Results{Mutants: []results.Mutant{survivor}}
		s := finding.Select(r, nil, 0)
		if got := Headline(r, &s).Plain("", ""); got != want {
			t.Errorf("verified %t: %q, want %q", verified, got, want)
		}
	}
	survivor.Verified = false
	r := &results.Results{Mutants: []results.Mutant{survivor}}
	s := finding.Select(r, nil, 0)
	if got, want := FoldedTitle(&s, s.Untold()), "1 edit of a changed line that no test notices"; got != want {
		t.Errorf("title is %q, want %q", got, want)
	}
	r.Scope, r.Mutants[0].Evidence.OnDiff = []results.Function{{ID: survivor.Function, Reason: results.ReasonTestChanged}}, false
	s = finding.Select(r, nil, 0)
	if got, want := FoldedTitle(&s, s.Untold()), "1 edit that no test notices"; got != want {
		t.Errorf("where tests changed alone, the title is %q, want %q", got, want)
	}
	s.Folded[0].Evidence.OwnOnly = true
	if got, want := FoldedTitle(&s, s.Untold()), "1 edit that no test notices, not counting tests that could not run"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestHeadlineSaysIfNoTestJudgesTheCode(t *testing.T) {
	for name, tt := range map[string]struct {
		stats results.Stats
		tests string
		want  string
	}{
		"there are tests": {results.Stats{Builds: 1, Tests: 1}, "auto", "nothing to report"},
		"there are none":  {results.Stats{Builds: 1}, "auto", "nothing to report, as no test judges this code"},
		"none was to run": {results.Stats{Builds: 1}, "none", "nothing to report"},
	} {
		r := &results.Results{Stats: tt.stats, Options: results.Options{Tests: tt.tests}, Mutants: []results.Mutant{Survivor("a1", Operator("relational"))}}
		s := finding.Select(r, nil, 0)
		if got := Headline(r, &s).Plain("", ""); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

func TestWhereThereAreOtherTestsOnlyGoTestsAreSpokenOf(t *testing.T) {
	m := Survivor("a1", Operator("statement-deletion"))
	r := &results.Results{Mutants: []results.Mutant{m}}
	f := finding.Finding{Kind: finding.Gap, Mutant: &m}
	if got := Of(r, f).Title.Plain("", ""); !strings.Contains(got, "no test ") {
		t.Errorf("without others: %q", got)
	}
	r.Revisions.OtherTests = true
	if s := Of(r, f); !strings.Contains(s.Title.Plain("", ""), "no Go test ") || strings.Contains(s.Title.Plain("", "")+s.Claim.Plain("", ""), "no test") {
		t.Errorf("with others: %q, %q", s.Title.Plain("", ""), s.Claim.Plain("", ""))
	}
}
