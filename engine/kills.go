package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/rank"
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// batchDuration is what tests may take together that share a process.
const batchDuration = 200 * time.Millisecond

// againTime is what tests may take together that have to pass again, if that is to
// be more than once.
const againTime = 50 * time.Millisecond

// oftenTime is what as many runs as it takes to decide may take, in one process, of a test that
// passed a mutant and may have been too slow to notice it.
const oftenTime = 5 * againTime

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
			if t.judges(m) {
				m.judgedBy(t)
				m.due[t.pkg]++
				n++
			}
		}
		if n > 0 {
			todo = append(todo, m)
		}
	}
	for _, s := range suites {
		u.recall(ctx, s)
		for _, m := range todo {
			u.reuse(s, m)
		}
	}
	todo = byLine(slices.DeleteFunc(todo, func(m *mutant) bool { return !m.live() }))
	u.progress.Phase("tests", len(todo))
	if err := u.tryMutants(ctx, suites, todo); err != nil {
		return err
	}
	// A slow test that covers everything is for the few that nothing else kills, and must not
	// keep the others from being judged while there is time.
	for _, of := range []func(*test) bool{isQuick, isAny} {
		for left := u.undecided(suites, todo, of); len(left) > 0; left = u.undecided(suites, todo, of) {
			slices.SortStableFunc(left, func(a, b *mutant) int { return cmp.Compare(a.effort(), b.effort()) })
			if err := u.runAlone(ctx, suites, left, of); err != nil {
				return err
			}
		}
	}
	return nil
}

func isQuick(t *test) bool { return t.duration < slow }

func isAny(*test) bool { return true }

// byLine puts mutants in the order in which to judge them if there may be no time
// for all.
func byLine(mutants []*mutant) []*mutant {
	items := make([]rank.Item, len(mutants))
	for i, m := range mutants {
		items[i] = rankItem(m)
	}
	list := make([]*mutant, len(mutants))
	for i, at := range rank.ByLine(items) {
		list[i] = mutants[at]
	}
	return list
}

// runAlone runs mutants against some of the tests in processes of their own.
func (u *unit) runAlone(ctx context.Context, suites []*suite, todo []*mutant, of func(*test) bool) error {
	err := each(ctx, u.slots, todo, func(ctx context.Context, sl *slot, m *mutant) error {
		for _, s := range m.suspiciousFirst(suites) {
			if !m.live() {
				break
			}
			if err := u.runMutant(ctx, sl, m, s, of); err != nil {
				return err
			}
		}
		if !m.live() || !slices.ContainsFunc(suites, func(s *suite) bool { return m.due[s.pkg] > 0 }) {
			u.progress.Step(1)
		}
		return nil
	})
	if err == nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return err
}

// effort is how long it may take to judge m, in an order: what a trial has seen fail takes a
// run or two, a survivor one of every test, and an endless loop goes on up to its bound.
func (m *mutant) effort() int {
	switch {
	case m.unruly:
		return 2
	case len(m.suspects) > 0:
		return 0
	}
	return 1
}

// isSuspect reports whether t failed, or did not end, when m was tried on it.
func (m *mutant) isSuspect(t *test) bool { return slices.Contains(m.suspects, t) }

// suspiciousFirst is suites with those first that m has failed when it was tried.
func (m *mutant) suspiciousFirst(suites []*suite) []*suite {
	failed := func(s *suite) bool {
		return slices.ContainsFunc(m.suspects, func(t *test) bool { return t.suite == s })
	}
	return slices.SortedStableFunc(slices.Values(suites), func(a, b *suite) int { return lessIf(failed(a), failed(b)) })
}

// countTests counts the tests that reach any mutant.
func (u *unit) countTests(suites []*suite) {
	for _, t := range allTests(suites) {
		if t.aside == "" && slices.ContainsFunc(u.mutants, func(m *mutant) bool { return m.Block >= 0 && t.reaches(m) }) {
			u.count(func(s *results.Stats) { s.Tests++ })
		}
	}
}

