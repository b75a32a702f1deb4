package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/probe"
	"github.com/mutantfuzz/mutantfuzz/engine/verdicts"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Limits of test runs. Step bounds end loops; wall clocks are the last resort
// and generous, for a loaded machine is no reason to call a mutant killed.
const (
	stepFactor    = 20
	stepFloor     = 64 * probe.StepChunk
	clockFactor   = 20
	clockFloor    = 20 * time.Second
	proveAfter    = 100 * time.Millisecond // of sleep, or twice what the original takes, until the stacks are asked for
	asleepPart    = 5                      // of the wall clock: four times as long as the original runs, all of it a sleep
	memoryLimit   = 2 << 30
	doubts        = 8                      // repetitions of a failure that is in doubt
	slow          = 250 * time.Millisecond // what differs by less does not differ: the order must not hang on the clock
	flakyAlone    = "it fails now and then when it runs alone, without any mutant"
	minSurveys    = 3
	maxSurveys    = 10                     // where the program uses clocks or random numbers
	surveyTime    = 150 * time.Millisecond // that a test may take for more than minSurveys
	batchDuration = 50 * time.Millisecond  // tests that run together in one process before the rest
)

// suite is the woven test binary of one package.
type suite struct {
	pkg     string
	dir     string // absolute, in the user's tree
	binary  string
	tests   []*test
	texts   map[string]string // source of the tests, by name
	book    *verdicts.Book    // nil: nothing is remembered
	killers *verdicts.Book    // by mutant: the test that killed it last
	// unpruned says that every test judges every mutant.
	unpruned bool
}

// test is one top-level test, example or fuzz target (its seeds).
type test struct {
	*suite
	name     string
	duration time.Duration
	steps    int64
	work     uint64       // counts of the blocks it ran, together: its cost, the same in every run
	tried    atomic.Bool  // it can be run many times in one process, as far as is known
	blocks   map[int]bool // counters it moved
	marks    []byte       // infection marks it left
	random   atomic.Bool  // it has passed as well as failed with a mutant
	flaky    atomic.Bool  // it has failed without a mutant too, after it had been surveyed
	aside    string       // why it judges nothing; empty: it does
}

func (t *test) String() string { return t.pkg + "." + t.name }

// reaches reports whether t evaluates the mutated code of m.
func (t *test) reaches(m *mutant) bool {
	if m.Probed {
		return t.marks[m.number]&probe.MarkEvaluated != 0
	}
	return t.blocks[m.Block]
}

// infects reports whether t may see another state with m active. A mutant
// without a probe counts as infected whenever it is reached.
func (t *test) infects(m *mutant) bool {
	if m.Probed {
		return t.marks[m.number]&probe.MarkInfected != 0
	}
	return t.blocks[m.Block]
}

// judges reports whether m is run against t.
func (t *test) judges(m *mutant) bool {
	return t.aside == "" && (t.unpruned || t.infects(m))
}

// BaselineError says that tests fail without any mutant, so that nothing can
// be judged by them.
type BaselineError struct {
	Package string
	Tests   []string
	Output  string
}

func (e *BaselineError) Error() string {
	names := strings.Join(e.Tests, ", ")
	if names == "" {
		names = "the tests"
	}
	return fmt.Sprintf("%s: %s fail without any mutant, again and again\n%s\nhint: make them pass, or leave them out with --skip-tests", e.Package, names, tail(e.Output, 2000))
}

func tail(s string, n int) string {
	if len(s) > n {
		return "[...]" + s[len(s)-n:]
	}
	return s
}

// runTests judges the mutants by the tests.
func (u *unit) runTests(ctx context.Context) error {
	return u.timed("tests", func() error {
		if err := u.openSlots(); err != nil {
			return err
		}
		if u.cfg.Tests == TestsNone || len(u.pending()) == 0 {
			u.tested = true
			return nil
		}
		part := 0.5
		if len(u.woven.Targets) == 0 || u.cfg.Execs == 0 {
			part = 1 - verifyPart // there is nothing to fuzz
		}
		ctx, cancel := context.WithTimeoutCause(ctx, u.share(part), errOutOfTime)
		defer cancel()
		err := u.runAllTests(ctx)
		u.tested = u.tested || err == nil
		if stopped(context.Background(), err) {
			return nil // fuzzing goes on with what is left of the time
		}
		return err
	})
}

