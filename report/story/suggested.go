package story

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/fact"
	"github.com/mutantfuzz/mutantfuzz/report/finding"
	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// testsFor returns the inputs, at most MaxRows, whose suggested tests are shown for a list of mutants. They are rows
// for one table or functions for one file, or else just the first one.
func testsFor(list []*results.Mutant) (tests []*results.ExposedBy) {
	for _, m := range list {
		if x := m.ExposedBy; x != nil && fact.SuggestedTest(x) != "" && !(x.Driver && !fact.Readable(x)) && (len(tests) == 0 || len(tests) < finding.MaxRows && goWith(tests, x)) {
			tests = append(tests, x)
		}
	}
	return tests
}

// testOf returns the source of tests that go together, and a phrase that says what they are and do.
func testOf(tests []*results.ExposedBy, does verb) (source string, about prose.Text) {
	if len(tests) == 0 {
		return "", nil
	}
	first, many := tests[0], len(tests) > 1
	switch s := first.Suggestion; {
	case many && isNewFile(first):
		return oneFile(tests), prose.Say("Tests for %s that "+does.many, fileFor(first))
	case s == nil:
		return first.Test, prose.Say("A test for %s that "+does.one, first.TestFile)
	case s.Kind == results.SuggestedRow && many:
		return sourcesOf(tests, ",\n") + ",", prose.Say("Rows for the table of %s (%s) that "+does.many, s.Test, s.File)
	case s.Kind == results.SuggestedRow:
		return s.Source + ",", prose.Say("A row for the table of %s (%s) that "+does.one, s.Test, s.File)
	case many:
		return sourcesOf(tests, "\n\n"), slices.Concat(prose.Say("Tests for %s that "+does.many, s.File), importing(tests))
	default:
		return s.Source, slices.Concat(prose.Say("A test for %s that "+does.one, s.File), importing(tests))
	}
}

// importing says what the files of tests have to import in addition; nil: nothing.
func importing(tests []*results.ExposedBy) prose.Text {
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
	return slices.Concat(prose.Say(", with "), prose.Listed(specs, len(specs), "", "")).Plus(" imported")
}

// verb says what one test does, and what several do.
type verb struct{ one, many string }

// whatIsNoticed says how many of some mutants the tests notice: those that the tests, or the same tests under other
// names, were made for.
func whatIsNoticed(list []*results.Mutant, tests []*results.ExposedBy) verb {
	noticed := 0
	for _, m := range list {
		x := m.ExposedBy
		if x != nil && fact.SuggestedTest(x) != "" && slices.ContainsFunc(tests, func(t *results.ExposedBy) bool { return t == x || sameTest(t, x) }) {
			noticed++
		}
	}
	switch {
	case len(list) == 1:
		return verb{"notices it", "notice it"}
	case noticed == len(list) && noticed == 2:
		return verb{"notices both", "notice both"}
	case noticed == len(list):
		return verb{"notices all of them", "notice all of them"}
	case noticed > 1:
		n := strconv.Itoa(noticed)
		return verb{"notices at least " + n + " of them", "notice at least " + n + " of them"}
	}
	return verb{"notices at least one of them", "notice some of them"}
}

// sameTest reports whether two inputs suggest the same test, ignoring its name.
func sameTest(a, b *results.ExposedBy) bool {
	nameless := func(x *results.ExposedBy) string {
		if x.Suggestion == nil || x.Suggestion.Kind == results.SuggestedRow {
			return fact.SuggestedTest(x)
		}
		return strings.ReplaceAll(x.Suggestion.Source, x.Suggestion.Test, "")
	}
	return nameless(a) == nameless(b)
}

// maxTestLines limits the number of lines of several tests that are shown together.
const maxTestLines = 60

// goWith reports whether the test that x suggests differs from other tests and can be shown with them: it goes into the
// same table or file.
func goWith(tests []*results.ExposedBy, x *results.ExposedBy) bool {
	if !inOnePlace(tests, x) {
		return false
	}
	lines := strings.Count(fact.SuggestedTest(x), "\n") + 2
	for _, other := range tests {
		if other.Call == x.Call && slices.Equal(other.Setup, x.Setup) || fact.SuggestedTest(other) == fact.SuggestedTest(x) {
			return false
		}
		lines += strings.Count(fact.SuggestedTest(other), "\n") + 2
	}
	return lines <= maxTestLines
}

// inOnePlace reports whether the test that x suggests goes into the same table or file as other tests.
func inOnePlace(tests []*results.ExposedBy, x *results.ExposedBy) bool {
	first, other := tests[0].Suggestion, x.Suggestion
	switch {
	case isNewFile(tests[0]) || isNewFile(x):
		return oneFile(append(slices.Clip(tests), x)) != ""
	case first == nil || other == nil || other.Kind != first.Kind || other.File != first.File:
		return false
	}
	return first.Kind != results.SuggestedRow || other.Test == first.Test
}

// sourcesOf returns the sources of tests, joined by a separator.
func sourcesOf(tests []*results.ExposedBy, between string) string {
	var sources []string
	for _, x := range tests {
		sources = append(sources, strings.Trim(x.Suggestion.Source, "\n"))
	}
	return strings.Join(sources, between)
}
