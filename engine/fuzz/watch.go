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

// Bounds on watching tests.
const (
	maxWatched = 40              // mutants
	maxTests   = 25              // for each of them
	maxSuite   = 2 * time.Second // that a suite may take all of whose tests are watched, for it is not known which run the mutant
)

// watch looks for survivors of the change with which the mutated function gives another result in a test, and the
// test does not look at it: such a call exposes the mutant. That results change inside says that a mutant is
// not equivalent (Schuler, Zeller: (Un-)Covering Equivalent Mutants, ICST 2010). Mutants that a target of the
// user's reaches are left to that.
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

// watch is some tests of a suite, and mutants of one function that they run.
type watch struct {
	survey   *judge.Survey
	function string
	site     int // of the function's calls
	tests    []string
	mutants  []*evidence.Mutant     // none: only what tests pass is of interest
	runs     map[string][]*wire.Run // without a mutant, by test
}

// toWatch returns what is to be watched, the mutants of one function and the same tests together.
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

// toCarve adds those functions that drivers call whose mutants need no watching, as far as tests run some: what these pass is worth as much.
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

// join adds w to a watch of the same tests for the same function, or to the list.
func join(list []*watch, w *watch) []*watch {
	for _, other := range list {
		if other.survey == w.survey && other.site == w.site && slices.Equal(other.tests, w.tests) {
			other.mutants = append(other.mutants, w.mutants...)
			return list
		}
	}
	return append(list, w)
}

// testsToWatch are tests of a suite that run m, and that the woven binary can run by themselves; none if they are
// not known, and the suite is not small.
func testsToWatch(x pool.Executor, v *judge.Survey, m *evidence.Mutant) []string {
	tests, most := v.Covering(m.AsJudged()), maxTests
	if len(tests) == 0 && v.Took < maxSuite && v.Reaches(m.AsJudged()) {
		tests, most = slices.Clone(v.Tests), len(v.Tests)
	}
	registered := x.Registered(v.Suite)
	tests = slices.DeleteFunc(tests, func(test string) bool { return !slices.Contains(registered, test) })
	return tests[:min(len(tests), most)]
}

// callSite is the site of a function's calls; -1: they cannot be watched.
func (f *Fuzzer) callSite(function string) int {
	for _, fn := range f.Woven.Funcs {
		if fn.ID == function {
			return fn.Site
		}
	}
	return -1
}

// targeted reports whether a target of the user's reaches m.
func (f *Fuzzer) targeted(m *evidence.Mutant) bool {
	return slices.ContainsFunc(f.Targets, func(t *Target) bool { return !t.Driver && t.blocks[m.Block] })
}

// originals runs the tests without a mutant: twice in one process and once in another, so that what
// differs by itself shows.
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

// calls runs the tests that are watched, and returns the calls of the function that each makes, and whether one of them read what is
// on this machine.
func (f *Fuzzer) calls(ctx context.Context, x pool.Executor, w *watch, mutant, repeat int) (map[string][]*wire.Run, bool, error) {
	runs, machine, err := x.Watch(ctx, w.survey.Suite, w.tests, mutant, w.site, repeat, w.survey.Took)
	for _, list := range runs {
		replay.Portable(list)
	}
	return runs, machine, err
}

// watched returns the first call, in the order of the tests, that gives another result with m, and the test that makes it.
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
		// What is of the clock is another one by now, if it was between the runs that differ.
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

// compared returns the first call of a test that gives another result in runs with a mutant.
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

// seen notes that m is exposed by what a test calls. Where there is no result with it, nor without, that is no evidence: the test need not
// look at what stands there.
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
