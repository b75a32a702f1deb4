//go:build go1.21

// Package loop is the fuzz loop, which runs in the test process itself: it makes inputs,
// runs them on the program and on mutants of it, and reports where these differ or fail.
// It knows no target: an executor does the runs.
package loop

import (
	"fmt"
	"reflect"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/probe/input"
	"github.com/mutantfuzz/mutantfuzz/engine/probe/observation"
	"github.com/mutantfuzz/mutantfuzz/engine/probe/state"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// Target is a fuzz target, or a driver, for a job.
type Target struct {
	Executor Executor
	Types    []reflect.Type // of its arguments
	Seeds    [][]any        // that it adds itself
}

// Do does a job on its target, and sends what it finds. The mutant that is active when it is called is that of the
// environment, for wire.JobRun.
func Do(job *wire.Job, target Target, send func(wire.Event)) {
	l := newLoop(job, target, send)
	defer func() {
		if fault := recover(); fault != nil {
			l.fail(fmt.Errorf("the fuzz loop failed: %v\n%s", fault, stackHere()))
		}
	}()
	l.do()
}

// loop does one job on one target.
type loop struct {
	Target
	job  *wire.Job
	send func(wire.Event)
	idle int32 // mutant of the environment

	random   *input.Random
	schedule scheduler
	mutator  *input.Mutator
	parent   *entry // that the last input was made of; nil in replay
	corpus   []*entry
	canaries []*entry
	known    map[string]bool // IDs of entries given or reported
	covered  *state.Coverage // of the original
	mutants  []*mutant       // in rank order
	byID     []*mutant       // by M; nil where there is none
	struck   observation.Struck
	crashes  map[string]bool // signatures that are not looked at again
	undone   []*mutant       // of the job
	failures map[string]int  // of a driver: how often it failed, by signature

	clock     clock
	stage     int
	entered   time.Time // the stage
	before    tally     // runs before the stage
	stats     wire.Stats
	uncharged bool // runs now do not count: replay, confirming, minimising
	sinceNew  int64
	lastFind  int64 // Execs when anything new was found, or the stage began
	sinceTest int64 // mutant runs since the canaries were last run
	lastTest  int   // mutant that ran last
	drifted   bool
	witnesses int   // kept so far
	longest   int64 // steps of a run of the original that did not hang
	hung      int   // inputs on which the original has hung

	listKillable func() []*mutant // killable, made once
}

// entry is an input of the corpus, with what its run on the original gave.
type entry struct {
	values  []any
	given   wire.JobEntry // as it came with the job; zero if found here
	added   bool          // by the target itself
	outcome string
	record  []wire.Observation
	steps   int64
	size    int
	parent  *entry // that it was made of; nil if it was given
	gain    int    // new coverage and infections, kills, exposures: the scheduler's
	picks   int    // of the scheduler
	// distance is that of the nearest changed function from what it runs; -1:
	// far.
	distance int
	// witness: undoing a part of the change makes a difference to it. Where
	// behaviour changed, mistakes are near.
	witness bool
}

// mutant is a live mutant.
type mutant struct {
	wire.JobMutant
	killed    bool
	ended     bool // it undoes a part of the change, and a driver has shown that it panics: that it does once more says nothing
	exposed   bool
	clear     bool // exposed by a call that succeeds in the original
	unclear   int  // runs since it was exposed otherwise
	spent     bool // exposed, and tried enough for a kill
	execs     int64
	agreed    int64           // of execs, those that gave what the original gave, and in which a call of the function succeeded
	spared    int64           // runs of the original that reached it, and that it would not alter
	seen      *state.Coverage // of its own runs in stage A; nil before
	infecting []*entry
	old       []bool // of the code that it puts back: which counters its runs moved; nil: none yet
}

// Stages of a job.
const (
	stageReplay = iota
	stageMutants
	stageProgram
)

var stageNames = [...]string{"replay", "mutants", "program"}

// Defaults and bounds that the job does not set.
const (
	defaultMaxInput   = 1 << 16
	defaultStepFactor = 20
	defaultStepFloor  = 1 << 20
	originalBound     = 50_000_000 // steps of a run of the original, until one has hung
	driverBound       = 4_000_000  // ... through a driver, whose inputs nobody has passed
	hungBound         = 1_000_000  // ... at least, from then on
	hungFactor        = 64         // ... times the longest that did not hang
	canaryInterval    = 2000       // mutant runs
)

func newLoop(job *wire.Job, target Target, send func(wire.Event)) *loop {
	if job.MaxInput == 0 {
		job.MaxInput = defaultMaxInput
	}
	if job.StepFactor == 0 {
		job.StepFactor = defaultStepFactor
	}
	l := &loop{
		Target: target, job: job, send: send, idle: state.M,
		random:  input.NewRandom(job.Seed),
		covered: state.Seen,
		known:   make(map[string]bool),
		byID:    make([]*mutant, state.NumMutants+1),
		struck:  make(observation.Struck),
		crashes: make(map[string]bool), failures: make(map[string]int),
		clock: clock{now: time.Now(), stride: 1},
	}
	l.entered = l.clock.now
	l.schedule = &favouring{random: l.random}
	l.listKillable = l.killable
	l.mutator = input.NewMutator(l.random, job.Dictionary, job.Tested, job.MaxInput)
	l.modest()
	for _, site := range job.Struck {
		l.struck[site] = true
	}
	for _, m := range l.woven(job.Live) {
		l.mutants = append(l.mutants, m)
		l.byID[m.ID] = m
	}
	l.undone = l.woven(job.Undone)
	return l
}

// woven are mutants of the job. What is not in this binary is reported, and left out.
func (l *loop) woven(given []wire.JobMutant) (list []*mutant) {
	for _, m := range given {
		if m.ID < 1 || m.ID > state.NumMutants || m.Block < 0 || m.Block >= state.NumBlocks {
			l.fail(fmt.Errorf("the job's mutant %d at block %d is not woven into this binary", m.ID, m.Block))
			continue
		}
		list = append(list, &mutant{JobMutant: m, ended: m.Ended && l.job.Driver})
	}
	return list
}

// fail reports a fault of the job or of ours.
func (l *loop) fail(err error) { l.send(wire.Event{Event: wire.EventError, Message: err.Error()}) }

// do does the job and reports the end of it.
func (l *loop) do() {
	ready := wire.Event{Event: wire.EventReady}
	for _, t := range l.Types {
		ready.Types = append(ready.Types, input.TypeName(t))
	}
	l.send(ready)
	switch l.job.Kind {
	case wire.JobRun:
		l.runEntries()
	case wire.JobSimplify:
		l.simplify()
	default:
		l.fuzz()
	}
	l.send(wire.Event{Event: wire.EventDone})
}

// fuzz is JobFuzz: first the mutants, then the program with what it learned
// (Groce et al.: First, Fuzz the Mutants, FUZZING 2022). What the first stage
// leaves is the second's. Where both are bounded by time it is counted from the
// start: replay does not make the job longer.
func (l *loop) fuzz() {
	start := l.clock.now
	replaying := l.limit(-1, l.job.ReplayTime, start)
	l.fill(replaying)
	if l.job.Survey {
		l.enter(stageReplay)
		l.finalStats()
		return
	}
	l.replay(replaying)
	l.enter(stageMutants)
	l.fuzzMutants(l.limit(l.job.MutantExecs, l.job.MutantTime, start))
	l.enter(stageProgram)
	if l.job.MutantTime >= 0 {
		start = start.Add(time.Duration(l.job.MutantTime))
	} else {
		start = l.entered
	}
	execs := l.job.ProgramExecs
	if execs >= 0 && l.job.MutantExecs >= 0 {
		execs = max(0, execs+l.job.MutantExecs-l.stats.Execs)
	}
	l.fuzzProgram(l.limit(execs, l.job.ProgramTime, start))
	l.enter(stageProgram)
	l.finalStats()
}

// enter adds the time spent in a stage to the statistics and begins the next. A
// worker that has drifted begins none: another worker does the rest.
func (l *loop) enter(stage int) {
	if l.drifted {
		stage = l.stage
	}
	now := time.Now()
	l.stats.Seconds[l.stage] += now.Sub(l.entered).Seconds()
	l.stage, l.entered = stage, now
	l.before = l.tally()
	l.lastFind = l.stats.Execs
	l.stats.Stage = stageNames[stage]
}

// onOriginal is a run of the original.
func (l *loop) onOriginal(values []any, observe bool) *Run {
	return &Run{Values: values, Mutant: wire.Probed, Bound: l.originalBound(), Observe: observe}
}

// originalBound bounds the steps of a run of the original. If one input makes it
// hang, others will, and to run each of them as long as the first takes too long.
// Hangs are confirmed in fresh processes, with the higher bound.
func (l *loop) originalBound() int64 {
	most := int64(originalBound)
	if l.job.Driver {
		most = driverBound
	}
	if l.hung == 0 {
		return most
	}
	return min(most, max(hungBound, hungFactor*l.longest))
}

// onMutant is a run of m, where the original took so many steps. Bounds by
// steps and not by time repeat (Mu2 bounds loop iterations alike).
func (l *loop) onMutant(values []any, m *mutant, steps int64) *Run {
	floor := l.job.StepFloor
	if floor == 0 {
		floor = defaultStepFloor
	}
	return &Run{Values: values, Mutant: int32(m.ID), Bound: max(floor, l.job.StepFactor*steps), Observe: true}
}

// execute runs r at once and counts it. The arrays hold it until the next.
func (l *loop) execute(r *Run) *Run {
	l.tick()
	l.one(r)
	l.charge(r)
	return r
}

// one does a single run.
func (l *loop) one(r *Run) {
	pending := r
	l.Executor.Each(func() *Run {
		r := pending
		pending = nil
		return r
	}, func(*Run) bool { return true })
}

// charge counts a run.
func (l *loop) charge(r *Run) {
	l.clock.left -= int(r.Steps / stepsOfSmallRun)
	if r.Mutant == wire.Probed {
		if r.Outcome == wire.OutcomeHang {
			l.hung++
			l.modest()
		} else {
			l.longest = max(l.longest, r.Steps)
		}
	}
	if r.Mutant > 0 {
		l.sinceTest++
		l.lastTest = int(r.Mutant)
	}
	if l.uncharged {
		return
	}
	l.stats.Execs++
	if r.Mutant == wire.Probed {
		l.stats.Originals++
		if r.Outcome == wire.OutcomeSkip || l.job.Driver && r.failed() {
			l.stats.Invalid++
		}
	}
	if r.Mutant > 0 {
		l.stats.MutantExecs++
		l.byID[r.Mutant].execs++
		l.byID[r.Mutant].noteOld()
	}
}

// noteOld notes which of the code that m puts back the run just ended came to.
func (m *mutant) noteOld() {
	if m.OldEnd <= m.OldFirst {
		return
	}
	if m.old == nil {
		m.old = make([]bool, m.OldEnd-m.OldFirst)
	}
	for i := range m.old {
		m.old[i] = m.old[i] || state.Cov[m.OldFirst+i] != 0
	}
}

// free does work without counting its runs.
func (l *loop) free(work func()) {
	before := l.uncharged
	l.uncharged = true
	work()
	l.uncharged = before
}

// twice runs the original twice on an input, strikes the sites that differ,
// and returns the second run; nil if the outcomes differ: such an input is of no
// use.
func (l *loop) twice(values []any) *Run {
	first := l.execute(l.onOriginal(values, true))
	second := l.execute(l.onOriginal(values, true))
	if first.Outcome != second.Outcome {
		return nil
	}
	if !l.job.NoStrike {
		for _, site := range l.struck.Strike(first.Record, second.Record) {
			l.send(wire.Event{Event: wire.EventStrike, Site: site})
		}
	}
	return second
}

// hit reports whether the run just ended reached m and infected the state, the
// first two conditions of RIPR (Mu2's PIE checks the same).
func (m *mutant) hit() bool {
	return state.Cov[m.Block] != 0 && (!m.Probed || state.Marks[m.ID]&wire.MarkInfected != 0)
}

// reached and infected report which stages runs of the original have reached with m.
func (m *mutant) reached() bool  { return state.Gathered[m.ID]&wire.MarkEvaluated != 0 }
func (m *mutant) infected() bool { return state.Gathered[m.ID]&wire.MarkInfected != 0 }

// killable lists the mutants that the run just ended could kill, and counts
// those it could not.
func (l *loop) killable() []*mutant {
	var list []*mutant
	for _, m := range l.mutants {
		switch {
		case m.killed || m.exposed && !l.wantsWitness(m) && !m.wantsClear():
		case state.Cov[m.Block] == 0:
			l.stats.PrunedReach++
		case m.hit():
			if m.exposed {
				m.unclear++
			}
			list = append(list, m)
		default:
			l.stats.PrunedInfection++
			m.spared++
		}
	}
	return list
}

// maxUnclear is how many more inputs a mutant runs on that is exposed by a call that does not succeed in the original: one that
// does shows more of what the code is for.
const maxUnclear = 4096

// wantsClear reports whether m, though exposed, is worth running for a clear exposure.
func (m *mutant) wantsClear() bool { return !m.clear && m.unclear < maxUnclear }

// noteStages notes for every mutant how far the run just ended got, and
// whether it got further than any run before.
func (l *loop) noteStages() (further bool) {
	for _, m := range l.mutants {
		if state.Cov[m.Block] == 0 {
			continue
		}
		state.Gathered[m.ID] |= wire.MarkEvaluated
		if !m.infected() && m.hit() {
			state.Gathered[m.ID] |= wire.MarkInfected
			further = true
		}
	}
	return further
}

// checkCanaries runs known inputs, the canaries, on the original. If they no longer
// behave as they did, a mutant has changed the state of the process, and later
// results cannot be trusted.
func (l *loop) checkCanaries() {
	l.sinceTest = 0
	l.free(func() {
		for _, e := range l.canaries {
			r := l.execute(l.onOriginal(e.values, true))
			_, differs := l.struck.Difference(e.record, r.Record)
			if r.Outcome != e.outcome || differs {
				l.drift(l.lastTest, nil)
				return
			}
		}
	})
}

// drift reports that the state of the process has changed, which mutant may have
// changed it, and an input on which that mutant seems to differ from the original.
func (l *loop) drift(mutant int, values []any) {
	if l.drifted {
		return
	}
	l.drifted = true
	event := wire.Event{Event: wire.EventDrift, Mutant: mutant}
	if values != nil {
		e := jobEntry(values)
		event.Entry = &e
	}
	l.send(event)
}

// canaryDue reports whether the canaries have to be run now.
func (l *loop) canaryDue() bool { return l.sinceTest >= canaryInterval }
