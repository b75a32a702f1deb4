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
	fresh   []state.Feature // what it was the first to cover
	keep    bool            // it belongs in the corpus
	mutants []*mutant       // mutants to run on it
}

// seedPart limits the seeds that the target adds itself. After 1/seedPart of the time for replay, no more of them
// are taken into the corpus: some targets add tens of thousands.
const seedPart = 3

// fill runs the seeds and the given entries on the original and takes them into the corpus.
func (l *loop) fill(b budget) { l.free(func() { l.admitGiven(b) }) }

// admitGiven does the work of fill. If that leaves the corpus empty, it tries an input of zero values.
func (l *loop) admitGiven(b budget) {
	seeding := l.part(b, seedPart)
	for _, e := range l.given(true) {
		l.known[e.given.ID] = true
		if l.deadly(e) || len(l.corpus) > 0 && (e.added && l.over(seeding) || e.file && l.over(b)) {
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
		// The original fails on all of them, so they are none that callers pass. But others can be made from one.
		l.corpus = append(l.corpus, &entry{values: l.zeros(), distance: -1})
	}
}

// replay runs the mutants on the corpus before there is any new input, so that a mutant that a committed entry
// kills is reported with that entry.
func (l *loop) replay(b budget) {
	if len(l.mutants) == 0 {
		return
	}
	l.uncharged, l.until = true, b.deadline
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

// manyDeadly is how many runs of a driver have to hang, or inputs to end its process, before
// its numbers are kept small.
const manyDeadly = 2

// modest makes the mutator keep numbers small if that is due.
func (l *loop) modest() {
	l.mutator.Modest = l.job.Driver && l.hung+len(l.job.Deadly) >= manyDeadly
}

// deadly reports whether an input has ended a process of the job before.
func (l *loop) deadly(e *entry) bool {
	for _, id := range l.job.Deadly {
		if id == e.given.ID {
			return true
		}
	}
	return false
}

// zeros returns the input of zero values.
func (l *loop) zeros() (values []any) {
	for _, t := range l.Types {
		values = append(values, reflect.Zero(t).Interface())
	}
	return values
}

// admit runs an input on the original and takes it into the corpus, unless the original fails on it or its outcome
// varies. Gain is how much the input has brought otherwise.
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
	l.schedule.credit(e, gain)
	l.corpus = append(l.corpus, e)
	for _, m := range l.mutants {
		if !m.killed && m.hit() {
			m.infecting = append(m.infecting, e)
		}
	}
}

// minSlice is the smallest number of runs that a mutant gets for a turn.
const minSlice = 64

// fuzzMutants is stage A. Undecided mutants that some entry infects get turns, as the scheduler decides. If the
// budget has no bound, there is no stage A: it would never end.
func (l *loop) fuzzMutants(b budget) {
	if !b.bounded() || len(l.corpus) == 0 {
		return
	}
	l.until = b.deadline
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

// approachable returns the mutants that some entry infects and that are worth fuzzing.
func (l *loop) approachable() []*mutant {
	var list []*mutant
	for _, m := range l.mutants {
		if !m.killed && !m.spent && len(m.infecting) > 0 {
			list = append(list, m)
		}
	}
	return list
}

// fuzzMutant fuzzes one mutant beside the original. It goes on to look for a kill of an exposed mutant, but only
// with a quarter of what is left.
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

// learn runs the mutant on entries known to infect it, so that only coverage beyond theirs is new.
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

// searchMutant runs inputs on the original and, where they infect m, on m, until a run calls for
// more or the budget is spent.
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
			// Coverage of the original does not decide here: an input that passes only the inner of two checks
			// covers nothing new in the original.
			found = &find{values: r.Values, keep: true}
		}
		return true
	}
	l.Executor.Each(next, judge)
	return found
}

// examine looks at a run of the original that has just ended. It returns nil if there is nothing new about the run.
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

// newlyInfected reports whether the last run infected a mutant for the first time. Mutants without a probe are
// infected where they are reached, which is new coverage.
func (l *loop) newlyInfected() bool {
	for _, id := range state.Evaluated() {
		if m := l.byID[id]; m != nil && !m.infected() && m.hit() {
			return true
		}
	}
	return false
}

// plateauRuns is how many runs without anything new it takes to let inputs grow.
const plateauRuns = 10_000

// plateau counts one more run without anything new.
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

// coverRuns bounds the checks to minimise an input that only covers something new: there are many such inputs.
const coverRuns = 64

// keep adds an input to the corpus. If it covers anything new in the original, keep first
// minimises it and then reports it.
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

// fuzzProgram is stage B, Mu2's loop: inputs run on the original, and some of them then on mutants,
// as the scheduler decides.
func (l *loop) fuzzProgram(b budget) {
	if len(l.corpus) == 0 {
		return
	}
	l.until = b.deadline
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

// searchProgram runs inputs on the original until a run calls for more or the budget is spent.
func (l *loop) searchProgram(b budget, source *inputs) *find {
	var found *find
	reused := new(Run) // runs that are no find are not kept
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

// chosen returns the mutants to run on the input that the original has just run on.
func (l *loop) chosen(news bool) []*mutant {
	all := l.tally()
	soFar := tally{originals: all.originals - l.before.originals, mutants: all.mutants - l.before.mutants}
	return l.schedule.choose(news, soFar, l.listKillable)
}

// tally returns how many runs of the job counted so far.
func (l *loop) tally() tally {
	return tally{originals: l.stats.Execs - l.stats.MutantExecs, mutants: l.stats.MutantExecs}
}
