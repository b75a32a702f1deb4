package story

import (
	"fmt"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/fact"
	"github.com/mutantfuzz/mutantfuzz/report/finding"
	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// flakyStory returns the story of a finding about flaky tests.
func flakyStory(r *results.Results, f finding.Finding) Story {
	first := f.Flaky[0]
	s := Story{
		Label: label(f), Title: flakyTitle(f), Place: fmt.Sprintf("%s:%d", first.File, first.Line),
		Claim: prose.Say("Of " + prose.Plural(first.Runs, "run", "runs") + " here with plain go test, one after the other and without any edit, " + prose.Exact(first.Failed) + " failed."),
		Ask:   prose.Say("To see it: %s.", strings.Replace(GoTestOne(r, first.Test, ""), "go test ", "go test -count=100 ", 1)),
	}
	if message := firstLine(first.Message); message != "" {
		s.Claim = s.Claim.And(prose.Say("It says %s.", message))
	}
	return s
}

// flakyTitle names the flaky tests of f.
func flakyTitle(f finding.Finding) prose.Text {
	var names []string
	for _, t := range f.Flaky {
		names = append(names, fact.Local(t.Test))
	}
	n := len(names)
	list := prose.Listed(names[:named(n)], n, "test", "tests")
	return list.Plus(", which this change adds, " + prose.Noun(n, "passes in some runs and fails in others", "pass in some runs and fail in others"))
}
