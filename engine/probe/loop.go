//go:build go1.21

package probe

import (
	"math"
	"reflect"
	"runtime/debug"
	"strings"
	"time"
)

// loop does one job on one target.
type loop struct {
	job    *Job
	events *events
	seeds  [][]any
	bound  int64 // of the environment, for JobRun
	x      *executor
	types  []reflect.Type

	random   random
	mutator  *mutator
	corpus   []*entry
	canaries []*entry
	known    map[string]bool // IDs of entries given or told of
	covered  coverage        // of the original
	mutants  []*mutant       // in rank order
	byID     []*mutant       // by M; nil where there is none
	struck   struckSites
	crashes  map[string]bool // signatures told of

	clock     clock
	stage     int
	entered   time.Time // the stage
	stats     Stats
	uncharged bool // runs now do not count: replay, confirming, minimising
	sinceNew  int64
	sinceTest int64 // mutant runs since the canaries were last run
	drifted   bool
}

// entry is an input of the corpus, with what its run on the original gave.
type entry struct {
	values  []any
	given   JobEntry // as it came with the job; zero if found here
	outcome string
	record  []Observation
	steps   int64
	size    int
	gain    int // new coverage and infections, kills, exposures
	picks   int
}

// mutant is a live mutant.
type mutant struct {
	JobMutant
	rank      int
	killed    bool
	exposed   bool
	spent     bool // exposed, and tried enough for a kill
	reached   bool
	infected  bool
	execs     int64
	seen      *coverage // of its own runs in stage A; nil before
	infecting []*entry
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
	originalBound     = 50_000_000 // steps of a run of the original
	canaryInterval    = 2000       // mutant runs
	statsInterval     = 250 * time.Millisecond
	jobGCPercent      = 400 // inputs are garbage at once; collect less often
)

func newLoop(w *work, x *executor, types []reflect.Type) *loop {
	job := w.job
	if job.MaxInput == 0 {
		job.MaxInput = defaultMaxInput
	}
	if job.StepFactor == 0 {
		job.StepFactor = defaultStepFactor
	}
	l := &loop{
		job: job, events: w.events, seeds: w.seeds, bound: w.bound, x: x, types: types,
		random:  random{job.Seed},
		known:   make(map[string]bool),
		byID:    make([]*mutant, NumMutants+1),
		struck:  make(struckSites),
		crashes: make(map[string]bool),
		clock:   clock{now: time.Now(), stride: 1},
	}
	l.entered = l.clock.now
	l.mutator = newMutator(&l.random, job.Dictionary, job.MaxInput)
	for _, site := range job.Struck {
		l.struck[site] = true
	}
	for i, m := range job.Live {
		if m.ID < 1 || m.ID > NumMutants || m.Block < 0 || m.Block >= NumBlocks {
			continue
		}
		one := &mutant{JobMutant: m, rank: i}
		l.mutants = append(l.mutants, one)
		l.byID[m.ID] = one
	}
	return l
}

// do does the job and tells the end of it.
func (l *loop) do() {
	ready := Event{Event: EventReady}
	for _, t := range l.types {
		ready.Types = append(ready.Types, sourceType(t))
	}
	l.events.send(ready)
	debug.SetGCPercent(jobGCPercent)
	if l.job.Kind == JobRun {
		l.runEntries()
	} else {
		l.fuzz()
	}
	l.events.send(Event{Event: EventDone})
}

// fuzz is JobFuzz: first the mutants, then the program with what it learned
// (Groce et al.: First, Fuzz the Mutants, FUZZING 2022). Times are counted
// from the start, so that replay cannot make the job longer.
func (l *loop) fuzz() {
	start := l.clock.now
	l.replay(l.limit(-1, total(l.job.MutantTime, l.job.ProgramTime), start))
	l.enter(stageMutants)
	l.fuzzMutants(l.limit(l.job.MutantExecs, l.job.MutantTime, start))
	l.enter(stageProgram)
	l.fuzzProgram(l.limit(l.job.ProgramExecs, total(l.job.MutantTime, l.job.ProgramTime), start))
	l.enter(stageReplay) // books the time of the last stage
	l.stats.Stage = stageNames[stageProgram]
	l.finalStats()
}

// total adds bounds in ns, of which either may be none (negative).
func total(a, b int64) int64 {
	if a < 0 || b < 0 {
		return max(a, b)
	}
	return a + b
}

