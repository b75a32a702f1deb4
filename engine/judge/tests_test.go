package judge

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/executor"
	"github.com/mutantfuzz/mutantfuzz/engine/ledger"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// judged runs Tests on mutants 1 to n of package p with the tests of f.
func judged(t *testing.T, f *fake, n int, more ...func(*Config)) (*Result, Config) {
	t.Helper()
	return judgedWithin(t, t.Context(), f, n, more...)
}

// judgedWithin is like judged, within the time of ctx.
func judgedWithin(t *testing.T, ctx context.Context, f *fake, n int, more ...func(*Config)) (*Result, Config) {
	t.Helper()
	if f.random == nil {
		f.random = newRandom(1)
	}
	c := Config{Executor: f, Own: []*executor.Suite{{Package: "p"}}}
	for i := range n {
		c.Mutants = append(c.Mutants, &Mutant{Number: i + 1, Package: "p", Block: -1, Probed: true})
	}
	for _, change := range more {
		change(&c)
	}
	r, err := Tests(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	return r, c
}

// outcome returns the verdict on mutant n as a short text.
func outcome(r *Result, c Config, n int) string {
	switch d := r.Decide(c.Mutants[n-1]); {
	case d.Status == ledger.Killed && d.Reason != "":
		return fmt.Sprintf("killed %s %s: %s", d.Kind, d.Test, d.Reason)
	case d.Status == ledger.Killed:
		return fmt.Sprintf("killed %s %s", d.Kind, d.Test)
	case d.Status == ledger.Survived:
		return "survived"
	case d.Status == ledger.Inconclusive:
		return "inconclusive"
	}
	return "undecided"
}

func TestVerdictsAreThoseOfGoTest(t *testing.T) {
	f := &fake{tests: map[string][]fakeTest{"p": {
		{name: "TestA", took: time.Millisecond, infects: []int{1, 2, 5}, kills: map[int]float64{1: 1}},
		{name: "TestB.", took: time.Millisecond, infects: []int{2, 3}, kills: map[int]float64{2: 1, 3: 1}, kind: ledger.Crash},
		{name: "TestC", took: time.Millisecond, infects: []int{4}, kills: map[int]float64{4: 1}, kind: ledger.Hang},
		{name: "TestD", took: time.Millisecond, infects: []int{7}, inSuite: map[int]bool{7: true}},
		{name: "TestE", took: time.Millisecond, infects: []int{8}, kills: map[int]float64{8: 0.5}},
		{name: "TestF", took: time.Millisecond, infects: []int{9}, kills: map[int]float64{9: 1}, hidden: true},
	}}}
	r, c := judged(t, f, 9)
	for n, want := range []string{
		"killed test p.TestA", "killed crash p.TestB.", "killed crash p.TestB.", "killed hang p.TestC", "survived", "survived",
		"killed test p.TestD: " + ledger.ReasonOnlyInSuite, "inconclusive", "killed test p.TestF",
	} {
		if got := outcome(r, c, n+1); got != want {
			t.Errorf("mutant %d: %s, want %s", n+1, got, want)
		}
	}
}

func TestMutantThatNothingInfectsIsNotRun(t *testing.T) {
	f := &fake{tests: map[string][]fakeTest{"p": {{name: "TestA", kills: map[int]float64{1: 1}}}}}
	r, c := judged(t, f, 1)
	if got := outcome(r, c, 1); got != "survived" || len(f.log) > 0 {
		t.Errorf("%s after %v", got, f.log)
	}
}

func TestFlakyTestIsQuarantinedAndTheOthersJudge(t *testing.T) {
	f := &fake{tests: map[string][]fakeTest{"p": {
		{name: "TestA", infects: []int{1}, kills: map[int]float64{1: 1}},
		{name: "TestFlaky", infects: []int{1, 2}, kills: map[int]float64{2: 1}, flaky: 0.6},
	}}}
	r, c := judged(t, f, 2)
	if q := r.AllQuarantined(); len(q) != 1 || q[0].Test != "TestFlaky" {
		t.Fatalf("quarantined: %v", q)
	}
	if got := outcome(r, c, 1) + ", " + outcome(r, c, 2); got != "killed test p.TestA, inconclusive" {
		t.Errorf("%s", got)
	}
}

func TestSurvivorThatAQuarantinedTestRunsSaysSo(t *testing.T) {
	for name, took := range map[string]time.Duration{"small": time.Millisecond, "large": largeSuite + 1} {
		t.Run(name, func(t *testing.T) {
			f := &fake{tests: map[string][]fakeTest{"p": {
				{name: "TestA", took: took, infects: []int{1, 2}},
				{name: "TestRed", infects: []int{2}, flaky: 1},
			}}}
			r, c := judged(t, f, 2)
			want := []string{"", "quarantined tests run this code, and might notice the edit: TestRed"}
			for i, m := range c.Mutants {
				if d := r.Decide(m); d.Status != ledger.Survived || d.Reason != want[i] {
					t.Errorf("mutant %d: %+v, want survived, %q", m.Number, d, want[i])
				}
			}
		})
	}
}

func TestQuarantinedTestThatFiveTimesAsManyOutnumberIsNeglected(t *testing.T) {
	for _, tt := range []struct {
		others  int
		altered bool
		want    string
	}{
		{outnumbered, false, ""},
		{outnumbered - 1, false, "quarantined tests run this code, and might notice the edit: TestRed"},
		{outnumbered, true, "quarantined tests run this code, and might notice the edit: TestRed"},
	} {
		tests := []fakeTest{{name: "TestRed", infects: []int{1}, flaky: 1}}
		for n := range tt.others {
			tests = append(tests, fakeTest{name: fmt.Sprint("Test", n), infects: []int{1}})
		}
		r, c := judged(t, &fake{tests: map[string][]fakeTest{"p": tests}}, 1)
		if tt.altered {
			r.Alters(map[string]string{"p.TestRed": "altered"})
		}
		if d := r.Decide(c.Mutants[0]); d.Status != ledger.Survived || d.Reason != tt.want {
			t.Errorf("%d others, altered %v: %+v, want survived, %q", tt.others, tt.altered, d, tt.want)
		}
	}
}

func TestTestsThatFailOrSkipAreUnfinished(t *testing.T) {
	for name, took := range map[string]time.Duration{"small": time.Millisecond, "large": largeSuite + 1} {
		t.Run(name, func(t *testing.T) {
			f := &fake{tests: map[string][]fakeTest{"p": {
				{name: "TestA", took: took, infects: []int{1}, kills: map[int]float64{1: 1}},
				{name: "TestRed", flaky: 1},
				{name: "TestSkipped", skips: true},
				{name: "TestZ"},
			}}}
			r, _ := judged(t, f, 2)
			if got := r.SurveyOf("p"); got.Large != (took > largeSuite) || !slices.Equal(got.Unfinished(), []string{"TestRed", "TestSkipped"}) {
				t.Errorf("unfinished %q, large %v", got.Unfinished(), got.Large)
			} else if failing, unended := got.Failing(); !slices.Equal(failing, []string{"TestRed"}) || len(unended) > 0 {
				t.Errorf("failing %q, without an end %q", failing, unended)
			}
		})
	}
}

func TestTestsThatTestMainDoesNotRunAreUnfinished(t *testing.T) {
	for name, tt := range map[string]struct {
		f    *fake
		took time.Duration
		want []string
	}{
		"of a small suite":                     {&fake{idles: func(int) bool { return true }}, time.Millisecond, []string{"TestA", "TestB", "TestC"}},
		"of one whose output does not show it": {&fake{mute: true}, time.Millisecond, nil},
		"of a large one that does not show it": {&fake{mute: true}, largeSuite + 1, nil},
		"of one that runs whatever the mutant": {&fake{idles: func(m int) bool { return m > 0 }}, time.Millisecond, nil},
		"of a large one, whatever the mutant":  {&fake{idles: func(m int) bool { return m > 0 }}, largeSuite + 1, nil},
	} {
		t.Run(name, func(t *testing.T) {
			tt.f.tests = map[string][]fakeTest{"p": {{name: "TestA", took: tt.took}, {name: "TestB"}, {name: "TestC"}}}
			r, _ := judged(t, tt.f, 1)
			if got := r.SurveyOf("p").Unfinished(); !slices.Equal(got, tt.want) {
				t.Errorf("%q", got)
			}
		})
	}
}

func TestNothingSurvivesARunOfNoTest(t *testing.T) {
	once := true
	f := &fake{tests: map[string][]fakeTest{"p": {
		{name: "TestA", took: time.Millisecond, infects: []int{1, 2, 3}, inSuite: map[int]bool{2: true}},
		{name: "TestB", took: time.Millisecond, infects: []int{1, 2, 3}, inSuite: map[int]bool{2: true}},
	}}}
	f.idles = func(m int) bool {
		if m != 2 {
			return m == 1
		}
		defer func() { once = false }()
		return once
	}
	r, c := judged(t, f, 3)
	for n, want := range []string{"inconclusive", "killed test p.TestB: " + ledger.ReasonOnlyInSuite, "survived"} {
		if got := outcome(r, c, n+1); got != want {
			t.Errorf("mutant %d: %s, want %s; runs: %q", n+1, got, want, f.log)
		}
	}
	if d := r.Decide(c.Mutants[0]); !strings.Contains(d.Reason, "no test is seen to run") {
		t.Errorf("the reason is %q", d.Reason)
	}
}

func TestTestsThatNeverShowThatTheyRunJudgeNevertheless(t *testing.T) {
	f := &fake{mute: true, tests: map[string][]fakeTest{"p": {{name: "TestA", took: time.Millisecond, infects: []int{1, 2}, kills: map[int]float64{2: 1}}}}}
	r, c := judged(t, f, 2)
	if first, second := outcome(r, c, 1), outcome(r, c, 2); first != "survived" || second[:6] != "killed" {
		t.Errorf("%s, %s; runs: %q", first, second, f.log)
	}
}

func TestFewFailingTestsAreOutnumberedByThoseThatRunTheCode(t *testing.T) {
	var tests []fakeTest
	for i := range outnumbered {
		tests = append(tests, fakeTest{name: fmt.Sprintf("Test%d", i), took: time.Millisecond, infects: []int{1, 2}[:1+min(i, 1)]})
	}
	r, c := judged(t, &fake{tests: map[string][]fakeTest{"p": append(tests, fakeTest{name: "TestRed", flaky: 1})}}, 2)
	v := r.SurveyOf("p")
	one, _ := v.Failing()
	runs := func(i int) int { return len(v.Covering(c.Mutants[i])) }
	if !Outnumber(runs(0), len(one)) || Outnumber(runs(1), len(one)) || Outnumber(runs(0), 2*len(one)) {
		t.Errorf("of %q, %q run the first mutant, and %q the second", v.Tests, v.Covering(c.Mutants[0]), v.Covering(c.Mutants[1]))
	}
	if got := v.Unfinished(); !slices.Equal(got, []string{"TestRed"}) {
		t.Errorf("unfinished: %q", got)
	}
	v.Quarantined[0].Why = executor.FailsWoven
	if failing, unended := v.Failing(); len(failing)+len(unended) > 0 {
		t.Errorf("failing %q, without an end %q", failing, unended)
	}
	if got := v.Unfinished(); len(got) > 0 {
		t.Errorf("unfinished, although seen to run: %q", got)
	}
	v.Quarantined[0].Why = DoesNotEnd
	if failing, unended := v.Failing(); len(failing) > 0 || !slices.Equal(unended, []string{"TestRed"}) {
		t.Errorf("failing %q, without an end %q", failing, unended)
	}
}

func TestWhatTestsCoverIsKnownAlsoAfterOneThatEndsTheProcess(t *testing.T) {
	r, c := judged(t, &fake{tests: map[string][]fakeTest{"p": {
		{name: "TestA", took: time.Millisecond, infects: []int{1}},
		{name: "TestEnd", took: time.Millisecond, infects: []int{2}, ends: true},
		{name: "TestB", took: time.Millisecond, infects: []int{3}},
		{name: "TestLast", took: time.Millisecond, infects: []int{1}, ends: true},
	}}}, 3)
	for i, want := range [][]string{{"TestA", "TestLast"}, {"TestEnd"}, {"TestB"}} {
		if got := r.SurveyOf("p").Covering(c.Mutants[i]); !slices.Equal(got, want) {
			t.Errorf("mutant %d is covered by %q, want %q", i+1, got, want)
		}
	}
}

func TestAProcessThatRunsNoTestIsStartedTwice(t *testing.T) {
	var tests []fakeTest
	for i := range 5 {
		tests = append(tests, fakeTest{name: fmt.Sprint("Test", i), took: time.Millisecond, ends: true})
	}
	c := &judging{Config: &Config{Executor: &fake{tests: map[string][]fakeTest{"p": tests}}}, Survey: newSurvey(&executor.Suite{Package: "p"})}
	ended, err := c.hintsOf(t.Context(), []string{"Test0", "Test1", "Test2", "Test3", "Test4"})
	if err != nil || !slices.Equal(ended, []string{"Test0", "Test1"}) {
		t.Errorf("%q, %v", ended, err)
	}
}

func TestTestsThatFailBesideOthersRunApart(t *testing.T) {
	for name, took := range map[string]time.Duration{"small": time.Millisecond, "large": largeSuite} {
		t.Run(name, func(t *testing.T) {
			f := &fake{tests: map[string][]fakeTest{"p": {
				{name: "TestA", took: took, port: true, infects: []int{1, 3}, kills: map[int]float64{1: 1}},
				{name: "TestB", took: took, port: true, infects: []int{2, 3}, kills: map[int]float64{2: 1}},
				{name: "TestC", took: took},
			}}}
			r, c := judged(t, f, 3)
			if q := r.AllQuarantined(); len(q) > 0 || !r.SuiteOf("p").Apart {
				t.Errorf("quarantined %v", q)
			}
			for n, want := range []string{"killed test p.TestA", "killed test p.TestB", "survived"} {
				if got := outcome(r, c, n+1); got != want {
					t.Errorf("mutant %d: %s, want %s", n+1, got, want)
				}
			}
		})
	}
}

func TestManySmallTestsAreNotSurveyedOneByOne(t *testing.T) {
	var tests []fakeTest
	for n := range 400 {
		tests = append(tests, fakeTest{name: fmt.Sprintf("TestSmall%d", n), took: largeSuite / 300})
	}
	tests[7].infects, tests[7].kills = []int{1, 2}, map[int]float64{1: 1}
	for _, start := range []time.Duration{0, 30 * time.Millisecond} {
		r, c := judged(t, &fake{start: start, tests: map[string][]fakeTest{"p": tests}}, 2)
		if large := r.Surveys[0].Large; large != (start == 0) {
			t.Errorf("a process takes %v: they are surveyed one by one: %v", start, large)
		}
		if got := outcome(r, c, 1) + ", " + outcome(r, c, 2); got != "killed test p.TestSmall7, survived" {
			t.Error(got)
		}
	}
}

func TestTestsAreNotSurveyedOneByOneWhereStartingProcessesTakesAllTheTime(t *testing.T) {
	c := &judging{&Config{Executor: &fake{}, Mutants: make([]*Mutant, 100)}, newSurvey(&executor.Suite{})}
	c.Tests, c.start = make([]string, 60), 300*time.Millisecond
	if !c.pays(t.Context(), largeSuite) {
		t.Error("time is not bounded: they are not")
	}
	for left, want := range map[time.Duration]bool{10 * time.Second: false, time.Hour: true} {
		ctx, cancel := context.WithTimeout(t.Context(), left)
		defer cancel()
		if pays := c.pays(ctx, largeSuite); pays != want {
			t.Errorf("%v are left: they are: %v", left, pays)
		}
	}
}

func TestTestOfAProcessThatIsSlowToStartIsNotSlow(t *testing.T) {
	const took = largeSuite / 50
	f := &fake{start: slowTest / 50, tests: map[string][]fakeTest{"p": {{name: "TestQuick", took: took}, {name: "TestSlow", took: largeSuite}}}}
	r, _ := judged(t, f, 9)
	v := r.Surveys[0]
	if by := v.by["TestQuick"]; !v.Large || by.took > took || v.apart("TestQuick") || !v.apart("TestSlow") {
		t.Errorf("surveyed one by one: %v; %v, slow: %v", v.Large, by.took, v.apart("TestQuick"))
	}
}

func TestTestsThatNeedMoreMemoryGetIt(t *testing.T) {
	for name, took := range map[string]time.Duration{"small": time.Millisecond, "large": largeSuite, "cut": wholeLimit + time.Second} {
		t.Run(name, func(t *testing.T) {
			f := &fake{tests: map[string][]fakeTest{"p": {
				{name: "TestA", took: took, infects: []int{1}, kills: map[int]float64{1: 1}},
				{name: "TestBig", took: time.Millisecond, big: true, infects: []int{2}, kills: map[int]float64{2: 1}},
			}}}
			r, c := judged(t, f, 2)
			if q := r.AllQuarantined(); len(q) > 0 || !r.SuiteOf("p").Roomy || !r.SuiteOf("p").Apart {
				t.Errorf("quarantined %v", q)
			}
			if got := outcome(r, c, 1) + ", " + outcome(r, c, 2); got != "killed test p.TestA, killed test p.TestBig" {
				t.Error(got)
			}
		})
	}
}

func TestFlakyTestSeldomHasASuiteRunApart(t *testing.T) {
	for name, took := range map[string]time.Duration{"small": time.Millisecond, "large": largeSuite} {
		apart := 0
		for seed := range 100 {
			f := &fake{random: newRandom(seed), tests: map[string][]fakeTest{"p": {
				{name: "TestA", took: took, infects: []int{1}, kills: map[int]float64{1: 1}},
				{name: "TestB", took: took, infects: []int{1}, flaky: 0.4},
			}}}
			r, c := judged(t, f, 1)
			if r.SuiteOf("p").Apart {
				apart++
			}
			if got := outcome(r, c, 1); !strings.HasPrefix(got, "killed test p.Test") {
				t.Errorf("%s, seed %d: %s", name, seed, got)
			}
		}
		if apart > 30 {
			t.Errorf("%s: %d of 100 suites run apart", name, apart)
		}
	}
}

func TestFailingTestThatTakesLongDoesNotTakeAllTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{waits: true, random: newRandom(1), tests: map[string][]fakeTest{"p": {
			{name: "TestA", took: time.Millisecond, infects: []int{1}, kills: map[int]float64{1: 1}},
			{name: "TestRed", took: time.Millisecond, infects: []int{1, 2}, flaky: 1},
		}}}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		r, c := judgedWithin(t, ctx, f, 2)
		if q := r.AllQuarantined(); len(q) != 1 || q[0].Why != FailsSomehow {
			t.Fatalf("quarantined: %v", q)
		}
		if got := outcome(r, c, 1) + ", " + outcome(r, c, 2); got != "killed test p.TestA, inconclusive" {
			t.Error(got)
		}
	})
}

