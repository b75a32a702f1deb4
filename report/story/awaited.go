package story

import (
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Awaited says which tests of the change did not run here, since they skip themselves or are written in another language,
// and how many edits of changed lines they may still notice; nil: there are none.
func Awaited(r *results.Results) prose.Text {
	skipped, edits := awaited(r, results.SkippedMayRun)
	line := saying(skipped, edits, "Tests of this change (%s) skip themselves here, and may notice")
	others, edits := awaited(r, results.OtherMayRun)
	return line.And(saying(others, edits, "Tests in other languages that come with this change (%s) are not run, and may notice"))
}

// awaited returns the tests that the reasons of survivors on changed lines name behind a prefix, as the first of these
// reasons has them, and the number of such survivors.
func awaited(r *results.Results, prefix string) (tests string, edits int) {
	for i := range r.Mutants {
		m := &r.Mutants[i]
		list, has := strings.CutPrefix(m.Reason, prefix)
		if !has || m.Status != results.Survived || !m.Evidence.OnDiff {
			continue
		}
		if edits++; tests == "" {
			tests = list
		}
	}
	return tests, edits
}

// saying says of tests what format does, and how many edits they may notice; nil: there are none.
func saying(tests string, edits int, format string) prose.Text {
	if edits == 0 {
		return nil
	}
	return prose.Say(format+" "+prose.Plural(edits, "edit", "edits")+" of changed lines.", tests)
}
