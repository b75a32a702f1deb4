package story

import (
	"cmp"

	"github.com/mutantfuzz/mutantfuzz/report/fact"
	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// OldTests returns the tests that fail in their old form without being findings: most of them fail because another
// result is meant.
func OldTests(r *results.Results) (list []*results.OldTest) {
	for i := range r.OldTests {
		if t := &r.OldTests[i]; !t.Lost() {
			list = append(list, t)
		}
	}
	return list
}

// OldTestsTitle says which tests fail in their old form. It names some of them, or a single one with its message.
func OldTestsTitle(list []*results.OldTest) prose.Text {
	if t := list[0]; len(list) == 1 {
		return prose.Say("%s, as it was before this change, "+oldVerb(t)+" on the new code", fact.Local(t.Test)).Explained(oldMessage(t)).Plus(".")
	}
	var names []string
	for _, t := range list[:named(len(list))] {
		names = append(names, fact.Local(t.Test))
	}
	return prose.Listed(names, len(list), "test", "tests").Plus(", as they were before this change, fail on the new code")
}

// OldLine names one of several tests, with its message.
func OldLine(t *results.OldTest) prose.Text {
	return prose.Say("%s", fact.Local(t.Test)).Explained(oldMessage(t))
}

// oldMessage returns the first line of a test's message; nil: there is none.
func oldMessage(t *results.OldTest) prose.Text {
	if message := firstLine(t.Message); message != "" {
		return prose.Say("%s", message)
	}
	return nil
}

// oldVerb says how a test fails.
func oldVerb(t *results.OldTest) string {
	return cmp.Or(map[string]string{results.KindCrash: "panics", results.KindHang: "does not end"}[t.Kind], "fails")
}
