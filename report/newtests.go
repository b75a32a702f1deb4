package report

import (
	"slices"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// addsTests reports whether tests that the change adds pass even without the change: that says more than any finding.
// Tests that it only alters do not count, because most of them should pass before and after.
func addsTests(r *results.Results) bool {
	return slices.ContainsFunc(r.NewTests, func(t results.NewTest) bool { return t.Change != results.TestAltered })
}

// newTestsLine says that the tests which the change adds or alters pass without it. It returns nil if they do not, if
// there are none, or if it is not known.
func newTestsLine(r *results.Results) prose {
	var names []string
	added, altered := 0, 0
	for _, t := range r.NewTests {
		names = append(names, local(t.Test))
		if t.Change == results.TestAltered {
			altered++
		} else {
			added++
		}
	}
	if len(names) == 0 {
		return nil
	}
	verb := "adds or alters"
	switch {
	case altered == 0:
		verb = "adds"
	case added == 0:
		verb = "alters"
	}
	n := len(names)
	line := say("The " + noun(n, "test", "tests") + " that this change " + verb + " (")
	line = append(line, listed(names[:min(n, maxRunners)], n, "test", "tests")...)
	return append(line, span{") " + noun(n, "passes", "pass") + " without it.", false})
}
