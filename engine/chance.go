package engine

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/probe"
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Some tests go by the clock, by random numbers or by the order in which
// goroutines run. Whether such a test notices a mutant is a matter of how often,
// and one run says little. So what a test says that is known to be of this kind
// is weighed: it runs alone in new processes until its word is clear, and counts
// as what it says nearly always. What it says only now and then must not decide,
// or the next analysis would find something else.

const (
	// several is how many runs tell something.
	several = 6
	// unanimous is how many runs decide, each in a process of its own, if all end
	// the same way; hesitant, if runs in one process did not.
	unanimous = 12
	hesitant  = 25
	// weighings is how many decide at most, as far as weighTime allows, but few in
	// any case; fewer do, hesitant at least, if more would hardly change the verdict.
	weighings = 300
	weighTime = time.Second
	few       = 5
	// weighingsTogether are how many do if they share a process, for 300 of a test that fails in
	// three of four runs come near seven of eight once in a hundred times.
	weighingsTogether = 1000
	// orderTime is what they may take instead of weighTime where the order of a map decides.
	orderTime = 8 * weighTime
	// A test that never fails without a mutant and in most runs with it notices it;
	// one that passes with it has to do so nearly always. Few tests are near either
	// bound: where bits or the order of a map decide, 1/2, 2/3, 3/4 or 7/8 of the
	// runs fail, and mostly is as unlikely to be taken for one of the last two as for
	// the other; where the clock does, nearly all or nearly none.
	mostly = 0.82
	hardly = 0.04
	// together is how many runs share a process, if togetherTime allows, and
	// manyTogether if even that is but manyTime: what is noticed once in twenty runs
	// may well not be in 32. unanimous ones do in any case that take no more than
	// unanimousTime: fewer would have to be done again apart, at twice the cost.
	together      = 32
	togetherTime  = 60 * time.Millisecond
	manyTogether  = 128
	manyTime      = 10 * time.Millisecond
	unanimousTime = weighTime
	// doubts is how often the program itself runs, each time in a process of its
	// own, to find out whether a test fails by chance without any mutant, as far as
	// weighTime allows; for one that passes many times in one process it takes no
	// more than several.
	doubts = 64
	// countedOutput is how many bytes of output failures are counted in. Nothing is counted where
	// there is more.
	countedOutput = 4 << 20
)

// within is how often t can run alone in d, but no less than least and no more
// than most: the same on a busy machine, where a clock would allow fewer runs.
func (t *test) within(d time.Duration, least, most int) int {
	return min(max(int(d/max(t.duration, 1)), least), most)
}

// frequency is how often a test has passed and failed with one mutant.
type frequency struct{ passed, failed int }

func (f frequency) runs() int { return f.passed + f.failed }

// clear reports whether more runs would hardly change the verdict. enough is how
// many it takes when all end the same way.
func (f frequency) clear(enough int) bool {
	n := f.runs()
	return n >= weighings || f.agrees(enough) || n >= hesitant && f.far(mostly) && f.far(hardly)
}

// agrees reports whether so many runs, at least, have all ended the same way.
func (f frequency) agrees(enough int) bool {
	return f.runs() >= enough && (f.passed == 0 || f.failed == 0)
}

// far reports whether the part of the runs that fail differs from bound by more than
// chance would have it: three standard deviations.
func (f frequency) far(bound float64) bool { return f.apart(bound, 3) }

// apart reports whether the part of the runs that fail differs from bound by more than
// so many standard deviations.
func (f frequency) apart(bound, deviations float64) bool {
	n := float64(f.runs())
	return math.Abs(float64(f.failed)/n-bound) > deviations*math.Sqrt(bound*(1-bound)/n)
}

// fails reports whether the test mostly fails.
func (f frequency) fails() bool { return float64(f.failed) >= mostly*float64(f.runs()) }