func TestFailingTestThatNothingNamesDoesNotTakeAllTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{waits: true, random: newRandom(1), tests: map[string][]fakeTest{"p": {
			{name: "TestA", took: time.Millisecond, infects: []int{1}, kills: map[int]float64{1: 1}},
			{name: "TestRed", took: time.Millisecond, infects: []int{1, 2}, flaky: 1, claims: "nobody"},
		}}}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		r, c := judgedWithin(t, ctx, f, 2)
		if q := r.AllQuarantined(); len(q) != 1 || q[0].Test != "TestRed" || q[0].Why != failsAlone {
			t.Fatalf("quarantined: %v", q)
		}
		if got := outcome(r, c, 1) + ", " + outcome(r, c, 2); got != "killed test p.TestA, inconclusive" {
			t.Error(got)
		}
	})
}

func TestPackageWhoseTestsPassWithPlainGoTestIsNoFailure(t *testing.T) {
	f := &fake{ours: true, tests: map[string][]fakeTest{"p": {{name: "TestA", infects: []int{1}, flaky: 1}}}}
	r, c := judged(t, f, 1)
	if r.Failure("p") != nil || outcome(r, c, 1) != "inconclusive" {
		t.Errorf("failures %v, %s", r.Failure("p"), outcome(r, c, 1))
	}
}

