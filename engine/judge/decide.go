package judge

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// ReasonOnlyInSuite is the reason given with a kill by a test that passes with the
// mutant when it runs alone.
const ReasonOnlyInSuite = "fails only when the whole package's tests run"

// Status is the verdict of the tests of one suite on a mutant.
type Status int

// Values of Status.
const (
	Undecided    Status = iota // runs are missing
	Killed                     // a test fails with the mutant
	Survived                   // all tests pass
	Inconclusive               // a test fails in some runs only
)

// Decision is what the runs of a mutant amount to, by one suite.
type Decision struct {
	Status Status
	Kind   string // of the failure that kills
	Test   string // that kills, with its subtest, or that is inconclusive
	Reason string // a sentence for results.json; "" where there is nothing to say
}

// decision is that of an earlier analysis.
func (e *Entry) decision() Decision {
	if e.Kind == Pass {
		return Decision{Status: Survived}
	}
	return Decision{Status: Killed, Kind: e.Kind, Test: e.Failed, Reason: e.Reason}
}

// tally counts the runs of a mutant in one context.
type tally struct {
	passed, failed int
	byClock        bool // all failures were for exceeding a time limit
	last           Entry
	took           time.Duration // of all together
}

func (t *tally) add(e Entry) {
	t.took += e.Took
	if e.Kind == Pass {
		t.passed++
		return
	}
	t.byClock = e.ByClock && (t.byClock || t.failed == 0)
	t.failed++
	t.last = e
}

// addBounded is add for runs of many tests. One that passes without a bound on steps shows
// that earlier runs, which exceeded the bound, did not hang.
func (t *tally) addBounded(e Entry) {
	if e.Unbounded && e.Kind == Pass {
		*t = tally{took: t.took}
	}
	t.add(e)
}

// outran reports whether the last run failed for exceeding the step bound.
func (t *tally) outran() bool {
	return t.failed > 0 && t.passed == 0 && t.last.Kind == Hang && !t.last.ByClock && !t.last.Unbounded
}

// Sampling the failure rate of one test or suite stops after rateTime, but not before
// rateRuns runs.
const (
	rateTime = 20 * time.Second
	rateRuns = 8
)

// tendency is what the runs show. Three failures are needed, since a failure may be
// random; two if announced, that is, if a failure was seen in another context. Two hangs
// are enough: those by the step bound repeat, and those by a deadline are slow.
func (t *tally) tendency(announced bool) tendency {
	needed := 3
	if t.last.Kind == Hang {
		needed = 2
	}
	if announced && !t.byClock {
		needed--
	}
	switch {
	case t.passed > 0 && t.failed > 0:
		what := rate(t.passed, t.failed)
		if what == unclear && t.took > rateTime && t.passed+t.failed >= rateRuns {
			return byChance
		}
		return what
	case t.failed >= needed:
		return fails
	case t.passed > 0:
		return passes
	}
	return unclear
}

// evidence sorts the entries of one mutant and suite.
type evidence struct {
	cached *Entry            // the verdict of an earlier analysis
	clean  *Entry            // failure in a trial in a clean process: enough for a kill
	hints  []Entry           // failures in other trials
	alone  map[string]*tally // by test
	order  []string          // tests that ran alone, in order
	suite  tally             // InSuite
	quick  tally             // InQuick
	slow   map[string]*tally // InSlow, by test
}

// of returns the tally of a test that runs alone.
func (e *evidence) of(test string) *tally {
	if e.alone[test] == nil {
		e.alone[test] = new(tally)
		e.order = append(e.order, test)
	}
	return e.alone[test]
}

func sorted(entries []Entry) *evidence {
	e := &evidence{alone: map[string]*tally{}, slow: map[string]*tally{}}
	for _, x := range entries {
		switch x.Context {
		case Cached:
			e.cached = &x
		case InCleanly:
			if x.Kind != Pass && e.clean == nil {
				e.clean = &x
			}
		case InTrial:
			if x.Kind != Pass || x.Random {
				e.hints = append(e.hints, x)
			}
			if x.Random { // one pass and one failure have been seen
				t := e.of(topLevel(x.Failed))
				t.passed++
				t.failed++
				t.last = x
			}
		case Alone:
			e.of(x.Test).add(x)
		case InSuite:
			e.suite.addBounded(x)
		case InQuick:
			e.quick.addBounded(x)
		case InSlow:
			if e.slow[x.Test] == nil {
				e.slow[x.Test] = new(tally)
			}
			e.slow[x.Test].add(x)
		}
	}
	return e
}

// announced reports whether the test has failed in another context than alone.
func (e *evidence) announced(test string) bool {
	is := func(x Entry) bool { return !x.Random && topLevel(x.Failed) == test }
	return slices.ContainsFunc(e.hints, is) || e.suite.failed > 0 && is(e.suite.last) || e.quick.failed > 0 && is(e.quick.last)
}

// maxCandidates is how many tests run alone if a failure names none.
const maxCandidates = 8