// passes reports whether the test hardly ever fails.
func (f frequency) passes() bool { return float64(f.failed) <= hardly*float64(f.runs()) }

// weigh decides by frequency what t says of m. Runs that share a process are
// cheap, but if one leaves something there that may mislead the next they decide
// only if they agree. Where the clock decides, what fails in them has not passed
// because it does so apart: the first run in a process is slow, and an instrumented
// one slower than what go test runs.
func (u *unit) weigh(ctx context.Context, sl *slot, m *mutant, t *test) error {
	if err := u.doubt(ctx, sl, t); err != nil || t.flaky.Load() {
		return err
	}
	f, run, err := u.runTogether(ctx, sl, m.number, t)
	if err != nil {
		return err
	}
	inOne := f
	if enough := m.apart(t, f); enough > 0 {
		often := t.inOneProcess(f, run.exit.Duration)
		if often > 0 {
			f, run, err = u.runOften(ctx, sl, m.number, t, often)
		}
		if err == nil && (often == 0 || f.runs() == 0) {
			f, run, err = u.runApart(ctx, sl, m, t, enough)
		}
		if err != nil {
			return err
		}
	}
	m.weighed = append(m.weighed, t)
	if f.passed > 0 && f.failed > 0 {
		t.contradicted(m)
	}
	switch {
	case f.fails():
		m.kill(killedBy([]*test{t}, run.outcome))
		u.rememberKill(t.suite, m, run.entered)
	case f.passes() && !(m.unsteady && !inOne.passes()):
		m.passed = append(m.passed, t)
		u.rememberPasses(t.suite, m, []*test{t}, run.entered)
	default:
		m.atRandom = append(m.atRandom, t)
	}
	return nil
}

// apart is how many runs of t in processes of their own decide, after those in one process came
// to f, if all end the same way; 0 if these decide.
func (m *mutant) apart(t *test, f frequency) int {
	wavers := slices.Contains(m.unsure, t) && !t.remembers // it was seen to pass and to fail
	switch {
	case wavers && f.agrees(0):
		return weighings
	case f.agrees(unanimous) || !t.remembers && f.clear(unanimous):
		return 0
	case wavers:
		return weighings
	case f.agrees(0):
		return unanimous
	case t.remembers:
		return hesitant
	}
	return weighings // it has passed and failed, so it will
}

// inOneProcess is how often t is to run again in one process, after it came to f in one that took
// some time; 0 if new processes say more.
func (t *test) inOneProcess(f frequency, took time.Duration) int {
	switch {
	case f.runs() == 0: // it cannot
	case t.seeded: // new processes would all do again what this one began with
		return t.within(weighTime, unanimous, weighings)
	case t.goesByOrder(f) && !t.remembers: // and there is time for as many runs however busy the machine
		each := max((took-t.start)/time.Duration(f.runs()), t.each, 1)
		return min(max(int(weighTime/each), unanimous), weighingsTogether)
	}
	return 0
}

// goesByOrder reports whether the order of a map decides, anew in each run, what t says of a
// mutant: it has done both, and by its source always does the same. It takes many runs to tell
// whether it fails in 3/4 of them or in 7/8.
func (t *test) goesByOrder(f frequency) bool { return f.passed > 0 && f.failed > 0 && !t.unsteady }

// weighFirst decides what one of tests says of m, all of which go by chance; or of all those
// that need not be weighed one by one, if that would take long and m passes them.
func (u *unit) weighFirst(ctx context.Context, sl *slot, m *mutant, tests []*test) error {
	var many []*test
	var all, once time.Duration
	for _, t := range tests {
		if err := u.doubt(ctx, sl, t); err != nil {
			return err
		}
		if !t.flaky.Load() && !t.single && !slices.Contains(m.unsure, t) {
			many = append(many, t)
			once += t.each
			all += t.start + time.Duration(t.oftenTogether())*t.each
		}
	}
	if all <= weighTime || once > weighTime/unanimous {
		return u.weigh(ctx, sl, m, tests[0])
	}
	n := min(max(int(weighTime/once), unanimous), together)
	run, err := u.runCounted(ctx, sl, m.number, n, nil, many...)
	if err != nil {
		return err
	}
	if run.outcome.Kind != "" {
		return u.weighEach(ctx, sl, m, suspected(many, run))
	}
	m.weighed = append(m.weighed, many...)
	m.passed = append(m.passed, many...)
	u.rememberPasses(tests[0].suite, m, many, run.entered)
	return nil
}

