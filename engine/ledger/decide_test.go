package ledger

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/sequential"
)

// runs turns a shorthand into entries: "trial TestA test", "clean TestA crash", "random TestA", "alone TestA pass",
// "suite pass", "suite TestA test", "unbounded pass", "part pass", "quick pass", "slow TestS hang", "control TestA test".
// A line may go on with "clock" for a failure by a time limit, and end with "slowly" for a run that takes slowHang. A line
// that ends with "idle" is a run of no test.
func runs(lines ...string) (entries []Entry) {
	for _, line := range lines {
		words := strings.Fields(line)
		e := Entry{Took: time.Millisecond}
		last := words[len(words)-1]
		if last == "slowly" {
			e.Took = slowHang
			words = words[:len(words)-1]
			last = words[len(words)-1]
		}
		if last == "clock" {
			e.ByClock = true
			words = words[:len(words)-1]
			last = words[len(words)-1]
		}
		e.Idle = last == "idle"
		if !e.Idle && last != "pass" && last != words[0] && !strings.HasPrefix(last, "Test") {
			e.Kind = last
		}
		test := ""
		if len(words) > 1 && strings.HasPrefix(words[1], "Test") {
			test = words[1]
		}
		switch words[0] {
		case "trial":
			e.Context, e.Failed = InTrial, test
		case "clean":
			e.Context, e.Failed = InCleanly, test
		case "random":
			e.Context, e.Failed, e.Random = InTrial, test, true
		case "alone":
			e.Context, e.Test = Alone, TopLevel(test)
		case "suite":
			e.Context = InSuite
		case "part":
			e.Context = InPart
		case "unbounded":
			e.Context, e.Unbounded = InSuite, true
		case "quick":
			e.Context = InQuick
		case "slow":
			e.Context, e.Test = InSlow, TopLevel(test)
		case "control":
			e.Context = InControl
		default:
			panic(line)
		}
		if e.Kind != Pass {
			e.Failed = test
		}
		entries = append(entries, e)
	}
	return entries
}

// times returns a line n times.
func times(n int, line string) []string { return slices.Repeat([]string{line}, n) }

// inSuite is the value of Plan.Runs for a suite that is not large.
var inSuite = []Step{{Context: InSuite}}