// Plan is what a mutant has to pass in a suite, to survive it.
type Plan struct {
	Whole bool     // all tests of the suite; else Quick, and each of Slow
	Quick bool     // there are quick tests that infect it
	Slow  []string // slow tests that infect it, in order
	// Missed are tests that may infect it, but were not surveyed in time.
	Missed []string
	// Infected are the tests that are known to infect it, those that do the least work
	// first. They run alone if a failure of the suite names no test.
	Infected []string
	// Alone reports whether a test can judge in a process of its own: it passes there
	// without a mutant. Nil: all can.
	Alone func(test string) bool
}

func (p *Plan) canBeAlone(test string) bool { return test != "" && (p.Alone == nil || p.Alone(test)) }

// Decide says what the runs of one mutant by the tests of one suite amount to. It
// depends on its arguments alone.
func Decide(p Plan, entries []Entry) Decision {
	e := sorted(entries)
	if e.cached != nil {
		return e.cached.decision()
	}
	if e.clean != nil {
		return Decision{Status: Killed, Kind: e.clean.Kind, Test: e.clean.Failed}
	}
	for _, test := range e.order {
		switch t := e.alone[test]; t.tendency(e.announced(test)) {
		case fails:
			return Decision{Status: Killed, Kind: t.last.Kind, Test: named(t.last, test)}
		case byChance:
			return inconclusive(test, t)
		}
	}
	if p.Whole {
		return e.decideSuite(&e.suite)
	}
	return e.decideCovering(p)
}

// decideSuite decides by runs of all tests together.
func (e *evidence) decideSuite(t *tally) Decision {
	switch t.tendency(false) {
	case fails:
		return Decision{Status: Killed, Kind: t.last.Kind, Test: t.last.Failed, Reason: ReasonOnlyInSuite}
	case byChance:
		return inconclusive(t.last.Failed, t)
	case passes:
		return Decision{Status: Survived}
	}
	return Decision{}
}

// decideCovering decides by runs of the tests of a large suite that infect the mutant.
func (e *evidence) decideCovering(p Plan) Decision {
	if p.Quick {
		if d := e.decideSuite(&e.quick); d.Status != Survived {
			return d
		}
	}
	for _, test := range p.Slow {
		t := e.slow[test]
		if t == nil {
			return Decision{}
		}
		switch t.tendency(true) { // three runs would take too long
		case fails:
			return Decision{Status: Killed, Kind: t.last.Kind, Test: named(t.last, test)}
		case byChance:
			return inconclusive(test, t)
		case unclear:
			return Decision{}
		}
	}
	if len(p.Missed) > 0 {
		return Decision{Reason: "tests of its package did not run in time: " + several(p.Missed)}
	}
	return Decision{Status: Survived}
}

// several names the first few of tests.
func several(tests []string) string {
	const few = 3
	if len(tests) <= few {
		return strings.Join(tests, ", ")
	}
	return fmt.Sprintf("%s and %d other tests", strings.Join(tests[:few], ", "), len(tests)-few)
}

func inconclusive(test string, t *tally) Decision {
	who := test
	if who == "" {
		who = "the test binary"
	}
	return Decision{Status: Inconclusive, Test: test,
		Reason: fmt.Sprintf("inconclusive: %s fails with this change in %d of %d runs", who, t.failed, t.failed+t.passed)}
}

// named is the test that a run says has failed, or else the one that ran.
func named(e Entry, test string) string {
	if topLevel(e.Failed) == test {
		return e.Failed
	}
	return test
}

// topLevel is the test that a subtest belongs to.
func topLevel(name string) string {
	top, _, _ := strings.Cut(name, "/")
	return top
}

// Step is a run that is due.
type Step struct {
	Context   Context
	Test      string // Alone, InSlow
	Unbounded bool   // see Entry
}

// Next returns the run that is due next for a mutant whose trials are over, and false
// where none is: [Decide] has a verdict then. Slow says that slow tests may run.
func Next(p Plan, entries []Entry, slow bool) (Step, bool) {
	if Decide(p, entries).Status != Undecided {
		return Step{}, false
	}
	e := sorted(entries)
	for _, test := range e.candidates(p) {
		if t := e.alone[test]; p.canBeAlone(test) && (t == nil || t.tendency(e.announced(test)) == unclear) {
			return Step{Context: Alone, Test: test}, true
		}
	}
	if p.Whole {
		return Step{Context: InSuite, Unbounded: e.suite.outran()}, true
	}
	if p.Quick && e.quick.tendency(false) != passes {
		return Step{Context: InQuick, Unbounded: e.quick.outran()}, true
	}
	for _, test := range p.Slow {
		if t := e.slow[test]; t == nil || t.tendency(true) != passes {
			return Step{Context: InSlow, Test: test}, slow
		}
	}
	return Step{}, false
}

// candidates are the tests that have failed in any context, in order; if a failure
// names none, those that infect the mutant.
func (e *evidence) candidates(p Plan) (tests []string) {
	add := func(x Entry) {
		if test := topLevel(x.Failed); test != "" && !slices.Contains(tests, test) {
			tests = append(tests, test)
		}
	}
	for _, x := range e.hints {
		add(x)
	}
	for _, t := range []tally{e.suite, e.quick} {
		switch {
		case t.failed > 0 && t.last.Failed == "":
			tests = append(tests, p.Infected[:min(len(p.Infected), maxCandidates)]...)
		case t.failed > 0:
			add(t.last)
		}
	}
	return tests
}
