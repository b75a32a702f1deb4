package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// unrunOf returns results with a mutant in each function that nothing reaches. Each function in code also has a killed
// mutant, so something runs it in part.
func unrunOf(code map[string][]results.Code, functions ...string) *results.Results {
	r := &results.Results{}
	for i, name := range functions {
		id := "p." + name
		r.Scope = append(r.Scope, results.Function{ID: id, Name: name, File: "f.go", StartLine: 1, EndLine: 200, Reason: results.ReasonAdded, Unrun: code[name]})
		r.Mutants = append(r.Mutants, survivor(string(rune('a'+i))+"1", function(id), notReached))
		if _, runs := code[name]; runs {
			r.Mutants = append(r.Mutants, survivor(string(rune('a'+i))+"2", function(id), func(m *results.Mutant) { m.Status = results.Killed }))
		}
	}
	return r
}

func at(line int, source string) results.Code {
	return results.Code{StartLine: line, EndLine: line + strings.Count(source, "\n"), Source: source}
}

func TestTitleOfWhatNothingRunsNamesTheFunctions(t *testing.T) {
	part, fails := []results.Code{at(7, "\tg()")}, []results.Code{at(7, "\treturn err")}
	for _, tt := range []struct {
		code      map[string][]results.Code
		functions []string
		want      string
	}{
		{nil, []string{"F"}, "F"},
		{map[string][]results.Code{"F": part}, []string{"F"}, "this part of F"},
		{map[string][]results.Code{"F": part, "G": part}, []string{"F", "G"}, "this part of F and of G"},
		{map[string][]results.Code{"F": part}, []string{"F", "G"}, "G and this part of F"},
		{map[string][]results.Code{"F": nil}, []string{"F"}, "line 101 of F"},
		{map[string][]results.Code{"F": fails}, []string{"F"}, "line 101 of F"},
		{map[string][]results.Code{"F": part, "G": nil, "H": part}, []string{"F", "G", "H"}, "line 101 of G, this part of F and of H"},
		{map[string][]results.Code{"F": part}, []string{"F", "G", "H", "I"}, "G, H, I and a part of 1 more function"},
		{nil, []string{"F", "G", "H", "I"}, "F, G, H and 1 more function"},
	} {
		r := unrunOf(tt.code, tt.functions...)
		found := Findings(r)
		if len(found) != 1 {
			t.Errorf("%v: findings %s", tt.functions, ids(found))
			continue
		}
		s := storyOf(r, found[0])
		if got := s.title.Plain("", ""); got != "no test or fuzz target runs "+tt.want {
			t.Errorf("%q, want that of %s", got, tt.want)
		}
		if shown := strings.Contains(tt.want, "this part"); shown != (s.code != "") || shown != (len(s.edit) > 0) {
			t.Errorf("%s: it shows %q, %q", tt.want, s.code, s.edit.Plain("", ""))
		}
	}
}

