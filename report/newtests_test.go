package report

import (
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/finding"
	. "github.com/mutantfuzz/mutantfuzz/report/internal/sample"
	"github.com/mutantfuzz/mutantfuzz/report/results"
	"github.com/mutantfuzz/mutantfuzz/report/story"
)

func TestTestsThatPassWithoutTheChangeAreSaidOnce(t *testing.T) {
	tests := func(changes ...string) (list []results.NewTest) {
		for i, change := range changes {
			list = append(list, results.NewTest{Test: "m/p.Test" + string(rune('A'+i)), Change: change})
		}
		return list
	}
	const added, altered = results.TestAdded, results.TestAltered
	for _, tt := range []struct {
		tests []results.NewTest
		want  string
	}{
		{nil, ""},
		{tests(added), "The test that this change adds (‘TestA’) passes without it."},
		{tests(altered, altered), "The tests that this change alters (‘TestA’ and ‘TestB’) pass without it."},
		{tests(added, altered, added, added, added), "The tests that this change adds or alters (‘TestA’, ‘TestB’ and 3 more tests) pass without it."},
	} {
		r := Push()
		r.NewTests = tt.tests
		if got := story.NewTests(r).Plain("‘", "’"); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
		if n := strings.Count(Markdown(r, Options{}), "without it"); n != min(len(tt.tests), 1) {
			t.Errorf("%d tests: said %d times", len(tt.tests), n)
		}
		if s := finding.Select(r, nil, 0); !s.Empty() {
			t.Errorf("that is a reason for a review: %v", s)
		}
	}
}
