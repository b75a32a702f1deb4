package story

import (
	"github.com/mutantfuzz/mutantfuzz/report/fact"
	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// NewTests says that the tests which the change adds or alters pass without it. It returns nil if they do not, if
// there are none, or if it is not known.
func NewTests(r *results.Results) prose.Text {
	var names []string
	for _, t := range r.NewTests {
		names = append(names, fact.Local(t.Test))
	}
	n, verb := len(names), "adds or alters"
	switch fact.AddedTests(r) {
	case n:
		verb = "adds"
	case 0:
		verb = "alters"
	}
	if n == 0 {
		return nil
	}
	line := prose.Say("The " + prose.Noun(n, "test", "tests") + " that this change " + verb + " (")
	line = append(line, prose.Listed(names[:named(n)], n, "test", "tests")...)
	return line.Plus(") " + prose.Noun(n, "passes", "pass") + " without it.")
}
