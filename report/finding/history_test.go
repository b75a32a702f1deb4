package finding

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/fact"
	. "github.com/mutantfuzz/mutantfuzz/report/internal/sample"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestTheRunSaysHowManyFindingsUnlessAReviewDoes(t *testing.T) {
	all := []results.Mutant{Survivor("a1", Exposed), Survivor("b2", Exposed), Survivor("c3", Exposed), Survivor("d4", Exposed), Survivor("e5", Exposed)}
	for _, tt := range []struct{ run, review, want int }{
		{0, 0, DefaultMaxFindings}, {1, 0, 1}, {4, 0, 4}, {1, 2, 2}, {4, 1, 1},
	} {
		r := Push(all...)
		r.Options.MaxFindings = tt.run
		if s := Select(r, nil, tt.review); len(s.Open) != tt.want {
			t.Errorf("the run says %d, the review %d: %d findings, want %d", tt.run, tt.review, len(s.Open), tt.want)
		}
	}
}

// fates returns the closed findings as "where fate".
func fates(s Selection) string {
	var all []string
	for _, c := range s.Closed {
		all = append(all, c.Where+" "+string(c.Fate))
	}
	return strings.Join(all, ", ")
}

func TestFirstReviewShowsTheBest(t *testing.T) {
	s := Select(Push(Survivor("a1"), Survivor("b2", Exposed), Survivor("c3"), Survivor("d4", Exposed)), nil, 2)
	if got, want := ids(s.Open), "b2 d4"; got != want {
		t.Errorf("open: %s, want %s", got, want)
	}
	if len(s.Folded) != 2 || s.Folded[0].ID != "a1" || s.Folded[1].ID != "c3" {
		t.Errorf("folded: %v, want a1 and c3", s.Folded)
	}
}

// TestOneFindingWhoseWorthIsToBeFoundOutIsEnough checks that only the first finding may be one that is not evident,
// unless the user asks for more findings than the default.
func TestOneFindingWhoseWorthIsToBeFoundOutIsEnough(t *testing.T) {
	inner := func(m *results.Mutant) { m.ExposedBy.Inner = true }
	inTest := func(m *results.Mutant) { m.ExposedBy.InTest = true }
	byChange := func(m *results.Mutant) { m.Evidence.ByChange = []results.NewTest{{Test: "p.TestNew"}} }
	exported, unexported := Function("p.Load"), Function("p.load")
	for fact, tt := range map[string]struct {
		mutants []results.Mutant
		limit   int
		want    string
	}{
		"without inputs":                                {[]results.Mutant{Survivor("a1"), Survivor("b2")}, 0, "a1"},
		"an input of a caller's":                        {[]results.Mutant{Survivor("a1"), Survivor("b2", Exposed), Survivor("c3", Exposed)}, 0, "b2 c3"},
		"an input that may be none of a caller's":       {[]results.Mutant{Survivor("a1", Exposed, inner), Survivor("b2", Exposed)}, 0, "b2"},
		"what nothing runs":                             {[]results.Mutant{Survivor("a1"), Survivor("b2", NotReached)}, 0, "b2"},
		"an edit of what a test of the change runs":     {[]results.Mutant{Survivor("a1"), Survivor("b2", byChange), Survivor("c3", Exposed)}, 0, "c3 b2"},
		"a call of a test's":                            {[]results.Mutant{Survivor("a1", Exposed, inTest, exported), Survivor("b2", Exposed, inTest, unexported)}, 0, "a1"},
		"a small edit by which an error comes":          {[]results.Mutant{Survivor("a1", Exposed, Operator("relational"), ErrorIn(results.ErrorInMutant)), Survivor("b2", Exposed)}, 0, "b2 a1"},
		"more are asked for than are shown else":        {[]results.Mutant{Survivor("a1"), Survivor("b2", Exposed), Survivor("c3")}, DefaultMaxFindings + 1, "b2 a1 c3"},
		"fewer are asked for than would be shown: none": {[]results.Mutant{Survivor("a1"), Survivor("b2", Exposed)}, 1, "b2"},
	} {
		r := Push(tt.mutants...)
		r.Scope = []results.Function{{ID: "p.Fb2", Reason: results.ReasonAdded}}
		if s := Select(r, nil, tt.limit); ids(s.Open) != tt.want {
			t.Errorf("%s: open %s, want %s", fact, ids(s.Open), tt.want)
		}
	}
}

