package judge

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/singleflight"

	"github.com/mutantfuzz/mutantfuzz/engine/executor"
	"github.com/mutantfuzz/mutantfuzz/engine/ledger"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// Durations without a mutant from which on a suite or a test is treated differently.
const (
	largeSuite = 3 * time.Second       // a large suite: each mutant runs only on the tests that infect it
	longSuite  = largeSuite / 6        // a long suite: it is surveyed in fewer forms
	wholeLimit = 4 * largeSuite        // limit on surveying a suite as a whole; longer if processes start slowly
	slowTest   = time.Second           // a slow test: it runs last, and by itself
	longTest   = 30 * time.Millisecond // a long test: it needs fewer runs to kill, and comes after shorter ones
	spareTest  = 10 * time.Millisecond // a test to spare: left out for mutants that it does not infect
)

// Survey is what the tests of a suite do without a mutant.
type Survey struct {
	Suite       *executor.Suite
	Tests       []string // in the order of go test, without quarantined ones
	Quarantined []Quarantined
	subtests    []Quarantined // left out, of tests that are not quarantined: see Suite.Without
	Took        time.Duration // duration of a run of the whole suite; of a large one, of its tests together
	Large       bool
	Cut         bool            // the run of the whole suite was ended early, so that its coverage is incomplete
	Missed      []string        // tests of a large suite that may reach mutants but were not surveyed in time
	late        map[string]bool // tests that were missed at first, and surveyed later
	done        bool            // the survey is complete, apart from Missed
	Failure     *BaselineError  // no test passes, as far as is known; nil: some do, or there are none
	failed      *BaselineError  // of a large suite: a failure before its tests ran one by one
	start       time.Duration   // duration of a process that runs no test

	whole         coverage                // of whole-suite runs without quarantined tests
	all           coverage                // of runs that include quarantined tests
	by            map[string]*coverage    // by test, if known; in a large suite, known for all Tests
	alone         sync.Map                // by test: whether it passes alone without a mutant
	checks        singleflight.Group      // the runs for alone, by test
	ofQuarantined map[string]*coverage    // by quarantined test, if known
	known         map[int]ledger.Decision // verdicts of earlier analyses, by mutant
	runs          ledger.Ledger           // of mutants

	doubts ledger.Doubts
}

func newSurvey(s *executor.Suite) *Survey {
	return &Survey{Suite: s, by: map[string]*coverage{}, ofQuarantined: map[string]*coverage{}, late: map[string]bool{}, known: map[int]ledger.Decision{}}
}

// Unfinished returns the tests that are known not to have run to their end: quarantined ones, which fail, and those
// that skipped the rest of themselves, or that TestMain did not let run. What they would do where they have all they need
// is unknown. It leaves out Plain tests that were seen to run: what they compare at the end has nothing to do with that.
func (v *Survey) Unfinished() []string {
	idle := v.whole.idle && !v.hides()
	failing := slices.DeleteFunc(v.quarantined(), func(test string) bool {
		seen := v.ofQuarantined[test]
		return v.Plain(test) && seen != nil && seen.blocks != nil
	})
	return append(failing, slices.DeleteFunc(slices.Clone(v.Tests), func(test string) bool {
		return !idle && (v.by[test] == nil || !v.by[test].skips)
	})...)
}

// Skipping returns the tests that skip the rest of themselves or of a subtest, as far as that is known.
func (v *Survey) Skipping() []string {
	return slices.DeleteFunc(slices.Clone(v.Tests), func(test string) bool { return v.by[test] == nil || !v.by[test].skips })
}

// hides reports whether tests run although no output shows it. They may have replaced standard output.
func (v *Survey) hides() bool { return v.whole.idle && len(v.whole.blocks) > 0 }

// Ran returns the blocks that the tests of the suite run without a mutant, except the quarantined ones.
func (v *Survey) Ran() []int { return slices.Collect(maps.Keys(v.whole.blocks)) }

// Failing returns the quarantined tests that fail here, instrumented or not, and those that do not end. It leaves out
// flaky tests. What these tests would do elsewhere, beyond the point of failure or in time, is unknown.
func (v *Survey) Failing() (failing, unended []string) {
	for _, q := range v.Quarantined {
		switch q.Why {
		case FailsSometimes, executor.FailsWoven:
		case DoesNotEnd:
			unended = append(unended, q.Test)
		default:
			failing = append(failing, q.Test)
		}
	}
	return failing, unended
}

// Broken returns the tests that always fail, or of which subtests do, except those that fail only when instrumented or in a
// copy of the tree, and those whose reason is unknown for want of time.
func (v *Survey) Broken() (tests []string) {
	for _, q := range slices.Concat(v.Quarantined, v.subtests) {
		switch q.Why {
		case FailsSometimes, DoesNotEnd, executor.FailsWoven, executor.FailsElsewhere, FailsSomehow:
			continue
		}
		if test := ledger.TopLevel(q.Test); !slices.Contains(tests, test) {
			tests = append(tests, test)
		}
	}
	return tests
}

