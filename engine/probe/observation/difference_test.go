package observation

import (
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

func TestADifferenceMayMoveToAnotherCallOfTheSameFunction(t *testing.T) {
	twins := map[int]int{7: 3, 9: 3}
	at := func(site int) Difference { return Difference{site: site, visible: true} }
	for _, tt := range []struct {
		from, to int
		want     bool
	}{
		{3, 3, true},
		{3, 7, true},
		{9, 7, true},
		{7, 3, true},
		{3, 4, false},
		{4, 7, false},
	} {
		if got := at(tt.to).As(at(tt.from), twins); got != tt.want {
			t.Errorf("from site %d to %d: %t", tt.from, tt.to, got)
		}
	}
	if at(7).As(at(3), nil) {
		t.Error("without twins, another site is as good")
	}
}

func TestCallsBeforeTheLastOneOfTheSameFunctionAreCounted(t *testing.T) {
	record := []wire.Observation{{Site: 1}, {Site: 3}, {Site: 2, Open: true}, {Site: 4}, {Site: 7}, {Site: 5}}
	twins := map[int]int{7: 3}
	for site, want := range map[int]int{1: 0, 3: 3, 7: 3, 4: 2, 6: 0} {
		if got := (Difference{site: site}).BeforeLastTwin(record, twins); got != want {
			t.Errorf("site %d: %d calls before, want %d", site, got, want)
		}
	}
}