func TestLaterPushesCloseWhatWasDealtWith(t *testing.T) {
	first := Select(Push(Survivor("a1"), Survivor("b2")), nil, MaxFindings)
	tests := []struct {
		name        string
		a1          []results.Mutant
		open, fates string
	}{
		{"still there", []results.Mutant{Survivor("a1")}, "a1 b2", ""},
		{"moved", []results.Mutant{Survivor("a1", Line(500))}, "a1 b2", ""},
		{"no longer confirmed", []results.Mutant{Survivor("a1", Unverified)}, "a1 b2", ""},
		{"noticed", []results.Mutant{Survivor("a1", Status(results.Killed, results.Revealed))}, "b2", "f.go:101 noticed"},
		{"ignored", []results.Mutant{Survivor("a1", Status(results.Ignored, ""))}, "b2", "f.go:101 set_aside"},
		{"of quarantined tests", []results.Mutant{Survivor("a1", Status(results.Ignored, ""), Because(results.OnlyQuarantined+"p.TestA"))}, "b2", "f.go:101 not_judged"},
		{"equivalent", []results.Mutant{Survivor("a1", Status(results.Equivalent, ""))}, "b2", "f.go:101 harmless"},
		{"not judged", []results.Mutant{Survivor("a1", Status(results.NotRun, ""))}, "b2", "f.go:101 not_judged"},
		{"gone", nil, "b2", "f.go:101 gone"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := Select(Push(append(tt.a1, Survivor("b2"))...), &first.History, 0)
			if got := ids(s.Open); got != tt.open {
				t.Errorf("open: %s, want %s", got, tt.open)
			}
			if got := fates(s); got != tt.fates {
				t.Errorf("closed: %s, want %s", got, tt.fates)
			}
		})
	}
}

func TestFunctionsThatNothingRunsStayOpenOneByOne(t *testing.T) {
	const functions, each = 5, 3
	push := func() *results.Results {
		r := UnrunOf(nil, "A", "B", "C", "D", "E")
		var all []results.Mutant
		for i, m := range r.Mutants {
			for n := range each {
				id := fmt.Sprintf("%c%d", 'a'+i, n+1)
				all = append(all, Survivor(id, Function(m.Function), NotReached, Line(10*i+n+1)))
			}
		}
		r.Mutants = all
		return r
	}
	first := Select(push(), nil, 0)
	for how, test := range map[string]func(*results.Mutant){
		"noticed": Status(results.Killed, results.Revealed), "run, but not noticed": func(m *results.Mutant) { m.Stage = results.Reached },
	} {
		past := first.History
		for n := range functions {
			r := push()
			for i := range n * each {
				test(&r.Mutants[i])
			}
			s := Select(r, &past, 0)
			if len(s.Open) != 1 || s.Open[0].Kind != NotRun || len(s.Open[0].UnrunParts(r)) != functions-n {
				t.Errorf("%d are %s: open %s, closed %s; want the others as one finding", n, how, ids(s.Open), fates(s))
			}
			past = s.History
		}
	}
}

func TestFindingsThatHaveBecomeOneGroupShareItsMutants(t *testing.T) {
	push := func(b ...func(*results.Mutant)) *results.Results {
		in := append(b, Function("p.F"))
		r := Push(Survivor("a1", Function("p.F")), Survivor("a2", Function("p.F")), Survivor("b3", in...), Survivor("b4", in...), Survivor("b5", in...))
		r.Scope = []results.Function{{ID: "p.F", Reason: results.ReasonAdded}}
		return r
	}
	first := Select(push(NotReached), nil, MaxFindings)
	if got, want := ids(first.Open), "a1 b3"; got != want {
		t.Fatalf("open: %s, want %s", got, want)
	}
	r := push()
	r.Mutants = append(r.Mutants, Survivor("n6", Function("p.F")))
	s := Select(r, &first.History, 0)
	var got []string
	for _, f := range s.Open {
		var all []string
		for _, m := range f.All() {
			all = append(all, m.ID)
		}
		got = append(got, strings.Join(all, " "))
	}
	if got, want := strings.Join(got, ", "), "a1 a2 n6, b3 b4 b5"; got != want {
		t.Errorf("open: %s, want %s", got, want)
	}
}

