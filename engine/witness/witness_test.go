package witness

import (
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestCallsBeforeThatFailAreNoted(t *testing.T) {
	sites := []weave.Site{{Callee: "r.Read", Fails: true}, {Callee: "r.Len"}}
	failed := wire.Observation{Site: 0, Hash: 1, Errors: []string{"", "EOF"}}
	read := wire.Observation{Site: 0, Hash: 2, Errors: []string{"", ""}}
	length := wire.Observation{Site: 1, Hash: 3}
	for _, tt := range []struct {
		name string
		ran  []wire.Observation
		at   *wire.Observation
		nth  int
		want bool
	}{
		{"before", []wire.Observation{failed, length}, &length, 0, true},
		{"in the call itself", []wire.Observation{read, failed}, &failed, 1, false},
		{"afterwards", []wire.Observation{length, failed}, &length, 0, false},
		{"none", []wire.Observation{read, length}, &length, 0, false},
		{"unknown", []wire.Observation{failed}, nil, 0, false},
	} {
		site := 0
		if tt.at != nil {
			site = tt.at.Site
		}
		if got := (&Difference{Site: site, Nth: tt.nth, Original: tt.at, Ran: tt.ran}).AfterError(sites); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}

func TestOfSeveralCallsThatGiveTheSameItIsKnownWhichDiffers(t *testing.T) {
	at := func(site int, hash uint64) wire.Observation { return wire.Observation{Site: site, Hash: hash} }
	original := []wire.Observation{at(0, 1), at(1, 9), at(0, 2), at(0, 2)}
	mutant := []wire.Observation{at(0, 1), at(1, 9), at(0, 2), at(0, 3)}
	list := Differences(original, mutant)
	if len(list) != 1 || list[0].Nth != 2 {
		t.Fatalf("%+v", list)
	}
	list[0].Ran = original
	if i := list[0].ran(); i != 3 {
		t.Errorf("call %d differs, want 3", i)
	}
}

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

func TestWhatIsAskedOfAResultThatShowsNothingSaysMoreThanTheResult(t *testing.T) {
	sites := []weave.Site{{Callee: "New", Opaque: true, Results: 1}, {Callee: "m.Len", Results: 1}, {Callee: "m.Front", Opaque: true, Results: 1}}
	difference := func(site int, before, after string) Difference {
		return Difference{Site: site, Original: &wire.Observation{Text: before}, Mutant: &wire.Observation{Text: after}}
	}
	made, length, front := difference(0, "&p.M{n: 1}", "&p.M{n: 0}"), difference(1, "1", "0"), difference(2, "&p.E{k: 1}", "&p.E{}")
	for _, tt := range []struct {
		list []Difference
		want int
	}{
		{[]Difference{made, front, length}, 2},
		{[]Difference{made, front}, 0},
		{[]Difference{made, difference(1, "1", "1")}, 0},
		{[]Difference{difference(0, "&p.M{n: 1}", "nil"), length}, 0},
		{[]Difference{length, made}, 0},
	} {
		if got := Clearest(tt.list, sites); got.Site != tt.list[tt.want].Site {
			t.Errorf("%v: site %d", tt.list, got.Site)
		}
	}
}

func TestWhatIsAskedOfAnArgumentSaysMoreThanWhatBecameOfIt(t *testing.T) {
	sites := []weave.Site{{Callee: "Greet"}, {Callee: "w.Body.String", Consumes: true}, {Callee: "Size"}}
	difference := func(site int, before, after string, operands ...string) Difference {
		d := Difference{Site: site, Original: &wire.Observation{Text: before}, Mutant: &wire.Observation{Text: after}}
		if len(operands) > 0 {
			d.Original.After, d.Mutant.After = operands[:1], operands[1:]
		}
		return d
	}
	became, asked, given, hidden := difference(0, "", "", "a", "b"), difference(1, `"a"`, `"b"`), difference(0, "1", "2"), difference(2, "x", "x")
	for _, tt := range []struct {
		list []Difference
		want int
	}{
		{[]Difference{became, asked}, 1},
		{[]Difference{hidden, became, asked}, 2},
		{[]Difference{given, asked}, 0},
		{[]Difference{became}, 0},
		{[]Difference{became, difference(2, "1", "2")}, 0},
		{[]Difference{hidden}, 0},
		{[]Difference{{Site: 0, Original: &wire.Observation{}}, asked}, 0},
	} {
		if got := Clearest(tt.list, sites); got.Site != tt.list[tt.want].Site {
			t.Errorf("%v: site %d", tt.list, got.Site)
		}
	}
}
