package fuzz

import (
	"context"
	"slices"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/engine/pool"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Bounds on making one input easier to read: how many others are tried, each a run of the program
// and one of the mutant, and where the analysis is bounded by time, how long that may take. At 10 µs
// a run it takes 20 ms.
const (
	simplifyInputs = 1000
	simplifyTime   = time.Second
)

// Simplify makes the inputs easier to read by which mutants are exposed. What is put in their place
// is confirmed in fresh processes, and shows the same kind of difference at the same site.
func (f *Fuzzer) Simplify(ctx context.Context, mutants []*evidence.Mutant) error {
	var claims []*claim
	for _, m := range mutants {
		if m.Exposed == nil {
			continue
		}
		if t := f.Named(m.Exposed.Harness); t != nil {
			if e, ok := t.Entry(m.Exposed.Entry); ok {
				claims = append(claims, &claim{target: t, mutant: m.Number, entry: e})
			}
		}
	}
	f.Phase("simplify", len(claims))
	err := pool.Each(ctx, f.Pool, claims, func(ctx context.Context, sl *pool.Slot, c *claim) error {
		defer f.Step()
		return f.simplify(ctx, sl, c)
	})
	// In the order of the mutants, so that the results do not depend on timing.
	for _, c := range claims {
		if c.verdict != nil && f.simplified(c) {
			f.save(ctx, c.target)
		}
	}
	return err
}

// simplified puts an entry that is easier to read in the place of the one that exposes its mutant,
// if its verdict is of the same kind.
func (f *Fuzzer) simplified(c *claim) bool {
	m, v := f.Mutants.ByNumber(c.mutant), c.verdict
	if v.exposed == nil || !alike(m.Exposed, v.exposed) || f.siteOf(m) != v.site.Site {
		return false
	}
	m.Exposed, f.differences[m.Number] = v.exposed, v.site
	c.target.add(c.entry, results.EntryExposes, c.mutant)
	return true
}

// siteOf is where a mutant is exposed.
func (f *Fuzzer) siteOf(m *evidence.Mutant) int {
	if d := f.differences[m.Number]; d != nil {
		return d.Site
	}
	return -1
}

// alike reports whether two exposures are of the same kind, and the second shows no less.
func alike(a, b *results.ExposedBy) bool {
	return a.Errors == b.Errors && a.OnlyErrors == b.OnlyErrors && (a.Call == "" || b.Call != "") && (a.Original == a.Mutant || b.Original != b.Mutant)
}

// SimplifyCrash makes the input of a crash easier to read, if it fails in the same place then. What
// ends the process, or does not end, keeps its input, and so does what a driver found.
func (f *Fuzzer) SimplifyCrash(ctx context.Context, sl *pool.Slot, crash *results.Crash) error {
	t := f.Named(crash.Harness)
	if t == nil || t.Driver || crash.Kind == results.CrashFatal || crash.Kind == results.CrashHang {
		return nil
	}
	e, ok := t.Entry(crash.Entry)
	if !ok {
		return nil
	}
	c := &claim{target: t, entry: e}
	if err := f.simplify(ctx, sl, c); err != nil || c.verdict == nil || c.verdict.crash == nil || crashKey(c.verdict.crash) != crashKey(crash) {
		return err
	}
	t.drop(crash.Entry, results.EntryCrash)
	crash.Entry, crash.Message, crash.Stack = c.entry.ID, c.verdict.crash.Message, c.verdict.crash.Stack
	t.add(c.entry, results.EntryCrash, 0)
	return nil
}

// legible looks for an input of a driver that shows the same and whose call can be written as source,
// where that of c cannot: simpler values may do without what has no such form.
func (f *Fuzzer) legible(ctx context.Context, sl *pool.Slot, c *claim) error {
	if !c.target.Driver || c.verdict == nil || c.verdict.exposed == nil || c.verdict.exposed.Call != "" {
		return nil
	}
	other := *c
	if err := f.simplify(ctx, sl, &other); err != nil {
		return err
	}
	if v := other.verdict; v != nil && v.exposed != nil && v.exposed.Call != "" {
		*c = other
	}
	return nil
}

// simplify puts an entry that is easier to read into a claim, with the verdict of fresh processes
// on it. The claim stays without a verdict if there is none.
func (f *Fuzzer) simplify(ctx context.Context, sl *pool.Slot, c *claim) error {
	job := f.simplifyJob(c)
	r, err := f.run(ctx, sl, c.target, job, 0, 0)
	if err != nil || r == nil || r.entry == nil || !c.target.Driver && len(r.entry.Data) > len(c.entry.Data) {
		return err
	}
	c.entry = corpus.NewEntry([]byte(r.entry.Data))
	c.verdict, err = f.confirm(ctx, sl, c)
	return err
}

// simplifyJob is the job of a worker that does so.
func (f *Fuzzer) simplifyJob(c *claim) *wire.Job {
	job := &wire.Job{
		Kind: wire.JobSimplify, Target: c.target.Func, Corpus: jobEntries([]corpus.Entry{c.entry}),
		ProgramExecs: simplifyInputs, ProgramTime: -1,
	}
	if !f.Until.IsZero() {
		job.ProgramTime = int64(simplifyTime)
	}
	for site := range c.target.struck {
		job.Struck = append(job.Struck, site)
	}
	slices.Sort(job.Struck)
	if m := f.Mutants.ByNumber(c.mutant); m != nil {
		job.Live = []wire.JobMutant{{ID: m.Number, Block: m.Block, Probed: m.Probed}}
	}
	return job
}
