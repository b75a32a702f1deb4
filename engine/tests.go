package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/judge"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/report/results"
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
		err := u.judgeByTests(ctx)
		u.tested = err == nil
		if stopped(context.Background(), err) {
			if errors.Is(err, errOutOfTime) {
				u.warnLate()
			}
			return nil // fuzzing goes on with what is left of the time
		}
		return err
	})
}

// judgeByTests lets the tests of all packages judge what is pending.
func (u *unit) judgeByTests(ctx context.Context) error {
	own := u.ownPackages()
	others := u.dependents(own)
	u.findBuilders(slices.Concat(own, others))
	c := judge.Config{Executor: executor{u}, Own: u.suitesOf(own), Mutants: u.judgeable()}
	if u.cfg.Verdicts != nil {
		c.Cache = newCache(ctx, u)
		defer c.Cache.(*cache).close()
	}
	if len(others) > 0 {
		c.Dependents = func(ctx context.Context, alive []*judge.Mutant) ([]*judge.Suite, error) {
			return u.nextDependents(ctx, &others, alive)
		}
	}
	u.progress.Phase("tests", len(c.Mutants))
	c.Done = func(*judge.Mutant) { u.progress.Step(1) }
	var err error
	u.judged, err = judge.Tests(ctx, c)
	u.noteQuarantined(u.judged)
	u.applyKills()
	if err == nil && len(u.judged.Failures) > 0 {
		f := u.judged.Failures[0]
		u.untested = results.TestsFail
		return &BaselineError{f.Package, f.Tests, f.Message, f.Output}
	}
	if err == nil {
		err = u.judgeByBuilt(ctx)
	}
	return err
}

// Classes of mutants, in the order in which they are judged.
const (
	classUndone  = iota // undoes part of the change
	classChanged        // on a changed line
	classRest
	classLate // in a function that did not change but uses what did
)

// judgeable are the pending mutants as judging knows them.
func (u *unit) judgeable() []judge.Mutant {
	var list []judge.Mutant
	for _, m := range ranked(u.pending()) {
		j := *u.asJudged(m)
		switch {
		case m.undoes():
			j.Class = classUndone
		case m.OnDiff:
			j.Class = classChanged
		case m.late:
			j.Class = classLate
		}
		list = append(list, j)
	}
	return list
}

// asJudged is m as judging knows it.
func (u *unit) asJudged(m *mutant) *judge.Mutant {
	return &judge.Mutant{Number: m.number, Package: u.packageOf(m), Block: m.Block, Probed: m.Probed, Class: classRest}
}

// applyKills gives mutants that tests have killed their status, and notes of the others
// what is known.
func (u *unit) applyKills() {
	for _, m := range u.mutants {
		if !m.live() {
			continue
		}
		j := u.asJudged(m)
		for _, v := range u.judged.Surveys {
			m.reached = m.reached || v.Reaches(j)
			m.infected = m.infected || v.Infects(j) && m.Probed
			m.judged = m.judged || v.Infects(j)
			m.tests += len(v.Covering(j))
		}
		if d := u.judged.Decide(j); d.Status == judge.Killed {
			m.kill(results.KilledBy{By: results.ByTest, Kind: d.Kind, Name: d.Test})
			m.reason = d.Reason
			m.onlyInSuite = d.Reason == judge.ReasonOnlyInSuite
		}
	}
	u.count(func(s *results.Stats) {
		for _, v := range u.judged.Surveys {
			s.Tests += len(v.Tests)
		}
	})
}

func (u *unit) count(f func(*results.Stats)) {
	u.mu.Lock()
	defer u.mu.Unlock()
	f(&u.res.Stats)
}

func (u *unit) unconfirmed(format string, args ...any) {
	u.count(func(s *results.Stats) { s.Unconfirmed++ })
	u.progress.Say(fmt.Sprintf(format, args...))
}

// partOf is ctx with only a part of the time that it has left, if that is limited.
func partOf(ctx context.Context, part float64) (context.Context, context.CancelFunc) {
	deadline, limited := ctx.Deadline()
	if !limited {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, time.Duration(part*float64(time.Until(deadline))), errOutOfTime)
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

// suitesOf are the suites of packages whose woven tests were built.
func (u *unit) suitesOf(pkgs []string) (suites []*judge.Suite) {
	for _, pkg := range pkgs {
		if u.binaries[pkg] != "" {
			suites = append(suites, &judge.Suite{Package: pkg, Only: u.reachers[pkg]})
		}
	}
	return suites
}

// nextDependents builds the tests of the next of the other packages that may reach what
// is alive: the nearest first, and each time twice as many, for a repository has
// hundreds, few of which it takes.
func (u *unit) nextDependents(ctx context.Context, others *[]string, alive []*judge.Mutant) ([]*judge.Suite, error) {
	functions := map[string]bool{}
	for _, m := range alive {
		functions[u.mutants[m.Number-1].Function] = true
	}
	*others = u.nearest(ctx, *others, functions)
	u.group = max(2*u.group, u.cfg.Workers)
	group := (*others)[:min(u.group, len(*others))]
	*others = (*others)[len(group):]
	if len(group) == 0 {
		return nil, nil
	}
	if err := u.buildDependents(ctx, group); err != nil {
		return nil, err
	}
	suites := u.suitesOf(group)
	if len(suites) == 0 {
		return u.nextDependents(ctx, others, alive)
	}
	return suites, nil
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

// registerTests returns the overlay for the tests of further packages: that
// of the woven binary, and their test files with the tests registered.
func (u *unit) registerTests(pkgs []string) (map[string]string, error) {
	files, registered, err := weave.WeaveTests(weave.Input{Root: u.scope.Tree, ProbePath: u.probePath, Tests: u.testFiles(pkgs)})
	if err != nil {
		return nil, err
	}
	maps.Copy(u.registered, registered)
	u.overlays++
	overlay, err := writeOverlay(filepath.Join(u.work, "dependents", u.folderName(u.overlays)), files)
	if err != nil {
		return nil, err
	}
	maps.Copy(overlay, u.overlay)
	return overlay, nil
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

// topLevel is the test that a subtest belongs to.
func topLevel(name string) string {
	top, _, _ := strings.Cut(name, "/")
	return top
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

// importsTouched reports whether a package or its tests import a touched one
// themselves.
func (u *unit) importsTouched(pkg string) bool {
	p := u.listing[pkg]
	return slices.ContainsFunc(slices.Concat(p.Imports, p.TestImports, p.XTestImports), func(path string) bool {
		return slices.Contains(u.touched, path)
	})
}
