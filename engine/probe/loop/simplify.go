//go:build go1.21

package loop

import (
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/probe/input"
	"github.com/mutantfuzz/mutantfuzz/engine/probe/observation"
	"github.com/mutantfuzz/mutantfuzz/engine/probe/state"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// Bounds on minimising one input.
const (
	minimiseRuns = 250 // checks; a check of a verdict is two runs
	minimiseTime = 300 * time.Millisecond
)

// minimise returns a smaller input for which holds is true, as it is for values. It makes at most limit checks. In
// a job bounded by time it stops early, so that slow inputs do not use up the job.
func (l *loop) minimise(values []any, limit int, holds func([]any) bool) []any {
	start := time.Now()
	m := &input.Minimiser{Values: values, Holds: holds, Left: limit, Reads: l.job.Reads}
	m.Over = func() bool { return l.drifted || l.job.Timed() && time.Since(start) > minimiseTime }
	m.Minimise()
	return m.Values
}

// maxReported bounds how many of the inputs on which the program fails are reported.
const maxReported = 32

// simplify does a job of kind wire.JobSimplify: it makes the job's first entry as easy to read as it can. The job's
// mutant has to differ from the program as before. Without a mutant, the program has to fail as before. It reports
// the entry only if it has changed. Without a mutant, it also reports some of the inputs that led to the entry,
// which fail in the same place.
func (l *loop) simplify() {
	list := l.given(false)
	if len(list) == 0 {
		return
	}
	start := time.Now()
	over := func() bool {
		return l.drifted || l.job.ProgramTime >= 0 && time.Since(start) > time.Duration(l.job.ProgramTime)
	}
	values := list[0].values
	elsewhere := func([]any) bool { return true }
	if len(l.job.Fresh) > 0 {
		elsewhere = l.elsewhere(list[1:], over)
		values = l.first(append([]*entry{list[0]}, l.decoded(l.job.Fresh)...), elsewhere, over)
		if values == nil {
			return
		}
	}
	holds, calls := l.asBefore(values, over)
	if holds == nil {
		return
	}
	var passed []wire.JobEntry
	m := &input.Minimiser{
		Values: values, Left: int(l.job.ProgramExecs), Reads: l.job.Reads, Calls: calls,
		Written: l.written(list[1:]), Over: over,
	}
	m.Holds = func(v []any) bool {
		if !holds(v) || !elsewhere(v) {
			return false
		}
		passed = append(passed, jobEntry(v))
		return true
	}
	m.Simplify()
	if jobEntry(m.Values).ID == jobEntry(list[0].values).ID {
		return
	}
	if len(passed) == 0 { // an entry of Fresh took the first one's place, and nothing easier to read was found
		passed = append(passed, jobEntry(m.Values))
	}
	reported := maxReported
	if len(l.mutants) > 0 {
		reported = 1
	}
	for i := max(0, len(passed)-reported); i < len(passed); i++ {
		l.send(wire.Event{Event: wire.EventEntry, Entry: &passed[i]})
	}
}

// elsewhere returns a function that reports whether an input takes another path through the job's Focus than all of
// the given entries. When over returns true, the remaining entries are left out.
func (l *loop) elsewhere(others []*entry, over func() bool) func(values []any) bool {
	ways := map[string]bool{}
	way := func(values []any) string {
		l.execute(l.onOriginal(values, false))
		return state.Way(l.job.Focus)
	}
	for _, e := range others {
		if over() {
			break
		}
		ways[way(e.values)] = true
	}
	return func(values []any) bool { return !ways[way(values)] }
}

// first returns the values of the first entry that goes elsewhere and shows a difference. It returns nil if there
// is none, or when over returns true.
func (l *loop) first(list []*entry, elsewhere func(values []any) bool, over func() bool) []any {
	for _, e := range list {
		if over() {
			return nil
		}
		if !elsewhere(e.values) {
			continue
		}
		if d, _ := l.shownBy(e.values); d != nil {
			return e.values
		}
	}
	return nil
}

// written returns the values that people have written: those of the job, the inputs in others and, unless the
// target is a driver, the seeds of f.Add.
func (l *loop) written(others []*entry) input.Written {
	w := input.Written{Tests: l.job.Tested, Code: l.job.Dictionary}
	if !l.job.Driver { // what a driver adds was generated
		others = append(l.added(), others...)
	}
	for _, e := range others {
		w.Inputs = append(w.Inputs, e.values)
	}
	return w
}

// asBefore returns a function that reports whether an input shows what values show; nil if values show nothing.
// Calls returns the calls of the last input for which holds was true; nil if calls are not compared. When over
// returns true, nothing is tried again.
func (l *loop) asBefore(values []any, over func() bool) (holds func([]any) bool, calls func() input.Calls) {
	if len(l.mutants) == 0 {
		r := l.execute(l.onOriginal(values, false))
		if !r.failed() {
			return nil, nil
		}
		place := r.place()
		return func(v []any) bool {
			again := l.execute(l.onOriginal(v, false))
			return again.failed() && again.place() == place
		}, nil
	}
	tries := 1
	shown, made := l.shownBy(values)
	for i := 0; i < chances && !over(); i++ {
		again, calls := l.shownBy(values)
		if (again == nil) != (shown == nil) {
			tries = chances
		}
		if shown == nil {
			shown, made = again, calls
		}
	}
	if shown == nil {
		return nil, nil
	}
	return func(v []any) bool {
		for i := 0; i == 0 || i < tries && !over(); i++ {
			if again, calls := l.shownBy(v); again != nil && again.As(*shown, l.job.Twins) {
				shown, made = again, calls
				return true
			}
		}
		return false
	}, func() input.Calls { return made }
}

// chances is how often the program and a mutant run on an input again, to see whether they differ every time. What
// depends on the order of a map differs in some runs only. Then each input gets that many tries.
const chances = 4

// shownBy returns the difference that an input shows between the program and the job's mutant, and the calls
// that the program makes. d is nil if there is none or if the program fails. It is also nil if the mutant
// fails, except for a driver.
func (l *loop) shownBy(values []any) (d *observation.Difference, calls input.Calls) {
	o := l.onOriginal(values, true)
	o.Render = true
	if l.execute(o).failed() {
		return nil, calls
	}
	r := l.onMutant(values, l.mutants[0], o.Steps)
	r.Render = true
	switch l.execute(r); {
	case r.failed() && l.job.Driver:
		d = observation.Ending(r.Outcome, r.Record)
	case !r.failed():
		d = l.struck.Shown(o.Record, r.Record)
	}
	calls.Args, calls.Results = observation.Sources(o.Record)
	if d != nil {
		calls.Before = max(d.Before(), d.BeforeLastTwin(o.Record, l.job.Twins))
	}
	return d, calls
}