func TestLaterPushesAddOnlyMutantsOfNewCode(t *testing.T) {
	killed := Survivor("k9", Status(results.Killed, results.Revealed))
	first := Select(Push(Survivor("a1"), Survivor("b2"), killed), nil, 1)
	s := Select(Push(Survivor("b2"), Survivor("k9"), Survivor("n3")), &first.History, 1)
	if got, want := ids(s.Open), "n3"; got != want {
		t.Errorf("open: %s, want %s: b2 and k9 were there before", got, want)
	}
	if got, want := fates(s), "f.go:101 gone"; got != want {
		t.Errorf("closed: %s, want %s", got, want)
	}
}

func TestCrashesAreAddedByAnyPush(t *testing.T) {
	first := Select(Push(Survivor("a1")), nil, 0)
	r := Push(Survivor("a1"))
	r.Crashes = []results.Crash{{Harness: "p.FuzzA", Entry: "crash", Introduced: results.IntroducedYes}}
	s := Select(r, &first.History, 0)
	if got, want := ids(s.Open), "crash a1"; got != want {
		t.Errorf("open: %s, want %s", got, want)
	}
	s = Select(Push(Survivor("a1")), &s.History, 0)
	if got, want := fates(s), "FuzzA mended"; got != want {
		t.Errorf("closed: %s, want %s", got, want)
	}
}

func TestABugOfALaterPushIsShownBesideAnyNumberOfOpenFindings(t *testing.T) {
	first := Select(Push(Survivor("a1", Exposed), Survivor("b2", Exposed)), nil, 2)
	r := Push(Survivor("a1", Exposed), Survivor("b2", Exposed), Survivor("n3", Exposed))
	r.OldTests = []results.OldTest{{Test: "p.TestA", Change: results.TestKept}}
	r.Crashes = []results.Crash{
		{Harness: "p.FuzzA", Entry: "one", Introduced: results.IntroducedYes},
		{Harness: "p.FuzzB", Entry: "two", Introduced: results.IntroducedYes},
	}
	s := Select(r, &first.History, 2)
	if got, want := ids(s.Open), "one two a1 b2"; got != want {
		t.Errorf("open: %s, want %s: as many bugs as a first review has", got, want)
	}
	r.Crashes = r.Crashes[:1]
	if got, want := ids(Select(r, &first.History, 2).Open), "one p.TestA a1 b2"; got != want {
		t.Errorf("open: %s, want %s", got, want)
	}
	for i := range 2 * MaxFindings {
		r.Crashes = append(r.Crashes, results.Crash{Harness: fmt.Sprintf("p.Fuzz%d", i), Introduced: results.IntroducedYes})
	}
	if s := Select(r, &first.History, MaxFindings); len(s.Open) != MaxFindings {
		t.Errorf("%d findings, want %d", len(s.Open), MaxFindings)
	}
}

