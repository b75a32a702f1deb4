package judge

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/executor"
	"github.com/mutantfuzz/mutantfuzz/engine/ledger"
)

// outcomes counts how often mutants 1 to n have a wanted outcome, in all of several runs with different random numbers.
func outcomes(t *testing.T, runs, n int, tests func() []fakeTest, wanted func(mutant int, outcome string) bool) (right int) {
	t.Helper()
	for seed := range runs {
		r, c := judged(t, &fake{random: newRandom(seed), tests: map[string][]fakeTest{"p": tests()}}, n)
		for m := 1; m <= n; m++ {
			if wanted(m, outcome(r, c, m)) {
				right++
			}
		}
	}
	return right
}

func TestTestThatIsFlakyAloneJudgesInWholeSuiteRuns(t *testing.T) {
	const runs, mutants = 50, 4
	tests := func() []fakeTest {
		all := map[int]bool{1: true, 2: true, 3: true, 4: true}
		return []fakeTest{
			{name: "TestFirst", took: time.Millisecond},
			{name: "TestClock", took: time.Millisecond, lonely: 0.3, infects: []int{1, 2, 3, 4}, inSuite: all},
		}
	}
	right := outcomes(t, runs, mutants, tests, func(_ int, outcome string) bool {
		return outcome == "killed test p.TestClock: "+ledger.ReasonOnlyInSuite
	})
	t.Log(right)
	if right < runs*mutants*90/100 {
		t.Errorf("%d of %d", right, runs*mutants)
	}
}

func TestTestThatHardlyEverFailsGoesOnJudging(t *testing.T) {
	const runs, mutants = 100, 12
	tests := func() []fakeTest {
		infects := []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}
		return []fakeTest{{name: "TestClock", took: time.Millisecond, flaky: 0.01, infects: infects, kills: map[int]float64{1: 1, 2: 1, 3: 0.5}}}
	}
	right := outcomes(t, runs, mutants, tests, func(mutant int, outcome string) bool {
		switch mutant {
		case 1, 2:
			return strings.HasPrefix(outcome, "killed test p.TestClock")
		case 3:
			return true
		default:
			return outcome == "survived"
		}
	})
	t.Log(right)
	if right < runs*mutants*97/100 {
		t.Errorf("%d of %d", right, runs*mutants)
	}
}

func TestTestThatHardlyEverFailsIsNamed(t *testing.T) {
	for seed := range 200 {
		r, _ := judged(t, &fake{random: newRandom(seed), tests: map[string][]fakeTest{"p": {{name: "TestClock", took: time.Millisecond, flaky: 0.02, infects: []int{1}}}}}, 1)
		if notes := r.QuarantineNotes(); len(notes) > 0 && strings.HasSuffix(notes[0], "on the unmodified code. That is rare enough for its result to count") {
			return
		}
	}
	t.Error("in no analysis")
}

func TestTestThatTheSurveyTookForReliableIsQuarantinedWhenMutantsShowThatItIsFlaky(t *testing.T) {
	const runs, mutants = 50, 12
	tests := func() []fakeTest {
		infects := []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}
		return []fakeTest{
			{name: "TestA", took: time.Millisecond, infects: []int{11, 12}, kills: map[int]float64{11: 1}},
			{name: "TestFlaky", took: time.Millisecond, flaky: 0.2, infects: infects, kills: map[int]float64{1: 1, 2: 1}, hidden: true},
		}
	}
	right := outcomes(t, runs, mutants, tests, func(mutant int, outcome string) bool {
		switch mutant {
		case 11:
			return outcome == "killed test p.TestA"
		case 12:
			return outcome == "survived"
		default:
			return strings.HasPrefix(outcome, "inconclusive")
		}
	})
	t.Log(right)
	if right < runs*mutants*85/100 {
		t.Errorf("%d of %d", right, runs*mutants)
	}
}

