package fuzz

import (
	"slices"
	"strconv"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/engine/program"
)

func TestOfTheDriversOfAMutantTheOneThatCallsItsFunctionIsCheckedFirst(t *testing.T) {
	f, target := newTestFuzzer()
	driver := func(name, calls string) *Target {
		return &Target{Target: target.Target, Driver: true, made: program.Made{Calls: calls, For: []string{"p.F"}}}
	}
	other, direct := driver("1", "G"), driver("2", "F")
	claims := []*claim{{target: other, mutant: 1}, {target: target, mutant: 1}, {target: direct, mutant: 1}, {target: other, mutant: 2}, {target: other}, {target: direct, undone: 1}}
	for i, c := range claims {
		c.entry = corpus.NewEntry([]byte(strconv.Itoa(i)))
	}
	now, later := f.likeliest(claims)
	if want := claims[1:]; !slices.Equal(now, want) {
		t.Errorf("%d claims are checked first, want all but the first", len(now))
	}
	if !slices.Equal(later, claims[:1]) {
		t.Errorf("%d claims wait", len(later))
	}
	if now, later := f.likeliest(later); !slices.Equal(now, claims[:1]) || later != nil {
		t.Errorf("of those that wait %d are next, and %d wait on", len(now), len(later))
	}
}
