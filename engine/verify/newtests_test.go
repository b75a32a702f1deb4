package verify

import (
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestQuarantinedTestsOfTheChangeAreKnown(t *testing.T) {
	list := []changedTests{{pkg: "m/p", changes: map[string]string{"TestA": results.TestAdded, "TestB": results.TestAltered}}}
	quarantined := []results.Quarantined{{Test: "m/p.TestA"}, {Test: "m/p.TestB/with.dots/in"}, {Test: "m/p.TestC"}, {Test: "m/p/q.TestA"}}
	noteChanged(quarantined, list)
	for i, want := range []string{results.TestAdded, results.TestAltered, "", ""} {
		if got := quarantined[i].Change; got != want {
			t.Errorf("%s: %q, want %q", quarantined[i].Test, got, want)
		}
	}
}
