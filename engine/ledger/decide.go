package ledger

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/sequential"
)

// ReasonOnlyInSuite is the reason given with a kill by a test that passes with the
// mutant when it runs alone.
const ReasonOnlyInSuite = "fails only when the whole package's tests run"

// Status is the verdict of tests on a mutant. The zero value is [Undecided].
type Status int

// Values of Status.
const (
	Undecided    Status = iota // runs are missing
	Killed                     // a test fails with the mutant
	Survived                   // all tests pass
	Inconclusive               // a test fails in about half of the runs
)

// Decision is what the runs of a mutant by the tests of one suite amount to. The zero value is undecided, without a reason.
type Decision struct {
	Status Status
	Kind   string // of the failure that kills
	Test   string // that kills, with its subtest, or that is inconclusive
	Reason string // a sentence for results.json; "" where there is nothing to say
}

// tally counts the runs of a mutant in one context.
type tally struct {
	passed, failed int
	byClock        bool // all failures were for exceeding a time limit
	unbounded      bool // it passed without the bound on steps, which it exceeds
	quick          bool // the last failure was of one test, which exceeded the bound on steps in less than slowHang
	last           Entry
	took           time.Duration // of all together
}

func (t *tally) add(e Entry) {
	if e.Unbounded && e.Kind == Pass { // so earlier runs, which exceeded the bound on steps, did not hang
		*t = tally{took: t.took, unbounded: true}
	}
	t.took += e.Took
	if e.Kind == Pass {
		t.passed++
		return
	}
	t.byClock = e.ByClock && (t.byClock || t.failed == 0)
	if top := TopLevel(e.Failed); t.failed > 0 && t.last.Failed != e.Failed && TopLevel(t.last.Failed) == top {
		e.Failed = top // now one subtest fails, now another one
	}
	t.failed++
	t.last, t.quick = e, e.Context == Alone && e.Kind == Hang && !e.ByClock && e.Took < slowHang
}

// outran reports whether the last run failed for exceeding the step bound.
func (t *tally) outran() bool {
	return t.failed > 0 && t.passed == 0 && t.last.Kind == Hang && !t.last.ByClock && !t.last.Unbounded
}

// slowHang is how long a hang by the bound on steps takes that needs no second look: see status.
const slowHang = time.Second

// Sampling the failure rate of one test or suite stops after rateTime, but not before
// rateRuns runs.
const (
	rateTime = 20 * time.Second
	rateRuns = 8
)

// status is what the runs show. Three failures are needed, since a failure may be
// random; one less for each that was announced, that is, seen in another context. Two failures of what takes long
// are enough, and two hangs, unless they are quick: on a busy machine a goroutine that a test leaves behind may exceed the bound on steps
// before the process gets to its end.
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

// decision is what the runs show of the test that ran; "": of all that ran.
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

// share says in how many runs a test fails; "" where it is not known which test does.
func (t *tally) share(test string) string {
	return fmt.Sprintf("%s fails with this change in %d of %d runs", cmp.Or(test, "the test binary"), t.failed, t.failed+t.passed)
}

// evidence sorts the entries of one mutant and suite.
type evidence struct {
	clean *Entry  // failure in a trial in a clean process: enough for a kill
	hints []Entry // failures in other trials
	runs  map[Step]*tally
	alone []string // tests that ran alone, in order
}

// of returns the tally of a kind of runs.
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

// sorted sorts entries, but for those that failed in a quarantined test.
func sorted(entries []Entry, quarantined []string) *evidence {
	e := &evidence{runs: map[Step]*tally{}}
	for _, x := range entries {
		if slices.Contains(quarantined, TopLevel(x.Failed)) {
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
			if x.Random { // one pass and one failure have been seen
				t := e.of(Alone, TopLevel(x.Failed))
				t.passed++
				t.failed++
				t.last = x
			}
		default:
			e.of(x.Context, x.Test).add(x)
		}
	}
	return e
}

// Count counts the runs of a kind among those of a mutant, and names the test that failed in the last one that did, with its
// subtest; "": none did, or it is not known which. A trial in which a test both passed and failed counts as a pass and a failure
// of it alone, and a pass without a bound on steps is counted without the runs before it.
func Count(entries []Entry, step Step) (n sequential.Runs, failed string) {
	t := sorted(entries, nil).of(step.Context, step.Test)
	return sequential.Runs{Passed: t.passed, Failed: t.failed}, t.last.Failed
}

