package engine

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/mutantfuzz/mutantfuzz/engine/probe"
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Limits of test runs. Step bounds end loops; wall clocks are the last resort
// and generous, for a loaded machine is no reason to call a mutant killed.
const (
	stepFactor  = 20
	stepFloor   = 64 * probe.StepChunk
	clockFactor = 20
	clockFloor  = 20 * time.Second
	proveAfter  = 20 * time.Millisecond // of sleep, or twice what the original takes, until the stacks are asked for
	asleepPart  = 5                     // of the wall clock: four times as long as the original runs, all of it a sleep
	memoryLimit = 2 << 30
)

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
			if errors.Is(err, errOutOfTime) {
				u.warnLate()
			}
			return nil // fuzzing goes on with what is left of the time
		}
		var broken *BaselineError
		if errors.As(err, &broken) {
			u.untested = results.TestsFail
		}
		return err
	})
}

// runAllTests runs the packages' own tests, and then those of dependents. The
// baseline and the survey run at once: many tests wait more than they work.
func (u *unit) runAllTests(ctx context.Context) error {
	own := u.ownPackages()
	suites := u.suitesOf(own)
	g, both := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		defer contain(&err)
		return u.baseline(both, own)
	})
	g.Go(func() (err error) {
		defer contain(&err)
		return u.survey(both, suites)
	})
	if err := g.Wait(); err != nil {
		return err
	}
	others := u.dependents(own)
	u.findBuilders(slices.Concat(own, others))
	if err := u.judge(ctx, suites, len(others) == 0); err != nil || len(u.pending()) == 0 {
		return err
	}
	if len(others) > 0 {
		u.ownTested = true
		if err := u.judgeByDependents(ctx, others); err != nil {
			return err
		}
	}
	return u.judgeByBuilt(ctx)
}

func (u *unit) openSlots() error {
	if u.slots == nil {
		if err := os.MkdirAll(u.buildCache(), 0o700); err != nil {
			return err
		}
		var err error
		opened := func(sl *slot) { u.guard.Bequeath(sl.scratch.Base()) }
		if u.slots, err = newSlots(u.cfg.Workers, u.scope.Tree, u.buildCache(), u.tool.Env, opened); err != nil {
			return err
		}
	}
	if u.cfg.Sandbox != SandboxStrict && u.looksAtInterfaces() {
		u.forTests.interfaces, u.forTargets.interfaces = true, true
	}
	return u.slots.ready(u.work, u.woven.Layout)
}

// buildCache is the folder for what tests have the go command build, of the whole
// run.
func (u *unit) buildCache() string { return filepath.Join(u.work, "go-build") }

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

// testRun is a finished run of a test binary.
type testRun struct {
	exit    worker.Exit
	outcome worker.Outcome
	entered []int // functions that ran, as the probe numbers them; only of runs with a mutant
}

// endless reports whether the run was still going on when it had to end.
func (r testRun) endless() bool {
	return r.outcome.Kind == results.KindHang && r.exit.Cause != worker.Deadlock
}

// byClock reports whether nothing but the time that it took says that the run would not have
// ended: a clock says so twice before that counts, whatever was seen when the mutant was tried.
func (r testRun) byClock() bool {
	return r.endless() && r.exit.Flags&(probe.FlagHang|probe.FlagRecursion) == 0
}

// repeats reports whether a failure of a test that always does the same would be the same
// in another run: no clock has to do with it. Steps are counted.
func (r testRun) repeats() bool {
	return r.outcome.Kind == results.KindTest || r.exit.Flags&probe.FlagHang != 0
}

