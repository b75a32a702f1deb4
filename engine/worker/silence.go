package worker

import "time"

// pulse is what changes while user code makes progress.
type pulse struct {
	running     bool
	runs, steps int64
}

// pulseOf reads the child's state file. Without a job nothing marks when user code runs, so it is taken to run all
// the time.
func pulseOf(c *Command) pulse {
	return pulse{running: c.Job == nil || c.State.InRun(), runs: c.State.Runs(), steps: c.State.Steps()}
}

// silence finds children that make no progress. A child that takes no steps may also be blocked. asleep reports
// whether all of its threads sleep, and how much it has done so far, in processor time and output.
type silence struct {
	limit  time.Duration
	idle   time.Duration // time without progress after which asleep is called
	asleep func() (done uint64, all bool)

	busy   time.Duration        // processor time without progress; 0: no limit
	used   func() time.Duration // processor time of the child so far
	before *time.Duration       // result of used at its first call since last; nil: not called

	longest time.Duration // limit on one run; 0: none
	began   time.Time     // when the run was first seen

	last  pulse
	since time.Time // when last was first seen
	doze  doze      // since then
}

// look looks at the child once. It returns Silent or Deadlock, or Exited if there is nothing to report. For Deadlock
// the child must also have slept at the previous look, and have done nothing since: a busy child may sleep at one
// look.
func (s *silence) look(now time.Time, p pulse) Cause {
	if !p.running || p.runs != s.last.runs {
		s.began = now
	}
	if s.longest > 0 && now.Sub(s.began) >= s.longest {
		return Silent
	}
	if !p.running || p != s.last {
		s.last, s.since, s.doze, s.before = p, now, doze{}, nil
		return Exited
	}
	switch quiet := now.Sub(s.since); {
	case quiet >= s.limit || s.busy > 0 && quiet >= busyLook && s.tooBusy():
		return Silent
	case quiet >= s.idle && s.doze.look(s.asleep()):
		return Deadlock
	}
	return Exited
}

// busyLook is the time without progress after which processor time is looked up.
const busyLook = time.Second

// tooBusy reports whether the child has used more processor time without progress than it may, counted from the first
// call. Unlike wall-clock time, that is the same on a machine that is busy with other things.
func (s *silence) tooBusy() bool {
	used := s.used()
	if s.before == nil {
		s.before = &used
	}
	return used-*s.before >= s.busy
}

// napLook is the interval at which to look whether a child sleeps. One look takes a fraction of a millisecond.
const napLook = 50 * time.Millisecond

// doze is what was seen of a child at the last look.
type doze struct {
	ticks uint64
	slept bool
}

// look reports whether the child rests: it sleeps now, it slept at the last look, and it has done nothing in between.
func (d *doze) look(ticks uint64, all bool) bool {
	resting := all && d.slept && ticks == d.ticks
	d.ticks, d.slept = ticks, all
	return resting
}