func TestDecide(t *testing.T) {
	whole := Plan{Runs: inSuite}
	part := Plan{Runs: []Step{{Context: InQuick}, {Context: InSlow, Test: "TestS1"}, {Context: InSlow, Test: "TestS2"}}}
	most := Plan{Runs: inSuite, LeftOut: []string{"TestL"}}
	twice := whole
	twice.Twice = true
	mostTwice := most
	mostTwice.Twice = true
	long := Plan{Runs: inSuite, Long: func(test string) bool { return test == "TestL" }}
	tests := []struct {
		fact    string
		plan    Plan
		entries []Entry
		want    string
	}{
		{"nothing has run", whole, nil, "undecided"},
		{"a trial that passes decides nothing", whole, runs("trial pass"), "undecided"},
		{"a trial that fails is a hint", whole, runs("trial TestA test"), "undecided"},
		{"a trial in a clean process kills", whole, runs("clean TestA/sub crash"), "killed crash TestA/sub"},
		{"the hinted test fails alone", whole, runs("trial TestA test", "alone TestA test"), "undecided"},
		{"the hinted test fails alone again", whole, runs("trial TestA test", "alone TestA test", "alone TestA test"), "killed test TestA"},
		{"a hinted test that takes long fails alone", long, runs("trial TestL test", "alone TestL test"), "killed test TestL"},
		{"one that does not takes one more failure", long, runs("trial TestA test", "alone TestA test"), "undecided"},
		{"nothing announced the failure of what takes long", long, runs("alone TestL test"), "undecided"},
		{"it fails twice", long, runs("alone TestL test", "alone TestL test"), "killed test TestL"},
		{"it hangs by a deadline, though a trial announced it", long, runs("trial TestL hang", "alone TestL hang clock"), "undecided"},
		{"a failure that nothing announced has to repeat more often", whole, runs("alone TestA test", "alone TestA test"), "undecided"},
		{"and kills when it does", whole, runs("alone TestA test", "alone TestA test", "alone TestA test"), "killed test TestA"},
		{"a suite that hangs and names no test announces any", whole, runs("suite hang", "alone TestA hang slowly"), "killed hang TestA"},
		{"one that fails otherwise does, too", whole, runs("suite crash", "alone TestA crash", "alone TestA crash"), "killed crash TestA"},
		{"one that hangs in another test announces nothing", whole, runs("suite TestB hang", "alone TestA hang"), "undecided"},
		{"a random failure in a trial announces nothing", whole, runs("random TestA", "alone TestA test"), "undecided"},
		{"the suite passes", whole, runs("suite pass"), "survived"},
		{"the suite passes after a trial that failed", whole, runs("trial TestA test", "alone TestA pass", "suite pass"), "survived"},
		{"it passes once its tests run", whole, runs("suite idle", "suite idle", "suite pass"), "survived"},
		{"none of its tests ever runs", whole, runs(times(maxIdle, "suite idle")...), "inconclusive"},
		{"a test fails before none runs", whole, runs(append(times(3, "alone TestA test"), times(maxIdle, "suite idle")...)...), "killed test TestA"},
		{"a suite that fails once decides nothing", whole, runs("suite TestA test"), "undecided"},
		{"the same subtest fails each time", whole, runs("alone TestA/x test", "alone TestA/x test", "alone TestA/x test"), "killed test TestA/x"},
		{"another subtest fails each time", whole, runs("alone TestA/x test", "alone TestA/y test", "alone TestA/x test"), "killed test TestA"},
		{"its test fails alone", whole, runs("suite TestA test", "alone TestA test", "alone TestA test"), "killed test TestA"},
		{"only the suite fails", whole, runs("suite TestA test", "alone TestA pass", "suite TestA test", "suite TestA test"), "killed test TestA: " + ReasonOnlyInSuite},
		{"a crash of the suite that names no test", whole, runs("suite crash", "suite crash", "suite crash"), "killed crash : " + ReasonOnlyInSuite},
		{"a hang by a deadline has to be seen twice, though a trial announced it", whole, runs("trial TestA hang", "alone TestA hang clock"), "undecided"},
		{"and kills then", whole, runs("trial TestA hang", "alone TestA hang clock", "alone TestA hang clock"), "killed hang TestA"},
		{"a slow hang by steps is enough", whole, runs("trial TestA hang", "alone TestA hang slowly"), "killed hang TestA"},
		{"a quick one has to be seen twice", whole, runs("trial TestA hang", "alone TestA hang"), "undecided"},
		{"and kills then, too", whole, runs("trial TestA hang", "alone TestA hang", "alone TestA hang"), "killed hang TestA"},
		{"a quick hang that is not seen again does not kill", whole, runs("trial TestA hang", "alone TestA hang", "alone TestA pass"), "undecided"},
		{"a suite that exceeds the step bound decides nothing", whole, runs("suite TestA hang", "alone TestA pass"), "undecided"},
		{"and has passed if it does so unbounded", whole, runs("suite TestA hang", "alone TestA pass", "unbounded pass"), "survived"},
		{"and hangs if it does not end then", whole, runs("suite TestA hang", "alone TestA pass", "unbounded TestA hang clock"), "killed hang TestA: " + ReasonOnlyInSuite},
		{"half of all runs fail", whole, runs(append(times(30, "alone TestA test"), times(30, "alone TestA pass")...)...), "inconclusive"},
		{"few runs fail", whole, runs(append(times(1, "suite TestA test"), times(9, "suite pass")...)...), "survived: TestA fails with this change in 1 of 10 runs"},
		{"a third does", whole, runs(append(times(8, "suite TestA test"), times(16, "suite pass")...)...), "survived: TestA fails with this change in 8 of 24 runs"},
		{"nearly all runs fail", whole, runs(append(times(1, "suite pass"), times(9, "suite TestA test")...)...), "killed test TestA: " + ReasonOnlyInSuite},
		{"two thirds do", whole, runs(append(times(8, "suite pass"), times(16, "suite TestA test")...)...), "killed test TestA: " + ReasonOnlyInSuite},
		{"quick tests pass, slow ones have not run", part, runs("quick pass"), "undecided"},
		{"slow tests pass, quick ones have not run", part, runs("slow TestS1 pass", "slow TestS2 pass"), "undecided"},
		{"all tests of a large suite pass", part, runs("quick pass", "slow TestS1 pass", "slow TestS2 pass"), "survived"},
		{"a slow test fails once", part, runs("quick pass", "slow TestS1 test"), "undecided"},
		{"a slow test fails twice", part, runs("quick pass", "slow TestS1 test", "slow TestS1 test"), "killed test TestS1"},
		{"a slow test hangs once", part, runs("quick pass", "slow TestS1 hang"), "killed hang TestS1"},
		{"a slow test hangs once by a deadline", part, runs("quick pass", "slow TestS1 hang clock"), "undecided"},
		{"quick tests fail together, and their test not alone", Plan{Runs: part.Runs[:1]}, runs("quick TestA test", "alone TestA pass", "quick TestA test", "quick TestA test"), "undecided"},
		{"as they do without the mutant", Plan{Runs: part.Runs[:1]}, runs("quick TestA test", "control pass", "quick TestA test", "quick TestA test"), "killed test TestA: " + ReasonOnlyInSuite},
		{"as they do not without the mutant", Plan{Runs: part.Runs[:1]}, runs("quick crash", "control TestA test", "quick pass"), "survived"},
		{"without the tests left out the suite passes", most, runs("part pass"), "survived"},
		{"it fails", most, runs("part TestA test", "part TestA test", "part TestA test"), "undecided"},
		{"and its test fails alone", most, runs("part TestA test", "alone TestA test", "alone TestA test"), "killed test TestA"},
		{"and the whole suite fails as often as it must, the first time counting", most, runs("part TestA test", "alone TestA pass", "suite TestA test", "suite TestA test"), "killed test TestA: " + ReasonOnlyInSuite},
		{"and the suite passes", most, runs("part TestA test", "alone TestA pass", "suite pass"), "survived"},
		{"what has to pass twice passes once", twice, runs("suite pass"), "undecided"},
		{"and again", twice, runs("suite pass", "suite pass"), "survived"},
		{"without the tests left out it passes once", mostTwice, runs("part pass"), "undecided"},
		{"and with them", mostTwice, runs("part pass", "suite pass"), "survived"},
		{"without them any number of times", mostTwice, runs("part pass", "part pass", "part pass"), "undecided"},
		{"and fails the second time", twice, runs("suite pass", "suite TestA test"), "undecided"},
		{"few of its runs fail", twice, runs(append(times(1, "suite TestA test"), times(9, "suite pass")...)...), "survived: TestA fails with this change in 1 of 10 runs"},
		{"it passes without the bound on steps that it exceeds", twice, runs("suite TestA hang", "alone TestA pass", "unbounded pass"), "survived"},
		{"a test seldom fails alone, and the suite passes", whole, runs(append(append(times(1, "alone TestA test"), times(9, "alone TestA pass")...), "suite pass")...), "survived: TestA fails with this change in 1 of 10 runs"},
		{"nothing infects it", Plan{}, nil, "survived"},
		{"a test that was quarantined since kills nothing", Plan{Runs: inSuite, Quarantined: []string{"TestA"}}, runs("clean TestA/sub test", "suite TestA test", "suite TestA test", "suite TestA test"), "undecided"},
		{"and what passes without it survives", Plan{Runs: inSuite, Quarantined: []string{"TestA"}}, runs("suite TestA test", "suite pass"), "survived"},
		{"nor in a trial in a clean process", Plan{Runs: inSuite, Alone: func(string) bool { return false }}, runs("clean TestA test"), "undecided"},
		{"but in the suite", Plan{Runs: inSuite, Alone: func(string) bool { return false }}, runs("clean TestA test", "suite TestA test", "suite TestA test", "suite TestA test"), "killed test TestA: " + ReasonOnlyInSuite},
		{"a test that is not reliable alone kills nothing alone", Plan{Runs: inSuite, Alone: func(string) bool { return false }}, runs("alone TestA test", "alone TestA test", "alone TestA test", "suite pass"), "survived"},
	}
	for _, tt := range tests {
		t.Run(tt.fact, func(t *testing.T) {
			d, _ := Decide(tt.plan, tt.entries)
			if got := shown(d); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}

// shown returns a decision as a short text.
func shown(d Decision) string {
	switch d.Status {
	case Killed:
		s := fmt.Sprintf("killed %s %s", d.Kind, d.Test)
		if d.Reason != "" {
			s += ": " + d.Reason
		}
		return s
	case Survived:
		return strings.TrimSuffix("survived: "+d.Reason, ": ")
	case Inconclusive:
		return "inconclusive"
	}
	return "undecided"
}

func TestTheRunThatIsDueFollowsFromTheRunsSoFar(t *testing.T) {
	whole := Plan{Runs: inSuite, Alone: func(test string) bool { return test != "TestOrder" }}
	part := Plan{Runs: []Step{{Context: InQuick}, {Context: InSlow, Test: "TestS1"}, {Context: InSlow, Test: "TestS2"}}}
	most := Plan{Runs: inSuite, LeftOut: []string{"TestL"}}
	mostTwice := most
	mostTwice.Twice = true
	tests := []struct {
		fact    string
		plan    Plan
		entries []Entry
		want    string
	}{
		{"what passed its trial goes to the suite", whole, runs("trial pass"), "suite"},
		{"what failed it goes to that test", whole, runs("trial TestA/sub test"), "alone TestA"},
		{"what a clean trial killed goes nowhere", whole, runs("clean TestA test"), "none"},
		{"an order-dependent test judges in whole-suite runs", whole, runs("trial TestOrder test"), "suite"},
		{"a suite that failed goes to its test", whole, runs("suite TestA test"), "alone TestA"},
		{"and back to the suite if that passes", whole, runs("suite TestA test", "alone TestA pass"), "suite"},
		{"a suite that crashed and named no test runs again", whole, runs("suite crash"), "suite"},
		{"once none of the tests that may have does so alone", Plan{Runs: inSuite, Infected: []string{"TestA", "TestB"}}, runs("suite crash", "alone TestA pass"), "alone TestB"},
		{"as none has", Plan{Runs: inSuite, Infected: []string{"TestA"}}, runs("suite crash", "alone TestA pass"), "suite"},
		{"a survivor is done", whole, runs("trial pass", "suite pass"), "none"},
		{"what passes and fails runs on", whole, runs("suite TestA test", "alone TestA pass", "suite pass"), "suite"},
		{"the failure rate of a random test is measured alone", whole, runs("random TestA", "alone TestA pass"), "alone TestA"},
		{"tests that take long are left out first", most, runs("trial pass"), "part"},
		{"what passes the others is done", most, runs("part pass"), "none"},
		{"what fails one of them goes to that test", most, runs("part TestA test"), "alone TestA"},
		{"what has to pass twice passes with them once", mostTwice, runs("part pass"), "suite"},
		{"and to the suite if that passes", most, runs("part TestA test", "alone TestA pass"), "suite"},
		{"quick tests come first", part, nil, "quick"},
		{"slow ones one after the other", part, runs("quick pass", "slow TestS1 pass"), "slow TestS2"},
		{"quick ones that fail go to their test", part, runs("quick TestA test"), "alone TestA"},
		{"and run without the mutant if that passes", part, runs("quick TestA test", "alone TestA pass"), "control"},
		{"and with it again if they pass then", part, runs("quick TestA test", "alone TestA pass", "control pass"), "quick"},
		{"as do the others if one fails then", part, runs("quick TestA test", "alone TestA pass", "control TestA test"), "quick"},
		{"which pass without the mutant if one more fails", part, runs("quick TestA test", "control TestA test", "quick TestB test", "alone TestB pass"), "control"},
		{"a run of no test is repeated", whole, runs("suite idle"), "suite"},
		{"but not forever", whole, runs(times(maxIdle, "suite idle")...), "none"},
		{"without the mutant, too", part, runs("quick TestA test", "alone TestA pass", "control idle"), "control"},
		{"a slow one that failed runs again", part, runs("quick pass", "slow TestS1 crash"), "slow TestS1"},
	}
	for _, tt := range tests {
		t.Run(tt.fact, func(t *testing.T) {
			_, step := Decide(tt.plan, tt.entries)
			got := "none"
			if step != nil {
				got = strings.TrimSpace(map[Context]string{Alone: "alone", InSuite: "suite", InPart: "part", InQuick: "quick", InSlow: "slow", InControl: "control"}[step.Context] + " " + step.Test)
			}
			if got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}

func TestAControlWithATestThatIsQuarantinedByNowIsRepeated(t *testing.T) {
	entries := runs("quick TestA test", "alone TestA pass", "control pass", "quick TestA test")
	entries[2].Tests = []string{"TestA", "TestB"}
	for want, quarantined := range map[Context][]string{InQuick: {"TestC"}, InControl: {"TestB", "TestC"}} {
		if _, step := Decide(Plan{Runs: []Step{{Context: InQuick}}, Quarantined: quarantined}, entries); step == nil || step.Context != want {
			t.Errorf("without %q: %+v", quarantined, step)
		}
	}
}

func TestRunsOfAKindAreCounted(t *testing.T) {
	for name, tt := range map[string]struct {
		entries []Entry
		step    Step
		want    sequential.Runs
		failed  string
	}{
		"none":                           {nil, Step{Context: InSuite}, sequential.Runs{}, ""},
		"of all tests together":          {runs("suite TestA/sub test", "suite pass", "alone TestA pass"), Step{Context: InSuite}, sequential.Runs{Passed: 1, Failed: 1}, "TestA/sub"},
		"of a test alone":                {runs("alone TestA test", "alone TestB pass", "suite TestA test"), Step{Context: Alone, Test: "TestA"}, sequential.Runs{Failed: 1}, "TestA"},
		"a random failure in a trial":    {runs("random TestA"), Step{Context: Alone, Test: "TestA"}, sequential.Runs{Passed: 1, Failed: 1}, "TestA"},
		"bounded ones count for nothing": {runs("suite TestA hang", "unbounded pass"), Step{Context: InSuite, Unbounded: true}, sequential.Runs{Passed: 1}, ""},
	} {
		if n, failed := Count(tt.entries, tt.step); n != tt.want || failed != tt.failed {
			t.Errorf("%s: %+v, %q; want %+v, %q", name, n, failed, tt.want, tt.failed)
		}
	}
}

// TestJudgingEnds checks that there is a verdict after a bounded number of runs, whatever their results. The verdict
// must be right if the test always gives the same result.
func TestJudgingEnds(t *testing.T) {
	for seed := range 3000 {
		random := rand.New(rand.NewPCG(uint64(seed), 0)).IntN
		plan := Plan{Runs: inSuite}
		if seed%3 == 0 {
			plan.LeftOut = []string{"TestL"}
		}
		if seed%2 == 1 {
			plan.Runs = []Step{{Context: InQuick}, {Context: InSlow, Test: "TestS"}}
		}
		plan.Twice = seed%5 == 0
		rates := []float64{0, 0, 0.1, 0.5, 0.9, 1, 1}
		rate := rates[random(len(rates))]
		entries := [][]Entry{nil, runs("trial pass"), runs("trial TestA test"), runs("random TestA")}[random(4)]
		n, kind := 0, []string{Test, Hang}[random(2)]
		got, step := Decide(plan, entries)
		for ; step != nil; got, step = Decide(plan, entries) {
			if n++; n > 4*sequential.MaxRuns {
				t.Fatalf("seed %d, failure rate %v: no verdict after %d runs", seed, rate, n)
			}
			e := Entry{Step: *step, Took: time.Millisecond}
			if step.Context != InControl && float64(random(1000)) < 1000*rate {
				e.Kind, e.Failed = kind, step.Test
				if e.Failed == "" {
					e.Failed = "TestA"
				}
			}
			entries = append(entries, e)
		}
		if got.Status == Undecided || rate == 0 && got.Status != Survived || rate == 1 && got.Status != Killed {
			t.Fatalf("seed %d, failure rate %v: %v after %d runs", seed, rate, got.Status, n)
		}
	}
}
