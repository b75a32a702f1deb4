package fuzz

import (
	"context"
	"fmt"
	"slices"

	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/engine/pool"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
)

// maxFresh bounds how many entries a survivor is run on again.
const maxFresh = 500

// Fresh runs every open mutant again over the corpus of each target, active from the
// start of a fresh process: state of the program, such as a warm cache, can hide a
// mutant that is switched on later.
func (f *Fuzzer) Fresh(ctx context.Context) error {
	for _, t := range f.Targets {
		if t.broken != "" || t.invalidRuns > 0 || len(t.corpus) == 0 || len(f.ReachedBy(t)) == 0 {
			continue
		}
		if err := f.freshTarget(ctx, t, f.Mutants.Open()); err != nil {
			return err
		}
	}
	return nil
}

// freshTarget runs open mutants over t's corpus.
func (f *Fuzzer) freshTarget(ctx context.Context, t *Target, open []*evidence.Mutant) error {
	entries := t.corpus[max(0, len(t.corpus)-maxFresh):]
	byID := map[string]corpus.Entry{}
	job := &wire.Job{Kind: wire.JobRun, Target: t.Func}
	for _, e := range entries {
		byID[e.ID] = e
		job.Corpus = append(job.Corpus, wire.JobEntry{ID: e.ID, Data: string(e.Data)})
	}
	sl := f.Take()
	original, _, err := f.runCorpus(ctx, sl, t, job, 0)
	f.Give(sl)
	if err != nil {
		return err
	}
	claims := make([]*claim, len(open))
	index := make([]int, len(open))
	for i := range index {
		index[i] = i
	}
	f.Phase("replay of survivors", len(open))
	err = pool.Each(ctx, f.Pool, index, func(ctx context.Context, sl *pool.Slot, i int) error {
		defer f.Step()
		m := open[i]
		mutated, died, err := f.runCorpus(ctx, sl, t, job, m.Number)
		if err != nil {
			return err
		}
		if m.Block >= 0 && slices.Contains(sl.State.Blocks(), m.Block) {
			m.Reached = true
		}
		if id := f.differs(t, job, original, mutated, died); id != "" {
			claims[i] = &claim{target: t, mutant: m.Number, entry: byID[id]}
		}
		return nil
	})
	if err != nil {
		return err
	}
	verdicts := make([]*verdict, len(open))
	err = pool.Each(ctx, f.Pool, index, func(ctx context.Context, sl *pool.Slot, i int) (err error) {
		if c := claims[i]; c != nil && !t.rejected[fmt.Sprintf("%s %d %s", t.Name, c.mutant, c.entry.ID)] {
			verdicts[i], err = f.confirm(ctx, sl, *c)
		}
		return err
	})
	for i, v := range verdicts {
		if v != nil {
			f.record(*claims[i], v)
		}
	}
	return err
}

// runCorpus runs every entry of job once with M set from the start of the
// process. died reports that the process did not get through. There are no runs
// of a process that reports invalid data.
func (f *Fuzzer) runCorpus(ctx context.Context, sl *pool.Slot, t *Target, job *wire.Job, mutant int) (runs map[string]*wire.Run, died bool, err error) {
	if f.givenUp(t) {
		return nil, false, nil
	}
	done := false
	exit, err := pool.Retry(func() (worker.Exit, error) {
		runs, done = map[string]*wire.Run{}, false
		return f.RunTarget(ctx, sl, t.Target, t.run(job, mutant, 16*pool.StepFloor, func(e *wire.Event) {
			if e.Event == wire.EventRun {
				runs[e.Run.Entry] = e.Run
			}
			done = done || e.Event == wire.EventDone
		}))
	})
	switch {
	case err == nil && exit.Cause == worker.Cancelled:
		err = context.Cause(ctx)
	case exit.Cause == worker.Invalid:
		f.noteInvalid(t, exit.Invalid)
		return nil, false, err
	}
	return runs, !done, err
}

// differs returns the first entry on which a mutant behaves differently from the
// program, or "".
func (f *Fuzzer) differs(t *Target, job *wire.Job, original, mutated map[string]*wire.Run, died bool) string {
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
		if f.Compare(t, &EntryRuns{runs: []*wire.Run{a}}, &EntryRuns{runs: []*wire.Run{b}}, nil) != nil {
			return e.ID
		}
	}
	return ""
}
