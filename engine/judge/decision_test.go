package judge

import (
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/ledger"
)

func TestSurvivorOfTestsThatFailAnywaySaysSo(t *testing.T) {
	for reason, want := range map[string]string{"": "tests that fail on the unmodified code", "another": "another"} {
		d := Decision{Decision: ledger.Decision{Status: ledger.Survived, Reason: reason}}
		if d.Fails([]string{"TestRed"}, false); !strings.HasPrefix(d.Reason, want) {
			t.Errorf("%q, want %q", d.Reason, want)
		}
	}
	d := Decision{Decision: ledger.Decision{Status: ledger.Survived, Reason: "dependents did not run in time"}, OwnOnly: true}
	if d.Fails([]string{"TestElsewhere"}, true); !d.OwnOnly || strings.Contains(d.Reason, "TestElsewhere") {
		t.Errorf("%+v", d)
	}
	if d.Fails([]string{"TestRed"}, false); d.OwnOnly || !strings.Contains(d.Reason, "TestRed") {
		t.Errorf("%+v", d)
	}
}
