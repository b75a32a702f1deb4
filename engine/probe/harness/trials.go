//go:build go1.21

package harness

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/probe/process"
	"github.com/mutantfuzz/mutantfuzz/engine/probe/state"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// registered has the tests of the package under test, by name.
var registered = map[string]func(*testing.T){}

// Register makes a test known to Trials.
func Register(name string, test func(*testing.T)) { registered[name] = test }

// maxLeaked is how many goroutines trials may leave behind before another process is needed. Such goroutines go on
// running while the next mutant is active.
const maxLeaked = 4

// trialStack is how large the stack of a goroutine may grow during trials, in bytes. Endless
// recursion needs a second to fill the gigabyte that Go allows. A mutant that exceeds trialStack is
// run again in a process of its own.
const trialStack = 64 << 20

// trials tries mutants on tests, one after the other, in this process.
//
// Mutants share the state of the process: one can leave package variables changed, and a warm cache can hide
// another. So a mutant that passes here has not survived yet. A failure counts only if the original passes the same
// test right after it and the mutant then fails again. A failure of a test that runs only once is a hint.
type trials struct {
	job     *wire.Job
	events  *events
	dir     string
	initial []int         // functions entered during initialisation
	filter  flag.Value    // -test.run: which tests and subtests run
	only    string        // the subtest that runs are limited to, with the tests that it is in; "": all run
	limit   int           // more goroutines than this make the process unfit for another mutant
	budget  time.Duration // time for repeating a test that the current mutant fails
	spare   time.Duration // time left for repeating the tests that it passes
	most    int           // most repetitions of a test

	mu      sync.Mutex
	failure string // name of the test that failed first in the current run; "" if none did
	panics  bool   // that test panicked
	skips   bool   // the test or a subtest has skipped, in the current run

	last wire.TrialTest           // test that was last run with the current mutant
	work map[string]int64         // steps of the last run of the original, by test or subtest
	took map[string]time.Duration // time of the first run with the current mutant, by test
	// draws has the tests and subtests whose runs on the original took different numbers of steps. As a
	// rule they make random choices.
	draws map[string]bool
	bulky map[string]bool // tests that are to run once and of which a subtest took most of the steps, or failed
	steps int64           // steps of the last run
}

// trying is what the test Trials does at present; nil: nothing.
var trying *trials

// Trials is the body of the test that the weaver adds for jobs that run other tests. Only a test can run tests:
// elsewhere package testing is not set up for it.
func Trials(t *testing.T) {
	if session.job == nil || !slices.Contains([]string{wire.JobTrials, wire.JobCover, wire.JobWatch}, session.job.Kind) {
		t.Skip("there is no job that runs tests")
	}
	// Package testing also selects the tests run below by this flag.
	run := flag.Lookup("test.run")
	old := run.Value.String()
	defer func() { _ = run.Value.Set(old) }()
	_ = run.Value.Set("")

	dir, _ := os.Getwd() // if that fails, run does not change to a folder
	x := &trials{job: session.job, events: session.events, dir: dir, limit: runtime.NumGoroutine() + maxLeaked, filter: run.Value}
	trying = x
	defer func() { trying = nil }()
	state.Arm()
	debug.SetMaxStack(trialStack)
	x.initial = state.EnteredFuncs()
	x.events.send(wire.Event{Event: wire.EventReady, Funcs: x.initial})
	switch x.job.Kind {
	case wire.JobCover:
		x.cover()
	case wire.JobWatch:
		x.watch()
	default:
		x.tryAll()
	}
	x.events.send(wire.Event{Event: wire.EventDone})
}

// cover runs each test once with the probed clones active, and reports what the test did.
func (x *trials) cover() {
	for _, test := range x.job.Tests {
		state.ClearCoverage()
		state.ClearMarks()
		began := time.Now()
		outcome, _ := x.run(wire.Probed, test)
		if outcome == wire.OutcomeOK && x.skips {
			outcome = wire.OutcomeSkip
		}
		x.events.send(wire.Event{Event: wire.EventRun, Run: &wire.Run{
			Entry: test.Name, Outcome: outcome, Blocks: state.CoveredBlocks(), Marks: state.MarkedMutants(), Steps: x.steps, Nanos: time.Since(began).Nanoseconds(),
		}})
	}
}