func TestTestThatAlwaysFailsIsQuarantinedAndNamed(t *testing.T) {
	f := &fake{tests: map[string][]fakeTest{"p": {
		{name: "TestA", infects: []int{1}, kills: map[int]float64{1: 1}}, {name: "TestRed", flaky: 1},
	}}}
	r, c := judged(t, f, 1)
	if q := r.AllQuarantined(); len(q) != 1 || q[0].Why != "fails without any mutant" || r.Failure("p") != nil {
		t.Errorf("quarantined: %v, failures %v", q, r.Failure("p"))
	}
	if got := outcome(r, c, 1); got != "killed test p.TestA" {
		t.Errorf("%s", got)
	}
}

func TestTestsThatFailWhereTheCodeIsInstrumentedAreToldFromThoseThatAreRed(t *testing.T) {
	f := &fake{tests: map[string][]fakeTest{"p": {
		{name: "TestA", infects: []int{1}}, {name: "TestAllocs", flaky: 1, woven: true}, {name: "TestRed", flaky: 1},
	}}}
	r, _ := judged(t, f, 1)
	want := []Quarantined{{"p", "TestAllocs", executor.FailsWoven}, {"p", "TestRed", "fails without any mutant"}}
	if q := r.AllQuarantined(); !slices.Equal(q, want) {
		t.Errorf("quarantined: %v, want %v", q, want)
	}
	if failing, _ := r.Surveys[0].Failing(); !slices.Equal(failing, []string{"TestRed"}) {
		t.Errorf("failing: %v", failing)
	}
}

func TestMutantThatNoTestInfectsSurvivesBesideAQuarantinedTest(t *testing.T) {
	for name, red := range map[string]fakeTest{
		"fails instrumented": {name: "TestAllocs", flaky: 1, woven: true},
		"always fails":       {name: "TestRed", flaky: 1},
	} {
		f := &fake{tests: map[string][]fakeTest{"p": {{name: "TestA", infects: []int{1}}, red}}}
		r, c := judged(t, f, 2)
		if got := outcome(r, c, 2); got != "survived" {
			t.Errorf("beside a test that %s: %s", name, got)
		}
		f.tests["p"][1].infects = []int{2}
		r, c = judged(t, f, 2)
		if got := outcome(r, c, 2); got != "inconclusive" {
			t.Errorf("infected only by a test that %s: %s", name, got)
		}
	}
}

func TestSuiteThatTakesLongDoesNotRunOnceMoreForATestThatFailsByItselfToo(t *testing.T) {
	f := &fake{tests: map[string][]fakeTest{"p": {{name: "TestA", took: longSuite, infects: []int{1}}, {name: "TestRed", flaky: 1}}}}
	judged(t, f, 1)
	if n := len(f.suites); n < 2 || f.suites[0] != "" || slices.Contains(f.suites[1:], "") {
		t.Errorf("left out of runs of the suite: %q", f.suites)
	}
}

func TestTestThatSeldomFailsBesideOthersIsNotCalledBrokenForFailingAlone(t *testing.T) {
	const runs = 200
	broken := 0
	for seed := range runs {
		f := &fake{random: newRandom(seed), tests: map[string][]fakeTest{"p": {
			{name: "TestA", took: time.Millisecond, infects: []int{1}}, {name: "TestClock", took: time.Millisecond, lonely: 0.9, flaky: 0.05, infects: []int{1}},
		}}}
		r, _ := judged(t, f, 1)
		for _, q := range r.AllQuarantined() {
			if q.Why != FailsSometimes {
				broken++
			}
		}
	}
	if broken > runs*4/100 { // the suite may fail twice in a row
		t.Errorf("in %d of %d analyses", broken, runs)
	}
}

func TestSurvivorIsConfirmedByWhatMayNoticeIt(t *testing.T) {
	slow := []fakeTest{{name: "TestSlow", took: largeSuite + 1, infects: []int{2}}, {name: "TestOther", took: time.Millisecond}}
	quick := []fakeTest{{name: "TestA", infects: []int{2}}, {name: "TestB"}}
	for name, tt := range map[string]struct {
		tests  []fakeTest
		only   []string
		mutant int
		want   []string
		all    bool
	}{
		"nothing of a large suite reaches it": {tests: slow, mutant: 1},
		"a test of a large suite reaches it":  {tests: slow, mutant: 2, want: []string{"TestSlow"}},
		"a small suite":                       {tests: quick, mutant: 1, all: true},
		"a small suite of which a part may":   {tests: quick, only: []string{"TestB"}, mutant: 1, want: []string{"TestB"}},
	} {
		t.Run(name, func(t *testing.T) {
			r, c := judged(t, &fake{tests: map[string][]fakeTest{"p": tt.tests}}, 2, func(c *Config) { c.Own[0].Only = tt.only })
			v := r.SurveyOf("p")
			v.Quarantined = []Quarantined{{Test: "TestRed", Why: failsAlone}, {Test: "TestAllocs", Why: executor.FailsWoven}}
			want, but := append(tt.want, "TestAllocs"), []string(nil)
			if tt.all {
				want, but = nil, []string{"TestRed"}
			}
			if got, all, without := v.Confirming(c.Mutants[tt.mutant-1]); !slices.Equal(got, want) || all != tt.all || !slices.Equal(without, but) {
				t.Errorf("%v, %v but %v", got, all, without)
			}
		})
	}
}

func TestSurvivorAwaitsTheTestsOfTheChange(t *testing.T) {
	f := &fake{tests: map[string][]fakeTest{"p": {{name: "TestA", infects: []int{1}}}}}
	r, c := judged(t, f, 1)
	r.Unbuilt([]string{"q"})
	r.Expect([]string{"q"})
	if d := r.Decide(c.Mutants[0]); d.Status != ledger.Survived || d.OwnOnly || !d.Awaits {
		t.Errorf("%+v", d)
	}
	r.Expect(nil)
	if d := r.Decide(c.Mutants[0]); !d.OwnOnly || d.Awaits {
		t.Errorf("%+v", d)
	}
}

func TestFewFailingSubtestsAreLeftOutAndTheOthersOfTheirTestJudge(t *testing.T) {
	for green, want := range map[int]string{
		outnumbered: "killed test p.TestTable, survived", outnumbered - 1: "inconclusive, inconclusive",
	} {
		f := &fake{tests: map[string][]fakeTest{"p": {
			{name: "TestTable", infects: []int{1, 2}, kills: map[int]float64{1: 1}, red: []string{"case/inner"}, green: green}, {name: "TestZ"},
		}}}
		r, c := judged(t, f, 2)
		if got := outcome(r, c, 1) + ", " + outcome(r, c, 2); got != want {
			t.Errorf("of %d others: %s, want %s", green, got, want)
		}
		name := "TestTable/case/inner"
		if green < outnumbered {
			name = "TestTable"
		}
		if q := r.AllQuarantined(); len(q) != 1 || q[0].Test != name {
			t.Errorf("of %d others: quarantined %v, want %s", green, q, name)
		}
	}
}

func TestTestsThatEndTheProcessAreExplainedTogether(t *testing.T) {
	f := &fake{tests: map[string][]fakeTest{"p": {
		{name: "TestA", infects: []int{1}},
		{name: "TestPanic1", flaky: 1, kind: ledger.Crash}, {name: "TestPanic2", flaky: 1, kind: ledger.Crash}, {name: "TestPanic3", flaky: 1, kind: ledger.Crash},
		{name: "TestZ", infects: []int{1}, kills: map[int]float64{1: 1}},
	}}}
	r, c := judged(t, f, 1)
	if q := r.AllQuarantined(); len(q) != 3 || f.explained != 1 {
		t.Errorf("quarantined: %v, explained %d times", q, f.explained)
	}
	if got := outcome(r, c, 1); got != "killed test p.TestZ" {
		t.Errorf("%s", got)
	}
}

func TestTestsThatEndTheProcessAreNotForgottenWhenThereIsNoTimeToExplainThem(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{waits: true, tests: map[string][]fakeTest{"p": {
			{name: "TestPanic1", flaky: 1, kind: ledger.Crash}, {name: "TestPanic2", flaky: 1, kind: ledger.Crash}, {name: "TestPanic3", flaky: 1, kind: ledger.Crash},
			{name: "TestZ", took: time.Millisecond, infects: []int{1}, kills: map[int]float64{1: 1}},
		}}}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		r, c := judgedWithin(t, ctx, f, 1)
		if q := r.AllQuarantined(); len(q) != 3 || q[2].Why != FailsSomehow || f.explained != 1 {
			t.Errorf("quarantined: %v, explained %d times", q, f.explained)
		}
		if got := outcome(r, c, 1); got != "killed test p.TestZ" {
			t.Errorf("%s", got)
		}
	})
}

func TestLargeSuiteWithTestsThatEndTheProcessIsJudgedByTheOthers(t *testing.T) {
	f := &fake{tests: map[string][]fakeTest{"p": {
		{name: "TestPanic1", flaky: 1, kind: ledger.Crash},
		{name: "TestSlow", took: largeSuite + 1, infects: []int{1}, kills: map[int]float64{1: 1}},
		{name: "TestPanic2", flaky: 1, kind: ledger.Crash},
	}}}
	r, c := judged(t, f, 1)
	if q := r.AllQuarantined(); len(q) != 2 || r.Failure("p") != nil {
		t.Errorf("quarantined: %v, failure %v", q, r.Failure("p"))
	}
	if got := outcome(r, c, 1); got != "killed test p.TestSlow" {
		t.Errorf("%s", got)
	}
}