// runAllTests runs the packages' own tests, and then those of dependents.
func (u *unit) runAllTests(ctx context.Context) error {
	own := u.ownPackages()
	if err := u.baseline(ctx, own); err != nil {
		return err
	}
	others := u.dependents(own)
	if err := u.judge(ctx, own, len(others) == 0); err != nil || len(others) == 0 || len(u.pending()) == 0 {
		return err
	}
	return u.judgeByDependents(ctx, others)
}

func (u *unit) openSlots() error {
	if u.slots == nil {
		var err error
		if u.slots, err = newSlots(u.cfg.Workers, u.scope.Tree, u.tool.Env); err != nil {
			return err
		}
		for _, sl := range u.slots.all {
			if err := u.guard.Bequeath(sl.scratch.Base()); err != nil {
				return err
			}
		}
	}
	return u.slots.use(u.work, u.woven.Layout)
}

// ownPackages are the touched packages that have tests.
func (u *unit) ownPackages() []string {
	var own []string
	for _, p := range u.typed.touched {
		if u.binaries[p.PkgPath] != "" {
			own = append(own, p.PkgPath)
		}
	}
	slices.Sort(own)
	return own
}

// baseline runs the plain tests. The same tests failing twice, and by themselves
// too, are an error;
// those that fail once are set aside.
func (u *unit) baseline(ctx context.Context, own []string) error {
	u.progress.Phase("baseline", len(own))
	return each(ctx, u.slots, own, func(ctx context.Context, sl *slot, pkg string) error {
		defer u.progress.Step(1)
		for {
			err := u.baselineOf(ctx, sl, pkg)
			var broken *BaselineError
			if !errors.As(err, &broken) {
				return err
			}
			helped, lerr := u.loosen(ctx, sl, pkg, topLevels(broken.Tests), func(s *worker.Sandbox) (testRun, error) {
				return u.runPlain(ctx, sl, s, pkg, topLevels(broken.Tests)...)
			})
			if lerr != nil || !helped {
				return cmp.Or(lerr, err)
			}
		}
	})
}

// baselineOf runs the plain tests of one package.
func (u *unit) baselineOf(ctx context.Context, sl *slot, pkg string) error {
	first, err := u.runPlain(ctx, sl, nil, pkg)
	if err != nil || first.outcome.Kind == "" {
		return err
	}
	second, err := u.runPlain(ctx, sl, nil, pkg)
	if err != nil || second.outcome.Kind == "" && second.exit.Cause == worker.Cancelled {
		return err
	}
	both := intersect(first.outcome.Failed, second.outcome.Failed)
	if second.outcome.Kind != "" && len(first.outcome.Failed)+len(second.outcome.Failed) == 0 {
		last, err := u.lastStarted(ctx, sl, pkg)
		return cmp.Or(err, error(&BaselineError{Package: pkg, Tests: last, Output: string(second.exit.Output)}))
	}
	if len(both) > 0 {
		// On a busy machine tests of time fail more than once. By themselves
		// they show whether it is more than that.
		third, err := u.runPlain(ctx, sl, nil, pkg, topLevels(both)...)
		if err != nil || third.exit.Cause == worker.Cancelled {
			return err
		}
		if third.outcome.Kind != "" {
			return &BaselineError{Package: pkg, Tests: both, Output: string(third.exit.Output)}
		}
	}
	for _, name := range slices.Concat(first.outcome.Failed, second.outcome.Failed) {
		u.setAside(pkg, topLevel(name), "it fails now and then without any mutant")
	}
	return nil
}

func intersect(a, b []string) []string {
	var both []string
	for _, s := range a {
		if slices.Contains(b, s) {
			both = append(both, s)
		}
	}
	return both
}

func topLevel(name string) string {
	top, _, _ := strings.Cut(name, "/")
	return top
}

