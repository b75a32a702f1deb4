package judge

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/executor"
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

// settled calls run until nothing more is found in it about the tests of some suites that may change verdicts.
func settled(suites []*judging, run func() error) error {
	for before := -1; ; {
		finds := 0
		for _, v := range suites {
			finds += v.doubts.Finds()
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
		c.doubts.Contradicts(in.Test)
	}
	if step.Context == ledger.Alone && !c.passesAlone(in.Test) {
		return nil
	}
	spec := c.specOf(m, step)
	spec.Mutant = wire.Original
	for n, _ := c.doubts.Of(in); n.Failed == 0 && n.Passed < with.Passed+with.Failed; n, _ = c.doubts.Of(in) {
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
func (c *judging) distrust(ctx context.Context, in ledger.Step, spec executor.Spec) error {
	if in.Context == ledger.Alone {
		c.alone.Store(in.Test, false)
		c.doubts.Fails(in)
		return nil
	}
	rarely, err := c.failsRarely(ctx, in, spec)
	if err == nil && !rarely {
		c.doubts.Fails(in)
	}
	return err
}

// original does one run without a mutant for the test in doubt, and reports whether that test fails.
func (c *judging) original(ctx context.Context, in ledger.Step, spec executor.Spec) (failed bool, err error) {
	r, err := c.Run(ctx, spec)
	if err != nil {
		return false, err
	}
	failed = r.Kind != ledger.Pass && (in.Context == ledger.Alone || slices.Contains(c.ours(r.Failed), in.Test))
	c.doubts.Add(in, failed, r.Took)
	return failed, nil
}

// rareTime bounds how long runs are repeated to show that a test hardly ever fails.
const rareTime = 5 * time.Second

// failsRarely reports whether a test hardly ever fails without a mutant. It repeats the run until that is known, and
// returns false if it takes longer than rareTime.
func (c *judging) failsRarely(ctx context.Context, in ledger.Step, spec executor.Spec) (bool, error) {
	for {
		n, took := c.doubts.Of(in)
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
	flaky, found := c.doubts.Take()
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
func (c *judging) excludeFailed(ctx context.Context, r executor.Report) error {
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
