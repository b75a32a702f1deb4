package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// flakyTests returns one finding per package for the tests that the change adds and that fail in some runs. It leaves
// out tests that the change only alters, because they may have been flaky before.
func flakyTests(r *results.Results) (found []Finding) {
	for i := range r.FlakyTests {
		t := &r.FlakyTests[i]
		if t.Change != results.TestAdded {
			continue
		}
		together := func(o Finding) bool { return packageOf(o.Flaky[0].Test) == packageOf(t.Test) }
		if n := slices.IndexFunc(found, together); n >= 0 {
			found[n].Flaky = append(found[n].Flaky, t)
			continue
		}
		found = append(found, Finding{Kind: Bug, Key: flakyKey(t), Flaky: []*results.FlakyTest{t}})
	}
	return found
}

func flakyKey(t *results.FlakyTest) string { return hash("flaky test", t.Test) }

// flakyStory returns the story of a finding about flaky tests.
func flakyStory(f Finding) story {
	first := f.Flaky[0]
	s := story{
		label: label(f), title: flakyTitle(f), place: fmt.Sprintf("%s:%d", first.File, first.Line),
		claim: prose.Say("Of " + prose.Plural(first.Runs, "run", "runs") + " here with plain go test, one after the other and without any edit, " + prose.Exact(first.Failed) + " failed."),
		ask:   prose.Say("To see it: %s.", strings.Replace(goTest(first.Test, ""), "go test ", "go test -count=100 ", 1)),
	}
	if message := firstLine(first.Message); message != "" {
		s.claim = s.claim.And(prose.Say("It says %s.", message))
	}
	return s
}

// flakyTitle names the flaky tests of f.
func flakyTitle(f Finding) prose.Text {
	var names []string
	for _, t := range f.Flaky {
		names = append(names, local(t.Test))
	}
	n := len(names)
	list := prose.Listed(names[:min(n, maxRunners)], n, "test", "tests")
	return list.Plus(", which this change adds, " + prose.Noun(n, "passes in some runs and fails in others", "pass in some runs and fail in others"))
}
