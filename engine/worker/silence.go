package worker

import "time"

// pulse is what moves while user code makes progress.
type pulse struct {
	running     bool
	runs, steps int64
}

// pulseOf reads the child's state file. Tests without a job do not say when
// user code runs, so there all of the process counts.
func pulseOf(c *Command) pulse {
	return pulse{running: c.Job == nil || c.State.InRun(), runs: c.State.Runs(), steps: c.State.Steps()}
}

// silence judges a child that does not move. Steps cannot see blocking, so a
// child that stands still is also asked whether it sleeps: asleep reports
// whether every thread of it does, and what it has done so far, processor time and output.
type silence struct {
	limit  time.Duration
	idle   time.Duration // from when on it is asked whether it sleeps
	asleep func() (done uint64, all bool)

	longest time.Duration // that a run may take; 0: no limit
	began   time.Time     // when the run was first seen

	last  pulse
	since time.Time // when last was first seen
	slept bool      // all threads were asleep at the last look
	ticks uint64    // processor time then
}

// look takes one look and returns Silent, Deadlock, or Exited for nothing to
// see. A deadlock has to be seen twice in a row, with no processor time
// between: one look may fall between two short sleeps.
func (s *silence) look(now time.Time, p pulse) Cause {
	if !p.running || p.runs != s.last.runs {
		s.began = now
	}
	if s.longest > 0 && now.Sub(s.began) >= s.longest {
		return Silent
	}
	if !p.running || p != s.last {
		s.last, s.since, s.slept = p, now, false
		return Exited
	}
	quiet := now.Sub(s.since)
	if quiet >= s.limit {
		return Silent
	}
	if quiet < s.idle {
		return Exited
	}
	ticks, all := s.asleep()
	again := all && s.slept && ticks == s.ticks
	s.slept, s.ticks = all, ticks
	if again {
		return Deadlock
	}
	return Exited
}

// napLook is how often a child is asked whether it sleeps. It costs a fraction of
// a millisecond.
const napLook = 50 * time.Millisecond

// doze is what was seen of a child at the last look.
type doze struct {
	ticks uint64
	slept bool
}

// look reports whether the child rests: it sleeps as it did at the last look, and
// has used no processor time in between.
func (d *doze) look(ticks uint64, all bool) bool {
	resting := all && d.slept && ticks == d.ticks
	d.ticks, d.slept = ticks, all
	return resting
}
