package report

import "github.com/mutantfuzz/mutantfuzz/report/results"

// newTestsLine says that the tests that the change adds or alters pass without it; empty: they do
// not, there are none, or it is not known.
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