// watch runs each test as often as the job asks for, and reports the calls of the watched function.
func (x *trials) watch() {
	state.Watch = x.job.Watch
	defer func() { state.Watch = -1 }()
	mutant := int(state.M) // set by the environment
	for _, test := range x.job.Tests {
		for repeat := 0; repeat < max(1, x.job.Repeat); repeat++ {
			state.Watched.Reset(x.job.Home)
			outcome, _ := x.run(mutant, test)
			x.events.send(wire.Event{Event: wire.EventRun, Run: &wire.Run{
				Entry: test.Name, Mutant: mutant, Repeat: repeat, Outcome: outcome, Observations: state.Watched.Calls(), Steps: x.steps,
			}})
		}
	}
}

// cleanEvery is the number of kills after which tryAll checks the process. When a process dies, the kills
// since the last check are lost.
const cleanEvery = 8

// tryAll tries the mutants of the job. After every cleanEvery kills, and at the end, it checks that the process is
// clean: the original has to pass all tests that failed with a mutant. If it does not, tryAll stops, and the kills
// since the last check do not count.
func (x *trials) tryAll() {
	var failed []wire.TrialTest // tests that failed since the process was last seen to be clean
	kills := 0
	for i, trial := range x.job.Trials {
		verdict, worn := x.try(trial)
		x.events.send(verdict)
		if verdict.Repeated && (verdict.Outcome == wire.OutcomeFailure || verdict.Outcome == wire.OutcomePanic) {
			kills++
			if !slices.Contains(failed, x.last) {
				failed = append(failed, x.last)
			}
		}
		if last := worn || i == len(x.job.Trials)-1; last || kills >= cleanEvery {
			if slices.ContainsFunc(failed, func(test wire.TrialTest) bool { return x.fails(wire.Original, test) }) {
				return
			}
			x.events.send(wire.Event{Event: wire.EventClean})
			failed, kills = nil, 0
			if last {
				return
			}
		}
	}
}

// try runs one mutant on its tests, up to the first that kills it. If all pass, try repeats them. Worn says that
// the process should not try another mutant.
func (x *trials) try(trial wire.Trial) (verdict wire.Event, worn bool) {
	verdict = wire.Event{Event: wire.EventTrial, Mutant: trial.Mutant, Outcome: wire.OutcomeOK}
	x.budget = time.Duration(trial.RepeatTime)
	x.spare = passTimes * x.budget
	x.most = trial.Repeats
	x.took = map[string]time.Duration{}
	x.judgeBy(trial, &verdict)
	if verdict.Outcome == wire.OutcomeOK {
		x.repeat(trial, &verdict)
	}
	if verdict.Outcome == wire.OutcomeOK {
		verdict.Funcs = append(verdict.Funcs, x.initial...)
		slices.Sort(verdict.Funcs)
		verdict.Funcs = slices.Compact(verdict.Funcs)
	}
	// A hang may leave locks held and goroutines stuck.
	worn = verdict.Outcome == wire.OutcomeHang || verdict.Outcome == wire.OutcomeDrift || runtime.NumGoroutine() > x.limit
	return verdict, worn
}

// judgeBy runs a mutant on its tests, up to the first that does not pass. It goes on after one that
// passes and fails at random.
func (x *trials) judgeBy(trial wire.Trial, verdict *wire.Event) {
	for _, i := range trial.Tests {
		x.last = x.job.Tests[i]
		state.ClearCoverage()
		outcome, name, repeated := x.judge(trial.Mutant, x.job.Tests[i])
		if outcome == wire.OutcomeOK && verdict.Outcome == wire.OutcomeOK {
			verdict.Funcs = append(verdict.Funcs, state.EnteredFuncs()...)
		}
		if outcome == wire.OutcomeOK || outcome == wire.OutcomeRandom && verdict.Outcome == wire.OutcomeRandom {
			continue
		}
		x.decide(verdict, outcome, name)
		verdict.Repeated = repeated
		if outcome != wire.OutcomeRandom { // another test may always fail
			break
		}
	}
}

// repeat repeats the tests of a mutant that has passed them all, up to the first that does not pass every time.
func (x *trials) repeat(trial wire.Trial, verdict *wire.Event) {
	for _, i := range trial.Tests {
		x.last = x.job.Tests[i]
		state.ClearCoverage()
		outcome, name := x.passAgain(trial.Mutant, x.job.Tests[i])
		if outcome != wire.OutcomeOK {
			x.decide(verdict, outcome, name)
			break
		}
		verdict.Funcs = append(verdict.Funcs, state.EnteredFuncs()...)
	}
}

