package report

import (
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/finding"
	"github.com/mutantfuzz/mutantfuzz/report/results"
	"github.com/mutantfuzz/mutantfuzz/report/story"
)

func TestWhatWasNotJudgedDoesNotCountAsGood(t *testing.T) {
	killed, elsewhere := results.Mutant{Status: results.Killed}, results.Mutant{Status: results.NotRun}
	notRun := results.Mutant{Status: results.NotRun, Evidence: results.Evidence{OnDiff: true}}
	tests := map[string]struct {
		mutants         []results.Mutant
		headline, score string
	}{
		"all judged":                  {[]results.Mutant{killed, killed}, "nothing to report", "test score 100 %, differential score 100 %"},
		"all of changed lines judged": {[]results.Mutant{killed, elsewhere}, "nothing to report", "test score 100 %, differential score 100 % of the 1 judged"},
		"some judged":                 {[]results.Mutant{killed, notRun}, "nothing found in what was judged", "test score 100 %, differential score 100 % of the 1 judged"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := &results.Results{Mutants: tt.mutants}
			s := finding.Select(r, nil, 0)
			if got := story.Headline(r, &s).Plain("", ""); got != tt.headline {
				t.Errorf("headline is %q, want %q", got, tt.headline)
			}
			if got := scores(r); got != tt.score {
				t.Errorf("scores are %q, want %q", got, tt.score)
			}
		})
	}
}