// enter books the time spent in a stage and begins the next.
func (l *loop) enter(stage int) {
	now := time.Now()
	l.stats.Seconds[l.stage] += now.Sub(l.entered).Seconds()
	l.stage, l.entered = stage, now
	l.stats.Stage = stageNames[stage]
}

// budget is how far runs may go.
type budget struct {
	execs    int64     // value of stats.Execs at which it is spent
	deadline time.Time // zero: none
}

// limit makes a budget of bounds that begin now and at start; negative means
// none.
func (l *loop) limit(execs, ns int64, start time.Time) budget {
	b := budget{execs: math.MaxInt64}
	if execs >= 0 {
		b.execs = l.stats.Execs + execs
	}
	if ns >= 0 {
		b.deadline = start.Add(time.Duration(ns))
	}
	return b
}

// bounded tells whether b ends at all.
func (b budget) bounded() bool { return b.execs != math.MaxInt64 || !b.deadline.IsZero() }

// over tells whether b is spent, or the worker has to stop.
func (l *loop) over(b budget) bool {
	l.tick()
	return l.drifted || l.stats.Execs >= b.execs || !b.deadline.IsZero() && !l.clock.now.Before(b.deadline)
}

// part is the n-th part of what is left of b.
func (l *loop) part(b budget, n int) budget {
	if b.execs != math.MaxInt64 {
		b.execs = l.stats.Execs + (b.execs-l.stats.Execs)/int64(n) + 1
	}
	if !b.deadline.IsZero() {
		b.deadline = l.clock.now.Add(b.deadline.Sub(l.clock.now) / time.Duration(n))
	}
	return b
}

// clock reads the time now and then only: reading takes as long as a small
// run. The stride between readings adapts so that they are about a
// millisecond apart.
type clock struct {
	now          time.Time
	left, stride int
	told         time.Time // last stats event
}

// tick lets the clock go on, and tells the statistics a few times a second.
func (l *loop) tick() {
	c := &l.clock
	if c.left--; c.left > 0 {
		return
	}
	now := time.Now()
	switch passed := now.Sub(c.now); {
	case passed < time.Millisecond/2:
		c.stride = min(2*c.stride, 4096)
	case passed > 2*time.Millisecond:
		c.stride = max(c.stride/2, 1)
	}
	c.now, c.left = now, c.stride
	if now.Sub(c.told) >= statsInterval {
		c.told = now
		l.sendStats(l.stats)
	}
}

// sendStats tells the counts so far.
func (l *loop) sendStats(s Stats) {
	s.Stage = stageNames[l.stage]
	s.Entries = len(l.corpus)
	s.Seconds[l.stage] += time.Since(l.entered).Seconds()
	l.events.send(Event{Event: EventStats, Stats: &s})
}

// finalStats tells all there is to count.
func (l *loop) finalStats() {
	s := l.stats
	s.Entries = len(l.corpus)
	s.Blocks = l.covered.blocks()
	s.ByMutant = make(map[int]int64)
	for _, m := range l.byID {
		if m == nil {
			continue
		}
		if m.reached {
			s.Reached = append(s.Reached, m.ID)
		}
		if m.infected {
			s.Infected = append(s.Infected, m.ID)
		}
		if m.execs > 0 {
			s.ByMutant[m.ID] = m.execs
		}
	}
	l.events.send(Event{Event: EventStats, Stats: &s})
}

// onOriginal is a run of the original.
func (l *loop) onOriginal(values []any, observe bool) *run {
	return &run{values: values, mutant: Probed, bound: originalBound, observe: observe}
}

// onMutant is a run of m, where the original took so many steps. Bounds by
// steps and not by time repeat (Mu2 bounds loop iterations alike).
func (l *loop) onMutant(values []any, m *mutant, steps int64) *run {
	floor := l.job.StepFloor
	if floor == 0 {
		floor = defaultStepFloor
	}
	return &run{values: values, mutant: int32(m.ID), bound: max(floor, l.job.StepFactor*steps), observe: true}
}

// execute runs r at once and counts it. The arrays hold it until the next.
func (l *loop) execute(r *run) *run {
	l.tick()
	l.x.one(r)
	l.charge(r)
	return r
}

