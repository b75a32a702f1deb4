package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/engine/probe"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// confirmRuns is how often program and mutant each run in their fresh process
// before a verdict counts.
const confirmRuns = 2

// claim is what a worker says of a mutant and an entry, or of the program
// (mutant 0) and an entry.
type claim struct {
	target *target
	mutant int
	entry  corpus.Entry
}

// confirmAll checks the claims of jobs in fresh processes and records those
// that hold.
func (u *unit) confirmAll(ctx context.Context, jobs []*fuzzJob) error {
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
		for _, d := range j.deaths {
			add(claim{j.target, max(d.mutant, 0), d.entry})
		}
	}
	// Whatever is confirmed is added in the order of the claims, so that the
	// same run gives the same results.
	verdicts := make([]*verdict, len(claims))
	index := make([]int, len(claims))
	for i := range index {
		index[i] = i
	}
	err := each(ctx, u.slots, index, func(ctx context.Context, sl *slot, i int) (err error) {
		verdicts[i], err = u.confirm(ctx, sl, claims[i])
		return err
	})
	for i, v := range verdicts {
		if v != nil {
			u.record(claims[i], v)
		}
	}
	for _, j := range jobs {
		u.save(ctx, j.target)
	}
	return err
}

// verdict is what fresh processes show of a claim.
type verdict struct {
	crash    *results.Crash     // the program itself fails
	killed   *results.KilledBy  // the mutant fails and the program does not
	exposed  *results.ExposedBy // they differ
	struck   []int
	rejected bool
	site     *observed
}

// observed is one observation that differs between program and mutant.
type observed struct {
	site             int
	original, mutant *probe.Observation // nil: the call was not made
}

// confirm runs a claim's entry in fresh processes: the program twice, and then
// the mutant twice (Lee, Pastore, Briand: MOTIF re-runs the original to
// reject false kills).
func (u *unit) confirm(ctx context.Context, sl *slot, c claim) (*verdict, error) {
	original, err := u.runEntry(ctx, sl, c.target, 0, 0, c.entry)
	if err != nil || original == nil {
		return nil, err
	}
	v := &verdict{}
	if original.bad() {
		if original.steady() {
			v.crash = original.crash(c)
			v.crash.Stack = u.cleanStack(v.crash.Stack)
		} else {
			v.rejected = true
		}
		return v, nil
	}
	if !original.steady() {
		v.rejected = true
		return v, nil
	}
	if c.mutant == 0 {
		v.rejected = true
		return v, nil
	}
	v.struck = original.unsteadySites()
	bound := max(stepFloor, stepFactor*original.runs[0].Steps)
	mutated, err := u.runEntry(ctx, sl, c.target, c.mutant, bound, c.entry)
	if err != nil || mutated == nil {
		return nil, err
	}
	switch {
	case !mutated.steady():
		v.rejected = true
	case mutated.bad():
		v.killed = &results.KilledBy{By: results.ByTarget, Kind: mutated.kind(), Name: c.target.Name, Entry: c.entry.ID}
	default:
		v.site = u.compare(c.target, original, mutated, v.struck)
		if v.site == nil {
			v.rejected = true
			break
		}
		v.exposed = u.exposure(c, v.site)
	}
	return v, nil
}

// entryRuns are the runs of one entry in one fresh process.
type entryRuns struct {
	runs  []*probe.Run
	death *worker.Outcome // the process died of the entry
}

// runEntry runs one entry confirmRuns times in a fresh process with M set from
// its start. It returns nil when ctx ends, and where the process always lies.
func (u *unit) runEntry(ctx context.Context, sl *slot, t *target, mutant int, steps int64, e corpus.Entry) (*entryRuns, error) {
	if u.distrusted(t) {
		return nil, nil
	}
	var out entryRuns
	job := &probe.Job{
		Kind: probe.JobRun, Target: t.Func, Repeat: confirmRuns, Render: true,
		Corpus: []probe.JobEntry{{ID: e.ID, Data: string(e.Data)}},
	}
	done := false
	exit, err := insist(func() (worker.Exit, error) {
		out.runs, done = nil, false
		return u.execTarget(ctx, sl, t, job, mutant, steps, func(ev *probe.Event) {
			if ev.Event == probe.EventRun {
				out.runs = append(out.runs, ev.Run)
			}
			done = done || ev.Event == probe.EventDone
		})
	})
	switch {
	case err != nil:
		return nil, err
	case exit.Cause == worker.Cancelled:
		return nil, context.Cause(ctx)
	case exit.Cause == worker.Lied:
		u.distrust(t, exit.Lie)
		return nil, nil
	}
	if !done {
		o := exit.Outcome()
		if o.Kind == "" {
			o.Kind, o.Message = results.KindCrash, "exit status 0"
		}
		if out.death = &o; len(out.runs) == 0 && exit.Culprit != nil && !exit.Culprit.InRun && exit.Cause == worker.Exited {
			// It died before or after the entry, of something else.
			return nil, nil
		}
		if len(out.runs) == 0 {
			// Once is not enough: see whether it dies again.
			return u.dieAgain(ctx, sl, t, mutant, steps, job, &out)
		}
	}
	return &out, nil
}