// execTests runs a test binary in sl. Dir is given in the user's tree. Without a
// sandbox it gets the one for the unit's tests.
func (u *unit) execTests(ctx context.Context, sl *slot, c worker.Command) (testRun, error) {
	if c.OnEvent != nil { // what a lost run has told cannot be taken back, nor what a liar has
		exit, err := u.execOnce(ctx, sl, c)
		return testRun{exit: exit, outcome: exit.Outcome()}, err
	}
	exit, err := insist(func() (worker.Exit, error) { return u.execOnce(ctx, sl, c) })
	if exit.Cause == worker.Lied { // in its state file; nothing else is asked for but how it ended
		exit.Cause = worker.Exited
	}
	return testRun{exit: exit, outcome: exit.Outcome()}, err
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
	c.Env, c.Restore, c.Guard = sl.env, sl.scratch.Restore, u.guard
	if c.Memory == 0 {
		c.Memory = memoryLimit
	}
	c.OnRest = func(resting bool) { u.slots.rest(sl, resting) }
	defer u.slots.rest(sl, false)
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

func (u *unit) setAllAside(pkg string, tests []string, why string) {
	for _, name := range tests {
		u.setAside(pkg, name, why)
	}
}

// asideOf are the tests of a package that judge nothing, as far as is known.
func (u *unit) asideOf(pkg string) (names []string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for key := range u.aside {
		if name, ok := strings.CutPrefix(key, pkg+"."); ok && !strings.Contains(name, ".") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// suitesOf are the suites of packages whose woven tests were built.
func (u *unit) suitesOf(pkgs []string) (suites []*suite) {
	for _, pkg := range pkgs {
		if binary := u.binaries[pkg]; binary != "" {
			suites = append(suites, &suite{
				pkg: pkg, dir: u.listing[pkg].Dir, binary: binary, part: u.reachers[pkg] != nil, unpruned: u.cfg.Unpruned,
			})
		}
	}
	return suites
}

// judge lets the tests of surveyed suites judge every pending mutant. No others
// come after the last. Where there was no time for some of the tests the others
// still judge; but what they leave alive is undecided then.
func (u *unit) judge(ctx context.Context, suites []*suite, last bool) error {
	u.suites = append(u.suites, suites...)
	defer closeBooks(suites)
	u.noteAside(suites)
	late := slices.ContainsFunc(allTests(suites), func(t *test) bool { return t.aside == noTime })
	u.tested = last && !late // from here on each mutant knows which tests it still needs
	u.await(suites)
	if err := u.runMutants(ctx, suites); err != nil || len(u.pending()) == 0 {
		return err
	}
	u.await(suites) // some tests may have turned out to be flaky
	if err := u.watchCompany(ctx, suites); err != nil {
		return err
	}
	if err := u.runThoroughly(ctx, suites); err != nil {
		return err
	}
	if err := u.hearAside(ctx, suites); err != nil || !late || len(u.pending()) == 0 {
		return err
	}
	return errOutOfTime
}

// await notes what pending mutants have still to go through after the tests of suites
// have judged them one by one.
func (u *unit) await(suites []*suite) {
	companies := 0
	undoes := slices.ContainsFunc(u.pending(), (*mutant).undoes)
	for _, s := range suites {
		s.undoes = undoes
		if s.gathers = s.wantsCompany(); s.gathers {
			companies++
		}
	}
	for _, m := range u.pending() {
		m.awaitsCompany = companies
		m.awaitsAside = slices.ContainsFunc(allTests(suites), (*test).isAside)
	}
}

// testCommand runs tests of one suite with M set from the start. Without a bound
// on steps they are run to see what they do, and may be asleep for as long as
// they like.
func (u *unit) testCommand(sl *slot, m int, steps int64, wall time.Duration, tests ...*test) worker.Command {
	var names, skip []string
	for _, t := range tests {
		if t.name != "" { // that of all
			names = append(names, t.name)
		}
		if t.skip != "" {
			skip = append(skip, "-test.skip="+t.skip)
		}
	}
	asleep := wall
	if steps > 0 {
		asleep = wall / asleepPart
	}
	args := append(worker.TestArgs(wall, names...), skip...)
	if !slices.ContainsFunc(tests, func(t *test) bool { return t.failsWithin }) {
		args = append(args, "-test.failfast")
	}
	return worker.Command{
		Binary: tests[0].binary, Args: append(args, u.cfg.TestFlags...), Dir: tests[0].dir,
		State: sl.state, Mutant: m, Steps: steps, Timeout: wall + 5*time.Second, Silence: wall, Asleep: asleep,
	}
}

// judgeByDependents lets the tests of other packages judge what the packages'
// own did not kill. Those that cannot reach it are not even built. The others
// are built and run in groups, the nearest first and each group twice the one
// before: a repository has hundreds, few of which it takes, and to link them all
// can take all the time there is.
func (u *unit) judgeByDependents(ctx context.Context, others []string) error {
	for n := u.cfg.Workers; len(u.pending()) > 0; n *= 2 {
		if others = u.nearest(ctx, others); len(others) == 0 {
			break
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		group := others[:min(n, len(others))]
		others = others[len(group):]
		if err := u.buildDependents(ctx, group); err != nil {
			return err
		}
		for i, pkg := range group {
			if err := u.judgeByDependent(ctx, pkg, len(others) == 0 && i == len(group)-1); err != nil {
				return err
			}
			if len(u.pending()) == 0 {
				break
			}
		}
	}
	u.tested = true
	return nil
}

// buildDependents builds the woven tests of those packages for which there are
// none yet. If they do not build together each is built alone, and those that
// do not are left out with a warning.
func (u *unit) buildDependents(ctx context.Context, pkgs []string) error {
	missing := slices.DeleteFunc(slices.Clone(pkgs), func(pkg string) bool { return u.binaries[pkg] != "" })
	if len(missing) == 0 {
		return nil
	}
	overlay, err := u.registerTests(missing)
	if err != nil {
		return err
	}
	built, err := u.buildTests(ctx, "dependents", overlay, missing)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil && len(missing) > 1:
		for _, pkg := range missing {
			if err := u.buildDependents(ctx, []string{pkg}); err != nil {
				return err
			}
		}
	case err != nil:
		u.warn("left out: %v", err)
	}
	maps.Copy(u.binaries, built)
	return nil
}

// judgeByDependent lets the tests of one other package judge. No others come
// after the last.
func (u *unit) judgeByDependent(ctx context.Context, pkg string, last bool) error {
	reaches, err := u.runsAny(ctx, pkg)
	if err != nil || !reaches {
		return err
	}
	suites := u.suitesOf([]string{pkg})
	if err := u.survey(ctx, suites); err != nil {
		return err
	}
	return u.judge(ctx, suites, last)
}

// runsAny reports whether the tests of a package that may reach a live mutant,
// all together, run any: most do not. When in doubt they do.
func (u *unit) runsAny(ctx context.Context, pkg string) (bool, error) {
	if u.binaries[pkg] == "" {
		return false, nil
	}
	sl := u.slots.take()
	defer u.slots.give(sl)
	s := &suite{pkg: pkg, dir: u.listing[pkg].Dir, binary: u.binaries[pkg]}
	all := &test{suite: s}
	tests := []*test{all}
	for _, name := range u.reachers[pkg] {
		tests = append(tests, &test{suite: s, name: name})
	}
	c := u.testCommand(sl, probe.Probed, 0, u.wall(0), tests...)
	if u.cfg.SkipTests != nil {
		c.Args = append(c.Args, "-test.skip="+u.cfg.SkipTests.String())
	}
	run, err := u.execTests(ctx, sl, c)
	if err == nil && run.exit.Cause == worker.Cancelled {
		err = context.Cause(ctx)
	}
	if err != nil || run.outcome.Kind != "" {
		return true, err
	}
	all.learn(run, sl.state)
	return u.reachedBySome(all), nil
}

// reachedBySome reports whether t runs any live mutant, or may.
func (u *unit) reachedBySome(t *test) bool {
	return slices.ContainsFunc(u.mutants, func(m *mutant) bool {
		return m.live() && m.Block >= 0 && (t.reaches(m) || t.infects(m))
	})
}

// dependents are the packages with tests, other than own, whose tests may run
// touched code and are wanted; those first that import it themselves.
func (u *unit) dependents(own []string) []string {
	if u.cfg.Tests == TestsPackage {
		return nil
	}
	var list []string
	for _, p := range u.sortedListing() {
		if len(p.TestGoFiles)+len(p.XTestGoFiles) == 0 || slices.Contains(own, p.ImportPath) || len(p.Errors) > 0 {
			continue
		}
		if u.cfg.Tests == TestsAll || u.leadsToTouched(p) {
			list = append(list, p.ImportPath)
		}
	}
	slices.SortStableFunc(list, func(a, b string) int { return lessIf(u.importsTouched(a), u.importsTouched(b)) })
	return list
}

// importsTouched reports whether a package or its tests import a touched one
// themselves.
func (u *unit) importsTouched(pkg string) bool {
	p := u.listing[pkg]
	return slices.ContainsFunc(slices.Concat(p.Imports, p.TestImports, p.XTestImports), func(path string) bool {
		return slices.Contains(u.touched, path)
	})
}
