package judge

import (
	"cmp"
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/mutantfuzz/mutantfuzz/engine/executor"
	"github.com/mutantfuzz/mutantfuzz/engine/ledger"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// Cache is a verdict cache. It holds verdicts of earlier analyses that are still valid.
type Cache interface {
	// Lookup returns the verdict of a suite's tests on m, [ledger.Killed] or [ledger.Survived]. It returns false if
	// it has none.
	Lookup(m *Mutant, s *Survey) (ledger.Decision, bool)
	// Store stores d. If a test notices m in some runs only, d is inconclusive, or a survival with a reason: then
	// Store records that there is no verdict. funcs are the functions that ran in the runs that d rests on, by the
	// probe's numbers.
	Store(m *Mutant, s *Survey, d ledger.Decision, funcs []int)
}

// judging surveys one suite, and judges mutants by its tests.
type judging struct {
	*Config
	*Survey
}

// judge runs mutants until each has a verdict. Slow tests run last.
func (c *judging) judge(ctx context.Context, mutants []*Mutant) error {
	if err := c.quick(ctx, mutants); err != nil {
		return err
	}
	return c.slow(ctx, mutants)
}

// own runs the mutants of the suite's own package on all but slow tests, class by class.
func (c *judging) own(ctx context.Context, mutants []*Mutant) error {
	for _, class := range classes(mutants) {
		class = slices.DeleteFunc(class, func(m *Mutant) bool { return m.Package != c.Suite.Package })
		if err := c.quick(ctx, class); err != nil {
			return err
		}
	}
	return nil
}

// first looks up mutants in the verdict cache, and tries those without a verdict that have not run yet.
func (c *judging) first(ctx context.Context, mutants []*Mutant) error {
	c.lookup(mutants)
	untried := slices.DeleteFunc(c.undecided(mutants), func(m *Mutant) bool { return len(c.runs.Of(m.Number)) > 0 })
	return c.try(ctx, untried)
}

// quick runs mutants on all tests except slow ones.
func (c *judging) quick(ctx context.Context, mutants []*Mutant) error {
	if err := c.first(ctx, mutants); err != nil {
		return err
	}
	return c.followAll(ctx, mutants, false)
}

// slow runs the mutants that are still undecided, on slow tests, too.
func (c *judging) slow(ctx context.Context, mutants []*Mutant) error {
	return c.followAll(ctx, mutants, true)
}

func (c *judging) followAll(ctx context.Context, mutants []*Mutant, slow bool) error {
	for {
		g, within := errgroup.WithContext(ctx)
		g.SetLimit(c.Width())
		for _, m := range c.undecided(mutants) {
			g.Go(func() error { return c.follow(within, m, slow) })
		}
		if err := g.Wait(); err != nil {
			return err
		}
		if less, err := c.believeLess(ctx); err != nil || !less {
			return err
		}
	}
}

func (c *judging) undecided(mutants []*Mutant) []*Mutant {
	return slices.DeleteFunc(slices.Clone(mutants), func(m *Mutant) bool { return c.decide(m).Status != ledger.Undecided })
}

// lookup takes over verdicts of earlier analyses. It skips mutants that have run in this analysis: the cache may
// return what this analysis stored itself.
func (c *judging) lookup(mutants []*Mutant) {
	if c.Cache == nil {
		return
	}
	for _, m := range mutants {
		if _, known := c.known[m.Number]; known || len(c.runs.Of(m.Number)) > 0 {
			continue
		}
		if d, ok := c.Cache.Lookup(m, c.Survey); ok {
			c.known[m.Number] = d
		}
	}
}

// decided stores the verdict on m and reports it as done. It does nothing if m is undecided.
func (c *judging) decided(m *Mutant) {
	d := c.decide(m)
	if d.Status == ledger.Undecided {
		return
	}
	if entries := c.runs.Of(m.Number); c.Cache != nil && len(entries) > 0 {
		c.Cache.Store(m, c.Survey, d, behind(d, entries))
	}
	if c.Done != nil {
		c.Done(m)
	}
}

// behind returns the functions that ran in the runs that d rests on. These are all runs of the mutant, since each may
// enter others. But a kill by a single test rests on the runs of that test alone; the last run is one of them.
func behind(d ledger.Decision, entries []ledger.Entry) (funcs []int) {
	last := entries[len(entries)-1]
	byOne := d.Status == ledger.Killed && d.Reason == ""
	for _, e := range entries {
		if !byOne || e.Step == last.Step {
			funcs = append(funcs, e.Funcs...)
		}
	}
	return funcs
}

// follow does the runs that are due for m until none is left, or, unless slow is set, until only runs of slow tests
// are left.
func (c *judging) follow(ctx context.Context, m *Mutant, slow bool) error {
	plan := c.plan(m)
	for {
		_, step := ledger.Decide(plan, c.runs.Of(m.Number))
		if step == nil || step.Context == ledger.InSlow && !slow {
			c.decided(m)
			return nil
		}
		if step.Context == ledger.Alone {
			if passes, err := c.checkAlone(ctx, step.Test); err != nil {
				return err
			} else if !passes {
				continue // the plan asks for a whole-suite run instead
			}
		}
		if step.Context == ledger.InControl {
			if err := c.control(ctx, m); err != nil {
				return err
			}
			plan = c.plan(m) // without the tests that collide
			continue
		}
		if err := c.run(ctx, m, *step); err != nil {
			return err
		}
		if err := c.doubt(ctx, m, *step); err != nil {
			return err
		}
	}
}

// checkAlone reports whether a test passes alone without a mutant: with the clones that mutants share and, unless it
// is long, with the functions as written. It finds that out only once for each test.
func (c *judging) checkAlone(ctx context.Context, test string) (bool, error) {
	passes, err, _ := c.checks.Do(test, func() (any, error) {
		if passes, known := c.alone.Load(test); known {
			return passes, nil
		}
		passes, err := c.runsAlone(ctx, test)
		if err == nil {
			c.alone.Store(test, passes)
		}
		return passes, err
	})
	return passes.(bool), err
}

// runsAlone does the runs of checkAlone.
func (c *judging) runsAlone(ctx context.Context, test string) (passes bool, err error) {
	for _, form := range []int{wire.Identity, wire.Original, wire.Identity, wire.Original} {
		r, err := c.Run(ctx, executor.Spec{Suite: c.Suite, Tests: []string{test}, Mutant: form})
		if err != nil {
			return false, err
		}
		if passes = r.Kind == ledger.Pass && !r.NoTests; !passes || c.long(test) { // long: once, as mutants run
			break
		}
	}
	return passes, nil
}

// run does one run and appends it to the ledger.
func (c *judging) run(ctx context.Context, m *Mutant, step ledger.Step) error {
	r, err := c.Run(ctx, c.specOf(m, step))
	if err != nil {
		return err
	}
	e := ledger.Entry{Step: step, Kind: r.Kind, ByClock: r.ByClock, Idle: c.idle(r), Took: r.Took, Funcs: r.Funcs}
	if r.Kind != ledger.Pass {
		e.Failed = cmp.Or(decisive(r.Failed), step.Test)
	}
	c.runs.Add(m.Number, e)
	return nil
}

// idle reports whether no test was seen to run in a run, although they let that be seen.
func (c *judging) idle(r executor.Report) bool { return r.NoTests && !c.hides() }

// control runs the quick tests that infect m together, without a mutant. Those that fail run by themselves with m from
// then on; if it is unknown which do, all of them.
func (c *judging) control(ctx context.Context, m *Mutant) error {
	spec := c.specOf(m, ledger.Step{Context: ledger.InQuick})
	spec.Mutant = wire.Original
	r, err := c.Run(ctx, spec)
	if err != nil {
		return err
	}
	e := ledger.Entry{Step: ledger.Step{Context: ledger.InControl}, Tests: spec.Tests, Kind: r.Kind, Idle: c.idle(r), Took: r.Took, Funcs: r.Funcs}
	if r.Kind == ledger.Pass {
		c.runs.Add(m.Number, e)
		return nil
	}
	colliding := slices.DeleteFunc(c.ours(r.Failed), func(test string) bool { return !slices.Contains(spec.Tests, test) })
	if len(colliding) == 0 {
		colliding = spec.Tests
	}
	for _, test := range colliding {
		e.Failed = test
		c.runs.Add(m.Number, e)
	}
	return nil
}

// specOf describes the run of m that step stands for.
func (c *judging) specOf(m *Mutant, step ledger.Step) executor.Spec {
	spec := executor.Spec{Suite: c.Suite, Mutant: m.Number, Takes: c.Took, Steps: c.whole.steps, Unbounded: step.Unbounded}
	switch step.Context {
	case ledger.InSuite:
		spec.Tests, spec.Skip = c.Suite.Only, c.quarantined()
	case ledger.InPart:
		spec.Tests, spec.Skip = c.Suite.Only, c.quarantined()
		for _, test := range c.leftOut(m, c.mayInfect(m, c.unsteady(m))) {
			spec.Skip = append(spec.Skip, test)
			spec.Takes = max(spec.Takes-c.by[test].took, spareTest)
		}
	case ledger.InQuick:
		quick, _ := c.divided(m)
		spec.Tests, spec.Takes, spec.Steps = quick, c.start, 0
		for _, test := range quick {
			spec.Takes += c.by[test].took
			spec.Steps += c.by[test].steps
		}
	default:
		spec.Tests = []string{step.Test}
		if known := c.by[step.Test]; known != nil {
			spec.Steps, spec.Takes = known.steps, c.start+known.took
		}
	}
	return spec
}

// decisive returns the first failed test of a run, or the failed subtest of it with the longest name: that is the
// innermost one, in which it failed.
func decisive(failed []string) string {
	if len(failed) == 0 {
		return ""
	}
	first := slices.DeleteFunc(slices.Clone(failed), func(name string) bool { return ledger.TopLevel(name) != ledger.TopLevel(failed[0]) })
	return slices.MaxFunc(first, func(a, b string) int { return len(a) - len(b) })
}
