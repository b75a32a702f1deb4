package fuzz

import (
	"context"
	"slices"

	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/engine/pool"
	"github.com/mutantfuzz/mutantfuzz/engine/replay"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
	"github.com/mutantfuzz/mutantfuzz/internal/deadline"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// run runs a job of t in a fresh process, with the mutant active from its start. It returns nil if t is given up or its
// process reports invalid data each time.
func (f *Fuzzer) run(ctx context.Context, sl *pool.Slot, t *Target, job *wire.Job, mutant int, steps int64) (*replay.Runs, error) {
	if f.givenUp(t) {
		return nil, nil
	}
	var r replay.Runs
	exit, err := pool.Retry(func() (worker.Exit, error) {
		r = replay.Runs{}
		return f.RunTarget(ctx, sl, t.Target, t.run(job, mutant, steps, func(e *wire.Event) {
			if e.Event == wire.EventRun {
				r.Runs = append(r.Runs, e.Run)
			}
			if e.Event == wire.EventEntry {
				r.Entries = append(r.Entries, corpus.NewEntry([]byte(e.Entry.Data)))
			}
			r.Done = r.Done || e.Event == wire.EventDone
		}))
	})
	r.Exit = exit
	replay.Portable(r.Runs)
	switch {
	case err != nil:
		return nil, err
	case exit.Cause == worker.Cancelled:
		return nil, context.Cause(ctx)
	case exit.Cause == worker.Invalid:
		f.noteInvalid(t, exit.Invalid)
		return nil, nil
	}
	return &r, nil
}

// RunEntry runs one entry replay.Times times in a fresh process, with the mutant active from its start. Mutant 0 is the
// program; steps bounds each run, 0: no bound. It returns nil if t is given up, its process reports invalid data each
// time, or its death is not due to the entry.
func (f *Fuzzer) RunEntry(ctx context.Context, sl *pool.Slot, t *Target, mutant int, steps int64, e corpus.Entry) (*replay.Runs, error) {
	job := &wire.Job{Kind: wire.JobRun, Target: t.Func, Repeat: replay.Times, Render: true}
	job.Corpus = jobEntries([]corpus.Entry{e})
	r, err := f.run(ctx, sl, t, job, mutant, steps)
	if err != nil || r == nil || r.Done {
		return r, err
	}
	if len(r.Runs) == 0 {
		if c := r.Exit.Culprit; c != nil && !c.InRun && r.Exit.Cause == worker.Exited {
			// The process died before or after the entry, for another reason.
			return nil, nil
		}
		// A death without a finished run has to repeat.
		if again, err := f.run(ctx, sl, t, job, mutant, steps); err != nil || again == nil || again.Done {
			return nil, err
		}
	}
	o := r.Exit.Outcome()
	if o.Kind == "" {
		o.Kind, o.Message = results.KindCrash, "exit status 0"
	}
	r.Death = &o
	return r, nil
}

// maxFresh bounds the entries on which an open mutant runs again: the latest ones of the corpus.
const maxFresh = 500

// againPart is the part of the remaining time in which mutants run again. The rest is for confirming what they show.
const againPart = 0.7

// fresh runs every open mutant again over the corpus of each target, active from the start of a fresh process. State of
// the program, such as a warm cache, can hide a mutant that is switched on later.
func (f *Fuzzer) fresh(ctx context.Context) error {
	for _, t := range f.Targets {
		if t.broken != "" || t.invalidRuns > 0 || !f.needed(t) || len(t.corpus) == 0 || len(f.ReachedBy(t)) == 0 {
			continue
		}
		if err := f.freshTarget(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

// freshTarget runs the open mutants over the corpus of t and confirms what differs.
func (f *Fuzzer) freshTarget(ctx context.Context, t *Target) error {
	job := &wire.Job{Kind: wire.JobRun, Target: t.Func, Corpus: jobEntries(t.corpus[max(0, len(t.corpus)-maxFresh):])}
	sl := f.Take()
	original, err := f.run(ctx, sl, t, job, 0, 16*pool.StepFloor)
	f.Give(sl)
	if err != nil || original == nil {
		return err
	}
	var claims []*claim
	for _, m := range f.Mutants.Open() {
		if len(t.made.For) > 0 && !f.drivenFor(t, m) {
			continue
		}
		claims = append(claims, &claim{target: t, mutant: m.Number})
	}
	f.Phase("replay of survivors", len(claims))
	again := func(ctx context.Context) error {
		return pool.Each(ctx, f.Pool, claims, func(ctx context.Context, sl *pool.Slot, c *claim) error {
			defer f.Step()
			mutated, err := f.run(ctx, sl, t, job, c.mutant, 16*pool.StepFloor)
			if mutated != nil {
				c.entry, _ = t.Entry(f.differs(t, original, mutated))
			}
			return err
		})
	}
	if err := deadline.Within(againPart, again)(ctx); err != nil {
		return err
	}
	return f.confirmAll(ctx, slices.DeleteFunc(claims, func(c *claim) bool { return c.entry.ID == "" }))
}

// differs returns the ID of the first entry on which a mutant behaves differently from the program, or "". It ignores
// entries on which the program itself fails.
func (f *Fuzzer) differs(t *Target, original, mutated *replay.Runs) string {
	of := map[string]*wire.Run{}
	for _, r := range mutated.Runs {
		of[r.Entry] = r
	}
	for _, a := range original.Runs {
		b := of[a.Entry]
		switch {
		case replay.Failed(a.Outcome):
		case b == nil && mutated.Done:
		case b == nil, replay.Failed(b.Outcome):
			return a.Entry
		case f.Compare(t, &replay.Runs{Runs: []*wire.Run{a}}, &replay.Runs{Runs: []*wire.Run{b}}, nil) != nil:
			return a.Entry
		}
	}
	return ""
}
