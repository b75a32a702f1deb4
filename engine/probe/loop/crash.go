//go:build go1.21

package loop

import (
	"github.com/mutantfuzz/mutantfuzz/engine/probe/state"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// crash reports that the original fails on an input, once for each place it
// fails at. An input on which a driver makes it fail may be one that no caller can
// make: that says something only if the change brought the failure.
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

// How many inputs on which a driver makes the original fail at one place are run with the change undone: others that
// fail there may be ones on which the base fails, too. A hang takes long.
const (
	maxFailures = 256
	maxHangs    = 8
	hangRuns    = 16 // to minimise an input that hangs
	maxBased    = 6  // are reported for a run of the base
)

// brought reports an input on which the original fails, and does not with the change to a function undone; or, where the base
// is to tell, one of the first on which it fails.
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

// failed reports an input on which the original fails, and the mutant with which it does not; 0: none is known.
func (l *loop) failed(values []any, r *Run, mended int) {
	e := jobEntry(values)
	l.send(wire.Event{Event: wire.EventEntry, Entry: &e, Reasons: []string{"crash"}})
	l.send(wire.Event{Event: wire.EventCrash, Entry: &e, Mutant: mended, Outcome: r.Outcome, Message: r.Message, Stack: stackText(r.Frames)})
}

// mends reports whether the original fails on an input at the place that signature names, and does not with m.
func (l *loop) mends(values []any, signature string, m *mutant) bool {
	o := l.execute(l.onOriginal(values, false))
	if !o.failed() || o.signature() != signature || state.Cov[m.Block] == 0 {
		return false
	}
	return l.execute(l.onMutant(values, m, l.longest)).Outcome == wire.OutcomeOK
}

// jobEntry encodes an input.
func jobEntry(values []any) wire.JobEntry {
	data := wire.EncodeEntry(values)
	return wire.JobEntry{ID: wire.EntryID(data), Data: data}
}