// announced reports whether the test has failed in another context than alone, as far as is known: a run of many that fails
// and does not name the test, as a busy process that is ended may not, stands for any of them.
func (e *evidence) announced(test string) bool {
	is := func(x Entry) bool { return !x.Random && x.Failed != "" && TopLevel(x.Failed) == test }
	return slices.ContainsFunc(e.hints, is) || slices.ContainsFunc(together, func(c Context) bool {
		t := e.of(c, "")
		return t.failed > 0 && t.last.Failed == "" || is(t.last)
	})
}

// together are the kinds of runs of many tests, in order.
var together = []Context{InPart, InSuite, InQuick}

// maxCandidates is how many tests run alone if a failure names none.
const maxCandidates = 8

// Plan is what a mutant has to pass in a suite, to survive it.
type Plan struct {
	Runs []Step // in order: InSuite, or InQuick and InSlow
	// LeftOut are tests that take long and do not infect it. A whole-suite run without them
	// is enough to survive, and decides nothing if it fails.
	LeftOut []string
	// Twice says that the tests which run together have to pass twice: one of them, which reaches it, contradicts itself with some mutant.
	Twice bool
	// Missed are tests that may infect it, but were not surveyed in time.
	Missed []string
	// Infected are the tests that are known to infect it, those that do the least work
	// first. They run alone if a failure of the suite names no test.
	Infected []string
	// Alone reports whether a test can judge in a process of its own: it passes there
	// without a mutant. Nil: all can.
	Alone func(test string) bool
	// Long reports whether a test takes so long that it runs less often. Nil: none does.
	Long func(test string) bool
	// Quarantined are tests that kill nothing, even if a run from before they were quarantined failed for them.
	Quarantined []string
}

func (p *Plan) long(test string) bool { return p.Long != nil && p.Long(test) }

// Decide says what the runs of one mutant by the tests of one suite amount to, and
// which run is due next where they do not suffice; nil: none is. It depends on its
// arguments alone.
func Decide(p Plan, entries []Entry) (Decision, *Step) {
	e := sorted(entries, p.Quarantined)
	judges := func(test string) bool { return p.Alone == nil || p.Alone(test) }
	if e.clean != nil && judges(TopLevel(e.clean.Failed)) { // else it is up to the suite
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
	for _, test := range e.candidates(p) {
		if judges(test) && e.of(Alone, test).status(e.announced(test), p.long(test)) == Undecided {
			return d, &Step{Context: Alone, Test: test}
		}
	}
	return d, next
}

// seldom says which test failed in few of its runs alone; "": none did.
func (e *evidence) seldom(judges func(test string) bool) string {
	for _, test := range e.alone {
		if t := e.of(Alone, test); t.passed > 0 && t.failed > 0 && judges(test) {
			return t.share(test)
		}
	}
	return ""
}

// together decides by what the plan says the mutant has to pass.
func (e *evidence) together(p Plan) (Decision, *Step) {
	passes, reason := 1, ""
	if p.Twice {
		passes = 2
	}
	for _, step := range p.Runs {
		t, slow := e.of(step.Context, step.Test), step.Context == InSlow
		if step.Context == InSuite && len(p.LeftOut) > 0 {
			part := e.of(InPart, "")
			if part.passed > 0 {
				continue
			}
			if part.failed == 0 {
				return Decision{}, &Step{Context: InPart}
			}
			if t.failed > 0 && t.passed == 0 {
				t.failed += part.failed // both fail, so it is not for a test that is left out
			}
		}
		d := t.decision(slow, false, step.Test) // three runs of a slow test would take too long
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

// several names the first few of tests.
func several(tests []string) string {
	const few = 3
	if len(tests) <= few {
		return strings.Join(tests, ", ")
	}
	return fmt.Sprintf("%s and %d other tests", strings.Join(tests[:few], ", "), len(tests)-few)
}

// candidates are the tests that have failed in any context, in order; if a failure
// names none, those that infect the mutant.
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
