package judge

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
	"github.com/mutantfuzz/mutantfuzz/internal/deadline"
)

// The times without a mutant from which on a suite is large and a test is slow.
const (
	largeSuite = 3 * time.Second       // a mutant then only runs on the tests that infect it
	wholeLimit = 4 * largeSuite        // after which nothing more is learned from running it whole
	slowTest   = time.Second           // it runs last, and by itself
	longTest   = 50 * time.Millisecond // it is left out for mutants that it does not infect
)

// Why a test is quarantined, in words that fit after "it".
const (
	failsSometimes = "is flaky: it fails in some runs on the unmodified code"
	failsSomehow   = "fails on the unmodified code, and there was no time to find out why"
	doesNotEnd     = "does not finish in the available time on the unmodified code"
	failsAlone     = "fails on the unmodified code when it runs alone, and the whole suite is too slow to run for every mutant"
)

// Quarantined is a test whose results are not used.
type Quarantined struct {
	Package, Test string
	Why           string // in words that fit after "it"
}

// Survey is what the tests of a suite do without a mutant.
type Survey struct {
	Suite       *Suite
	Tests       []string // without the quarantined ones, in the order of go test
	Quarantined []Quarantined
	Took        time.Duration // of a run of the whole suite; of a large one of its tests together
	Large       bool
	Cut         bool          // the run of the whole suite was ended early: what it did is known in part
	Missed      []string      // tests of a large suite that may reach mutants, but were not surveyed in time
	done        bool          // there was time for the whole-suite runs
	start       time.Duration // how long a process takes that runs no test

	whole coverage             // of whole-suite runs without quarantined tests
	all   coverage             // of runs with quarantined tests, too
	by    map[string]*coverage // by test, if known; of a large suite all of Tests are
	alone sync.Map             // by test: whether it passes alone without a mutant
	known map[int]Decision     // by mutant: the verdict of an earlier analysis
	runs  ledger               // of mutants

	doubts doubts
}

func newSurvey(s *Suite) *Survey {
	return &Survey{Suite: s, by: map[string]*coverage{}, known: map[int]Decision{}, runs: ledger{entries: map[int][]Entry{}}}
}

// coverage is what runs of a test or suite did.
type coverage struct {
	took   time.Duration // of the fastest run
	steps  int64         // of the longest run
	blocks map[int]bool
	marks  []byte
	any    bool // unknown: they may have run any code
}

func (c *coverage) add(r Report) {
	if c.blocks == nil {
		c.blocks, c.took = map[int]bool{}, r.Took
	}
	c.any = c.any || r.Untrusted
	c.took, c.steps = min(c.took, r.Took), max(c.steps, r.Steps)
	for _, b := range r.Blocks {
		c.blocks[b] = true
	}
	if len(c.marks) < len(r.Marks) {
		c.marks = append(c.marks, make([]byte, len(r.Marks)-len(c.marks))...)
	}
	for i, mark := range r.Marks {
		c.marks[i] |= mark
	}
}

// report is a run with that coverage.
func (c *coverage) report() Report {
	return Report{Took: c.took, Steps: c.steps, Blocks: slices.Sorted(maps.Keys(c.blocks)), Marks: c.marks, Untrusted: c.any}
}

// reaches reports whether the mutated code ran.
func (c *coverage) reaches(m *Mutant) bool {
	return c.any || c.blocks[m.Block] || m.Probed && c.mark(m)&wire.MarkEvaluated != 0
}

// infects reports whether the mutant may have infected the state. A mutant without a
// probe may whenever it is reached.
func (c *coverage) infects(m *Mutant) bool {
	if c.any {
		return true
	}
	if m.Probed {
		return c.mark(m)&wire.MarkInfected != 0
	}
	return c.blocks[m.Block]
}

func (c *coverage) mark(m *Mutant) byte {
	if m.Number < len(c.marks) {
		return c.marks[m.Number]
	}
	return 0
}

