package engine

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/probe"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestStageFollowsFromStatusAndEvidence(t *testing.T) {
	tests := []struct {
		m    mutant
		want string
	}{
		{mutant{status: results.Killed}, results.Revealed},
		{mutant{status: results.Survived}, results.NotReached},
		{mutant{status: results.Survived, reached: true}, results.Reached},
		{mutant{status: results.Survived, reached: true, infected: true}, results.Infected},
		{mutant{status: results.Survived, reached: true, infected: true, exposedBy: &results.ExposedBy{}}, results.Propagated},
		{mutant{status: results.Ignored, reached: true}, ""},
		{mutant{status: results.NotRun, reached: true}, ""},
	}
	for _, tt := range tests {
		if got := tt.m.stage(); got != tt.want {
			t.Errorf("stage of %s, reached %t, infected %t = %q, want %q", tt.m.status, tt.m.reached, tt.m.infected, got, tt.want)
		}
	}
}

func probeRun(outcome string, hashes ...uint64) *probe.Run {
	r := &probe.Run{Outcome: outcome}
	for i, h := range hashes {
		r.Observations = append(r.Observations, probe.Observation{Site: i, Hash: h})
	}
	return r
}

func TestVerdictsNeedRepetition(t *testing.T) {
	death := &worker.Outcome{Kind: results.KindCrash}
	tests := []struct {
		name        string
		runs        entryRuns
		bad, steady bool
		kind        string
	}{
		{"fine twice", entryRuns{runs: []*probe.Run{probeRun("ok"), probeRun("ok")}}, false, true, ""},
		{"fine once", entryRuns{runs: []*probe.Run{probeRun("ok")}}, false, false, ""},
		{"fails twice", entryRuns{runs: []*probe.Run{probeRun("failure"), probeRun("failure")}}, true, true, results.KindEntry},
		{"fails, then not", entryRuns{runs: []*probe.Run{probeRun("panic"), probeRun("ok")}}, true, false, results.KindCrash},
		{"hangs", entryRuns{runs: []*probe.Run{probeRun("hang"), probeRun("hang")}}, true, true, results.KindHang},
		{"dies", entryRuns{death: death}, true, true, results.KindCrash},
		{"dies after a good run", entryRuns{runs: []*probe.Run{probeRun("ok")}, death: death}, true, false, results.KindCrash},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.runs.bad() != tt.bad || tt.runs.steady() != tt.steady {
				t.Errorf("bad %t, steady %t; want %t, %t", tt.runs.bad(), tt.runs.steady(), tt.bad, tt.steady)
			}
			if tt.bad && tt.runs.kind() != tt.kind {
				t.Errorf("kind %s, want %s", tt.runs.kind(), tt.kind)
			}
		})
	}
}

func TestNoVerdictRestsOnSitesThatDifferFromThemselves(t *testing.T) {
	u := &unit{}
	struck := &target{struck: map[int]bool{1: true}}
	plain := &target{struck: map[int]bool{}}
	two := func(a, b *probe.Run) *entryRuns { return &entryRuns{runs: []*probe.Run{a, b}} }
	original := two(probeRun("ok", 1, 2, 3), probeRun("ok", 1, 2, 3))
	mutated := two(probeRun("ok", 1, 9, 3), probeRun("ok", 1, 9, 3))

	if o := u.compare(plain, original, mutated, nil); o == nil || o.site != 1 {
		t.Errorf("a difference at site 1 gives %v", o)
	}
	if o := u.compare(struck, original, mutated, nil); o != nil {
		t.Errorf("a struck site counts: %v", o)
	}
	flaky := two(probeRun("ok", 1, 8, 3), probeRun("ok", 1, 9, 3))
	if o := u.compare(plain, original, flaky, nil); o != nil {
		t.Errorf("a site at which the mutant differs from itself counts: %v", o)
	}
	if got := two(probeRun("ok", 1, 2), probeRun("ok", 1, 7)).unsteadySites(); !slices.Equal(got, []int{1}) {
		t.Errorf("unsteady sites %v, want [1]", got)
	}
	shorter := two(probeRun("ok", 1, 2), probeRun("ok", 1, 2))
	if o := u.compare(plain, original, shorter, nil); o == nil || o.site != 2 || o.mutant != nil {
		t.Errorf("a call that is no longer made gives %v", o)
	}
}

