package report

import (
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestValidShareIsOneOnlyWhereEveryInputIsValid(t *testing.T) {
	for _, c := range []struct {
		runs, invalid int64
		want          string
	}{
		{100, 0, "100 %"},
		{1000, 1, "99 %"},
		{1000, 990, "1 %"},
		{1000, 999, "under 1 %"},
		{10, 10, "0 %"},
		{10, 12, "0 %"}, // saved results may have any numbers
	} {
		if got := validShare(&results.Harness{ProgramExecs: c.runs, Invalid: c.invalid}); got != c.want {
			t.Errorf("%d invalid inputs of %d: %q, want %q", c.invalid, c.runs, got, c.want)
		}
	}
}

func TestOnlyFuzzTargetsAreGraded(t *testing.T) {
	r := &results.Results{Harnesses: []results.Harness{
		{Name: "m.FuzzA", Kind: results.HarnessTarget, ProgramExecs: 10, Differ: minDiffer},
		{Name: "m.driverB", Kind: results.HarnessDriver, ProgramExecs: 10},
		{Name: "m.FuzzC", Kind: results.HarnessTarget}, // was never run
	}}
	m := &markdown{results: r}
	m.harnesses()
	got := m.String()
	for text, want := range map[string]bool{
		"<code>FuzzA</code> | 10 | 100 % | 0 | 0 of 5 |": true, "`FuzzA` notices no edit": true, "driverB": false, "FuzzC": false,
	} {
		if strings.Contains(got, text) != want {
			t.Errorf("%q is there: %v, want %v, in\n%s", text, !want, want, got)
		}
	}
}
