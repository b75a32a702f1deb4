//go:build go1.21

// Package loop is the fuzz loop, which runs in the test process itself. It makes inputs, runs them on
// the program and on mutants of it, and reports where these differ or fail. It does not know the target:
// an Executor does the runs.
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

// Target is the fuzz target or driver that a job is for.
type Target struct {
	Executor Executor
	Types    []reflect.Type // of its arguments
	Seeds    [][]any        // inputs that it adds itself
}

// Do does a job on its target, and passes what it finds to send. A job of kind wire.JobRun runs the mutant that is
// active when Do is called, which is the one set by the environment.
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
	idle int32 // mutant set by the environment

	random   *input.Random
	schedule scheduler
	mutator  *input.Mutator
	parent   *entry    // entry that the last input was made from; nil in replay
	input    uint64    // hash of the input that mutants run on
	until    time.Time // when the present stage ends; zero: nothing asks for the time
	corpus   []*entry
	canaries []*entry
	known    map[string]bool // IDs of entries given or reported
	covered  *state.Coverage // what runs of the original covered
	mutants  []*mutant       // in rank order
	byID     []*mutant       // mutants by ID; nil where there is none
	struck   observation.Struck
	crashes  map[string]bool // signatures of failures that are not looked at again
	undone   []*mutant       // mutants of Job.Undone
	failures map[string]int  // for a driver: how often the original failed, by signature

	clock     clock
	stage     int
	entered   time.Time // when the stage began
	before    tally     // runs of the job before the stage
	stats     wire.Stats
	uncharged bool // set while runs do not count: in replay, confirming, minimising
	sinceNew  int64
	lastFind  int64 // Execs when anything new was found, or the stage began
	sinceTest int64 // mutant runs since the canaries were last run
	lastTest  int   // mutant that ran last
	drifted   bool
	witnesses int   // number of witnesses kept so far
	longest   int64 // most steps of a run of the original that did not hang
	hung      int   // runs of the original that have hung

	listKillable func() []*mutant // the method value l.killable, made only once
}

// entry is an input of the corpus, with the result of its run on the original.
type entry struct {
	values  []any
	given   wire.JobEntry // as it came with the job; zero if found here
	added   bool          // added by the target itself, with f.Add
	file    bool          // committed in testdata/fuzz
	outcome string
	record  []wire.Observation
	steps   int64
	size    int
	gain    int // number of new counters and infections, kills, exposures; for the scheduler
	picks   int // how often it was picked; for the scheduler
	// distance is the smallest distance from a changed function of the functions that the
	// input runs; -1: all are far.
	distance int
	// witness says that undoing a part of the change changes what the input shows. Where behaviour
	// changed, mistakes are near.
	witness bool
}

// mutant is a live mutant.
type mutant struct {
	wire.JobMutant
	killed bool
	// ended says that the mutant undoes a part of the change, and that an input of a driver is known on which it
	// panics. One more panic says nothing new.
	ended   bool
	exposed bool
	clear   bool // exposed by a call that succeeds in the original
	unclear int  // inputs that could have killed it since it was exposed
	spent   bool // exposed, and fuzzed enough for a kill
	execs   int64
	// agreed counts the inputs on which it gave what the original gave, and a call of the mutated function succeeded.
	// Some are not counted that look like an earlier one to agreedOn, which has a bit for each.
	agreed    int64
	agreedOn  []uint64
	spared    int64           // runs of the original that reached it without infection
	seen      *state.Coverage // coverage of its own runs in stage A; nil before
	infecting []*entry
	old       []bool // which counters of the code that it puts back its runs incremented; nil: none yet
}

// Stages of a job.
const (
	stageReplay = iota
	stageMutants
	stageProgram
)

var stageNames = [...]string{"replay", "mutants", "program"}

