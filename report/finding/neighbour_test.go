package finding

import (
	"testing"

	. "github.com/mutantfuzz/mutantfuzz/report/internal/sample"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// noticedBy makes a mutant one that a test notices.
func noticedBy(test string) func(*results.Mutant) {
	return func(m *results.Mutant) {
		m.Status, m.Stage, m.KilledBy = results.Killed, results.Revealed, &results.KilledBy{By: results.ByTest, Kind: results.KindTest, Name: test}
	}
}

// in sets the source around a mutant.
func in(context string) func(*results.Mutant) {
	return func(m *results.Mutant) { m.Context = context }
}

func TestANeighbourIsSuchAnEditThatATestNotices(t *testing.T) {
	ofCase := func(m *results.Mutant) { m.Evidence.Case = "case 1" }
	yes := []func(*results.Mutant){Function("p.F"), Operator("boolean-literal"), Writes("true", "false"), in("\treturn true")}
	with := func(more ...func(*results.Mutant)) []func(*results.Mutant) {
		return append(yes[:len(yes):len(yes)], more...)
	}
	for name, tt := range map[string]struct {
		m, o results.Mutant
		like bool
	}{
		"the same edit of the same line": {Survivor("a1", with(Line(3))...), Survivor("b2", with(Line(7), noticedBy("p.TestF"))...), true},
		"in another function":            {Survivor("a1", with(Line(3))...), Survivor("b2", with(Line(7), noticedBy("p.TestF"), Function("p.G"))...), false},
		"at the same place":              {Survivor("a1", with(Line(3))...), Survivor("b2", with(Line(3), noticedBy("p.TestF"))...), false},
		"that no test notices":           {Survivor("a1", with(Line(3))...), Survivor("b2", with(Line(7))...), false},
		"of another line":                {Survivor("a1", with(Line(3))...), Survivor("b2", with(Line(7), noticedBy("p.TestF"), in("\tf(true)"))...), false},
		"by another operator":            {Survivor("a1", with(Line(3))...), Survivor("b2", with(Line(7), noticedBy("p.TestF"), Operator("return-value"))...), false},
		"another case":                   {Survivor("a1", with(Line(3), ofCase)...), Survivor("b2", with(Line(7), noticedBy("p.TestF"), ofCase, in("\tf(2)"))...), true},
		"a check of another error": {
			Survivor("a1", Function("p.F"), Line(3), Operator("error-check"), Writes("err != nil", "err != nil && false"), in("\tif err != nil {")),
			Survivor("b2", Function("p.F"), Line(7), Operator("error-check"), Writes("err != nil", "err != nil && false"), in("\tif err != nil {"), noticedBy("p.TestF")), false,
		},
		"a line like one that nothing runs": {
			Survivor("a1", with(Line(3), NotReached, in("\treturn (*decoder).float()"))...),
			Survivor("b2", with(Line(7), noticedBy("p.TestF"), in("\treturn (*decoder).integer()"))...), true,
		},
	} {
		r := &results.Results{Mutants: []results.Mutant{tt.m, tt.o}}
		if o := Neighbour(r, &r.Mutants[0]); (o != nil) != tt.like {
			t.Errorf("%s: %v", name, o)
		}
	}
}

func TestANeighbourThatATestOfTheChangeNoticesComesFirst(t *testing.T) {
	of := func(id string, line int, test string) results.Mutant {
		return Survivor(id, Function("p.F"), Line(line), Writes("true", "false"), in("\treturn true"), noticedBy(test))
	}
	m := Survivor("a1", Function("p.F"), Line(3), Writes("true", "false"), in("\treturn true"))
	m.Evidence.ByChange = []results.NewTest{{Test: "p.TestNew", Change: results.TestAdded}}
	r := &results.Results{Mutants: []results.Mutant{m, of("b2", 4, "p.TestOld"), of("c3", 90, "p.TestNew/sub"), of("d4", 80, "p.TestNew")}}
	if o := Neighbour(r, &r.Mutants[0]); o.ID != "d4" {
		t.Errorf("got %s", o.ID)
	}
	if o := Neighbour(&results.Results{Mutants: r.Mutants[1:3]}, &r.Mutants[0]); o.ID != "b2" {
		t.Errorf("without a test of the change: %s", o.ID)
	}
}

// Of two edits of the same worth, one at another place of which a test notices that also notices if the change is undone
// is what the change is about.
func TestAnEditThatSwitchesTheChangeOffComesFirst(t *testing.T) {
	edit := func(id string, line int, value string, more ...func(*results.Mutant)) results.Mutant {
		return Survivor(id, append([]func(*results.Mutant){Function("p.F"), Line(line), Operator("boolean-literal"), Writes("on", value), in("\treturn x, on")}, more...)...)
	}
	r := &results.Results{Mutants: []results.Mutant{
		edit("a1", 3, "true"), edit("b2", 3, "false"),
		edit("c3", 7, "true", noticedBy("p.TestOn")), edit("d4", 7, "false", noticedBy("p.TestOff")),
		Survivor("e5", Function("p.G"), Undone, noticedBy("p.TestOff")),
	}}
	if got := Findings(r)[0].Mutant.ID; got != "b2" {
		t.Errorf("%s comes first", got)
	}
	r.Mutants[4].KilledBy.Name = "p.TestOn"
	if got := Findings(r)[0].Mutant.ID; got != "a1" {
		t.Errorf("%s comes first, though the other one does what the change undone does", got)
	}
}

func TestAShortBranchThatNoTestTakesIsNoSecondFinding(t *testing.T) {
	short := NeverTrueOf("a1")
	other := Survivor("b2", NotReached, Function("p.G"))
	r := &results.Results{Scope: []results.Function{{ID: "p.G", Reason: results.ReasonAdded, StartLine: 1, EndLine: 9}}, Mutants: []results.Mutant{short, other}}
	open := Select(r, nil, 0).Open
	if len(open) != 1 || open[0].Kind != NotRun {
		t.Errorf("%d findings, the first of kind %v", len(open), open[0].Kind)
	}
	if open := Select(&results.Results{Mutants: r.Mutants[:1]}, nil, 0).Open; len(open) != 1 || open[0].Kind != Gap {
		t.Errorf("alone: %d findings", len(open))
	}
	r.Mutants[0].Evidence.Never.EndLine += manyUnrun
	if open := Select(r, nil, 0).Open; len(open) != 2 || open[0].Kind != Gap {
		t.Errorf("a longer branch: %d findings", len(open))
	}
}