func TestLargeSuiteThatATestEndsLateRunsOnceAsAWhole(t *testing.T) {
	f := &fake{tests: map[string][]fakeTest{"p": {
		{name: "TestSlow", took: largeSuite + 1, infects: []int{1}, kills: map[int]float64{1: 1}},
		{name: "TestPanic1", flaky: 1, kind: ledger.Crash}, {name: "TestPanic2", flaky: 1, kind: ledger.Crash},
	}}}
	r, c := judged(t, f, 1)
	if q := r.AllQuarantined(); len(q) != 2 || r.Failure("p") != nil || f.explained != 1 {
		t.Errorf("quarantined: %v, failure %v, explained %d times", q, r.Failure("p"), f.explained)
	}
	if len(f.suites) != 1 {
		t.Errorf("%d runs of the whole suite, without %q", len(f.suites), f.suites)
	}
	if got := outcome(r, c, 1); got != "killed test p.TestSlow" {
		t.Errorf("%s", got)
	}
}

func TestLargeSuiteOfWhichAllTestsEndTheProcessIsAFailure(t *testing.T) {
	f := &fake{tests: map[string][]fakeTest{"p": {
		{name: "TestPanic1", flaky: 1, kind: ledger.Crash}, {name: "TestPanic2", took: largeSuite + 1, flaky: 1, kind: ledger.Crash}, {name: "TestPanic3", flaky: 1, kind: ledger.Crash},
	}}}
	if r, _ := judged(t, f, 1); r.Failure("p") == nil {
		t.Errorf("quarantined: %v", r.AllQuarantined())
	}
}

func TestLargeSuiteWithTestsThatReachNothingIsNoFailure(t *testing.T) {
	f := &fake{tests: map[string][]fakeTest{"p": {
		{name: "TestPanic", flaky: 1, kind: ledger.Crash, infects: []int{1}}, {name: "TestFar", took: largeSuite + 1},
	}}}
	r, c := judged(t, f, 1, func(c *Config) { c.Own[0].Near = func(context.Context) []string { return []string{"TestPanic"} } })
	if q := r.AllQuarantined(); len(q) != 1 || r.Failure("p") != nil {
		t.Errorf("quarantined: %v, failure %v", q, r.Failure("p"))
	}
	if got := outcome(r, c, 1); got != "inconclusive" {
		t.Errorf("%s", got)
	}
}

func TestSandboxIsLoosenedForATestBehindOneThatEndsTheProcess(t *testing.T) {
	f := &fake{allows: true, tests: map[string][]fakeTest{"p": {
		{name: "TestA", infects: []int{1}}, {name: "TestPanic", flaky: 1, kind: ledger.Crash}, {name: "TestNet", needs: true, kind: ledger.Crash, infects: []int{1}, kills: map[int]float64{1: 1}},
	}}}
	r, c := judged(t, f, 1)
	if q := r.AllQuarantined(); len(q) != 1 || q[0].Test != "TestPanic" {
		t.Errorf("quarantined: %v", q)
	}
	if got := outcome(r, c, 1); got != "killed crash p.TestNet" {
		t.Errorf("%s", got)
	}
}

func TestSurveyEndsIfATestReportsTheFailureOfAQuarantinedOne(t *testing.T) {
	f := &fake{tests: map[string][]fakeTest{"p": {
		{name: "TestA"}, {name: "TestRed", flaky: 1}, {name: "TestForger", flaky: 1, claims: "TestRed"},
	}}}
	r, _ := judged(t, f, 1)
	if r.Failure("p") == nil {
		t.Errorf("failures: %v, quarantined: %v", r.Failure("p"), r.AllQuarantined())
	}
}

func TestPackageOfWhichNoTestPassesIsAFailure(t *testing.T) {
	f := &fake{tests: map[string][]fakeTest{"p": {{name: "TestRed", flaky: 1}}}}
	r, c := judged(t, f, 1)
	if f := r.Failure("p"); f == nil || !slices.Equal(f.Tests, []string{"TestRed"}) {
		t.Errorf("failures: %v", r.Failure("p"))
	}
	_ = c
}

func TestTestsOfAPackageThatFailsWithoutNamingOneAreQuarantined(t *testing.T) {
	for name, tt := range map[string]struct {
		run  int // the only one that fails; 0: all do
		ours bool
		why  string
	}{
		"always":             {0, false, "fails without any mutant"},
		"at first":           {1, false, failsUnnamed},
		"later":              {2, false, failsUnnamed},
		"where instrumented": {0, true, failsUnnamed},
	} {
		t.Run(name, func(t *testing.T) {
			f := &fake{ours: tt.ours, tests: map[string][]fakeTest{
				"p": {{name: "TestA", infects: []int{1}}},
				"q": {{name: "TestFirst"}, {name: "TestSecond", flaky: 0.5, claims: "nobody", infects: []int{1}}},
			}}
			runs := 0
			f.random = func(n int) int {
				if runs++; tt.run == 0 || tt.run == runs {
					return 0
				}
				return n - 1
			}
			given := false
			r, c := judged(t, f, 1, func(c *Config) {
				c.Dependents = func(context.Context, []*Mutant) (next []*executor.Suite, err error) {
					if !given {
						next, given = []*executor.Suite{{Package: "q"}}, true
					}
					return next, nil
				}
			})
			v := r.SurveyOf("q")
			want := []Quarantined{{"q", "TestFirst", tt.why}, {"q", "TestSecond", tt.why}}
			if q := r.AllQuarantined(); !slices.Equal(q, want) || len(v.Tests) > 0 || r.Failure("q") == nil {
				t.Errorf("quarantined %v, but not %q, failure %v", q, v.Tests, r.Failure("q"))
			}
			if failing, _ := v.Failing(); len(failing) != 2 || v.Reaches(c.Mutants[0]) {
				t.Errorf("failing are %q, reached %v", failing, v.Reaches(c.Mutants[0]))
			}
		})
	}
}

func TestSuiteThatIsNotDoneSoonIsSurveyedTestByTest(t *testing.T) {
	f := &fake{tests: map[string][]fakeTest{"p": {
		{name: "TestQuick", took: time.Millisecond, infects: []int{1}, kills: map[int]float64{1: 1}},
		{name: "TestSlow", took: 40 * time.Second}, {name: "TestSlower", took: 40 * time.Second},
	}}}
	r, c := judged(t, f, 1)
	if q := r.AllQuarantined(); len(q) > 0 || outcome(r, c, 1) != "killed test p.TestQuick" {
		t.Errorf("quarantined %v, %s", q, outcome(r, c, 1))
	}
}

func TestNothingSurvivesTestsThatWereNotSurveyedInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{tests: map[string][]fakeTest{"p": {
			{name: "TestQuick", took: time.Millisecond, infects: []int{1}}, {name: "TestSlow", took: time.Hour, stuck: true},
		}}}
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer cancel()
		c := Config{Executor: f, Own: []*executor.Suite{{Package: "p"}}, Mutants: []*Mutant{
			{Number: 1, Package: "p", Block: -1, Probed: true}, {Number: 2, Package: "p", Block: -1, Probed: true},
		}}
		r, err := Tests(ctx, c)
		if err != nil {
			t.Fatal(err)
		}
		for n := range c.Mutants {
			if got := outcome(r, c, n+1); got != "undecided" {
				t.Errorf("mutant %d: %s", n+1, got)
			}
		}
	})
}

func TestTestThatDoesNotEndAloneIsNotCalledOrderDependent(t *testing.T) {
	f := &fake{tests: map[string][]fakeTest{"p": {
		{name: "TestQuick", took: 4 * time.Second}, {name: "TestEndless", took: time.Hour},
	}}}
	r, _ := judged(t, f, 1)
	if q := r.AllQuarantined(); len(q) != 1 || q[0].Test != "TestEndless" || q[0].Why != DoesNotEnd {
		t.Errorf("quarantined: %v", q)
	}
}

func TestSandboxIsLoosenedForATestThatNeedsIt(t *testing.T) {
	f := &fake{allows: true, tests: map[string][]fakeTest{"p": {
		{name: "TestNet", needs: true, infects: []int{1}, kills: map[int]float64{1: 1}},
	}}}
	r, c := judged(t, f, 1)
	if got := outcome(r, c, 1); got != "killed test p.TestNet" || len(r.AllQuarantined()) > 0 {
		t.Errorf("%s, quarantined %v", got, r.AllQuarantined())
	}
}

func TestSandboxIsLoosenedForATestThatARunOfTheSuiteDidNotComeTo(t *testing.T) {
	f := &fake{allows: true, tests: map[string][]fakeTest{"p": {
		{name: "TestLong", took: 2 * wholeLimit}, {name: "TestNet", needs: true, infects: []int{1}, kills: map[int]float64{1: 1}},
	}}}
	r, c := judged(t, f, 1)
	if got := outcome(r, c, 1); got != "killed test p.TestNet" || len(r.AllQuarantined()) > 0 {
		t.Errorf("%s, quarantined %v", got, r.AllQuarantined())
	}
}

func TestSandboxIsLoosenedForATestThatFailedBeforeARunOfTheSuiteWasCutShort(t *testing.T) {
	f := &fake{allows: true, tests: map[string][]fakeTest{"p": {
		{name: "TestNet", needs: true, infects: []int{1}, kills: map[int]float64{1: 1}}, {name: "TestLong", took: 2 * wholeLimit},
	}}}
	r, c := judged(t, f, 1)
	if got := outcome(r, c, 1); got != "killed test p.TestNet" || len(r.AllQuarantined()) > 0 {
		t.Errorf("%s, quarantined %v", got, r.AllQuarantined())
	}
	if n := len(slices.DeleteFunc(f.surveyed, func(name string) bool { return name != "TestNet" })); n != 1 {
		t.Errorf("TestNet ran %d times", n)
	}
}

func TestOrderDependentTestJudgesInWholeSuiteRuns(t *testing.T) {
	f := &fake{tests: map[string][]fakeTest{"p": {
		{name: "TestFirst", took: time.Millisecond}, {name: "TestAfter", after: "TestFirst", infects: []int{1, 2}, kills: map[int]float64{1: 1}},
	}}}
	r, c := judged(t, f, 2)
	if got := outcome(r, c, 1) + ", " + outcome(r, c, 2); got != "killed test p.TestAfter: "+ledger.ReasonOnlyInSuite+", survived" {
		t.Errorf("%s; runs: %v", got, f.log)
	}
}

