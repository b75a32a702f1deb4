package judge

import (
	"context"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/mutantfuzz/mutantfuzz/engine/executor"
	"github.com/mutantfuzz/mutantfuzz/engine/ledger"
)

// Most mutants are killed by the first tests that run them, and then starting the process is most of the cost. So
// mutants are first tried, many in one process.

// minTrials and maxTrials bound how many mutants a process is given: enough to outweigh its start, and few enough
// that all workers end at about the same time.
const minTrials, maxTrials = 8, 64

// trialTime bounds the duration of all tests of a trial. The bound is 1/trialPart of what judging the mutant without
// a trial takes, if that is longer. It is low because most mutants are killed by the first tests, and survivors run
// all of them again.
const (
	trialTime = 100 * time.Millisecond
	trialPart = 3
)

// try tries mutants on the tests that infect them.
func (c *judging) try(ctx context.Context, mutants []*Mutant) error {
	mutants = slices.DeleteFunc(mutants, func(m *Mutant) bool { return len(c.triable(m)) == 0 })
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(c.Width())
	each := (len(mutants) + c.Width() - 1) / c.Width()
	for batch := range slices.Chunk(mutants, min(max(each, minTrials), maxTrials)) {
		g.Go(func() error {
			for len(batch) > 0 {
				n, err := c.tryProcess(ctx, batch)
				if err != nil {
					return err
				}
				batch = batch[n:]
			}
			return nil
		})
	}
	return g.Wait()
}

// triable returns the registered tests to try m on: those that infect it, the cheapest first, as many as there is
// time for. Slow tests are left out.
func (c *judging) triable(m *Mutant) []string {
	registered := c.Registered(c.Suite)
	longest := max(trialTime, c.untried(m)/trialPart)
	tests := slices.DeleteFunc(c.infected(m), func(test string) bool {
		return !slices.Contains(registered, test) || c.by[test].took >= min(slowTest, longest)
	})
	var took time.Duration
	for i, test := range tests {
		if took += c.by[test].took; i > 0 && took > longest {
			return tests[:i]
		}
	}
	return tests
}

// onlyHints reports whether a failure of the test as a whole is only a hint in a trial: it is long, and a run alone is
// cheaper than running it twice more in the trial's process, without the mutant and with it.
func (c *judging) onlyHints(test string) bool { return c.long(test) && c.by[test].took >= 2*c.start }

// untried returns how long it takes to judge m without a trial if it passes. Slow tests do not count.
func (c *judging) untried(m *Mutant) time.Duration {
	if c.Large {
		return c.specOf(m, ledger.Step{Context: ledger.InQuick}).Takes
	}
	return c.specOf(m, ledger.Step{Context: ledger.InPart}).Takes
}

// tryProcess tries mutants in one process. It returns how many of batch need no further trial: those with a verdict,
// and the one during which the process died.
func (c *judging) tryProcess(ctx context.Context, batch []*Mutant) (int, error) {
	trials := make([]executor.Trial, len(batch))
	for i, m := range batch {
		trials[i].Mutant = m.Number
		for _, test := range c.triable(m) {
			trials[i].Tests = append(trials[i].Tests, executor.TrialTest{Name: test, Steps: c.by[test].steps, Once: c.onlyHints(test)})
			trials[i].Takes = max(trials[i].Takes, c.by[test].took)
		}
	}
	verdicts, began, err := c.Try(ctx, c.Suite, trials)
	if err != nil {
		return 0, err
	}
	for i, v := range verdicts {
		c.appendTrial(batch[i], v)
	}
	if !began { // for example because TestMain runs other tests
		return len(batch), nil
	}
	return min(len(verdicts)+1, len(batch)), nil
}

// appendTrial adds the result of a trial to the ledger.
func (c *judging) appendTrial(m *Mutant, v executor.Verdict) {
	if v.Drift {
		return // due to the state of the process, not to the mutant
	}
	e := ledger.Entry{Step: ledger.Step{Context: ledger.InTrial}, Kind: v.Kind, Random: v.Random, Funcs: v.Funcs}
	if v.Kind != ledger.Pass || v.Random {
		e.Failed = v.Test
	}
	if v.Kind != ledger.Pass && v.Kind != ledger.Hang && !v.Random && v.Repeated && v.Clean && !v.Early {
		e.Context = ledger.InCleanly
	}
	c.runs.Add(m.Number, e)
	if e.Context == ledger.InCleanly {
		c.decided(m)
	}
}
