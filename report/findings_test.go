package report

import (
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/finding"
	"github.com/mutantfuzz/mutantfuzz/report/internal/known"
	. "github.com/mutantfuzz/mutantfuzz/report/internal/sample"
	"github.com/mutantfuzz/mutantfuzz/report/results"
	"github.com/mutantfuzz/mutantfuzz/report/story"
)

func TestPartOfTheChangeThatMendsACrashIsPartOfThatFinding(t *testing.T) {
	r := &results.Results{
		Mutants: []results.Mutant{Survivor("m1", Undone, Exposed), Survivor("m2")},
		Crashes: []results.Crash{{Harness: "p.FuzzA", Entry: "e", Introduced: results.IntroducedYes, MendedBy: "m1"}},
	}
	if got, want := known.IDs(finding.Findings(r)), "e by m1 m2"; got != want {
		t.Errorf("findings %s, want %s", got, want)
	}
	if body := Markdown(r, Options{}); !strings.Contains(body, "Undoing a part of the change fixes it. This edit does that:\n\n```diff\n-am1\n+bm1\n```\n") {
		t.Error(body)
	}
}

func TestALongChangeOfAFunctionThatMendsACrashIsNamed(t *testing.T) {
	long := func(m *results.Mutant) {
		m.Evidence.Whole = true
		m.Original = strings.Repeat("a\n", 12)
	}
	r := &results.Results{
		Scope:   []results.Function{{ID: "p.F", Name: "F"}},
		Mutants: []results.Mutant{Survivor("m1", Function("p.F"), Undone, Exposed, long)},
		Crashes: []results.Crash{{Harness: "p.FuzzA", Entry: "e", Introduced: results.IntroducedYes, MendedBy: "m1"}},
	}
	body := Markdown(r, Options{})
	if !strings.Contains(body, "Nor does it fail with the whole change to `F` undone.") || strings.Contains(body, "```diff") {
		t.Error(body)
	}
	if strings.Contains(body, "mutantfuzz:ignore") {
		t.Errorf("no comment silences a crash:\n%s", body)
	}
	r.Crashes[0].Introduced = results.IntroducedUnknown // then nothing is said of the base before
	if body := Markdown(r, Options{}); !strings.Contains(body, "It does not fail with the whole change to `F` undone.") {
		t.Error(body)
	}
}

func TestAFailureThatADriverShowsIsToldByItsCall(t *testing.T) {
	crash := results.Crash{
		Harness: "p.Driver_First", Entry: "e", Kind: results.CrashPanic, Message: "index out of range [0] with length 0", Stack: "p.First(...)\n\tfirst.go:7 +0x1a\n",
		Introduced: results.IntroducedUnknown, MendedBy: "m1", Call: `First("")`, Before: `""`,
		Test: "package p\n\nfunc TestFirst_NoPanic(t *testing.T) {\n}\n",
	}
	r := &results.Results{
		Scope:   []results.Function{{ID: "p.First", Name: "First", File: "first.go", StartLine: 3, EndLine: 9}},
		Mutants: []results.Mutant{Survivor("m1", Undone, func(m *results.Mutant) { m.Status = results.Killed })}, Crashes: []results.Crash{crash},
	}
	if got, want := known.IDs(finding.Findings(r)), "e by m1"; got != want {
		t.Errorf("findings %s, want %s", got, want)
	}
	body := Markdown(r, Options{})
	for _, want := range []string{
		"this change makes `First(\"\")` panic", "`index out of range [0] with length 0`, at `first.go:7`. Undoing a part of the change fixes it. This edit does that:",
		"`First(\"\")` panics; without this change it gives `\"\"`.", "<summary>A test that shows it", "It passes without this change.",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("%q is not in\n%s", want, body)
		}
	}
	r.Crashes[0].Stack = "p/q.Model.At\n\tq/model.go:41\n" + crash.Stack
	if body := Markdown(r, Options{}); !strings.Contains(body, "with length 0`, at `q/model.go:41`, called from `first.go:7`.") {
		t.Errorf("the place of the failure is missing in\n%s", body)
	}
	r.Crashes[0].Setup = []string{`p := New("x")`}
	if body := Markdown(r, Options{}); !strings.Contains(body, "`p := New(\"x\"); First(\"\")` panics") || strings.Contains(body, "makes `First(\"\")`") {
		t.Error(body)
	}
}