func TestSurvivorIsSparedTestsThatTakeLongAndDoNotInfectIt(t *testing.T) {
	f := &fake{tests: map[string][]fakeTest{"p": {
		{name: "TestLong", took: 60 * time.Millisecond, infects: []int{2}},
		{name: "TestA", took: time.Millisecond, infects: []int{1, 2}},
	}}}
	r, c := judged(t, f, 2)
	if got := outcome(r, c, 1) + ", " + outcome(r, c, 2); got != "survived, survived" {
		t.Error(got)
	}
	slices.Sort(f.log)
	if !slices.Equal(f.log, []string{"suite", "suite without TestLong", "trial"}) {
		t.Errorf("runs: %q", f.log)
	}
}

func TestLongTestsComeLastWhateverTheirSteps(t *testing.T) {
	v := &judging{Survey: newSurvey(&executor.Suite{Package: "p"})}
	for _, test := range []struct {
		name  string
		took  time.Duration
		steps int64
	}{
		{"TestLong", 2 * longTest, 1}, {"TestMore", time.Millisecond, 20}, {"TestLess", 2 * time.Millisecond, 10},
	} {
		v.Tests = append(v.Tests, test.name)
		v.covers(test.name, executor.Report{Took: test.took, Steps: test.steps, Untrusted: true})
	}
	if got := v.infected(&Mutant{Number: 1}); !slices.Equal(got, []string{"TestLess", "TestMore", "TestLong"}) {
		t.Errorf("order: %v", got)
	}
}

func TestNoTrialHasATestThatTakesAsLongAsTheSuite(t *testing.T) {
	f := &fake{tests: map[string][]fakeTest{"p": {
		{name: "TestAll", took: 2 * trialTime, infects: []int{1, 2}, kills: map[int]float64{2: 1}},
	}}}
	r, c := judged(t, f, 2)
	if got := outcome(r, c, 1) + ", " + outcome(r, c, 2); got != "survived, killed test p.TestAll" {
		t.Error(got)
	}
	slices.Sort(f.log)
	if !slices.Equal(f.log, []string{"alone TestAll", "suite", "suite"}) {
		t.Errorf("runs: %q", f.log)
	}
}

func TestLongTestThatFailsInATrialKillsInAProcessOfItsOwn(t *testing.T) {
	f := &fake{tests: map[string][]fakeTest{"p": {
		{name: "TestQuick", took: time.Millisecond, infects: []int{1}, kills: map[int]float64{1: 1}},
		{name: "TestLong", took: longTest, infects: []int{2, 3}, kills: map[int]float64{2: 1}},
	}}}
	r, c := judged(t, f, 3)
	if got := outcome(r, c, 1) + ", " + outcome(r, c, 2) + ", " + outcome(r, c, 3); got != "killed test p.TestQuick, killed test p.TestLong, survived" {
		t.Error(got)
	}
	slices.Sort(f.log)
	if !slices.Equal(f.log, []string{"alone TestLong", "suite", "trial"}) {
		t.Errorf("runs: %q", f.log)
	}
}

func TestTrialTakesAThirdOfWhatAMutantHasToPass(t *testing.T) {
	c := &judging{Config: &Config{Executor: &fake{tests: map[string][]fakeTest{"p": {
		{name: "TestA"}, {name: "TestB"}, {name: "TestC"}, {name: "TestD"},
	}}}}, Survey: newSurvey(&executor.Suite{Package: "p"})}
	c.Tests, c.Took = []string{"TestA", "TestB", "TestC", "TestD"}, 1200*time.Millisecond
	for test, took := range map[string]time.Duration{"TestA": 20, "TestB": 200, "TestC": 170, "TestD": 450} {
		c.covers(test, executor.Report{Took: took * time.Millisecond, Marks: []byte{0, wire.MarkInfected}})
	}
	if got := c.triable(&Mutant{Number: 1, Probed: true}); !slices.Equal(got, []string{"TestA", "TestC", "TestB"}) {
		t.Errorf("of 1.2 s: %q", got)
	}
	c.Took = 200 * time.Millisecond
	if got := c.triable(&Mutant{Number: 1, Probed: true}); !slices.Equal(got, []string{"TestA"}) {
		t.Errorf("of 0.2 s: %q", got)
	}
}

func TestSuiteThatTakesLongIsSurveyedInFewerForms(t *testing.T) {
	for took, want := range map[time.Duration]int{longSuite / 2: 4, longSuite: 2} {
		f := &fake{tests: map[string][]fakeTest{"p": {{name: "TestA", took: took}}}}
		judged(t, f, 0)
		if len(f.suites) != want {
			t.Errorf("a suite of %v runs %d times, want %d", took, len(f.suites), want)
		}
	}
}

func TestWhereProcessesStartSlowlyATrialIsEnough(t *testing.T) {
	f := &fake{start: longTest, tests: map[string][]fakeTest{"p": {
		{name: "TestLong", took: longTest, infects: []int{1}, kills: map[int]float64{1: 1}},
	}}}
	r, c := judged(t, f, 1)
	if got := outcome(r, c, 1); got != "killed test p.TestLong" || slices.Contains(f.log, "alone TestLong") {
		t.Errorf("%s; runs: %q", got, f.log)
	}
}

func TestMutantIsNotKilledForATestThatNeedsOneLeftOut(t *testing.T) {
	f := &fake{tests: map[string][]fakeTest{"p": {
		{name: "TestLong", took: 60 * time.Millisecond},
		{name: "TestAfter", after: "TestLong", infects: []int{1}},
	}}}
	r, c := judged(t, f, 1)
	if got := outcome(r, c, 1); got != "survived" {
		t.Errorf("%s; runs: %q", got, f.log)
	}
}

func TestMutantOfALargeSuiteIsNotKilledForTestsThatDoNotPassTogetherWithoutTheOthers(t *testing.T) {
	for name, claims := range map[string]string{"its output names the test": "", "it does not": "nobody"} {
		t.Run(name, func(t *testing.T) {
			f := &fake{tests: map[string][]fakeTest{"p": {
				{name: "TestSet", took: time.Millisecond, infects: []int{1, 2, 3, 4}},
				{name: "TestReset", took: largeSuite + 1, infects: []int{3}},
				{name: "TestAfter", took: time.Millisecond, infects: []int{1, 2, 3}, behind: "TestSet", claims: claims, kills: map[int]float64{2: 1}},
				{name: "TestLast", took: time.Millisecond, infects: []int{4}, inSuite: map[int]bool{4: true}},
			}}}
			r, c := judged(t, f, 4)
			for n, want := range []string{"survived", "killed test p.TestAfter", "survived", "killed test p.TestLast: " + ledger.ReasonOnlyInSuite} {
				if got := outcome(r, c, n+1); got != want {
					t.Errorf("mutant %d: %s, want %s; runs: %q", n+1, got, want, f.log)
				}
			}
			tests, _, _ := r.SurveyOf("p").Confirming(c.Mutants[0])
			if slices.Contains(tests, "TestSet") && slices.Contains(tests, "TestAfter") {
				t.Errorf("a rebuild has to pass %q together", tests)
			}
		})
	}
}

func TestNoTestIsLeftOutWhereNoneIsKnownToInfect(t *testing.T) {
	f := &fake{tests: map[string][]fakeTest{"p": {
		{name: "TestLong", took: 60 * time.Millisecond, infects: []int{1}, kills: map[int]float64{1: 1}, faint: true},
		{name: "TestQuick", took: time.Millisecond},
	}}}
	r, c := judged(t, f, 1)
	if got := outcome(r, c, 1); got != "killed test p.TestLong" {
		t.Errorf("%s; runs: %q", got, f.log)
	}
}

func TestSlowTestsOfALargeSuiteRunLast(t *testing.T) {
	f := &fake{tests: map[string][]fakeTest{"p": {
		{name: "TestSlow", took: 5 * time.Second, infects: []int{1, 2, 3}, kills: map[int]float64{1: 1, 3: 1}},
		{name: "TestQuick", took: time.Millisecond, infects: []int{1, 2}, kills: map[int]float64{1: 1}, hidden: true},
	}}}
	r, c := judged(t, f, 3)
	if got := outcome(r, c, 1) + ", " + outcome(r, c, 2) + ", " + outcome(r, c, 3); got != "killed test p.TestQuick, survived, killed test p.TestSlow" {
		t.Errorf("%s", got)
	}
	slow := slices.Index(f.log, "alone TestSlow")
	if slow < 0 || slices.Contains(f.log[slow:], "alone TestQuick") {
		t.Errorf("runs: %v", f.log)
	}
}

func TestOfALargeSuiteOnlyTestsThatMayReachAMutantAreSurveyed(t *testing.T) {
	tests := []fakeTest{
		{name: "TestFar", took: 3 * time.Second},
		{name: "TestNear", took: time.Millisecond, infects: []int{1, 2}, kills: map[int]float64{1: 1}},
	}
	near := func(names ...string) func(*Config) {
		return func(c *Config) { c.Own[0].Near = func(context.Context) []string { return names } }
	}
	f := &fake{tests: map[string][]fakeTest{"p": tests}}
	r, c := judged(t, f, 2, near("TestNear"))
	if got := outcome(r, c, 1) + ", " + outcome(r, c, 2); got != "killed test p.TestNear, survived" || slices.Contains(f.surveyed, "TestFar") {
		t.Errorf("%s after %q", got, f.surveyed)
	}
	// If the whole suite reaches more than the near tests, all tests are surveyed.
	f = &fake{tests: map[string][]fakeTest{"p": tests}}
	r, c = judged(t, f, 2, near())
	if got := outcome(r, c, 1) + ", " + outcome(r, c, 2); got != "killed test p.TestNear, survived" || !slices.Contains(f.surveyed, "TestFar") {
		t.Errorf("%s after %q", got, f.surveyed)
	}
}

