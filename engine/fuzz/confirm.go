package fuzz

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/engine/pool"
	"github.com/mutantfuzz/mutantfuzz/engine/replay"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
	"github.com/mutantfuzz/mutantfuzz/engine/witness"
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
	"github.com/mutantfuzz/mutantfuzz/internal/deadline"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// claim is what a worker says about an entry, before it is confirmed: that a mutant fails or differs on it or, with
// mutant 0, that the program fails.
type claim struct {
	target  *Target
	mutant  int
	undone  int // for a failure of the program in a driver: a mutant with which it does not fail; 0: none
	entry   corpus.Entry
	verdict *verdict       // nil: not checked
	passed  []corpus.Entry // the simpler inputs that JobSimplify reported, in order; the last one is entry
}

// key identifies a claim among those of its target.
func (c *claim) key() string { return fmt.Sprintf("%d %d %s", c.mutant, c.undone, c.entry.ID) }

// claim adds a claim by the job's worker.
func (j *job) claim(mutant int, entry []byte) {
	j.claims = append(j.claims, &claim{target: j.target, mutant: mutant, entry: corpus.NewEntry(entry)})
}

// confirmPart is the part of the remaining time that confirming the claims of one batch of jobs may take.
const confirmPart = 0.5

// confirmAll checks claims in fresh processes, each claim once, and records what is confirmed. It stops without an
// error when its part of the time is up. Several drivers tend to claim the same mutant: only one of these claims is
// checked at a time, and the others are dropped once the mutant is settled or exposed by a call that is good enough to
// show.
func (f *Fuzzer) confirmAll(ctx context.Context, claims []*claim) error {
	inner, cancel := deadline.Part(ctx, deadline.Sparing(ctx, confirmPart, f.Keep))
	defer cancel()
	seen := map[string]bool{}
	claims = slices.DeleteFunc(claims, func(c *claim) bool {
		key := c.target.Name + " " + c.key()
		again := seen[key] || c.target.rejected[c.key()]
		seen[key] = true
		return again
	})
	known := newOriginals()
	var err error
	for len(claims) > 0 && err == nil && inner.Err() == nil {
		var now []*claim
		now, claims = f.likeliest(claims)
		err = f.confirmThese(inner, now, known)
		claims = slices.DeleteFunc(claims, func(c *claim) bool {
			m := f.Mutants.ByNumber(c.mutant)
			return !m.Live() && !m.Noticed() || m.Exposed != nil && m.Exposed.Call != "" && !m.Exposed.Fails() && !insideOnly(c.target, m) && !onlyEnds(m)
		})
	}
	if err != nil && ctx.Err() == nil && inner.Err() != nil && errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return err
}

// likeliest splits claims into those to check now and the rest. A driver's claim on a mutant is checked now only if it
// is the one chosen for that mutant, preferably one by a driver that calls the mutated function itself. Of one target's
// claims on a mutant the last is chosen: a job claims a mutant again only where that shows more.
func (f *Fuzzer) likeliest(claims []*claim) (now, later []*claim) {
	direct := func(c *claim) bool {
		return strings.HasSuffix(f.Mutants.ByNumber(c.mutant).Function, "."+c.target.made.Calls)
	}
	first := map[int]*claim{}
	for _, c := range claims {
		if c.mutant == 0 {
			continue
		}
		if o := first[c.mutant]; o == nil || o.target == c.target || direct(c) && !direct(o) {
			first[c.mutant] = c
		}
	}
	for _, c := range claims {
		if c.target.Driver && c.mutant > 0 && first[c.mutant] != c {
			later = append(later, c)
		} else {
			now = append(now, c)
		}
	}
	return now, later
}

// confirmThese checks claims in parallel and records the confirmed ones in the order of claims, so that the results do
// not depend on timing.
func (f *Fuzzer) confirmThese(ctx context.Context, claims []*claim, known *originals) error {
	err := pool.Each(ctx, f.Pool, claims, func(ctx context.Context, sl *pool.Slot, c *claim) (err error) {
		if c.verdict, err = f.confirm(ctx, sl, c, known); err != nil {
			c.verdict = nil // time may be up, which says nothing about the claim
			return err
		}
		return f.legible(ctx, sl, c)
	})
	for _, c := range claims {
		if c.verdict != nil {
			f.record(c)
		}
	}
	return err
}

// originals caches what the program does on the entries of claims.
type originals struct {
	mu sync.Mutex
	of map[string]func() (*replay.Runs, error) // by target and entry
}

