package ledger

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/sequential"
)

// ReasonOnlyInSuite is the reason given for a kill by a test that passes with the mutant when it runs alone.
const ReasonOnlyInSuite = "fails only when the whole package's tests run"

// Status is the verdict of a suite's tests on a mutant. The zero value is [Undecided].
type Status int

// Values of Status.
const (
	Undecided    Status = iota // more runs are needed
	Killed                     // a test fails with the mutant
	Survived                   // all tests pass with the mutant
	Inconclusive               // a test both passes and fails, and the runs do not show which is the rule
)

// Decision is the verdict of one suite's tests on a mutant. The zero value is undecided, without a reason.
type Decision struct {
	Status Status
	Kind   string // how the killing run failed: Test, Crash or Hang
	Test   string // the test that kills, with its subtest, or that is inconclusive
	Reason string // text for results.json; "" if there is nothing to say
}

// tally counts the runs of a mutant for one context and test.
type tally struct {
	passed, failed int
	byClock        bool          // all failures came from exceeding a time limit
	unbounded      bool          // it passed without the step bound, which it exceeds
	quick          bool          // the last failure: a test alone exceeded the step bound in less than slowHang
	last           Entry         // the last failure
	took           time.Duration // total time of all runs
}

func (t *tally) add(e Entry) {
	if e.Unbounded && e.Kind == Pass { // so the earlier runs, which exceeded the step bound, did not hang
		*t = tally{took: t.took, unbounded: true}
	}
	t.took += e.Took
	if e.Kind == Pass {
		t.passed++
		return
	}
	t.byClock = e.ByClock && (t.byClock || t.failed == 0)
	if top := TopLevel(e.Failed); t.failed > 0 && t.last.Failed != e.Failed && TopLevel(t.last.Failed) == top {
		e.Failed = top // different subtests of the test fail
	}
	t.failed++
	t.last, t.quick = e, e.Context == Alone && e.Kind == Hang && !e.ByClock && e.Took < slowHang
}

// outran reports whether the last run failed because it exceeded the step bound.
func (t *tally) outran() bool {
	return t.failed > 0 && t.passed == 0 && t.last.Kind == Hang && !t.last.ByClock && !t.last.Unbounded
}

// slowHang is the duration from which two hangs of a test alone are enough for a kill: see [tally.status].
const slowHang = time.Second

// After runs that disagree, sampling the failure rate stops when rateTime has passed, but not before rateRuns runs.
const (
	rateTime = 20 * time.Second
	rateRuns = 8
)

// status returns the verdict of the counted runs. A kill takes three failures, since one may be random, but only two of
// a test that takes long or for a hang. Quick hangs take three: on a busy machine, a goroutine that a test leaves
// behind may exceed the step bound before the process ends. One less is needed if the failure is announced, that is,
// also seen in another context, unless a time limit ended the run.
func (t *tally) status(announced, long bool) Status {
	needed := 3
	if long || t.last.Kind == Hang && !t.quick {
		needed = 2
	}
	if announced && !t.byClock {
		needed--
	}
	switch {
	case t.passed > 0 && t.failed > 0:
		switch sequential.Most(t.passed, t.failed) {
		case sequential.All:
			return Killed
		case sequential.None:
			return Survived
		case sequential.Some:
			return Inconclusive
		}
		if t.took > rateTime && t.passed+t.failed >= rateRuns {
			return Inconclusive
		}
	case t.failed >= needed:
		return Killed
	case t.passed > 0:
		return Survived
	}
	return Undecided
}

// decision returns the verdict of the counted runs of the given test; "" means that many tests ran together.
func (t *tally) decision(announced, long bool, test string) Decision {
	switch s := t.status(announced, long); s {
	case Killed:
		d := Decision{Status: s, Kind: t.last.Kind, Test: t.last.Failed}
		if test == "" {
			d.Reason = ReasonOnlyInSuite
		} else if TopLevel(d.Test) != test {
			d.Test = test
		}
		return d
	case Inconclusive:
		test = cmp.Or(test, t.last.Failed)
		return Decision{Status: s, Test: test, Reason: "inconclusive: " + t.share(test)}
	case Survived:
		d := Decision{Status: s}
		if t.failed > 0 {
			d.Reason = t.share(cmp.Or(test, t.last.Failed))
		}
		return d
	default:
		return Decision{Status: s}
	}
}

// share says in how many runs a test fails. It names the test binary if test is "".
func (t *tally) share(test string) string {
	return fmt.Sprintf("%s fails with this change in %d of %d runs", cmp.Or(test, "the test binary"), t.failed, t.failed+t.passed)
}