// Bound reports whether some test passes only in the folder that it was compiled in.
func (v *Survey) Bound() bool {
	return slices.ContainsFunc(v.Quarantined, func(q Quarantined) bool { return q.Why == executor.FailsElsewhere })
}

func (v *Survey) quarantinedAs(test, why string) bool {
	return slices.Contains(v.Quarantined, Quarantined{v.Suite.Package, test, why})
}

// outnumbered is how many tests have to run a mutant and pass for each one that may run it and does not end well.
const outnumbered = 5

// Outnumber reports whether there are so many tests that few others can be neglected.
func Outnumber(many, few int) bool { return many >= outnumbered*few }

// Confirming returns the tests that survivor m has to pass in a plain rebuild. If all is true, these are all tests of
// the package except those in but. In a large suite they are the tests that reach m, perhaps none, without those that
// collide: they are to run together. Tests that fail only when instrumented are included.
func (v *Survey) Confirming(m *Mutant) (tests []string, all bool, but []string) {
	var plain []string
	for _, test := range v.quarantined() {
		if v.Plain(test) {
			plain = append(plain, test)
		} else {
			but = append(but, test)
		}
	}
	switch {
	case v.Large:
		colliding := ledger.Colliding(v.runs.Of(m.Number))
		reaching := slices.DeleteFunc(v.Covering(m), func(test string) bool { return slices.Contains(colliding, test) })
		return slices.Concat(reaching, plain), false, nil
	case v.Suite.Only != nil:
		return slices.Concat(v.Tests, plain), false, nil
	}
	return nil, true, but
}

// apart reports whether a test runs by itself with a mutant, and not together with others.
func (v *Survey) apart(test string) bool { return v.by[test].took >= slowTest || v.late[test] }

// long reports whether a test usually takes much longer than starting a process for it.
func (v *Survey) long(test string) bool { return v.by[test] != nil && v.by[test].took >= longTest }

// judges reports whether it is known what the tests do without a mutant, and some pass.
func (v *Survey) judges() bool { return v.done && v.Failure == nil && len(v.Tests) > 0 }

// survey runs the tests of a suite together without a mutant. Unless the suite is large, that is the whole survey.
func (v *judging) survey(ctx context.Context) error {
	if v.done {
		return nil
	}
	only := v.Suite.Only
	began := time.Now()
	names, err := v.List(ctx, v.Suite)
	if err != nil {
		return err
	}
	v.start = time.Since(began)
	v.Tests = slices.DeleteFunc(names, func(name string) bool { return only != nil && !slices.Contains(only, name) })
	if v.Failure, err = v.together(ctx); err != nil {
		return err
	}
	if err := v.watch(ctx); err != nil {
		return err
	}
	v.done = !v.Large || v.Failure != nil || len(v.Tests) == 0
	return nil
}

// together does whole-suite runs, and quarantines tests that fail, until the others pass in each form. It returns a
// failure if no test passes, or if it cannot name the failing ones.
func (v *judging) together(ctx context.Context) (first *BaselineError, err error) {
	for len(v.Tests) > 0 {
		failed, err := v.inEachForm(ctx)
		if err != nil || failed == nil {
			return nil, err
		}
		failure, err := v.quarantine(ctx, failed)
		if err != nil {
			return nil, err
		}
		v.whole = coverage{} // it includes tests that are quarantined by now
		if failure != nil && len(failure.Tests) == 0 {
			return failure, nil
		}
		if first == nil {
			first = failure
		}
		if v.Large { // some tests may pass one by one
			v.failed = first
			return nil, nil
		}
	}
	return first, nil
}

// inEachForm runs the whole suite in each form: first with the probed clones, which tells what it covers; then atOnce
// in the others. It returns the first run that fails; nil if all pass. A large suite runs only once, and at most for
// about wholeLimit: its tests are surveyed one by one.
func (v *judging) inEachForm(ctx context.Context) (*failedRun, error) {
	spec := v.spec(wire.Probed)
	spec.Limit = wholeLimit + wholeLimit/largeSuite*v.start
	r, err := v.Run(ctx, spec)
	if err != nil {
		return nil, err
	}
	v.all.add(r)
	if r.Kind != ledger.Pass && !r.ByClock {
		return &failedRun{r, wire.Probed, func(ctx context.Context) (bool, error) {
			again, err := v.Run(ctx, spec)
			return again.Kind != ledger.Pass, err
		}}, nil
	}
	if tests := v.ours(r.Before); len(tests) > 0 { // tests that lack the network may wait for it up to the limit
		if _, err := v.Allow(ctx, executor.Spec{Suite: v.Suite, Tests: tests, Mutant: wire.Probed}); err != nil {
			return nil, err
		}
	}
	v.whole.add(r)
	v.Took, v.Cut = r.Took, r.ByClock
	if v.Large = v.Cut || r.Took > largeSuite && v.pays(ctx, r.Took); v.Large {
		return nil, nil
	}
	return v.atOnce(ctx)
}

