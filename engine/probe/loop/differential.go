//go:build go1.21

package loop

import (
	"github.com/mutantfuzz/mutantfuzz/engine/probe/input"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// verdict is a difference between a mutant and the original on an input.
type verdict struct {
	mutant *mutant
	run    *Run // run of the mutant
	site   int  // where an observation differs, if the mutant did not fail
	clear  bool // the call of the original there succeeded, so its results show what the code is for
}

// exposes reports whether the mutant is only exposed: it differs but does not fail.
func (v *verdict) exposes() bool { return !v.run.failed() }

// decide compares a run of m with a run of the original, which did not fail, on the same input. It returns nil if
// they are alike, or if the mutant's failure says nothing new.
func (l *loop) decide(original, r *Run, m *mutant) *verdict {
	if r.failed() {
		if m.ended {
			return nil
		}
		return &verdict{mutant: m, run: r}
	}
	if at, differs := l.struck.Difference(original.Record, r.Record); differs {
		return &verdict{mutant: m, run: r, site: at.Site, clear: at.Succeeded}
	}
	if !l.uncharged && l.struck.Succeeds(r.Record, m.Sites) {
		m.agree(l.input)
	}
	return nil
}

// agreedBits is the number of bits of agreedOn, a power of two.
const agreedBits = 1 << 20

// agree counts an input, given by its hash, unless it was counted before.
func (m *mutant) agree(hash uint64) {
	if m.agreedOn == nil {
		m.agreedOn = make([]uint64, agreedBits/64)
	}
	at, bit := hash%agreedBits/64, uint64(1)<<(hash%64)
	if m.agreedOn[at]&bit == 0 {
		m.agreedOn[at] |= bit
		m.agreed++
	}
}

// like reports whether another verdict on the same mutant says what v says, or more.
func (v *verdict) like(again *verdict) bool {
	return again != nil && again.exposes() == v.exposes() && (again.clear || !v.clear)
}

// exposedBy reports whether v exposes m and m is known to be exposed at least as clearly.
func (m *mutant) exposedBy(v *verdict) bool {
	return v.exposes() && m.exposed && (m.clear || !v.clear)
}

// compare runs the original and then mutants on an input, and returns the verdicts that it could confirm.
func (l *loop) compare(values []any, mutants []*mutant) []*verdict {
	if len(mutants) == 0 {
		return nil
	}
	o := l.twice(values)
	if o == nil {
		return nil
	}
	if o.failed() {
		l.crash(values, o, wire.JobEntry{})
		return nil
	}
	l.input = input.Hash(values)
	var differing []*verdict
	i := -1
	l.Executor.Each(func() *Run {
		// There may be thousands of them: what has been found until the stage ends is still confirmed.
		if i++; i == len(mutants) || l.late() {
			return nil
		}
		return l.onMutant(values, mutants[i], o.Steps)
	}, func(r *Run) bool {
		l.charge(r)
		if v := l.decide(o, r, mutants[i]); v != nil {
			differing = append(differing, v)
		}
		if r.Outcome == wire.OutcomeHang {
			// It may have left a lock held, so run the canaries soon.
			l.sinceTest += canaryInterval
		}
		return true
	})
	var found []*verdict
	for i, v := range differing {
		// If the original behaves differently than before, the mutant confirmed before this one has caused that.
		// For the first one this is a guess: all mutants have run by then.
		if l.confirm(o, v, differing[max(i-1, 0)].mutant) {
			found = append(found, v)
		} else {
			l.stats.Unconfirmed++
		}
	}
	return found
}

// confirm repeats a verdict. The original has to behave as before, and the mutant has to differ in the same way. If
// the original does not, a mutant has changed the state of the process, most likely blamed.
func (l *loop) confirm(o *Run, v *verdict, blamed *mutant) bool {
	if l.drifted {
		return false
	}
	confirmed := false
	l.free(func() {
		again := l.execute(l.onOriginal(o.Values, true))
		if _, differs := l.struck.Difference(o.Record, again.Record); differs || again.Outcome != o.Outcome {
			l.drift(blamed.ID, o.Values)
			return
		}
		repeated := l.decide(again, l.execute(l.onMutant(o.Values, v.mutant, o.Steps)), v.mutant)
		confirmed = v.like(repeated)
	})
	return confirmed
}

// maxRounds is how often an input is minimised for the mutants that differ on it. The remaining
// mutants get the input as it is.
const maxRounds = 4

// reportMinimised reports verdicts, each with a minimised input that still gives it. It does not minimise a given
// entry, which is in the corpus as it is.
func (l *loop) reportMinimised(values []any, given wire.JobEntry, found []*verdict) {
	found = l.witnessed(values, given, found)
	if given.Data != "" {
		l.report(given, found)
		return
	}
	for round := 0; len(found) > 0; round++ {
		input, same := values, found
		var rest []*verdict
		if round < maxRounds && !l.drifted {
			l.free(func() {
				input = l.minimise(values, minimiseRuns, func(v []any) bool { return l.holds(v, found[0]) })
				same, rest = l.partition(input, found)
			})
		}
		if len(same) == 0 {
			input, same, rest = values, found, nil
		}
		l.reportNew(input, same)
		found = rest
	}
}

// holds reports whether an input gives a verdict like v.
func (l *loop) holds(values []any, v *verdict) bool {
	o := l.execute(l.onOriginal(values, true))
	if o.failed() {
		return false
	}
	return v.like(l.decide(o, l.execute(l.onMutant(values, v.mutant, o.Steps)), v.mutant))
}

// partition splits verdicts by whether an input gives them too. Those in same have the runs on that input.
func (l *loop) partition(values []any, found []*verdict) (same, rest []*verdict) {
	o := l.execute(l.onOriginal(values, true))
	for _, v := range found {
		again := l.decide(o, l.execute(l.onMutant(values, v.mutant, o.Steps)), v.mutant)
		if !o.failed() && v.like(again) {
			same = append(same, again)
		} else {
			rest = append(rest, v)
		}
	}
	return same, rest
}

// reportNew reports an input found here with the verdicts that it gives, and takes it into the corpus.
func (l *loop) reportNew(values []any, found []*verdict) {
	e := jobEntry(values)
	event := wire.Event{Event: wire.EventEntry, Entry: &e}
	var kills, exposes bool
	for _, v := range found {
		event.Mutants = append(event.Mutants, v.mutant.ID)
		kills = kills || !v.exposes()
		exposes = exposes || v.exposes()
	}
	if kills {
		event.Reasons = append(event.Reasons, "kills")
	}
	if exposes {
		event.Reasons = append(event.Reasons, "exposes")
	}
	l.send(event)
	l.report(e, found)
	if !l.known[e.ID] {
		l.known[e.ID] = true
		l.free(func() { l.admit(&entry{values: values, witness: showsChange(found)}, len(found)) })
	}
}

// maxWitnesses is how many inputs are kept only because the change under review
// alters their outcome.
const maxWitnesses = 64

// wantsWitness reports whether m, though exposed, is worth running to find inputs for which the
// change makes a difference.
func (l *loop) wantsWitness(m *mutant) bool { return m.Change && l.witnesses < maxWitnesses }

// witnessed returns found without the exposures that are known already. If that leaves nothing and the change makes
// a difference to the input, the input is kept as a witness of the change.
func (l *loop) witnessed(values []any, given wire.JobEntry, found []*verdict) []*verdict {
	var fresh []*verdict
	for _, v := range found {
		if !v.mutant.exposedBy(v) {
			fresh = append(fresh, v)
		}
	}
	if len(fresh) > 0 || !showsChange(found) || given.Data != "" {
		return fresh
	}
	if e := jobEntry(values); !l.known[e.ID] {
		l.known[e.ID] = true
		l.witnesses++
		l.send(wire.Event{Event: wire.EventEntry, Entry: &e, Reasons: []string{"counts"}})
		l.free(func() { l.admit(&entry{values: values, witness: true}, 1) })
	}
	return fresh
}

// showsChange reports whether a verdict is on a mutant that undoes a part of the change.
func showsChange(found []*verdict) bool {
	for _, v := range found {
		if v.mutant.Change {
			return true
		}
	}
	return false
}

// report reports the verdicts that an entry gives, and notes them.
func (l *loop) report(e wire.JobEntry, found []*verdict) {
	l.lastFind = l.stats.Execs
	for _, v := range found {
		event := wire.Event{Event: wire.EventKill, Entry: &e, Mutant: v.mutant.ID, Outcome: v.run.Outcome}
		if v.exposes() {
			v.mutant.exposed, v.mutant.clear = true, v.mutant.clear || v.clear
			event.Event, event.Site = wire.EventExpose, v.site
		} else {
			v.mutant.ended = l.job.Driver && v.mutant.Change && v.run.Outcome == wire.OutcomePanic
			v.mutant.killed = !v.mutant.ended
			event.Message, event.Stack = v.run.Message, stackText(v.run.Frames)
		}
		l.send(event)
	}
}
