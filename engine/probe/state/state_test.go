package state

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

// early says which variables are set while package variables are initialised, before any init function of the package.
var early = map[string]bool{
	"Cov": Cov != nil, "Fns": Fns != nil, "Marks": Marks != nil, "page": page != nil,
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
	ClearMarks()
	if !WhenTrue(1, true) || WhenTrue(2, false) || !WhenFalse(3, true) || WhenFalse(4, false) {
		t.Error("a probe changed a value")
	}
	if Differs(5, "a", "b") != "a" || Differs(6, 1, 1) != 1 || Differs(7, 1, 2) != 1 || Differs(7, 1, 1) != 1 {
		t.Error("a probe changed a value")
	}
	if got, want := InfectedMutants(), []int{1, 4, 5, 7}; !reflect.DeepEqual(got, want) {
		t.Errorf("infected %v, want %v", got, want)
	}
	if Marks[6] != wire.MarkEvaluated {
		t.Errorf("marks %b of a mutant that was only evaluated", Marks[6])
	}
	ClearMarks()
	if Marks[6] != 0 || len(InfectedMutants()) != 0 {
		t.Error("marks are left")
	}
}