// survey runs the tests of a suite without a mutant. If no test passes it returns the
// failure.
func (v *judging) survey(ctx context.Context) (*Failure, error) {
	only := v.Suite.Only
	began := time.Now()
	names, err := v.List(ctx, v.Suite)
	if err != nil {
		return nil, err
	}
	v.start = time.Since(began)
	v.Tests = slices.DeleteFunc(names, func(name string) bool { return only != nil && !slices.Contains(only, name) })
	failure, err := v.together(ctx)
	v.done = err == nil
	if err != nil || failure != nil || len(v.Tests) == 0 {
		return failure, err
	}
	if v.Large {
		return nil, v.oneByOne(ctx)
	}
	return nil, nil
}

// Failure says that tests fail without any mutant.
type Failure struct {
	Package string
	Tests   []string // top-level ones; empty: unknown
	Message string
	Output  string
}

// together does whole-suite runs until all tests have passed in each form. Tests that
// fail are quarantined.
func (v *judging) together(ctx context.Context) (first *Failure, err error) {
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
	}
	return first, nil
}

// failedRun is a run of a suite that fails without a mutant.
type failedRun struct {
	Report
	form   int
	repeat func(context.Context) (failed bool, err error) // runs it once more, and what ran beside it
}

// collides reports whether a run that failed passes while no other process runs, and fails beside
// others once more. The suite then runs apart from now on.
func (v *judging) collides(ctx context.Context, f *failedRun) (bool, error) {
	if v.Suite.Apart {
		return false, nil
	}
	v.Suite.Apart = true
	failed, err := f.repeat(ctx)
	v.Suite.Apart = false
	if err != nil || failed {
		return false, err
	}
	v.Suite.Apart, err = f.repeat(ctx)
	return v.Suite.Apart, err
}

// inEachForm runs the whole suite in each form: with the functions' probed clones, which
// tells what it covers, and then the others and what each test covers. It returns the first
// run that fails; nil if all pass. A large suite runs once only, and not to its end if that takes
// long: its tests are surveyed one by one.
func (v *judging) inEachForm(ctx context.Context) (*failedRun, error) {
	spec := v.spec(wire.Probed)
	spec.Limit = wholeLimit
	r, err := v.Run(ctx, spec)
	if err != nil {
		return nil, err
	}
	v.all.add(r)
	if r.Kind != Pass && !r.ByClock {
		return &failedRun{r, wire.Probed, func(ctx context.Context) (bool, error) {
			again, err := v.Run(ctx, spec)
			return again.Kind != Pass, err
		}}, nil
	}
	v.whole.add(r)
	v.Took, v.Cut = r.Took, r.ByClock
	if v.Large = v.Cut || r.Took > largeSuite && v.pays(r.Took); v.Large {
		return nil, nil
	}
	return v.atOnce(ctx)
}

// pays reports whether it takes less time to survey the tests of a suite one by one than to run the suite,
// which takes as long as is said, for half of the mutants: about as many survive, or need it for another reason.
func (v *judging) pays(took time.Duration) bool {
	return time.Duration(len(v.Tests))*v.start < time.Duration(len(v.Mutants))*took/2
}

// atOnce runs the whole suite with the functions as written, with their shared clones, and probed
// once more, and finds out what each test covers, all at once. It returns a run that fails.
func (v *judging) atOnce(ctx context.Context) (*failedRun, error) {
	forms := []int{wire.Original, wire.Identity, wire.Probed}
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
	v.all.add(reports[len(forms)-1])
	for i, form := range forms {
		if reports[i].Kind != Pass {
			return &failedRun{reports[i], form, func(ctx context.Context) (bool, error) {
				failed, err := v.atOnce(ctx)
				return failed != nil, err
			}}, nil
		}
		v.Took = max(v.Took, reports[i].Took) // mutants run beside others, too
	}
	v.whole.add(reports[len(forms)-1])
	return nil, nil
}

