package fuzz

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/engine/pool"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// confirmRuns is how often program and mutant each run, in a fresh process, to confirm
// a verdict.
const confirmRuns = 2

// claim is an unconfirmed verdict of a worker: on a mutant, or on the program (mutant
// 0), and an entry.
type claim struct {
	target *Target
	mutant int
	entry  corpus.Entry
}

// confirmAll checks the claims of jobs in fresh processes, and records the ones that
// are confirmed.
func (f *Fuzzer) confirmAll(ctx context.Context, jobs []*job) error {
	var claims []claim
	seen := map[string]bool{}
	add := func(c claim) {
		key := fmt.Sprintf("%s %d %s", c.target.Name, c.mutant, c.entry.ID)
		if !seen[key] && !c.target.rejected[key] {
			seen[key] = true
			claims = append(claims, c)
		}
	}
	for _, j := range jobs {
		for _, e := range slices.Concat(j.crashes, j.verdicts) {
			add(claim{j.target, e.Mutant, corpus.NewEntry([]byte(e.Entry.Data))})
		}
		for _, e := range j.drifts {
			if e.Mutant > 0 && e.Entry != nil {
				add(claim{j.target, e.Mutant, corpus.NewEntry([]byte(e.Entry.Data))})
			}
		}
		for _, d := range j.deaths {
			add(claim{j.target, max(d.mutant, 0), d.entry})
		}
	}
	// Verdicts are recorded in the order of the claims, so that the results do not
	// depend on timing.
	verdicts := make([]*verdict, len(claims))
	index := make([]int, len(claims))
	for i := range index {
		index[i] = i
	}
	err := pool.Each(ctx, f.Pool, index, func(ctx context.Context, sl *pool.Slot, i int) (err error) {
		verdicts[i], err = f.confirm(ctx, sl, claims[i])
		return err
	})
	for i, v := range verdicts {
		if v != nil {
			f.record(claims[i], v)
		}
	}
	for _, j := range jobs {
		f.save(ctx, j.target)
	}
	return err
}

// verdict is the result of checking a claim in fresh processes.
type verdict struct {
	crash    *results.Crash     // the program itself fails
	killed   *results.KilledBy  // the mutant fails and the program does not
	exposed  *results.ExposedBy // they differ
	struck   []int
	rejected bool
	site     *Difference
}

// Difference is one observation that differs between program and mutant.
type Difference struct {
	Site             int
	Original, Mutant *wire.Observation // nil: the call was not made
}

// confirm runs a claim's entry in fresh processes: the program twice, and then
// the mutant twice (Lee, Pastore, Briand: MOTIF re-runs the original to
// reject false kills).
func (f *Fuzzer) confirm(ctx context.Context, sl *pool.Slot, c claim) (*verdict, error) {
	original, err := f.RunEntry(ctx, sl, c.target, 0, 0, c.entry)
	if err != nil || original == nil {
		return nil, err
	}
	v := &verdict{}
	if original.Bad() {
		if original.Steady() {
			v.crash = original.crash(c)
			v.crash.Stack = cleanStack(v.crash.Stack, f.Tree)
		} else {
			v.rejected = true
		}
		return v, nil
	}
	if !original.Steady() {
		v.rejected = true
		return v, nil
	}
	if c.mutant == 0 {
		v.rejected = true
		return v, nil
	}
	v.struck = original.UnsteadySites()
	bound := pool.StepBound(original.runs[0].Steps)
	mutated, err := f.RunEntry(ctx, sl, c.target, c.mutant, bound, c.entry)
	if err != nil || mutated == nil {
		return nil, err
	}
	switch {
	case !mutated.Steady():
		v.rejected = true
	case mutated.Bad():
		v.killed = &results.KilledBy{By: f.by(c.target), Kind: mutated.kind(), Name: c.target.Name, Entry: c.entry.ID}
	default:
		v.site = f.Compare(c.target, original, mutated, v.struck)
		if v.site == nil {
			v.rejected = true
			break
		}
		v.exposed = f.Exposure(c.target, c.entry, v.site)
	}
	return v, nil
}

// by says what kills by the entries of a target.
func (f *Fuzzer) by(t *Target) string {
	if f.KindOf(t.File) == results.HarnessDriver {
		return results.ByDriver
	}
	return results.ByTarget
}

// EntryRuns are the runs of one entry in one fresh process.
type EntryRuns struct {
	runs  []*wire.Run
	death *worker.Outcome // the process died of the entry
}

