//go:build go1.21

package runtime

import (
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// crash reports that the original fails on an input, once for each place it
// fails at. An input on which a driver makes it fail may be one that no caller can make.
func (l *loop) crash(values []any, r *run, given wire.JobEntry) {
	signature := r.signature()
	if l.job.Driver {
		l.crashes[signature] = true
		return
	}
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
		l.events.send(wire.Event{Event: wire.EventEntry, Entry: &given, Reasons: []string{"crash"}})
	}
	l.events.send(wire.Event{
		Event: wire.EventCrash, Entry: &given, Outcome: r.outcome, Message: r.message, Stack: stackText(r.frames),
	})
}

// signature identifies a failure by its kind and the innermost three functions of
// the program. Line numbers are left out, for they may change while an input is
// minimised.
func (r *run) signature() string {
	if r.outcome == wire.OutcomeHang {
		return r.message // the place where it was stopped is random
	}
	parts := []string{r.outcome}
	for i := 0; i < len(r.frames) && i < 3; i++ {
		parts = append(parts, r.frames[i].Function)
	}
	return strings.Join(parts, "|")
}

// jobEntry encodes an input.
func jobEntry(values []any) wire.JobEntry {
	data := wire.EncodeEntry(values)
	return wire.JobEntry{ID: wire.EntryID(data), Data: data}
}