// TestClock contradicts itself on the last mutants, so it has to pass more than once on others that it may notice.
func TestWhatATestMayNoticeThatContradictsItselfPassesTwice(t *testing.T) {
	const runs, mutants = 200, 9
	tests := func() []fakeTest {
		kills := map[int]float64{1: 0.85, 2: 1}
		for m := 4; m <= mutants; m++ {
			kills[m] = 0.5
		}
		return []fakeTest{
			{name: "TestFirst", took: time.Millisecond},
			{name: "TestClock", took: time.Millisecond, infects: []int{1, 4, 5, 6, 7, 8, 9}, reaches: []int{2, 3}, kills: kills, hidden: true},
		}
	}
	survived := map[int]int{}
	outcomes(t, runs, mutants, tests, func(mutant int, outcome string) bool {
		if outcome == "survived" {
			survived[mutant]++
		}
		return true
	})
	t.Log(survived)
	if survived[1] > runs*6/100 {
		t.Errorf("what fails in most runs survives %d of %d analyses", survived[1], runs)
	}
	if survived[2] > runs*20/100 || survived[3] != runs {
		t.Errorf("of what is only reached in a survey, %d and %d survive", survived[2], survived[3])
	}
}

func TestMutantThatATestSeldomNoticesSurvivesWithAReason(t *testing.T) {
	const runs = 100
	survived, told := 0, 0
	for seed := range runs {
		f := &fake{random: newRandom(seed), tests: map[string][]fakeTest{"p": {
			{name: "TestFirst", took: time.Millisecond},
			{name: "TestClock", took: time.Millisecond, infects: []int{1}, kills: map[int]float64{1: 0.25}, hidden: seed%2 == 0},
		}}}
		cache := &memoryCache{known: map[int]ledger.Decision{}}
		r, c := judged(t, f, 1, func(c *Config) { c.Cache = cache })
		d := r.Decide(c.Mutants[0])
		if d.Status != ledger.Survived {
			continue
		}
		survived++
		contradicted := r.SurveyOf("p").doubts.Contradicted("TestClock")
		if contradicted != d.Seldom || d.OwnOnly || d.Seldom && !strings.HasPrefix(d.Reason, "p: TestClock fails with this change in ") {
			t.Errorf("seed %d: contradicted %t, %+v", seed, contradicted, d)
		}
		if kept := cache.known[1]; d.Seldom && (kept.Status != ledger.Survived || kept.Reason == "") {
			t.Errorf("seed %d: stored as %+v", seed, kept)
		}
		if d.Seldom {
			told++
		}
	}
	t.Log(survived, told)
	if survived < runs*80/100 || told < runs*30/100 {
		t.Errorf("it survives %d of %d analyses, %d of them with a reason", survived, runs, told)
	}
}