func TestAPartOfTheChangeThatTestsNoticeElsewhereIsAFinding(t *testing.T) {
	undo := func(id, of, now, old string, changes ...func(*results.Mutant)) results.Mutant {
		m := Survivor(id, append([]func(*results.Mutant){Function(of), Undoes(now, old), Status(results.Survived, results.Reached)}, changes...)...)
		m.Evidence.Whole, m.Evidence.Tests, m.Evidence.By = true, 1, []string{"p.TestF"}
		return m
	}
	noticed := func(m *results.Mutant) {
		m.Status, m.Stage, m.KilledBy = results.Killed, results.Revealed, &results.KilledBy{By: results.ByTest, Kind: results.KindTest, Name: "p.TestG/sub"}
	}
	here := undo("a1", "p.F", "var zero R\nreturn zero, err\n", "return result, err\n")
	for name, tt := range map[string]struct {
		other results.Mutant
		want  string
	}{
		"a test notices the same": {undo("b2", "p.G", "var none T\nreturn none, err\n", "return min, err\n", noticed), "a1"},
		"it is something else":    {undo("b2", "p.G", "var none T\nuse(none)\n", "return min, err\n", noticed), ""},
		"no test notices it":      {undo("b2", "p.G", "var none T\nreturn none, err\n", "return min, err\n"), ""},
	} {
		r := &results.Results{Scope: []results.Function{{ID: "p.F", Name: "F"}, {ID: "p.G", Name: "G"}}, Mutants: []results.Mutant{here, tt.other}}
		if got := known.IDs(finding.Findings(r)); got != tt.want {
			t.Errorf("%s: findings %q, want %q", name, got, tt.want)
		}
		if body := Markdown(r, Options{}); strings.Contains(body, "`TestG` fails if the same change is undone in line 102 in `G`: a case for this one may belong there.") != (tt.want != "") {
			t.Errorf("%s:\n%s", name, body)
		}
	}
}

func TestALineThatAPartOfTheChangeOnlyAddsIsToldFromOneThatItAlters(t *testing.T) {
	u := Survivor("a1", Line(10), Undoes("if p.delim != \"\" {\n\to = flatten(o)\n}\n\nm := make(M)\nfor target, v := range o {\n\tm[target] = v\n}\n", "\nm := make(M)\nfor k, v := range o {\n\tm[k] = v\n}\n"))
	for n, want := range map[int]bool{10: true, 11: true, 14: false, 15: false, 16: false, 9: false, 30: false} {
		if got := edit.Adds(&u, n); got != want {
			t.Errorf("line %d: added: %v", n, got)
		}
	}
}

func TestFailureOfUnknownOriginIsABugWhereTheChangeIsOrThereIsNoBase(t *testing.T) {
	for _, tt := range []struct {
		base, stack string
		want        int
	}{
		{"", "elsewhere.F(0x1)\n", 1},
		{"main", "elsewhere.F(0x1)\n", 0},
		{"main", "p.F(0x1)\n", 1},
	} {
		r := &results.Results{
			Revisions: results.Revisions{Base: tt.base}, Scope: []results.Function{{ID: "p.F", Name: "F"}},
			Crashes: []results.Crash{{Harness: "p.FuzzA", Entry: "e", Stack: tt.stack, Introduced: results.IntroducedUnknown}},
		}
		s := finding.Select(r, nil, 0)
		if len(s.Open) != tt.want || len(s.OnBase) != 1-tt.want {
			t.Errorf("base %q, stack %q: %d findings, %d others", tt.base, tt.stack, len(s.Open), len(s.OnBase))
		}
		if tt.want == 0 && !strings.Contains(Markdown(r, Options{}), "1 failure that the base has, or may have, too") {
			t.Error("it is not named")
		}
	}
}