// runMutant runs m against some of the tests of s that it infects, those together that
// are cheap.
func (u *unit) runMutant(ctx context.Context, sl *slot, m *mutant, s *suite, of func(*test) bool) error {
	for m.live() {
		all := s.against(m)
		if len(all) == 0 {
			delete(m.due, s.pkg)
		}
		tests := slices.DeleteFunc(all, func(t *test) bool { return !of(t) })
		if len(tests) == 0 {
			return nil
		}
		var err error
		if batch := m.together(tests); len(batch) > 0 {
			err = u.runBatch(ctx, sl, m, batch)
		} else {
			err = u.weighFirst(ctx, sl, m, tests)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// together are those of tests that m runs against next, in one process: the one
// that it failed when it was tried, or the first ones, as far as none has to be
// alone. None are left when all go by chance.
func (m *mutant) together(tests []*test) []*test {
	sure := tests
	if i := slices.IndexFunc(tests, func(t *test) bool { return m.weighs(t) }); i >= 0 {
		sure = tests[:i]
	}
	if i := slices.IndexFunc(sure, m.isSuspect); i >= 0 {
		return sure[i : i+1]
	}
	n := min(1, len(sure))
	sum, steps := time.Duration(0), int64(stepFloor/stepFactor)
	for ; n > 0 && n < len(sure); n++ {
		sum += sure[n-1].cost()
		steps += sure[n-1].steps
		if sure[0].isSolitary() || sure[n].isSolitary() || sum+sure[n].cost() >= batchDuration || sure[n].steps > outweighs*steps {
			break
		}
	}
	return sure[:n]
}

// outweighs is how many times the steps of all tests before it a test does that is not to
// share a process with them: an endless loop in one of these would go on for as long as
// that test may.
const outweighs = 16

// runBatch runs m against some tests in one process. A failure has to repeat
// before it counts, as one does that was seen when m was tried.
func (u *unit) runBatch(ctx context.Context, sl *slot, m *mutant, tests []*test) error {
	hasty := m.isHasty(tests)
	run, err := u.runOn(ctx, sl, one(hasty), m, tests...)
	if err != nil {
		return err
	}
	if run.outcome.Kind == "" {
		return u.passes(ctx, sl, m, tests, run, hasty)
	}
	suspects := suspected(tests, run)
	if len(suspects) > 1 {
		return u.runEach(ctx, sl, m, tests)
	}
	t := suspects[0]
	switch {
	case m.stuck && run.exit.Cause == worker.Deadlock || len(tests) == 1 && m.isSuspect(t) && !run.byClock():
	case len(tests) == 1 && t.cost() > dear && !t.unsteady && !t.goesByChance(m) && !m.unordered && run.repeats():
		// Nothing in it goes by chance, and once more would cost as much again.
	case m.canBeTriedOn(t) && run.outcome.Kind != results.KindHang:
		return u.weigh(ctx, sl, m, t) // for m passed it when it was tried
	default:
		for range m.confirmations(t) {
			if run, err = u.runOn(ctx, sl, one(hasty), m, t); err != nil {
				return err
			}
			if run.outcome.Kind == "" {
				t.contradicted(m)
				return nil
			}
		}
	}
	m.kill(killedBy(suspects, run.outcome))
	u.rememberKill(tests[0].suite, m, run.entered)
	return nil
}

// runEach runs m against tests one by one, which have failed in one process without a word
// about which, as when a goroutine panics that one of them started. If each passes alone it takes
// several: what one has started may end the process when another runs.
func (u *unit) runEach(ctx context.Context, sl *slot, m *mutant, tests []*test) error {
	for _, t := range tests {
		if err := u.runBatch(ctx, sl, m, []*test{t}); err != nil || !m.live() {
			return err
		}
	}
	unsure := func(t *test) bool { return !slices.Contains(m.passed, t) }
	if slices.ContainsFunc(tests, unsure) {
		return nil // these are weighed next
	}
	run, err := u.runActive(ctx, sl, m, tests...)
	if err == nil && run.outcome.Kind != "" {
		m.killInCompany(killedBy(suspected(tests, run), run.outcome))
	}
	return err
}

// confirmations is how often t has to fail again before that counts. If it goes by the clock it
// may well fail twice where it mostly passes; if it failed when m was tried, it has done so
// before.
func (m *mutant) confirmations(t *test) int {
	if t.unsteady && !m.isSuspect(t) && t.cost() <= againTime {
		return 2
	}
	return 1
}

// passes takes in that m passed tests in run, some of which it has to pass again; if hasty, on
// one processor only.
func (u *unit) passes(ctx context.Context, sl *slot, m *mutant, tests []*test, run testRun, hasty bool) error {
	unsteady := m.toPassAgain(tests)
	for range m.againFor(unsteady) {
		again, err := u.runActive(ctx, sl, m, unsteady...)
		if err != nil {
			return err
		}
		if again.outcome.Kind != "" {
			suspected(unsteady, again)[0].contradicted(m)
			return nil
		}
	}
	for _, t := range unsteady {
		if passes, err := u.passesOften(ctx, sl, m, t); err != nil || !passes {
			return err
		}
	}
	m.passed = append(m.passed, tests...)
	if hasty {
		m.owes = append(m.owes, owed{tests, run.entered})
	} else {
		u.rememberPasses(tests[0].suite, m, tests, run.entered)
	}
	return nil
}

// passesOften reports whether m passes t, as far as the clock decides that, many times in one
// process too: when it has just started, and is instrumented, it may be too slow for what t
// would notice. It is not asked of what takes long, or did not end when it was tried.
func (u *unit) passesOften(ctx context.Context, sl *slot, m *mutant, t *test) (bool, error) {
	if !m.unsteady || !t.unsteady || m.unruly || m.canBeTriedOn(t) || t.cost() > oftenTime/unanimous {
		return true, nil
	}
	if err := u.doubt(ctx, sl, t); err != nil || t.flaky.Load() {
		return false, err
	}
	f, run, err := u.runTogether(ctx, sl, m.number, t)
	if f.failed > 0 {
		t.contradicted(m)
	}
	m.unruly = run.outcome.Kind == results.KindHang
	return f.failed == 0, err
}

// againFor is how often tests run once more together: once, if it is but the order of
// maps that may differ, for m was tried often enough on those that go by anything else.
func (m *mutant) againFor(tests []*test) int {
	varies := func(t *test) bool { return t.unsteady && !m.canBeTriedOn(t) }
	if len(tests) == 0 || !m.hidesOrder() && !slices.ContainsFunc(tests, varies) {
		return min(len(tests), 1)
	}
	var sum time.Duration
	for _, t := range tests {
		sum += t.duration
		if t.cost() > dear {
			return 1
		}
	}
	return min(max(int(againTime/max(sum, 1)), 1), several-1)
}

// toPassAgain are those of tests that may not always do the same. Where a mutant was
// tried on them it passed them often enough, but for those in which only the first
// time in a process tells. What is dear passes again only if it hangs on more than the
// order of maps.
func (m *mutant) toPassAgain(tests []*test) []*test {
	return slices.DeleteFunc(slices.Clone(tests), func(t *test) bool {
		again := (t.inAnyOrder || m.hidesOrder()) && t.cost() <= dear || t.unsteady && !m.canBeTriedOn(t)
		return !again
	})
}

// hidesOrder reports whether the order of a map decides what m does once in a process.
func (m *mutant) hidesOrder() bool { return m.lasts && m.unordered }

// suspected are those of tests that may have failed in run: the one that it
// names, or else all.
func suspected(tests []*test, run testRun) []*test {
	if t := find(tests, run.outcome.Failed); t != nil {
		return []*test{t}
	}
	return tests
}

// runActive runs tests with m active from the start.
func (u *unit) runActive(ctx context.Context, sl *slot, m *mutant, tests ...*test) (testRun, error) {
	return u.runOn(ctx, sl, 0, m, tests...)
}

// runOn is runActive on some processors, as Command.Processors.
func (u *unit) runOn(ctx context.Context, sl *slot, processors int, m *mutant, tests ...*test) (testRun, error) {
	steps, d := efforts(tests)
	c := u.testCommand(sl, m.number, max(stepFloor, stepFactor*steps), u.wall(max(d, 1)), tests...)
	c.Processors = processors
	run, err := u.execImpatiently(ctx, sl, c, d)
	if err == nil && run.exit.Cause == worker.Cancelled {
		err = context.Cause(ctx)
	}
	run.entered = sl.state.Funcs()
	u.spend(run.exit.Duration, tests...)
	return run, err
}

// efforts are the steps and the time that tests take one after the other.
func efforts(tests []*test) (steps int64, d time.Duration) {
	for _, t := range tests {
		steps += t.steps
		d += t.duration
	}
	return steps, d
}

// execImpatiently is execTests for tests that take d without a mutant. Where the process
// does nothing any more its stacks may prove early that it never will; if they do not, it
// is run again and given its time.
func (u *unit) execImpatiently(ctx context.Context, sl *slot, c worker.Command, d time.Duration) (testRun, error) {
	patient := c
	c.Asleep, c.Prove = max(proveAfter, 2*d), true
	run, err := u.execTests(ctx, sl, c)
	if err == nil && run.exit.Cause == worker.Unproven {
		run, err = u.execTests(ctx, sl, patient)
	}
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