// dieAgain repeats a run that killed its process. It returns nil where the
// death does not repeat.
func (u *unit) dieAgain(ctx context.Context, sl *slot, t *target, mutant int, steps int64, job *probe.Job, first *entryRuns) (*entryRuns, error) {
	done := false
	exit, err := insist(func() (worker.Exit, error) {
		return u.execTarget(ctx, sl, t, job, mutant, steps, func(ev *probe.Event) {
			done = done || ev.Event == probe.EventDone
		})
	})
	if err != nil || done || exit.Cause == worker.Cancelled {
		return nil, err
	}
	if exit.Cause == worker.Lied {
		u.distrust(t, exit.Lie)
		return nil, nil
	}
	return first, nil
}

// bad reports whether the harness failed, in whatever way.
func (r *entryRuns) bad() bool {
	return r.death != nil || len(r.runs) > 0 && failed(r.runs[0].Outcome)
}

func failed(outcome string) bool {
	return outcome == probe.OutcomeFailure || outcome == probe.OutcomePanic || outcome == probe.OutcomeHang
}

// steady reports whether all runs had the same outcome.
func (r *entryRuns) steady() bool {
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
func (r *entryRuns) kind() string {
	if r.death != nil {
		if r.death.Kind == results.KindHang {
			return results.KindHang
		}
		return results.KindCrash
	}
	switch r.runs[0].Outcome {
	case probe.OutcomePanic:
		return results.KindCrash
	case probe.OutcomeHang:
		return results.KindHang
	}
	return results.KindEntry
}

// crash describes the program's own failure.
func (r *entryRuns) crash(c claim) *results.Crash {
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
	case probe.OutcomePanic:
		crash.Kind = results.CrashPanic
	case probe.OutcomeHang:
		crash.Kind = results.CrashHang
	default:
		crash.Kind = results.CrashFailure
	}
	return crash
}

// unsteadySites are the observation sites at which two runs differ. No verdict
// may rest on them.
func (r *entryRuns) unsteadySites() []int {
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

// compare finds the first observation at which program and mutant differ, at
// sites where neither differs from itself.
func (u *unit) compare(t *target, original, mutated *entryRuns, struck []int) *observed {
	skip := func(o probe.Observation) bool {
		return t.struck[o.Site] || slices.Contains(struck, o.Site)
	}
	struck = slices.Concat(struck, mutated.unsteadySites())
	a := slices.DeleteFunc(slices.Clone(original.runs[0].Observations), skip)
	b := slices.DeleteFunc(slices.Clone(mutated.runs[0].Observations), skip)
	for i := range max(len(a), len(b)) {
		switch {
		case i >= len(a):
			return &observed{site: b[i].Site, mutant: &b[i]}
		case i >= len(b):
			return &observed{site: a[i].Site, original: &a[i]}
		case a[i].Site != b[i].Site:
			return &observed{site: a[i].Site, original: &a[i]}
		case a[i].Hash != b[i].Hash:
			return &observed{site: a[i].Site, original: &a[i], mutant: &b[i]}
		}
	}
	return nil
}

// exposure puts a differing observation into words.
func (u *unit) exposure(c claim, o *observed) *results.ExposedBy {
	s := &weave.Site{}
	e := &results.ExposedBy{Harness: c.target.Name, Entry: c.entry.ID, Site: "the calls of " + c.target.Func}
	if o.site >= 0 && o.site < len(u.woven.Sites) {
		s = &u.woven.Sites[o.site]
		e.Site = fmt.Sprintf("%s:%d: %s", s.File, s.Line, s.Source)
		// The call is a witness only where both make it alike: what it is given
		// may be what differs.
		if o.original != nil && o.mutant != nil && slices.Equal(o.original.Args, o.mutant.Args) {
			e.Call = callText(s, o.original.Args)
		}
	}
	e.Original, e.Mutant = apart(effect(s, o.original, o.mutant), effect(s, o.mutant, o.original))
	return e
}

// record adds a confirmed verdict to the mutant, the target and the results.
func (u *unit) record(c claim, v *verdict) {
	for _, s := range v.struck {
		c.target.struck[s] = true
	}
	m := u.mutantOf(c.mutant)
	switch {
	case v.rejected:
		u.unconfirmed("%s on %s did not repeat", c.entry.ID, c.target.Name)
		c.target.rejected[fmt.Sprintf("%s %d %s", c.target.Name, c.mutant, c.entry.ID)] = true
	case v.crash != nil:
		u.addCrash(c, v.crash)
	case v.killed != nil:
		if m.live() {
			m.kill(*v.killed)
			c.target.add(c.entry, results.EntryKills, c.mutant)
		}
	case v.exposed != nil:
		m.reached, m.infected = true, true
		if m.open() || m.live() && u.nearer(m, v) {
			m.exposedBy = v.exposed
			u.sites[m.number] = v.site
			c.target.add(c.entry, results.EntryExposes, c.mutant)
		}
	}
}

func (u *unit) mutantOf(number int) *mutant {
	if number <= 0 {
		return nil
	}
	return u.mutants[number-1]
}

// nearer reports whether v is a better witness than the one m has: a call that
// can be written down, best of the mutated function itself, and short.
func (u *unit) nearer(m *mutant, v *verdict) bool {
	weight := func(e *results.ExposedBy, o *observed) int {
		w := -len(e.Original) - len(e.Call)
		if e.Call != "" {
			w += 1 << 20
		}
		if o != nil && o.site >= 0 && o.site < len(u.woven.Sites) {
			callee := u.woven.Sites[o.site].Callee
			if name := callee[strings.LastIndex(callee, ".")+1:]; strings.HasSuffix(m.Function, "."+name) {
				w += 1 << 21
			}
		}
		return w
	}
	return weight(v.exposed, v.site) > weight(m.exposedBy, u.sites[m.number])
}