func TestDeletedTestThatPanicsIsAFindingAndOthersALine(t *testing.T) {
	r := &results.Results{
		Mutants: []results.Mutant{Survivor("a1"), Survivor("m2", Undone)},
		Crashes: []results.Crash{{Harness: "p.FuzzA", Entry: "e", Introduced: results.IntroducedYes}},
		OldTests: []results.OldTest{
			{Test: "p.TestA", Change: results.TestAltered, Kind: results.KindTest},
			{Test: "p.TestB", Change: results.TestDeleted, Kind: results.KindTest, Message: "got 1", MendedBy: "a1"},
			{Test: "p.TestD", Change: results.TestDeleted, Kind: results.KindCrash, Message: "boom\nmore", MendedBy: "m2"},
		},
	}
	if got, want := known.IDs(finding.Findings(r)), "e p.TestD a1"; got != want {
		t.Errorf("findings %s, want %s", got, want)
	}
	body := Markdown(r, Options{})
	for _, want := range []string{
		"**2. Bug, introduced by this change**: `TestD`, which this change deletes, panics on the new code · `f.go:102`\n",
		"`boom`. It passed before this change, and passes again with a part of the change undone. This edit does that:\n\n```diff\n-am2\n+bm2\n```\n",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("no %q in\n%s", want, body)
		}
	}
	others := "<summary><code>TestA</code> and <code>TestB</code>, as they were before this change, fail on the new code</summary>\n\n- `TestA`\n- `TestB`: `got 1`\n"
	if body := Markdown(r, Options{Whole: true}); !strings.Contains(body, others) {
		t.Errorf("no %q in\n%s", others, body)
	}
	s := finding.Select(r, nil, 0)
	r.OldTests = nil
	if s = finding.Select(r, &s.History, 0); len(s.Closed) != 1 || s.Closed[0].Fate != finding.Mended {
		t.Errorf("closed: %+v", s.Closed)
	}
}

func TestDeletedTestsOfOneCauseAreOneFinding(t *testing.T) {
	r := &results.Results{Mutants: []results.Mutant{Survivor("m2", Undone)}}
	for _, name := range []string{"m/p.TestA", "m/p.TestB", "m/q.TestC", "m/p.TestD"} {
		r.OldTests = append(r.OldTests, results.OldTest{Test: name, Change: results.TestDeleted, Kind: results.KindCrash, Message: "boom"})
	}
	r.OldTests[3].MendedBy = "m2"
	body := Markdown(r, Options{})
	for _, want := range []string{
		"### mutantfuzz: `TestA` and `TestB` fail on the new code, and this change deletes them\n",
		"`TestC`, which this change deletes, panics on the new code", "`TestD`, which this change deletes, panics on the new code",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("no %q in\n%s", want, body)
		}
	}
	second := finding.Select(r, nil, 0).History.Shown[0].Also[0] // the key of TestB
	past := &finding.History{Shown: []finding.Shown{{Key: second, Fate: finding.Open}}}
	if s := finding.Select(r, past, 0); len(s.Closed) > 0 {
		t.Errorf("what is told with another test is closed: %+v", s.Closed)
	} else if told := known.IDs(s.Open); told != "m/p.TestA m/q.TestC m/p.TestD" {
		t.Errorf("open: %s", told)
	}
}