// RunEntry runs one entry confirmRuns times in a fresh process with M set from
// its start. It returns nil when ctx ends, and if the process always reports
// invalid data.
func (f *Fuzzer) RunEntry(ctx context.Context, sl *pool.Slot, t *Target, mutant int, steps int64, e corpus.Entry) (*EntryRuns, error) {
	if f.givenUp(t) {
		return nil, nil
	}
	var out EntryRuns
	job := &wire.Job{
		Kind: wire.JobRun, Target: t.Func, Repeat: confirmRuns, Render: true,
		Corpus: []wire.JobEntry{{ID: e.ID, Data: string(e.Data)}},
	}
	done := false
	exit, err := pool.Retry(func() (worker.Exit, error) {
		out.runs, done = nil, false
		return f.RunTarget(ctx, sl, t.Target, t.run(job, mutant, steps, func(ev *wire.Event) {
			if ev.Event == wire.EventRun {
				out.runs = append(out.runs, ev.Run)
			}
			done = done || ev.Event == wire.EventDone
		}))
	})
	switch {
	case err != nil:
		return nil, err
	case exit.Cause == worker.Cancelled:
		return nil, context.Cause(ctx)
	case exit.Cause == worker.Invalid:
		f.noteInvalid(t, exit.Invalid)
		return nil, nil
	}
	if !done {
		o := exit.Outcome()
		if o.Kind == "" {
			o.Kind, o.Message = results.KindCrash, "exit status 0"
		}
		if out.death = &o; len(out.runs) == 0 && exit.Culprit != nil && !exit.Culprit.InRun && exit.Cause == worker.Exited {
			// It died before or after the entry, for another reason.
			return nil, nil
		}
		if len(out.runs) == 0 {
			// It has to die twice.
			return f.dieAgain(ctx, sl, t, mutant, steps, job, &out)
		}
	}
	return &out, nil
}

// dieAgain repeats a run that killed its process. It returns nil if that does not
// repeat.
func (f *Fuzzer) dieAgain(ctx context.Context, sl *pool.Slot, t *Target, mutant int, steps int64, job *wire.Job, first *EntryRuns) (*EntryRuns, error) {
	done := false
	exit, err := pool.Retry(func() (worker.Exit, error) {
		return f.RunTarget(ctx, sl, t.Target, t.run(job, mutant, steps, func(ev *wire.Event) {
			done = done || ev.Event == wire.EventDone
		}))
	})
	if err != nil || done || exit.Cause == worker.Cancelled {
		return nil, err
	}
	if exit.Cause == worker.Invalid {
		f.noteInvalid(t, exit.Invalid)
		return nil, nil
	}
	return first, nil
}

// Bad reports whether the harness failed, in whatever way.
func (r *EntryRuns) Bad() bool {
	return r.death != nil || len(r.runs) > 0 && failed(r.runs[0].Outcome)
}

func failed(outcome string) bool {
	return outcome == wire.OutcomeFailure || outcome == wire.OutcomePanic || outcome == wire.OutcomeHang
}

// Steady reports whether all runs had the same outcome.
func (r *EntryRuns) Steady() bool {
	if r.death != nil {
		return len(r.runs) == 0 || failed(r.runs[0].Outcome)
	}
	if len(r.runs) < confirmRuns {
		return false
	}
	for _, run := range r.runs[1:] {
		if run.Outcome != r.runs[0].Outcome {
			return false
		}
	}
	return true
}

// kind is the kind of failure, in the words of results.
func (r *EntryRuns) kind() string {
	if r.death != nil {
		if r.death.Kind == results.KindHang {
			return results.KindHang
		}
		return results.KindCrash
	}
	switch r.runs[0].Outcome {
	case wire.OutcomePanic:
		return results.KindCrash
	case wire.OutcomeHang:
		return results.KindHang
	}
	return results.KindEntry
}

// crash describes the program's own failure.
func (r *EntryRuns) crash(c claim) *results.Crash {
	crash := &results.Crash{Harness: c.target.Name, Entry: c.entry.ID, Introduced: "unknown"}
	if r.death != nil {
		crash.Kind, crash.Message = results.CrashFatal, r.death.Message
		if r.death.Kind == results.KindHang {
			crash.Kind = results.CrashHang
		}
		return crash
	}
	run := r.runs[0]
	crash.Message, crash.Stack = run.Message, run.Stack
	switch run.Outcome {
	case wire.OutcomePanic:
		crash.Kind = results.CrashPanic
	case wire.OutcomeHang:
		crash.Kind = results.CrashHang
	default:
		crash.Kind = results.CrashFailure
	}
	return crash
}