// spec is a run of all tests but the quarantined ones.
func (v *judging) spec(mutant int) Spec {
	return Spec{Suite: v.Suite, Tests: v.Suite.Only, Skip: v.quarantined(), Mutant: mutant}
}

// quarantined are the names of the quarantined tests.
func (v *Survey) quarantined() (names []string) {
	for _, q := range v.Quarantined {
		names = append(names, q.Test)
	}
	return names
}

// quarantine finds out why tests fail without a mutant, and quarantines them, unless it
// was because of the sandbox, which is then loosened, of the limit on memory, which is then higher,
// or of other processes, without which the suite then runs. It returns a failure if tests fail
// repeatedly.
func (v *judging) quarantine(ctx context.Context, f *failedRun) (*Failure, error) {
	if f.TooBig && !v.Suite.Roomy {
		v.Suite.Roomy, v.Suite.Apart = true, true
		return nil, nil
	}
	spec := v.spec(f.form)
	spec.Tests = v.ours(f.Failed)
	if len(spec.Tests) == 0 {
		var err error
		if spec.Tests, err = v.Blame(ctx, spec); err != nil {
			return nil, err
		}
	}
	if f.ByClock && len(spec.Tests) > 0 { // there is no time for another run
		v.exclude(spec.Tests, doesNotEnd)
		v.all.any = true
		return nil, nil
	}
	part, cancel := deadline.Part(ctx, diagnosisPart)
	defer cancel()
	failure, err := v.diagnose(part, f, spec)
	if err != nil && ctx.Err() == nil && part.Err() != nil && len(spec.Tests) > 0 {
		v.exclude(spec.Tests, failsSomehow)
		v.all.any = true
		return nil, nil
	}
	return failure, err
}

// diagnose does the part of quarantine that takes runs. Without tests in spec it is about all of them.
func (v *judging) diagnose(ctx context.Context, f *failedRun, spec Spec) (*Failure, error) {
	if allowed, err := v.Allow(ctx, spec); err != nil || allowed {
		return nil, err
	}
	if collides, err := v.collides(ctx, f); err != nil || collides {
		return nil, err
	}
	again, err := v.Run(ctx, v.spec(f.form))
	if err != nil {
		return nil, err
	}
	why, repeated := failsSometimes, again.Kind != Pass
	if repeated {
		if named := v.ours(again.Failed); len(named) > 0 {
			spec.Tests = named
		}
		if why, repeated, err = v.Explain(ctx, spec); err != nil {
			return nil, err
		}
		v.all.any = v.all.any || !repeated && len(spec.Tests) > 0 // it passes plainly, where it may run other code
	}
	v.exclude(spec.Tests, why)
	if !repeated && len(spec.Tests) > 0 {
		return nil, nil
	}
	// Where there is no test to quarantine, it would fail again.
	return &Failure{Package: v.Suite.Package, Tests: spec.Tests, Message: f.Message, Output: f.Output}, nil
}

// diagnosisPart is how much of the remaining time it may take to find out why tests fail.
const diagnosisPart = 0.2

// ours are, of the tests that a run reports as failed, those in v.Tests. A run may report
// others: tests may print anything.
func (v *judging) ours(failed []string) (tests []string) {
	for _, name := range failed {
		if top := TopLevel(name); slices.Contains(v.Tests, top) && !slices.Contains(tests, top) {
			tests = append(tests, top)
		}
	}
	return tests
}

// exclude quarantines tests.
func (v *judging) exclude(tests []string, why string) {
	for _, test := range tests {
		v.Quarantined = append(v.Quarantined, Quarantined{v.Suite.Package, test, why})
		v.Tests = slices.DeleteFunc(v.Tests, func(name string) bool { return name == test })
	}
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
	for _, test := range apart[:min(len(apart), maxApart)] {
		r, err := v.Run(ctx, Spec{Suite: v.Suite, Tests: []string{test}, Mutant: wire.Probed})
		if err != nil {
			return err
		}
		if r.Kind == Pass {
			v.covers(test, r)
		}
	}
	return nil
}

