package story

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/finding"
	"github.com/mutantfuzz/mutantfuzz/report/internal/known"
	. "github.com/mutantfuzz/mutantfuzz/report/internal/sample"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestTitleOfWhatNothingRunsNamesTheFunctions(t *testing.T) {
	part, fails := []results.Code{At(7, "\tg()")}, []results.Code{At(7, "\treturn err")}
	for _, tt := range []struct {
		code      map[string][]results.Code
		functions []string
		want      string
	}{
		{nil, []string{"F"}, "the new F"},
		{map[string][]results.Code{"F": part}, []string{"F"}, "this part of F"},
		{map[string][]results.Code{"F": part, "G": part}, []string{"F", "G"}, "this part of F and of G"},
		{map[string][]results.Code{"F": part}, []string{"F", "G"}, "G and this part of F"},
		{map[string][]results.Code{"F": nil}, []string{"F"}, "line 101 of F"},
		{map[string][]results.Code{"F": fails}, []string{"F"}, "line 101 of F"},
		{map[string][]results.Code{"F": part, "G": nil, "H": part}, []string{"F", "G", "H"}, "line 101 of G, this part of F and of H"},
		{map[string][]results.Code{"F": part}, []string{"F", "G", "H", "I"}, "G, H, I and a part of 1 more function"},
		{nil, []string{"F", "G", "H", "I"}, "F, G, H and 1 more function"},
	} {
		r := UnrunOf(tt.code, tt.functions...)
		found := finding.Findings(r)
		if len(found) != 1 {
			t.Errorf("%v: findings %s", tt.functions, known.IDs(found))
			continue
		}
		s := Of(r, found[0])
		if got := s.Title.Plain("", ""); got != "no test runs "+tt.want {
			t.Errorf("%q, want that of %s", got, tt.want)
		}
		if shown := strings.Contains(tt.want, "this part"); shown != (s.Code != "") || shown != (len(s.Edit) > 0) {
			t.Errorf("%s: it shows %q, %q", tt.want, s.Code, s.Edit.Plain("", ""))
		}
	}
}