func TestWhatIsMissingIsOnlyGoneIfItWasLookedFor(t *testing.T) {
	r := Push(Survivor("a1", Exposed))
	r.Crashes = []results.Crash{{Harness: "p.FuzzA", Introduced: results.IntroducedYes}}
	first := Select(r, nil, 0)
	ran := Survivor("k9", Status(results.Killed, results.Revealed))
	leftOut := []results.Function{{ID: "p.Fa1", File: "g.go", Skipped: results.LeftOut}}
	elsewhere := []results.Function{{ID: "p/q.F", File: "q/q.go", Skipped: results.LeftOut}}
	excluded := []results.Function{{ID: "p.G", File: "f.go", Skipped: "it has no Go body"}}
	for fact, tt := range map[string]struct {
		r    results.Results
		want string
	}{
		"the code went":                   {results.Results{Mutants: []results.Mutant{ran}}, "FuzzA mended, f.go:101 gone"},
		"not all mutants were judged":     {results.Results{Mutants: []results.Mutant{ran}, Partial: true}, "FuzzA mended, f.go:101 gone"},
		"no function is left in scope":    {results.Results{}, "FuzzA mended, f.go:101 gone"},
		"the time was up":                 {results.Results{Partial: true}, "FuzzA not_judged, f.go:101 not_judged"},
		"the tests fail":                  {*Push(Survivor("b2", Status(results.NotRun, ""), Because(results.TestsFail))), "FuzzA not_judged, f.go:101 not_judged"},
		"its package does not build":      {results.Results{Mutants: []results.Mutant{ran}, Scope: leftOut}, "FuzzA not_judged, f.go:101 not_judged"},
		"another package does not build":  {results.Results{Mutants: []results.Mutant{ran}, Scope: elsewhere}, "FuzzA not_judged, f.go:101 gone"},
		"another function is not mutated": {results.Results{Mutants: []results.Mutant{ran}, Scope: excluded}, "FuzzA mended, f.go:101 gone"},
		"the target did not run":          {results.Results{Mutants: []results.Mutant{ran}, Harnesses: []results.Harness{{Name: "p.FuzzA"}}}, "FuzzA not_judged, f.go:101 gone"},
	} {
		s := Select(&tt.r, &first.History, 0)
		if got := fates(s); got != tt.want {
			t.Errorf("%s: %s, want %s", fact, got, tt.want)
		}
	}
	dealtWith := History{Shown: []Shown{{Key: "0123456789abcdef", Where: "f.go:1", Fate: Noticed}}}
	if got, want := fates(Select(&results.Results{Partial: true}, &dealtWith, 0)), "f.go:1 noticed"; got != want {
		t.Errorf("what was dealt with before: %s, want %s", got, want)
	}
	old := History{Shown: []Shown{{Key: "0123456789abcdef", Where: "FuzzA", Fate: Open}}}
	if got, want := fates(Select(Push(ran), &old, 0)), "FuzzA gone"; got != want {
		t.Errorf("of a history that does not tell failures apart: %s, want %s", got, want)
	}
}

func TestAFailingTestThatIsQuarantinedWasNotSeenToPass(t *testing.T) {
	r := Push()
	for _, name := range []string{"A", "B"} {
		r.OldTests = append(r.OldTests, results.OldTest{Test: "p.Test" + name, Change: results.TestKept})
		r.FlakyTests = append(r.FlakyTests, results.FlakyTest{Test: "p.TestNew" + name, Change: results.TestAdded})
	}
	first := Select(r, nil, 0)
	for quarantined, want := range map[string]string{
		"":               "TestA mended, TestNewA mended",
		"p.TestC":        "TestA mended, TestNewA mended",
		"q.TestA":        "TestA mended, TestNewA mended",
		"p.TestA":        "TestA not_judged, TestNewA mended",
		"p.TestB/sub/x":  "TestA not_judged, TestNewA mended",
		"p.TestNewA":     "TestA mended, TestNewA not_judged",
		"p.TestNewB/sub": "TestA mended, TestNewA not_judged",
	} {
		later := Push()
		later.Quarantined = []results.Quarantined{{Test: quarantined}}
		if got := fates(Select(later, &first.History, 0)); got != want {
			t.Errorf("%q is quarantined: %s, want %s", quarantined, got, want)
		}
	}
}