// topLevels are the tests that names of subtests belong to, each once.
func topLevels(names []string) []string {
	var list []string
	for _, name := range names {
		if top := topLevel(name); !slices.Contains(list, top) {
			list = append(list, top)
		}
	}
	return list
}

// testRun is a finished run of a test binary.
type testRun struct {
	exit    worker.Exit
	outcome worker.Outcome
}

// runPlain runs tests of pkg without any weaving, all if none are named, in s
// or, if that is nil, in the sandbox of the unit's tests.
func (u *unit) runPlain(ctx context.Context, sl *slot, s *worker.Sandbox, pkg string, tests ...string) (testRun, error) {
	c := u.plainCommand(pkg, tests...)
	c.Sandbox = s
	return u.execTests(ctx, sl, c)
}

func (u *unit) plainCommand(pkg string, tests ...string) worker.Command {
	args := append(worker.TestArgs(u.wall(0), tests...), u.cfg.TestFlags...)
	if u.cfg.SkipTests != nil {
		args = append(args, "-test.skip="+u.cfg.SkipTests.String())
	}
	return worker.Command{Binary: u.plain[pkg], Args: args, Dir: u.listing[pkg].Dir, Timeout: u.wall(0)}
}

// execTests runs a test binary in sl. Dir is given in the user's tree. Without a
// sandbox it gets the one for the unit's tests.
func (u *unit) execTests(ctx context.Context, sl *slot, c worker.Command) (testRun, error) {
	if c.OnEvent != nil { // what a lost run has told cannot be taken back
		exit, err := u.execOnce(ctx, sl, c)
		return testRun{exit, exit.Outcome()}, err
	}
	exit, err := insist(func() (worker.Exit, error) { return u.execOnce(ctx, sl, c) })
	return testRun{exit, exit.Outcome()}, err
}

// execOnce is execTests for a run that may be lost.
func (u *unit) execOnce(ctx context.Context, sl *slot, c worker.Command) (worker.Exit, error) {
	if c.Sandbox == nil {
		tests, _ := u.loosened()
		var err error
		if c.Sandbox, err = u.sandbox(sl, tests); err != nil {
			return worker.Exit{}, err
		}
	}
	c.Dir = sl.scratch.Dir(c.Dir)
	c.Env, c.Scratch, c.Guard = sl.env, sl.scratch, u.guard
	if c.Memory == 0 {
		c.Memory = memoryLimit
	}
	return worker.Run(ctx, c)
}

// wall is the wall-clock limit for a run that takes d without mutants; with 0,
// of a run of which nothing is known.
func (u *unit) wall(d time.Duration) time.Duration {
	if d == 0 {
		return max(min(u.left()/2, 10*time.Minute), clockFloor)
	}
	return max(clockFactor*d, clockFloor)
}

// setAside takes a test out of judging and says so once.
func (u *unit) setAside(pkg, name, why string) {
	key := pkg + "." + name
	u.mu.Lock()
	if u.aside[key] == "" {
		u.aside[key] = why
	}
	u.mu.Unlock()
	u.warn("%s is set aside: %s", key, why)
}

// judge lets the tests of pkgs judge every pending mutant. No others come after
// the last.
func (u *unit) judge(ctx context.Context, pkgs []string, last bool) error {
	var found []*suite
	for _, pkg := range pkgs {
		if binary := u.binaries[pkg]; binary != "" {
			found = append(found, &suite{pkg: pkg, dir: u.listing[pkg].Dir, binary: binary, unpruned: u.cfg.Unpruned})
		}
	}
	err := u.survey(ctx, found)
	u.suites = append(u.suites, found...)
	if err != nil {
		return err
	}
	u.tested = last // from here on each mutant knows which tests it still needs
	return u.runMutants(ctx, found)
}

var testName = regexp.MustCompile(`^(Test|Example|Fuzz)\w*$`)

