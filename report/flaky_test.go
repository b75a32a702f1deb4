package report

import (
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/finding"
	. "github.com/mutantfuzz/mutantfuzz/report/internal/sample"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestTestsThatTheChangeAddsAndThatFailInSomeRunsAreAFinding(t *testing.T) {
	flaky := func(test, change string) results.FlakyTest {
		return results.FlakyTest{Test: test, Change: change, File: "p/f_test.go", Line: 7, Runs: 20, Failed: 3, Message: "Received: [b a]"}
	}
	r := &results.Results{Scope: []results.Function{{ID: "m/p.F", Package: "m/p"}}, Mutants: []results.Mutant{Survivor("a1", Exposed)}}
	r.FlakyTests = []results.FlakyTest{flaky("m/p.TestA", results.TestAdded), flaky("m/p.TestB", results.TestAltered), flaky("m/p.TestC", results.TestAdded)}
	r.Quarantined = []results.Quarantined{{Test: "m/p.TestA/sub", Flaky: true, Change: results.TestAdded}}
	s := finding.Select(r, nil, 0)
	if len(s.Open) != 2 || s.Open[0].Kind != finding.Bug || len(s.Open[0].Flaky) != 2 {
		t.Fatalf("%+v", s.Open)
	}
	body := Markdown(r, Options{})
	for _, want := range []string{
		"### mutantfuzz: `TestA` and `TestC`, which this change adds, pass in some runs and fail in others\n",
		"**1. Flaky test** · `p/f_test.go:7`",
		"Of 20 runs here with plain go test, one after the other and without any edit, 3 failed. It says `Received: [b a]`.",
		"To see it: `go test -count=100 -run '^TestA$' m/p`.",
		"`TestB`, which this change alters, passes in some runs here and fails in others, without any edit.",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("no %q in\n%s", want, body)
		}
	}
	if strings.Contains(body, "`TestA/sub`, which") {
		t.Errorf("it is said twice:\n%s", body)
	}
	list := Annotations(r, &s)
	if len(list) == 0 || list[0].File != "p/f_test.go" || list[0].Line != 7 {
		t.Errorf("annotations are %+v", list)
	}
	next := finding.Select(r, &s.History, 0)
	if len(next.Open) != 2 || next.Open[0].Key != s.Open[0].Key {
		t.Errorf("the next push has %+v", next.Open)
	}
	r.FlakyTests, r.Quarantined = nil, nil
	if after := finding.Select(r, &s.History, 0); len(after.Open) != 1 || len(after.Closed) != 1 || after.Closed[0].Fate != finding.Mended {
		t.Errorf("once it is mended: %+v", after)
	}
}

func TestAFlakyTestThatMoreSeriousBugsLeaveNoRoomForIsNamed(t *testing.T) {
	r := &results.Results{Scope: []results.Function{{ID: "m/p.F", Package: "m/p"}}}
	for i := range finding.DefaultMaxFindings {
		r.Crashes = append(r.Crashes, results.Crash{Harness: "m/p.Fuzz" + string(rune('A'+i)), Introduced: results.IntroducedYes})
	}
	r.FlakyTests = []results.FlakyTest{{Test: "m/p.TestNew", Change: results.TestAdded, File: "p/f_test.go", Line: 7, Runs: 20, Failed: 3}}
	const want = "`TestNew`, which this change adds, passes in some runs here and fails in others, without any edit."
	if body := Markdown(r, Options{}); !strings.Contains(body, want) {
		t.Errorf("it is not named:\n%s", body)
	}
	list := Describe(r)
	if last := list[len(list)-1]; last.Kind != results.FindingBug || last.File != "p/f_test.go" || last.Shown {
		t.Errorf("the last finding is %+v", last)
	}
	if body := Markdown(r, Options{MaxFindings: 4}); strings.Contains(body, want) {
		t.Errorf("it is named besides its finding:\n%s", body)
	}
	s := finding.Select(r, nil, 4)
	s.History.Dismiss(s.Open[3].Key, "octocat", "")
	after := finding.Select(r, &s.History, 4)
	if body := Markdown(r, Options{Selection: &after}); strings.Contains(body, want) {
		t.Errorf("it is named although it was dismissed:\n%s", body)
	}
}