// decide gives a verdict the outcome of the test that has just run.
func (x *trials) decide(verdict *wire.Event, outcome, name string) {
	verdict.Outcome, verdict.Message = outcome, name
	verdict.Funcs = append(state.EnteredFuncs(), x.initial...)
}

// A test that passes is repeated for passTimes as long as one that fails. A rare failure may be all that shows
// the mutant: the order of a map with two keys, for instance, changes in one run of eight. Each test gets at
// most 1/passPart of that time.
const (
	passTimes = 10
	passPart  = 4
)

// A test that fails is repeated at least leastFailures times: where the order of a map matters it may fail in every
// other run. Once that takes longer than slowRepetition, leastOfSlow times are enough. A test that makes random
// choices is repeated leastOfDrawing times: it may fail in three runs of five.
const (
	leastFailures  = 3
	leastOfDrawing = 12
	leastOfSlow    = 1
	slowRepetition = 100 * time.Millisecond
)

// judge runs a mutant on one test. If a subtest fails, judge repeats that alone; if this does not settle it, or another
// part of the test fails, it repeats the test, unless that is to run once. The outcome is a failure if every run fails
// and the original passes. It is OutcomeRandom if the mutant passes as well, and OutcomeDrift if the original
// fails. Name is the test or subtest that failed. Repeated is false if the first run was the only one.
func (x *trials) judge(mutant int, test wire.TrialTest) (outcome, name string, repeated bool) {
	watch := process.StartWatch()
	outcome, name = x.run(mutant, test)
	x.took[test.Name] = watch.Elapsed()
	if outcome == wire.OutcomeOK || outcome == wire.OutcomeHang {
		return outcome, name, false
	}
	if x.failsAlone(mutant, test, outcome, name, watch) {
		return outcome, name, true
	}
	if test.Once {
		return outcome, name, false
	}
	outcome, name = x.failAgain(mutant, test, outcome, name, watch)
	return outcome, name, true
}

// failsAlone reports whether a subtest that has failed with a mutant also fails, each time and in the same way, if
// nothing else of its test runs, and whether the original passes it. It does not try that for a test that is to run once
// if a subtest of it took most of the steps of the test.
func (x *trials) failsAlone(mutant int, test wire.TrialTest, outcome, subtest string, watch process.Stopwatch) bool {
	if subtest == test.Name || x.bulky[test.Name] {
		return false
	}
	all := x.steps
	x.only = subtest
	defer func() { x.only = "" }()
	if test.Once && (x.fails(wire.Original, test) || x.steps > all/2) {
		if x.bulky == nil {
			x.bulky = map[string]bool{}
		}
		x.bulky[test.Name] = true
		return false
	}
	again, name := x.failAgain(mutant, test, outcome, subtest, watch)
	return again == outcome && name == subtest
}

// failAgain repeats what has failed with a mutant, with and without the mutant. It returns what judge does, given the
// outcome of the first run and the time since that began.
func (x *trials) failAgain(mutant int, test wire.TrialTest, first, failed string, watch process.Stopwatch) (outcome, name string) {
	outcome, name = first, failed
	what := test.Name
	if x.only != "" {
		what = x.only
	}
	for again := true; again; again = x.noteWork(what) {
		if x.fails(wire.Original, test) {
			return wire.OutcomeDrift, test.Name
		}
	}
	for n := 0; n < x.most && !x.enough(n, watch.Elapsed(), what); n++ {
		again, other := x.run(mutant, test)
		switch {
		case again == wire.OutcomeHang:
			return again, other
		case again == wire.OutcomeOK:
			return x.atRandom(test, n)
		case other != name: // different subtests fail
			name = test.Name
		}
	}
	return outcome, name
}

// passAgain repeats one test that a mutant has passed, as long as there is time. The outcome is OutcomeOK if the
// test passes every time, else OutcomeHang, OutcomeRandom or OutcomeDrift.
func (x *trials) passAgain(mutant int, test wire.TrialTest) (outcome, name string) {
	watch := process.StartWatch()
	budget := min(passTimes*x.budget/passPart, x.spare) - x.took[test.Name]
	defer func() { x.spare -= watch.Elapsed() }()
	for n := 0; n < x.most && watch.Elapsed() <= budget; n++ {
		switch outcome, name = x.run(mutant, test); outcome {
		case wire.OutcomeOK:
		case wire.OutcomeHang:
			return outcome, name
		default:
			return x.atRandom(test, n)
		}
	}
	return wire.OutcomeOK, ""
}

