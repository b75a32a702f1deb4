package report

import (
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestTestsOfChangedPackagesThatWereLeftOutAreNamed(t *testing.T) {
	r := &results.Results{Scope: []results.Function{{ID: "m/p.F", Package: "m/p", Name: "F"}}, Mutants: []results.Mutant{survivor("a1", function("m/p.F"))}}
	for _, tt := range []struct {
		tests []string
		want  string
	}{
		{nil, ""},
		{[]string{"m/q.TestA", "m/p/r.TestB"}, ""},
		{[]string{"m/p.TestA/v1.2"}, "`TestA/v1.2` was left out, because it did not pass in every run here, even without any edit."},
		{[]string{"m/p.TestA", "m/p.TestB", "m/p_test.TestC", "m/p.TestD", "m/q.TestE"}, "`TestA`, `TestB`, `TestC` and 1 more test were left out, because they did not pass in every run here, even without any edit."},
	} {
		r.Quarantined = nil
		for _, test := range tt.tests {
			r.Quarantined = append(r.Quarantined, results.Quarantined{Test: test, Why: "fails"})
		}
		if got := quarantinedLine(r).markdown(); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.tests, got, tt.want)
		}
		if body := Markdown(r, Options{}); strings.Contains(body, "left out, because") != (tt.want != "") {
			t.Errorf("%v: %s", tt.tests, body)
		}
	}
	r.Mutants[0].Status = results.Killed
	if body := Markdown(r, Options{}); strings.Contains(body, "left out, because") {
		t.Errorf("with nothing to say:\n%s", body)
	}
}