// charge counts a run.
func (l *loop) charge(r *run) {
	if r.mutant > 0 {
		l.sinceTest++
	}
	if l.uncharged {
		return
	}
	l.stats.Execs++
	if r.mutant > 0 {
		l.stats.MutantExecs++
		l.byID[r.mutant].execs++
	}
}

// free has work done without counting its runs.
func (l *loop) free(work func()) {
	before := l.uncharged
	l.uncharged = true
	work()
	l.uncharged = before
}

// twice runs the original twice on an input, strikes the sites that differ,
// and gives the second run. It is nil where not even the outcome is the same:
// such an input is of no use.
func (l *loop) twice(values []any) *run {
	first := l.execute(l.onOriginal(values, true))
	second := l.execute(l.onOriginal(values, true))
	if first.outcome != second.outcome {
		return nil
	}
	if !l.job.NoStrike {
		for _, site := range l.struck.strike(first.record, second.record) {
			l.events.send(Event{Event: EventStrike, Site: site})
		}
	}
	return second
}

// killable tells whether the run of the original just ended could differ had
// m been active: it reached m and infected the state there (the first two
// conditions of RIPR; Mu2's PIE checks the same).
func (m *mutant) killable() bool {
	return !m.killed && !m.exposed && m.hit()
}

// hit tells whether the run just ended reached m and infected the state.
func (m *mutant) hit() bool {
	return Cov[m.Block] != 0 && (!m.Probed || marks[m.ID]&MarkInfected != 0)
}

// killable lists the mutants that the run just ended could kill, and counts
// those it could not.
func (l *loop) killable() []*mutant {
	var list []*mutant
	for _, m := range l.mutants {
		switch {
		case m.killed || m.exposed:
		case Cov[m.Block] == 0:
			l.stats.PrunedReach++
		case m.hit():
			list = append(list, m)
		default:
			l.stats.PrunedInfection++
		}
	}
	return list
}

// noteStages notes for every mutant how far the run just ended got, and
// whether it got further than any run before.
func (l *loop) noteStages() (further bool) {
	for _, m := range l.mutants {
		if Cov[m.Block] == 0 {
			continue
		}
		m.reached = true
		if !m.infected && m.hit() {
			m.infected, further = true, true
		}
	}
	return further
}

// checkCanaries runs known inputs on the original. If they no longer behave as
// they did, a mutant has changed the state of the process, and nothing that
// follows can be trusted.
func (l *loop) checkCanaries() {
	l.sinceTest = 0
	l.free(func() {
		for _, e := range l.canaries {
			r := l.execute(l.onOriginal(e.values, true))
			_, differs := l.struck.difference(e.record, r.record)
			if r.outcome != e.outcome || differs {
				l.drift()
				return
			}
		}
	})
}

func (l *loop) drift() {
	if !l.drifted {
		l.drifted = true
		l.events.send(Event{Event: EventDrift})
	}
}

// canaryDue tells whether the canaries have to be run now.
func (l *loop) canaryDue() bool { return l.sinceTest >= canaryInterval }

// crash tells that the original fails on an input, once for each place it
// fails at.
func (l *loop) crash(values []any, r *run, given JobEntry) {
	signature := r.signature()
	if l.crashes[signature] {
		return
	}
	l.crashes[signature] = true
	if given.Data == "" {
		l.free(func() {
			values = l.minimise(values, minimiseRuns, func(v []any) bool {
				again := l.execute(l.onOriginal(v, false))
				return again.failed() && again.signature() == signature
			})
		})
		given = jobEntry(values)
		l.events.send(Event{Event: EventEntry, Entry: &given, Reasons: []string{"crash"}})
	}
	l.events.send(Event{
		Event: EventCrash, Entry: &given, Outcome: r.outcome, Message: r.message, Stack: stackText(r.frames),
	})
}

// signature tells failures apart by their kind and the innermost three
// functions of the program, without line numbers: it has to be the same while
// an input is minimised.
func (r *run) signature() string {
	if r.outcome == OutcomeHang {
		return r.message // where it was stopped says little
	}
	parts := []string{r.outcome}
	for i := 0; i < len(r.frames) && i < 3; i++ {
		parts = append(parts, r.frames[i].Function)
	}
	return strings.Join(parts, "|")
}

// jobEntry encodes an input.
func jobEntry(values []any) JobEntry {
	data := EncodeEntry(values)
	return JobEntry{ID: EntryID(data), Data: data}
}