// pays reports whether surveying the tests one by one takes less time than running the suite, which takes took, for
// half of the mutants: about as many survive, or need it for another reason. It does not pay if starting the
// processes takes most of the time left for surveys, unless the runs of atOnce would take as long.
func (v *judging) pays(ctx context.Context, took time.Duration) bool {
	starts := time.Duration(len(v.Tests)) * v.start
	if starts >= time.Duration(len(v.Mutants))*took/2 {
		return false
	}
	end, bounded := ctx.Deadline()
	left := time.Duration(surveyPart*float64(time.Until(end))) * time.Duration(v.Width())
	return !bounded || starts < left/2 || starts < runsAtOnce*took
}

// runsAtOnce is how often atOnce runs all tests of a long suite.
const runsAtOnce = 2

// atOnce runs the whole suite in further forms, and each test for its coverage, all at the same time. It returns a
// run that fails; nil if all pass.
func (v *judging) atOnce(ctx context.Context) (*failedRun, error) {
	forms := v.forms()
	reports := make([]executor.Report, len(forms))
	g, within := errgroup.WithContext(ctx)
	g.SetLimit(v.Width())
	for i, form := range forms {
		g.Go(func() (err error) {
			reports[i], err = v.Run(within, v.spec(form))
			return err
		})
	}
	g.Go(func() error { return v.hints(within) })
	if err := g.Wait(); err != nil {
		return nil, err
	}
	probed := slices.Index(forms, wire.Probed)
	if probed >= 0 {
		v.all.add(reports[probed])
	}
	for i, form := range forms {
		if reports[i].Kind != ledger.Pass {
			return &failedRun{reports[i], form, func(ctx context.Context) (bool, error) {
				failed, err := v.atOnce(ctx)
				return failed != nil, err
			}}, nil
		}
		v.Took = max(v.Took, reports[i].Took) // mutants, too, run beside other processes
	}
	if probed >= 0 {
		v.whole.add(reports[probed])
	}
	return nil, nil
}

// forms returns the forms in which atOnce runs the whole suite: with the functions as written, with the clones that
// mutants share, and with the probed clones once more. A long suite runs only with the shared clones, as mutants do.
func (v *judging) forms() []int {
	if v.Took >= longSuite {
		return []int{wire.Identity}
	}
	return []int{wire.Original, wire.Identity, wire.Probed}
}

// spec returns a whole-suite run without the quarantined tests.
func (v *judging) spec(mutant int) executor.Spec {
	return executor.Spec{Suite: v.Suite, Tests: v.Suite.Only, Skip: v.quarantined(), Mutant: mutant}
}

// hints finds out what each test covers, to choose the tests for trials. Registered tests run in one process. Tests
// that cannot run there, such as examples and the seeds of fuzz targets, run alone; see fewApart for how many.
func (v *judging) hints(ctx context.Context) error {
	v.by = map[string]*coverage{}
	registered := v.Registered(v.Suite)
	var together, apart []string
	for _, name := range v.Tests {
		if slices.Contains(registered, name) {
			together = append(together, name)
		} else {
			apart = append(apart, name)
		}
	}
	ended, err := v.hintsOf(ctx, together)
	if err != nil {
		return err
	}
	apart = append(ended, apart...)
	for _, test := range apart[:v.fewApart(len(apart))] {
		r, err := v.Run(ctx, executor.Spec{Suite: v.Suite, Tests: []string{test}, Mutant: wire.Probed})
		if err != nil {
			return err
		}
		if r.Kind == ledger.Pass {
			v.covers(test, v.withoutStart(r))
		}
	}
	return nil
}

// maxEnded bounds how many tests hintsOf finds that end the process.
const maxEnded = 8

// hintsOf finds out what registered tests cover, in one process as long as that lives. Where a test ends the process,
// another one runs those after it. ended has these tests. If two processes run no test at all, it gives up: they cannot.
func (v *judging) hintsOf(ctx context.Context, tests []string) (ended []string, err error) {
	for idle := 0; len(tests) > 0 && idle < 2; {
		reports, ran, err := v.Cover(ctx, v.Suite, tests)
		if err != nil {
			return ended, err
		}
		for test, r := range reports {
			v.covers(test, r)
		}
		if ran >= len(tests) || len(ended) == maxEnded {
			break
		}
		if idle++; ran > 0 {
			idle = 0
		}
		ended, tests = append(ended, tests[ran]), tests[ran+1:]
	}
	return ended, nil
}

// withoutStart returns r, of a test in a process of its own, without the time that starting the process takes.
func (v *judging) withoutStart(r executor.Report) executor.Report {
	r.Took = max(r.Took-v.start, 0)
	return r
}

// maxApart bounds how many tests of a suite that is not large are surveyed in processes of their own.
const maxApart = 16

// fewApart returns how many of n tests to survey in processes of their own, at most maxApart. Starting these takes no
// longer than a run of the suite, or than largeSuite if that is more.
func (v *judging) fewApart(n int) int {
	n = min(n, maxApart)
	if v.start > 0 {
		n = min(n, int(max(v.Took, largeSuite)/v.start))
	}
	return n
}

// covers notes what a single test covers, also as part of the whole suite.
func (v *judging) covers(test string, r executor.Report) {
	v.by[test] = new(coverage)
	v.by[test].add(r)
	v.whole.add(r)
}
