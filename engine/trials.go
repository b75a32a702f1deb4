package engine

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/mutantfuzz/mutantfuzz/engine/probe"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Most mutants are killed by the first tests that run them, and then starting
// the process is most of the cost. So mutants are first tried, many in one
// process. Only failures that the original does not share count there; whatever
// passes, or is in doubt, gets processes of its own afterwards.

// maxTrials is how many mutants a process is given at once: few enough that
// all slots end at about the same time.
const maxTrials = 64

// trialQueue hands out the mutants of one suite.
type trialQueue struct {
	mu      sync.Mutex
	mutants []*mutant
}

func (q *trialQueue) next() []*mutant {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := min(len(q.mutants), maxTrials)
	batch := q.mutants[:n:n]
	q.mutants = q.mutants[n:]
	return batch
}

// A test is repeated with a mutant that it fails, and with one that it passes, as
// often as these allow.
const (
	trialRepeats = 40
	trialTime    = 200 * time.Microsecond
	// These are for mutants of functions in which the order of a map may decide, which
	// with few keys can differ in one run of eight only; carefulLeast is how often a
	// test is repeated with them in any case.
	carefulRepeats = 120
	carefulTime    = 50 * time.Millisecond
	carefulLeast   = 16
	// And these are for tests that may not always do the same, whatever else passes.
	unsteadyLeast = 24
	unsteadyTime  = time.Millisecond
)

// dear is what a test takes, about, that gains nothing from sharing a process.
// Where it kills, two processes cost less than the three runs of a trial; where
// it does not, it needs a process in any case.
const dear = 5 * time.Millisecond

// tryMutants tries mutants on the tests of suites, and kills those that fail for
// sure.
func (u *unit) tryMutants(ctx context.Context, suites []*suite, todo []*mutant) error {
	for _, s := range suites {
		if err := u.trySuite(ctx, s, todo); err != nil {
			return err
		}
	}
	return nil
}

