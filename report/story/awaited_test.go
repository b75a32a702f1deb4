package story

import (
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestTestsOfTheChangeThatDidNotRunAreNamed(t *testing.T) {
	survivor := func(reason string, onDiff bool) results.Mutant {
		return results.Mutant{Status: results.Survived, Reason: reason, Evidence: results.Evidence{OnDiff: onDiff}}
	}
	for _, tt := range []struct {
		mutants []results.Mutant
		want    string
	}{
		{nil, ""},
		{[]results.Mutant{survivor("", true), survivor(results.SkippedMayRun+"TestRun", false)}, ""},
		{
			[]results.Mutant{survivor(results.SkippedMayRun+"TestRun, TestGo", true), survivor(results.SkippedMayRun+"TestRun", true)},
			"Tests of this change (`TestRun, TestGo`) skip themselves here, and may notice 2 edits of changed lines.",
		},
		{
			[]results.Mutant{survivor(results.OtherMayRun+"test/a.rb", true)},
			"Tests in other languages that come with this change (`test/a.rb`) are not run, and may notice 1 edit of changed lines.",
		},
	} {
		if got := Awaited(&results.Results{Mutants: tt.mutants}).Markdown(); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}
