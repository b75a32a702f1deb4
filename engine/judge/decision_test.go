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

func TestASurvivorThatNoFurtherTestReachesHasNoReservation(t *testing.T) {
	late := func(change func(*Decision)) Decision {
		d := Decision{Decision: ledger.Decision{Status: ledger.Survived}}
		d.Late("m/p")
		change(&d)
		return d
	}
	for what, tt := range map[string]struct {
		d    Decision
		want bool // the reservation goes
	}{
		"tests of dependents are missing":   {late(func(*Decision) {}), true},
		"so are tests of the change":        {late(func(d *Decision) { d.Awaits, d.OwnOnly = true, false }), true},
		"a test that fails may notice, too": {late(func(d *Decision) { d.Failing, d.OwnOnly = true, false }), false},
		"a test notices it in few runs":     {late(func(d *Decision) { d.Seldom, d.OwnOnly = true, false }), false},
		"there is another reason":           {Decision{Decision: ledger.Decision{Status: ledger.Survived, Reason: "another"}, OwnOnly: true}, false},
	} {
		d := tt.d
		if d.NeedsNoMore(); (d.Reason == "") != tt.want || tt.want && (d.OwnOnly || d.Awaits) {
			t.Errorf("%s: %+v", what, d)
		}
	}
}