func TestTestsKeepTheirFindingWhateverGroupTheyAreIn(t *testing.T) {
	broken := func(names ...string) *results.Results {
		r := Push()
		for _, name := range names {
			r.OldTests = append(r.OldTests, results.OldTest{Test: "p.Test" + name, Change: results.TestKept})
		}
		return r
	}
	flaky := func(names ...string) *results.Results {
		r := Push()
		for _, name := range names {
			r.FlakyTests = append(r.FlakyTests, results.FlakyTest{Test: "p.Test" + name, Change: results.TestAdded})
		}
		return r
	}
	names := func(s Selection) string {
		var all []string
		for _, f := range s.Open {
			for _, t := range f.Tests() {
				all = append(all, fact.Local(t.Test))
			}
			for _, t := range f.Flaky {
				all = append(all, fact.Local(t.Test))
			}
		}
		return strings.Join(all, " ")
	}
	for kind, of := range map[string]func(...string) *results.Results{"broken": broken, "flaky": flaky} {
		for _, tt := range []struct {
			now              []string
			shown, dismissed string
		}{
			{[]string{"B", "C", "D"}, "TestB TestC TestD", ""},
			{[]string{"C", "B", "A"}, "TestC TestB TestA", ""},
			{[]string{"A"}, "TestA", ""},
			{[]string{"D"}, "TestD", ""},
			{[]string{"New", "D", "A"}, "TestNew TestD TestA", "TestNew"},
			{nil, "", ""},
		} {
			first := Select(of("A", "B", "C", "D"), nil, 0)
			s := Select(of(tt.now...), &first.History, 0)
			if len(s.History.Shown) != 1 || s.History.Shown[0].Key != first.Open[0].Key || names(s) != tt.shown {
				t.Errorf("%s, %q: shown as %q, history %+v", kind, tt.now, names(s), s.History.Shown)
			}
			again := Select(of("A", "B", "C", "D"), &s.History, 0)
			if len(again.Open) != 1 || len(again.Closed) > 0 || again.Open[0].Key != first.Open[0].Key {
				t.Errorf("%s, %q and then all again: open %+v, closed %s", kind, tt.now, again.Open, fates(again))
			}
			past := first.History
			past.Dismiss(first.Open[0].Key, "octocat", "")
			if s := Select(of(tt.now...), &past, 0); names(s) != tt.dismissed {
				t.Errorf("%s, %q after the first ones were dismissed: shown are %q, want %q", kind, tt.now, names(s), tt.dismissed)
			}
		}
	}
	two := History{Shown: []Shown{{Key: oldKey(&results.OldTest{Test: "p.TestA"}), Fate: Open}, {Key: oldKey(&results.OldTest{Test: "p.TestB"}), Fate: Open}}}
	if s := Select(broken("A", "B"), &two, 0); len(s.Open) != 1 {
		t.Errorf("two findings that have become one: %d open", len(s.Open))
	}
}

func TestClosedFindingsStayAndMayReopen(t *testing.T) {
	s := Select(Push(Survivor("a1")), nil, 0)
	s = Select(Push(Survivor("a1", Status(results.Killed, results.Revealed))), &s.History, 0)
	s = Select(Push(), &s.History, 0)
	if got, want := fates(s), "f.go:101 noticed"; got != want {
		t.Errorf("closed after the code went, too: %s, want %s", got, want)
	}
	s = Select(Push(Survivor("a1")), &s.History, 0)
	if got, want := ids(s.Open), "a1"; got != want || len(s.Closed) > 0 {
		t.Errorf("open: %s, want %s; closed: %s, want none", got, want, fates(s))
	}
}

func TestHistoryIsBounded(t *testing.T) {
	var many []results.Mutant
	for i := range maxSeen + 1 {
		many = append(many, Survivor(fmt.Sprint("m", i)))
	}
	s := Select(Push(many...), nil, 0)
	if !s.History.Closed || len(s.History.Seen) > 0 {
		t.Fatalf("history has %d bytes of keys; want it closed", len(s.History.Seen))
	}
	r := Push(Survivor("n1"), Survivor("n2"))
	r.Crashes = []results.Crash{{Harness: "p." + strings.Repeat("F", 1000), Entry: "crash"}}
	s = Select(r, &s.History, 0)
	if got, want := ids(s.Open), "crash"; got != want {
		t.Errorf("open: %s; want only a crash added to a closed history", got)
	}
	if got, want := s.History.Shown[0].Where, strings.Repeat("F", maxWhere-1)+"…"; got != want {
		t.Errorf("place %q, want %q", got, want)
	}
}

