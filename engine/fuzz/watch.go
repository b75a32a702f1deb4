package fuzz

import (
	"context"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/engine/judge"
	"github.com/mutantfuzz/mutantfuzz/engine/pool"
	"github.com/mutantfuzz/mutantfuzz/engine/replay"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
	"github.com/mutantfuzz/mutantfuzz/engine/witness"
)

// Bounds on watching tests. Where it is not known which tests run a mutant, all tests of a suite are watched if the
// suite takes less than maxSuite.
const (
	maxWatched = 40 // mutants
	maxTests   = 25 // for each of them, where it is known which tests run it
	maxSuite   = 2 * time.Second
)

// watch looks for survivors of the change with which the mutated function gives another result while a test runs. Such
// a call exposes the mutant: the test does not look at the result. A mutant that changes results inside a run is seldom
// equivalent (Schuler, Zeller: (Un-)Covering Equivalent Mutants, ICST 2010). Mutants that a user's fuzz target reaches
// are left to the target.
func (f *Fuzzer) watch(ctx context.Context, surveys []*judge.Survey) error {
	x := pool.Executor{Runner: f.Runner}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(f.Pool.Width())
	list := f.toWatch(x, surveys)
	for _, w := range list {
		g.Go(func() error {
			if err := f.originals(ctx, x, w); err != nil {
				return err
			}
			for _, m := range w.mutants {
				d, test, err := f.watched(ctx, x, w, m)
				if err != nil {
					return err
				}
				if d != nil {
					f.seen(m, d, test)
				}
			}
			return nil
		})
	}
	err := g.Wait()
	for _, w := range list { // in order, so that the same tests always give the same seeds
		f.carve(w)
	}
	return err
}

// watch is a set of tests of one suite to watch, and mutants of one function that they run.
type watch struct {
	survey   *judge.Survey
	function string
	site     int // at which the calls of the function are observed
	tests    []string
	mutants  []*evidence.Mutant     // none: only the arguments that tests pass are of interest
	runs     map[string][]*wire.Run // without a mutant, by test
}

// toWatch returns what to watch. Mutants of one function that the same tests run are in one watch.
func (f *Fuzzer) toWatch(x pool.Executor, surveys []*judge.Survey) (list []*watch) {
	n := 0
	for _, m := range f.Mutants.Open().Ranked() {
		site := f.callSite(m.Function)
		if n >= maxWatched || site < 0 || !m.Survives() || !m.Changed() && !f.whole(m.Function) || f.targeted(m) {
			continue
		}
		for _, v := range surveys {
			tests := testsToWatch(x, v, m)
			if len(tests) == 0 || v.Suite.Package != m.Package {
				continue
			}
			n++
			list = join(list, &watch{survey: v, function: m.Function, site: site, tests: tests, mutants: []*evidence.Mutant{m}})
		}
	}
	return f.toCarve(x, list, surveys)
}

// toCarve adds a watch without mutants for functions that drivers call and that are not watched yet, if tests run them:
// what tests pass to such functions makes seeds.
func (f *Fuzzer) toCarve(x pool.Executor, list []*watch, surveys []*judge.Survey) []*watch {
	driven := f.driven()
	for _, m := range f.Mutants {
		site := f.callSite(m.Function)
		if site < 0 || !driven[m.Function] {
			continue
		}
		for _, v := range surveys {
			watched := func(w *watch) bool { return w.site == site && w.survey == v }
			if v.Suite.Package != m.Package || len(list) >= maxWatched || slices.ContainsFunc(list, watched) {
				continue
			}
			if tests := testsToWatch(x, v, m); len(tests) > 0 {
				list = append(list, &watch{survey: v, function: m.Function, site: site, tests: tests})
			}
		}
	}
	return list
}

// join adds the mutants of w to the watch in list for the same function and tests or, if there is none, adds w to list.
func join(list []*watch, w *watch) []*watch {
	for _, other := range list {
		if other.survey == w.survey && other.site == w.site && slices.Equal(other.tests, w.tests) {
			other.mutants = append(other.mutants, w.mutants...)
			return list
		}
	}
	return append(list, w)
}