// maxApart is how many tests are surveyed in processes of their own.
const maxApart = 16

// covers notes the coverage of a single test.
func (v *judging) covers(test string, r Report) {
	v.by[test] = new(coverage)
	v.by[test].add(r)
	v.whole.add(r)
}

// surveyPart is how much of the remaining time surveying the tests of a large suite may
// take; mutants are judged in the rest.
const surveyPart = 0.5

// oneByOne runs tests of a large suite one by one: those that may reach mutants, the
// nearest first; and the others only if the whole suite reaches mutants that none of
// these do.
func (v *judging) oneByOne(ctx context.Context) error {
	within, cancel := deadline.Part(ctx, surveyPart)
	defer cancel()
	v.Took, v.by = 0, map[string]*coverage{}
	near := v.Tests
	if v.Suite.Near != nil {
		near = slices.DeleteFunc(v.Suite.Near(within), func(test string) bool { return !slices.Contains(v.Tests, test) })
	}
	err := v.each(within, near)
	unexplained := func(m *Mutant) bool { return v.whole.reaches(m) && len(v.Covering(m)) == 0 }
	if err == nil && slices.ContainsFunc(v.Mutants, unexplained) {
		rest := slices.DeleteFunc(slices.Clone(v.Tests), func(test string) bool { return slices.Contains(near, test) })
		err = v.each(within, rest)
	}
	v.Tests = slices.DeleteFunc(v.Tests, func(name string) bool { return v.by[name] == nil })
	if within.Err() != nil && ctx.Err() == nil {
		return nil // the reasons of survivors name the missed tests
	}
	return err
}

// each surveys tests, and notes those that did not run before ctx ended.
func (v *judging) each(ctx context.Context, tests []string) error {
	reports, err := v.byThemselves(ctx, tests)
	var failed []string
	for _, test := range tests {
		switch r, ran := reports[test]; {
		case !ran:
			v.Missed = append(v.Missed, test)
		case r.ByClock:
			v.fails(test, doesNotEnd, r)
		case r.Kind != Pass:
			failed = append(failed, test)
		default:
			v.passes(test, r)
		}
	}
	if err != nil {
		v.Missed = append(v.Missed, failed...)
		return err
	}
	if slices.ContainsFunc(failed, func(test string) bool { return reports[test].TooBig }) {
		v.Suite.Roomy, v.Suite.Apart = true, true
	}
	return v.eachApart(ctx, failed)
}

// eachApart surveys tests that failed beside others while no other process runs. If some pass so,
// and fail beside others once more, the suite runs apart from now on.
func (v *judging) eachApart(ctx context.Context, tests []string) error {
	before := v.Suite.Apart
	v.Suite.Apart = true
	apart, err := v.byThemselves(ctx, tests)
	v.Suite.Apart = before
	passing := slices.DeleteFunc(slices.Clone(tests), func(test string) bool {
		r, ran := apart[test]
		return !ran || r.Kind != Pass
	})
	if err == nil && !before {
		var again map[string]Report
		again, err = v.byThemselves(ctx, passing)
		v.Suite.Apart = slices.ContainsFunc(passing, func(test string) bool { return again[test].Kind != Pass })
	}
	for _, test := range tests {
		switch r, ran := apart[test]; {
		case !ran:
			v.Missed = append(v.Missed, test)
		case r.Kind != Pass:
			v.fails(test, failsAlone, r)
		case v.Suite.Apart:
			v.passes(test, r)
		default:
			v.fails(test, failsSometimes, r)
		}
	}
	return err
}