func newOriginals() *originals { return &originals{of: map[string]func() (*replay.Runs, error){}} }

// runs returns the runs of the program on the entry of a claim. They come from two processes, unless the first one is
// unsteady or fails. Runs of a driver that read something that only this machine has count as unsteady. It returns nil
// where RunEntry does.
func (o *originals) runs(ctx context.Context, f *Fuzzer, sl *pool.Slot, c *claim) (*replay.Runs, error) {
	o.mu.Lock()
	key := c.target.Name + " " + c.entry.ID
	find := o.of[key]
	if find == nil {
		find = sync.OnceValues(func() (*replay.Runs, error) {
			r, err := f.RunEntry(ctx, sl, c.target, 0, 0, c.entry)
			if err != nil || r == nil || !r.Steady() || r.Bad() {
				return r, err
			}
			if err := f.elsewhere(ctx, sl, c, r, 0, 0); err != nil || !c.target.Driver || !r.Steady() {
				return r, err
			}
			job := &wire.Job{Kind: wire.JobRun, Target: c.target.Func, Corpus: jobEntries([]corpus.Entry{c.entry})}
			r.Unlike, err = f.TargetReadsMachine(ctx, sl, c.target.Target, c.target.run(job, wire.Original, 0, func(*wire.Event) {}))
			return r, err
		})
		o.of[key] = find
	}
	o.mu.Unlock()
	return find()
}

// verdict is the result of checking a claim in fresh processes. If crash, killed and exposed are all nil, the claim is
// rejected.
type verdict struct {
	crash   *results.Crash      // the program itself fails
	killed  *results.KilledBy   // the mutant fails and the program does not
	exposed *results.ExposedBy  // program and mutant differ
	site    *witness.Difference // where they differ
	struck  []int               // sites at which the program differs from itself
}

// confirm checks a claim. It runs the entry twice in each of two processes with the program and, if the program passes,
// with the mutant; then the program runs once more, after the mutant (Lee, Pastore, Briand: MOTIF re-runs the original
// to reject false kills). It returns nil if nothing can be said.
func (f *Fuzzer) confirm(ctx context.Context, sl *pool.Slot, c *claim, known *originals) (*verdict, error) {
	if c.undone > 0 {
		crash, _, err := f.Brought(ctx, sl, c.target, f.Mutants.ByNumber(c.undone), c.entry)
		return &verdict{crash: crash}, err
	}
	if c.target.Driver && c.mutant == 0 {
		crash, err := f.Failing(ctx, sl, c.target, c.entry)
		return &verdict{crash: crash}, err
	}
	original, err := known.runs(ctx, f, sl, c)
	if err != nil || original == nil {
		return nil, err
	}
	v := &verdict{}
	switch {
	case !original.Steady():
		return v, nil
	case c.target.Driver && original.Bad():
		return nil, nil // no caller need be able to make such an input
	case original.Bad():
		v.crash = original.Crash(c.target.Name, c.entry.ID, f.Tree)
		return v, nil
	case c.mutant == 0:
		return v, nil
	}
	bound := pool.StepBound(original.Runs[0].Steps)
	mutated, err := f.RunEntry(ctx, sl, c.target, c.mutant, bound, c.entry)
	if err != nil || mutated == nil {
		return nil, err
	}
	if !mutated.Steady() {
		return v, nil
	}
	if err := f.elsewhere(ctx, sl, c, mutated, c.mutant, bound); err != nil || !mutated.Steady() {
		return v, err
	}
	if f.tellApart(v, c, original, mutated); v.site == nil && v.killed == nil {
		return v, nil
	}
	// The clock has moved on: if a result depends on the time, the program differs from its earlier runs.
	later, err := f.RunEntry(ctx, sl, c.target, 0, 0, c.entry)
	if err != nil || later == nil {
		return nil, err
	}
	original = &replay.Runs{Runs: slices.Concat(original.Runs, later.Runs), Unlike: later.Bad()}
	if !original.Steady() {
		return &verdict{}, nil
	}
	f.tellApart(v, c, original, mutated)
	if v.site != nil {
		v.exposed = f.Exposure(c.target, c.entry, v.site)
		v.exposed.AsBefore, err = f.asBefore(ctx, sl, c, original, bound)
	}
	return v, err
}

