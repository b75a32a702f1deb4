package engine

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/worker"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

const (
	// batchDuration is what tests may take together that share a process.
	batchDuration = 200 * time.Millisecond
	// doubts is how often a failure is repeated that is in doubt, and doubtTime
	// the time after which that is enough.
	doubts    = 8
	doubtTime = time.Second
	// chancesTillDoubt is how many failures of a test that did not repeat raise
	// the question whether it is the test.
	chancesTillDoubt = 2
)

// runMutants runs every pending mutant against the tests that it infects.
func (u *unit) runMutants(ctx context.Context, suites []*suite) error {
	u.countTests(suites)
	var todo []*mutant
	for _, m := range u.pending() {
		n := 0
		for _, t := range allTests(suites) {
			if t.aside != "" {
				continue
			}
			if t.reaches(m) {
				m.reached = true
				m.tests++
			}
			if t.infects(m) {
				m.infected = m.infected || m.Probed
			}
			if t.judges(m) {
				m.due[t.pkg]++
				n++
			}
		}
		if n > 0 {
			todo = append(todo, m)
		}
	}
	defer closeBooks(suites)
	for _, s := range suites {
		u.recall(ctx, s)
		for _, m := range todo {
			u.reuse(s, m)
		}
	}
	todo = slices.DeleteFunc(todo, func(m *mutant) bool { return !m.live() })
	u.progress.Phase("tests", len(todo))
	if err := u.tryMutants(ctx, suites, todo); err != nil {
		return err
	}
	for len(todo) > 0 {
		err := u.runAlone(ctx, suites, slices.DeleteFunc(slices.Clone(todo), func(m *mutant) bool { return !m.live() }))
		if err != nil {
			return err
		}
		todo = u.revive(suites, todo)
	}
	return nil
}

// runAlone runs mutants in processes of their own.
func (u *unit) runAlone(ctx context.Context, suites []*suite, todo []*mutant) error {
	err := each(ctx, u.slots, todo, func(ctx context.Context, sl *slot, m *mutant) error {
		defer u.progress.Step(1)
		for _, s := range suites {
			if err := u.runMutant(ctx, sl, m, s); err != nil || !m.live() {
				return err
			}
		}
		return nil
	})
	if err == nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return err
}

// revive takes back the kills of tests that turned out to be flaky, and returns
// their mutants.
func (u *unit) revive(suites []*suite, todo []*mutant) []*mutant {
	var revived []*mutant
	for _, m := range todo {
		if m.killedBy == nil {
			continue
		}
		for _, s := range suites {
			if t := s.killer(m); t != nil && t.flaky.Load() {
				u.forget(s, m, nil)
				m.revive()
				revived = append(revived, m)
			}
		}
	}
	return revived
}

// countTests counts the tests that reach any mutant.
func (u *unit) countTests(suites []*suite) {
	for _, t := range allTests(suites) {
		if t.aside == "" && slices.ContainsFunc(u.mutants, func(m *mutant) bool { return m.Block >= 0 && t.reaches(m) }) {
			u.count(func(s *results.Stats) { s.Tests++ })
		}
	}
}

// runMutant runs m against the tests of s that it infects, the cheap ones
// together and first.
func (u *unit) runMutant(ctx context.Context, sl *slot, m *mutant, s *suite) error {
	tests := s.against(m)
	if i := slices.Index(tests, m.suspect); i >= 0 {
		unsure, err := u.runBatch(ctx, sl, m, s, tests[i:i+1])
		if err != nil || !m.live() {
			return err
		}
		if unsure == nil { // it passes by itself
			tests = slices.Delete(tests, i, i+1)
		}
	}
	for len(tests) > 0 && m.live() {
		n := 1
		for sum := tests[0].cost(); n < len(tests) && sum+tests[n].cost() < batchDuration; n++ {
			sum += tests[n].cost()
		}
		unsure, err := u.runBatch(ctx, sl, m, s, tests[:n])
		if err != nil {
			return err
		}
		if unsure == nil {
			tests = tests[n:]
		} else {
			tests = slices.DeleteFunc(tests, func(t *test) bool { return t == unsure })
		}
	}
	delete(m.due, s.pkg)
	return nil
}