// byThemselves runs tests in a process each, several at once unless the suite runs apart, and
// returns the reports of those for which there was time.
func (v *judging) byThemselves(ctx context.Context, tests []string) (map[string]Report, error) {
	var mu sync.Mutex
	reports := map[string]Report{}
	g, within := errgroup.WithContext(ctx)
	g.SetLimit(v.Width())
	for _, test := range tests {
		g.Go(func() error {
			r, err := v.Run(within, Spec{Suite: v.Suite, Tests: []string{test}, Mutant: wire.Probed})
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			reports[test] = r
			return nil
		})
	}
	return reports, g.Wait()
}

// passes notes that a test passes by itself.
func (v *judging) passes(test string, r Report) {
	v.covers(test, r)
	v.alone.Store(test, true)
	v.Took += r.Took
}

// fails quarantines a test for what it does by itself.
func (v *judging) fails(test, why string, r Report) {
	v.Quarantined = append(v.Quarantined, Quarantined{v.Suite.Package, test, why})
	v.all.add(r)
}

// plan is what m has to pass.
func (v *Survey) plan(m *Mutant) Plan {
	p := Plan{Alone: v.passesAlone, Infected: v.infected(m), Quarantined: v.quarantined()}
	if v.Large {
		var slow []Step
		for _, test := range p.Infected {
			if v.by[test].took >= slowTest {
				slow = append(slow, Step{Context: InSlow, Test: test})
			}
		}
		if len(slow) < len(p.Infected) {
			p.Runs = []Step{{Context: InQuick}}
		}
		p.Runs = append(p.Runs, slow...)
	}
	if v.Cut {
		p.Missed = v.Missed
	}
	if v.whole.infects(m) {
		p.Missed = v.Missed                 // none of a suite that is not large
		if len(p.Runs)+len(p.Missed) == 0 { // or only all tests together infect it
			p.Runs, p.LeftOut = []Step{{Context: InSuite}}, v.leftOut(m)
		}
	}
	return p
}

// leftOut are the tests that take long and do not infect m, as far as is known: none if it is not known
// which tests do.
func (v *Survey) leftOut(m *Mutant) (tests []string) {
	if len(v.infected(m)) == 0 {
		return nil
	}
	for _, test := range v.Tests {
		if c := v.by[test]; c != nil && c.took >= longTest && !c.infects(m) {
			tests = append(tests, test)
		}
	}
	return tests
}

// decide is the decision on a mutant by the suite's tests.
func (v *Survey) decide(m *Mutant) Decision {
	if d, ok := v.known[m.Number]; ok {
		return d
	}
	d, _ := Decide(v.plan(m), v.runs.of(m))
	return d
}

// infected are the tests that infect m, as far as is known, those that do the least
// work first.
func (v *Survey) infected(m *Mutant) (tests []string) {
	for _, test := range v.Tests {
		if c := v.by[test]; c != nil && c.infects(m) {
			tests = append(tests, test)
		}
	}
	slices.SortStableFunc(tests, func(a, b string) int { return int(v.by[a].steps - v.by[b].steps) })
	return tests
}

// passesAlone reports whether a test passes alone without a mutant; true if unknown.
func (v *Survey) passesAlone(test string) bool {
	passes, known := v.alone.Load(test)
	return !known || passes.(bool)
}

// Reaches reports whether any test that is not quarantined runs the code of m.
func (v *Survey) Reaches(m *Mutant) bool { return v.whole.reaches(m) }

// Infects reports whether any test that is not quarantined may infect the state with m.
func (v *Survey) Infects(m *Mutant) bool { return v.whole.infects(m) }

// onlyQuarantined reports whether, of the tests of m's own package, only quarantined ones may infect
// the state with m.
func (v *Survey) onlyQuarantined(m *Mutant) bool {
	return v.Suite.Package == m.Package && v.done && len(v.Missed) == 0 && !v.whole.infects(m) && v.all.infects(m)
}

// Covering are the tests that are known to run the code of m, in the order of go test.
func (v *Survey) Covering(m *Mutant) (tests []string) {
	for _, test := range v.Tests {
		if c := v.by[test]; c != nil && c.reaches(m) {
			tests = append(tests, test)
		}
	}
	return tests
}