// evidence holds the entries of one mutant and suite, grouped by kind of run.
type evidence struct {
	clean   *Entry  // first failure of a trial in a clean process: enough for a kill
	hints   []Entry // failures in other trials
	runs    map[Step]*tally
	alone   []string // tests that ran alone, in order of their first run
	control bool     // the tests of InQuick pass without the mutant
	idle    int      // how many runs were Idle
}

// of returns the tally for a context and test, and creates it if needed.
func (e *evidence) of(c Context, test string) *tally {
	step := Step{Context: c, Test: test}
	if e.runs[step] == nil {
		e.runs[step] = new(tally)
		if c == Alone {
			e.alone = append(e.alone, test)
		}
	}
	return e.runs[step]
}

// sorted groups entries by kind of run. It skips those that failed in a quarantined test, and counts those that are Idle.
func sorted(entries []Entry, quarantined []string) *evidence {
	e := &evidence{runs: map[Step]*tally{}}
	for _, x := range entries {
		if slices.Contains(quarantined, TopLevel(x.Failed)) {
			continue
		}
		if x.Idle {
			e.idle++
			continue
		}
		switch x.Context {
		case InCleanly:
			if e.clean == nil {
				e.clean = &x
			}
		case InTrial:
			if x.Kind != Pass || x.Random {
				e.hints = append(e.hints, x)
			}
			if x.Random { // the test passed once and failed once
				t := e.of(Alone, TopLevel(x.Failed))
				t.passed++
				t.failed++
				t.last = x
			}
		case InControl:
			if slices.ContainsFunc(x.Tests, func(test string) bool { return slices.Contains(quarantined, test) }) {
				continue // the others have not run without these
			}
			if e.control = x.Kind == Pass; !e.control { // so the earlier runs, with tests that collide, say nothing
				delete(e.runs, Step{Context: InQuick})
			}
		default:
			e.of(x.Context, x.Test).add(x)
		}
	}
	return e
}

// Colliding returns the tests that failed in control runs: they pass by themselves, but not beside others of InQuick,
// because a test that leaves something behind runs before them and one that removes it does not.
func Colliding(entries []Entry) (tests []string) {
	for _, x := range entries {
		if x.Context == InControl && x.Kind != Pass {
			tests = append(tests, TopLevel(x.Failed))
		}
	}
	return tests
}

// Count returns how many runs of a kind passed and failed, and the test, with its subtest, that failed in the last
// failing one; "" means that none failed or that it is unknown. A trial in which a test both passed and failed counts
// as a pass and a failure of that test alone. A pass without the step bound discards the runs before it.
func Count(entries []Entry, step Step) (n sequential.Runs, failed string) {
	t := sorted(entries, nil).of(step.Context, step.Test)
	return sequential.Runs{Passed: t.passed, Failed: t.failed}, t.last.Failed
}

// announced reports whether the test has failed in another context than alone, as far as is known. A run of many tests
// that fails without naming one counts for every test: a busy process that is killed may not name the test.
func (e *evidence) announced(test string) bool {
	is := func(x Entry) bool { return !x.Random && x.Failed != "" && TopLevel(x.Failed) == test }
	return slices.ContainsFunc(e.hints, is) || slices.ContainsFunc(together, func(c Context) bool {
		t := e.of(c, "")
		return t.failed > 0 && t.last.Failed == "" || is(t.last)
	})
}

// together lists the contexts in which many tests run in one process.
var together = []Context{InPart, InSuite, InQuick}

// maxCandidates is how many of the infecting tests run alone at most if a failure names no test.
const maxCandidates = 8

// maxIdle is how many runs may be Idle before no more are due.
const maxIdle = 3

// Plan says what a mutant has to pass in a suite to survive it.
type Plan struct {
	Runs []Step // in order: InSuite, or InQuick and InSlow
	// LeftOut are slow tests that do not infect the mutant. A whole-suite run without them
	// is enough to survive, or, if Twice is set, one of the two. If it fails, that decides nothing.
	LeftOut []string
	// Twice says that each of Runs has to pass twice. It is set if a test that reaches
	// the mutant both passed and failed with some mutant.
	Twice bool
	// Missed are tests that may infect the mutant, but were not surveyed in time.
	Missed []string
	// Infected are the tests known to infect the mutant, ordered from least to most work.
	// They run alone if a failure of many tests names none.
	Infected []string
	// Alone reports whether a test may judge in a process of its own: without a mutant, it
	// passes there. Nil: every test may.
	Alone func(test string) bool
	// Long reports whether a test takes so long that fewer runs have to do. Nil: none does.
	Long func(test string) bool
	// Quarantined are tests that kill nothing, not even by failures from before their quarantine.
	Quarantined []string
}

