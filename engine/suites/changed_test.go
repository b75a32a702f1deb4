package suites

import (
	"testing"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestQuarantinedTestsOfTheChangeAreKnown(t *testing.T) {
	changed := map[string]string{"m/p.TestA": results.TestAdded, "m/p.TestB": results.TestAltered}
	for _, tt := range []struct{ pkg, test, want string }{
		{"m/p", "TestA", results.TestAdded}, {"m/p", "TestB/with.dots/in", results.TestAltered}, {"m/p", "TestC", ""}, {"m/p/q", "TestA", ""},
	} {
		if got := changeTo(changed, tt.pkg, tt.test); got != tt.want {
			t.Errorf("%s.%s: %q, want %q", tt.pkg, tt.test, got, tt.want)
		}
	}
}