// survey finds the tests of suites and runs each alone with the probed clones
// active, which gives its coverage and infections, and shows that it passes
// woven.
func (u *unit) survey(ctx context.Context, suites []*suite) error {
	if err := each(ctx, u.slots, suites, u.listTests); err != nil {
		return err
	}
	var all []*test
	for _, s := range suites {
		all = append(all, s.tests...)
	}
	u.progress.Phase("coverage", len(all))
	err := each(ctx, u.slots, all, func(ctx context.Context, sl *slot, t *test) error {
		defer u.progress.Step(1)
		return u.surveyTest(ctx, sl, t)
	})
	if err == nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	for _, t := range all {
		if t.marks == nil && t.aside == "" {
			t.aside = "there was no time to run it"
		}
	}
	return err
}

func (u *unit) listTests(ctx context.Context, sl *slot, s *suite) error {
	list := func(sandbox *worker.Sandbox) (testRun, error) {
		return u.execTests(ctx, sl, worker.Command{
			Binary: s.binary, Args: []string{"-test.list=."}, Dir: s.dir, Timeout: clockFloor, OutputLimit: 4 << 20, Sandbox: sandbox,
		})
	}
	run, err := list(nil)
	if err == nil && run.outcome.Kind != "" { // as TestMain may have it
		var helped bool
		if helped, err = u.loosen(ctx, sl, s.pkg, nil, list); helped {
			run, err = list(nil)
		}
	}
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(run.exit.Output)) {
		name := strings.TrimSpace(line)
		if !testName.MatchString(name) || name == weave.Trials || u.cfg.SkipTests != nil && u.cfg.SkipTests.MatchString(name) {
			continue
		}
		if !slices.ContainsFunc(s.tests, func(t *test) bool { return t.name == name }) {
			t := &test{suite: s, name: name}
			t.tried.Store(slices.Contains(u.registered[s.pkg], name))
			s.tests = append(s.tests, t)
		}
	}
	if len(s.tests) == 0 && run.outcome.Kind != "" {
		u.warn("the tests of %s cannot be listed: %s", s.pkg, run.outcome.Message)
	}
	return nil
}

func (u *unit) surveyTest(ctx context.Context, sl *slot, t *test) error {
	u.mu.Lock()
	t.aside = u.aside[t.String()]
	u.mu.Unlock()
	if t.aside != "" {
		return nil
	}
	var spent time.Duration
	for i := 0; i < u.surveys && (i < minSurveys || spent < surveyTime); i++ {
		run, err := u.surveyRun(ctx, sl, t, i)
		if err != nil {
			return err
		}
		switch {
		case run.outcome.Kind == "":
			t.learn(run, sl.state)
			spent += run.exit.Duration
		case i == 0:
			return u.surveyFailed(ctx, sl, t)
		default:
			return u.leaveOut(t, flakyAlone)
		}
	}
	return nil
}

// surveyFailed finds out why t failed the first time: by chance, for want of what
// the sandbox does not allow, or for good.
func (u *unit) surveyFailed(ctx context.Context, sl *slot, t *test) error {
	run, err := u.surveyRun(ctx, sl, t, 0)
	if err != nil {
		return err
	}
	if run.outcome.Kind == "" {
		return u.leaveOut(t, flakyAlone)
	}
	helped, err := u.loosen(ctx, sl, t.pkg, []string{t.name}, func(s *worker.Sandbox) (testRun, error) {
		c := u.testCommand(sl, probe.Probed, 0, u.wall(0), t)
		c.Sandbox = s
		return u.execTests(ctx, sl, c)
	})
	if err != nil {
		return err
	}
	if helped {
		return u.surveyTest(ctx, sl, t)
	}
	return u.leaveOut(t, "it fails when it runs alone and woven, without any mutant")
}

// surveyRun runs t for the i-th time without a mutant: in the probed clones, and
// the second time in the functions as they are, which have to pass as well.
func (u *unit) surveyRun(ctx context.Context, sl *slot, t *test, i int) (testRun, error) {
	m := probe.Probed
	if i == 1 {
		m = probe.Original
	}
	run, err := u.execTests(ctx, sl, u.testCommand(sl, m, 0, u.wall(0), t))
	if err == nil && run.exit.Cause == worker.Cancelled {
		err = context.Cause(ctx)
	}
	return run, err
}