// Defaults for what the job does not set, and fixed bounds.
const (
	defaultMaxInput   = 1 << 16
	defaultStepFactor = 20
	defaultStepFloor  = 1 << 20
	originalBound     = 50_000_000 // steps of a run of the original, until one has hung
	driverBound       = 4_000_000  // the same for a driver, whose inputs no caller has passed
	hungBound         = 1_000_000  // bound after a hang: at least this
	hungFactor        = 64         // and this many times the longest run that did not hang
	canaryInterval    = 2000       // mutant runs between two checks of the canaries
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

// woven returns the given mutants of the job. It reports and leaves out those that are not in this binary.
func (l *loop) woven(given []wire.JobMutant) (list []*mutant) {
	for _, m := range given {
		if m.ID < 1 || m.ID > state.NumMutants || m.Block < 0 || m.Block >= state.NumBlocks {
			l.fail(fmt.Errorf("this binary has no mutant %d at block %d, which the job names", m.ID, m.Block))
			continue
		}
		list = append(list, &mutant{JobMutant: m, ended: m.Ended && l.job.Driver})
	}
	return list
}

// fail reports a fault of the job or of the loop itself.
func (l *loop) fail(err error) { l.send(wire.Event{Event: wire.EventError, Message: err.Error()}) }

// do does the job and reports its end.
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

// fuzz does a job of kind wire.JobFuzz: it fuzzes the mutants first, then the program with what it learned (Groce
// et al.: First, Fuzz the Mutants, FUZZING 2022). The second stage gets what the first leaves. Where both are
// bounded by time, the time counts from the start, so that replay does not make the job longer.
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

// enter adds the time spent in the current stage to the statistics and begins another stage. A worker that has
// drifted begins none: another worker does the rest.
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

// onOriginal returns a run of the original, with its probed clones.
func (l *loop) onOriginal(values []any, observe bool) *Run {
	return &Run{Values: values, Mutant: wire.Probed, Bound: l.originalBound(), Observe: observe}
}

// originalBound returns the bound on the steps of a run of the original. If one input makes it hang, others
// will, and running each of them as long as the first takes too long. Hangs are confirmed in fresh
// processes, with the higher bound.
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

// onMutant returns a run of m on an input for which the original took the given steps. It is bounded by steps and
// not by time, so that results repeat (Mu2 bounds loop iterations in the same way).
func (l *loop) onMutant(values []any, m *mutant, steps int64) *Run {
	floor := l.job.StepFloor
	if floor == 0 {
		floor = defaultStepFloor
	}
	return &Run{Values: values, Mutant: int32(m.ID), Bound: max(floor, l.job.StepFactor*steps), Observe: true}
}

// execute runs r at once and counts it. Package state holds what r has left until the next run.
func (l *loop) execute(r *Run) *Run {
	l.tick()
	l.one(r)
	l.charge(r)
	return r
}

// one does a single run without counting it.
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

// noteOld notes which counters of the code that m puts back the last run incremented.
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

// free calls work, without counting its runs.
func (l *loop) free(work func()) {
	before := l.uncharged
	l.uncharged = true
	work()
	l.uncharged = before
}

// twice runs the original twice on an input, strikes the sites that differ, and returns the second run. It returns
// nil if the outcomes differ: such an input is of no use.
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

// hit reports whether the last run reached m and infected the state, the first two conditions of RIPR (Mu2's PIE
// checks the same). Without a probe, m counts as infecting whenever it is reached.
func (m *mutant) hit() bool {
	return state.Cov[m.Block] != 0 && (!m.Probed || state.Marks[m.ID]&wire.MarkInfected != 0)
}

// reached and infected report how far runs of the original have got with m.
func (m *mutant) reached() bool  { return state.Gathered[m.ID]&wire.MarkEvaluated != 0 }
func (m *mutant) infected() bool { return state.Gathered[m.ID]&wire.MarkInfected != 0 }

// killable returns the mutants that the last run could kill and that are still of interest, in rank order. It
// counts those that the run could not kill.
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

// maxUnclear is how many more inputs a mutant is considered for if it was exposed only by a call that does not
// succeed in the original. A call that succeeds shows more of what the code is for.
const maxUnclear = 4096

// wantsClear reports whether m, though exposed, is worth running for a clear exposure.
func (m *mutant) wantsClear() bool { return !m.clear && m.unclear < maxUnclear }

// noteStages notes for every mutant how far the last run got. It reports whether the run infected a
// mutant for the first time.
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

// checkCanaries runs known inputs, the canaries, on the original. If they behave differently than before, a mutant
// has changed the state of the process, and later results cannot be trusted.
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

// drift reports that the state of the process has changed, the mutant that may have changed it, and, unless values
// is nil, an input on which that mutant seems to differ from the original.
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

// canaryDue reports whether it is time to run the canaries.
func (l *loop) canaryDue() bool { return l.sinceTest >= canaryInterval }
