package judge

import (
	"context"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/singleflight"

	"github.com/mutantfuzz/mutantfuzz/engine/ledger"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// The times without a mutant from which on a suite is large and a test is slow.
const (
	largeSuite = 3 * time.Second       // a mutant then only runs on the tests that infect it
	longSuite  = largeSuite / 6        // it is surveyed in fewer forms
	wholeLimit = 4 * largeSuite        // after which nothing more is learned from running it whole; more where starting it takes long
	slowTest   = time.Second           // it runs last, and by itself
	longTest   = 30 * time.Millisecond // it needs fewer runs to kill, and runs after those that take less, whatever their steps
	spareTest  = 10 * time.Millisecond // it is left out for mutants that it does not infect
)

// Survey is what the tests of a suite do without a mutant.
type Survey struct {
	Suite       *Suite
	Tests       []string // without the quarantined ones, in the order of go test
	Quarantined []Quarantined
	subtests    []Quarantined // of tests that are not quarantined: see Suite.Without
	Took        time.Duration // of a run of the whole suite; of a large one of its tests together
	Large       bool
	Cut         bool            // the run of the whole suite was ended early: what it did is known in part
	Missed      []string        // tests of a large suite that may reach mutants, but were not surveyed in time
	late        map[string]bool // those of them that were surveyed after all
	done        bool            // there was time for it
	Failure     *BaselineError  // no test passes; nil: some do, or there are none
	failed      *BaselineError  // of a large suite: what failed before its tests ran one by one
	start       time.Duration   // how long a process takes that runs no test

	whole         coverage                // of whole-suite runs without quarantined tests
	all           coverage                // of runs with quarantined tests, too
	by            map[string]*coverage    // by test, if known; of a large suite all of Tests are
	alone         sync.Map                // by test: whether it passes alone without a mutant
	checks        singleflight.Group      // of that, by test
	ofQuarantined map[string]*coverage    // by quarantined test, if known
	known         map[int]ledger.Decision // by mutant: the verdict of an earlier analysis
	runs          ledger.Ledger           // of mutants

	doubts doubts
}

func newSurvey(s *Suite) *Survey {
	return &Survey{Suite: s, by: map[string]*coverage{}, ofQuarantined: map[string]*coverage{}, late: map[string]bool{}, known: map[int]ledger.Decision{}}
}

// Unfinished are the tests that are known not to have run to their end: quarantined ones, which fail, and those that skipped the
// rest of themselves. What they would do elsewhere, where there is what they need, is not known.
func (v *Survey) Unfinished() []string {
	return append(v.quarantined(), slices.DeleteFunc(slices.Clone(v.Tests), func(test string) bool { return v.by[test] == nil || !v.by[test].skips })...)
}

// Failing are the quarantined tests that fail whenever they run here, instrumented or not, and those that did not end. What the former would do
// elsewhere, behind the place where they fail, is not known, nor what the latter do.
func (v *Survey) Failing() (failing, unended []string) {
	for _, q := range v.Quarantined {
		switch q.Why {
		case FailsSometimes, FailsWoven:
		case DoesNotEnd:
			unended = append(unended, q.Test)
		default:
			failing = append(failing, q.Test)
		}
	}
	return failing, unended
}

// Broken are those of the failing tests that are not known to fail for a reason of ours, nor for one that there was no time to find out.
func (v *Survey) Broken() (tests []string) {
	failing, _ := v.Failing()
	return slices.DeleteFunc(failing, func(test string) bool {
		return v.quarantinedAs(test, FailsElsewhere) || v.quarantinedAs(test, failsSomehow)
	})
}

// Bound reports whether a test only passes in the folder that it was compiled in.
func (v *Survey) Bound() bool {
	return slices.ContainsFunc(v.Quarantined, func(q Quarantined) bool { return q.Why == FailsElsewhere })
}

func (v *Survey) quarantinedAs(test, why string) bool {
	return slices.Contains(v.Quarantined, Quarantined{v.Suite.Package, test, why})
}

// outnumbered is how many tests that run a mutant and pass there have to be for each one that fails without it.
const outnumbered = 5

// Outnumbers reports whether so many tests run m and pass that what some failing ones would notice of it counts for nothing: most
// often that is nothing that the others do not. What a test that does not end would do is much more often another matter: it may be a
// whole suite of another framework.
func (v *Survey) Outnumbers(m *Mutant, failing, unended []string) bool {
	return len(unended) == 0 && len(v.Covering(m)) >= outnumbered*len(failing)
}

// Confirming are the tests that a survivor has to pass when it is built by itself; or all of the package but some: of a large suite
// those that reach it, which are none where nothing does. Tests that only fail instrumented are among them.
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
		return slices.Concat(v.Covering(m), plain), false, nil
	case v.Suite.Only != nil:
		return slices.Concat(v.Tests, plain), false, nil
	}
	return nil, true, but
}

