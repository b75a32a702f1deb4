//go:build go1.21

package loop

import (
	"math"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/probe/input"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// budget bounds the runs of a part of the job.
type budget struct {
	execs    int64     // value of stats.Execs at which it is spent
	deadline time.Time // zero: none
}

// limit returns a budget of execs more runs, and of ns nanoseconds from start. A negative number means no bound.
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

// bounded reports whether b has a bound.
func (b budget) bounded() bool { return b.execs != math.MaxInt64 || !b.deadline.IsZero() }

// over reports whether b is spent, nothing new was found in the last Job.Patience runs, or the worker has drifted.
func (l *loop) over(b budget) bool {
	l.tick()
	if p := l.job.Patience; p > 0 && l.stats.Execs-l.lastFind >= p {
		return true
	}
	return l.drifted || l.stats.Execs >= b.execs || !b.deadline.IsZero() && !l.clock.now.Before(b.deadline)
}

// late reports whether the time of the present stage is up.
func (l *loop) late() bool {
	l.tick()
	return !l.until.IsZero() && !l.clock.now.Before(l.until)
}

// part returns the n-th part of what is left of b.
func (l *loop) part(b budget, n int) budget {
	if b.execs != math.MaxInt64 {
		b.execs = l.stats.Execs + (b.execs-l.stats.Execs)/int64(n) + 1
	}
	if !b.deadline.IsZero() {
		b.deadline = l.clock.now.Add(b.deadline.Sub(l.clock.now) / time.Duration(n))
	}
	return b
}

// clock reads the time only once in many runs, because that takes as long as a small run. It adapts the number of
// runs between two readings so that these are about a millisecond apart. A run of many steps counts as several.
type clock struct {
	now          time.Time
	left, stride int
	sent         time.Time // time of the last stats event
	due          int64     // number of runs at which the next one is sent if the job is not timed
}

// stepsOfSmallRun is how many steps take about as long as a small run.
const stepsOfSmallRun = 4096

// statsInterval is how often statistics are sent. In a job without time limits they are sent by the number of runs,
// so that what is known of a worker that dies is always the same: every statsRuns at first, later whenever the
// number has grown by 1/statsPart.
const (
	statsInterval = 250 * time.Millisecond
	statsRuns     = 1024
	statsPart     = 8
)

// tick counts a run for the clock, and sends the statistics from time to time.
func (l *loop) tick() {
	c := &l.clock
	if !l.job.Timed() { // nothing asks for the time
		if l.stats.Execs >= c.due {
			c.due = l.stats.Execs + max(statsRuns, l.stats.Execs/statsPart)
			l.sendStats(l.stats)
		}
		return
	}
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
	if now.Sub(c.sent) >= statsInterval {
		c.sent = now
		l.sendStats(l.stats)
	}
}

// sendStats sends the counts so far.
func (l *loop) sendStats(s wire.Stats) {
	s.Stage = stageNames[l.stage]
	s.Entries = len(l.corpus)
	s.Seconds[l.stage] += time.Since(l.entered).Seconds()
	l.send(wire.Event{Event: wire.EventStats, Stats: &s})
}

// finalStats sends all statistics, including those that are sent only at the end.
func (l *loop) finalStats() {
	s := l.stats
	s.Entries = len(l.corpus)
	for _, values := range l.Seeds[:min(len(l.Seeds), wire.MaxSeeds)] {
		if input.CheckTypes(values, l.Types) == nil {
			s.Seeds = append(s.Seeds, jobEntry(values).ID)
		}
	}
	s.Blocks = l.covered.Blocks()
	s.ByMutant, s.Agreed, s.Spared = make(map[int]int64), make(map[int]int64), make(map[int]int64)
	for _, m := range l.byID {
		if m == nil {
			continue
		}
		if m.reached() {
			s.Reached = append(s.Reached, m.ID)
		}
		if m.infected() {
			s.Infected = append(s.Infected, m.ID)
		}
		if m.execs > 0 {
			s.ByMutant[m.ID] = m.execs
		}
		if m.agreed > 0 {
			s.Agreed[m.ID] = m.agreed
		}
		if m.spared > 0 {
			s.Spared[m.ID] = m.spared
		}
		for i, moved := range m.old {
			if moved {
				s.Old = append(s.Old, m.OldFirst+i)
			}
		}
	}
	l.send(wire.Event{Event: wire.EventStats, Stats: &s})
}
