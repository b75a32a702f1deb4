package replay

import (
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// A run that fails ends in the call after the last one that returned, whatever the calls before it returned.
func TestTheCallThatFailsIsTheFirstThatDoesNotReturn(t *testing.T) {
	calls := func(list ...wire.Observation) []wire.Observation { return list }
	run := func(outcome string, calls []wire.Observation) *Runs {
		return &Runs{Runs: []*wire.Run{{Outcome: outcome, Observations: calls}}}
	}
	program := run(wire.OutcomeOK, calls(wire.Observation{Site: 3, Hash: 1}, wire.Observation{Site: 5, Hash: 2}))
	for _, tt := range []struct {
		fact   string
		before []wire.Observation
		want   int // site; -1: none
	}{
		{"none returned", nil, 3},
		{"one returned the same", calls(wire.Observation{Site: 3, Hash: 1}), 5},
		{"one returned something else", calls(wire.Observation{Site: 3, Hash: 9, Text: "nil"}, wire.Observation{Site: 5, Hash: 8}), 5},
		{"and that is all that is known", calls(wire.Observation{Site: 3, Hash: 9, Text: "nil"}), 5},
		{"one got its arguments", calls(wire.Observation{Site: 3, Hash: 9, Args: []string{"1"}}), 3},
		{"another one was called", calls(wire.Observation{Site: 4, Hash: 9}), -1},
		{"one that gives nothing did not return", calls(wire.Observation{Site: 3, Hash: 1}, wire.Observation{Site: 5, Hash: 2, Open: true}), 5},
		{"all returned", calls(wire.Observation{Site: 3, Hash: 1}, wire.Observation{Site: 5, Hash: 2}), -1},
	} {
		got := -1
		if d := program.Ending(run(wire.OutcomePanic, tt.before), 3); d != nil {
			got = d.Site
		}
		if got != tt.want {
			t.Errorf("%s: site %d, want %d", tt.fact, got, tt.want)
		}
	}
}

func TestWhereAProcessStoppedThatTellsNothingIsKnownIfItComesThereOnce(t *testing.T) {
	program := &Runs{Runs: []*wire.Run{{Outcome: wire.OutcomeOK, Observations: []wire.Observation{{Site: 3}, {Site: 5}, {Site: 5}}}}}
	silent := &Runs{Death: &worker.Outcome{Kind: results.KindHang}}
	for site, want := range map[int]bool{3: true, 5: false, 7: false, -1: false} {
		if d := program.Ending(silent, site); (d != nil) != want {
			t.Errorf("site %d: got %v, want one: %t", site, d, want)
		}
	}
}