func TestATestThatTheChangeBreaksIsAFinding(t *testing.T) {
	r := &results.Results{
		Scope:       []results.Function{{ID: "m/p.F", Name: "F", Package: "m/p", Reason: results.ReasonChanged}},
		Mutants:     []results.Mutant{Survivor("m2", Undone)},
		Quarantined: []results.Quarantined{{Test: "m/p.TestA", Why: "fails"}, {Test: "m/p.TestOld", Why: "fails"}},
		OldTests: []results.OldTest{
			{Test: "m/p.TestA", Change: results.TestKept, Kind: results.KindTest, Message: "got 1, want 2"},
			{Test: "m/p.TestB", Change: results.TestKept, Kind: results.KindHang},
			{Test: "m/p.TestC", Change: results.TestDeleted, Kind: results.KindCrash},
			{Test: "m/p.TestD", Change: results.TestKept, Kind: results.KindTest, MendedBy: "m2"},
		},
	}
	body := Markdown(r, Options{})
	for _, want := range []string{
		"### mutantfuzz: `TestA` and `TestB` fail since this change\n", "**1. Broken test**", "`TestA` says `got 1, want 2`. They pass on the base.",
		"If the new behaviour is meant, the tests have to change with it.",
		"`TestC`, which this change deletes, panics on the new code", "`TestD` fails since this change", "If the new behaviour is meant, the test has to change with it.",
		" · 1 test left out (see the job summary)",
	} {
		if !strings.Contains(body, want) {
			t.Errorf("no %q in\n%s", want, body)
		}
	}
	if other := finding.Findings(r)[0]; other.Kind != finding.Bug {
		t.Errorf("it is %v", other.Kind)
	}
}

func TestOneTestThatFailsAsItWasIsALineOfTheSummary(t *testing.T) {
	r := &results.Results{
		Mutants:  []results.Mutant{Survivor("a1")},
		OldTests: []results.OldTest{{Test: "p.TestA", Change: results.TestAltered, Kind: results.KindCrash, Message: "panic: boom [recovered, repanicked]\nmore"}},
	}
	want := "\n\n`TestA`, as it was before this change, panics on the new code: `boom`.\n\n"
	if body := Markdown(r, Options{Whole: true}); !strings.Contains(body, want) {
		t.Errorf("no %q in\n%s", want, body)
	}
	if body := Markdown(r, Options{}); strings.Contains(body, "as it was before") {
		t.Errorf("the review says what its author knows:\n%s", body)
	}
}

func TestNothingIsSaidOfTestsThatWereNotSeen(t *testing.T) {
	unseen, unrun := Survivor("a1", NotReached, InProgram), Survivor("b2", NotReached)
	if got := story.FoldedLine([]*results.Mutant{&unseen}).Plain("", "") + stageWords(&unseen); strings.Contains(got, "no test runs") || strings.Count(got, "no test is seen to run") != 2 {
		t.Error(got)
	}
	if got := story.FoldedLine([]*results.Mutant{&unrun}).Plain("", "") + stageWords(&unrun); strings.Count(got, "no test runs") != 2 {
		t.Error(got)
	}
	unseen.Evidence.Unrun = true // only a driver reaches it
	if got := stageWords(&unseen); !strings.HasPrefix(got, "no test is seen to run the code;") {
		t.Error(got)
	}
}

func TestANewOptionThatNoTestSetsIsAFinding(t *testing.T) {
	option := Survivor("a1", Operator("condition"), AlwaysTrue, Status(results.Survived, results.Reached), func(m *results.Mutant) {
		m.Original, m.Replacement, m.Context = "!f.NoFormat", "!f.NoFormat || true", "\tif !f.NoFormat {"
	})
	r := &results.Results{Mutants: []results.Mutant{option}}
	if got := known.IDs(finding.Findings(r)); got != "" {
		t.Errorf("findings %q for what the change does not add", got)
	}
	r.AddedData = []string{"example.com/p.File.NoFormat"}
	found := finding.Findings(r)
	if got := known.IDs(found); got != "a1" {
		t.Fatalf("findings %q, want a1", got)
	}
	if body := Markdown(r, Options{}); !strings.Contains(body, "no test has `f.NoFormat` true") {
		t.Errorf("the review is\n%s", body)
	}
}