func TestNothingSurvivesTestsOfWhichNobodyKnowsWhatTheyReach(t *testing.T) {
	for _, tt := range []struct {
		took time.Duration
		near []string // nil: unknown
		want string
	}{
		{wholeLimit + time.Second, nil, "killed test p.TestSlow"},
		{wholeLimit + time.Second, []string{}, "survived"},
		{fakeLimit + 1, nil, "inconclusive"},
	} {
		f := &fake{tests: map[string][]fakeTest{"p": {{name: "TestSlow", took: tt.took, infects: []int{1}, kills: map[int]float64{1: 1}}}}}
		r, c := judged(t, f, 1, func(c *Config) { c.Own[0].Near = func(context.Context) []string { return tt.near } })
		if got := outcome(r, c, 1); got != tt.want {
			t.Errorf("a test that takes %v, near are %q: %s, want %s", tt.took, tt.near, got, tt.want)
		}
	}
}

func TestTestsOfALargeSuiteThatDoNotRunInTimeAreNamed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{random: newRandom(1), tests: map[string][]fakeTest{"p": {
			{name: "TestStuck", took: 5 * time.Second, infects: []int{1, 2}, stuck: true},
			{name: "TestQuick", took: time.Millisecond, infects: []int{1, 2}, kills: map[int]float64{1: 1}},
		}}}
		ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
		defer cancel()
		c := Config{Executor: f, Own: []*executor.Suite{{Package: "p"}}}
		for n := 1; n <= 3; n++ {
			c.Mutants = append(c.Mutants, &Mutant{Number: n, Package: "p", Block: -1, Probed: true})
		}
		r, err := Tests(ctx, c)
		if err != nil {
			t.Fatal(err)
		}
		if got := outcome(r, c, 1) + ", " + outcome(r, c, 3); got != "killed test p.TestQuick, survived" {
			t.Error(got)
		}
		if d := r.Decide(c.Mutants[1]); d.Status != ledger.Undecided || !strings.Contains(d.Reason, "TestStuck") {
			t.Errorf("%+v", d)
		}
	})
}

func TestTestsThatWereMissedJudgeIfThereIsTimeAfterAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stuck := fakeTest{name: "TestStuck", took: 5 * time.Second, infects: []int{2, 3}, stuck: true}
		f := &fake{random: newRandom(1), tests: map[string][]fakeTest{"p": {stuck,
			{name: "TestQuick", took: time.Millisecond, infects: []int{1, 2, 3}, kills: map[int]float64{1: 1}},
		}}}
		ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
		defer cancel()
		c := Config{Executor: f, Own: []*executor.Suite{{Package: "p"}}}
		for n := 1; n <= 3; n++ {
			c.Mutants = append(c.Mutants, &Mutant{Number: n, Package: "p", Block: -1, Probed: true})
		}
		r, err := Tests(ctx, c)
		if err != nil || !r.Missed() {
			t.Fatalf("%v, missed %v", err, r.Missed())
		}
		stuck.stuck, stuck.took, stuck.kills = false, time.Millisecond, map[int]float64{2: 1}
		f.tests["p"][0], f.log = stuck, nil
		if err := r.Continue(t.Context(), c); err != nil || r.Missed() {
			t.Fatalf("%v, missed %v", err, r.Missed())
		}
		if got := outcome(r, c, 1) + ", " + outcome(r, c, 2) + ", " + outcome(r, c, 3); got != "killed test p.TestQuick, killed test p.TestStuck, survived" {
			t.Errorf("%s after %v", got, f.log)
		}
		if slices.ContainsFunc(f.log, func(run string) bool {
			return !strings.HasPrefix(run, "alone TestStuck") && !strings.HasPrefix(run, "trial")
		}) {
			t.Errorf("more than the missed test ran: %v", f.log)
		}
	})
}

func TestTestsOfThePackageThatWereMissedComeBeforeThoseOfDependents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var stalls atomic.Bool
		stalls.Store(true)
		f := &fake{random: newRandom(1), tests: map[string][]fakeTest{
			"p": {
				{name: "TestLate", took: 5 * time.Second, infects: []int{1, 2}, kills: map[int]float64{1: 1}, stalls: &stalls},
				{name: "TestQuick", took: time.Millisecond, infects: []int{1, 2}},
			},
			"d": {{name: "TestDependent", took: time.Millisecond, infects: []int{1, 2}, kills: map[int]float64{1: 1}}},
		}}
		ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
		defer cancel()
		c := Config{Executor: f, Own: []*executor.Suite{{Package: "p"}}}
		for n := 1; n <= 2; n++ {
			c.Mutants = append(c.Mutants, &Mutant{Number: n, Package: "p", Block: -1, Probed: true})
		}
		c.Dependents = func(_ context.Context, alive []*Mutant) ([]*executor.Suite, error) {
			if slices.Contains(f.surveyed, "TestDependent") {
				return nil, nil
			}
			if got := len(alive); got != 1 {
				t.Errorf("%d mutants are alive when it is the turn of dependents", got)
			}
			f.surveyed = append(f.surveyed, "TestDependent")
			return []*executor.Suite{{Package: "d"}}, nil
		}
		r, err := Tests(ctx, c)
		if err != nil {
			t.Fatal(err)
		}
		if got := outcome(r, c, 1) + ", " + outcome(r, c, 2); got != "killed test p.TestLate, survived" {
			t.Error(got)
		}
	})
}

func TestClassesAreJudgedOneAfterTheOther(t *testing.T) {
	f := &fake{tests: map[string][]fakeTest{"p": {{name: "TestA", took: time.Millisecond, infects: []int{1, 2}, hidden: true}}}}
	var order []int
	judged(t, f, 2, func(c *Config) {
		c.Mutants[0].Class = 1
		c.Done = func(m *Mutant) { order = append(order, m.Number) }
	})
	if !slices.Equal(order, []int{2, 1}) {
		t.Errorf("order: %v", order)
	}
}

func TestSlowTestsOfUrgentMutantsWaitUntilAllAreTried(t *testing.T) {
	f := &fake{tests: map[string][]fakeTest{"p": {
		{name: "TestSlow", took: 5 * time.Second, infects: []int{1, 2, 3}},
		{name: "TestQuick", took: time.Millisecond, infects: []int{1, 2, 3}, kills: map[int]float64{3: 1}},
	}}}
	var classes []int
	r, c := judged(t, f, 3, func(c *Config) {
		c.Mutants[1].Class, c.Mutants[2].Class = 1, 2
		c.Urgent = 1
		c.ClassDone = func(class int) { classes = append(classes, class) }
	})
	if got := outcome(r, c, 1) + ", " + outcome(r, c, 2) + ", " + outcome(r, c, 3); got != "survived, survived, killed test p.TestQuick" {
		t.Error(got)
	}
	slow := slices.Index(f.log, "alone TestSlow")
	if slow < 0 || slices.Contains(f.log[slow:], "trial") {
		t.Errorf("runs: %v", f.log)
	}
	if !slices.Equal(classes, []int{0, 1, 2}) {
		t.Errorf("classes are done in the order %v", classes)
	}
}

func TestPackagesWithoutUrgentMutantsAreSurveyedWhenTheUrgentOnesAreJudged(t *testing.T) {
	f := &fake{tests: map[string][]fakeTest{
		"p": {{name: "TestA", took: time.Millisecond, infects: []int{1, 2}, kills: map[int]float64{1: 1}}},
		"q": {{name: "TestB", took: 5 * time.Second, infects: []int{2, 3}, kills: map[int]float64{2: 1, 3: 1}}},
	}}
	surveyed := false
	r, c := judged(t, f, 3, func(c *Config) {
		c.Own = append(c.Own, &executor.Suite{Package: "q"})
		c.Mutants[2].Package, c.Mutants[2].Class = "q", 2
		c.Urgent = 1
		c.ClassDone = func(class int) {
			if class <= 1 {
				f.mu.Lock()
				surveyed = slices.Contains(f.surveyed, "TestB")
				f.mu.Unlock()
			}
		}
	})
	if surveyed {
		t.Error("the other package was surveyed before")
	}
	if got := outcome(r, c, 1) + ", " + outcome(r, c, 2) + ", " + outcome(r, c, 3); got != "killed test p.TestA, killed test q.TestB, killed test q.TestB" {
		t.Error(got)
	}
}

func TestWhatAPackagesOwnTestsJudgedIsJudgedIfThereIsNoTimeForOthers(t *testing.T) {
	f := &fake{tests: map[string][]fakeTest{
		"p": {{name: "TestA", took: time.Millisecond, infects: []int{1, 2}, kills: map[int]float64{1: 1}}},
		"q": {{name: "TestB", took: time.Millisecond, infects: []int{2, 3}}},
	}}
	ctx, cancel := context.WithCancel(t.Context())
	c := Config{Executor: f, Own: []*executor.Suite{{Package: "p"}, {Package: "q"}}, Urgent: 1, ClassDone: func(int) { cancel() }}
	for n, pkg := range []string{"p", "p", "q"} {
		c.Mutants = append(c.Mutants, &Mutant{Number: n + 1, Package: pkg, Block: -1, Probed: true, Class: n / 2 * 2})
	}
	r, err := Tests(ctx, c)
	if err == nil {
		t.Fatal("no error")
	}
	want := []string{"killed test p.TestA", "survived", "undecided"}
	for n := range c.Mutants {
		if got := outcome(r, c, n+1); got != want[n] {
			t.Errorf("mutant %d: %s, want %s", n+1, got, want[n])
		}
	}
	if d := r.Decide(c.Mutants[1]); d.Reason != "not all tests of packages that depend on this one ran in time: q" || !d.OwnOnly {
		t.Errorf("the survivor is %+v", d)
	}
}