// noteWork notes how many steps the run of the original took that has just ended. It reports whether that was
// the first run of the test.
func (x *trials) noteWork(test string) (first bool) {
	if x.work == nil {
		x.work, x.draws = map[string]int64{}, map[string]bool{}
	}
	before, known := x.work[test]
	x.draws[test] = x.draws[test] || known && before != x.steps
	x.work[test] = x.steps
	return !known
}

// enough reports whether n repetitions of a failing test are enough. Spent is the time that they took,
// including the runs before them.
func (x *trials) enough(n int, spent time.Duration, test string) bool {
	least := leastFailures
	switch {
	case spent > slowRepetition:
		least = leastOfSlow
	case x.draws[test]:
		least = leastOfDrawing
	}
	return n >= least && spent > x.budget
}

// atRandom returns the outcome for a test that both passes and fails with the same mutant: OutcomeDrift if it also
// fails with the original, else OutcomeRandom.
func (x *trials) atRandom(test wire.TrialTest, runs int) (outcome, name string) {
	for i := 0; i < runs+2; i++ {
		if x.fails(wire.Original, test) {
			return wire.OutcomeDrift, test.Name
		}
	}
	return wire.OutcomeRandom, test.Name
}

func (x *trials) fails(mutant int, test wire.TrialTest) bool {
	outcome, _ := x.run(mutant, test)
	return outcome != wire.OutcomeOK
}

// run runs one test with M set to mutant. Name is the test or subtest that failed.
func (x *trials) run(mutant int, test wire.TrialTest) (outcome, name string) {
	f := registered[test.Name]
	if f == nil {
		x.events.fail(fmt.Errorf("the test %s is not registered", test.Name))
		return wire.OutcomeDrift, test.Name
	}
	x.failure, x.panics, x.skips = "", false, false
	if x.dir != "" {
		_ = os.Chdir(x.dir)
	}
	_ = x.filter.Set(pattern(x.only))
	state.Begin(int32(mutant), test.Steps)
	ok := testing.RunTests(matches, []testing.InternalTest{{Name: test.Name, F: x.guard(f)}})
	taken, stopped := state.End(wire.Original)
	x.steps = taken
	switch {
	case stopped != nil:
		return wire.OutcomeHang, x.named(test)
	case x.panics:
		return wire.OutcomePanic, x.named(test)
	case !ok:
		return wire.OutcomeFailure, x.named(test)
	}
	return wire.OutcomeOK, ""
}

// pattern returns the value of -test.run that selects just a subtest; "" for all tests.
func pattern(subtest string) string {
	if subtest == "" {
		return ""
	}
	levels := strings.Split(subtest, "/")
	for i, level := range levels {
		levels[i] = "^" + regexp.QuoteMeta(level) + "$"
	}
	return strings.Join(levels, "/")
}

// matches reports whether name matches a pattern of -test.run or -test.skip for one level of tests.
func matches(pattern, name string) (bool, error) {
	if compiled[pattern] == nil {
		expression, err := regexp.Compile(pattern)
		if err != nil {
			return false, err
		}
		compiled[pattern] = expression
	}
	return compiled[pattern].MatchString(name), nil
}

// compiled caches the expressions of patterns, since package testing matches one name at a time.
var compiled = map[string]*regexp.Regexp{}

func (x *trials) named(test wire.TrialTest) string {
	if x.failure == "" {
		return test.Name
	}
	return x.failure
}

// Sub wraps the function literals passed to t.Run. Outside of trials it returns the function itself.
func Sub(f func(*testing.T)) func(*testing.T) {
	if x := trying; x != nil {
		return x.guard(f)
	}
	return f
}

// guard turns a panic of f into a failure of its test, so that it does not end the process. It skips f when
// something has failed already.
func (x *trials) guard(f func(*testing.T)) func(*testing.T) {
	return func(t *testing.T) {
		if x.over() {
			t.SkipNow()
		}
		defer x.note(t)
		f(t)
	}
}

func (x *trials) over() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.failure != ""
}

// note notes how a test or subtest ended. It has to be deferred.
func (x *trials) note(t *testing.T) {
	cause := recover()
	if cause != nil {
		t.Fail()
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.skips = x.skips || t.Skipped()
	if t.Failed() && x.failure == "" {
		x.failure, x.panics = t.Name(), cause != nil
	}
}
