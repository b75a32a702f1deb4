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
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Bounds on simplifying one input, that is on making it easier to read. simplifyInputs is how many other inputs are
// tried, each with a run of the program and one of the mutant: 30 ms at 10 µs a run. simplifyTime applies only if the
// analysis is bounded by time.
const (
	simplifyInputs = 2000
	simplifyTime   = time.Second
)

// Simplify makes the inputs easier to read that expose mutants. It confirms the new inputs in fresh processes; each
// shows the same kind of difference at the same site. For a mutant that tests kill it prefers an input that takes
// another path through the mutated function than the calls of tests do: tests may not show what the change does there.
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

// simplified replaces the exposure of a mutant by that of c, if c shows no less, and reports whether it did.
func (f *Fuzzer) simplified(c *claim) bool {
	if !f.shows(c) {
		return false
	}
	m := f.Mutants.ByNumber(c.mutant)
	m.Exposed, f.differences[m.Number] = c.verdict.exposed, c.verdict.site
	c.target.add(c.entry, results.EntryExposes, c.mutant)
	return true
}

// shows reports whether the entry of a claim shows no less than the input that exposes its mutant so far.
func (f *Fuzzer) shows(c *claim) bool {
	m, v := f.Mutants.ByNumber(c.mutant), c.verdict
	if v == nil || v.exposed == nil || !alike(m.Exposed, v.exposed) || !f.callAlike(c.target, f.siteOf(m), v.site.Site) {
		return false
	}
	before := f.differences[m.Number]
	return before == nil || before.AfterError(f.Woven.Sites) || !v.site.AfterError(f.Woven.Sites)
}

// maxAmong bounds the corpus entries that anotherWay offers to start from: the latest ones.
const maxAmong = 200

// anotherWay returns the job that looks for an input that exposes the claim's mutant on another path through its
// function than the inputs that people have written take. It starts from the claim's entry or from others of the
// corpus. It returns nil if tests do not kill the mutant, or if no such inputs are known.
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

// siteOf returns the site at which a mutant is exposed, -1 if there is none.
func (f *Fuzzer) siteOf(m *evidence.Mutant) int {
	if d := f.differences[m.Number]; d != nil {
		return d.Site
	}
	return -1
}

// callAlike reports whether two sites are one, or both are calls of one function in a driver.
func (f *Fuzzer) callAlike(t *Target, a, b int) bool {
	if a == b || a < 0 || b < 0 || !t.Driver {
		return a == b
	}
	x, y := f.Woven.Sites[a], f.Woven.Sites[b]
	return x.Target == y.Target && x.Function != "" && x.Function == y.Function
}

// alike reports whether two exposures are of the same kind, and the second shows no less.
func alike(a, b *results.ExposedBy) bool {
	return a.Errors == b.Errors && a.OnlyErrors == b.OnlyErrors && a.OriginalIs == b.OriginalIs && a.MutantIs == b.MutantIs && (a.Call == "" || b.Call != "") && (a.Original == a.Mutant || b.Original != b.Mutant)
}

// SimplifyCrash makes the input of a crash easier to read, if the program still fails in the same place. Crashes that
// end the process, hangs, and those that drivers found keep their input. It returns other inputs on which the program
// seems to fail in that place, the simplest first. They are not confirmed.
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

// Replace replaces a crash by what happens on another entry of t.
func (f *Fuzzer) Replace(crash *results.Crash, t *Target, e corpus.Entry, by *results.Crash) {
	t.drop(crash.Entry, results.EntryCrash)
	t.add(e, results.EntryCrash, 0)
	*crash = *by
}

// Older replaces the entry of a crash by e, on which the base fails in the same way, and reports whether it did. The
// program has to fail on e in fresh processes, too. If a driver found the crash, any caller must be able to write its
// call.
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

// legible looks for another input of a driver if the call of c cannot be written as source. Simpler values may do
// without what has no such form.
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

// simplify runs a JobSimplify and puts the entry that it finds into c, with the verdict of fresh processes on it. If it
// finds none, c stays as it is.
func (f *Fuzzer) simplify(ctx context.Context, sl *pool.Slot, c *claim, job *wire.Job) error {
	r, err := f.run(ctx, sl, c.target, job, 0, 0)
	if err != nil || r == nil || len(r.Entries) == 0 {
		return err
	}
	c.passed, c.entry = r.Entries, r.Entries[len(r.Entries)-1]
	c.verdict, err = f.confirm(ctx, sl, c, newOriginals())
	return err
}

// simplifyJob returns the job that simplifies the entry of a claim. Values that people have written count as easy to
// read.
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
	if c.target.Driver {
		job.Twins = twins(f.Woven.Sites, c.target.Name)
	}
	if m := f.Mutants.ByNumber(c.mutant); m != nil {
		job.Live = []wire.JobMutant{{ID: m.Number, Block: m.Block, Probed: m.Probed}}
	}
	return job
}

// twins returns the sites of a driver that call the same function as an earlier one, and that one.
func twins(sites []weave.Site, driver string) map[int]int {
	first, list := map[string]int{}, map[int]int{}
	for i, s := range sites {
		if s.Target != driver || s.Function == "" {
			continue
		}
		if earlier, ok := first[s.Function]; ok {
			list[i] = earlier
		} else {
			first[s.Function] = i
		}
	}
	return list
}