// weighEach decides what each of tests says of m, until one kills it.
func (u *unit) weighEach(ctx context.Context, sl *slot, m *mutant, tests []*test) error {
	for _, t := range tests {
		if !m.live() {
			break
		}
		if err := u.weigh(ctx, sl, m, t); err != nil {
			return err
		}
	}
	return nil
}

// runApart runs t with m, each time in a new process, until it is clear what it
// says. run is the last one that ended as most did.
func (u *unit) runApart(ctx context.Context, sl *slot, m *mutant, t *test, enough int) (f frequency, run testRun, err error) {
	w := weighing{test: t, most: t.within(weighTime, few, weighings), sure: func(f frequency) bool { return f.clear(enough) }}
	err = u.runUntilSure(ctx, sl, m, &w)
	if err == nil && t.goesByOrder(w.frequency) {
		w.most = min(max(int(orderTime/max(w.took/time.Duration(w.runs()), 1)), w.most), weighings)
		err = u.runUntilSure(ctx, sl, m, &w)
	}
	if w.failed > w.passed {
		return w.frequency, w.failure, err
	}
	return w.frequency, w.pass, err
}

// weighing is how often a test is run with a mutant, and what comes of it.
type weighing struct {
	test *test
	most int                  // runs
	sure func(frequency) bool // whether these are enough
	by   *test                // the one whose failures count; nil: any

	frequency
	took          time.Duration // all of them together
	pass, failure testRun       // the last of each
}

// runUntilSure runs a test with m, each time in a new process.
func (u *unit) runUntilSure(ctx context.Context, sl *slot, m *mutant, w *weighing) error {
	for w.runs() < w.most && !w.sure(w.frequency) {
		run, err := u.runActive(ctx, sl, m, w.test)
		if err != nil {
			return err
		}
		w.took += run.exit.Duration
		if by := find(w.test.tests, run.outcome.Failed); run.outcome.Kind == "" || w.by != nil && by != nil && by != w.by {
			w.passed++
			w.pass = run
			continue
		}
		w.failed++
		w.failure = run
		if w.passed == 0 && w.failed == 2 && run.outcome.Kind == results.KindHang {
			return nil // more of these take too long
		}
	}
	return nil
}

// oftenTogether is how often t runs in one process, to be weighed.
func (t *test) oftenTogether() int {
	cost := cmp.Or(t.each, t.cost())
	if cost == 0 {
		return manyTogether
	}
	n := int(min(togetherTime/cost, max(together, min(manyTogether, manyTime/cost))))
	if n < unanimous && unanimous*cost <= unanimousTime {
		return unanimous
	}
	return n
}

// runTogether runs t many times in one process with M set. No runs are counted
// where it cannot do that, or where only some fail and it is not known which.
func (u *unit) runTogether(ctx context.Context, sl *slot, number int, t *test) (f frequency, run testRun, err error) {
	n := t.oftenTogether()
	if n < several || t.single {
		return f, run, nil
	}
	return u.runOften(ctx, sl, number, t, n)
}

// runOften runs t n times in one process with M set.
func (u *unit) runOften(ctx context.Context, sl *slot, number int, t *test, n int) (f frequency, run testRun, err error) {
	run, err = u.runCounted(ctx, sl, number, n, []string{"-test.failfast=false"}, t)
	if err == nil {
		f = run.frequency(t, n)
	}
	return f, run, err
}

