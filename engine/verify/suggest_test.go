package verify

import "testing"

func TestATestFailsIfASubtestOfItDoes(t *testing.T) {
	failed := failures{"TestSize/empty", "TestParse"}
	for test, want := range map[string]bool{"TestSize": true, "TestParse": true, "TestPars": false, "TestOther": false} {
		if got := failed.has(test); got != want {
			t.Errorf("%s: %t, want %t", test, got, want)
		}
	}
}