// learn takes in what a run of t did. What any run reaches or infects counts.
func (t *test) learn(run testRun, state *worker.State) {
	if t.marks == nil {
		t.duration, t.steps, t.work = run.exit.Duration, state.Steps(), state.Work()
		t.marks = make([]byte, len(state.Marks()))
		t.blocks = map[int]bool{}
	}
	for i, mark := range state.Marks() {
		t.marks[i] |= mark
	}
	for _, b := range state.Blocks() {
		t.blocks[b] = true
	}
}

// leaveOut sets a surveyed test aside.
func (u *unit) leaveOut(t *test, why string) error {
	t.aside = why
	u.setAside(t.pkg, t.name, why)
	return nil
}

// testCommand runs tests of one suite with M set from the start.
func (u *unit) testCommand(sl *slot, m int, steps int64, wall time.Duration, tests ...*test) worker.Command {
	names := make([]string, len(tests))
	for i, t := range tests {
		names[i] = t.name
	}
	args := append(worker.TestArgs(wall, names...), "-test.failfast")
	return worker.Command{
		Binary: tests[0].binary, Args: append(args, u.cfg.TestFlags...), Dir: tests[0].dir,
		State: sl.state, Mutant: m, Steps: steps, Timeout: wall + 5*time.Second, Silence: wall, Asleep: wall / asleepPart,
	}
}

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
	u.progress.Phase("tests", len(todo))
	for _, s := range suites {
		u.recall(ctx, s)
		defer s.book.Close()
		defer s.killers.Close()
		for _, m := range todo {
			u.reuse(s, m)
		}
	}
	todo = slices.DeleteFunc(todo, func(m *mutant) bool { return !m.live() })
	if err := u.tryMutants(ctx, suites, todo); err != nil {
		return err
	}
	for len(todo) > 0 {
		err := u.runAlone(ctx, suites, slices.DeleteFunc(slices.Clone(todo), func(m *mutant) bool { return !m.live() }))
		if err != nil {
			return err
		}
		todo = revive(suites, todo)
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
func revive(suites []*suite, todo []*mutant) []*mutant {
	var revived []*mutant
	for _, m := range todo {
		if m.killedBy == nil {
			continue
		}
		for _, s := range suites {
			if t := s.killer(m); t != nil && t.flaky.Load() {
				s.forget(m)
				m.revive()
				revived = append(revived, m)
			}
		}
	}
	return revived
}

// killer is the test of s that killed m, or nil.
func (s *suite) killer(m *mutant) *test {
	if m.killedBy == nil {
		return nil
	}
	name, ok := strings.CutPrefix(m.killedBy.Name, s.pkg+".")
	if !ok {
		return nil
	}
	return find(s.tests, []string{name})
}

// countTests counts the tests that reach any mutant.
func (u *unit) countTests(suites []*suite) {
	for _, t := range allTests(suites) {
		if t.aside == "" && slices.ContainsFunc(u.mutants, func(m *mutant) bool { return m.Block >= 0 && t.reaches(m) }) {
			u.count(func(s *results.Stats) { s.Tests++ })
		}
	}
}

func allTests(suites []*suite) []*test {
	var all []*test
	for _, s := range suites {
		all = append(all, s.tests...)
	}
	return all
}

// runMutant runs m against the tests of s that it infects, the cheap ones
// together and first.
func (u *unit) runMutant(ctx context.Context, sl *slot, m *mutant, s *suite) error {
	tests := s.against(m)
	for len(tests) > 0 && m.live() {
		n := 1
		for sum := tests[0].duration; n < len(tests) && sum+tests[n].duration < batchDuration; n++ {
			sum += tests[n].duration
		}
		unsure, err := u.runBatch(ctx, sl, m, tests[:n])
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
	s.remember(m)
	return nil
}

// against are the tests that may tell m from the program: the one that did so in
// an earlier run, then the cheap ones first.
func (s *suite) against(m *mutant) []*test {
	var tests []*test
	for _, t := range s.tests {
		if t.judges(m) && !t.flaky.Load() && !slices.Contains(m.atRandom, t) && !slices.Contains(m.passed, t) {
			tests = append(tests, t)
		}
	}
	likely := s.likely(m)
	slices.SortStableFunc(tests, func(a, b *test) int {
		return cmp.Or(lessIf(a.name == likely, b.name == likely), cmp.Compare(a.duration/slow, b.duration/slow), cmp.Compare(a.work, b.work))
	})
	return tests
}

// lessIf orders what holds before what does not.
func lessIf(a, b bool) int {
	switch {
	case a && !b:
		return -1
	case b && !a:
		return 1
	}
	return 0
}

// runBatch runs m against some tests in one process. A failure has to repeat
// before it counts; a test of which that cannot be said for sure is returned.
func (u *unit) runBatch(ctx context.Context, sl *slot, m *mutant, tests []*test) (unsure *test, err error) {
	run, err := u.runActive(ctx, sl, m, tests...)
	if err != nil || run.outcome.Kind == "" {
		return nil, err
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
		u.unconfirmed("%s: a failure of %s did not repeat", m.ID, culprits[0])
		if !culprits[0].flaky.Load() {
			m.atRandom = append(m.atRandom, culprits[0])
			culprits[0].random.Store(true)
		}
		return culprits[0], nil
	}
	m.kill(results.KilledBy{By: results.ByTest, Kind: again.outcome.Kind, Name: nameOf(culprits, again.outcome.Failed)})
	return nil, nil
}

// repeat runs m once more against tests that it failed. A test that m passed
// when it was tried, or that is known to pass and fail, has to fail each of
// several times, and pass as often without m.
func (u *unit) repeat(ctx context.Context, sl *slot, m *mutant, tests []*test) (testRun, error) {
	run, err := u.runActive(ctx, sl, m, tests...)
	if t := tests[0]; len(tests) > 1 || !t.tried.Load() && !t.random.Load() || run.outcome.Kind == results.KindHang {
		return run, err
	}
	for i := 0; i < doubts && err == nil && run.outcome.Kind != ""; i++ {
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

// runActive runs tests with m active from the start. Where the
// process does nothing any more its stacks may prove early that it never will;
// if they do not, it is run again and given its time.
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

func find(tests []*test, failed []string) *test {
	for _, name := range failed {
		for _, t := range tests {
			if t.name == topLevel(name) {
				return t
			}
		}
	}
	return nil
}

// nameOf names the test that failed, with its subtest where the output tells.
func nameOf(tests []*test, failed []string) string {
	best := tests[0].String()
	for _, name := range failed {
		for _, t := range tests {
			if full := t.pkg + "." + name; t.name == topLevel(name) && (len(full) > len(best) || best == tests[0].String() && t != tests[0]) {
				best = full
			}
		}
	}
	return best
}

// judgeByDependents lets the tests of other packages judge what the packages'
// own did not kill.
func (u *unit) judgeByDependents(ctx context.Context, others []string) error {
	var missing []string
	for _, pkg := range others {
		if u.binaries[pkg] == "" {
			missing = append(missing, pkg)
		}
	}
	overlay, err := u.registerTests(missing)
	if err != nil {
		return err
	}
	built, err := u.buildTests(ctx, "dependents", overlay, missing)
	if err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		u.warn("tests of dependent packages are left out, they do not build: %v", err)
		return nil
	}
	for pkg, binary := range built {
		u.binaries[pkg] = binary
	}
	return u.judge(ctx, others, true)
}

// dependents are the packages with tests, other than own, whose tests may run
// touched code and are wanted.
func (u *unit) dependents(own []string) []string {
	if u.cfg.Tests == TestsPackage {
		return nil
	}
	var list []string
	for _, p := range u.sortedListing() {
		if len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 || slices.Contains(own, p.ImportPath) || len(p.Errors) > 0 {
			continue
		}
		for _, t := range u.typed.touched {
			if u.cfg.Tests == TestsAll || p.ImportPath == t.PkgPath || u.testsReach(p, t.PkgPath) {
				list = append(list, p.ImportPath)
				break
			}
		}
	}
	return list
}