// frequency is how often t has passed and failed in a process that ran it n times; zero where
// some failed and that cannot be counted.
func (r testRun) frequency(t *test, n int) frequency {
	switch {
	case r.outcome.Kind == "":
		return frequency{passed: n}
	case r.outcome.Kind != results.KindTest || len(r.exit.Output) >= countedOutput:
		return frequency{}
	}
	failed := bytes.Count(r.exit.Output, []byte("--- FAIL: "+t.name+" ("))
	if failed == 0 { // TestMain has the last word
		return frequency{}
	}
	return frequency{passed: n - failed, failed: failed}
}

// runCounted runs tests n times in one process with M set, and further flags.
func (u *unit) runCounted(ctx context.Context, sl *slot, number, n int, flags []string, tests ...*test) (testRun, error) {
	steps, d := efforts(tests)
	c := u.testCommand(sl, number, max(stepFloor, stepFactor*int64(n)*steps), u.wall(time.Duration(n)*d), tests...)
	c.OutputLimit = countedOutput
	c.Args = append(append(c.Args, flags...), fmt.Sprintf("-test.count=%d", n))
	run, err := u.execImpatiently(ctx, sl, c, d) // one run may leave a lock to the next
	run.entered = sl.state.Funcs()
	if err == nil && run.exit.Cause == worker.Cancelled {
		err = context.Cause(ctx)
	}
	return run, err
}

// doubt finds out, once, whether a test that goes by chance fails so without a
// mutant too: then it judges nothing; and whether it can run more than once in a
// process.
func (u *unit) doubt(ctx context.Context, sl *slot, t *test) error {
	t.doubting.Lock()
	defer t.doubting.Unlock()
	if t.doubted {
		return nil
	}
	f, run, err := u.runTogether(ctx, sl, probe.Original, t)
	if err != nil {
		return err
	}
	if t.single = f.passed == 0 || f.failed > 0; !t.single {
		t.each = max((run.exit.Duration-t.start)/time.Duration(f.passed), 1)
	}
	runs := several
	switch {
	case t.single:
		runs = t.within(weighTime, several, doubts)
	case t.isMisled(): // runs in one process say little
		runs = t.within(weighTime, several, hesitant)
	}
	for i := range runs {
		run, err := u.surveyRun(ctx, sl, i%minSurveys, t)
		if err != nil {
			return err
		}
		if run.outcome.Kind != "" {
			t.flaky.Store(true)
			u.setAside(t.pkg, t.name, flakyAlone)
			break
		}
	}
	t.doubted = true
	return nil
}

// undecided returns the mutants that some of the tests have still to judge: of each live one
// those that it has not run against, and of tests that turned out to go by
// chance meanwhile those that were not weighed. Kills of such tests, and of ones
// that turned out to fail by themselves, are taken back.
func (u *unit) undecided(suites []*suite, judged []*mutant, of func(*test) bool) []*mutant {
	var list []*mutant
	for _, m := range judged {
		for _, s := range suites {
			if t := s.killer(m); t != nil && !m.believes(t) {
				u.forget(s, m, nil)
				m.revive()
			}
		}
		if !m.live() {
			continue
		}
		some := false
		for _, s := range suites {
			left := s.against(m)
			if m.due[s.pkg] = len(left); len(left) == 0 {
				delete(m.due, s.pkg)
			}
			some = some || slices.ContainsFunc(left, of)
		}
		if some {
			list = append(list, m)
		}
	}
	return list
}

// weighs reports whether one run of t says little of m.
func (m *mutant) weighs(t *test) bool { return t.goesByChance(m) || slices.Contains(m.unsure, t) }

// believes reports whether what t was seen to say of m counts.
func (m *mutant) believes(t *test) bool {
	return !t.flaky.Load() && (!t.goesByChance(m) || slices.Contains(m.weighed, t))
}
