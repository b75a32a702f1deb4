package story

import (
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/finding"
	. "github.com/mutantfuzz/mutantfuzz/report/internal/sample"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestTestsThatGoTogetherAreSuggestedTogether(t *testing.T) {
	suggests := func(call, kind, file, test, source string) *results.Mutant {
		m := Survivor("a1")
		m.ExposedBy = &results.ExposedBy{Call: call, Suggestion: &results.Suggestion{Kind: kind, File: file, Test: test, Source: source}}
		return &m
	}
	row := func(call, test, source string) *results.Mutant {
		return suggests(call, results.SuggestedRow, "f_test.go", test, source)
	}
	function := func(call, file, source string) *results.Mutant {
		return suggests(call, results.SuggestedFunction, file, "TestF_"+call, source)
	}
	none := Survivor("a1")
	for _, tt := range []struct {
		name          string
		list          []*results.Mutant
		source, about string
	}{
		{"none", []*results.Mutant{&none}, "", ""},
		{"rows of a table", []*results.Mutant{&none, row("F(1)", "TestF", "{1}"), row("F(2)", "TestF", "{2}\n")}, "{1},\n{2},", "Rows for the table of TestF (f_test.go) that do"},
		{"rows of two tables", []*results.Mutant{row("F(1)", "TestF", "{1}"), row("F(2)", "TestG", "{2}")}, "{1},", "A row for the table of TestF (f_test.go) that does"},
		{"functions", []*results.Mutant{function("F(1)", "f_test.go", "func A"), function("F(2)", "f_test.go", "func B")}, "func A\n\nfunc B", "Tests for f_test.go that do"},
		{"of two files", []*results.Mutant{function("F(1)", "f_test.go", "func A"), function("F(2)", "g_test.go", "func B")}, "func A", "A test for f_test.go that does"},
		{"with the same call", []*results.Mutant{function("F(1)", "f_test.go", "func A"), function("F(1)", "f_test.go", "func B")}, "func A", "A test for f_test.go that does"},
		{"a new file", []*results.Mutant{function("F(1)", "f_test.go", "package p"), function("F(2)", "f_test.go", "func B")}, "package p", "A test for f_test.go that does"},
		{"long ones", []*results.Mutant{function("F(1)", "f_test.go", "func A"), function("F(2)", "f_test.go", strings.Repeat("\n", maxTestLines))}, "func A", "A test for f_test.go that does"},
		{"many", []*results.Mutant{row("F(1)", "TestF", "{1}"), row("F(2)", "TestF", "{2}"), row("F(3)", "TestF", "{3}"), row("F(4)", "TestF", "{4}")}, "{1},\n{2},\n{3},", "Rows for the table of TestF (f_test.go) that do"},
	} {
		source, about := testOf(testsFor(tt.list), verb{"does", "do"})
		if source != tt.source || about.Plain("", "") != tt.about {
			t.Errorf("%s: %q, %q, want %q, %q", tt.name, source, about.Plain("", ""), tt.source, tt.about)
		}
	}
}

func TestHowManyEditsSuggestedTestsNoticeIsSaid(t *testing.T) {
	with := func(source, test string) *results.Mutant {
		m := Survivor("a1")
		m.ExposedBy = &results.ExposedBy{Call: source, Suggestion: &results.Suggestion{Kind: results.SuggestedFunction, File: "f_test.go", Test: test, Source: "func " + test + source}}
		return &m
	}
	none := Survivor("a1")
	for _, tt := range []struct {
		list []*results.Mutant
		want string
	}{
		{[]*results.Mutant{with("F(1)", "TestF")}, "A test for f_test.go that notices it"},
		{[]*results.Mutant{with("F(1)", "TestF"), with("F(2)", "TestF_2")}, "Tests for f_test.go that notice both"},
		{[]*results.Mutant{with("F(1)", "TestF"), with("F(1)", "TestF_2")}, "A test for f_test.go that notices both"},
		{[]*results.Mutant{with("F(1)", "TestF"), with("F(1)", "TestF_2"), with("F(2)", "TestF_3")}, "Tests for f_test.go that notice all of them"},
		{[]*results.Mutant{with("F(1)", "TestF"), with("F(1)", "TestF_2"), &none}, "A test for f_test.go that notices at least 2 of them"},
		{[]*results.Mutant{&none, with("F(1)", "TestF")}, "A test for f_test.go that notices at least one of them"},
	} {
		tests := testsFor(tt.list)
		if _, about := testOf(tests, whatIsNoticed(tt.list, tests)); about.Plain("", "") != tt.want {
			t.Errorf("%d edits: %s, want %s", len(tt.list), about.Plain("", ""), tt.want)
		}
	}
}

func TestImportsThatASuggestedTestNeedsAreNamed(t *testing.T) {
	m := Survivor("a1")
	m.ExposedBy = &results.ExposedBy{Suggestion: &results.Suggestion{
		Kind: results.SuggestedFunction, File: "f_test.go", Source: "func TestF", Imports: []string{`"example.com/b"`, `x "example.com/c"`},
	}}
	_, about := testOf(testsFor([]*results.Mutant{&m}), verb{"notices it", ""})
	if got, want := about.Plain("", ""), `A test for f_test.go that notices it, with "example.com/b" and x "example.com/c" imported`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	m.ExposedBy.Suggestion.Imports = nil
	if _, about := testOf(testsFor([]*results.Mutant{&m}), verb{"notices it", ""}); strings.Contains(about.Plain("", ""), "imported") {
		t.Errorf("%s, although there is nothing to import", about.Plain("", ""))
	}
}

func TestATestComesWithWhatItAsserts(t *testing.T) {
	shown := func(now, with string) func(*results.Mutant) {
		return func(m *results.Mutant) {
			m.Stage, m.ExposedBy = results.Propagated, &results.ExposedBy{Call: "F(" + now + ")", Original: now, Mutant: with, Test: "package p"}
		}
	}
	gap, behaviour := Survivor("a1", Line(7), shown("0", "2")), Survivor("a1", Undone, shown("1", "2"))
	unreadable := Survivor("a1", Undone, shown("…A: 1}", "…A: 2}"))
	for name, tt := range map[string]struct {
		f    finding.Finding
		want string
	}{
		"an edit":                {finding.Finding{Kind: finding.Gap, Mutant: &gap}, "It expects the current result; if that is not intended, change the expected value."},
		"a change of behaviour":  {finding.Finding{Kind: finding.Behaviour, Mutant: &behaviour}, "It expects the new result, 1. If that is not intended, correct the code, not the test."},
		"one that is unreadable": {finding.Finding{Kind: finding.Behaviour, Mutant: &unreadable}, "It expects the new result. If that is not intended, correct the code, not the test."},
		"with other edits":       {finding.Finding{Kind: finding.Behaviour, Mutant: &behaviour, Also: []*results.Mutant{&gap}}, "It expects the new result, 1. If that is not intended, correct the code, not the test."},
		"edits alone":            {finding.Finding{Kind: finding.Gap, Mutant: &gap, Also: []*results.Mutant{&behaviour}}, "It expects the current result; if that is not intended, change the expected value."},
		"code that nothing runs": {finding.Finding{Kind: finding.NotRun, Mutant: &gap}, "It expects the current result; please check that this is what you want."},
		"a panic":                {finding.Finding{Kind: finding.Bug, Crash: &results.Crash{Call: "F(1)", Test: "package p", Introduced: results.IntroducedYes}}, "It asserts no result, only that the call returns. It passes without this change."},
	} {
		if got := Of(&results.Results{}, tt.f).Asserts.Plain("", ""); got != tt.want {
			t.Errorf("%s: %s", name, got)
		}
	}
}