// apart reports whether a test runs by itself, and not with others.
func (v *Survey) apart(test string) bool { return v.by[test].took >= slowTest || v.late[test] }

// long reports whether a test takes much longer than starting a process for it does, as a rule.
func (v *Survey) long(test string) bool { return v.by[test] != nil && v.by[test].took >= longTest }

// judges reports whether it is known what the tests do without a mutant, and some pass.
func (v *Survey) judges() bool { return v.done && v.Failure == nil && len(v.Tests) > 0 }

// survey runs the tests of a suite together without a mutant. That is all of the survey unless the suite is large.
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

// together does whole-suite runs until all tests have passed in each form. Tests that
// fail are quarantined.
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
		if failure != nil && len(failure.Tests) == 0 {
			return failure, nil
		}
		if first == nil {
			first = failure
		}
		v.whole = coverage{} // it includes that of tests that are quarantined now
		if v.Large {         // some of it may pass
			v.failed = first
			return nil, nil
		}
	}
	return first, nil
}

// inEachForm runs the whole suite in each form: with the functions' probed clones, which
// tells what it covers, and then the others and what each test covers. It returns the first
// run that fails; nil if all pass. A large suite runs once only, and not to its end if that takes
// long: its tests are surveyed one by one.
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
	if tests := v.ours(r.Before); len(tests) > 0 { // those without the network may wait for it until there is no time
		if _, err := v.Allow(ctx, Spec{Suite: v.Suite, Tests: tests, Mutant: wire.Probed}); err != nil {
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

// pays reports whether it takes less time to survey the tests of a suite one by one than to run the suite,
// which takes as long as is said, for half of the mutants: about as many survive, or need it for another reason. That is no use
// where starting a process for each takes most of the time that is left for surveys, unless what is done otherwise takes
// as long.
func (v *judging) pays(ctx context.Context, took time.Duration) bool {
	starts := time.Duration(len(v.Tests)) * v.start
	if starts >= time.Duration(len(v.Mutants))*took/2 {
		return false
	}
	end, bounded := ctx.Deadline()
	left := time.Duration(surveyPart*float64(time.Until(end))) * time.Duration(v.Width())
	return !bounded || starts < left/2 || starts < runsAtOnce*took
}

// runsAtOnce is how often all tests of a long suite run in atOnce.
const runsAtOnce = 2

// atOnce runs the whole suite in more forms of its functions, and finds out what each test covers, all at once. It
// returns a run that fails.
func (v *judging) atOnce(ctx context.Context) (*failedRun, error) {
	forms := v.forms()
	reports := make([]Report, len(forms))
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
		v.Took = max(v.Took, reports[i].Took) // mutants run beside others, too
	}
	if probed >= 0 {
		v.whole.add(reports[probed])
	}
	return nil, nil
}

// forms are those in which all tests run at once: with the functions as written, with the clones that mutants share, and with
// probed ones once more; of a suite that takes long only with the shared clones, as mutants run. What finds out what each test
// covers has the functions as written, too.
func (v *judging) forms() []int {
	if v.Took >= longSuite {
		return []int{wire.Identity}
	}
	return []int{wire.Original, wire.Identity, wire.Probed}
}

// spec is a run of all tests but the quarantined ones.
func (v *judging) spec(mutant int) Spec {
	return Spec{Suite: v.Suite, Tests: v.Suite.Only, Skip: v.quarantined(), Mutant: mutant}
}

// hints finds out what each test covers, in one process, to choose the tests for the
// trials. Tests that cannot run there, such as examples and the seeds of fuzz targets,
// run alone, up to maxApart of them.
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
	if len(together) > 0 {
		reports, err := v.Cover(ctx, v.Suite, together)
		if err != nil {
			return err
		}
		for test, r := range reports {
			v.covers(test, r)
		}
	}
	for _, test := range apart[:v.fewApart(len(apart))] {
		r, err := v.Run(ctx, Spec{Suite: v.Suite, Tests: []string{test}, Mutant: wire.Probed})
		if err != nil {
			return err
		}
		if r.Kind == ledger.Pass {
			v.covers(test, v.withoutStart(r))
		}
	}
	return nil
}

// withoutStart is the report of a test that ran in a process of its own, with the time that the test itself took.
func (v *judging) withoutStart(r Report) Report {
	r.Took = max(r.Took-v.start, 0)
	return r
}

// maxApart is how many tests are surveyed in processes of their own.
const maxApart = 16

// fewApart is how many of n tests are surveyed in processes of their own: starting these takes no longer than a run of the suite, if
// that is large.
func (v *judging) fewApart(n int) int {
	n = min(n, maxApart)
	if v.start > 0 {
		n = min(n, int(max(v.Took, largeSuite)/v.start))
	}
	return n
}

// covers notes the coverage of a single test.
func (v *judging) covers(test string, r Report) {
	v.by[test] = new(coverage)
	v.by[test].add(r)
	v.whole.add(r)
}