func (p *Plan) long(test string) bool { return p.Long != nil && p.Long(test) }

// Decide returns the verdict of one suite's tests on a mutant. If the runs do not suffice, it also returns the run that
// is due next; otherwise, nil. The result depends on the arguments alone.
func Decide(p Plan, entries []Entry) (Decision, *Step) {
	e := sorted(entries, p.Quarantined)
	judges := func(test string) bool { return p.Alone == nil || p.Alone(test) }
	if e.clean != nil && judges(TopLevel(e.clean.Failed)) { // otherwise, the suite decides
		return Decision{Status: Killed, Kind: e.clean.Kind, Test: e.clean.Failed}, nil
	}
	for _, test := range slices.DeleteFunc(slices.Clone(e.alone), func(test string) bool { return !judges(test) }) {
		if d := e.of(Alone, test).decision(e.announced(test), p.long(test), test); d.Status == Killed || d.Status == Inconclusive {
			return d, nil
		}
	}
	d, next := e.together(p)
	if d.Status == Survived && d.Reason == "" {
		d.Reason = e.seldom(judges)
	}
	if d.Status != Undecided {
		return d, nil
	}
	if e.idle >= maxIdle {
		return Decision{Status: Inconclusive, Reason: "inconclusive: the test binary ends with status 0 with this change, and no test is seen to run"}, nil
	}
	for _, test := range e.candidates(p) {
		if judges(test) && e.of(Alone, test).status(e.announced(test), p.long(test)) == Undecided {
			return d, &Step{Context: Alone, Test: test}
		}
	}
	return d, next
}

// seldom describes a test that failed in few of its runs alone. It returns "" if there is none.
func (e *evidence) seldom(judges func(test string) bool) string {
	for _, test := range e.alone {
		if t := e.of(Alone, test); t.passed > 0 && t.failed > 0 && judges(test) {
			return t.share(test)
		}
	}
	return ""
}

// together decides by the runs that the plan asks the mutant to pass. If one of them is missing, it returns that step.
func (e *evidence) together(p Plan) (Decision, *Step) {
	passes, reason := 1, ""
	if p.Twice {
		passes = 2
	}
	for _, step := range p.Runs {
		t, slow := e.of(step.Context, step.Test), step.Context == InSlow
		if step.Context == InQuick && t.failed > 0 && t.passed == 0 && !e.control {
			return Decision{}, &Step{Context: InControl}
		}
		if step.Context == InSuite && len(p.LeftOut) > 0 {
			part := e.of(InPart, "")
			switch {
			case part.passed > 0 && !p.Twice:
				continue
			case part.passed > 0: // the other time with all tests: unsteady ones may have been left out before they were known
				passes = 1
			case part.failed == 0:
				return Decision{}, &Step{Context: InPart}
			}
			if t.failed > 0 && t.passed == 0 {
				t.failed += part.failed // both fail, so a test that is left out is not the cause
			}
		}
		d := t.decision(slow, false, step.Test) // two failures of a slow test are enough: a third run would take too long
		switch {
		case d.Status == Undecided, d.Status == Survived && t.failed == 0 && t.passed < passes && !t.unbounded:
			step.Unbounded = !slow && t.outran()
			return Decision{}, &step
		case d.Status != Survived:
			return d, nil
		}
		reason = cmp.Or(reason, d.Reason)
	}
	if len(p.Missed) > 0 {
		return Decision{Reason: "tests of its package did not run in time: " + several(p.Missed)}, nil
	}
	return Decision{Status: Survived, Reason: reason}, nil
}

// several returns the names of the first few tests and the number of the others.
func several(tests []string) string {
	const few = 3
	if len(tests) <= few {
		return strings.Join(tests, ", ")
	}
	return fmt.Sprintf("%s and %d other tests", strings.Join(tests[:few], ", "), len(tests)-few)
}

// candidates returns the tests that failed in trials and in runs of many tests, in that order. For a failed run of many
// tests that names none, they include the first maxCandidates tests that infect the mutant.
func (e *evidence) candidates(p Plan) (tests []string) {
	add := func(x Entry) {
		if test := TopLevel(x.Failed); test != "" && !slices.Contains(tests, test) {
			tests = append(tests, test)
		}
	}
	for _, x := range e.hints {
		add(x)
	}
	for _, c := range together {
		t := e.of(c, "")
		if t.failed > 0 && t.last.Failed == "" {
			tests = append(tests, p.Infected[:min(len(p.Infected), maxCandidates)]...)
		}
		add(t.last)
	}
	return tests
}
