//go:build go1.21

package loop

import (
	"reflect"

	"github.com/mutantfuzz/mutantfuzz/engine/probe/input"
	"github.com/mutantfuzz/mutantfuzz/engine/probe/state"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// find is a run that calls for more runs.
type find struct {
	values  []any
	run     *Run            // of the original; nil if it was of a mutant
	fresh   []state.Feature // what it covered first
	keep    bool            // it belongs in the corpus
	mutants []*mutant       // to be tried on it
}

// seedPart is the part of the time for replay after which no further seed that the target adds itself is taken into the corpus: there are
// targets that add tens of thousands.
const seedPart = 3

// fill runs the seeds and the given entries on the original: they make up the corpus.
func (l *loop) fill(b budget) { l.free(func() { l.admitGiven(b) }) }

// admitGiven takes them into the corpus, and has an entry where there is none.
func (l *loop) admitGiven(b budget) {
	seeding := l.part(b, seedPart)
	for _, e := range l.given(true) {
		l.known[e.given.ID] = true
		if l.deadly(e) || e.added && len(l.corpus) > 0 && l.over(seeding) {
			continue
		}
		l.admit(e, 0)
	}
	if len(l.corpus) == 0 {
		l.admit(&entry{values: l.zeros()}, 0)
	}
	if n := len(l.corpus); n > 0 {
		l.canaries = []*entry{l.corpus[0], l.corpus[n-1]}
	} else if l.job.Driver {
		// The original fails on all of them, so that they are none that callers pass; but others
		// can be made of one.
		l.corpus = append(l.corpus, &entry{values: l.zeros(), distance: -1})
	}
}

// replay tries the corpus on the mutants before there is any new input, so that a mutant that a committed
// entry kills is reported with that entry.
func (l *loop) replay(b budget) {
	if len(l.mutants) == 0 {
		return
	}
	l.uncharged = true
	defer func() { l.uncharged = false }()
	for _, e := range append([]*entry(nil), l.corpus...) {
		if l.over(b) {
			return
		}
		if o := l.execute(l.onOriginal(e.values, false)); !o.failed() {
			found := l.compare(e.values, l.killable())
			e.witness = showsChange(found)
			l.reportMinimised(e.values, e.given, found)
		}
		if l.canaryDue() {
			l.checkCanaries()
		}
	}
}

// manyDeadly is how many inputs of a driver have to hang, or to end its process, before it is given small numbers alone.
const manyDeadly = 2

// modest keeps numbers small if that is due.
func (l *loop) modest() {
	l.mutator.Modest = l.job.Driver && l.hung+len(l.job.Deadly) >= manyDeadly
}

// deadly reports whether an input ended a process of the job before.
func (l *loop) deadly(e *entry) bool {
	for _, id := range l.job.Deadly {
		if id == e.given.ID {
			return true
		}
	}
	return false
}

// zeros is the input of zero values.
func (l *loop) zeros() (values []any) {
	for _, t := range l.Types {
		values = append(values, reflect.Zero(t).Interface())
	}
	return values
}

// admit runs an input, which has brought so much, on the original and takes it
// into the corpus, unless it fails or behaves differently each time.
func (l *loop) admit(e *entry, gain int) {
	o := l.twice(e.values)
	if o == nil {
		return
	}
	e.distance = state.Nearest(l.job.Focus)
	if l.covered.Add() {
		gain++
	}
	if l.noteStages() {
		gain++
	}
	if o.failed() {
		l.crash(e.values, o, e.given)
		return
	}
	e.outcome, e.record, e.steps, e.size = o.Outcome, o.Record, o.Steps, input.Size(e.values)
	e.parent = l.parent
	l.schedule.credit(e, gain)
	l.corpus = append(l.corpus, e)
	for _, m := range l.mutants {
		if !m.killed && m.hit() {
			m.infecting = append(m.infecting, e)
		}
	}
}

// minSlice is the smallest number of runs that a mutant is given a turn for.
const minSlice = 64

// fuzzMutants is stage A. Undecided mutants that some entry infects get turns,
// as the scheduler has it. Without any bound there is no stage A: it would have
// no end.
func (l *loop) fuzzMutants(b budget) {
	if !b.bounded() || len(l.corpus) == 0 {
		return
	}
	for !l.over(b) {
		m, oneIn := l.schedule.turn(l.approachable)
		if m == nil {
			return
		}
		slice := l.part(b, oneIn)
		if slice.execs < l.stats.Execs+minSlice {
			slice.execs = min(b.execs, l.stats.Execs+minSlice)
		}
		l.fuzzMutant(m, slice)
	}
}

// approachable lists the mutants that some entry infects and that are worth
// fuzzing.
func (l *loop) approachable() []*mutant {
	var list []*mutant
	for _, m := range l.mutants {
		if !m.killed && !m.spent && len(m.infecting) > 0 {
			list = append(list, m)
		}
	}
	return list
}

// fuzzMutant fuzzes one mutant beside the original. An exposed mutant is
// fuzzed on for a kill, but only for a quarter of what is left.
func (l *loop) fuzzMutant(m *mutant, b budget) {
	l.learn(m)
	if m.exposed {
		b = l.part(b, 4)
	}
	source := &inputs{loop: l}
	for !l.over(b) && !m.killed {
		exposed := m.exposed
		source.entries = m.infecting
		if f := l.searchMutant(m, b, source); f != nil {
			l.follow(f)
		}
		if l.canaryDue() {
			l.checkCanaries()
		}
		if m.exposed && !exposed {
			b = l.part(b, 4)
		}
	}
	m.spent = m.exposed
}

// knownBases is how many entries a mutant's coverage is learned from.
const knownBases = 8

// learn runs the mutant on entries known to infect it, so that only what goes
// beyond them is new.
func (l *loop) learn(m *mutant) {
	if m.seen != nil {
		return
	}
	m.seen = new(state.Coverage)
	for _, e := range m.infecting[:min(len(m.infecting), knownBases)] {
		l.execute(l.onMutant(e.values, m, e.steps))
		m.seen.Add()
	}
}

// searchMutant runs inputs on the original and, where they infect m, on m,
// until one calls for more or the budget is spent.
func (l *loop) searchMutant(m *mutant, b budget, source *inputs) *find {
	var found *find
	var original *Run // to be followed by the mutant's run
	next := func() *Run {
		switch {
		case found != nil || l.over(b) || l.canaryDue():
			return nil
		case original != nil:
			return l.onMutant(original.Values, m, original.Steps)
		}
		return l.onOriginal(source.next(), true)
	}
	judge := func(r *Run) bool {
		l.charge(r)
		if r.Mutant == wire.Probed {
			if found = l.examine(r); found == nil && !r.failed() && m.hit() {
				original = r
			}
			return true
		}
		before := original
		original = nil
		if v := l.decide(before, r, m); v != nil && !m.exposedBy(v) {
			found = &find{values: r.Values, mutants: []*mutant{m}}
		} else if m.seen.Add() {
			// Coverage of the original is no reason to leave m out: an input that
			// passes only the inner of two checks covers nothing new there.
			found = &find{values: r.Values, keep: true}
		}
		return true
	}
	l.Executor.Each(next, judge)
	return found
}

// examine looks at a run of the original just ended. It gives nil where there
// is nothing new about it.
func (l *loop) examine(r *Run) *find {
	if r.failed() {
		if l.covered.Add(); l.crashes[r.signature()] {
			return nil
		}
		return &find{values: r.Values, run: r}
	}
	fresh := l.covered.Fresh()
	further := l.newlyInfected()
	if len(fresh) == 0 && !further {
		l.plateau()
		return nil
	}
	l.sinceNew = 0
	if further || state.ReachesNew(fresh) {
		l.lastFind = l.stats.Execs
	}
	l.covered.Add()
	l.noteStages()
	return &find{values: r.Values, run: r, fresh: fresh, keep: true, mutants: l.chosen(true)}
}

// newlyInfected reports whether the run just ended infected a mutant that no run
// before did. Mutants without a probe are infected where they are reached,
// which is new coverage.
func (l *loop) newlyInfected() bool {
	for _, id := range state.Evaluated() {
		if m := l.byID[id]; m != nil && !m.infected() && m.hit() {
			return true
		}
	}
	return false
}

// plateauRuns is how many runs without anything new let inputs grow.
const plateauRuns = 10_000

// plateau notes one more run without anything new.
func (l *loop) plateau() {
	if l.sinceNew++; l.sinceNew >= plateauRuns {
		l.sinceNew = 0
		l.mutator.Grow()
	}
}

// follow handles a find: it keeps the input and runs mutants on it.
func (l *loop) follow(f *find) {
	if f.run != nil && f.run.failed() {
		l.crash(f.values, f.run, wire.JobEntry{})
		return
	}
	if f.keep {
		l.keep(f)
	}
	if len(f.mutants) > 0 {
		l.reportMinimised(f.values, wire.JobEntry{}, l.compare(f.values, f.mutants))
	}
}

// coverRuns bounds the minimising of inputs that only cover something new:
// there are many.
const coverRuns = 64

// keep adds an input to the corpus, and reports it if it covers anything new on the
// original.
func (l *loop) keep(f *find) {
	l.free(func() {
		values := f.values
		if len(f.fresh) > 0 {
			values = l.minimise(values, coverRuns, func(v []any) bool {
				r := l.execute(l.onOriginal(v, false))
				return !r.failed() && state.Covers(f.fresh)
			})
		}
		l.admit(&entry{values: values}, 1+len(f.fresh))
		if e := jobEntry(values); len(f.fresh) > 0 && !l.known[e.ID] {
			l.known[e.ID] = true
			reason := "counts"
			if state.ReachesNew(f.fresh) {
				reason = "covers"
			}
			l.send(wire.Event{Event: wire.EventEntry, Entry: &e, Reasons: []string{reason}})
		}
	})
}

// fuzzProgram is stage B, Mu2's loop: inputs are run on the original, and some
// then on mutants, as the scheduler has it.
func (l *loop) fuzzProgram(b budget) {
	if len(l.corpus) == 0 {
		return
	}
	source := &inputs{loop: l}
	for !l.over(b) {
		source.entries = l.corpus
		if f := l.searchProgram(b, source); f != nil {
			l.follow(f)
		}
		if l.canaryDue() {
			l.checkCanaries()
		}
	}
}

// searchProgram runs inputs on the original until one calls for more or the
// budget is spent.
func (l *loop) searchProgram(b budget, source *inputs) *find {
	var found *find
	reused := new(Run) // nobody keeps a run with nothing to it
	next := func() *Run {
		if found != nil || l.over(b) {
			return nil
		}
		*reused = Run{Values: source.next(), Mutant: wire.Probed, Bound: l.originalBound()}
		return reused
	}
	judge := func(r *Run) bool {
		l.charge(r)
		found = l.examine(r)
		if found == nil && !r.failed() && len(l.mutants) > 0 {
			if mutants := l.chosen(false); len(mutants) > 0 {
				found = &find{values: r.Values, run: r, mutants: mutants}
			}
		}
		return found == nil
	}
	l.Executor.Each(next, judge)
	return found
}

// chosen lists the mutants that the input just run is to be run on.
func (l *loop) chosen(news bool) []*mutant {
	all := l.tally()
	soFar := tally{originals: all.originals - l.before.originals, mutants: all.mutants - l.before.mutants}
	return l.schedule.choose(news, soFar, l.listKillable)
}

// tally is how many runs of the job counted so far.
func (l *loop) tally() tally {
	return tally{originals: l.stats.Execs - l.stats.MutantExecs, mutants: l.stats.MutantExecs}
}
