package report

import (
	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// addsTests reports whether tests that the change adds pass even without the change: that says more than any finding.
// Tests that it only alters do not count, because most of them should pass before and after.
func addsTests(r *results.Results) bool { return added(r) > 0 }

// added returns how many tests the change adds that pass even without it.
func added(r *results.Results) (n int) {
	for _, t := range r.NewTests {
		if t.Change != results.TestAltered {
			n++
		}
	}
	return n
}

// newTestsLine says that the tests which the change adds or alters pass without it. It returns nil if they do not, if
// there are none, or if it is not known.
func newTestsLine(r *results.Results) prose.Text {
	var names []string
	for _, t := range r.NewTests {
		names = append(names, local(t.Test))
	}
	n, verb := len(names), "adds or alters"
	switch added(r) {
	case n:
		verb = "adds"
	case 0:
		verb = "alters"
	}
	if n == 0 {
		return nil
	}
	line := prose.Say("The " + prose.Noun(n, "test", "tests") + " that this change " + verb + " (")
	line = append(line, prose.Listed(names[:min(n, maxRunners)], n, "test", "tests")...)
	return line.Plus(") " + prose.Noun(n, "passes", "pass") + " without it.")
}
