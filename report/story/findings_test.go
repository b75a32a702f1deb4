package story

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/fact"
	"github.com/mutantfuzz/mutantfuzz/report/finding"
	"github.com/mutantfuzz/mutantfuzz/report/internal/known"
	. "github.com/mutantfuzz/mutantfuzz/report/internal/sample"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestOfCodeThatNothingRunsACallIsShownThatGivesSomething(t *testing.T) {
	for text, want := range map[string]bool{
		"false": true, `0, "", nil`: true, "[]string(nil), false": true, "T{}, nil": true, "(*p.T)(nil)": true, "&p.T{}": true,
		"true": false, `0, "x"`: false, "T{A: 0}": false, "10": false, `error("no")`: false, "": false,
	} {
		if m := Survivor("m", func(m *results.Mutant) { m.ExposedBy = &results.ExposedBy{Original: text} }); fact.GivesNothing(m.ExposedBy) != want {
			t.Errorf("%s: %v, want %v", text, !want, want)
		}
	}
	call := func(id, original string) results.Mutant {
		return Survivor(id, NotReached, Exposed, func(m *results.Mutant) {
			m.ExposedBy.Call, m.ExposedBy.Original, m.ExposedBy.Mutant, m.ExposedBy.Errors = "F("+id+")", original, "2", ""
		})
	}
	opaque := call("c", "p.Option")
	if s := unrunStory(&results.Results{}, finding.Finding{Kind: finding.NotRun, Mutant: &opaque}); len(s.Witness) > 0 {
		t.Error(s.Witness.Plain("", ""))
	}
	failing := call("d", `"x", error("no")`)
	failing.ExposedBy.Errors = results.ErrorInOriginal
	ending := call("e", "returns")
	ending.ExposedBy.Mutant = "panics: x"
	if s := unrunStory(&results.Results{}, finding.Finding{Kind: finding.NotRun, Mutant: &ending}); len(s.Witness) > 0 {
		t.Errorf("of a call that only returns: %s", s.Witness.Plain("", ""))
	}
	for _, m := range []results.Mutant{failing, call("e", "nil")} {
		m.ExposedBy.Test = "package p"
		if s := unrunStory(&results.Results{}, finding.Finding{Kind: finding.NotRun, Mutant: &m}); len(s.Witness) > 0 || s.Test != "" {
			t.Errorf("%s %s", s.Witness.Plain("", ""), s.Test)
		}
	}
	bare, silent := call("g", "1"), call("h", "1")
	bare.ExposedBy.Call, bare.ExposedBy.Test = "F()", "package p"
	silent.ExposedBy.Test = "package p\n\nfunc TestF(t *testing.T) {\n\tF(1)\n}\n"
	for _, m := range []results.Mutant{bare, silent} {
		if s := unrunStory(&results.Results{}, finding.Finding{Kind: finding.NotRun, Mutant: &m}); len(s.Witness) > 0 || s.Test != "" {
			t.Errorf("%s %s", s.Witness.Plain("", ""), s.Test)
		}
	}
	zeros, given := call("0", "1"), call("4", "1")
	zeros.ExposedBy.Call = `p.F(nil, "", T{})`
	s := unrunStory(&results.Results{}, finding.Finding{Kind: finding.NotRun, Mutant: &zeros, Also: []*results.Mutant{&given}})
	if got := s.Witness.Plain("", ""); got != "For example, F(4) gives 1." {
		t.Error(got)
	}
	a, b := call("a", "false"), call("b", "true")
	s = unrunStory(&results.Results{}, finding.Finding{Kind: finding.NotRun, Mutant: &a, Also: []*results.Mutant{&b}})
	if got := s.Witness.Plain("", ""); got != "For example, F(b) gives true." {
		t.Error(got)
	}
}