// tellApart notes in v how a mutant differs from the program, if it does.
func (f *Fuzzer) tellApart(v *verdict, c *claim, original, mutated *replay.Runs) {
	v.struck, v.site, v.killed = original.UnsteadySites(), nil, nil
	switch {
	case mutated.Bad() && c.target.Driver:
		// A driver asserts nothing, so no test or target notices the failure: the mutant is exposed, not killed.
		v.site = original.Ending(mutated, f.stoppedAt(c.target, mutated.Exit))
	case mutated.Bad():
		v.killed = &results.KilledBy{By: results.ByTarget, Kind: mutated.KillKind(), Name: c.target.Name, Entry: c.entry.ID}
	default:
		v.site = f.Compare(c.target, original, mutated, v.struck)
	}
}

// asBefore reports whether the mutant of a claim undoes only a part of the change to a function, and undoing all of
// that change gives the program's own result on the entry. Then the part belongs to a refactoring.
func (f *Fuzzer) asBefore(ctx context.Context, sl *pool.Slot, c *claim, original *replay.Runs, bound int64) (bool, error) {
	whole := f.Mutants.Whole(f.Mutants.ByNumber(c.mutant))
	if whole == nil {
		return false, nil
	}
	undone, err := f.RunEntry(ctx, sl, c.target, whole.Number, bound, c.entry)
	if err != nil || undone == nil || !undone.Steady() || undone.Bad() {
		return false, err
	}
	return f.Compare(c.target, original, undone, original.UnsteadySites()) == nil, nil
}

// elsewhere runs a claim's entry in another process and adds these runs to r. If they end in another way than those in
// r, r is no longer steady. Some results depend on the process, such as its number or a random seed drawn at its start:
// they are the same in all runs of one process.
func (f *Fuzzer) elsewhere(ctx context.Context, sl *pool.Slot, c *claim, r *replay.Runs, mutant int, steps int64) error {
	again, err := f.RunEntry(ctx, sl, c.target, mutant, steps, c.entry)
	if err != nil {
		return err
	}
	r.Unlike = again == nil || again.Bad() != r.Bad()
	if again != nil {
		r.Runs = append(r.Runs, again.Runs...)
	}
	return nil
}

// Compare returns the clearest difference between the observations of program and mutant; see witness.Clearest. It
// ignores the sites in struck, the struck sites of t, and those at which the mutant's runs differ among themselves. It
// returns nil if there is no difference.
func (f *Fuzzer) Compare(t *Target, original, mutated *replay.Runs, struck []int) *witness.Difference {
	struck = slices.Concat(struck, mutated.UnsteadySites())
	steady := func(r *replay.Runs) []wire.Observation {
		return slices.DeleteFunc(slices.Clone(r.Runs[0].Observations), func(o wire.Observation) bool {
			return t.struck[o.Site] || slices.Contains(struck, o.Site)
		})
	}
	list := witness.Differences(steady(original), steady(mutated))
	if len(list) == 0 {
		return nil
	}
	d := witness.Clearest(list, f.Woven.Sites)
	d.Ran = original.Runs[0].Observations
	return &d
}

// Exposure describes a difference for results.json.
func (f *Fuzzer) Exposure(t *Target, e corpus.Entry, d *witness.Difference) *results.ExposedBy {
	by := &results.ExposedBy{Harness: t.Name, Entry: e.ID, Site: "a call made by " + t.Func, Driver: t.Driver}
	if t.Driver {
		by.Setup, by.Call = d.Driven(f.Woven.Sites, t.Target, e)
		by.Inner = t.made.Inner || witness.OnlyAtHome(append(slices.Clip(by.Setup), by.Call))
	}
	d.Describe(by, f.Woven.Sites)
	return by
}

// DrivenSite returns the site at which a driver calls the function that it was made for, -1 if that is unknown. It is
// the last such site of the driver.
func (f *Fuzzer) DrivenSite(t *Target) int {
	for i, s := range slices.Backward(f.Woven.Sites) {
		callee, _, _ := strings.Cut(s.Callee, "[")
		if s.Target == t.Name && strings.HasSuffix("."+callee, "."+t.made.Calls) {
			return i
		}
	}
	return -1
}