// trySuite tries mutants on the tests of one suite, in all slots.
func (u *unit) trySuite(ctx context.Context, s *suite, todo []*mutant) error {
	q := &trialQueue{}
	for _, m := range todo {
		if m.live() && len(s.trialsFor(m)) > 0 {
			q.mutants = append(q.mutants, m)
		}
	}
	g, ctx := errgroup.WithContext(ctx)
	for range u.cfg.Workers {
		g.Go(func() (err error) {
			defer contain(&err)
			sl := u.slots.take()
			defer u.slots.give(sl)
			for batch := q.next(); len(batch) > 0; batch = q.next() {
				if err := u.tryBatch(ctx, sl, s, batch); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return g.Wait()
}

// trialsFor are the tests of s that m can be tried on.
func (s *suite) trialsFor(m *mutant) []*test {
	return slices.DeleteFunc(s.against(m), func(t *test) bool { return !m.canBeTriedOn(t) })
}

// tryBatch tries mutants in as few processes as it takes: a new one after each
// mutant that the process did not survive.
func (u *unit) tryBatch(ctx context.Context, sl *slot, s *suite, batch []*mutant) error {
	for {
		// Tests may have been struck off since.
		batch = slices.DeleteFunc(batch, func(m *mutant) bool { return len(s.trialsFor(m)) == 0 })
		if len(batch) == 0 {
			return nil
		}
		n, err := u.tryProcess(ctx, sl, s, batch)
		if err != nil {
			return err
		}
		batch = batch[n:]
	}
}

// tryProcess tries mutants in one process and returns how many of them need no other one.
func (u *unit) tryProcess(ctx context.Context, sl *slot, s *suite, batch []*mutant) (int, error) {
	job, tests := s.trialJob(batch)
	if len(tests) == 0 { // another process has just struck them off
		return len(batch), nil
	}
	a := attempt{unit: u, suite: s, batch: batch}
	c := worker.Command{
		Binary: s.binary, Dir: s.dir, State: sl.state, Job: job, OnEvent: a.hear, Bounds: u.bounds(nil),
		Args: append(worker.TestArgs(0, weave.Trials), u.cfg.TestFlags...),
	}
	c.Processors = one(areFrugal(tests))
	// Whatever it was, the mutant gets a process of its own next.
	c.Longest = trialLimit
	longest := slices.MaxFunc(tests, func(a, b *test) int { return cmp.Compare(a.duration, b.duration) })
	c.Silence, c.Asleep, c.Prove = u.wall(longest.duration), max(proveAfter, 2*longest.duration), true
	run, err := u.execTests(ctx, sl, c)
	if err == nil && run.exit.Cause == worker.Cancelled {
		err = context.Cause(ctx)
	}
	if run.exit.Cause == worker.Lied {
		u.distrustTrials(s, run.exit.Lie)
	}
	return a.end(run.exit.Cause), err
}

// attempt is a process in which mutants are tried, one after the other.
type attempt struct {
	unit    *unit
	suite   *suite
	batch   []*mutant
	judged  int   // how many it gave a verdict for
	began   bool  // it came to try any
	done    bool  // it ended of its own accord
	initial []int // functions that its initialisation had entered
}

// hear takes in what the process says.
func (a *attempt) hear(e *probe.Event) {
	switch e.Event {
	case probe.EventReady:
		a.began, a.initial = true, e.Funcs
	case probe.EventTrial:
		if a.judged < len(a.batch) && e.Mutant == a.batch[a.judged].number {
			a.unit.tryVerdict(a.suite, a.batch[a.judged], e, a.initial)
			a.judged++
		}
	case probe.EventDone:
		a.done = a.judged > 0
	}
}

// end takes in how the process ended and returns how many mutants need no other one: those
// that it gave a verdict for, and the next one if that took it along. If it is done but not
// with all, the last of these has worn it out.
func (a *attempt) end(cause worker.Cause) int {
	if !a.began && cause != worker.Lost && cause != worker.Lied {
		a.suite.untried() // as where TestMain does not run what it is told to
	}
	if a.done || a.judged == len(a.batch) {
		return a.judged
	}
	m := a.batch[a.judged]
	m.unruly, m.stuck = true, cause == worker.Deadlock
	return a.judged + 1
}

// trialLimit is how long one run of a test may take when a mutant is tried, whatever it does:
// some hundred times what any takes that mutants are tried on. A loop without end that copies
// more each time is far from its bound after that.
const trialLimit = 2 * time.Second

// trialFloor is how many steps a mutant may take in any case when it is tried. It is suspected of
// not ending after that, and has stepFloor steps to prove otherwise in a process of its own.
const trialFloor = stepFloor / 8

// onTrial is t as mutants are tried on it.
func (t *test) onTrial() probe.TrialTest {
	trial := probe.TrialTest{Name: t.name, Steps: max(trialFloor, stepFactor*t.steps)}
	if t.unsteady {
		trial.Steps = max(trial.Steps, stepFloor) // for a hang has to be seen twice
		trial.Least, trial.LeastTime = unsteadyLeast, int64(unsteadyTime)
	}
	return trial
}

// untried strikes all tests of s off those that mutants are tried on.
func (s *suite) untried() {
	for _, t := range s.tests {
		t.tried.Store(false)
	}
}

// trialJob is the job of trying mutants, and the tests in it.
func (s *suite) trialJob(batch []*mutant) (job *probe.Job, tests []*test) {
	job = &probe.Job{Kind: probe.JobTrials}
	index := map[*test]int{}
	for _, m := range batch {
		trial := probe.Trial{Mutant: m.number, Repeats: trialRepeats, RepeatTime: int64(trialTime)}
		if m.unordered {
			trial.Repeats, trial.RepeatTime, trial.Least = carefulRepeats, int64(carefulTime), carefulLeast
		}
		for _, t := range s.trialsFor(m) {
			i, ok := index[t]
			if !ok {
				i = len(job.Tests)
				index[t] = i
				job.Tests = append(job.Tests, t.onTrial())
				tests = append(tests, t)
			}
			trial.Tests = append(trial.Tests, i)
		}
		job.Trials = append(job.Trials, trial)
	}
	return job, tests
}

// tryVerdict takes in what a process said of m. Initial are the functions that its
// initialisation had entered.
func (u *unit) tryVerdict(s *suite, m *mutant, e *probe.Event, initial []int) {
	t := find(s.tests, []string{e.Message})
	switch e.Outcome {
	case probe.OutcomeOK: // something that lasts may have hidden m
	case probe.OutcomeHang:
		m.unruly = true
		if t != nil {
			m.suspects = append(m.suspects, t)
		}
	case probe.OutcomePanic, probe.OutcomeFailure:
		if t == nil {
			break
		}
		if t.remembers || u.entered(m, initial) { // what an earlier mutant, or the original, left there may be to blame
			m.suspects = append(m.suspects, t)
			break
		}
		o := worker.Outcome{Kind: results.KindTest, Failed: []string{e.Message}}
		if e.Outcome == probe.OutcomePanic {
			o.Kind = results.KindCrash
		}
		u.progress.Step(1)
		m.kill(killedBy([]*test{t}, o))
		u.rememberKill(s, m, e.Funcs)
	case probe.OutcomeDrift: // it cannot be repeated in one process
		if t != nil {
			t.tried.Store(false)
		}
	case probe.OutcomeRandom:
		if t == nil {
			break
		}
		m.unsure = append(m.unsure, t)
		if !t.remembers { // else it may be what the mutant itself left there
			t.contradicted(m)
		}
	}
}

// entered reports whether m's function is among those that a process has entered.
func (u *unit) entered(m *mutant, funcs []int) bool {
	return slices.ContainsFunc(funcs, func(i int) bool { return u.woven.Funcs[i].ID == m.Function })
}

// registerTests returns the overlay for the tests of further packages: that
// of the woven binary, and their test files with the tests registered.
func (u *unit) registerTests(pkgs []string) (map[string]string, error) {
	files, registered, err := weave.WeaveTests(weave.Input{Root: u.scope.Tree, ProbePath: u.probePath, Tests: u.testFiles(pkgs)})
	if err != nil {
		return nil, err
	}
	maps.Copy(u.registered, registered)
	overlay, err := writeOverlay(filepath.Join(u.work, fmt.Sprintf("dependents%d", u.number)), files)
	if err != nil {
		return nil, err
	}
	maps.Copy(overlay, u.overlay)
	return overlay, nil
}