// runBatch runs m against some tests in one process. A failure has to repeat
// before it counts, as one does that was seen when m was tried. A test of which
// that cannot be said for sure is returned.
func (u *unit) runBatch(ctx context.Context, sl *slot, m *mutant, s *suite, tests []*test) (unsure *test, err error) {
	run, err := u.runActive(ctx, sl, m, tests...)
	if err != nil {
		return nil, err
	}
	if run.outcome.Kind == "" {
		u.rememberPasses(s, m, tests, run.entered)
		return nil, nil
	}
	if m.stuck && run.exit.Cause == worker.Deadlock || len(tests) == 1 && tests[0] == m.suspect {
		m.kill(results.KilledBy{By: results.ByTest, Kind: run.outcome.Kind, Name: nameOf(tests, run.outcome.Failed)})
		u.rememberKill(s, m, run.entered)
		return nil, nil
	}
	culprits := tests
	if t := find(tests, run.outcome.Failed); t != nil {
		culprits = []*test{t}
	}
	again, err := u.repeat(ctx, sl, m, culprits)
	if err != nil {
		return nil, err
	}
	if again.outcome.Kind == "" {
		if err := u.doubt(ctx, sl, culprits[0]); err != nil {
			return nil, err
		}
		u.unconfirmed("%s: a failure of %s did not repeat", m.ID, culprits[0])
		if !culprits[0].flaky.Load() {
			m.atRandom = append(m.atRandom, culprits[0])
			culprits[0].random.Store(true)
		}
		return culprits[0], nil
	}
	m.kill(results.KilledBy{By: results.ByTest, Kind: again.outcome.Kind, Name: nameOf(culprits, again.outcome.Failed)})
	u.rememberKill(s, m, again.entered)
	return nil, nil
}

// doubt runs a test without a mutant that has failed with several mutants by
// chance, in processes of its own: it may fail so by itself.
func (u *unit) doubt(ctx context.Context, sl *slot, t *test) error {
	if t.chances.Add(1) != chancesTillDoubt {
		return nil
	}
	began := u.cfg.Now()
	for i := 0; i < 8*doubts && u.cfg.Now().Sub(began) < doubtTime; i++ {
		run, err := u.surveyRun(ctx, sl, t, 1)
		if err != nil {
			return err
		}
		if run.outcome.Kind != "" {
			t.flaky.Store(true)
			u.setAside(t.pkg, t.name, flakyAlone)
			return nil
		}
	}
	return nil
}

// repeat runs m once more against tests that it failed. A test that m passed
// when it was tried, or that is known to pass and fail, has to fail each of
// several times, and pass as often without m.
func (u *unit) repeat(ctx context.Context, sl *slot, m *mutant, tests []*test) (testRun, error) {
	run, err := u.runActive(ctx, sl, m, tests...)
	if t := tests[0]; len(tests) > 1 || !t.canBeTried() && !t.random.Load() || run.outcome.Kind == results.KindHang {
		return run, err
	}
	began := u.cfg.Now()
	for i := 0; i < doubts && u.cfg.Now().Sub(began) < doubtTime && err == nil && run.outcome.Kind != ""; i++ {
		var original testRun
		if original, err = u.surveyRun(ctx, sl, tests[0], i); err != nil {
			break
		}
		if original.outcome.Kind != "" {
			tests[0].flaky.Store(true)
			u.setAside(tests[0].pkg, tests[0].name, flakyAlone)
			return testRun{}, nil
		}
		run, err = u.runActive(ctx, sl, m, tests...)
	}
	return run, err
}

// runActive runs tests with m active from the start. Where the process does
// nothing any more its stacks may prove early that it never will; if they do
// not, it is run again and given its time.
func (u *unit) runActive(ctx context.Context, sl *slot, m *mutant, tests ...*test) (testRun, error) {
	var steps int64
	var d time.Duration
	for _, t := range tests {
		steps += t.steps
		d += t.duration
	}
	c := u.testCommand(sl, m.number, max(stepFloor, stepFactor*steps), u.wall(max(d, 1)), tests...)
	patient := c
	c.Asleep, c.Prove = max(proveAfter, 2*d), true
	run, err := u.execTests(ctx, sl, c)
	if err == nil && run.exit.Cause == worker.Unproven {
		run, err = u.execTests(ctx, sl, patient)
	}
	if err == nil && run.exit.Cause == worker.Cancelled {
		err = context.Cause(ctx)
	}
	run.entered = sl.state.Funcs()
	return run, err
}

func (u *unit) unconfirmed(format string, args ...any) {
	u.count(func(s *results.Stats) { s.Unconfirmed++ })
	u.progress.Say(fmt.Sprintf(format, args...))
}

func (u *unit) count(f func(*results.Stats)) {
	u.mu.Lock()
	defer u.mu.Unlock()
	f(&u.res.Stats)
}
