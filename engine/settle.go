package engine

import (
	"context"
	"fmt"
	"slices"

	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/engine/judge"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// maxSettle bounds how many entries a survivor is run on once more.
const maxSettle = 500

// settle gives every mutant its status. Before a mutant is said to survive it
// runs once more over the corpus, active from the start of a fresh process:
// warm state, such as a cache that the program filled, can hide a mutant that
// is switched on later.
func (u *unit) settle(ctx context.Context) error {
	err := u.timed("verify", func() error { return u.settleBy(ctx) })
	if err == nil {
		u.decide()
	}
	return err
}

func (u *unit) settleBy(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, u.share(0.4), errOutOfTime)
	defer cancel()
	for _, t := range u.targets {
		if t.broken != "" || t.lied > 0 || len(t.corpus) == 0 || len(u.reachedBy(t)) == 0 {
			continue
		}
		var open []*mutant
		for _, m := range u.mutants {
			if m.open() {
				open = append(open, m)
			}
		}
		if err := u.settleTarget(ctx, t, open); err != nil {
			if stopped(context.Background(), err) {
				return nil
			}
			return err
		}
	}
	return nil
}

// settleTarget runs open mutants over t's corpus.
func (u *unit) settleTarget(ctx context.Context, t *target, open []*mutant) error {
	entries := t.corpus[max(0, len(t.corpus)-maxSettle):]
	byID := map[string]corpus.Entry{}
	job := &wire.Job{Kind: wire.JobRun, Target: t.Func}
	for _, e := range entries {
		byID[e.ID] = e
		job.Corpus = append(job.Corpus, wire.JobEntry{ID: e.ID, Data: string(e.Data)})
	}
	sl := u.slots.take()
	original, _, err := u.runCorpus(ctx, sl, t, job, 0)
	u.slots.give(sl)
	if err != nil {
		return err
	}
	claims := make([]*claim, len(open))
	index := make([]int, len(open))
	for i := range index {
		index[i] = i
	}
	u.progress.Phase("settle", len(open))
	err = each(ctx, u.slots, index, func(ctx context.Context, sl *slot, i int) error {
		defer u.progress.Step(1)
		m := open[i]
		mutated, died, err := u.runCorpus(ctx, sl, t, job, m.number)
		if err != nil {
			return err
		}
		if m.Block >= 0 && slices.Contains(sl.state.Blocks(), m.Block) {
			m.reached = true
		}
		if id := u.differs(t, job, original, mutated, died); id != "" {
			claims[i] = &claim{target: t, mutant: m.number, entry: byID[id]}
		}
		return nil
	})
	if err != nil {
		return err
	}
	verdicts := make([]*verdict, len(open))
	err = each(ctx, u.slots, index, func(ctx context.Context, sl *slot, i int) (err error) {
		if c := claims[i]; c != nil && !t.rejected[fmt.Sprintf("%s %d %s", t.Name, c.mutant, c.entry.ID)] {
			verdicts[i], err = u.confirm(ctx, sl, *c)
		}
		return err
	})
	for i, v := range verdicts {
		if v != nil {
			u.record(*claims[i], v)
		}
	}
	return err
}

// runCorpus runs every entry of job once with M set from the start of the
// process. died reports that the process did not get through. There are no runs
// of one that lies.
func (u *unit) runCorpus(ctx context.Context, sl *slot, t *target, job *wire.Job, mutant int) (runs map[string]*wire.Run, died bool, err error) {
	if u.distrusted(t) {
		return nil, false, nil
	}
	done := false
	exit, err := insist(func() (worker.Exit, error) {
		runs, done = map[string]*wire.Run{}, false
		return u.execTarget(ctx, sl, t, job, mutant, 16*stepFloor, func(e *wire.Event) {
			if e.Event == wire.EventRun {
				runs[e.Run.Entry] = e.Run
			}
			done = done || e.Event == wire.EventDone
		})
	})
	switch {
	case err == nil && exit.Cause == worker.Cancelled:
		err = context.Cause(ctx)
	case exit.Cause == worker.Lied:
		u.distrust(t, exit.Lie)
		return nil, false, err
	}
	return runs, !done, err
}

// differs returns the first entry on which a mutant's run is not the
// program's, or "".
func (u *unit) differs(t *target, job *wire.Job, original, mutated map[string]*wire.Run, died bool) string {
	for _, e := range job.Corpus {
		a, b := original[e.ID], mutated[e.ID]
		if a == nil || failed(a.Outcome) {
			continue
		}
		if b == nil {
			if died {
				return e.ID
			}
			continue
		}
		if failed(b.Outcome) {
			return e.ID
		}
		if u.compare(t, &entryRuns{runs: []*wire.Run{a}}, &entryRuns{runs: []*wire.Run{b}}, nil) != nil {
			return e.ID
		}
	}
	return ""
}

// decide turns what is known of the live mutants into statuses. Calling it
// again changes nothing.
func (u *unit) decide() {
	for _, m := range u.mutants {
		if !m.live() {
			continue
		}
		m.status, m.reason = u.statusOf(m)
		u.short = u.short || m.status == results.NotRun
	}
}

// statusOf is what became of a mutant that nothing has killed.
func (u *unit) statusOf(m *mutant) (status, reason string) {
	d := judge.Decision{Status: judge.Survived}
	switch {
	case u.judged != nil:
		d = u.judged.Decide(u.asJudged(m))
	case !u.tested:
		d.Status = judge.Undecided
	}
	switch {
	case m.exposedBy != nil:
		return results.Survived, ""
	case u.untested != "":
		return results.NotRun, u.untested
	case d.Status == judge.Inconclusive:
		return results.Ignored, d.Reason
	case d.Status == judge.Undecided:
		return results.NotRun, "the tests of its package did not run in time"
	case m.unbuilt:
		return results.NotRun, "the tests that have the go command build the program did not run in time"
	}
	return results.Survived, d.Reason
}