func TestMutantsWithUntriedTestsAreNotSaidToSurvive(t *testing.T) {
	u := &unit{tested: true, mutants: []*mutant{
		{status: results.Pending},
		{status: results.Pending, due: map[string]int{"m": 2}},
		{status: results.Pending, due: map[string]int{"m": 2}, exposedBy: &results.ExposedBy{}},
		{status: results.Killed},
	}}
	u.decide()
	var got []string
	for _, m := range u.mutants {
		got = append(got, m.status)
	}
	want := []string{results.Survived, results.NotRun, results.Survived, results.Killed}
	if !slices.Equal(got, want) {
		t.Errorf("statuses %v, want %v", got, want)
	}
}

func TestWithoutTimeForTestsNothingSurvives(t *testing.T) {
	u := &unit{mutants: []*mutant{{status: results.Pending}}}
	u.decide()
	if m := u.mutants[0]; m.status != results.NotRun || m.reason == "" {
		t.Errorf("status %s (%s), want not_run with a reason", m.status, m.reason)
	}
}

func TestTestNamesAreSplitAtThePackage(t *testing.T) {
	tests := []struct{ name, pkg, test string }{
		{"example.com/a.b/c.TestX", "example.com/a.b/c", "TestX"},
		{"example.com/a.TestX/sub.Test y", "example.com/a", "TestX/sub.Test y"},
		{"example.com/a.FuzzX/seed#0", "example.com/a", "FuzzX/seed#0"},
		{"a.ExampleT_M", "a", "ExampleT_M"},
	}
	known := func(p string) bool { return slices.Contains([]string{"example.com/a.b/c", "example.com/a", "a"}, p) }
	for _, tt := range tests {
		if pkg, test := splitTest(tt.name, known); pkg != tt.pkg || test != tt.test {
			t.Errorf("splitTest(%s) = %s, %s", tt.name, pkg, test)
		}
	}
}

func TestCrashesAreToldApartByPlace(t *testing.T) {
	a := &results.Crash{Kind: "panic", Message: "index 1", Stack: "f()\n\t/x/f.go:3\ng()\n\t/x/g.go:9\n"}
	b := &results.Crash{Kind: "panic", Message: "index 2", Stack: "f()\n\t/x/f.go:3\ng()\n\t/x/g.go:9\nh()\n\t/x/h.go:1\n"}
	c := &results.Crash{Kind: "panic", Message: "index 1", Stack: "f()\n\t/x/f.go:4\ng()\n\t/x/g.go:9\n"}
	if crashKey(a) != crashKey(b) {
		t.Error("the same place with another message counts as another crash")
	}
	if crashKey(a) == crashKey(c) {
		t.Error("another line counts as the same crash")
	}
}

func TestBudgetIsSplitWithoutLoss(t *testing.T) {
	cfg := Config{Execs: 1003, MutantShare: 0.25}
	var sum int64
	for i := range 10 {
		var j fuzzJob
		j.budget(cfg, time.Second, i, 10)
		sum += j.job.MutantExecs + j.job.ProgramExecs
		if j.job.MutantTime >= 0 || j.job.ProgramTime >= 0 {
			t.Error("a budget in executions is bounded by time too")
		}
	}
	if sum != cfg.Execs {
		t.Errorf("jobs get %d executions of %d", sum, cfg.Execs)
	}
}

func TestReachGoesByEvaluationWhereAProbeTells(t *testing.T) {
	probed := &mutant{Mutant: &weave.Mutant{Block: 3, Probed: true}, number: 1}
	plain := &mutant{Mutant: &weave.Mutant{Block: 3}, number: 2}
	tt := &test{blocks: map[int]bool{3: true}, marks: []byte{0, probe.MarkEvaluated, 0}}
	if !tt.reaches(probed) || tt.infects(probed) {
		t.Error("an evaluated expression with the same value is reached and not infected")
	}
	if !tt.reaches(plain) || !tt.infects(plain) {
		t.Error("without a probe what is reached counts as infected")
	}
	tt.marks[1] = 0
	if tt.reaches(probed) {
		t.Error("an expression that was not evaluated counts as reached")
	}
}

