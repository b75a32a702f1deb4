package evidence

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/judge"
	"github.com/mutantfuzz/mutantfuzz/engine/ledger"
	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
	"github.com/mutantfuzz/mutantfuzz/engine/rank"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func woven(m mutate.Mutant) *weave.Mutant { return &weave.Mutant{Mutant: &m} }

func TestVerdictFollowsFromTheFacts(t *testing.T) {
	built := woven(mutate.Mutant{})
	tests := func(s ledger.Status, reason string) *judge.Decision {
		return &judge.Decision{Decision: ledger.Decision{Status: s, Kind: ledger.Test, Test: "p.TestA", Reason: reason}}
	}
	entry := &results.KilledBy{By: results.ByTarget, Name: "p.FuzzA", Entry: "e"}
	input := &results.ExposedBy{Harness: "p.FuzzA", Entry: "e"}
	for name, tt := range map[string]struct {
		m              Mutant
		status, reason string
		stage, by      string
		live           bool
	}{
		"nothing is known":                 {m: Mutant{}, status: results.Pending, live: true},
		"silenced":                         {m: Mutant{Mutant: woven(mutate.Mutant{Ignored: "why"})}, status: results.Ignored, reason: "why"},
		"does not compile":                 {m: Mutant{Mutant: &weave.Mutant{Mutant: built.Mutant, Unviable: "x"}}, status: results.Unviable, reason: "x"},
		"left out":                         {m: Mutant{Mutant: &weave.Mutant{Mutant: built.Mutant, Left: "too much"}}, status: results.NotRun, reason: "too much"},
		"a test fails":                     {m: Mutant{Tests: tests(ledger.Killed, "")}, status: results.Killed, stage: results.Revealed, by: "p.TestA"},
		"a test fails in what it builds":   {m: Mutant{Tests: tests(ledger.Survived, ""), BuiltKill: &results.KilledBy{Name: "p.TestB"}}, status: results.Killed, reason: "in the program that the test builds with the go command", stage: results.Revealed, by: "p.TestB"},
		"an entry kills":                   {m: Mutant{Tests: tests(ledger.Survived, ""), Killed: entry}, status: results.Killed, stage: results.Revealed, by: "p.FuzzA"},
		"a test kills what an entry does":  {m: Mutant{Tests: tests(ledger.Killed, ""), Killed: entry}, status: results.Killed, stage: results.Revealed, by: "p.TestA"},
		"all tests pass":                   {m: Mutant{Tests: tests(ledger.Survived, "")}, status: results.Survived, stage: results.NotReached, live: true},
		"... and run it":                   {m: Mutant{Tests: tests(ledger.Survived, ""), Reached: true}, status: results.Survived, stage: results.Reached, live: true},
		"... and infect it":                {m: Mutant{Tests: tests(ledger.Survived, ""), Reached: true, Infected: true}, status: results.Survived, stage: results.Infected, live: true},
		"an input shows a difference":      {m: Mutant{Tests: tests(ledger.Survived, ""), Exposed: input}, status: results.Survived, stage: results.Propagated, live: true},
		"... although tests are undecided": {m: Mutant{Tests: tests(ledger.Undecided, ""), Exposed: input}, status: results.Survived, reason: "the tests of its package did not run in time", stage: results.Propagated, live: true},
		"... or some were not surveyed":    {m: Mutant{Tests: tests(ledger.Undecided, "TestB did not run"), Exposed: input}, status: results.Survived, reason: "TestB did not run", stage: results.Propagated, live: true},
		"... and no tests are asked":       {m: Mutant{Exposed: input}, status: results.Survived, stage: results.Propagated, live: true},
		"out of time":                      {m: Mutant{Tests: tests(ledger.Undecided, "")}, status: results.NotRun, reason: "the tests of its package did not run in time", live: true},
		"the tests fail without it":        {m: Mutant{Tests: tests(ledger.Undecided, results.TestsFail)}, status: results.NotRun, reason: results.TestsFail, live: true},
		"a test is inconclusive":           {m: Mutant{Tests: tests(ledger.Inconclusive, "1 of 2")}, status: results.Ignored, reason: "1 of 2", live: true},
		"programs are still to be built":   {m: Mutant{Tests: tests(ledger.Survived, ""), AwaitsBuilt: true}, status: results.NotRun, reason: "the tests that build the program with the go command did not run in time", live: true},
		"proved to do the same":            {m: Mutant{Tests: tests(ledger.Survived, ""), Proof: "as"}, status: results.Equivalent, reason: "as"},
		"proved, but killed":               {m: Mutant{Tests: tests(ledger.Killed, ""), Proof: "as"}, status: results.Killed, stage: results.Revealed, by: "p.TestA"},
		"the same machine code":            {m: Mutant{Tests: tests(ledger.Survived, ""), Equal: true}, status: results.Equivalent, reason: "it compiles to the same machine code"},
		"confirmed":                        {m: Mutant{Tests: tests(ledger.Survived, ""), Rebuilt: Rebuilt{Outcome: Confirmed}}, status: results.Survived, stage: results.NotReached, live: true},
		"a rebuild says otherwise":         {m: Mutant{Tests: tests(ledger.Survived, ""), Rebuilt: Rebuilt{Contradicted, "TestA fails"}}, status: results.NotRun, reason: "not confirmed: TestA fails"},
		"... of a kill":                    {m: Mutant{Tests: tests(ledger.Killed, ""), Rebuilt: Rebuilt{Contradicted, "TestA passes"}}, status: results.NotRun, reason: "not confirmed: TestA passes"},
		"it does not compile by itself":    {m: Mutant{Tests: tests(ledger.Survived, ""), Rebuilt: Rebuilt{Unviable, "unused"}}, status: results.Unviable, reason: "unused"},
		"a rebuild is inconclusive":        {m: Mutant{Tests: tests(ledger.Survived, ""), Exposed: input, Rebuilt: Rebuilt{Chance, "1 of 3"}}, status: results.Ignored, reason: "1 of 3"},
	} {
		t.Run(name, func(t *testing.T) {
			m := tt.m
			if m.Mutant == nil {
				m.Mutant = built
			}
			v := m.Verdict()
			by := ""
			if v.By != nil {
				by = v.By.Name
			}
			if v.Status != tt.status || v.Reason != tt.reason || by != tt.by || m.Stage() != tt.stage || m.Live() != tt.live {
				t.Errorf("%q (%q), stage %q, by %q, live %t", v.Status, v.Reason, m.Stage(), by, m.Live())
			}
			if (v.Input != nil) != (tt.stage == results.Propagated) {
				t.Errorf("input %v at stage %q", v.Input, tt.stage)
			}
		})
	}
}

