package judge

import (
	"reflect"
	"slices"
	"testing"
)

func TestTestsQuarantinedForTheSameReasonAreOneNote(t *testing.T) {
	var all []Quarantined
	for _, test := range []string{"TestA", "TestB", "TestC", "TestD", "TestE"} {
		all = append(all, Quarantined{Package: "p", Test: test, Why: "fails"})
	}
	all = append(all, Quarantined{Package: "p", Test: "TestF", Why: "is flaky"}, Quarantined{Package: "q", Test: "TestA", Why: "fails"})
	want := []string{
		"5 tests of p are quarantined, so their results are not used: each of TestA, TestB, TestC and 2 more fails",
		"p.TestF is quarantined, so its result is not used: it is flaky",
		"q.TestA is quarantined, so its result is not used: it fails",
	}
	r := &Result{Surveys: []*Survey{{Quarantined: all}}}
	if got := r.QuarantineNotes(); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestSubtestsThatHaveSubtestsAreNotInnermost(t *testing.T) {
	got := innermost([]string{"TestA", "TestA/b", "TestA/b/c", "TestA/bc", "TestA/bc", "TestD"})
	if want := map[string][]string{"TestA": {"TestA/b/c", "TestA/bc"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
