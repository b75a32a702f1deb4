package fuzz

import (
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/build"
	"github.com/mutantfuzz/mutantfuzz/engine/pool"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// A run that fails ends in the call after all those that returned, whatever these gave.
func TestTheCallThatFailsIsTheFirstThatDoesNotReturn(t *testing.T) {
	calls := func(list ...wire.Observation) []wire.Observation { return list }
	run := func(outcome string, calls []wire.Observation) *EntryRuns {
		return &EntryRuns{runs: []*wire.Run{{Outcome: outcome, Observations: calls}}}
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
		if d := program.ending(run(wire.OutcomePanic, tt.before), 3); d != nil {
			got = d.Site
		}
		if got != tt.want {
			t.Errorf("%s: site %d, want %d", tt.fact, got, tt.want)
		}
	}
}

func TestWhereAProcessStoppedThatTellsNothingIsKnownIfItComesThereOnce(t *testing.T) {
	program := &EntryRuns{runs: []*wire.Run{{Outcome: wire.OutcomeOK, Observations: []wire.Observation{{Site: 3}, {Site: 5}, {Site: 5}}}}}
	silent := &EntryRuns{death: &worker.Outcome{Kind: results.KindHang}}
	for site, want := range map[int]bool{3: true, 5: false, 7: false, -1: false} {
		if d := program.ending(silent, site); (d != nil) != want {
			t.Errorf("site %d: got %v, want one: %t", site, d, want)
		}
	}
}

func TestAProcessStoppedInTheCallThatIsOnItsStacks(t *testing.T) {
	site := func(line int, callee string) weave.Site {
		return weave.Site{Target: "m.Driver_Get", File: "d_test.go", Line: line, Callee: callee}
	}
	f := &Fuzzer{Runner: &pool.Runner{Binaries: &build.Binaries{Woven: &weave.Woven{Sites: []weave.Site{site(10, "New"), site(20, "v.Get"), site(21, "v.Set"), site(21, "w.Set"), site(30, "v.Get")}}}}}
	target := &Target{Target: &weave.Target{Name: "m.Driver_Get"}}
	target.made.Calls = "Get"
	for stacks, want := range map[string]int{
		"": 4,
		"goroutine 1 [running]:\nm.(*T).Set(...)\n\t/tmp/x/t.go:5 +0x1\nm.Driver_Get.func1()\n\t/tmp/x/d_test.go:20 +0x2\n": 1,
		"goroutine 1 [running]:\nm.Driver_Get.func1()\n\t/tmp/x/d_test.go:21 +0x2\n":                                        -1,
		"goroutine 1 [running]:\nmain.main()\n\t/tmp/x/t.go:20 +0x2\n":                                                      -1,
	} {
		if got := f.stoppedAt(target, worker.Exit{Output: []byte(stacks)}); got != want {
			t.Errorf("%q: site %d, want %d", stacks, got, want)
		}
	}
}
