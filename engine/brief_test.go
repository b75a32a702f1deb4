package engine

import (
	"slices"
	"testing"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestBriefTestsThatAlwaysDoTheSameAreSurveyedTogether(t *testing.T) {
	u := &unit{run: &run{}, mutants: []*mutant{{Mutant: &weave.Mutant{Block: 7}, status: results.Pending}}}
	s := &suite{start: 5 * time.Millisecond}
	add := func(name string, cost time.Duration, change func(*test)) {
		t := &test{suite: s, name: name, duration: s.start + cost, marks: []byte{0}, blocks: map[int]bool{7: true}}
		change(t)
		s.tests = append(s.tests, t)
	}
	as := func(*test) {}
	add("TestQuick", time.Millisecond, as)
	add("TestDear", 2*brief, as)
	add("TestByTheClock", time.Millisecond, func(t *test) { t.unsteady = true })
	add("TestOfAFramework", time.Millisecond, func(t *test) { t.failsWithin = true })
	add("TestElsewhere", time.Millisecond, func(t *test) { t.blocks = nil })
	add("TestNotRun", time.Millisecond, func(t *test) { t.marks = nil })
	add("TestSetAside", time.Millisecond, func(t *test) { t.aside = failsAlone })
	for range batchDuration / brief {
		add("TestMore", brief, as)
	}

	groups := u.briefOnes([]*suite{s, {}})
	if len(groups) != 2 {
		t.Fatalf("%d groups, want 2: all take more than is to share a process", len(groups))
	}
	all := slices.Concat(groups...)
	if len(all) != 1+int(batchDuration/brief) || all[0].name != "TestQuick" {
		t.Errorf("%d tests, the first of them %s", len(all), all[0])
	}
	for _, other := range all[1:] {
		if other.name != "TestMore" {
			t.Errorf("%s is among them", other)
		}
	}
}

func TestWhatGoesByChanceDoesSoWithMutantsOfTheSameFunction(t *testing.T) {
	in := func(function string) *mutant { return &mutant{Mutant: wovenIn(function)} }
	test := &test{suite: &suite{}, name: "TestClock"}
	test.contradicted(in("now"))
	if !test.goesByChance(in("now")) || test.goesByChance(in("later")) {
		t.Error("with a mutant of now it has contradicted itself, with none of later")
	}
	test.chancy.Store(true)
	if !test.goesByChance(in("later")) {
		t.Error("without any mutant it does not always do the same")
	}
}

// wovenIn is a mutant of a function, of which nothing else is known.
func wovenIn(function string) *weave.Mutant {
	return &weave.Mutant{Mutant: &mutate.Mutant{Function: function}}
}

func TestRunsThatRunOtherBlocksStray(t *testing.T) {
	before := &test{blocks: map[int]bool{1: true, 5: true}}
	for _, tt := range []struct {
		of     *test
		blocks []int
		strays bool
	}{
		{before, []int{1, 5}, false},
		{before, []int{1}, true},
		{before, []int{1, 6}, true},
		{before, []int{1, 5, 6}, true},
		{&test{}, []int{1}, false}, // the first run
	} {
		if got := tt.of.strays(tt.blocks); got != tt.strays {
			t.Errorf("%v after %v strays: %t", tt.blocks, tt.of.blocks, got)
		}
	}
}
