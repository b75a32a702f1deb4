package runtime

import (
	"math"
	"reflect"
	"testing"
	"unsafe"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

func TestHeaderFieldsHaveTheOffsetsOfTheProtocol(t *testing.T) {
	var h header
	for name, offsets := range map[string][2]uintptr{
		"runs":    {unsafe.Offsetof(h.runs), wire.StateRuns},
		"steps":   {unsafe.Offsetof(h.steps), wire.StateSteps},
		"mutant":  {unsafe.Offsetof(h.mutant), wire.StateMutant},
		"flags":   {unsafe.Offsetof(h.flags), wire.StateFlags},
		"mutants": {unsafe.Offsetof(h.mutants), wire.StateMutants},
		"input":   {unsafe.Offsetof(h.input), wire.StateInput},
		"inRun":   {unsafe.Offsetof(h.inRun), wire.StateInRun},
	} {
		if offsets[0] != offsets[1] {
			t.Errorf("%s at %d, want %d", name, offsets[0], offsets[1])
		}
	}
}

// early is what code finds that runs before this package's init functions.
var early = map[string]bool{
	"Cov": Cov != nil, "Fns": Fns != nil, "marks": marks != nil, "page": page != nil,
}

func TestCountersAreThereBeforeInit(t *testing.T) {
	for name, there := range early {
		if !there {
			t.Errorf("%s is nil", name)
		}
	}
}

func TestBucketsAreThoseOfAFL(t *testing.T) {
	bounds := []uint32{1, 2, 3, 4, 8, 16, 32, 128, math.MaxUint32}
	for i := 0; i+1 < len(bounds); i++ {
		for _, n := range []uint32{bounds[i], bounds[i+1] - 1} {
			if got := bucket(n); n >= bounds[i] && got != 1<<i {
				t.Errorf("%d is in bucket %b, want %b", n, got, 1<<i)
			}
		}
	}
}

func TestProbesGiveTheValueAndNoteInfection(t *testing.T) {
	clearMarks()
	if !WhenTrue(1, true) || WhenTrue(2, false) || !WhenFalse(3, true) || WhenFalse(4, false) {
		t.Error("a probe changed a value")
	}
	if Differs(5, "a", "b") != "a" || Differs(6, 1, 1) != 1 || Differs(7, 1, 2) != 1 || Differs(7, 1, 1) != 1 {
		t.Error("a probe changed a value")
	}
	if got, want := infectedMutants(), []int{1, 4, 5, 7}; !reflect.DeepEqual(got, want) {
		t.Errorf("infected %v, want %v", got, want)
	}
	if marks[6] != wire.MarkEvaluated {
		t.Errorf("marks %b of a mutant that was only evaluated", marks[6])
	}
	clearMarks()
	if marks[6] != 0 || len(infectedMutants()) != 0 {
		t.Error("marks are left")
	}
}

func TestStruckSitesAreNotCompared(t *testing.T) {
	record := func(pairs ...uint64) (list []wire.Observation) {
		for i := 0; i < len(pairs); i += 2 {
			list = append(list, wire.Observation{Site: int(pairs[i]), Hash: pairs[i+1]})
		}
		return list
	}
	struck := make(struckSites)
	if got := struck.strike(record(1, 10, 2, 20, 3, 30), record(1, 10, 2, 21, 3, 30)); !reflect.DeepEqual(got, []int{2}) {
		t.Fatalf("struck %v, want site 2", got)
	}
	for _, test := range []struct {
		name    string
		a, b    []wire.Observation
		site    int
		differs bool
	}{
		{"same", record(1, 10), record(1, 10), 0, false},
		{"struck", record(2, 20, 1, 10), record(2, 99, 1, 10), 0, false},
		{"after struck", record(2, 20, 1, 10), record(2, 99, 1, 11), 1, true},
		{"struck missing", record(1, 10, 2, 20), record(1, 10), 0, false},
		{"missing", record(1, 10, 3, 30), record(1, 10), 3, true},
		{"added", record(1, 10), record(1, 10, 4, 40), 4, true},
		{"other site", record(1, 10), record(3, 10), 1, true},
	} {
		if site, differs := struck.difference(test.a, test.b); site != test.site || differs != test.differs {
			t.Errorf("%s: %d, %v", test.name, site, differs)
		}
	}
	if got := struck.strike(record(5, 1, 6, 1), record(5, 1, 7, 1)); !reflect.DeepEqual(got, []int{6, 7}) {
		t.Errorf("struck %v, want both sites where the order differs", got)
	}
}

func TestObservationsBeyondTheBoundStillCount(t *testing.T) {
	recordOf := func(last int) []wire.Observation {
		var r recorder
		for i := 0; i < 2*maxObservations; i++ {
			r.result(1, []any{i})
		}
		r.result(1, []any{last})
		return r.finish()
	}
	a, b := recordOf(1), recordOf(2)
	if len(a) != maxObservations+1 {
		t.Fatalf("%d observations", len(a))
	}
	if site, differs := (struckSites{}).difference(a, b); !differs || site != restSite {
		t.Errorf("site %d, %v; want the rest to differ", site, differs)
	}
}

func TestChangedArgumentsAreObservedAndShown(t *testing.T) {
	Observe = true
	defer func() { Observe = false }()
	observed.reset(true)
	buffer := &Point{X: 1}
	Arg(3, buffer)
	Arg(3, 7)
	buffer.X = 2
	Result(3, nil)
	Arg(4, buffer) // a call without results
	record := observed.finish()
	if len(record) != 2 || record[0].Site != 3 || record[1].Site != 4 {
		t.Fatalf("record %+v", record)
	}
	if want := []string{"&runtime.Point{X: 1}", "7"}; !reflect.DeepEqual(record[0].Args, want) {
		t.Errorf("args %v, want %v as they were before the call", record[0].Args, want)
	}
	if want := []string{"&runtime.Point{X: 2}", ""}; record[0].Text != "nil" || !reflect.DeepEqual(record[0].After, want) {
		t.Errorf("text %q, after the call %q; want nil, %q", record[0].Text, record[0].After, want)
	}
}