func TestWhereTheClockDecidesATestIsSparedOnlyWhatItDoesNotEnter(t *testing.T) {
	for _, tt := range []struct {
		test, mutant, probed bool // may not always do the same; has a probe
		entry, block         int
		infects              bool
	}{
		{true, true, true, 2, 3, true},
		{true, true, true, 2, 4, true}, // not reached, as it happened
		{true, true, false, 2, 4, true},
		{true, true, true, 5, 6, false}, // not entered
		{true, false, true, 2, 3, false},
		{false, true, true, 2, 3, false},
		{true, false, false, 2, 4, false},
	} {
		m := &mutant{
			Mutant: &weave.Mutant{Entry: tt.entry, Block: tt.block, Probed: tt.probed}, number: 1, unsteady: tt.mutant,
		}
		by := &test{suite: &suite{}, unsteady: tt.test, blocks: map[int]bool{2: true, 3: true}, marks: []byte{0, probe.MarkEvaluated}}
		if got := by.judges(m); got != tt.infects {
			t.Errorf("%+v: %t", tt, got)
		}
		if m.judgedBy(by); !m.judged || m.infected {
			t.Errorf("%+v: judged %t, infected %t, which nothing showed", tt, m.judged, m.infected)
		}
	}
}

func TestWhatHasNotRunAgainstAllThatMayNoticeItHasNotSurvived(t *testing.T) {
	for _, tt := range []struct {
		m      mutant
		status string
		short  bool
	}{
		{mutant{}, results.Survived, false},
		{mutant{awaitsCompany: 2}, results.NotRun, true},
		{mutant{awaitsAside: true}, results.NotRun, true},
		{mutant{unclear: "a flaky test may notice it"}, results.NotRun, false},
		{mutant{due: map[string]int{"p": 1}}, results.NotRun, true},
		{mutant{awaitsCompany: 1, exposedBy: &results.ExposedBy{}}, results.Survived, false},
	} {
		tt.m.status = results.Pending
		u := &unit{mutants: []*mutant{&tt.m}, tested: true}
		u.decide()
		if tt.m.status != tt.status || tt.status == results.NotRun && tt.m.reason == "" {
			t.Errorf("%+v: %s %q, want %s", tt.m, tt.m.status, tt.m.reason, tt.status)
		}
		if u.short != tt.short {
			t.Errorf("%+v: out of time: %t", tt.m, u.short)
		}
	}
}

func TestCompanyUpToATestLeavesOutLaterOnes(t *testing.T) {
	s := &suite{pkg: "p"}
	for i, name := range []string{"TestA", "TestB", "TestC", "TestD"} {
		s.tests = append(s.tests, &test{suite: s, name: name, order: i})
	}
	slices.Reverse(s.tests) // they are kept in the order in which they are surveyed
	all := &test{suite: s, skip: "^TestA$", duration: time.Second, steps: 7}
	last, middle := s.tests[0], s.tests[2]
	if got := all.upTo(last); got != all {
		t.Errorf("up to the last one: %q", got.skip)
	}
	got := all.upTo(middle)
	if skip := regexp.MustCompile(got.skip); !skip.MatchString("TestA") || skip.MatchString("TestB") || !skip.MatchString("TestC") || !skip.MatchString("TestD") {
		t.Errorf("up to %s: %q", middle.name, got.skip)
	}
	if got.duration != all.duration || got.steps != all.steps {
		t.Errorf("limits of %v and %d", got.duration, got.steps)
	}
	s.parallel = true
	if got := all.upTo(middle); got != all {
		t.Errorf("tests that run at once: %q", got.skip)
	}
}

