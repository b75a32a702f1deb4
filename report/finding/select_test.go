package finding

import (
	"slices"
	"testing"

	. "github.com/mutantfuzz/mutantfuzz/report/internal/sample"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestEditsAreNotListedThatOnlyTestsRunOfWhichAFindingSaysThatTheyLookAtNothing(t *testing.T) {
	by := func(tests int, blind ...string) func(*results.Mutant) {
		return func(m *results.Mutant) {
			m.Evidence.Tests, m.Evidence.By, m.Evidence.Blind = tests, []string{"p.TestA", "p.TestB"}[:tests], blind
		}
	}
	told, same, others, looks := Survivor("a1", by(1, "p.TestA")), Survivor("b2", Line(201), by(1, "p.TestA")), Survivor("c3", Line(301), by(2, "p.TestA", "p.TestB")), Survivor("d4", Line(401), by(1))
	s := Selection{Open: []Finding{{Kind: Gap, Mutant: &told}}, Folded: []*results.Mutant{&same, &others, &looks}}
	var got []string
	for _, m := range s.Untold() {
		got = append(got, m.ID)
	}
	if !slices.Equal(got, []string{"c3", "d4"}) {
		t.Errorf("%q", got)
	}
}

func TestOtherEditsOfALineThatAFindingTellsOfAreNotListed(t *testing.T) {
	told, same, other, long := Survivor("a1"), Survivor("b1", Line(101)), Survivor("c2"), Survivor("d1", Line(101))
	long.EndLine = 103
	s := Selection{Open: []Finding{{Kind: Gap, Mutant: &told}}, Folded: []*results.Mutant{&same, &other, &long}}
	var got []string
	for _, m := range s.Untold() {
		got = append(got, m.ID)
	}
	if !slices.Equal(got, []string{"c2", "d1"}) {
		t.Errorf("%q", got)
	}
}

func TestWhatATestNoticesInSomeRunsIsNotAmongWhatNoTestNotices(t *testing.T) {
	seldom := func(m *results.Mutant) { m.Evidence.Seldom, m.Reason = true, "p.TestF fails in few runs" }
	failing := func(m *results.Mutant) { m.Evidence.Failing = true }
	r := Push(
		Survivor("a1", seldom), Survivor("b2", seldom, ElsewhereInIt), Survivor("c3", seldom, Undone), Survivor("d4", seldom, failing),
		Survivor("e5"), Survivor("f6", ElsewhereInIt), Survivor("g7", failing),
	)
	s := Selection{}
	s.fold(r, newRanking(r), nil)
	var got []string
	for _, m := range slices.Concat(s.Folded, s.Elsewhere, s.Undone, s.Doubtful) {
		got = append(got, m.ID)
	}
	if !slices.Equal(got, []string{"e5", "f6", "g7"}) {
		t.Errorf("%q", got)
	}
}

func TestALoopThatEndsEarlyTakesNoFindingsPlace(t *testing.T) {
	loop := func(m *results.Mutant) {
		m.Operator, m.Original, m.Replacement = "loop-iterations", "{\n\tf(x)\n}", "{\n\tf(x); break\n}"
		m.Evidence.Tests, m.Evidence.ByChange = 1, []results.NewTest{{Test: "p.TestNew", Change: results.TestAdded}}
	}
	for name, r := range map[string]*results.Results{
		"of the same function": Push(Survivor("a1", Function("p.F"), loop), Survivor("b2", Function("p.F"))),
		"of another function":  Push(Survivor("a1", loop), Survivor("b2")),
		"that comes later":     Push(Survivor("b2"), Survivor("c3", loop)),
	} {
		open := Select(r, nil, 0).Open
		if len(open) == 0 || open[0].Mutant.ID != "b2" {
			t.Errorf("%s: findings %q, want b2 first", name, ids(open))
		}
	}
	if open := Select(Push(Survivor("a1", loop)), nil, 0).Open; len(open) > 0 {
		t.Errorf("alone: findings %q, want none", ids(open))
	}
}