// UnsteadySites are the observation sites at which two runs differ. They are not used
// for verdicts.
func (r *EntryRuns) UnsteadySites() []int {
	var sites []int
	if len(r.runs) < 2 {
		return nil
	}
	a, b := r.runs[0].Observations, r.runs[1].Observations
	for i := range max(len(a), len(b)) {
		switch {
		case i >= len(a):
			sites = append(sites, b[i].Site)
		case i >= len(b):
			sites = append(sites, a[i].Site)
		case a[i].Site != b[i].Site:
			sites = append(sites, a[i].Site, b[i].Site)
		case a[i].Hash != b[i].Hash:
			sites = append(sites, a[i].Site)
		}
	}
	slices.Sort(sites)
	return slices.Compact(sites)
}

// Compare finds the first observation at which program and mutant differ, at sites
// that are the same in all runs of either.
func (f *Fuzzer) Compare(t *Target, original, mutated *EntryRuns, struck []int) *Difference {
	skip := func(o wire.Observation) bool {
		return t.struck[o.Site] || slices.Contains(struck, o.Site)
	}
	struck = slices.Concat(struck, mutated.UnsteadySites())
	a := slices.DeleteFunc(slices.Clone(original.runs[0].Observations), skip)
	b := slices.DeleteFunc(slices.Clone(mutated.runs[0].Observations), skip)
	for i := range max(len(a), len(b)) {
		switch {
		case i >= len(a):
			return &Difference{Site: b[i].Site, Mutant: &b[i]}
		case i >= len(b):
			return &Difference{Site: a[i].Site, Original: &a[i]}
		case a[i].Site != b[i].Site:
			return &Difference{Site: a[i].Site, Original: &a[i]}
		case a[i].Hash != b[i].Hash:
			return &Difference{Site: a[i].Site, Original: &a[i], Mutant: &b[i]}
		}
	}
	return nil
}

// Exposure describes a difference for results.json.
func (f *Fuzzer) Exposure(t *Target, e corpus.Entry, o *Difference) *results.ExposedBy {
	s := &weave.Site{}
	by := &results.ExposedBy{Harness: t.Name, Entry: e.ID, Site: "the calls of " + t.Func}
	if o.Site >= 0 && o.Site < len(f.Woven.Sites) {
		s = &f.Woven.Sites[o.Site]
		by.Site = fmt.Sprintf("%s:%d: %s", s.File, s.Line, s.Source)
		// The call is shown only if both make it with the same arguments: else the
		// difference may come from these.
		if o.Original != nil && o.Mutant != nil && slices.Equal(o.Original.Args, o.Mutant.Args) {
			by.Call = callText(s, o.Original.Args)
		}
	}
	by.Original, by.Mutant = apart(effect(s, o.Original, o.Mutant), effect(s, o.Mutant, o.Original))
	return by
}

// record adds a confirmed verdict to the mutant, the target and the results.
func (f *Fuzzer) record(c claim, v *verdict) {
	for _, s := range v.struck {
		c.target.struck[s] = true
	}
	m := f.Mutants.ByNumber(c.mutant)
	switch {
	case v.rejected:
		f.Unconfirmed("%s on %s did not repeat", c.entry.ID, c.target.Name)
		c.target.rejected[fmt.Sprintf("%s %d %s", c.target.Name, c.mutant, c.entry.ID)] = true
	case v.crash != nil:
		f.addCrash(c, v.crash)
	case v.killed != nil:
		if m.Live() {
			m.Killed, m.Reached, m.Infected = v.killed, true, true
			c.target.add(c.entry, results.EntryKills, c.mutant)
		}
	case v.exposed != nil:
		m.Reached, m.Infected = true, true
		if m.Open() || m.Live() && f.nearer(m, v) {
			m.Exposed = v.exposed
			f.differences[m.Number] = v.site
			c.target.add(c.entry, results.EntryExposes, c.mutant)
		}
	}
}

// nearer reports whether v is a better witness than the one m has: preferred are calls
// that can be written as source, calls of the mutated function itself, and short ones.
func (f *Fuzzer) nearer(m *evidence.Mutant, v *verdict) bool {
	weight := func(e *results.ExposedBy, o *Difference) int {
		w := -len(e.Original) - len(e.Call)
		if e.Call != "" {
			w += 1 << 20
		}
		if o != nil && o.Site >= 0 && o.Site < len(f.Woven.Sites) {
			callee := f.Woven.Sites[o.Site].Callee
			if name := callee[strings.LastIndex(callee, ".")+1:]; strings.HasSuffix(m.Function, "."+name) {
				w += 1 << 21
			}
		}
		return w
	}
	return weight(v.exposed, v.site) > weight(m.Exposed, f.differences[m.Number])
}
