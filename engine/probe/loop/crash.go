//go:build go1.21

package loop

import (
	"github.com/mutantfuzz/mutantfuzz/engine/probe/state"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// crash reports that the original fails on an input, once for each signature. It minimises an input that was found
// here; one that was given comes with its entry. An input of a driver may be one that no caller can make, so its
// failure says something only if the change introduced it.
func (l *loop) crash(values []any, r *Run, given wire.JobEntry) {
	signature := r.signature()
	if l.crashes[signature] {
		return
	}
	if l.job.Driver {
		l.brought(values, r)
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
		l.failed(values, r, 0)
		return
	}
	l.send(wire.Event{Event: wire.EventCrash, Entry: &given, Outcome: r.Outcome, Message: r.Message, Stack: stackText(r.Frames)})
}

// Bounds on the inputs of a driver on which the original fails in one place. Several of them run with the change
// undone, because some may fail on the base as well. A hang takes long.
const (
	maxFailures = 256
	maxHangs    = 8
	hangRuns    = 16 // checks to minimise an input that hangs
	maxBased    = 6  // inputs that are reported so that the base is run on them
)

// brought reports an input on which the original fails, and does not fail with the change to a function undone. If
// the base is to decide (Job.Based), it also reports the first inputs that fail in a place.
func (l *loop) brought(values []any, r *Run) {
	signature, most, runs := r.signature(), maxFailures, minimiseRuns
	if r.Outcome == wire.OutcomeHang {
		most, runs = maxHangs, hangRuns
	}
	if len(l.undone) == 0 {
		most = 0
	}
	if l.job.Based {
		most = max(most, maxBased)
	}
	l.failures[signature]++
	l.crashes[signature] = l.failures[signature] >= most
	l.free(func() {
		for _, m := range l.undone {
			if !l.mends(values, signature, m) {
				continue
			}
			l.crashes[signature] = true
			l.failed(l.minimise(values, runs, func(v []any) bool { return l.mends(v, signature, m) }), r, m.ID)
			return
		}
		if l.job.Based && l.failures[signature] <= maxBased {
			l.failed(values, r, 0)
		}
	})
}

// failed reports an input on which the original fails. Mended is the mutant with which it
// does not; 0: none is known.
func (l *loop) failed(values []any, r *Run, mended int) {
	e := jobEntry(values)
	l.send(wire.Event{Event: wire.EventEntry, Entry: &e, Reasons: []string{"crash"}})
	l.send(wire.Event{Event: wire.EventCrash, Entry: &e, Mutant: mended, Outcome: r.Outcome, Message: r.Message, Stack: stackText(r.Frames)})
}

// mends reports whether the original fails on an input with the given signature, and passes with m.
func (l *loop) mends(values []any, signature string, m *mutant) bool {
	o := l.execute(l.onOriginal(values, false))
	if !o.failed() || o.signature() != signature || state.Cov[m.Block] == 0 {
		return false
	}
	return l.execute(l.onMutant(values, m, l.longest)).Outcome == wire.OutcomeOK
}

// jobEntry returns the entry that encodes an input.
func jobEntry(values []any) wire.JobEntry {
	data := wire.EncodeEntry(values)
	return wire.JobEntry{ID: wire.EntryID(data), Data: data}
}