// testsToWatch returns tests of a suite that run m and that the woven binary can run by themselves. If these are
// unknown it returns all tests of a small suite that reaches m, and none of another one.
func testsToWatch(x pool.Executor, v *judge.Survey, m *evidence.Mutant) []string {
	tests, most := v.Covering(m.AsJudged()), maxTests
	if len(tests) == 0 && v.Took < maxSuite && v.Reaches(m.AsJudged()) {
		tests, most = slices.Clone(v.Tests), len(v.Tests)
	}
	registered := x.Registered(v.Suite)
	tests = slices.DeleteFunc(tests, func(test string) bool { return !slices.Contains(registered, test) })
	return tests[:min(len(tests), most)]
}

// callSite returns the site at which a function's calls are observed, -1 if they cannot be watched.
func (f *Fuzzer) callSite(function string) int {
	for _, fn := range f.Woven.Funcs {
		if fn.ID == function {
			return fn.Site
		}
	}
	return -1
}

// targeted reports whether a user's fuzz target reaches m.
func (f *Fuzzer) targeted(m *evidence.Mutant) bool {
	return slices.ContainsFunc(f.Targets, func(t *Target) bool { return !t.Driver && t.blocks[m.Block] })
}

// originals fills in w.runs with runs without a mutant, two in one process and one in another, so that results that
// differ by themselves show. It leaves out tests with fewer such runs.
func (f *Fuzzer) originals(ctx context.Context, x pool.Executor, w *watch) (err error) {
	if w.runs, _, err = f.calls(ctx, x, w, wire.Probed, 2); err != nil {
		return err
	}
	more, _, err := f.calls(ctx, x, w, wire.Probed, 1)
	for test, runs := range w.runs {
		if len(runs) < 2 || len(more[test]) == 0 {
			delete(w.runs, test)
			continue
		}
		w.runs[test] = append(runs, more[test]...)
	}
	return err
}

// calls runs the watched tests repeat times and returns, by test, the calls of the function in each run, and whether
// one of these calls read something that only this machine has.
func (f *Fuzzer) calls(ctx context.Context, x pool.Executor, w *watch, mutant, repeat int) (map[string][]*wire.Run, bool, error) {
	runs, machine, err := x.Watch(ctx, w.survey.Suite, w.tests, mutant, w.site, repeat, w.survey.Took)
	for _, list := range runs {
		replay.Portable(list)
	}
	return runs, machine, err
}

// watched returns the first call, in the order of the tests, that gives another result with m, and the test that makes
// it. d is nil if there is none.
func (f *Fuzzer) watched(ctx context.Context, x pool.Executor, w *watch, m *evidence.Mutant) (d *witness.Difference, test string, err error) {
	mutated, _, err := f.calls(ctx, x, w, m.Number, 2)
	if err != nil {
		return nil, "", err
	}
	for _, test := range w.tests {
		d := f.compared(w, test, mutated[test])
		if d == nil {
			continue
		}
		// The clock has moved on: if a result depends on the time, the program differs from its earlier runs.
		later := &watch{survey: w.survey, site: w.site, tests: []string{test}}
		again, machine, err := f.calls(ctx, x, later, wire.Probed, 1)
		if err != nil {
			return nil, "", err
		}
		w.runs[test] = append(w.runs[test], again[test]...)
		if d = f.compared(w, test, mutated[test]); d != nil && len(again[test]) > 0 && !machine {
			return d, test, nil
		}
	}
	return nil, "", nil
}

// compared returns the first call of a test that gives another visible result with a mutant on the same arguments, nil
// if there is none.
func (f *Fuzzer) compared(w *watch, test string, mutated []*wire.Run) *witness.Difference {
	original := &replay.Runs{Runs: w.runs[test]}
	if len(original.Runs) == 0 || len(mutated) < 2 {
		return nil
	}
	d := f.Compare(&Target{}, original, &replay.Runs{Runs: mutated}, original.UnsteadySites())
	if d == nil || d.Original == nil || d.Mutant == nil || !d.Visible() || !slices.Equal(d.Original.Args, d.Mutant.Args) {
		return nil
	}
	return d
}

// seen notes that a call in a test exposes m. It is no evidence if both sides give no result (see
// results.ExposedBy.Absent): the test need not look at what stands there.
func (f *Fuzzer) seen(m *evidence.Mutant, d *witness.Difference, test string) {
	t := newTarget(&weave.Target{Name: m.Package + "." + test, Func: test, Package: m.Package}, f.Of(m.Package), 0)
	by := f.Exposure(t, corpus.Entry{}, d)
	by.InTest = true
	f.mu.Lock()
	defer f.mu.Unlock()
	if m.Reached, m.Infected = true, true; !by.Absent() {
		m.Exposed, f.differences[m.Number] = by, d
	}
}