// Mutants that survive until a test contradicts itself have to pass again. Without time for that, they have survived.
func TestWhatHasToPassAgainHasSurvivedUntilThen(t *testing.T) {
	f := &fake{tests: map[string][]fakeTest{"p": {{name: "TestClock", took: time.Millisecond, infects: []int{1}, reaches: []int{2}}}}}
	r, c := judged(t, f, 2)
	v := r.SurveyOf("p")
	v.doubts.Contradicts("TestClock")
	for n, m := range c.Mutants {
		if d := v.decide(m); d.Status != ledger.Undecided {
			t.Errorf("mutant %d: %+v, want another run", n+1, d)
		}
		if got := outcome(r, c, n+1); got != "survived" {
			t.Errorf("mutant %d: %s", n+1, got)
		}
	}
	r.OwnDone = false
	if err := r.Continue(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	for n, m := range c.Mutants {
		if d := v.decide(m); d.Status != ledger.Survived {
			t.Errorf("mutant %d: %+v after other runs", n+1, d)
		}
	}
}

func TestTestsOfDependentsThatContradictThemselvesRanInTime(t *testing.T) {
	for seed := range 50 {
		f := &fake{random: newRandom(seed), tests: map[string][]fakeTest{
			"p": {{name: "TestP", took: time.Millisecond, infects: []int{1, 2, 3}}},
			"q": {{name: "TestFirst", took: time.Millisecond}, {name: "TestClock", took: time.Millisecond, infects: []int{1, 2, 3}, kills: map[int]float64{2: 0.5, 3: 0.5}, hidden: true}},
		}}
		asked := false
		r, c := judged(t, f, 3, func(c *Config) {
			for i, m := range c.Mutants {
				m.Class = i
			}
			c.Dependents = func(context.Context, []*Mutant) (suites []*executor.Suite, err error) {
				if !asked {
					suites, asked = []*executor.Suite{{Package: "q"}}, true
				}
				return suites, nil
			}
		})
		if d := r.Decide(c.Mutants[0]); d.Status != ledger.Survived || d.Reason != "" {
			t.Errorf("seed %d: %+v", seed, d)
		}
	}
}

func TestTestsThatFailWithoutAQuarantinedOneAreQuarantinedAndNamed(t *testing.T) {
	for name, tt := range map[string]struct {
		claims string
		silent []string // as in fake
		notes  string   // what they say of the others
		want   string
	}{
		"its output names it": {"", nil, "p.TestAfter is quarantined, so its result is not used: it " + failsWithout, "survived"},
		"another run does":    {"nobody", []string{"TestAfter"}, "p.TestAfter is quarantined, so its result is not used: it " + failsWithout, "survived"},
		"nothing does":        {"nobody", nil, "2 tests of p are quarantined, so their results are not used: each of TestAfter, TestLast " + failsUnnamed, "inconclusive"},
	} {
		t.Run(name, func(t *testing.T) {
			f := &fake{silent: tt.silent, tests: map[string][]fakeTest{"p": {
				{name: "TestBefore", took: time.Millisecond, infects: []int{1}},
				{name: "TestAfter", took: time.Millisecond, infects: []int{1}, after: "TestBefore", claims: tt.claims},
				{name: "TestLast", took: time.Millisecond, infects: []int{1}},
			}}}
			r, c := judged(t, f, 0)
			v := r.SurveyOf("p")
			v.doubts.Fails(ledger.Step{Context: ledger.InSuite, Test: "TestBefore"})
			if less, err := (&judging{&c, v}).believeLess(t.Context()); err != nil || !less {
				t.Fatal(less, err)
			}
			c.Mutants = []*Mutant{{Number: 1, Package: "p", Block: -1, Probed: true}}
			r.OwnDone = false
			if err := r.Continue(t.Context(), c); err != nil {
				t.Fatal(err)
			}
			if got, notes := outcome(r, c, 1), strings.Join(r.QuarantineNotes(), "\n"); got != tt.want || !strings.Contains(notes, tt.notes) {
				t.Errorf("%s; runs: %q; notes:\n%s", got, f.log, notes)
			}
		})
	}
}

func TestJudgingEndsOnlyWhenNothingMoreIsFoundAboutTests(t *testing.T) {
	for finds := range 3 {
		suites := []*judging{{nil, newSurvey(&executor.Suite{Package: "p"})}, {nil, newSurvey(&executor.Suite{Package: "q"})}}
		runs := 0
		err := settled(suites, func() error {
			if runs++; runs <= finds {
				d := &suites[runs%2].doubts
				d.Contradicts("TestClock")
				d.Take()
			}
			return nil
		})
		if err != nil || runs != finds+1 {
			t.Errorf("%d runs with %d finds, %v", runs, finds, err)
		}
	}
}

func TestATestThatRunsNearlyAllCodeAsksForNothing(t *testing.T) {
	for _, n := range []int{10, 60} {
		all := make([]int, n)
		for i := range all {
			all[i] = i + 1
		}
		asked := false
		for seed := range 20 {
			f := &fake{random: newRandom(seed), tests: map[string][]fakeTest{"p": {
				{name: "TestFirst", took: time.Millisecond},
				{name: "TestAll", took: longSuite - 10*time.Millisecond, infects: all, kills: map[int]float64{1: 0.5, 2: 0.5}, hidden: true},
			}}}
			r, _ := judged(t, f, n)
			asked = asked || r.SurveyOf("p").doubts.Contradicted("TestAll")
		}
		if asked != (n == 10) {
			t.Errorf("of %d mutants: %t", n, asked)
		}
	}
}