func TestRankComparesWholeLines(t *testing.T) {
	const kept, moved, other = "\tif a < limit(b) {", "\tif a < limit(c) {", "\treturn x, y < z, nil"
	item := func(line string) rank.Item {
		m := Mutant{Mutant: woven(mutate.Mutant{
			Original: "<", Replacement: "<=", Before: line, After: strings.Replace(line, "<", "<=", 1), Line: 7,
		})}
		return m.RankItem()
	}
	if got, want := rank.FPF([]rank.Item{item(kept), item(moved), item(other)}), []int{0, 2, 1}; !slices.Equal(got, want) {
		t.Errorf("ranked %v, want %v: the same edit of a line unlike the first comes before one of a line like it", got, want)
	}
}

func TestFunctionsThatOnlyUseWhatChangedComeLast(t *testing.T) {
	var all weave.Woven
	for i, m := range []mutate.Mutant{
		{ID: "used", Function: "p.Uses", Line: 1},
		{ID: "rest", Function: "p.Changed", Line: 5},
		{ID: "changed", Function: "p.Changed", Line: 6, OnDiff: true},
		{ID: "undoes", Function: "p.Changed", Line: 7, OnDiff: true, Hunk: &mutate.Hunk{First: 7, Count: 1}},
	} {
		all.Mutants = append(all.Mutants, weave.Mutant{Mutant: &m, Block: i})
	}
	mutants := New(&all, nil, []results.Function{
		{ID: "p.Uses", Package: "p", Reason: results.ReasonUsesChanged}, {ID: "p.Changed", Package: "p", Reason: results.ReasonChanged},
	}, nil)
	var ranked []string
	classes := map[int]string{}
	for _, m := range mutants.Ranked() {
		ranked = append(ranked, m.ID)
		classes[m.AsJudged().Class] += m.ID
	}
	if want := []string{"undoes", "changed", "rest", "used"}; !slices.Equal(ranked, want) {
		t.Errorf("ranked %q, want %q", ranked, want)
	}
	if want := map[int]string{ClassUndone: "undoes", ClassChanged: "changed", ClassRest: "rest", ClassLate: "used"}; !maps.Equal(classes, want) {
		t.Errorf("classes %v, want %v", classes, want)
	}
}

