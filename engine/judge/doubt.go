package judge

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// A survey runs a test a few times, and misses most of those that fail in one run of ten. What a mutant
// seems to do now and then may therefore be what the test does now and then: a test that both passes and
// fails with a mutant runs as often without one, in the same kind of process. One that fails there, too,
// is not believed any more, by any mutant: alone it does not judge, and one that fails beside the others
// is quarantined.

// doubts are the runs without a mutant of tests that contradicted themselves.
type doubts struct {
	mu     sync.Mutex
	passed map[Step]int    // by kind of run, and the test in doubt
	flaky  map[string]bool // tests that failed beside others, not yet quarantined
	alone  bool            // since it was last asked, a test was found to fail alone
}

// passes returns how often a test in doubt has passed so far, after n more times.
func (d *doubts) passes(s Step, n int) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.passed == nil {
		d.passed = map[Step]int{}
	}
	d.passed[s] += n
	return d.passed[s]
}

// fails notes that a test fails without a mutant.
func (d *doubts) fails(s Step) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if s.Context == Alone {
		d.alone = true
		return
	}
	if d.flaky == nil {
		d.flaky = map[string]bool{}
	}
	d.flaky[s.Test] = true
}

// take returns the tests to quarantine, and whether anything has been found since it was last called.
func (d *doubts) take() (flaky []string, found bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	flaky = slices.Sorted(maps.Keys(d.flaky))
	found = d.alone || len(flaky) > 0
	d.flaky, d.alone = nil, false
	return flaky, found
}

// doubt runs the test without a mutant if its runs of a kind with m contradict each other: as often as with m, or
// up to the first failure.
func (c *judging) doubt(ctx context.Context, m *Mutant, step Step) error {
	t := sorted(c.runs.of(m), nil).of(step.Context, step.Test)
	in := Step{Context: step.Context, Test: step.Test}
	if in.Test == "" {
		in.Test = TopLevel(t.last.Failed)
	}
	if t.passed == 0 || t.failed == 0 || in.Test == "" || step.Context == Alone && !c.passesAlone(in.Test) {
		return nil
	}
	spec := c.specOf(m, step)
	spec.Mutant = wire.Original
	for c.doubts.passes(in, 0) < t.passed+t.failed {
		r, err := c.Run(ctx, spec)
		if err != nil {
			return err
		}
		if r.Kind == Pass {
			c.doubts.passes(in, 1)
			continue
		}
		if step.Context == Alone {
			c.alone.Store(in.Test, false)
			c.doubts.fails(in)
		} else if slices.Contains(c.ours(r.Failed), in.Test) {
			c.doubts.fails(in)
		}
		return nil
	}
	return nil
}

// believeLess quarantines the tests that were found to be flaky, and reports whether verdicts may be others now.
// Nothing else may use the survey meanwhile.
func (c *judging) believeLess(ctx context.Context) (bool, error) {
	flaky, found := c.doubts.take()
	if len(flaky) == 0 {
		return found, nil
	}
	c.exclude(flaky, failsSometimes)
	maps.DeleteFunc(c.known, func(_ int, d Decision) bool { return slices.Contains(flaky, TopLevel(d.Test)) })
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
		if err != nil || r.Kind != Pass {
			return err
		}
		whole.add(r)
	}
	c.whole = whole
	return nil
}