func TestOfWhatATitleHasNoRoomForItIsSaidWhatIsOnlyAPart(t *testing.T) {
	for want, code := range map[string]map[string][]results.Code{
		"The other one is a part of F. No test would fail if this code were wrong.": {"F": {at(7, "\tg()")}},
		"The other one is I. No test would fail if this code were wrong.":           nil,
	} {
		r := unrunOf(code, "F", "G", "H", "I")
		if got := storyOf(r, Findings(r)[0]).claim.Plain("", ""); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestAFindingNamesFunctionsOfItThatNoTestRuns(t *testing.T) {
	r := &results.Results{Scope: []results.Function{{ID: "p.F", Name: "F"}, {ID: "p.G", Name: "G"}, {ID: "p.H", Name: "H"}}}
	r.Mutants = []results.Mutant{survivor("a1", exposed, function("p.F")), survivor("b2", notReached, function("p.G")), survivor("c3", notReached, function("p.G")), survivor("d4", notReached, function("p.H"))}
	f := Finding{Kind: Gap, Mutant: &r.Mutants[0], Also: []*results.Mutant{&r.Mutants[1], &r.Mutants[2], &r.Mutants[3]}}
	if got, want := notRunAtAll(r, f).Plain("", ""), "No test runs G and H."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	r.Mutants = append(r.Mutants, killedIn("p.G"), killedIn("p.H"))
	if got := notRunAtAll(r, f).Plain("", ""); got != "" {
		t.Errorf("of what tests run: %q", got)
	}
}

func TestWhatAFindingSaysThatNothingRunsIsNotListedBelow(t *testing.T) {
	r := unrunOf(map[string][]results.Code{"F": {at(101, "\tg()\n\th()")}}, "F")
	r.Scope[0].Reason = results.ReasonChanged
	for line, listed := range map[int]bool{101: false, 102: false, 103: true} {
		again := survivor("z9", notReached, operator("integer-literal"), function(r.Mutants[0].Function))
		again.Line = line
		with := *r
		with.Mutants = append(slices.Clone(r.Mutants), again)
		s := Select(&with, nil, DefaultMaxFindings)
		if len(s.Open) != 1 || s.Open[0].Kind != NotRun || slices.ContainsFunc(s.Folded, func(m *results.Mutant) bool { return m.ID == "z9" }) != listed {
			t.Errorf("line %d: findings %s, folded %d; want it listed: %t", line, ids(s.Open), len(s.Folded), listed)
		}
	}
}

func TestCodeThatNothingRunsIsDrawn(t *testing.T) {
	long := strings.TrimSuffix(strings.Repeat("\tf()\n", 12), "\n")
	under := at(5, "\t\tf()")
	under.Under = "if n > 0"
	cut := at(5, long)
	cut.EndLine = 40
	for name, tt := range map[string]struct {
		code map[string][]results.Code
		want string
		edit string
	}{
		"a line":                  {map[string][]results.Code{"F": {under}}, "// line 5, under if n > 0\nf()", "line 5"},
		"places":                  {map[string][]results.Code{"F": {at(5, "\tf()"), at(9, "\tg()\n\th()")}}, "// line 5\nf()\n// lines 9–10\ng()\nh()", "lines 5, 9–10"},
		"what only fails":         {map[string][]results.Code{"F": {at(3, "\treturn nil, err"), at(5, "\tf()")}}, "// line 5\nf()", "line 5"},
		"what finds nothing":      {map[string][]results.Code{"F": {at(3, "\treturn 0"), at(5, "\tf()")}}, "// line 5\nf()", "line 5"},
		"functions":               {map[string][]results.Code{"F": {at(5, "\tf()")}, "G": {at(50, "\t\tif a {\n\t\t\tg()\n\t\t}")}}, "// F, line 5\nf()\n\n// G, lines 50–52\nif a {\n\tg()\n}", "line 5 of F; lines 50–52 of G"},
		"a lot":                   {map[string][]results.Code{"F": {at(5, long), at(30, "\tg()")}}, "// lines 5–16\n" + strings.Repeat("f()\n", 8) + "// … and 5 more lines", "lines 5–16, 30"},
		"a lot with remarks":      {map[string][]results.Code{"F": {at(5, "\t// why\n"+long)}}, "// lines 5–17\n" + strings.Repeat("f()\n", 8) + "// … and 4 more lines", "lines 5–17"},
		"of which only some is":   {map[string][]results.Code{"F": {cut}}, "// lines 5–40\n" + strings.Repeat("f()\n", 8) + "// … and 28 more lines", "lines 5–40"},
		"a lot of each of two":    {map[string][]results.Code{"F": {at(5, long)}, "G": {at(50, "\tg()")}}, "// F, lines 5–16\n" + strings.Repeat("f()\n", 4) + "// … and 8 more lines\n\n// G, line 50\ng()", "lines 5–16 of F; line 50 of G"},
		"hardly more":             {map[string][]results.Code{"F": {at(5, strings.Repeat("\tf()\n", 9)+"\tg()")}}, "// lines 5–14\n" + strings.Repeat("f()\n", 9) + "g()", "lines 5–14"},
		"room that one leaves":    {map[string][]results.Code{"F": {at(5, "\tf()")}, "G": {at(50, strings.TrimSuffix(strings.Repeat("\tg()\n", 7), "\n"))}}, "// F, line 5\nf()\n\n// G, lines 50–56\n" + strings.Repeat("g()\n", 6) + "g()", "line 5 of F; lines 50–56 of G"},
		"no text":                 {map[string][]results.Code{"F": {at(5, ""), at(7, "\tf()")}}, "// line 7\nf()\n// … and 1 more line", "lines 5, 7"},
		"an empty line and space": {map[string][]results.Code{"F": {at(5, "\t\tf()\n\n\tg()")}}, "// lines 5–7\n\tf()\n\ng()", "lines 5–7"},
		"lines out of order":      {map[string][]results.Code{"F": {{StartLine: 9, EndLine: 2, Source: "\tf()"}}}, "// line 9\nf()", "line 9"},
	} {
		functions := []string{"F", "G"}[:len(tt.code)]
		r := unrunOf(tt.code, functions...)
		s := storyOf(r, Findings(r)[0])
		if s.code != tt.want || s.edit.Plain("", "") != tt.edit {
			t.Errorf("%s:\n%s\n%q, want\n%s\n%q", name, s.code, s.edit.Plain("", ""), tt.want, tt.edit)
		}
	}
}

func TestReturningAnErrorOrPanickingIsOnlyFailing(t *testing.T) {
	for source, want := range map[string]bool{
		"\treturn nil, err":                                   true,
		"\tpanic(\"no\")":                                     true,
		"\tpanicErr(err)":                                     true,
		"\tlog.Fatalf(\"no\")":                                true,
		"\treturn fmt.Errorf(\n\t\t\"no %d\",\n\t\tn)":        true,
		"\tcase 1:\n\t\treturn err\n\tdefault:\n\t\tpanic(1)": true,
		"\t// why\n\treturn errors.New(\"no\")\n":             true,
		"\treturn 1":                                          false,
		"\tclose()\n\treturn err":                             false,
		"\treturn err\n\tf()":                                 false,
		"\tdefault:":                                          false,
		"":                                                    false,
	} {
		if failsOnly(source) != want {
			t.Errorf("%q: %v", source, !want)
		}
	}
}

func TestReturningAnythingUnderAnErrorIsOnlyFailing(t *testing.T) {
	for code, want := range map[results.Code]bool{
		{Under: "if err != nil", Source: "\treturn []byte(\"???\")"}:                                                 true,
		{Under: "if x, parseErr := f(); parseErr != nil", Source: "return 0"}:                                        true,
		{Under: "if err != nil && n > 0", Source: "\treturn 0"}:                                                      false,
		{Under: "if n > 0", Source: "\treturn 0"}:                                                                    false,
		{Under: "if err != nil", Source: "\tclose()\n\treturn 0"}:                                                    false,
		{Under: "if err != nil", Source: "\ts.logger.ErrorContext(ctx, \"no\", \"err\", err)\n\treturn \"\", false"}: true,
		{Under: "if err != nil", Source: "\tlog(ctx).Warn(err)\n\t// why\n\treturn"}:                                 true,
		{Under: "if err != nil", Source: "\tlog.Fatal(err)"}:                                                         true,
		{Under: "if err != nil", Source: "\ts.fire(NewError(\n\t\t\"persister\",\n\t\terr,\n\t))\n\tcontinue"}:       true,
		{Under: "if err != nil", Source: "\ts.fire(NewError(\n\t\terr,\n\t))"}:                                       true,
		{Under: "if err != nil", Source: "\ts.fire(NewError(\n\t\terr,"}:                                             true,
		{Under: "if err != nil", Source: "\ts.fire(\n\t\terr"}:                                                       false,
		{Under: "if err != nil", Source: "\tcatalog.Add(1)\n\treturn 0"}:                                             false,
	} {
		if givesUp(code) != want {
			t.Errorf("%+v: %v", code, !want)
		}
		ran := survivor("a1", function("p.F"), line(50))
		missed := survivor("b2", function("p.F"), line(52), notReached)
		code.StartLine, code.EndLine = 52, 52
		r := &results.Results{
			Scope:   []results.Function{{ID: "p.F", File: "f.go", Reason: results.ReasonAdded, StartLine: 40, EndLine: 60, Unrun: []results.Code{code}}},
			Mutants: []results.Mutant{ran, missed},
		}
		if got := newRanking(r).reason(&r.Mutants[1]); (got.worth < worthShown) != want {
			t.Errorf("%+v: %+v", code, got)
		}
	}
}

// neverTrueOf returns a mutant that forces a condition to be false that is true in no test. Never is the code under it.
func neverTrueOf(id string) results.Mutant {
	code := at(102, "\t\tn = max")
	return survivor(id, function("p.F"), func(m *results.Mutant) {
		m.Original, m.Replacement, m.Context, m.Evidence.Never = "n > max", "n > max && false", "\tif n > max {", &code
		m.Evidence.Tests, m.Evidence.By = 1, []string{"p.TestF"}
	})
}

func TestCodeThatAConditionKeepsFromBeingDoneIsShown(t *testing.T) {
	never := neverTrueOf("a1")
	always := neverTrueOf("a1")
	always.Replacement = "n > max || true"
	for _, tt := range []struct {
		m                  *results.Mutant
		title, claim, asks string
	}{
		{&never, "p.F: no test runs the branch where n > max", "TestF comes to this condition, which is false every time.", "A test in which it is true would run this code."},
		{&always, "p.F: no test runs the branch where n > max is false", "TestF comes to this condition, which is true every time.", "A test in which it is false would run this code."},
	} {
		s := storyOf(&results.Results{}, Finding{Kind: Gap, Mutant: tt.m})
		if s.title.Plain("", "") != tt.title || s.claim.Plain("", "") != tt.claim || s.ask.Plain("", "") != tt.asks {
			t.Errorf("it says\n%s\n%s\n%s", s.title.Plain("", ""), s.claim.Plain("", ""), s.ask.Plain("", ""))
		}
		if s.code != "// line 102\nn = max" || s.edit.Plain("", "") != "line 102" || len(s.change) > 0 {
			t.Errorf("it shows %q (%s), and the diff %q", s.code, s.edit.Plain("", ""), s.change)
		}
	}
	never.Evidence.Program = true
	if got := storyOf(&results.Results{}, Finding{Kind: Gap, Mutant: &never}).title.Plain("", ""); got != "p.F: no test is seen to run the branch where n > max" {
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
		m := neverTrueOf("a1")
		alter(&m)
		if s := storyOf(&results.Results{}, Finding{Kind: Gap, Mutant: &m}); s.code != "" || len(s.change) == 0 || strings.Contains(s.title.Plain("", ""), "gets to") {
			t.Errorf("%s: %s\n%s", name, s.title.Plain("", ""), s.code)
		}
	}
}

func TestEditsOfCodeThatAConditionKeepsFromBeingDoneAreNotTold(t *testing.T) {
	forced := neverTrueOf("a1")
	within, all, behind := survivor("b2", function("p.F"), notReached), survivor("c3", function("p.F")), survivor("d4", function("p.F"), notReached)
	within.Line, within.EndLine = 102, 102
	all.Line, all.EndLine = 101, 103
	behind.Line, behind.EndLine = 103, 104
	r := &results.Results{Mutants: []results.Mutant{forced, within, all, behind}}
	for i, want := range []bool{false, true, true, false} {
		if got := toldWith(&r.Mutants[0], &r.Mutants[i]); got != want {
			t.Errorf("%s: %v", r.Mutants[i].ID, got)
		}
	}
	r.Mutants = r.Mutants[:2]
	if s := Select(r, nil, 0); len(s.Open) != 1 || len(s.Folded) != 0 || storyOf(r, s.Open[0]).code == "" {
		t.Errorf("%d findings, and %d edits besides", len(s.Open), len(s.Folded))
	}
	r.Mutants[1].Stage, r.Mutants[1].ExposedBy = results.Propagated, &results.ExposedBy{Call: "F(9)", Original: "1", Mutant: "2", Driver: true}
	if toldWith(&r.Mutants[0], &r.Mutants[1]) {
		t.Error("an input shows it, which is worth a row")
	}
}

func TestTestsThatOnlyComeToAPartOfTheChangeAreSaidNotToRunIt(t *testing.T) {
	part := survivor("a1", undone, between(10, 60), line(45))
	part.Evidence.Tests, part.Evidence.By = 3, []string{"p.TestA", "p.TestB", "p.TestC"}
	within := survivor("a2", function(part.Function), between(30, 40), line(46), notReached)
	beside := survivor("a3", function(part.Function), between(70, 80), line(50))
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
			if got := storyOf(r, Finding{Mutant: &r.Mutants[0], Kind: Gap}).claim.Markdown(); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}

func TestTestsThatLookAtNoResultAreNamed(t *testing.T) {
	m := survivor("a1")
	m.Evidence.Tests, m.Evidence.By, m.Evidence.Blind = 4, []string{"p.TestA", "p.TestB", "p.TestC", "p.TestD"}, []string{"p.TestB", "p.TestD"}
	r := &results.Results{Mutants: []results.Mutant{m}}
	want := "`TestA`, `TestB`, `TestC` and 1 more test run this code, and pass with this edit. `TestB` checks no result: only a panic or a hang makes it fail."
	if got := storyOf(r, Finding{Mutant: &r.Mutants[0], Kind: Gap}).claim.Markdown(); got != want {
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
		{"one test", []results.Mutant{survivor("a1", function("p.F"), by(1, "p.TestA"))}, "`TestA` checks no result, and no other test runs this code of `p.F`"},
		{"two", []results.Mutant{survivor("a1", function("p.F"), both)}, "`TestA` and `TestB` check no result, and no other test runs this code of `p.F`"},
		{"two functions", []results.Mutant{survivor("a1", function("p.F"), both), survivor("b2", function("p.G"), both)}, "`TestA` and `TestB` check no result, and no other test runs this code of `p.F` and `p.G`"},
		{"another test looks", []results.Mutant{survivor("a1", function("p.F"), by(2, "p.TestB"))}, "`p.F`: no test fails"},
		{"another one runs it", []results.Mutant{survivor("a1", function("p.F"), by(3, "p.TestA", "p.TestB"))}, "`p.F`: no test fails"},
		{"tests of dependents may", []results.Mutant{survivor("a1", function("p.F"), both, func(m *results.Mutant) { m.Evidence.OwnOnly = true })}, "`p.F`: no test of its package fails"},
		{"or another edit", []results.Mutant{survivor("a1", function("p.F"), both), survivor("b2", function("p.F"), by(2, "p.TestA"))}, "`p.F`: no test fails"},
	} {
		f := Finding{Mutant: &tt.list[0], Kind: Gap}
		for i := range tt.list[1:] {
			f.Also = append(f.Also, &tt.list[1+i])
		}
		if got := title(&results.Results{Mutants: tt.list}, f).Markdown(); !strings.HasPrefix(got, tt.want) {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestFunctionsThatOnlyTestsRunThatLookAtNothingAreToldTogether(t *testing.T) {
	blind := func(test string) func(*results.Mutant) {
		return func(m *results.Mutant) {
			m.Evidence.Tests, m.Evidence.By, m.Evidence.Blind = 1, []string{test}, []string{test}
		}
	}
	r := &results.Results{Mutants: []results.Mutant{
		survivor("a1", function("p.F"), line(1), blind("p.TestA")), survivor("b2", function("p.G"), line(20), blind("p.TestA")), survivor("c3", function("p.H"), line(40), blind("p.TestB")),
	}}
	var functions []int
	for _, f := range Findings(r) {
		functions = append(functions, len(f.all()))
	}
	if !slices.Equal(functions, []int{2, 1}) {
		t.Errorf("findings of %v functions, want one of F and G, and one of H", functions)
	}
}

func TestConditionsThatNoTestHasTrueAreNamedTogether(t *testing.T) {
	check := func(id string, n int) results.Mutant {
		return survivor(id, function("p.F"), line(n), exposed, between(100*n, 100*n+5), func(m *results.Mutant) {
			m.Evidence.Tests, m.Evidence.By = 1, []string{"p.TestF"}
			m.Original, m.Replacement, m.Evidence.BranchEnd = fmt.Sprintf("x < %d", n), fmt.Sprintf("x < %d && false", n), 100*n+50
		})
	}
	inside := func(id string, n int, changes ...func(*results.Mutant)) results.Mutant {
		return survivor(id, append(changes, function("p.F"), line(n), between(100*n+10, 100*n+20), operator("string-literal"))...)
	}
	for _, tt := range []struct {
		name    string
		mutants []results.Mutant
		want    string
		order   string
	}{
		{"two", []results.Mutant{check("a1", 1), inside("b2", 1, notReached), check("c3", 2), inside("d4", 2, notReached)}, "`F`: no test makes `x < 1` or `x < 2` true", "a1 c3"},
		{
			"four, beside another edit",
			[]results.Mutant{
				check("a1", 1), inside("b2", 1, notReached), survivor("e5", function("p.F"), exposed, line(1)), check("c3", 2), inside("d4", 2, notReached),
				check("f6", 3), inside("g7", 3, notReached), check("h8", 4), inside("i9", 4, notReached),
			},
			"`F`: no test makes `x < 1`, `x < 2`, `x < 3`, or 1 other condition true", "a1 c3 f6 h8 e5",
		},
		{
			"one of which stands once more", []results.Mutant{check("a1", 1), inside("b2", 1, notReached), check("c3", 2), inside("d4", 2, notReached), survivor("e5", function("p.F"), line(9), status(results.Killed, results.Revealed), func(m *results.Mutant) { m.Original = "x < 1" })},
			"`F`: no test makes `x < 1` in line 1 or `x < 2` true", "a1 c3",
		},
		{"one of which runs", []results.Mutant{check("a1", 1), inside("b2", 1, notReached), check("c3", 2), inside("d4", 2)}, "`F`: no test fails if it takes `x < 1` as false, or with 1 other edit", "a1 c3"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := &results.Results{Scope: []results.Function{{ID: "p.F", Name: "F"}}, Mutants: tt.mutants}
			f := Findings(r)[0]
			var order []string
			for _, m := range f.all() {
				order = append(order, m.ID)
			}
			if claim := storyOf(r, f).claim.Markdown(); strings.Contains(claim, "false every time") != strings.Contains(tt.want, "no test makes") {
				t.Errorf("%s: %s", tt.want, claim)
			}
			if got := title(r, f).Markdown(); got != tt.want || strings.Join(order, " ") != tt.order {
				t.Errorf("%s (%v), want %s (%s)", got, order, tt.want, tt.order)
			}
		})
	}
}

func TestAllFunctionsThatATitleNamesHaveAPlace(t *testing.T) {
	other := survivor("c3", notReached, function("p.H"))
	other.File = "h.go"
	r := &results.Results{
		Scope:   []results.Function{{ID: "p.F", Name: "F", Reason: results.ReasonAdded}, {ID: "p.G", Name: "G", Reason: results.ReasonAdded}, {ID: "p.H", Name: "H", Reason: results.ReasonAdded}},
		Mutants: []results.Mutant{survivor("a1", notReached, function("p.F")), survivor("b2", notReached, function("p.G")), other},
	}
	if got, want := storyOf(r, Findings(r)[0]).place, "f.go:101, 102, h.go:103"; got != want {
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
		Mutants: []results.Mutant{survivor("a1", function("p.f"), driven), survivor("b2", function("p.G"), driven)},
	}
	s := storyOf(r, Findings(r)[0])
	if got, want := s.claim.Markdown(), "Nothing calls `f`. No test would fail if this code were wrong."; got != want || s.test == "" {
		t.Errorf("%s, want %s; test %q", got, want, s.test)
	}
	r.Scope, r.Mutants = r.Scope[:1], r.Mutants[:1]
	s = storyOf(r, Findings(r)[0])
	if got, want := s.title.Markdown()+": "+s.claim.Markdown(), "nothing calls `f`: Neither code nor tests call it. Either it is left over, or a call is missing."; got != want || s.test != "" || len(s.witness) > 0 {
		t.Errorf("%s, want %s; test %q", got, want, s.test)
	}
}

func TestTestsThatAssertLittleAreToldFromOthers(t *testing.T) {
	body := func(lines string) string { return "func TestF(t *testing.T) {\n" + lines + "}\n" }
	for _, tt := range []struct {
		body            string
		nothing, little bool
	}{
		{"\tF()\n", true, true},
		{"\terr := F()\n\tif err == nil {\n\t\tt.Error(\"F(): no error\")\n\t}\n", false, true},
		{"\terr := F()\n\tif err != nil {\n\t\tt.Errorf(\"F(): %v\", err)\n\t}\n", false, false},
		{"\tgot, err := F()\n\tif got != 1 {\n\t\tt.Errorf(\"%v\", got)\n\t}\n\tif err == nil {\n\t\tt.Error(1)\n\t}\n", false, false},
		{"\terr := F()\n\trequire.Error(t, err)\n", false, true},
		{"\tgot := F()\n\tassert.NotNil(t, got)\n", false, true},
		{"\tgot, err := F()\n\tassert.Equal(t, 1, got)\n\tassert.Error(t, err)\n", false, false},
		{"\terr := F()\n\tassert.NoError(t, err)\n", false, false},
	} {
		if nothing, little := assertsNothing(body(tt.body)), assertsLittle(body(tt.body)); nothing != tt.nothing || little != tt.little {
			t.Errorf("%s\nnothing %t, little %t", tt.body, nothing, little)
		}
	}
}

func TestTestsOfCodeThatNothingRunsGoEachAnotherWay(t *testing.T) {
	type edit struct{ id, function, original, call, result string }
	for fact, tt := range map[string]struct {
		edits []edit
		want  string
	}{
		"each return statement first": {[]edit{
			{"a1", "F", "x > 0", "F(1)", "1"}, {"b2", "F", "return x", "F(1)", "1"}, {"b3", "F", "return x", "F(1)", "1"}, {"d4", "F", "return y", "", ""}, {"e5", "F", "return z", "F(3)", "1"},
		}, "b2 e5 b3 a1"},
		"each function before that": {[]edit{{"a1", "F", "return x", "F(1)", "1"}, {"b2", "F", "return y", "F(2)", "2"}, {"c3", "G", "return x", "G(1)", "1"}}, "a1 c3 b2"},
		"each result of one statement": {[]edit{
			{"a1", "F", "x > 0", `F("a")`, "true"}, {"b2", "F", "x == 0", `F("b")`, "true"}, {"c3", "F", "x < 0", `F("\\ueb2a")`, "false"}, {"d4", "F", "x != 0", `F("c")`, "false"},
		}, "a1 d4 b2"},
		"the one that runs most functions first": {[]edit{{"a1", "F", "return x", "F(1)", "1"}, {"b2", "F", "return y", "F(2)", "2"}, {"c3", "G", "return x", "F(2)", "2"}}, "b2 c3 a1"},
		"nothing that only gives nothing":        {[]edit{{"a1", "F", "x > 0", "F(1)", "false"}}, ""},
	} {
		var list []*results.Mutant
		for n, e := range tt.edits {
			m := survivor(e.id, line(10*n), function("p."+e.function))
			if m.Original = e.original; e.call != "" {
				m = survivor(e.id, line(10*n), function("p."+e.function), exposed, func(m *results.Mutant) {
					m.Original, m.ExposedBy.Call, m.ExposedBy.Original = e.original, e.call, e.result
				})
			}
			if e.id == "b3" {
				m.Line = list[1].Line
			}
			list = append(list, &m)
		}
		var got []string
		for _, m := range ways(list) {
			got = append(got, m.ID)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %v, want %s", fact, got, tt.want)
		}
	}
}

func TestLinesThatNothingRunsAreShownThoughOnlyAnEditSaysWhichTheyAre(t *testing.T) {
	several := survivor("a1", notReached, line(3), func(m *results.Mutant) {
		m.Column, m.EndLine, m.Original, m.Evidence.Case = 3, 5, "if a {\n\t\t\tf()\n\t\t}", "default"
	})
	one := survivor("b2", notReached, line(9))
	far := several
	if far.Column = 1 << 40; len(codeOf([]*results.Mutant{&far})[0].Source) > 100 {
		t.Error("results say how much memory it takes")
	}
	for _, tt := range []struct {
		list []*results.Mutant
		want []results.Code
	}{
		{[]*results.Mutant{&several}, []results.Code{{StartLine: 3, EndLine: 5, Under: "default", Source: "\t\tif a {\n\t\t\tf()\n\t\t}"}}},
		{[]*results.Mutant{&one}, nil}, {[]*results.Mutant{&several, &one}, nil},
	} {
		if got := codeOf(tt.list); !slices.Equal(got, tt.want) {
			t.Errorf("%d edits: %+v, want %+v", len(tt.list), got, tt.want)
		}
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
		"the only one":                  {[]results.Mutant{survivor("a1", function("p.F"), driven("F(1)", "1"))}, "A test for `x_test.go` that runs it"},
		"one of two":                    {[]results.Mutant{survivor("a1", function("p.F"), driven("F(1)", "1")), survivor("b2", function("p.G"), notReached)}, "A test for `x_test.go` that runs one of them"},
		"one that gives nothing":        {[]results.Mutant{survivor("a1", function("p.F"), driven("F(1)", "T{}"))}, ""},
		"what another call shows after": {[]results.Mutant{survivor("a1", function("p.T.F"), driven("t.F(1)", "T{}")), survivor("b2", function("p.T.F"), driven("t.G(2)", "2", "t.F(1)"))}, ""},
	} {
		r := &results.Results{Mutants: tt.mutants}
		for _, id := range []string{"p.F", "p.G", "p.T.F"} {
			r.Scope = append(r.Scope, results.Function{ID: id, Name: id[2:], Reason: results.ReasonAdded, StartLine: 1, EndLine: 20})
		}
		if got := storyOf(r, Findings(r)[0]).about.Markdown(); got != tt.want {
			t.Errorf("%s: %q, want %q", fact, got, tt.want)
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
			survivor("a1", function("p.T.Counts"), notReached, line(2)), survivor("b2", function("p.U.Counts"), notReached, line(12)),
			survivor("c3", function("p.U.Name"), notReached, line(22)),
		},
	}
	found := Findings(r)
	if len(found) == 0 {
		t.Fatal("nothing found")
	}
	if got, want := storyOf(r, found[0]).title.Markdown(), "no test or fuzz target runs `T.Counts` and `U.Counts`"; got != want || len(found) > 1 {
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
			survivor("a1", function("p.T.Exit"), notReached, func(m *results.Mutant) { m.Context = "p.exit = true" }),
			survivor("b9", function("p.T.Add"), undone, option, line(109), func(m *results.Mutant) { m.Evidence.Tests, m.Verified = 3, false }),
			survivor("c9", function("p.T.Add"), exposed, option, line(109), func(m *results.Mutant) {
				m.Evidence.Tests, m.Evidence.Never, m.Verified = 3, &never, false
			}),
		},
	}
	found := Findings(r)
	if len(found) != 1 || found[0].Kind != NotRun || len(found[0].Also) == 0 {
		t.Fatalf("findings: %s", ids(found))
	}
	s := storyOf(r, found[0])
	if got, want := s.title.Plain("", ""), "no test or fuzz target runs T.Exit and this part of T.Add"; got != want || s.place != "f.go:101, 110" || s.code != "// line 110\nreturn nil" {
		t.Errorf("%q at %s, with %q, want %q", got, s.place, s.code, want)
	}
}

func TestCodeThatOnlyRunsAfterAPanicIsOnlyFailing(t *testing.T) {
	for under, want := range map[string]bool{"if r := recover(); r != nil": true, "if recover() != nil": true, "if r != nil": false} {
		if recovers(results.Code{Under: under}) != want {
			t.Errorf("%s: %v", under, !want)
		}
	}
}