func TestFunctionsThatNothingRunsAreOneFinding(t *testing.T) {
	r := new(results.Results)
	for i, name := range []string{"F", "G", "T.Error", "H", "J"} {
		r.Scope = append(r.Scope, results.Function{ID: "p." + name, Name: name, Reason: results.ReasonAdded})
		m := Survivor(fmt.Sprintf("a%d", i+1), Function("p."+name), NotReached)
		r.Mutants = append(r.Mutants, m)
	}
	for n, want := range map[int]string{1: "runs the new F", 2: "runs the new F and G", 3: "runs the new F and G", 4: "runs the new F, G and H", 5: "runs F, G, H and 1 more function"} {
		some := &results.Results{Scope: r.Scope, Mutants: r.Mutants[:n]}
		found := finding.Findings(some)
		if len(found) != 1 {
			t.Fatalf("%d findings", len(found))
		}
		if got := Of(some, found[0]).Title.Plain("", ""); got != "no test "+want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestTheSameEditInSeveralFunctionsIsOneFinding(t *testing.T) {
	appends := func(m *results.Mutant) {
		m.Original, m.Replacement = "o = append(o, w...)\n\tn := 0\n", "n := 0\n"
	}
	r := &results.Results{Mutants: []results.Mutant{
		Survivor("a0", Function("p.Fa1"), Exposed), Survivor("a1", Undone, appends), Survivor("b2", Undone, appends, Exposed), Survivor("c3", Exposed), Survivor("b4", Function("p.Fb2"), Exposed),
	}}
	list := finding.Findings(r)
	if len(list) != 2 || len(list[0].Also) != 3 || list[1].Mutant.ID != "c3" {
		t.Fatalf("findings: %+v", list)
	}
	if title := Of(r, list[0]).Title.Plain("", ""); title != "this change alters what Fb2() does, and no test notices" {
		t.Error(title)
	}
}

func TestThatNoTestHasAWrappedErrorIsOneFindingAboutAllFunctions(t *testing.T) {
	undoes := func(function, now, old string) results.Mutant {
		return Survivor("a"+function, Function("p."+function), Undoes(now, old), func(m *results.Mutant) {
			m.Stage, m.Evidence.Tests, m.Evidence.By = results.Reached, 1, []string{"p.TestA"}
		})
	}
	r := &results.Results{Mutants: []results.Mutant{
		undoes("F1", "if errors.As(err, &e) {\n", "if e, ok := err.(*Error); ok {\n"),
		undoes("G2", "if !errors.As(err, &x) {\n", "if _, ok := err.(*Error); !ok {\n"),
	}}
	list := finding.Findings(r)
	if len(list) != 1 || len(list[0].Also) != 1 {
		t.Fatalf("findings: %+v", list)
	}
	s := Of(r, list[0])
	if title := s.Title.Plain("", ""); title != "p.F1 and p.G2: no test fails if a wrapped *Error is not found" {
		t.Error(title)
	}
	if next := ask(r, list[0]).Plain("", ""); next != "A test with an error that wraps *Error would notice." {
		t.Error(next)
	}
}

func TestSurvivorIsNoFindingIfDependentsDidNotAllRunUnlessItsOwnTestsPass(t *testing.T) {
	cut := func(m *results.Mutant) { m.Reason = "not all tests of packages that depend on this one ran in time" }
	own := func(tests ...string) func(*results.Mutant) {
		return func(m *results.Mutant) {
			m.Evidence.OwnOnly, m.Evidence.Tests, m.Evidence.By = true, len(tests), tests
		}
	}
	for name, tt := range map[string]struct {
		mutant results.Mutant
		want   string // the title; empty: no finding
	}{
		"something else is missing":   {Survivor("a1", Function("p.F"), cut), ""},
		"no test runs it":             {Survivor("a1", Function("p.F"), NotReached, cut, own()), ""},
		"its own tests do":            {Survivor("a1", Function("p.F"), cut, own("q.TestF", "p.TestF")), "F: no test of its package fails with ba1 in place of aa1"},
		"tests of another package do": {Survivor("a1", Function("p.F"), cut, own("q.TestF", "p/q.TestF", "p.v2.TestF")), ""},
	} {
		r := &results.Results{Scope: []results.Function{{ID: "p.F", Name: "F", Package: "p", Reason: results.ReasonChanged}}, Mutants: []results.Mutant{tt.mutant}}
		got := ""
		for _, f := range finding.Findings(r) {
			got = Of(r, f).Title.Plain("", "")
			if Late([]finding.Finding{f}) == "" {
				t.Errorf("%s: nothing says that tests of dependent packages did not run", name)
			}
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

func TestCodeThatTestsOfItsPackageMissIsReportedEvenIfDependentsDidNotAllRun(t *testing.T) {
	missed := func(m *results.Mutant) {
		m.Stage, m.Reason = results.NotReached, "not all tests of packages that depend on this one ran in time"
		m.Evidence.OwnOnly = true
	}
	killedBy := func(test string) func(*results.Mutant) {
		return func(m *results.Mutant) {
			m.Status, m.KilledBy = results.Killed, &results.KilledBy{By: results.ByTest, Kind: results.KindTest, Name: test}
		}
	}
	for name, tt := range map[string]struct {
		missed results.Mutant
		test   string // runs the rest of the function
		want   string // the title; empty: no finding
	}{
		"its own tests run the rest":           {Survivor("a1", Function("p.F"), missed), "p.TestF/a.b", "no test of its package runs line 101 of F"},
		"tests of another package do":          {Survivor("a1", Function("p.F"), missed), "p.v2.TestF", ""},
		"tests that fail here may run it":      {Survivor("a1", Function("p.F"), missed, func(m *results.Mutant) { m.Evidence.Program = true }), "p.TestF", ""},
		"tests of the change are still to run": {Survivor("a1", Function("p.F"), missed, func(m *results.Mutant) { m.Evidence.Awaits = true }), "p.TestF", ""},
	} {
		r := &results.Results{
			Scope:   []results.Function{{ID: "p.F", Name: "F", Package: "p", Reason: results.ReasonChanged}},
			Mutants: []results.Mutant{tt.missed, Survivor("b2", Function("p.F"), killedBy(tt.test))},
		}
		got := ""
		for _, f := range finding.Findings(r) {
			s := Of(r, f)
			got = s.Title.Plain("", "")
			if Late([]finding.Finding{f}) == "" {
				t.Errorf("%s: nothing says that tests of dependent packages did not run", name)
			}
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

func TestSurvivorThatAFailingTestMayNoticeIsAFindingIfTestsOfTheChangePassWithIt(t *testing.T) {
	failing := func(m *results.Mutant) {
		m.Reason, m.Evidence.Failing = "quarantined tests run this code, and might notice the edit: TestA, TestB and 3 more", true
	}
	mayRun := func(more string) func(*results.Mutant) {
		return func(m *results.Mutant) {
			m.Reason, m.Evidence.Failing = results.FailingMayRun+"TestA, TestB and 3 more"+more, true
		}
	}
	by := func(change string) func(*results.Mutant) {
		return func(m *results.Mutant) {
			m.Evidence.Tests, m.Evidence.By = 1, []string{"p.TestF"}
			if change != "" {
				m.Evidence.ByChange = []results.NewTest{{Test: "p.TestF", Change: change}}
			}
		}
	}
	for name, tt := range map[string]struct {
		mutant results.Mutant
		fails  results.Quarantined
		want   bool
	}{
		"a new test passes":                {Survivor("a1", Function("p.F"), failing, by(results.TestAdded)), results.Quarantined{Test: "p.TestA"}, true},
		"one that may run it fails":        {Survivor("a1", Function("p.F"), mayRun(""), by(results.TestAdded)), results.Quarantined{Test: "p.TestA"}, true},
		"and others did not run":           {Survivor("a1", Function("p.F"), mayRun("; tests of p/q ran late"), by(results.TestAdded)), results.Quarantined{Test: "p.TestA"}, false},
		"only old tests pass":              {Survivor("a1", Function("p.F"), failing, by("")), results.Quarantined{Test: "p.TestA"}, false},
		"another test of the change fails": {Survivor("a1", Function("p.F"), failing, by(results.TestAdded)), results.Quarantined{Test: "p.TestA", Change: results.TestAltered}, false},
	} {
		r := &results.Results{
			Scope:   []results.Function{{ID: "p.F", Name: "F", Package: "p", Reason: results.ReasonChanged}},
			Mutants: []results.Mutant{tt.mutant}, Quarantined: []results.Quarantined{tt.fails},
		}
		found := finding.Findings(r)
		if got := len(found) == 1; got != tt.want {
			t.Errorf("%s: findings %s", name, known.IDs(found))
		}
		for _, f := range found {
			if claim := Of(r, f).Claim.Plain("", ""); !strings.Contains(claim, "TestA, TestB and 3 more tests do not pass here in every run, even without any edit, so they do not count.") {
				t.Errorf("%s: %s", name, claim)
			}
		}
	}
}

func TestACallWithAnotherResultIsAChangeOfBehaviourEvenIfDependentsDidNotAllRun(t *testing.T) {
	cut := func(m *results.Mutant) { m.Reason = "not all tests of packages that depend on this one ran in time" }
	driven := func(x results.ExposedBy) func(*results.Mutant) {
		x.Driver, x.Call, x.Original, x.Mutant = true, "F(1)", "1", "2"
		return func(m *results.Mutant) { m.Stage, m.ExposedBy = results.Propagated, &x }
	}
	for name, tt := range map[string]struct {
		mutant results.Mutant
		want   string // the title; empty: no finding
	}{
		"undone":          {Survivor("a1", Function("p.F"), Undone, driven(results.ExposedBy{}), cut), "this change alters what F(1) does"},
		"all tests ran":   {Survivor("a1", Function("p.F"), Undone, driven(results.ExposedBy{})), "this change alters what F(1) does, and no test notices"},
		"within it":       {Survivor("a1", Function("p.F"), Undone, driven(results.ExposedBy{Inner: true}), cut), ""},
		"only the errors": {Survivor("a1", Function("p.F"), Undone, driven(results.ExposedBy{OnlyErrors: true}), cut), ""},
		"which error":     {Survivor("a1", Function("p.F"), Undone, driven(results.ExposedBy{Errors: results.ErrorInBoth, OnlyErrors: true, OriginalIs: "p.ErrA"}), cut), "this change alters what F(1) does"},
		"another edit":    {Survivor("a1", Function("p.F"), driven(results.ExposedBy{}), cut), ""},
		"its own tests":   {Survivor("a1", Function("p.F"), Undone, driven(results.ExposedBy{}), cut, func(m *results.Mutant) { m.Evidence.Awaits = true }), ""},
	} {
		r := &results.Results{Scope: []results.Function{{ID: "p.F", Name: "F", Reason: results.ReasonChanged}}, Mutants: []results.Mutant{tt.mutant}}
		got := ""
		for _, f := range finding.Findings(r) {
			got = Of(r, f).Title.Plain("", "")
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

func TestLinesThatNothingRunsAreNotTheWholeFunction(t *testing.T) {
	r := &results.Results{
		Scope:   []results.Function{{ID: "p.F", Name: "F", Reason: results.ReasonAdded}},
		Mutants: []results.Mutant{Survivor("a1", Function("p.F"), NotReached), Survivor("b2", Function("p.F"), Status(results.Killed, results.Revealed))},
	}
	if got, want := Of(r, finding.Findings(r)[0]).Title.Plain("", ""), "no test runs line 101 of F"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestWholeFunctionsAreToldFromLinesOfOthers(t *testing.T) {
	r := &results.Results{
		Scope: []results.Function{{ID: "p.New", Name: "New", Reason: results.ReasonAdded}, {ID: "p.Old", Name: "Old", Reason: results.ReasonChanged}},
		Mutants: []results.Mutant{
			Survivor("a1", NotReached, Function("p.New")), Survivor("b2", NotReached, Function("p.Old"), Line(700)), KilledIn("p.Old"),
		},
	}
	if got, want := Of(r, finding.Findings(r)[0]).Title.Plain("", ""), "no test runs New and line 700 of Old"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestEditOfCodeThatNothingRunsIsNoFindingBesideThatNothingRunsIt(t *testing.T) {
	driven := func(m *results.Mutant) { m.Evidence.Unrun, m.ExposedBy.Driver = true, true }
	r := &results.Results{
		Scope: []results.Function{{ID: "p.New", Name: "New", Reason: results.ReasonAdded}, {ID: "p.Old", Name: "Old", Reason: results.ReasonChanged}},
		Mutants: []results.Mutant{
			Survivor("a1", Exposed, driven, Function("p.Old")), Survivor("b2", NotReached, Function("p.New")), Survivor("c3", NotReached, Function("p.Old"), Line(700)),
			KilledIn("p.Old"),
		},
	}
	if got, want := Of(r, finding.Findings(r)[0]).Title.Plain("", ""), "no test runs New and lines 101 and 700 of Old"; got != want || len(finding.Findings(r)) != 1 {
		t.Errorf("%q, want %q and nothing else", got, want)
	}
}

func TestTestsThatRunOnlyAnotherEditOfAFindingAreNotDenied(t *testing.T) {
	unrun, run := Survivor("a1", Exposed, NotReached), Survivor("b2", Exposed)
	run.Evidence.Tests, run.Evidence.By = 1, []string{"p.TestF"}
	if got, want := claim(finding.Finding{Mutant: &unrun, Also: []*results.Mutant{&run}}, "with any of these edits").Plain("", ""), "TestF runs some of this code, and passes with any of these edits."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestPiecesOfLargeValuesAreNoExample(t *testing.T) {
	m := Survivor("a1", Function("p.New"), NotReached, Exposed)
	m.Evidence.Unrun = true
	m.ExposedBy.Original, m.ExposedBy.Mutant = "x{"+strings.Repeat("a: 1, ", 40)+"b: 1}", "x{"+strings.Repeat("a: 1, ", 40)+"b: 2}"
	r := &results.Results{Scope: []results.Function{{ID: "p.New", Name: "New", Reason: results.ReasonAdded}}, Mutants: []results.Mutant{m}}
	if got := Of(r, finding.Finding{Kind: finding.NotRun, Mutant: &m}).Witness; len(got) > 0 {
		t.Errorf("%s", got.Plain("", ""))
	}
}

func TestATestThatTakesANewBranchAndDoesWithoutItIsNamed(t *testing.T) {
	inner := func(changes ...func(*results.Mutant)) results.Mutant {
		m := Survivor("b2", append([]func(*results.Mutant){Function("p.F"), Line(11), Between(19, 34), Status(results.Killed, results.Revealed)}, changes...)...)
		m.KilledBy = &results.KilledBy{By: results.ByTest, Kind: results.KindTest, Name: "m/p.TestF/empty_name"}
		return m
	}
	const branch = "\tif name == \"\" {\n\t\treturn errEmpty\n\t}\n"
	undo := func(now, old string) results.Mutant {
		return Survivor("a1", Function("p.F"), Line(10), Between(0, 60), Undoes(now, old), Exposed)
	}
	late := func(by []string) results.Mutant { // some tests did not run in time
		m := undo(branch, "")
		m.Reason, m.Evidence.OwnOnly, m.Evidence.By, m.Evidence.Tests = "late", true, by, 1
		return m
	}
	for name, tt := range map[string]struct {
		mutants []results.Mutant
		want    bool
	}{
		"a test takes it":               {[]results.Mutant{undo(branch, ""), inner()}, true},
		"the next line is as it was":    {[]results.Mutant{undo(branch+"\tuse(name)\n", "\tuse(name)\n"), inner()}, true},
		"none notices its edits":        {[]results.Mutant{undo(branch, ""), inner(Status(results.Survived, results.Reached))}, false},
		"what is killed is behind":      {[]results.Mutant{undo(branch, ""), inner(Between(70, 80))}, false},
		"it takes the place of another": {[]results.Mutant{undo(branch, "\tif name == \"x\" {\n\t\treturn errEmpty\n\t}\n"), inner()}, false},
		"more than a branch is new":     {[]results.Mutant{undo(branch+"\tuse(name)\n", ""), inner()}, false},
		"it may not have run":           {[]results.Mutant{late(nil), inner()}, false},
		"others may not have run":       {[]results.Mutant{late([]string{"m/p.TestF"}), inner()}, true},
	} {
		r := &results.Results{Scope: []results.Function{{ID: "p.F", Name: "F", Reason: results.ReasonChanged}}, Mutants: tt.mutants}
		f, _ := finding.Alone(r, &r.Mutants[0])
		got := Of(r, f).Claim.Plain("", "")
		if strings.Contains(got, "TestF/empty_name takes the branch of line 10, but passes without it: what it checks comes out the same.") != tt.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestEachBrokenTestSaysWhatItSays(t *testing.T) {
	tests := []*results.OldTest{{Test: "p.TestA", Message: "got 1"}, {Test: "p.TestB", Message: "got 1"}, {Test: "p.TestC"}, {Test: "p.TestD", Message: "got 2"}}
	if got := messages(tests[:3]).Plain("", ""); got != "TestA says got 1." {
		t.Errorf("the same message is repeated: %q", got)
	}
	if got := messages(append(tests[:1:1], tests[3])).Plain("", ""); got != "TestA says got 1. TestD says got 2." {
		t.Errorf("a message is missing: %q", got)
	}
}

func TestANewCheckIsNamedWhereTheCallThatShowsItIsLong(t *testing.T) {
	const statement = "if a.Name() == \"\" {\n\treturn errEmpty\n}\n"
	check := func(call, added string) string {
		m := Survivor("a1", Function("p.F"), Undoes(added+"use(a)\n", "use(a)\n"), Exposed)
		m.ExposedBy.Driver, m.ExposedBy.Call = true, call
		r := &results.Results{Scope: []results.Function{{ID: "p.F", Name: "F", Reason: results.ReasonChanged}}, Mutants: []results.Mutant{m}}
		return Of(r, finding.Findings(r)[0]).Title.Plain("", "")
	}
	long := "F(&" + strings.Repeat("x", 80) + "{})"
	if got, want := check(long, statement), `F: no test fails without the new check a.Name() == ""`; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := check(long, statement+"a.n++\n"), "this change alters what F does, and no test notices"; got != want {
		t.Errorf("more than a check is new: %q, want %q", got, want)
	}
	if got, want := check("F(1)", statement), "this change alters what F(1) does, and no test notices"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestWhatTheProgramEndsWithoutComesNext(t *testing.T) {
	shows := func(call, ends string) func(*results.Mutant) {
		return func(m *results.Mutant) {
			Exposed(m)
			m.ExposedBy.Call, m.ExposedBy.Original, m.ExposedBy.Mutant, m.ExposedBy.Ends = call, "true", "false", ends
		}
	}
	r := &results.Results{Mutants: []results.Mutant{
		Survivor("a1", Function("p.F"), Line(1), shows("F(1)", "")), Survivor("a2", Function("p.F"), Line(2), shows("F(2)", "")),
		Survivor("a3", Function("p.F"), Line(3), shows("F(3)", "")), Survivor("a4", Function("p.F"), Line(4), shows("F(4)", results.CrashPanic)),
		Survivor("a5", Function("p.F"), Line(5), shows("F(5)", results.CrashPanic)),
	}}
	r.Mutants[4].Category = results.CategoryRemoval
	found := finding.Findings(r)
	if len(found) != 1 {
		t.Fatalf("findings %s", known.IDs(found))
	}
	s := Of(r, found[0])
	var inputs []string
	for _, one := range s.Rows {
		inputs = append(inputs, one.Input)
	}
	if got := strings.Join(inputs, " "); got != "F(1) F(5) F(2)" || found[0].Mutant.ID != "a1" {
		t.Errorf("the rows are about %s", got)
	}
	kept, _ := finding.Alone(r, &r.Mutants[4])
	if shown := finding.Select(r, nil, 0).History.Shown[0]; !slices.Contains(shown.Also, kept.Key) {
		t.Error("what is shown first is not kept")
	}
}

func TestWhatNoTestRunsIsShownWithACallThatSucceeds(t *testing.T) {
	driven := func(call, original, errors string) func(*results.Mutant) {
		return func(m *results.Mutant) {
			m.Evidence.Unrun, m.Stage = true, results.Propagated
			m.ExposedBy = &results.ExposedBy{Call: call, Original: original, Mutant: "2", Errors: errors, Driver: true, Test: "test of " + call, TestFile: "f_test.go"}
		}
	}
	r := &results.Results{
		Scope:   []results.Function{{ID: "p.F", Reason: results.ReasonChanged}},
		Mutants: []results.Mutant{Survivor("a1", Function("p.F"), driven("F(0)", `error("x")`, results.ErrorInOriginal)), Survivor("b2", Function("p.F"), driven("F(1)", "1", ""))},
	}
	s := Of(r, finding.Findings(r)[0])
	if got := s.Witness.Plain("", ""); got != "For example, F(1) gives 1." || s.Test != "test of F(1)" {
		t.Errorf("it says %q, with %q", got, s.Test)
	}
	r.Mutants[0] = Survivor("a1", Function("p.F"), driven("m.F(1)", "1", ""))
	r.Mutants[0].ExposedBy.Setup = []string{"m := New()", "m.Set(1, 2)"}
	r.Mutants[1].ExposedBy.Original, r.Mutants[1].ExposedBy.Test = "0", ""
	if s := Of(r, finding.Findings(r)[0]); s.Witness.Plain("", "") != "" || s.Test != "test of m.F(1)" {
		t.Errorf("beside the test it says %q", s.Witness.Plain("", ""))
	}
}

func TestTitleSaysWhichValueAConditionHasInNoTest(t *testing.T) {
	forced := func(context, replacement string) *results.Mutant {
		m := Survivor("a1")
		m.Original, m.Replacement, m.Context = "n > max", replacement, context
		return &m
	}
	for _, tt := range []struct{ context, replacement, want string }{
		{"\tif n > max {", "n > max && false", "p.Fa1: no test has n > max"},
		{"\tif n > max {", "n > max || true", "p.Fa1: no test has n <= max"},
		{"\tif n := f(); n > max {", "n > max && false", "p.Fa1: no test has n > max"},
		{"\tif n > max && ok {", "n > max && false", "p.Fa1: no test has n > max"},
		{"\tif ok || n > max {", "n > max && false", "p.Fa1: no test comes to line 101 with n > max"},
		{"\tfor n > max {", "n > max || true", "p.Fa1: no test has n <= max"},
	} {
		m := forced(tt.context, tt.replacement)
		f := finding.Finding{Kind: finding.Gap, Mutant: m}
		if got := title(&results.Results{}, f).Plain("", ""); got != tt.want {
			t.Errorf("%s → %s: %q, want %q", tt.context, tt.replacement, got, tt.want)
		}
		m.Stage, m.Evidence.Same = results.Infected, false
		if got := title(&results.Results{}, f).Plain("", ""); strings.Contains(got, "no test has") || strings.Contains(got, "no test comes") {
			t.Errorf("%q, although it had that value", got)
		}
	}
}

func TestTitleOfEditsOfCodeThatNoTestRunsNamesThatCode(t *testing.T) {
	driven := func(m *results.Mutant) { m.Evidence.Unrun = true }
	one, two, other := Survivor("a1", driven), Survivor("b2", driven, Function("p.Fa1"), Line(107)), Survivor("c3", driven)
	between := Survivor("e5", driven, Function("p.Fa1"), Line(104))
	ran := Survivor("d4", Function("p.Fa1"))
	long := Survivor("a1", driven, func(m *results.Mutant) { m.Original = "f(\n\t1)" })
	for _, tt := range []struct {
		first results.Mutant
		also  []*results.Mutant
		rest  []results.Mutant // the mutants of the results
		want  string
	}{
		{one, nil, nil, "p.Fa1: no test runs aa1"},
		{long, nil, nil, "p.Fa1: no test runs line 101"},
		{one, []*results.Mutant{&two}, nil, "no test runs p.Fa1"},
		{one, []*results.Mutant{&two}, []results.Mutant{ran}, "p.Fa1: no test runs lines 101 and 107"},
		{one, []*results.Mutant{&two, &between}, []results.Mutant{ran}, "p.Fa1: no test runs lines 101 to 107"},
		{one, []*results.Mutant{&other}, nil, "p.Fa1 and p.Fc3: no test runs what these edits alter"},
		{one, []*results.Mutant{&ran}, nil, "p.Fa1: no test fails with ba1 in place of aa1"},
	} {
		f := finding.Finding{Kind: finding.Gap, Mutant: &tt.first, Also: tt.also}
		if got := title(&results.Results{Mutants: tt.rest}, f).Plain("", ""); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
		row := rowOf(&results.Results{}, f, f.Mutant)
		if said := strings.Contains(row.Edit.Plain("", ""), "no test runs it"); said == f.Unrun() {
			t.Errorf("%q: the title says it, and the row %q, too, or neither does", tt.want, row.Edit.Plain("", ""))
		}
	}
}

func TestLinesThatTheChangeTakesAwayArePutBack(t *testing.T) {
	for base, want := range map[string]string{"check()\nf()\n": "with it put back", "g()\n": "without it", "": "without it"} {
		m := Survivor("a1", Undoes("f()\n", base))
		if got := second(finding.Finding{Mutant: &m}); got != want {
			t.Errorf("%q: %s, want %s", base, got, want)
		}
	}
}

func TestWhatACallWithoutAResultDoesIsSaid(t *testing.T) {
	m := Survivor("a1", Function("p.F"), Exposed, func(m *results.Mutant) { m.ExposedBy.Original, m.ExposedBy.Mutant = "", "panics: no" })
	r := &results.Results{Mutants: []results.Mutant{m}}
	if got := Of(r, finding.Findings(r)[0]).Witness.Plain("", ""); got != "Fa1(): returns; with this edit, panics: no." {
		t.Error(got)
	}
}

func TestWhatIsAcceptedSinceTheChangeComesBeforeWhatIsRefused(t *testing.T) {
	gives := func(now, before string) func(*results.Mutant) {
		return func(m *results.Mutant) { m.ExposedBy.Original, m.ExposedBy.Mutant = now, before }
	}
	r := &results.Results{Mutants: []results.Mutant{
		Survivor("a1", Undone, Exposed, Function("p.F"), gives("false", "true")), Survivor("b2", Undone, Exposed, Function("p.G"), gives("true", "false")),
	}}
	if got := known.IDs(finding.Findings(r)); got != "b2 a1" && got != "b2" {
		t.Errorf("findings %q, want b2 first", got)
	}
	f := finding.Finding{Kind: finding.Behaviour, Mutant: &r.Mutants[1], Also: []*results.Mutant{&r.Mutants[0]}}
	if got := Of(r, f).Title.Plain("", ""); !strings.HasSuffix(got, " and 1 other function do, and no test notices") {
		t.Error(got)
	}
}

func TestAListThatIsNeverEmptyIsNamed(t *testing.T) {
	for same, want := range map[bool]string{
		true:  "F: no test has an empty c.certs, which would panic without this check",
		false: "F: no test fails with len(c.certs) >= 0 in place of len(c.certs) > 0",
	} {
		r := &results.Results{Scope: []results.Function{{ID: "p.F", Name: "F"}}, Mutants: []results.Mutant{
			Survivor("a1", Function("p.F"), Operator("relational"), Writes("len(c.certs) > 0", "len(c.certs) >= 0"), func(m *results.Mutant) {
				m.Evidence.Same, m.Context = same, "if len(c.certs) > 0 {"
			}),
			Survivor("b1", Function("p.F"), Status(results.Killed, results.Revealed), Writes("len(c.certs) > 0", "len(c.certs) > 0 && false"), func(m *results.Mutant) {
				m.Evidence.Branch = "\tname = c.certs[0].Name"
			}),
		}}
		if found := finding.Findings(r); len(found) != 1 || Of(r, found[0]).Title.Plain("", "") != want {
			t.Errorf("same %v: %s, want %q", same, known.IDs(found), want)
		}
	}
}

func TestAnEditThatGivesWhatTheBaseGaveIsTitledByWhatTheChangeDoes(t *testing.T) {
	gave := func(base, mutant string) func(*results.Mutant) {
		return func(m *results.Mutant) {
			Exposed(m)
			m.ExposedBy.Call, m.ExposedBy.Original, m.ExposedBy.Mutant, m.ExposedBy.Base = "F(1)", "2", mutant, base
		}
	}
	const edit = "F: no test fails with ba1 in place of aa1"
	for name, tt := range map[string]struct {
		mutant results.Mutant
		want   string
	}{
		"the same":      {Survivor("a1", Function("p.F"), gave("3", "3")), "this change makes F(1) give 2 instead of 3, and no test says so"},
		"the same text": {Survivor("a1", Function("p.F"), gave("a b", `"a b"`)), `this change makes F(1) give 2 instead of "a b", and no test says so`},
		"a test may say it": {Survivor("a1", Function("p.F"), gave("3", "3"), func(m *results.Mutant) {
			m.Reason, m.Evidence.Failing, m.Evidence.ByChange = results.QuarantinedRun+"TestA", true, []results.NewTest{{Test: "p.TestF", Change: results.TestAdded}}
		}), edit},
		"something else":       {Survivor("a1", Function("p.F"), gave("3", "4")), edit},
		"what it gives now":    {Survivor("a1", Function("p.F"), gave("", "3")), edit},
		"too long for a title": {Survivor("a1", Function("p.F"), gave(strings.Repeat("3", maxInHeadline+1), strings.Repeat("3", maxInHeadline+1))), edit},
	} {
		r := &results.Results{Scope: []results.Function{{ID: "p.F", Name: "F"}}, Mutants: []results.Mutant{tt.mutant}}
		if found := finding.Findings(r); len(found) != 1 || Of(r, found[0]).Title.Plain("", "") != tt.want {
			t.Errorf("%s: %q, want %q", name, Of(r, found[0]).Title.Plain("", ""), tt.want)
		}
	}
}
