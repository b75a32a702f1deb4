package fuzz

import (
	"context"
	"slices"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/engine/fuzz/carving"
	"github.com/mutantfuzz/mutantfuzz/engine/pool"
	"github.com/mutantfuzz/mutantfuzz/engine/stack"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Bounds on making one input easier to read: how many others are tried, each a run of the program
// and one of the mutant, and where the analysis is bounded by time, how long that may take. At 10 µs
// a run it takes 30 ms.
const (
	simplifyInputs = 2000
	simplifyTime   = time.Second
)

// Simplify makes the inputs easier to read by which mutants are exposed. What is put in their place
// is confirmed in fresh processes, and shows the same kind of difference at the same site. For a mutant that tests
// notice it goes another way through its function than what tests pass to that, if some input does: what the change does there tests
// may not show.
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
		if job := f.anotherWay(c); job != nil {
			other := *c
			if err := f.simplify(ctx, sl, &other, job); err != nil {
				return err
			}
			if f.shows(&other) {
				other.verdict.exposed.Unlike = true
				*c = other
				return nil
			}
		}
		return f.simplify(ctx, sl, c, f.simplifyJob(c))
	})
	// In the order of the mutants, so that the results do not depend on timing.
	for _, c := range claims {
		if f.simplified(c) {
			f.save(ctx, c.target)
		}
	}
	return err
}

// simplified puts an entry that is easier to read in the place of the one that exposes its mutant, if it shows that.
func (f *Fuzzer) simplified(c *claim) bool {
	if !f.shows(c) {
		return false
	}
	m := f.Mutants.ByNumber(c.mutant)
	m.Exposed, f.differences[m.Number] = c.verdict.exposed, c.verdict.site
	c.target.add(c.entry, results.EntryExposes, c.mutant)
	return true
}

// shows reports whether an entry that is easier to read shows of its mutant what is known of it, and no less.
func (f *Fuzzer) shows(c *claim) bool {
	m, v := f.Mutants.ByNumber(c.mutant), c.verdict
	if v == nil || v.exposed == nil || !alike(m.Exposed, v.exposed) || f.siteOf(m) != v.site.Site {
		return false
	}
	before := f.differences[m.Number]
	return before == nil || before.AfterError(f.Woven.Sites) || !v.site.AfterError(f.Woven.Sites)
}

// maxAmong bounds the entries among which one is looked for that goes another way than those of tests.
const maxAmong = 200

// anotherWay is the job that simplifies the entry of a claim on a mutant that tests notice, or one that takes its place, to an input that goes
// another way through the mutant's function than those that people have written; nil: it is no such claim, or no such inputs are known.
func (f *Fuzzer) anotherWay(c *claim) *wire.Job {
	m, job := f.Mutants.ByNumber(c.mutant), f.simplifyJob(c)
	if !m.Noticed() || len(job.Corpus) < 2 {
		return nil
	}
	for _, fn := range f.Woven.Funcs {
		if fn.First <= m.Block && m.Block < fn.End {
			job.Focus = append(job.Focus, wire.Focus{First: fn.First, End: fn.End})
		}
	}
	job.Fresh = jobEntries(c.target.corpus[max(0, len(c.target.corpus)-maxAmong):])
	if len(job.Focus) == 0 || len(job.Fresh) == 0 {
		return nil
	}
	return job
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
// ends the process, or does not end, keeps its input, and so does what a driver found. It returns other inputs on
// which the program fails in that place, the simplest first; nobody has confirmed that yet.
func (f *Fuzzer) SimplifyCrash(ctx context.Context, sl *pool.Slot, crash *results.Crash) (others []corpus.Entry, err error) {
	t := f.Named(crash.Harness)
	if t == nil || crash.Kind == results.CrashFatal || crash.Kind == results.CrashHang {
		return nil, nil
	}
	e, ok := t.Entry(crash.Entry)
	if !ok {
		return nil, nil
	}
	c := &claim{target: t, entry: e}
	err = f.simplify(ctx, sl, c, f.simplifyJob(c))
	slices.Reverse(c.passed)
	others = append(c.passed, f.repeatedOn(t, crash)...)
	if err == nil && !t.Driver && c.verdict != nil && c.verdict.crash != nil && stack.Key(c.verdict.crash) == stack.Key(crash) {
		f.Replace(crash, t, c.entry, c.verdict.crash)
	}
	return others, err
}

// Replace puts what happens on another entry of t in the place of a crash.
func (f *Fuzzer) Replace(crash *results.Crash, t *Target, e corpus.Entry, by *results.Crash) {
	t.drop(crash.Entry, results.EntryCrash)
	t.add(e, results.EntryCrash, 0)
	*crash = *by
}

// Older puts another entry, on which the base fails in the same way, in the place of that of a crash, if the program
// fails on it in fresh processes, too, and reports whether it does. The call of a driver has to be one that any caller
// can write.
func (f *Fuzzer) Older(ctx context.Context, sl *pool.Slot, crash *results.Crash, e corpus.Entry) (bool, error) {
	t := f.Named(crash.Harness)
	by, err := f.Failing(ctx, sl, t, e)
	if err != nil || by == nil {
		return false, err
	}
	by.Introduced = results.IntroducedNo
	f.Replace(crash, t, e, by)
	return true, nil
}

// legible looks for an input of a driver that shows the same and whose call can be written as source,
// where that of c cannot: simpler values may do without what has no such form.
func (f *Fuzzer) legible(ctx context.Context, sl *pool.Slot, c *claim) error {
	if !c.target.Driver || c.verdict == nil || c.verdict.exposed == nil || c.verdict.exposed.Call != "" {
		return nil
	}
	other := *c
	if err := f.simplify(ctx, sl, &other, f.simplifyJob(&other)); err != nil {
		return err
	}
	if v := other.verdict; v != nil && v.exposed != nil && v.exposed.Call != "" {
		*c = other
	}
	return nil
}

// simplify puts an entry that is easier to read into a claim, as a job finds it, with the verdict of fresh processes
// on it. The claim stays without a verdict if there is none.
func (f *Fuzzer) simplify(ctx context.Context, sl *pool.Slot, c *claim, job *wire.Job) error {
	r, err := f.run(ctx, sl, c.target, job, 0, 0)
	if err != nil || r == nil || len(r.Entries) == 0 {
		return err
	}
	c.passed, c.entry = r.Entries, r.Entries[len(r.Entries)-1]
	c.verdict, err = f.confirm(ctx, sl, c, newOriginals())
	return err
}

// simplifyJob is the job of a worker that does so.
func (f *Fuzzer) simplifyJob(c *claim) *wire.Job {
	written := append(slices.Clip(c.target.carved), carving.Entries(c.target.Types, c.target.made.Rows, c.target.made.Reads)...)
	job := &wire.Job{
		Kind: wire.JobSimplify, Target: c.target.Func, Corpus: jobEntries(append([]corpus.Entry{c.entry}, written...)),
		Tested: f.Woven.Tested, Dictionary: f.Woven.Dictionary, ProgramExecs: simplifyInputs, ProgramTime: -1,
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