func TestDependentsAddKills(t *testing.T) {
	f := &fake{tests: map[string][]fakeTest{
		"p": {{name: "TestA", infects: []int{1, 2}, kills: map[int]float64{1: 1}}},
		"q": {{name: "TestB", infects: []int{2, 3}, kills: map[int]float64{2: 1}}},
	}}
	groups := [][]*executor.Suite{{{Package: "q"}}}
	r, c := judged(t, f, 3, func(c *Config) {
		c.Dependents = func(_ context.Context, alive []*Mutant) (next []*executor.Suite, err error) {
			if len(groups) > 0 {
				next, groups = groups[0], groups[1:]
			}
			return next, nil
		}
	})
	if got := outcome(r, c, 1) + ", " + outcome(r, c, 2) + ", " + outcome(r, c, 3); got != "killed test p.TestA, killed test q.TestB, survived" {
		t.Errorf("%s", got)
	}
}

func TestMutantThatPassesItsOwnTestsHasSurvivedWhereOthersDoNotBuild(t *testing.T) {
	f := &fake{tests: map[string][]fakeTest{"p": {{name: "TestA", infects: []int{1}}}}}
	r, c := judged(t, f, 1, func(*Config) {})
	r.Unbuilt([]string{"q"})
	if d := r.Decide(c.Mutants[0]); d.Status != ledger.Survived || !strings.Contains(d.Reason, "do not build: q") || !d.OwnOnly {
		t.Errorf("%+v", d)
	}
}

func TestMutantThatPassesItsOwnTestsHasSurvivedWhenTimeEnds(t *testing.T) {
	f := &fake{random: newRandom(1), tests: map[string][]fakeTest{
		"p": {{name: "TestA", infects: []int{1, 2}, kills: map[int]float64{1: 1}}},
		"q": {{name: "TestB", infects: []int{2}, kills: map[int]float64{2: 1}}},
	}}
	ctx, cancel := context.WithCancel(t.Context())
	c := Config{Executor: f, Own: []*executor.Suite{{Package: "p"}}, Mutants: []*Mutant{{Number: 1, Package: "p", Block: -1, Probed: true}, {Number: 2, Package: "p", Block: -1, Probed: true}}}
	c.Dependents = func(context.Context, []*Mutant) ([]*executor.Suite, error) {
		cancel()
		return []*executor.Suite{{Package: "q"}}, nil
	}
	r, err := Tests(ctx, c)
	if err == nil {
		t.Fatal("no error")
	}
	d := r.Decide(c.Mutants[1])
	if d.Status != ledger.Survived || !strings.Contains(d.Reason, "q") {
		t.Errorf("%+v", d)
	}
}

func TestDependentsTakeNoMoreThanTheirTimeUnlessTheyAloneReachMutants(t *testing.T) {
	for name, tt := range map[string]struct {
		infects []int
		want    string
	}{
		"own tests reach all":  {[]int{1, 2}, "survived, survived"},
		"own tests reach one":  {[]int{1}, "survived, killed test q.TestB"},
		"own tests reach none": {nil, "survived, killed test q.TestB"},
	} {
		t.Run(name, func(t *testing.T) {
			f := &fake{tests: map[string][]fakeTest{
				"p": {{name: "TestA", infects: tt.infects}},
				"q": {{name: "TestB", infects: []int{2}, kills: map[int]float64{2: 1}}},
			}}
			groups := [][]*executor.Suite{{{Package: "q"}}}
			r, c := judged(t, f, 2, func(c *Config) {
				c.DependentsTime = func() time.Duration { return time.Nanosecond }
				c.Dependents = func(ctx context.Context, alive []*Mutant) (next []*executor.Suite, err error) {
					if len(groups) > 0 && ctx.Err() == nil {
						next, groups = groups[0], groups[1:]
						return next, nil
					}
					if len(groups) > 0 {
						return nil, ctx.Err()
					}
					return nil, nil
				}
			})
			if got := outcome(r, c, 1) + ", " + outcome(r, c, 2); got != tt.want {
				t.Error(got)
			}
			if d := r.Decide(c.Mutants[0]); (d.Reason != "") != (len(tt.infects) == 2) {
				t.Errorf("reason %q", d.Reason)
			}
		})
	}
}

func TestDependentsJudgeUrgentMutantsBeforeOthers(t *testing.T) {
	f := &fake{tests: map[string][]fakeTest{
		"p": {{name: "TestA"}},
		"q": {{name: "TestB", infects: []int{1, 2}, hidden: true}},
	}}
	groups := [][]*executor.Suite{{{Package: "q"}}}
	var order []int
	judged(t, f, 2, func(c *Config) {
		c.Mutants[0].Class, c.Mutants[1].Class, c.Urgent = 2, 1, 1
		c.Done = func(m *Mutant) { order = append(order, m.Number) }
		c.Dependents = func(context.Context, []*Mutant) (next []*executor.Suite, err error) {
			if len(groups) > 0 {
				next, groups = groups[0], groups[1:]
			}
			return next, nil
		}
	})
	if first := slices.Index(order, 2); first < 0 || slices.Contains(order[:first], 1) {
		t.Errorf("order: %v", order)
	}
}

func TestSurvivorsOfAPackageWhoseTestsTookAllTimeHaveNotRunOnDependents(t *testing.T) {
	for _, dependents := range []bool{true, false} {
		f := &fake{tests: map[string][]fakeTest{"p": {{name: "TestA", infects: []int{1, 2}, hidden: true}}}}
		ctx, cancel := context.WithCancel(t.Context())
		c := Config{Executor: f, Own: []*executor.Suite{{Package: "p"}}, Urgent: 1, Done: func(*Mutant) { cancel() }}
		if dependents {
			c.Dependents = func(context.Context, []*Mutant) ([]*executor.Suite, error) {
				t.Error("it is the turn of dependents")
				return nil, nil
			}
		}
		for n := range 2 {
			c.Mutants = append(c.Mutants, &Mutant{Number: n + 1, Package: "p", Block: -1, Probed: true, Class: n})
		}
		r, err := Tests(ctx, c)
		d := r.Decide(c.Mutants[0])
		if err == nil || d.Status != ledger.Survived || d.OwnOnly != dependents || (d.Reason == dependentsLate) != dependents || r.Cut() != dependents {
			t.Errorf("with dependents %v: %v, cut %v, %+v", dependents, err, r.Cut(), d)
		}
	}
}

func TestDependentsThatGoOnSurveyAndJudgeNothingTwice(t *testing.T) {
	f := &fake{tests: map[string][]fakeTest{
		"p": {{name: "TestA"}},
		"q": {{name: "TestB", infects: []int{1, 2}, kills: map[int]float64{1: 1}, hidden: true}},
	}}
	ctx, cancel := context.WithCancel(t.Context())
	suite := &executor.Suite{Package: "q"}
	c := Config{Executor: f, Own: []*executor.Suite{{Package: "p"}}, Urgent: 1, Dependents: func(ctx context.Context, _ []*Mutant) ([]*executor.Suite, error) {
		return []*executor.Suite{suite}, ctx.Err()
	}}
	for n := range 2 {
		c.Mutants = append(c.Mutants, &Mutant{Number: n + 1, Package: "p", Block: -1, Probed: true, Class: n})
	}
	c.Done = func(*Mutant) { cancel() }
	r, err := Tests(ctx, c)
	if err == nil || !r.Cut() {
		t.Fatalf("%v, cut %v", err, r.Cut())
	}
	f.surveyed, f.log = nil, nil
	given := false
	more, err := r.Left(t.Context(), Config{Executor: f, Mutants: c.Mutants, Dependents: func(context.Context, []*Mutant) (next []*executor.Suite, err error) {
		if !given {
			next, given = []*executor.Suite{suite}, true
		}
		return next, nil
	}})
	if err != nil || more.Cut() {
		t.Fatalf("%v, cut %v", err, more.Cut())
	}
	if d := more.Decide(c.Mutants[1]); d.Status != ledger.Survived || d.Reason != "" {
		t.Errorf("the survivor is %+v", d)
	}
	if got := outcome(more, c, 1); got != "killed test q.TestB" || len(f.log) != 1 {
		t.Errorf("%s, runs with a mutant: %v", got, f.log)
	}
}

func TestTestsOfDependentsThatWereMissedAreNamedAndRunLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var stalls atomic.Bool
		stalls.Store(true)
		f := &fake{random: newRandom(1), tests: map[string][]fakeTest{
			"p": {{name: "TestA", took: time.Millisecond, infects: []int{1}}},
			"q": {{name: "TestLate", took: 5 * time.Second, infects: []int{1}, kills: map[int]float64{1: 1}, stalls: &stalls}},
		}}
		ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
		defer cancel()
		c := Config{Executor: f, Own: []*executor.Suite{{Package: "p"}}, Mutants: []*Mutant{{Number: 1, Package: "p", Block: -1, Probed: true}}}
		done := 0
		c.ClassDone = func(int) { done++ }
		left := []*executor.Suite{{Package: "q"}}
		c.Dependents = func(context.Context, []*Mutant) (next []*executor.Suite, err error) {
			next, left = left, nil
			return next, nil
		}
		r, err := Tests(ctx, c)
		if err != nil {
			t.Fatal(err)
		}
		if d := r.Decide(c.Mutants[0]); d.Status != ledger.Survived || d.Reason != "not all tests of packages that depend on this one ran in time: q" || !r.Cut() || r.Done("q") {
			t.Errorf("%+v, cut %v, done %v", d, r.Cut(), r.Done("q"))
		}
		if err := r.Continue(t.Context(), c); err != nil || done != 1 {
			t.Errorf("%v; the package's own tests were done %d times", err, done)
		}
		left = []*executor.Suite{{Package: "q"}}
		more, err := r.Left(t.Context(), c)
		if err != nil || more.Cut() {
			t.Fatalf("%v, cut %v", err, more.Cut())
		}
		if got := outcome(more, c, 1); got != "killed test q.TestLate" {
			t.Error(got)
		}
	})
}

func TestMutantThatIsNotJudgedInTimeIsUndecided(t *testing.T) {
	f := &fake{random: newRandom(1), tests: map[string][]fakeTest{"p": {{name: "TestA", infects: []int{1}}}}}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c := Config{Executor: f, Own: []*executor.Suite{{Package: "p"}}, Mutants: []*Mutant{{Number: 1, Package: "p", Block: -1, Probed: true}}}
	r, err := Tests(ctx, c)
	if d := r.Decide(c.Mutants[0]); err == nil || d.Status != ledger.Undecided {
		t.Errorf("%+v, %v", d, err)
	}
}