func TestOldestClosedFindingsAreForgotten(t *testing.T) {
	past := History{}
	for i := range maxClosed + 2 {
		past.Shown = append(past.Shown, Shown{Key: hash(fmt.Sprint(i)), Where: fmt.Sprint(i), Fate: Noticed})
	}
	s := Select(Push(), &past, 0)
	if len(s.Closed) != maxClosed || s.Closed[0].Where != "2" {
		t.Errorf("%d closed findings from %q on, want %d from 2 on", len(s.Closed), s.Closed[0].Where, maxClosed)
	}
}

func TestForgedHistoriesAreBounded(t *testing.T) {
	r := Push(Survivor("a1"), Survivor("b2"))
	key := mutantFinding(&r.Mutants[0], reason{}).Key
	past := History{
		Shown: []Shown{
			{Key: key, Where: strings.Repeat("x\n", 1000), Fate: Open}, {Key: key, Where: "again", Fate: Open},
			{Key: "no key", Where: "x", Fate: Open}, {Key: "0123456789abcdef", Where: "x", Fate: "no fate"},
		},
		Seen: make([]byte, seenSize*maxSeen*10+1),
	}
	for i := range 1000 {
		past.Shown = append(past.Shown, Shown{Key: fmt.Sprintf("%016x", i), Where: strings.Repeat("<\n", 1000), Fate: Gone})
	}
	s := Select(r, &past, MaxFindings)
	if got := ids(s.Open); got != "a1 b2" {
		t.Errorf("open: %s, want a1, once, and b2, which is new", got)
	}
	if len(s.Closed) != maxClosed || len(s.History.Shown) != maxClosed+2 || len(s.History.Seen) > seenSize*maxSeen {
		t.Errorf("%d closed, %d kept, %d bytes of seen mutants", len(s.Closed), len(s.History.Shown), len(s.History.Seen))
	}
	for _, shown := range s.History.Shown {
		if n := len([]rune(shown.Where)); n > maxWhere || strings.Contains(shown.Where, "\n") {
			t.Errorf("place of %d runes: %.50q", n, shown.Where)
		}
	}
}

func TestNoReviewHasMoreFindingsThanFit(t *testing.T) {
	var all []results.Mutant
	for i := range 3 * MaxFindings {
		all = append(all, Survivor(fmt.Sprintf("%03d", i), Line(i+1)))
	}
	if s := Select(Push(all...), nil, 1000); len(s.Open) != MaxFindings {
		t.Errorf("%d findings, want %d", len(s.Open), MaxFindings)
	}
}

func TestALoopThatEndsAfterOneIterationIsNoReasonForAReviewWithoutAnInput(t *testing.T) {
	loop := func(m *results.Mutant) {
		m.Operator, m.Category = "loop-iterations", "control"
		m.Context, m.Original, m.Replacement = "for _, n := range list {\n\tf(n)\n}", "{\n\tf(n)\n}", "{\n\tf(n); break\n}"
	}
	other := Survivor("c3", Function("p.G"), Operator("statement-deletion"))
	other.Evidence.ByChange = []results.NewTest{{Test: "p.TestG", Change: results.TestAdded}}
	for fact, tt := range map[string]struct {
		mutants []results.Mutant
		want    int
	}{
		"without an input":      {[]results.Mutant{Survivor("a1", loop)}, 0},
		"with one":              {[]results.Mutant{Survivor("a1", loop, Exposed)}, 1},
		"beside another edit":   {[]results.Mutant{Survivor("a1", loop), other}, 1},
		"of which one is shown": {[]results.Mutant{Survivor("a1", loop), Survivor("b2", Function("p.Fa1"), Operator("statement-deletion"), Exposed)}, 1},
	} {
		s := Select(&results.Results{Mutants: tt.mutants}, nil, 0)
		if len(s.Open) != tt.want || len(s.Open) == 0 && len(s.Folded) != 1 {
			t.Errorf("%s: open %s, folded %d", fact, ids(s.Open), len(s.Folded))
		}
	}
}