func TestTestsThatRunAtOnceAreToldBySource(t *testing.T) {
	for body, want := range map[string]bool{"t.Parallel()": true, "t.Run(`a`, func(t *testing.T) { t.Parallel() })": true, "t.Log(1)": false} {
		f, err := parser.ParseFile(token.NewFileSet(), "p_test.go", "package p; func TestA(t *testing.T) { "+body+" }", 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := runsAtOnce([]*ast.File{f}); got != want {
			t.Errorf("%s: %t", body, got)
		}
	}
}

func TestTestsRunTogetherWhereThatCanMatter(t *testing.T) {
	alone, remembers, fails := &test{}, &test{remembers: true}, &test{aside: failsAlone}
	slowOne, flaky := &test{duration: slowSuite}, &test{aside: flakyAlone}
	for i, tt := range []struct {
		tests []*test
		want  bool
	}{
		{[]*test{alone, alone}, false},
		{[]*test{alone, remembers}, true},
		{[]*test{remembers}, false},
		{[]*test{remembers, slowOne}, false},
		{[]*test{slowOne, fails}, true},
		{[]*test{alone, flaky}, true},
		{[]*test{slowOne, flaky}, false},
	} {
		if got := (&suite{tests: tt.tests}).wantsCompany(); got != tt.want {
			t.Errorf("%d: %t", i, got)
		}
	}
	if s := (&suite{tests: []*test{alone, alone}, undoes: true}); !s.wantsCompany() {
		t.Error("not where old lines come back that may have remembered")
	}
}

func TestSlowTestsWithoutMemoryAreLeftOutOfCompanyUnlessOthersMayNeedThem(t *testing.T) {
	list := []*test{
		{suite: &suite{}, name: "TestSlow", duration: time.Second}, {suite: &suite{}, name: "TestQuick"},
		{suite: &suite{}, name: "TestRemembers", remembers: true, duration: time.Second},
	}
	fails := append(slices.Clone(list), &test{suite: &suite{}, name: "TestFails", aside: failsAlone})
	for _, tt := range []struct {
		tests, heard []*test
		memory       memory
		want         []string
	}{
		{tests: list, want: []string{"TestSlow"}},
		{tests: fails},
		{tests: list, heard: list[2:]},
		{tests: list, memory: memory{process: true}},
	} {
		u := &unit{memory: tt.memory}
		if got := u.indifferent(&suite{tests: tt.tests, heard: tt.heard}); !slices.Equal(got, tt.want) {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

func TestATestThatDoesMuchMoreSharesNoProcessWithOthers(t *testing.T) {
	s := &suite{}
	with := func(steps int64) *test { return &test{suite: s, steps: steps} }
	tests := []*test{with(1), with(1000), with(outweighs * stepFloor / stepFactor), with(outweighs * outweighs * stepFloor)}
	if got := (&mutant{Mutant: wovenIn("f")}).together(tests); len(got) != 3 {
		t.Errorf("%d tests share a process, want 3", len(got))
	}
	if got := (&mutant{Mutant: wovenIn("f")}).together(tests[3:]); len(got) != 1 {
		t.Errorf("%d tests left, want 1", len(got))
	}
}

func TestOnlyWhatNoClockDecidesNeedsNoSecondRun(t *testing.T) {
	for _, tt := range []struct {
		run  testRun
		want bool
	}{
		{testRun{outcome: worker.Outcome{Kind: results.KindTest}}, true},
		{testRun{outcome: worker.Outcome{Kind: results.KindHang}, exit: worker.Exit{Flags: probe.FlagHang}}, true},
		{testRun{outcome: worker.Outcome{Kind: results.KindHang}, exit: worker.Exit{Cause: worker.Timeout}}, false},
		{testRun{outcome: worker.Outcome{Kind: results.KindCrash}}, false},
	} {
		if got := tt.run.repeats(); got != tt.want {
			t.Errorf("%+v: %t", tt.run, got)
		}
	}
}

func TestAClockSaysTwiceThatARunDoesNotEnd(t *testing.T) {
	hang := worker.Outcome{Kind: results.KindHang}
	for _, tt := range []struct {
		run  testRun
		want bool
	}{
		{testRun{outcome: hang, exit: worker.Exit{Cause: worker.Timeout}}, true},
		{testRun{outcome: hang, exit: worker.Exit{Cause: worker.Silent}}, true},
		{testRun{outcome: hang, exit: worker.Exit{Code: 2}}, true}, // the test binary's own limit
		{testRun{outcome: hang, exit: worker.Exit{Code: 2, Flags: probe.FlagHang}}, false},
		{testRun{outcome: hang, exit: worker.Exit{Code: 2, Flags: probe.FlagRecursion}}, false},
		{testRun{outcome: hang, exit: worker.Exit{Cause: worker.Deadlock}}, false},
		{testRun{outcome: worker.Outcome{Kind: results.KindTest}, exit: worker.Exit{Code: 1}}, false},
	} {
		if got := tt.run.byClock(); got != tt.want {
			t.Errorf("%+v: %t", tt.run, got)
		}
	}
}

func TestWhatMayDifferIsTriedOften(t *testing.T) {
	s := &suite{}
	for _, unsteady := range []bool{false, true} {
		trial := (&test{suite: s, unsteady: unsteady}).onTrial()
		if got := trial.Least > 0 && trial.LeastTime > 0; got != unsteady {
			t.Errorf("unsteady %t: %d times in %d ns", unsteady, trial.Least, trial.LeastTime)
		}
	}
}

func TestATestThatMayGoByTheClockFailsMoreThanOnceBeforeItKills(t *testing.T) {
	s := &suite{}
	steady, unsteady, long := &test{suite: s}, &test{suite: s, unsteady: true}, &test{suite: s, unsteady: true, duration: time.Second}
	for _, tt := range []struct {
		m    *mutant
		test *test
		want int
	}{
		{&mutant{Mutant: wovenIn("f")}, steady, 1},
		{&mutant{Mutant: wovenIn("f")}, unsteady, 2},
		{&mutant{Mutant: wovenIn("f"), suspects: []*test{unsteady}}, unsteady, 1}, // it failed when it was tried
		{&mutant{Mutant: wovenIn("f")}, long, 1},
	} {
		if got := tt.m.confirmations(tt.test); got != tt.want {
			t.Errorf("%d times, want %d", got, tt.want)
		}
	}
}

func TestMutantsWhoseTestsWereAllStruckOffNeedNoTrial(t *testing.T) {
	s := &suite{}
	s.tests = []*test{{suite: s, name: "TestStruckOff", blocks: map[int]bool{0: true}}}
	batch := []*mutant{{Mutant: wovenIn("f")}, {Mutant: wovenIn("g")}}
	if n, err := (&unit{}).tryProcess(t.Context(), nil, s, batch); n != len(batch) || err != nil {
		t.Errorf("%d of %d mutants done, %v", n, len(batch), err)
	}
}

func TestOnlyTheMutantThatTookTheProcessAlongIsNotTriedAgain(t *testing.T) {
	verdict := func(number int) *probe.Event {
		return &probe.Event{Event: probe.EventTrial, Mutant: number, Outcome: probe.OutcomeOK}
	}
	ready, done := &probe.Event{Event: probe.EventReady}, &probe.Event{Event: probe.EventDone}
	for _, tt := range []struct {
		name   string
		events []*probe.Event
		want   int // mutants that need no other process
		unruly int // its number; 0: none
	}{
		{"all were tried", []*probe.Event{ready, verdict(1), verdict(2), verdict(3), done}, 3, 0},
		{"the second wore it out", []*probe.Event{ready, verdict(1), verdict(2), done}, 2, 0},
		{"it ended with the second", []*probe.Event{ready, verdict(1)}, 2, 2},
		{"it ended with the first", []*probe.Event{ready}, 1, 1},
		{"it ended after the last", []*probe.Event{ready, verdict(1), verdict(2), verdict(3)}, 3, 0},
		{"it says nothing", nil, 1, 1},
		{"it is done with nothing", []*probe.Event{ready, done}, 1, 1},
	} {
		a := attempt{unit: &unit{}, suite: &suite{}}
		for number := 1; number <= 3; number++ {
			a.batch = append(a.batch, &mutant{Mutant: wovenIn("f"), number: number})
		}
		for _, e := range tt.events {
			a.hear(e)
		}
		if got := a.end(worker.Exited); got != tt.want {
			t.Errorf("%s: %d mutants need no other process, want %d", tt.name, got, tt.want)
		}
		for _, m := range a.batch {
			if m.unruly != (m.number == tt.unruly) {
				t.Errorf("%s: mutant %d: unruly %t", tt.name, m.number, m.unruly)
			}
		}
	}
}

func TestWhatFailedInOneSuiteIsSuspectThereWhateverOthersSay(t *testing.T) {
	u := &unit{}
	a, b := &suite{pkg: "a"}, &suite{pkg: "b"}
	inA := []*test{{suite: a, name: "TestFirst", remembers: true}, {suite: a, name: "TestA", remembers: true}}
	inB := []*test{{suite: b, name: "TestB", remembers: true}}
	a.tests, b.tests = inA, inB
	m := &mutant{Mutant: wovenIn("f"), status: results.Pending}
	u.tryVerdict(a, m, &probe.Event{Outcome: probe.OutcomeFailure, Message: "TestA"}, nil)
	u.tryVerdict(b, m, &probe.Event{Outcome: probe.OutcomeHang, Message: "TestB"}, nil)
	if got := m.together(inA); !slices.Equal(got, inA[1:]) {
		t.Errorf("of a, %d tests run first, want TestA alone", len(got))
	}
	if got := m.together(inB); !slices.Equal(got, inB) {
		t.Errorf("of b, %d tests run first, want TestB", len(got))
	}
	inB[0].tried.Store(true)
	if m.canBeTriedOn(inB[0]) {
		t.Error("it is tried again although it did not end")
	}
}

func TestSuitesThatAMutantFailedWhenItWasTriedComeFirst(t *testing.T) {
	a, b, c := &suite{pkg: "a"}, &suite{pkg: "b"}, &suite{pkg: "c"}
	m := &mutant{suspects: []*test{{suite: c}, {suite: b}}}
	if got := m.suspiciousFirst([]*suite{a, b, c}); !slices.Equal(got, []*suite{b, c, a}) {
		t.Errorf("%v", got)
	}
}
