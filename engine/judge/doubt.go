package judge

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/ledger"
	"github.com/mutantfuzz/mutantfuzz/engine/sequential"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// A survey runs a test a few times, and misses most of those that fail in one run of ten. What a mutant
// seems to do now and then may therefore be what the test does now and then: a test that both passes and
// fails with a mutant runs as often without one, in the same kind of process. One that fails there, too,
// is not believed any more, by any mutant: alone it does not judge, and one that fails beside the others
// is quarantined. But a test that hardly ever fails beside the others goes on judging, if there is time to find that out:
// most surveys see nothing of it, and a verdict takes more than one failure.
//
// Nor does one pass say much of what such a test may notice, or one survey of what it infects: see unsteady.

// doubts are the runs without a mutant of tests that failed, or contradicted themselves.
type doubts struct {
	mu    sync.Mutex
	runs  map[ledger.Step]sequential.Runs // by kind of run, and the test in doubt
	took  map[ledger.Step]time.Duration
	flaky map[string]bool // tests that failed beside others, not yet quarantined
	mixed map[string]bool // tests that both passed and failed with some mutant
	found bool            // since it was last asked, a test was found to fail alone, or to contradict itself
}

// of returns the runs of a test in doubt, and how long they took together.
func (d *doubts) of(s ledger.Step) (sequential.Runs, time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.runs[s], d.took[s]
}

// add adds a run of a test in doubt.
func (d *doubts) add(s ledger.Step, failed bool, took time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.runs == nil {
		d.runs, d.took = map[ledger.Step]sequential.Runs{}, map[ledger.Step]time.Duration{}
	}
	n := d.runs[s]
	if failed {
		n.Failed++
	} else {
		n.Passed++
	}
	d.runs[s] = n
	d.took[s] += took
}

// failing are the runs of the tests that have failed in some.
func (d *doubts) failing() map[ledger.Step]sequential.Runs {
	d.mu.Lock()
	defer d.mu.Unlock()
	failing := maps.Clone(d.runs)
	maps.DeleteFunc(failing, func(_ ledger.Step, n sequential.Runs) bool { return n.Failed == 0 })
	return failing
}

// fails notes that a test fails without a mutant.
func (d *doubts) fails(s ledger.Step) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if s.Context == ledger.Alone {
		d.found = true
		return
	}
	if d.flaky == nil {
		d.flaky = map[string]bool{}
	}
	d.flaky[s.Test] = true
}

// contradicts notes that a test both passed and failed with a mutant, so that what it reaches has to pass again.
func (d *doubts) contradicts(test string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.mixed == nil {
		d.mixed = map[string]bool{}
	}
	d.found = d.found || !d.mixed[test]
	d.mixed[test] = true
}

// steady reports whether no test contradicts itself with any mutant.
func (d *doubts) steady() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.mixed) == 0
}

// contradicted reports whether a test both passed and failed with some mutant.
func (d *doubts) contradicted(test string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.mixed[test]
}

// take returns the tests to quarantine, and whether anything has been found since it was last called.
func (d *doubts) take() (flaky []string, found bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	flaky = slices.Sorted(maps.Keys(d.flaky))
	found = d.found || len(flaky) > 0
	d.flaky, d.found = nil, false
	return flaky, found
}

// doubt runs the test without a mutant if its runs of a kind with m contradict each other: as often as with m, or
// up to the first failure.
func (c *judging) doubt(ctx context.Context, m *Mutant, step ledger.Step) error {
	with, test := ledger.Count(c.runs.Of(m.Number), step)
	in := ledger.Step{Context: step.Context, Test: cmp.Or(step.Test, ledger.TopLevel(test))}
	if with.Passed == 0 || with.Failed == 0 || in.Test == "" {
		return nil
	}
	if c.asksFor(in.Test) <= askedTime {
		c.doubts.contradicts(in.Test)
	}
	if step.Context == ledger.Alone && !c.passesAlone(in.Test) {
		return nil
	}
	spec := c.specOf(m, step)
	spec.Mutant = wire.Original
	for n, _ := c.doubts.of(in); n.Failed == 0 && n.Passed < with.Passed+with.Failed; n, _ = c.doubts.of(in) {
		if failed, err := c.original(ctx, in, spec); err != nil {
			return err
		} else if failed {
			return c.distrust(ctx, in, spec)
		}
	}
	return nil
}

// askedTime is how long runs may take, one after the other, that a test asks for which contradicts itself. One that runs nearly all
// code asks for more than it tells.
const askedTime = 20 * time.Second

// asksFor is how long it takes to run the suite once with each mutant that a test reaches.
func (c *judging) asksFor(test string) (all time.Duration) {
	known := c.by[test]
	for _, m := range c.Mutants {
		if known != nil && known.reaches(m) {
			all += c.Took
		}
	}
	return all
}

// distrust notes that a test has failed without a mutant, unless it hardly ever does.
func (c *judging) distrust(ctx context.Context, in ledger.Step, spec Spec) error {
	if in.Context == ledger.Alone {
		c.alone.Store(in.Test, false)
		c.doubts.fails(in)
		return nil
	}
	rarely, err := c.failsRarely(ctx, in, spec)
	if err == nil && !rarely {
		c.doubts.fails(in)
	}
	return err
}

// original is a run without a mutant, of which a test is in doubt. It reports whether that test fails.
func (c *judging) original(ctx context.Context, in ledger.Step, spec Spec) (failed bool, err error) {
	r, err := c.Run(ctx, spec)
	if err != nil {
		return false, err
	}
	failed = r.Kind != ledger.Pass && (in.Context == ledger.Alone || slices.Contains(c.ours(r.Failed), in.Test))
	c.doubts.add(in, failed, r.Took)
	return failed, nil
}

// rareTime is how long the runs may take that show whether a test hardly ever fails.
const rareTime = 5 * time.Second

// failsRarely reports whether a test hardly ever fails without a mutant: it repeats the run until that is known. If that
// takes too long it is not said to.
func (c *judging) failsRarely(ctx context.Context, in ledger.Step, spec Spec) (bool, error) {
	for {
		n, took := c.doubts.of(in)
		share := sequential.Decide(n.Passed, n.Failed)
		if share != sequential.Unknown || took > rareTime {
			return share == sequential.None, nil
		}
		if _, err := c.original(ctx, in, spec); err != nil {
			return false, err
		}
	}
}

// believeLess quarantines the tests that were found to be flaky, and reports whether verdicts may be others now.
// Nothing else may use the survey meanwhile.
func (c *judging) believeLess(ctx context.Context) (bool, error) {
	flaky, found := c.doubts.take()
	if len(flaky) == 0 {
		return found, nil
	}
	c.exclude(flaky, FailsSometimes)
	maps.DeleteFunc(c.known, func(_ int, d ledger.Decision) bool { return slices.Contains(flaky, ledger.TopLevel(d.Test)) })
	return true, c.coverAgain(ctx)
}

// coverAgain takes what quarantined tests did out of the coverage of the whole suite.
func (c *judging) coverAgain(ctx context.Context) error {
	var whole coverage
	for _, test := range c.Tests {
		if known := c.by[test]; known != nil {
			whole.add(known.report())
		}
	}
	if !c.Large {
		r, err := c.Run(ctx, c.spec(wire.Probed))
		if err != nil || r.Kind != ledger.Pass {
			return err
		}
		whole.add(r)
	}
	c.whole = whole
	return nil
}
