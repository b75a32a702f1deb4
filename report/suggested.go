package report

import (
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// testOf is what the first few of some mutants for which there are tests suggest to add, and says what that is and
// does: rows for one table, or functions for one file, or else the test for the first of them alone.
func testOf(list []*results.Mutant, does verb) (source string, about prose) {
	var tests []*results.ExposedBy
	for _, m := range list {
		if x := m.ExposedBy; x != nil && (x.Suggestion != nil || x.Test != "") && !(x.Driver && !readable(x)) && (len(tests) == 0 || len(tests) < maxRows && goWith(tests, x)) {
			tests = append(tests, x)
		}
	}
	if len(tests) == 0 {
		return "", nil
	}
	first, many := tests[0], len(tests) > 1
	switch s := first.Suggestion; {
	case s == nil:
		return first.Test, say("A test for %s that "+does.one, first.TestFile)
	case s.Kind == results.SuggestedRow && many:
		return sourcesOf(tests, ",\n") + ",", say("Rows for the table of %s (%s) that "+does.many, s.Test, s.File)
	case s.Kind == results.SuggestedRow:
		return s.Source + ",", say("A row for the table of %s (%s) that "+does.one, s.Test, s.File)
	case many:
		return sourcesOf(tests, "\n\n"), slices.Concat(say("Tests for %s that "+does.many, s.File), importing(tests))
	default:
		return s.Source, slices.Concat(say("A test for %s that "+does.one, s.File), importing(tests))
	}
}

// importing says what the files of tests have to import besides; empty: nothing.
func importing(tests []*results.ExposedBy) prose {
	var specs []string
	for _, x := range tests {
		for _, spec := range x.Suggestion.Imports {
			if !slices.Contains(specs, spec) {
				specs = append(specs, spec)
			}
		}
	}
	if len(specs) == 0 {
		return nil
	}
	return slices.Concat(prose{{", with ", false}}, listed(specs, len(specs), "", ""), prose{{" imported", false}})
}

// testIn is the test that x suggests; "": there is none.
func testIn(x *results.ExposedBy) string {
	if x.Suggestion != nil {
		return x.Suggestion.Source
	}
	return x.Test
}

// verb is what a test does, and what several do.
type verb struct{ one, many string }

// maxTestLines bounds several tests that are shown together.
const maxTestLines = 60

// goWith reports whether the test that x suggests goes into the same table or file as others, and is another one.
func goWith(tests []*results.ExposedBy, x *results.ExposedBy) bool {
	first := tests[0].Suggestion
	if first == nil || x.Suggestion == nil || x.Suggestion.Kind != first.Kind || x.Suggestion.File != first.File || strings.HasPrefix(first.Source, "package ") {
		return false
	}
	if first.Kind == results.SuggestedRow && x.Suggestion.Test != first.Test {
		return false
	}
	lines := strings.Count(x.Suggestion.Source, "\n") + 2
	for _, other := range tests {
		if other.Call == x.Call && slices.Equal(other.Setup, x.Setup) || other.Suggestion.Source == x.Suggestion.Source {
			return false
		}
		lines += strings.Count(other.Suggestion.Source, "\n") + 2
	}
	return lines <= maxTestLines
}

// sourcesOf are the sources of tests, with something between them.
func sourcesOf(tests []*results.ExposedBy, between string) string {
	var sources []string
	for _, x := range tests {
		sources = append(sources, strings.Trim(x.Suggestion.Source, "\n"))
	}
	return strings.Join(sources, between)
}