func TestOfThePartsOfAChangeTheSmallestIsUndoneFirst(t *testing.T) {
	var all weave.Woven
	for _, m := range []mutate.Mutant{
		{ID: "whole", Function: "p.F", EndOffset: 90, Hunk: &mutate.Hunk{First: 3, Count: 8}},
		{ID: "edit", Function: "p.F", EndOffset: 1},
		{ID: "part", Function: "p.F", EndOffset: 10, Hunk: &mutate.Hunk{First: 3, Count: 1}},
		{ID: "rest", Function: "p.F", EndOffset: 20, Hunk: &mutate.Hunk{First: 8, Count: 3}},
		{ID: "only", Function: "p.G", EndOffset: 30, Hunk: &mutate.Hunk{First: 40}},
		{ID: "half", Function: "p.H", EndOffset: 40, Hunk: &mutate.Hunk{First: 50, Count: 1}},
		{ID: "texts", Function: "p.T", EndOffset: 60, Hunk: &mutate.Hunk{First: 60, Count: 1}, Ignored: "arid code: text"},
		{ID: "broken", Function: "p.H", EndOffset: 50, Hunk: &mutate.Hunk{First: 50, Count: 9}},
	} {
		all.Mutants = append(all.Mutants, weave.Mutant{Mutant: &m})
	}
	all.Mutants[len(all.Mutants)-1].Unviable = "it does not compile"
	mutants := New(&all, nil, []results.Function{{ID: "p.F"}, {ID: "p.G"}, {ID: "p.H"}, {ID: "p.T"}}, nil)
	ids := func(list Mutants) (ids []string) {
		for _, m := range list {
			ids = append(ids, m.ID)
		}
		return ids
	}
	if got, want := ids(mutants.Undoing()), []string{"part", "rest", "only", "half", "whole"}; !slices.Equal(got, want) {
		t.Errorf("parts %q, want %q", got, want)
	}
	if got, want := ids(mutants.UndoingAll()), []string{"only", "whole"}; !slices.Equal(got, want) {
		t.Errorf("all of the change %q, want %q", got, want)
	}
	for function, want := range map[string]bool{"p.F": false, "p.G": false, "p.H": true, "p.T": false} {
		if m := mutants.NotUndone(func(id string) bool { return id == function }); (m != nil) != want {
			t.Errorf("%s is not undone: %v, want %t", function, m, want)
		}
	}
	for id, want := range map[string]string{"part": "whole", "rest": "whole", "whole": "", "edit": "", "only": "", "half": ""} {
		got := ""
		if whole := mutants.Whole(mutants.ByID(id)); whole != nil {
			got = whole.ID
		}
		if got != want {
			t.Errorf("all of what %s is a part of: %q, want %q", id, got, want)
		}
	}
}

func TestEveryLineHasItsTurnBeforeAnyHasASecond(t *testing.T) {
	at := func(id, file string, line int, onDiff bool) mutate.Mutant {
		return mutate.Mutant{ID: id, File: file, Line: line, OnDiff: onDiff}
	}
	for name, tt := range map[string]struct {
		mutants []mutate.Mutant
		want    string
	}{
		"nothing": {nil, ""},
		"of each line one": {
			[]mutate.Mutant{at("0", "a", 1, false), at("1", "a", 1, false), at("2", "a", 2, false), at("3", "a", 1, false), at("4", "a", 2, false)},
			"02143",
		},
		"the same line of two files": {
			[]mutate.Mutant{at("0", "a", 1, false), at("1", "a", 1, false), at("2", "b", 1, false)},
			"021",
		},
		"all changed lines before others": {
			[]mutate.Mutant{at("0", "a", 1, false), at("1", "a", 2, true), at("2", "a", 2, true)},
			"120",
		},
	} {
		t.Run(name, func(t *testing.T) {
			var list Mutants
			for _, m := range tt.mutants {
				list = append(list, &Mutant{Mutant: woven(m)})
			}
			got := ""
			for _, m := range list.Ranked() {
				got += m.ID
			}
			if got != tt.want {
				t.Errorf("ranked %s, want %s", got, tt.want)
			}
		})
	}
}

func TestMutantsKnowWhetherTheirPackageMayRunUnseen(t *testing.T) {
	all := weave.Woven{Mutants: []weave.Mutant{{Mutant: &mutate.Mutant{Function: "p.F"}}, {Mutant: &mutate.Mutant{Function: "q.F"}}}}
	functions := []results.Function{{ID: "p.F", Package: "p"}, {ID: "q.F", Package: "q"}}
	if l := New(&all, nil, functions, map[string]bool{"p": false, "q": true}); l[0].Unseen || !l[1].Unseen {
		t.Errorf("unseen: %v, %v", l[0].Unseen, l[1].Unseen)
	}
}

func TestWhatIsAssumedIsNotKnownFromTests(t *testing.T) {
	tested := &Mutant{Mutant: woven(mutate.Mutant{ID: "tested"}), Tests: &judge.Decision{Decision: ledger.Decision{Status: ledger.Survived, Reason: "late"}}, Judged: true}
	other := &Mutant{Mutant: woven(mutate.Mutant{ID: "other"})}
	killed := &Mutant{Mutant: woven(mutate.Mutant{ID: "killed"}), Tests: &judge.Decision{Decision: ledger.Decision{Status: ledger.Killed, Reason: "late"}}}
	l := Mutants{tested, other, killed}
	if l.Assume(ledger.Decision{Status: ledger.Survived}); !tested.Reserved() || other.Reserved() || !other.Survives() || killed.Reserved() {
		t.Errorf("reserved: %v, %v, %v", tested.Reserved(), other.Reserved(), killed.Reserved())
	}
	if got := l.Spared(); !slices.Equal(got, []string{"other"}) {
		t.Errorf("spared %q", got)
	}
	if got := l.Named([]string{"killed", "gone", "tested"}); len(got) != 2 || got[0] != killed || got[1] != tested {
		t.Errorf("named %v", got)
	}
}
