package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mutantfuzz/mutantfuzz/report/finding"
	. "github.com/mutantfuzz/mutantfuzz/report/internal/sample"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestUnconfirmedEntriesSaySo(t *testing.T) {
	first := finding.Select(Push(Survivor("a1")), nil, 0)
	r := Push(Survivor("a1", Unverified))
	s := finding.Select(r, &first.History, 0)
	if body := Markdown(r, Options{Selection: &s}); !strings.Contains(body, "This was not confirmed with plain `go test`.") {
		t.Errorf("an entry that is kept does not say that it was not confirmed:\n%s", body)
	}
}

func TestThatAFailureNoLongerHappensIsSaid(t *testing.T) {
	r := Push(Survivor("a1", Exposed))
	r.Crashes = []results.Crash{{Harness: "p.FuzzA", Introduced: results.IntroducedYes}}
	first := finding.Select(r, nil, 0)
	ran := Survivor("k9", Status(results.Killed, results.Revealed))
	for fact, later := range map[string]results.Results{
		"the code went":                {Mutants: []results.Mutant{ran}},
		"not all mutants were judged":  {Mutants: []results.Mutant{ran}, Partial: true},
		"no function is left in scope": {},
	} {
		s := finding.Select(&later, &first.History, 0)
		if body := Markdown(&later, Options{Selection: &s}); !strings.Contains(body, "- ~~`FuzzA`~~ did not fail this time\n") {
			t.Errorf("%s: it is not said:\n%s", fact, body)
		}
	}
}

func TestRepeatingAPushChangesNothing(t *testing.T) {
	r := fixture(t)
	first := finding.Select(r, nil, 0)
	second := finding.Select(r, &first.History, 0)
	if diff := cmp.Diff(first.History, second.History); diff != "" {
		t.Errorf("history (-first +second):\n%s", diff)
	}
	if a, b := Markdown(r, Options{Selection: &first}), Markdown(r, Options{Selection: &second}); a != b {
		t.Errorf("body (-first +second):\n%s", cmp.Diff(a, b))
	}
}