// stoppedAt returns the site of the driver's call in which a process ended without reporting it; -1: unknown. It takes
// the site from the printed stacks or, if there are none, assumes the call that the driver was made for.
func (f *Fuzzer) stoppedAt(t *Target, exit worker.Exit) int {
	driven := f.DrivenSite(t)
	if driven < 0 || !exit.HasStacks() {
		return driven
	}
	for _, line := range exit.LinesOf(path.Base(f.Woven.Sites[driven].File)) {
		var sites []int
		for i, s := range f.Woven.Sites {
			if s.Target == t.Name && s.File == f.Woven.Sites[driven].File && s.Line == line {
				sites = append(sites, i)
			}
		}
		if len(sites) == 1 {
			return sites[0]
		}
	}
	return -1
}

// record adds a claim's verdict to the mutant, the target and the results.
func (f *Fuzzer) record(c *claim) {
	v := c.verdict
	f.strike(c.target, v.struck)
	m := f.Mutants.ByNumber(c.mutant)
	switch {
	case v.crash != nil:
		f.addCrash(c)
	case v.killed != nil:
		c.target.notices[c.mutant] = true
		if m.Live() {
			m.Killed, m.Reached, m.Infected = v.killed, true, true
			c.target.add(c.entry, results.EntryKills, c.mutant)
		}
	case v.exposed != nil && (v.exposed.Ends != "" || !c.target.struck[v.site.Site]):
		if !c.target.Driver {
			m.Reached, m.Infected = true, true
		}
		asked := m.Live() || m.Noticed()
		if asked && (m.Exposed == nil || insideOnly(c.target, m) && v.exposed.Call != "" && !v.exposed.Inner || f.nearer(m, v)) {
			m.Exposed = v.exposed
			f.differences[m.Number] = v.site
			c.target.add(c.entry, results.EntryExposes, c.mutant)
		}
	default:
		if !c.target.Driver || c.mutant > 0 { // callers need not be able to make a driver's input
			f.Unconfirmed("entry %s of %s did not repeat", c.entry.ID, c.target.Name)
		}
		c.target.rejected[c.key()] = true
	}
}

// tells reports whether an exposure shows a difference in a result that other packages see, and not in an error alone.
// It is false for structs: which of their fields other packages see is not known here.
func tells(x *results.ExposedBy) bool {
	return x.Ends == "" && x.Call != "" && !x.Inner && x.Errors == "" && !x.OnlyErrors && x.Original != x.Mutant && !strings.Contains(x.Original+x.Mutant, "{")
}

// strike marks observation sites of t as unsteady: the program differs from itself there. No verdict may rest on such a
// site, so exposures that did are taken back.
func (f *Fuzzer) strike(t *Target, sites []int) {
	for _, s := range sites {
		if t.struck[s] {
			continue
		}
		t.struck[s] = true
		for _, m := range f.Mutants {
			d := f.differences[m.Number]
			if d != nil && d.Site == s && m.Exposed != nil && m.Exposed.Harness == t.Name && m.Exposed.Ends == "" {
				m.Exposed = nil
				delete(f.differences, m.Number)
			}
		}
	}
}

// nearer reports whether v is a better witness than the one that m has. Preferred, the most important first: no call
// before it failed; it can be written as source; it gives a result and no error; it calls the mutated function itself;
// the mutant panics although nothing that is passed in is nil; it is short. Running out of memory is worst. If m undoes
// part of the change, another result is better than a panic.
func (f *Fuzzer) nearer(m *evidence.Mutant, v *verdict) bool {
	switch {
	case onlyEnds(m) && tells(v.exposed):
		return true
	case m.Hunk != nil && tells(m.Exposed) && v.exposed.Ends != "":
		return false
	}
	weight := func(e *results.ExposedBy, o *witness.Difference) int {
		w := -len(e.Original) - len(e.Call)
		if e.Call != "" {
			w += 1 << 22
		}
		if !e.Fails() && !e.Absent() {
			w += 1 << 21
		}
		if e.Ends == results.CrashPanic && !strings.Contains(strings.Join(e.Setup, " ")+e.Call, "nil") {
			w += 1 << 19
		}
		if o == nil || !o.AfterError(f.Woven.Sites) {
			w += 1 << 23
		}
		if e.OutOfMemory() {
			w -= 1 << 24
		}
		if o != nil && o.Site >= 0 && o.Site < len(f.Woven.Sites) {
			callee := f.Woven.Sites[o.Site].Callee
			if name := callee[strings.LastIndex(callee, ".")+1:]; strings.HasSuffix(m.Function, "."+name) {
				w += 1 << 20
			}
		}
		return w
	}
	return weight(v.exposed, v.site) > weight(m.Exposed, f.differences[m.Number])
}
