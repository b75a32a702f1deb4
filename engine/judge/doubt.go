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

// A survey runs a test only a few times. It misses most tests that fail in one run of ten, and their failures then
// look as if a mutant caused them. So if a test both passes and fails with a mutant, it runs as often without one, in
// the same kind of process. If it fails there, too, its results count for no mutant: a test that fails alone does not
// judge alone, and one that fails beside others is quarantined. A test that hardly ever fails beside others keeps
// judging, if there is time to find that out: most surveys never see it fail, and a kill takes more than one failure.
//
// Likewise, one pass of such a test is weak evidence of survival, and one survey of what it infects. See unsteady.

// doubts holds the runs without a mutant of the tests that failed or contradicted themselves.
type doubts struct {
	mu    sync.Mutex
	runs  map[ledger.Step]sequential.Runs // by kind of run and test in doubt
	took  map[ledger.Step]time.Duration
	flaky map[string]bool // tests that failed beside others and are not quarantined yet
	mixed map[string]bool // tests that both passed and failed with some mutant
	found bool            // since the last take, a test was found to fail alone or to contradict itself
	finds int             // how many takes found something
}

// of returns the runs of the test in doubt, and how long they took together.
func (d *doubts) of(s ledger.Step) (sequential.Runs, time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.runs[s], d.took[s]
}

// add adds a run of the test in doubt.
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

// failing returns the runs of the tests that failed at least once.
func (d *doubts) failing() map[ledger.Step]sequential.Runs {
	d.mu.Lock()
	defer d.mu.Unlock()
	failing := maps.Clone(d.runs)
	maps.DeleteFunc(failing, func(_ ledger.Step, n sequential.Runs) bool { return n.Failed == 0 })
	return failing
}

// fails notes that the test of s fails without a mutant.
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

// contradicts notes that a test both passed and failed with a mutant. The mutants that it reaches have to pass again.
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

// take returns the tests to quarantine, and whether anything was found since the last call.
func (d *doubts) take() (flaky []string, found bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	flaky = slices.Sorted(maps.Keys(d.flaky))
	found = d.found || len(flaky) > 0
	d.flaky, d.found = nil, false
	if found {
		d.finds++
	}
	return flaky, found
}

// settled calls run until nothing more is found in it about the tests of some suites that may change verdicts.
func settled(suites []*judging, run func() error) error {
	for before := -1; ; {
		finds := 0
		for _, v := range suites {
			finds += v.doubts.finds // no test runs now
		}
		if finds == before {
			return nil
		}
		before = finds
		if err := run(); err != nil {
			return err
		}
	}
}

// doubt runs a test without a mutant if its runs with m in this kind of process contradict each other. It stops after
// as many runs as with m, or at the first failure.
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

// askedTime bounds the extra runs, one after the other, that one self-contradicting test may cause. A test that runs
// nearly all code causes more runs than its result is worth.
const askedTime = 20 * time.Second

// asksFor returns how long it takes to run the suite once with each mutant that test reaches.
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

// original does one run without a mutant for the test in doubt, and reports whether that test fails.
func (c *judging) original(ctx context.Context, in ledger.Step, spec Spec) (failed bool, err error) {
	r, err := c.Run(ctx, spec)
	if err != nil {
		return false, err
	}
	failed = r.Kind != ledger.Pass && (in.Context == ledger.Alone || slices.Contains(c.ours(r.Failed), in.Test))
	c.doubts.add(in, failed, r.Took)
	return failed, nil
}

// rareTime bounds how long runs are repeated to show that a test hardly ever fails.
const rareTime = 5 * time.Second

// failsRarely reports whether a test hardly ever fails without a mutant. It repeats the run until that is known, and
// returns false if it takes longer than rareTime.
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

// believeLess quarantines the tests that were found to be flaky, and reports whether verdicts may have changed.
// Nothing else may use the survey meanwhile.
func (c *judging) believeLess(ctx context.Context) (bool, error) {
	flaky, found := c.doubts.take()
	if len(flaky) == 0 {
		return found, nil
	}
	c.exclude(flaky, FailsSometimes)
	err := c.coverAgain(ctx)
	maps.DeleteFunc(c.known, func(_ int, d ledger.Decision) bool { return slices.Contains(c.quarantined(), ledger.TopLevel(d.Test)) })
	return true, err
}

// coverAgain removes what quarantined tests did from the coverage of the whole suite. It quarantines tests that fail
// without these: they would seem to kill every mutant.
func (c *judging) coverAgain(ctx context.Context) error {
	for {
		var whole coverage
		for _, test := range c.Tests {
			if known := c.by[test]; known != nil {
				whole.add(known.report())
			}
		}
		if c.Large || len(c.Tests) == 0 {
			c.whole = whole
			return nil
		}
		r, err := c.Run(ctx, c.spec(wire.Probed))
		if err == nil && r.Kind != ledger.Pass { // it may fail in some runs only
			r, err = c.Run(ctx, c.spec(wire.Probed))
		}
		if err != nil {
			return err
		}
		if r.Kind == ledger.Pass {
			whole.add(r)
			c.whole = whole
			return nil
		}
		if err := c.excludeFailed(ctx, r); err != nil {
			return err
		}
	}
}

// excludeFailed quarantines the tests that fail in a run of the suite without the quarantined ones; all, if nothing says
// which do.
func (c *judging) excludeFailed(ctx context.Context, r Report) error {
	failed := r.Failed
	if len(c.ours(failed)) == 0 {
		var err error
		if failed, err = c.Blame(ctx, c.spec(wire.Probed)); err != nil {
			return err
		}
	}
	if tests := c.ours(failed); len(tests) > 0 {
		c.exclude(tests, failsWithout)
	} else {
		c.exclude(slices.Clone(c.Tests), failsUnnamed)
	}
	return nil
}
