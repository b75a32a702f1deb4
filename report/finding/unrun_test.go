package finding

import (
	"slices"
	"strings"
	"testing"

	. "github.com/mutantfuzz/mutantfuzz/report/internal/sample"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestWhatAFindingSaysThatNothingRunsIsNotListedBelow(t *testing.T) {
	r := UnrunOf(map[string][]results.Code{"F": {At(101, "\tg()\n\th()")}}, "F")
	r.Scope[0].Reason = results.ReasonChanged
	for line, listed := range map[int]bool{101: false, 102: false, 103: true} {
		again := Survivor("z9", NotReached, Operator("integer-literal"), Function(r.Mutants[0].Function))
		again.Line = line
		with := *r
		with.Mutants = append(slices.Clone(r.Mutants), again)
		s := Select(&with, nil, DefaultMaxFindings)
		if len(s.Open) != 1 || s.Open[0].Kind != NotRun || slices.ContainsFunc(s.Folded, func(m *results.Mutant) bool { return m.ID == "z9" }) != listed {
			t.Errorf("line %d: findings %s, folded %d; want it listed: %t", line, ids(s.Open), len(s.Folded), listed)
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
		ran := Survivor("a1", Function("p.F"), Line(50))
		missed := Survivor("b2", Function("p.F"), Line(52), NotReached)
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

func TestEditsOfCodeThatAConditionKeepsFromBeingDoneAreNotTold(t *testing.T) {
	forced := NeverTrueOf("a1")
	within, all, behind := Survivor("b2", Function("p.F"), NotReached), Survivor("c3", Function("p.F")), Survivor("d4", Function("p.F"), NotReached)
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
	if s := Select(r, nil, 0); len(s.Open) != 1 || len(s.Folded) != 0 {
		t.Errorf("%d findings, and %d edits besides", len(s.Open), len(s.Folded))
	}
	r.Mutants[1].Stage, r.Mutants[1].ExposedBy = results.Propagated, &results.ExposedBy{Call: "F(9)", Original: "1", Mutant: "2", Driver: true}
	if toldWith(&r.Mutants[0], &r.Mutants[1]) {
		t.Error("an input shows it, which is worth a row")
	}
}

func TestFunctionsThatOnlyTestsRunThatLookAtNothingAreToldTogether(t *testing.T) {
	blind := func(test string) func(*results.Mutant) {
		return func(m *results.Mutant) {
			m.Evidence.Tests, m.Evidence.By, m.Evidence.Blind = 1, []string{test}, []string{test}
		}
	}
	r := &results.Results{Mutants: []results.Mutant{
		Survivor("a1", Function("p.F"), Line(1), blind("p.TestA")), Survivor("b2", Function("p.G"), Line(20), blind("p.TestA")), Survivor("c3", Function("p.H"), Line(40), blind("p.TestB")),
	}}
	var functions []int
	for _, f := range Findings(r) {
		functions = append(functions, len(f.All()))
	}
	if !slices.Equal(functions, []int{2, 1}) {
		t.Errorf("findings of %v functions, want one of F and G, and one of H", functions)
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
			m := Survivor(e.id, Line(10*n), Function("p."+e.function))
			if m.Original = e.original; e.call != "" {
				m = Survivor(e.id, Line(10*n), Function("p."+e.function), Exposed, func(m *results.Mutant) {
					m.Original, m.ExposedBy.Call, m.ExposedBy.Original = e.original, e.call, e.result
				})
			}
			if e.id == "b3" {
				m.Line = list[1].Line
			}
			list = append(list, &m)
		}
		var got []string
		for _, m := range Ways(list) {
			got = append(got, m.ID)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %v, want %s", fact, got, tt.want)
		}
	}
}

func TestLinesThatNothingRunsAreShownThoughOnlyAnEditSaysWhichTheyAre(t *testing.T) {
	several := Survivor("a1", NotReached, Line(3), func(m *results.Mutant) {
		m.Column, m.EndLine, m.Original, m.Evidence.Case = 3, 5, "if a {\n\t\t\tf()\n\t\t}", "default"
	})
	block := Survivor("c4", NotReached, Line(3), func(m *results.Mutant) {
		m.Column, m.EndLine, m.Original = 9, 6, "{\n\t\t// no more\n\t\tbreak\n\t}"
	})
	one := Survivor("b2", NotReached, Line(9))
	far := several
	if far.Column = 1 << 40; len(codeOf([]*results.Mutant{&far})[0].Source) > 100 {
		t.Error("results say how much memory it takes")
	}
	for _, tt := range []struct {
		list []*results.Mutant
		want []results.Code
	}{
		{[]*results.Mutant{&several}, []results.Code{{StartLine: 3, EndLine: 5, Under: "default", Source: "\t\tif a {\n\t\t\tf()\n\t\t}"}}},
		{[]*results.Mutant{&block}, []results.Code{{StartLine: 4, EndLine: 5, Source: "\t\t// no more\n\t\tbreak"}}},
		{[]*results.Mutant{&one}, nil}, {[]*results.Mutant{&several, &one}, nil},
	} {
		if got := codeOf(tt.list); !slices.Equal(got, tt.want) {
			t.Errorf("%d edits: %+v, want %+v", len(tt.list), got, tt.want)
		}
	}
}

func TestCodeThatOnlyRunsAfterAPanicIsOnlyFailing(t *testing.T) {
	for under, want := range map[string]bool{"if r := recover(); r != nil": true, "if recover() != nil": true, "if r != nil": false} {
		if recovers(results.Code{Under: under}) != want {
			t.Errorf("%s: %v", under, !want)
		}
	}
}