func TestOfWhatATitleHasNoRoomForItIsSaidWhatIsOnlyAPart(t *testing.T) {
	for want, code := range map[string]map[string][]results.Code{
		"The other one is a part of F.": {"F": {At(7, "\tg()")}},
		"The other one is I.":           nil,
	} {
		r := UnrunOf(code, "F", "G", "H", "I")
		if got := Of(r, finding.Findings(r)[0]).Claim.Plain("", ""); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestAFindingNamesFunctionsOfItThatNoTestRuns(t *testing.T) {
	r := &results.Results{Scope: []results.Function{{ID: "p.F", Name: "F"}, {ID: "p.G", Name: "G"}, {ID: "p.H", Name: "H"}}}
	r.Mutants = []results.Mutant{Survivor("a1", Exposed, Function("p.F")), Survivor("b2", NotReached, Function("p.G")), Survivor("c3", NotReached, Function("p.G")), Survivor("d4", NotReached, Function("p.H"))}
	f := finding.Finding{Kind: finding.Gap, Mutant: &r.Mutants[0], Also: []*results.Mutant{&r.Mutants[1], &r.Mutants[2], &r.Mutants[3]}}
	if got, want := notRunAtAll(r, f).Plain("", ""), "No test runs G and H."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	r.Mutants = append(r.Mutants, KilledIn("p.G"), KilledIn("p.H"))
	if got := notRunAtAll(r, f).Plain("", ""); got != "" {
		t.Errorf("of what tests run: %q", got)
	}
}

func TestCodeThatNothingRunsIsDrawn(t *testing.T) {
	long := strings.TrimSuffix(strings.Repeat("\tf()\n", 12), "\n")
	under := At(5, "\t\tf()")
	under.Under = "if n > 0"
	cut := At(5, long)
	cut.EndLine = 40
	for name, tt := range map[string]struct {
		code map[string][]results.Code
		want string
		edit string
	}{
		"a line":                  {map[string][]results.Code{"F": {under}}, "// line 5, under if n > 0\nf()", "line 5"},
		"places":                  {map[string][]results.Code{"F": {At(5, "\tf()"), At(9, "\tg()\n\th()")}}, "// line 5\nf()\n// lines 9–10\ng()\nh()", "lines 5, 9–10"},
		"what only fails":         {map[string][]results.Code{"F": {At(3, "\treturn nil, err"), At(5, "\tf()")}}, "// line 5\nf()", "line 5"},
		"what finds nothing":      {map[string][]results.Code{"F": {At(3, "\treturn 0"), At(5, "\tf()")}}, "// line 5\nf()", "line 5"},
		"functions":               {map[string][]results.Code{"F": {At(5, "\tf()")}, "G": {At(50, "\t\tif a {\n\t\t\tg()\n\t\t}")}}, "// F, line 5\nf()\n\n// G, lines 50–52\nif a {\n\tg()\n}", "line 5 of F; lines 50–52 of G"},
		"a lot":                   {map[string][]results.Code{"F": {At(5, long), At(30, "\tg()")}}, "// lines 5–16\n" + strings.Repeat("f()\n", 8) + "// … and 5 more lines", "lines 5–16, 30"},
		"a lot with remarks":      {map[string][]results.Code{"F": {At(5, "\t// why\n"+long)}}, "// lines 5–17\n" + strings.Repeat("f()\n", 8) + "// … and 4 more lines", "lines 5–17"},
		"of which only some is":   {map[string][]results.Code{"F": {cut}}, "// lines 5–40\n" + strings.Repeat("f()\n", 8) + "// … and 28 more lines", "lines 5–40"},
		"a lot of each of two":    {map[string][]results.Code{"F": {At(5, long)}, "G": {At(50, "\tg()")}}, "// F, lines 5–16\n" + strings.Repeat("f()\n", 4) + "// … and 8 more lines\n\n// G, line 50\ng()", "lines 5–16 of F; line 50 of G"},
		"hardly more":             {map[string][]results.Code{"F": {At(5, strings.Repeat("\tf()\n", 9)+"\tg()")}}, "// lines 5–14\n" + strings.Repeat("f()\n", 9) + "g()", "lines 5–14"},
		"room that one leaves":    {map[string][]results.Code{"F": {At(5, "\tf()")}, "G": {At(50, strings.TrimSuffix(strings.Repeat("\tg()\n", 7), "\n"))}}, "// F, line 5\nf()\n\n// G, lines 50–56\n" + strings.Repeat("g()\n", 6) + "g()", "line 5 of F; lines 50–56 of G"},
		"no text":                 {map[string][]results.Code{"F": {At(5, ""), At(7, "\tf()")}}, "// line 7\nf()\n// … and 1 more line", "lines 5, 7"},
		"an empty line and space": {map[string][]results.Code{"F": {At(5, "\t\tf()\n\n\tg()")}}, "// lines 5–7\n\tf()\n\ng()", "lines 5–7"},
		"lines out of order":      {map[string][]results.Code{"F": {{StartLine: 9, EndLine: 2, Source: "\tf()"}}}, "// line 9\nf()", "line 9"},
	} {
		functions := []string{"F", "G"}[:len(tt.code)]
		r := UnrunOf(tt.code, functions...)
		s := Of(r, finding.Findings(r)[0])
		if s.Code != tt.want || s.Edit.Plain("", "") != tt.edit {
			t.Errorf("%s:\n%s\n%q, want\n%s\n%q", name, s.Code, s.Edit.Plain("", ""), tt.want, tt.edit)
		}
	}
}

func TestCodeThatAConditionKeepsFromBeingDoneIsShown(t *testing.T) {
	never := NeverTrueOf("a1")
	always := NeverTrueOf("a1")
	always.Replacement = "n > max || true"
	for _, tt := range []struct {
		m            *results.Mutant
		title, claim string
	}{
		{&never, "p.F: no test has n > max", "TestF comes to this condition, which is false every time."},
		{&always, "p.F: no test has n <= max", "TestF comes to this condition, which is true every time."},
	} {
		s := Of(&results.Results{}, finding.Finding{Kind: finding.Gap, Mutant: tt.m})
		if s.Title.Plain("", "") != tt.title || s.Claim.Plain("", "") != tt.claim || len(s.Ask) > 0 {
			t.Errorf("it says\n%s\n%s\n%s", s.Title.Plain("", ""), s.Claim.Plain("", ""), s.Ask.Plain("", ""))
		}
		if s.Code != "// line 102\nn = max" || s.Edit.Plain("", "") != "line 102" || len(s.Change) > 0 {
			t.Errorf("it shows %q (%s), and the diff %q", s.Code, s.Edit.Plain("", ""), s.Change)
		}
	}
	never.Evidence.Program = true
	if got := Of(&results.Results{}, finding.Finding{Kind: finding.Gap, Mutant: &never}).Title.Plain("", ""); got != "p.F: no test is seen that has n > max" {
		t.Errorf("of what may run unseen: %s", got)
	}
	always.Evidence.Tests = 0
	if got := neverClaim(&always).Plain("", ""); got != "This condition is true whenever code comes to it." {
		t.Error(got)
	}
	for name, alter := range map[string]func(*results.Mutant){
		"another branch that is not there": func(m *results.Mutant) { m.Evidence.Never = nil },
		"a condition of several":           func(m *results.Mutant) { m.Context = "\tif n > max && ok {" },
	} {
		m := NeverTrueOf("a1")
		alter(&m)
		if s := Of(&results.Results{}, finding.Finding{Kind: finding.Gap, Mutant: &m}); s.Code != "" || len(s.Change) == 0 || strings.Contains(s.Title.Plain("", ""), "gets to") {
			t.Errorf("%s: %s\n%s", name, s.Title.Plain("", ""), s.Code)
		}
	}
}

func TestOneConditionWithAnEditOfWhatItKeepsFromBeingDoneIsToldByThatCode(t *testing.T) {
	within := Survivor("b2", Function("p.F"), NotReached)
	within.Line, within.EndLine = 102, 102
	r := &results.Results{Mutants: []results.Mutant{NeverTrueOf("a1"), within}}
	if s := finding.Select(r, nil, 0); len(s.Open) != 1 || Of(r, s.Open[0]).Code == "" {
		t.Errorf("%d findings", len(s.Open))
	}
}

func TestTestsThatOnlyComeToAPartOfTheChangeAreSaidNotToRunIt(t *testing.T) {
	part := Survivor("a1", Undone, Between(10, 60), Line(45))
	part.Evidence.Tests, part.Evidence.By = 3, []string{"p.TestA", "p.TestB", "p.TestC"}
	within := Survivor("a2", Function(part.Function), Between(30, 40), Line(46), NotReached)
	beside := Survivor("a3", Function(part.Function), Between(70, 80), Line(50))
	for _, tt := range []struct {
		name   string
		change func(part, within *results.Mutant)
		want   string
	}{
		{"none of several", func(_, _ *results.Mutant) {}, "`TestA`, `TestB` and `TestC` come here, but none runs line 46."},
		{"not the only one", func(part, _ *results.Mutant) { part.Evidence.Tests = 1 }, "`TestA` comes here, but does not run line 46."},
		{"a program runs where nothing tells", func(_, within *results.Mutant) { within.Evidence.Program = true }, "`TestA`, `TestB` and `TestC` come here, but none is seen to run line 46."},
		{"they run it", func(_, within *results.Mutant) { within.Stage = results.Infected }, "`TestA`, `TestB` and `TestC` run this code, and pass without it."},
		{"it is killed", func(_, within *results.Mutant) { within.Status = results.Killed }, "`TestA`, `TestB` and `TestC` run this code, and pass without it."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			part, within := part, within
			tt.change(&part, &within)
			r := &results.Results{Mutants: []results.Mutant{part, within, beside}}
			if got := Of(r, finding.Finding{Mutant: &r.Mutants[0], Kind: finding.Gap}).Claim.Markdown(); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}

func TestTestsThatLookAtNoResultAreNamed(t *testing.T) {
	m := Survivor("a1")
	m.Evidence.Tests, m.Evidence.By, m.Evidence.Blind = 4, []string{"p.TestA", "p.TestB", "p.TestC", "p.TestD"}, []string{"p.TestB", "p.TestD"}
	r := &results.Results{Mutants: []results.Mutant{m}}
	want := "`TestA`, `TestB` and 2 more tests run this code, and pass with this edit. `TestB` checks no result: only a panic or a hang makes it fail."
	if got := Of(r, finding.Finding{Mutant: &r.Mutants[0], Kind: finding.Gap}).Claim.Markdown(); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestTitleIsThatTestsLookAtNoResultIfNoOtherTestRunsTheCode(t *testing.T) {
	by := func(tests int, blind ...string) func(*results.Mutant) {
		return func(m *results.Mutant) {
			m.Evidence.Tests, m.Evidence.By, m.Evidence.Blind = tests, []string{"p.TestA", "p.TestB"}[:min(tests, 2)], blind
		}
	}
	both := by(2, "p.TestA", "p.TestB")
	for _, tt := range []struct {
		name string
		list []results.Mutant
		want string
	}{
		{"one test", []results.Mutant{Survivor("a1", Function("p.F"), by(1, "p.TestA"))}, "`TestA` checks no result, and no other test runs this code of `p.F`"},
		{"two", []results.Mutant{Survivor("a1", Function("p.F"), both)}, "`TestA` and `TestB` check no result, and no other test runs this code of `p.F`"},
		{"two functions", []results.Mutant{Survivor("a1", Function("p.F"), both), Survivor("b2", Function("p.G"), both)}, "`TestA` and `TestB` check no result, and no other test runs this code of `p.F` and `p.G`"},
		{"another test looks", []results.Mutant{Survivor("a1", Function("p.F"), by(2, "p.TestB"))}, "`p.F`: no test fails"},
		{"another one runs it", []results.Mutant{Survivor("a1", Function("p.F"), by(3, "p.TestA", "p.TestB"))}, "`p.F`: no test fails"},
		{"tests of dependents may", []results.Mutant{Survivor("a1", Function("p.F"), both, func(m *results.Mutant) { m.Evidence.OwnOnly = true })}, "`p.F`: no test of its package fails"},
		{"or another edit", []results.Mutant{Survivor("a1", Function("p.F"), both), Survivor("b2", Function("p.F"), by(2, "p.TestA"))}, "`p.F`: no test fails"},
	} {
		f := finding.Finding{Mutant: &tt.list[0], Kind: finding.Gap}
		for i := range tt.list[1:] {
			f.Also = append(f.Also, &tt.list[1+i])
		}
		if got := title(&results.Results{Mutants: tt.list}, f).Markdown(); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestConditionsThatNoTestHasTrueAreNamedTogether(t *testing.T) {
	check := func(id string, n int) results.Mutant {
		return Survivor(id, Function("p.F"), Line(n), Exposed, Between(100*n, 100*n+5), func(m *results.Mutant) {
			m.Evidence.Tests, m.Evidence.By = 1, []string{"p.TestF"}
			m.Original, m.Replacement, m.Evidence.BranchEnd = fmt.Sprintf("x < %d", n), fmt.Sprintf("x < %d && false", n), 100*n+50
		})
	}
	inside := func(id string, n int, changes ...func(*results.Mutant)) results.Mutant {
		return Survivor(id, append(changes, Function("p.F"), Line(n), Between(100*n+10, 100*n+20), Operator("string-literal"))...)
	}
	for _, tt := range []struct {
		name    string
		mutants []results.Mutant
		want    string
		order   string
	}{
		{"two", []results.Mutant{check("a1", 1), inside("b2", 1, NotReached), check("c3", 2), inside("d4", 2, NotReached)}, "`F`: no test makes `x < 1` or `x < 2` true", "a1 c3"},
		{
			"four, beside another edit",
			[]results.Mutant{
				check("a1", 1), inside("b2", 1, NotReached), Survivor("e5", Function("p.F"), Exposed, Line(1)), check("c3", 2), inside("d4", 2, NotReached),
				check("f6", 3), inside("g7", 3, NotReached), check("h8", 4), inside("i9", 4, NotReached),
			},
			"`F`: no test makes `x < 1`, `x < 2`, `x < 3` or 1 other condition true", "a1 c3 f6 h8 e5",
		},
		{
			"one of which stands once more", []results.Mutant{check("a1", 1), inside("b2", 1, NotReached), check("c3", 2), inside("d4", 2, NotReached), Survivor("e5", Function("p.F"), Line(9), Status(results.Killed, results.Revealed), func(m *results.Mutant) { m.Original = "x < 1" })},
			"`F`: no test makes `x < 1` in line 1 or `x < 2` true", "a1 c3",
		},
		{"one of which runs", []results.Mutant{check("a1", 1), inside("b2", 1, NotReached), check("c3", 2), inside("d4", 2)}, "`F`: no test has `x < 1`", "a1 c3"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := &results.Results{Scope: []results.Function{{ID: "p.F", Name: "F"}}, Mutants: tt.mutants}
			f := finding.Findings(r)[0]
			var order []string
			for _, m := range f.All() {
				order = append(order, m.ID)
			}
			if claim := Of(r, f).Claim.Markdown(); strings.Contains(claim, "false every time") != strings.Contains(tt.want, "no test makes") {
				t.Errorf("%s: %s", tt.want, claim)
			}
			if got := title(r, f).Markdown(); got != tt.want || strings.Join(order, " ") != tt.order {
				t.Errorf("%s (%v), want %s (%s)", got, order, tt.want, tt.order)
			}
		})
	}
}

func TestAllFunctionsThatATitleNamesHaveAPlace(t *testing.T) {
	other := Survivor("c3", NotReached, Function("p.H"))
	other.File = "h.go"
	r := &results.Results{
		Scope:   []results.Function{{ID: "p.F", Name: "F", Reason: results.ReasonAdded}, {ID: "p.G", Name: "G", Reason: results.ReasonAdded}, {ID: "p.H", Name: "H", Reason: results.ReasonAdded}},
		Mutants: []results.Mutant{Survivor("a1", NotReached, Function("p.F")), Survivor("b2", NotReached, Function("p.G")), other},
	}
	if got, want := Of(r, finding.Findings(r)[0]).Place, "f.go:101, 102, h.go:103"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestWhatNothingCallsNeedsACallAndNoTest(t *testing.T) {
	driven := func(m *results.Mutant) {
		m.Evidence.Unrun, m.Stage = true, results.Propagated
		m.ExposedBy = &results.ExposedBy{Call: "f(1)", Original: "1", Mutant: "2", Driver: true, Inner: true, Test: "func TestX(t *testing.T) { t.Error() }", TestFile: "f_test.go"}
	}
	r := &results.Results{
		Scope:   []results.Function{{ID: "p.f", Name: "f", Reason: results.ReasonAdded, Uncalled: true}, {ID: "p.G", Name: "G", Reason: results.ReasonAdded}},
		Mutants: []results.Mutant{Survivor("a1", Function("p.f"), driven), Survivor("b2", Function("p.G"), driven)},
	}
	s := Of(r, finding.Findings(r)[0])
	if got, want := s.Claim.Markdown(), "Nothing calls `f`."; got != want || s.Test == "" {
		t.Errorf("%s, want %s; test %q", got, want, s.Test)
	}
	r.Scope, r.Mutants = r.Scope[:1], r.Mutants[:1]
	s = Of(r, finding.Findings(r)[0])
	if got, want := s.Title.Markdown()+": "+s.Claim.Markdown(), "nothing calls `f`: Neither code nor tests call it. Either it is left over, or a call is missing."; got != want || s.Test != "" || len(s.Witness) > 0 {
		t.Errorf("%s, want %s; test %q", got, want, s.Test)
	}
}

func TestTestsOfFunctionsThatNothingRunsSayHowManyTheyRun(t *testing.T) {
	driven := func(call, gives string, setup ...string) func(*results.Mutant) {
		return func(m *results.Mutant) {
			m.Evidence.Unrun, m.Stage = true, results.Propagated
			m.ExposedBy = &results.ExposedBy{
				Setup: setup, Call: call, Original: gives, Mutant: "9", Driver: true,
				Test: "func TestX(t *testing.T) { if got := " + call + "; got != " + gives + " { t.Error(got) } }", TestFile: "x_test.go",
			}
		}
	}
	for fact, tt := range map[string]struct {
		mutants []results.Mutant
		want    string
	}{
		"the only one":                  {[]results.Mutant{Survivor("a1", Function("p.F"), driven("F(1)", "1"))}, "A test for `x_test.go` that runs it"},
		"one of two":                    {[]results.Mutant{Survivor("a1", Function("p.F"), driven("F(1)", "1")), Survivor("b2", Function("p.G"), NotReached)}, "A test for `x_test.go` that runs one of them"},
		"one that gives nothing":        {[]results.Mutant{Survivor("a1", Function("p.F"), driven("F(1)", "T{}"))}, ""},
		"what another call shows after": {[]results.Mutant{Survivor("a1", Function("p.T.F"), driven("t.F(1)", "T{}")), Survivor("b2", Function("p.T.F"), driven("t.G(2)", "2", "t.F(1)"))}, ""},
	} {
		r := &results.Results{Mutants: tt.mutants}
		for _, id := range []string{"p.F", "p.G", "p.T.F"} {
			r.Scope = append(r.Scope, results.Function{ID: id, Name: id[2:], Reason: results.ReasonAdded, StartLine: 1, EndLine: 20})
		}
		if got := Of(r, finding.Findings(r)[0]).About.Markdown(); got != tt.want {
			t.Errorf("%s: %q, want %q", fact, got, tt.want)
		}
	}
}

func TestATestOfWhatNothingRunsTakesTheWayOfACallerIfThereIsOne(t *testing.T) {
	shownBy := func(call string, inner bool) func(*results.Mutant) {
		return func(m *results.Mutant) {
			m.Evidence.Unrun, m.Stage = true, results.Propagated
			m.ExposedBy = &results.ExposedBy{
				Call: call, Original: "1", Mutant: "9", Driver: true, Inner: inner, TestFile: "x_test.go",
				Test: "func TestX(t *testing.T) { if got := " + call + "; got != 1 { t.Error(got) } }",
			}
		}
	}
	inside, outside := Survivor("a1", Function("p.f"), shownBy("f(1)", true)), Survivor("b2", Function("p.f"), shownBy("F(2)", false))
	for fact, tt := range map[string]struct {
		mutants []results.Mutant
		want    string
	}{
		"no caller": {[]results.Mutant{inside}, "f(1)"},
		"a caller":  {[]results.Mutant{inside, outside}, "F(2)"},
	} {
		r := &results.Results{Mutants: tt.mutants, Scope: []results.Function{{ID: "p.f", Name: "f", Reason: results.ReasonAdded, StartLine: 1, EndLine: 20}}}
		if got := Of(r, finding.Findings(r)[0]).Test; !strings.Contains(got, tt.want) || strings.Count(got, "func Test") != 1 {
			t.Errorf("%s: the test is %q, want one of %s", fact, got, tt.want)
		}
	}
}

func TestAMethodOfOneStatementIsNamedWithOneOfItsNameThatNothingRunsEither(t *testing.T) {
	r := &results.Results{
		Scope: []results.Function{
			{ID: "p.T.Counts", Name: "T.Counts", Reason: results.ReasonAdded, StartLine: 1, EndLine: 9},
			{ID: "p.U.Counts", Name: "U.Counts", Reason: results.ReasonAdded, StartLine: 11, EndLine: 13},
			{ID: "p.U.Name", Name: "U.Name", Reason: results.ReasonAdded, StartLine: 21, EndLine: 23},
		},
		Mutants: []results.Mutant{
			Survivor("a1", Function("p.T.Counts"), NotReached, Line(2)), Survivor("b2", Function("p.U.Counts"), NotReached, Line(12)),
			Survivor("c3", Function("p.U.Name"), NotReached, Line(22)),
		},
	}
	found := finding.Findings(r)
	if len(found) == 0 {
		t.Fatal("nothing found")
	}
	if got, want := Of(r, found[0]).Title.Markdown(), "no test runs the new `T.Counts` and `U.Counts`"; got != want || len(found) > 1 {
		t.Errorf("%s, want %s; %d findings", got, want, len(found))
	}
}

func TestLinesThatRunAreNotCalledUnrun(t *testing.T) {
	never := results.Code{StartLine: 110, EndLine: 110, Source: "\treturn nil"}
	option := func(m *results.Mutant) { m.Context = "if p.exit {" }
	r := &results.Results{
		Scope: []results.Function{
			{ID: "p.T.Exit", Name: "T.Exit", Package: "p", Reason: results.ReasonAdded},
			{ID: "p.T.Add", Name: "T.Add", Package: "p", Reason: results.ReasonChanged},
		},
		AddedData: []string{"p.T.exit"},
		Mutants: []results.Mutant{
			Survivor("a1", Function("p.T.Exit"), NotReached, func(m *results.Mutant) { m.Context = "p.exit = true" }),
			Survivor("b9", Function("p.T.Add"), Undone, option, Line(109), func(m *results.Mutant) { m.Evidence.Tests, m.Verified = 3, false }),
			Survivor("c9", Function("p.T.Add"), Exposed, option, Line(109), func(m *results.Mutant) {
				m.Evidence.Tests, m.Evidence.Never, m.Verified = 3, &never, false
			}),
		},
	}
	found := finding.Findings(r)
	if len(found) != 1 || found[0].Kind != finding.NotRun || len(found[0].Also) == 0 {
		t.Fatalf("findings: %s", known.IDs(found))
	}
	s := Of(r, found[0])
	if got, want := s.Title.Plain("", ""), "no test runs T.Exit and this part of T.Add"; got != want || s.Place != "f.go:101, 110" || s.Code != "// line 110\nreturn nil" {
		t.Errorf("%q at %s, with %q, want %q", got, s.Place, s.Code, want)
	}
}

func TestALongBranchThatNoTestTakesIsToldAlone(t *testing.T) {
	for lines, want := range map[int]string{2: "p.F: no test fails with ba1 in place of aa1", 7: "p.F: no test has n > max"} {
		other, never := Survivor("a1", Function("p.F")), NeverTrueOf("b2")
		never.Evidence.Never.EndLine = never.Evidence.Never.StartLine + lines - 1
		found := finding.Findings(&results.Results{Mutants: []results.Mutant{other, never}})
		if len(found) != 1 {
			t.Fatalf("%d lines: %d findings", lines, len(found))
		}
		s := Of(&results.Results{}, found[0])
		if got := s.Title.Plain("", ""); got != want {
			t.Errorf("%d lines: %q, want %q", lines, got, want)
		}
		if alone := lines > 2; alone != (s.Code != "") || alone != (len(s.Others) == 1 && len(s.Rows) == 0) {
			t.Errorf("%d lines: code %q, %d rows, %d others", lines, s.Code, len(s.Rows), len(s.Others))
		}
	}
}

func TestChangedLinesOfAFunctionThatNothingRunsAreDrawn(t *testing.T) {
	for reason, want := range map[string]string{results.ReasonChanged: "// line 103\ng()", results.ReasonAdded: ""} {
		r := &results.Results{
			Mutants: []results.Mutant{Survivor("a1", Function("p.F"), NotReached, func(m *results.Mutant) { m.Evidence.Unrun = true })}, // but a driver does
			Scope:   []results.Function{{ID: "p.F", Name: "F", File: "f.go", Reason: reason, StartLine: 100, EndLine: 120, Unrun: []results.Code{At(103, "\tg()")}}},
		}
		if s := Of(r, finding.Findings(r)[0]); s.Code != want || !strings.HasSuffix(s.Title.Plain("", ""), " F") {
			t.Errorf("%s: %q\n%s, want\n%s", reason, s.Title.Plain("", ""), s.Code, want)
		}
	}
}
