package report

import (
	"cmp"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// otherOldTests are the tests that fail as they were before the change, and are no findings: most of them, because
// another result is meant.
func otherOldTests(r *results.Results) (list []*results.OldTest) {
	for i := range r.OldTests {
		if t := &r.OldTests[i]; !t.Lost() {
			list = append(list, t)
		}
	}
	return list
}

// oldTestsTitle says which tests fail as they were, some by name; of a single one how.
func oldTestsTitle(list []*results.OldTest) prose {
	if t := list[0]; len(list) == 1 {
		return append(say("%s, as it was before this change, "+oldVerb(t)+" on the new code", local(t.Test)).explained(oldMessage(t)), span{".", false})
	}
	var names []string
	for _, t := range list[:min(len(list), maxRunners)] {
		names = append(names, local(t.Test))
	}
	return append(listed(names, len(list), "test", "tests"), span{", as they were before this change, fail on the new code", false})
}

// oldLine is one of several tests, with what it says.
func oldLine(t *results.OldTest) prose { return say("%s", local(t.Test)).explained(oldMessage(t)) }

// oldMessage is what a test says; empty: nothing.
func oldMessage(t *results.OldTest) prose {
	if message := firstLine(t.Message); message != "" {
		return say("%s", message)
	}
	return nil
}

// oldVerb says how a test fails.
func oldVerb(t *results.OldTest) string {
	return cmp.Or(map[string]string{results.KindCrash: "panics", results.KindHang: "does not end"}[t.Kind], "fails")
}