// memoryCache is a cache that keeps what it is given.
type memoryCache struct {
	mu    sync.Mutex
	known map[int]ledger.Decision
	found int // number of successful lookups
}

func (c *memoryCache) Lookup(m *Mutant, _ *Survey) (ledger.Decision, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	d, ok := c.known[m.Number]
	if ok {
		c.found++
	}
	return d, ok
}

func (c *memoryCache) Store(m *Mutant, _ *Survey, d ledger.Decision, _ []int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.known[m.Number] = d
}

func TestJudgingGoesOnWhereTimeEnded(t *testing.T) {
	f := &fake{random: newRandom(1), tests: map[string][]fakeTest{
		"p": {{name: "TestA", took: time.Millisecond, infects: []int{1, 2}, kills: map[int]float64{1: 1}}},
		"q": {{name: "TestB", took: time.Millisecond, infects: []int{3}, kills: map[int]float64{3: 1}}},
	}}
	ctx, cancel := context.WithCancel(t.Context())
	var classes []int
	c := Config{Executor: f, Own: []*executor.Suite{{Package: "p"}, {Package: "q"}}, Urgent: 1, ClassDone: func(class int) {
		classes = append(classes, class)
		cancel()
	}}
	for n, pkg := range []string{"p", "p", "q"} {
		c.Mutants = append(c.Mutants, &Mutant{Number: n + 1, Package: pkg, Block: -1, Probed: true, Class: n / 2 * 2})
	}
	r, err := Tests(ctx, c)
	if err == nil || r.OwnDone {
		t.Fatal("all is judged, although time ended")
	}
	before := f.log
	f.log, f.surveyed = nil, nil
	alive := c
	alive.Mutants = c.Mutants[1:]
	if err := r.Continue(t.Context(), alive); err != nil {
		t.Fatal(err)
	}
	for n, want := range []string{"killed test p.TestA", "survived", "killed test q.TestB"} {
		if got := outcome(r, c, n+1); got != want {
			t.Errorf("mutant %d: %s, want %s", n+1, got, want)
		}
	}
	if !slices.Equal(f.log, []string{"trial"}) || slices.Contains(f.surveyed, "TestA") {
		t.Errorf("after %q it ran %q, and surveyed %q", before, f.log, f.surveyed)
	}
	if !r.OwnDone || !slices.Equal(classes, []int{0, 2}) {
		t.Errorf("classes %v are done", classes)
	}
}

func TestWhatAFlakyTestKilledBeforeTimeEndedIsJudgedByTheOthers(t *testing.T) {
	flaky := 0
	for seed := range 50 {
		f := &fake{random: newRandom(seed), tests: map[string][]fakeTest{"p": {
			{name: "TestClock", took: time.Millisecond, infects: []int{1, 2}, kills: map[int]float64{1: 1}},
			{name: "TestOther", took: time.Millisecond, infects: []int{1}, kills: map[int]float64{1: 1}, hidden: true},
		}}}
		ctx, cancel := context.WithCancel(t.Context())
		c := Config{Executor: f, Own: []*executor.Suite{{Package: "p"}}, ClassDone: func(int) { cancel() }}
		for n := range 2 {
			c.Mutants = append(c.Mutants, &Mutant{Number: n + 1, Package: "p", Block: -1, Probed: true, Class: n})
		}
		r, err := Tests(ctx, c)
		if got := outcome(r, c, 1); err == nil || got != "killed test p.TestClock" {
			t.Fatalf("%v, %s", err, got)
		}
		f.tests["p"][0].flaky = 0.3
		if err := r.Continue(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		if got := outcome(r, c, 1); r.Disowns("p.TestClock") {
			flaky++
			if got != "killed test p.TestOther" {
				t.Errorf("seed %d: %s", seed, got)
			}
		}
	}
	if flaky == 0 {
		t.Error("the test is never found to be flaky")
	}
}

func TestSuiteForWhichThereIsNoTimeKeepsNoOtherFromJudging(t *testing.T) {
	for name, tt := range map[string]struct {
		slow  []fakeTest
		class int // of the mutants
	}{
		"large":                       {[]fakeTest{{name: "TestSlow", took: time.Hour, stuck: true, infects: []int{1, 2}}}, 0},
		"large, none is urgent":       {[]fakeTest{{name: "TestSlow", took: time.Hour, stuck: true, infects: []int{1, 2}}}, 2},
		"fails, and nobody knows why": {[]fakeTest{{name: "TestRed", flaky: 1}}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			f := &fake{random: newRandom(1), waits: true, tests: map[string][]fakeTest{
				"a": tt.slow,
				"b": {{name: "TestA", took: time.Millisecond, infects: []int{2, 3}, kills: map[int]float64{3: 1}}},
			}}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			defer time.AfterFunc(5*time.Second, cancel).Stop()
			var judged atomic.Int32
			c := Config{Executor: f, Own: []*executor.Suite{{Package: "a"}, {Package: "b"}}, Urgent: 1, Done: func(*Mutant) {
				if judged.Add(1) == 2 {
					cancel()
				}
			}}
			for n, pkg := range []string{"a", "b", "b"} {
				c.Mutants = append(c.Mutants, &Mutant{Number: n + 1, Package: pkg, Block: -1, Probed: true, Class: tt.class})
			}
			r, err := Tests(ctx, c)
			if err == nil {
				t.Fatal("no error")
			}
			for n, want := range []string{"undecided", "survived", "killed test b.TestA"} {
				if got := outcome(r, c, n+1); got != want {
					t.Errorf("mutant %d: %s, want %s", n+1, got, want)
				}
			}
			if got := r.Decide(c.Mutants[1]).Reason; got != "not all tests of packages that depend on this one ran in time: a" {
				t.Errorf("the survivor's reason is %q", got)
			}

			f.tests["a"] = []fakeTest{{name: "TestA", took: time.Millisecond, infects: []int{1, 2}, kills: map[int]float64{2: 1}}}
			c.Done = nil
			if err := r.Continue(t.Context(), c); err != nil {
				t.Fatal(err)
			}
			for n, want := range []string{"survived", "killed test a.TestA", "killed test b.TestA"} {
				if got := outcome(r, c, n+1); got != want {
					t.Errorf("when there is time again, mutant %d: %s, want %s", n+1, got, want)
				}
			}
		})
	}
}

func TestVerdictsOfThisAnalysisAreNotLookedUp(t *testing.T) {
	f := &fake{tests: map[string][]fakeTest{"p": {{name: "TestA", infects: []int{1, 2, 3}, kills: map[int]float64{1: 1, 3: 1}, hidden: true}}}}
	cache := &memoryCache{known: map[int]ledger.Decision{}}
	judged(t, f, 3, func(c *Config) {
		c.Cache, c.Urgent = cache, 1
		for i, m := range c.Mutants {
			m.Class = i // so that the suite is looked at again after the urgent mutants
		}
	})
	if cache.found > 0 {
		t.Errorf("%d verdicts are looked up that this analysis stored", cache.found)
	}
}

func TestRunsOfEarlierAnalysesAreNotRepeated(t *testing.T) {
	f := &fake{tests: map[string][]fakeTest{"p": {{name: "TestA", infects: []int{1, 2}, kills: map[int]float64{1: 1}, hidden: true}}}}
	cache := &memoryCache{known: map[int]ledger.Decision{}}
	use := func(c *Config) { c.Cache = cache }
	first, c := judged(t, f, 2, use)
	f.log = nil
	second, _ := judged(t, f, 2, use)
	if len(f.log) > 0 {
		t.Errorf("runs: %v", f.log)
	}
	for n := 1; n <= 2; n++ {
		if a, b := outcome(first, c, n), outcome(second, c, n); a != b {
			t.Errorf("mutant %d: %s, then %s", n, a, b)
		}
	}
}

// sleeping is a fake whose tests sleep while they run alone with a mutant.
type sleeping struct {
	*fake
	running, most int
}

func (s *sleeping) Run(ctx context.Context, spec executor.Spec) (executor.Report, error) {
	if spec.Mutant > 0 && len(spec.Tests) == 1 {
		s.mu.Lock()
		s.running++
		s.most = max(s.most, s.running)
		s.mu.Unlock()
		time.Sleep(time.Second)
		s.mu.Lock()
		s.running--
		s.mu.Unlock()
	}
	return s.fake.Run(ctx, spec)
}

func TestSlowTestsOfTheFirstClassesRunTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &sleeping{fake: &fake{tests: map[string][]fakeTest{"p": {
			{name: "TestSlow", took: 5 * time.Second, infects: []int{1, 2}},
			{name: "TestQuick", took: time.Millisecond},
		}}}}
		r, c := judged(t, s.fake, 2, func(c *Config) {
			c.Executor = s
			c.Mutants[1].Class = 1
			c.Urgent = 1
		})
		if got := outcome(r, c, 1) + ", " + outcome(r, c, 2); got != "survived, survived" {
			t.Error(got)
		}
		if s.most != 2 {
			t.Errorf("%d at once", s.most)
		}
	})
}

func TestLikelyTestsAreSurveyedFirstWhereItIsNotKnownWhichMayReachAMutant(t *testing.T) {
	likely := func() []string { return []string{"TestC", "TestGone"} }
	for what, tt := range map[string]struct {
		near func(context.Context) []string
		want []string
	}{
		"all may":    {nil, []string{"TestA", "TestB", "TestC"}},
		"known":      {func(context.Context) []string { return []string{"TestB", "TestGone"} }, []string{"TestB"}},
		"not known":  {func(context.Context) []string { return nil }, []string{"TestC", "TestA", "TestB"}},
		"known none": {func(context.Context) []string { return []string{} }, []string{}},
	} {
		v := &judging{Survey: newSurvey(&executor.Suite{Near: tt.near, Likely: likely})}
		v.Tests = []string{"TestA", "TestB", "TestC"}
		if got := v.near(t.Context()); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", what, got, tt.want)
		}
	}
}
