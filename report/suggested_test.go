package report

import (
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestTestsThatGoTogetherAreSuggestedTogether(t *testing.T) {
	suggests := func(call, kind, file, test, source string) *results.Mutant {
		m := survivor("a1")
		m.ExposedBy = &results.ExposedBy{Call: call, Suggestion: &results.Suggestion{Kind: kind, File: file, Test: test, Source: source}}
		return &m
	}
	row := func(call, test, source string) *results.Mutant {
		return suggests(call, results.SuggestedRow, "f_test.go", test, source)
	}
	function := func(call, file, source string) *results.Mutant {
		return suggests(call, results.SuggestedFunction, file, "TestF_"+call, source)
	}
	none := survivor("a1")
	for _, tt := range []struct {
		name          string
		list          []*results.Mutant
		source, about string
	}{
		{"none", []*results.Mutant{&none}, "", ""},
		{"rows of a table", []*results.Mutant{&none, row("F(1)", "TestF", "{1}"), row("F(2)", "TestF", "{2}\n")}, "{1},\n{2}", "Rows for the table of TestF (f_test.go) that do"},
		{"rows of two tables", []*results.Mutant{row("F(1)", "TestF", "{1}"), row("F(2)", "TestG", "{2}")}, "{1}", "A row for the table of TestF (f_test.go) that does"},
		{"functions", []*results.Mutant{function("F(1)", "f_test.go", "func A"), function("F(2)", "f_test.go", "func B")}, "func A\n\nfunc B", "Tests for f_test.go that do"},
		{"of two files", []*results.Mutant{function("F(1)", "f_test.go", "func A"), function("F(2)", "g_test.go", "func B")}, "func A", "A test for f_test.go that does"},
		{"with the same call", []*results.Mutant{function("F(1)", "f_test.go", "func A"), function("F(1)", "f_test.go", "func B")}, "func A", "A test for f_test.go that does"},
		{"a new file", []*results.Mutant{function("F(1)", "f_test.go", "package p"), function("F(2)", "f_test.go", "func B")}, "package p", "A test for f_test.go that does"},
		{"long ones", []*results.Mutant{function("F(1)", "f_test.go", "func A"), function("F(2)", "f_test.go", strings.Repeat("\n", maxTestLines))}, "func A", "A test for f_test.go that does"},
		{"many", []*results.Mutant{row("F(1)", "TestF", "{1}"), row("F(2)", "TestF", "{2}"), row("F(3)", "TestF", "{3}"), row("F(4)", "TestF", "{4}")}, "{1},\n{2},\n{3}", "Rows for the table of TestF (f_test.go) that do"},
	} {
		source, about := testOf(tt.list, verb{"does", "do"})
		if source != tt.source || about.plain("", "") != tt.about {
			t.Errorf("%s: %q, %q, want %q, %q", tt.name, source, about.plain("", ""), tt.source, tt.about)
		}
	}
}

func TestImportsThatASuggestedTestNeedsAreNamed(t *testing.T) {
	m := survivor("a1")
	m.ExposedBy = &results.ExposedBy{Suggestion: &results.Suggestion{
		Kind: results.SuggestedFunction, File: "f_test.go", Source: "func TestF", Imports: []string{`"example.com/b"`, `x "example.com/c"`},
	}}
	_, about := testOf([]*results.Mutant{&m}, verb{"notices it", ""})
	if got, want := about.plain("", ""), `A test for f_test.go that notices it, with "example.com/b" and x "example.com/c" imported`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	m.ExposedBy.Suggestion.Imports = nil
	if _, about := testOf([]*results.Mutant{&m}, verb{"notices it", ""}); strings.Contains(about.plain("", ""), "imported") {
		t.Errorf("%s, although there is nothing to import", about.plain("", ""))
	}
}
