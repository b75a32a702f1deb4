package witness

import (
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestCallIsNoWitnessWhereItsArgumentsDiffer(t *testing.T) {
	sites := []weave.Site{{Callee: "Check", Args: []weave.SiteArg{{}}, PackageName: "p"}}
	observation := func(arg string) *wire.Observation { return &wire.Observation{Args: []string{arg}} }
	for _, tt := range []struct {
		name             string
		original, mutant *wire.Observation
		want             string
	}{
		{"alike", observation("1"), observation("1"), "Check(1)"},
		{"given something else", observation("1"), observation("2"), ""},
		{"not made with the mutant", observation("1"), nil, ""},
		{"not made without the mutant", nil, observation("1"), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			by := &results.ExposedBy{}
			(&Difference{Original: tt.original, Mutant: tt.mutant}).Describe(by, sites)
			if by.Call != tt.want {
				t.Errorf("got %q, want %q", by.Call, tt.want)
			}
		})
	}
}
