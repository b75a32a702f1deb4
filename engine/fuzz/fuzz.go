// Package fuzz runs the fuzz targets of a program: first on the corpus, then on the
// mutants, then on the program, and confirms what it finds in fresh processes.
//
// The order is the one of Groce, Kalburgi, Le Goues, Jain, Gopinath: Registered
// Report: First, Fuzz the Mutants, FUZZING 2022; the loop over the program that of
// Vikram, Laybourn, Li, Nair, OBrien, Sanna, Padhye: Guiding Greybox Fuzzing with
// Mutation Testing, ISSTA 2023.
package fuzz

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/mutantfuzz/mutantfuzz/diffscope"
	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/engine/judge"
	"github.com/mutantfuzz/mutantfuzz/engine/pool"
	"github.com/mutantfuzz/mutantfuzz/engine/reach"
	"github.com/mutantfuzz/mutantfuzz/engine/witness"
	"github.com/mutantfuzz/mutantfuzz/internal/deadline"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Config is what to fuzz, and for how long.
type Config struct {
	Reach       *reach.Reach
	Mutants     evidence.Mutants // to which the findings are added
	Stats       *results.Stats   // to which counts are added, and to Seconds times
	Seconds     *results.Seconds
	Corpus      corpus.Store // shared between analyses; nil: none
	Execs       int64        // bound on runs; 0: replay only; negative: bounded by time
	Until       time.Time    // when to stop; zero: bounded by Execs
	MutantShare float64      // part for the mutants first, 0 to 1
	Seed        int64
	Unwatched   bool // what tests call is no evidence
}

// Fuzzer runs the targets of one program. Its methods are called one after the
// other, by one caller.
type Fuzzer struct {
	*pool.Runner
	Config
	Targets []*Target
	Crashes []results.Crash // failures of the program itself
	repeats []*claim        // failures in the place of one of Crashes, on other entries
	Before  int             // entries that the shared corpus had
	begun   bool            // every target has had a round

	differences map[int]*witness.Difference // by mutant: where it is exposed

	mu sync.Mutex // guards Stats, Target.invalidRuns, and the mutants
}

// Parts of the time that is left.
const (
	watchPart = 0.1
	freshPart = 0.4 // of what fuzzing leaves
)

const (
	rounds = 3 // how often jobs stop to share what they found
	// maxRestarts bounds how often one job's worker may die in a round.
	maxRestarts = 20
	// maxAhead bounds how many targets are fuzzed at once that may reach functions in
	// scope, but have not reached any yet.
	maxAhead = 4
	// Drivers alone, with no fuzz target of the user's, get driverTime each: as many as that of maxDriven of them.
	driverTime = 15 * time.Second
	maxDriven  = 4
	// saveTime bounds how long the corpus may take for what one target found.
	saveTime = 10 * time.Second
)

// New returns a Fuzzer for the program of r, without targets; see Run.
func New(r *pool.Runner, c Config) *Fuzzer {
	return &Fuzzer{Runner: r, Config: c, differences: map[int]*witness.Difference{}}
}

// Run finds the targets and runs them on the corpus. It watches tests that were surveyed, fuzzes mutants and
// program, and then runs the open mutants once more, in fresh processes.
func (f *Fuzzer) Run(ctx context.Context, surveys []*judge.Survey) error {
	f.open(ctx)
	if err := deadline.Timed(&f.Seconds.Replay, f.replay)(ctx); err != nil {
		return err
	}
	if f.Execs != 0 && !f.Unwatched {
		watch := func(ctx context.Context) error { return f.watch(ctx, surveys) }
		if err := deadline.Timed(&f.Seconds.Tests, deadline.Within(watchPart, watch))(ctx); err != nil {
			return err
		}
	}
	if len(f.Targets) == 0 {
		return nil
	}
	if err := f.fuzz(ctx); err != nil {
		return err
	}
	return deadline.Timed(&f.Seconds.Verify, deadline.Within(freshPart, f.fresh))(ctx)
}

// open finds the targets that were woven and may reach a function in scope, and
// loads their corpora.
func (f *Fuzzer) open(ctx context.Context) {
	functions := f.InScope()
	for i := range f.Woven.Targets {
		wt := &f.Woven.Targets[i]
		if f.Of(wt.Package) == "" {
			continue
		}
		kind, made := f.Made(wt.File, wt.Func)
		steps, may := 0, true
		if len(made.For) == 0 {
			steps, may = f.Reach.Steps(ctx, functions, wt.Package, wt.Func)
		}
		if may {
			t := newTarget(wt, f.Of(wt.Package), steps)
			t.kind, t.made, t.Driver = kind, made, kind == results.HarnessDriver
			saved := f.load(ctx, t)
			f.Before += saved
			t.kept = saved > 0
			f.Targets = append(f.Targets, t)
		}
	}
}

// load fills t's corpus, and returns how many entries the shared one had.
func (f *Fuzzer) load(ctx context.Context, t *Target) (saved int) {
	committed, problems := corpus.Testdata(ctx, t.Dir, t.Func)
	for _, e := range committed {
		t.known[e.ID], t.seeds[e.ID] = true, e.ID
	}
	if f.Corpus != nil {
		entries, more := f.Corpus.Load(ctx, t.Name)
		problems = append(problems, more...)
		for _, e := range entries {
			if !t.known[e.ID] {
				t.known[e.ID] = true
				t.corpus = append(t.corpus, e)
			}
		}
		saved = len(entries)
	}
	if ctx.Err() != nil {
		return saved // the problems come from the end of the time
	}
	for _, p := range problems {
		f.Warn("corpus entry left out: %v", p)
	}
	return saved
}

// replay runs seeds and corpus of every target on the original. What of that shows mutants is seen when they are fuzzed or,
// one by one, in [Fuzzer.fresh].
func (f *Fuzzer) replay(ctx context.Context) error {
	f.Phase("replay", len(f.Targets))
	var jobs []*job
	for _, t := range f.Targets {
		j := f.newJob(t, 0)
		j.job.Survey = true
		if !f.Until.IsZero() {
			j.surveyUntil(f.Until)
		}
		jobs = append(jobs, j)
	}
	return f.runJobs(ctx, jobs)
}

// fuzz fuzzes the mutants and the program, in rounds. Every round gets its part of
// the time that the ones before have left. Drivers alone get less than there is: Until is sooner then.
func (f *Fuzzer) fuzz(ctx context.Context) error {
	f.boundDrivers()
	for round := range rounds {
		chosen := f.reaching(round)
		wall := time.Duration(-1)
		if !f.Until.IsZero() {
			wall = time.Until(f.Until) / time.Duration(rounds-round)
		}
		if f.Execs == 0 || len(chosen) == 0 || ctx.Err() != nil || !f.Until.IsZero() && wall <= 0 {
			return nil
		}
		if err := f.round(ctx, chosen, round, wall); err != nil {
			return err
		}
		f.begun = true
	}
	return nil
}

// whole reports whether all lines of a function count, because it is in scope without a change.
func (f *Fuzzer) whole(function string) bool {
	return slices.ContainsFunc(f.Functions, func(fn diffscope.Function) bool {
		return fn.ID == function && (fn.Reason == results.ReasonAll || fn.Reason == results.ReasonTestChanged)
	})
}

// boundDrivers bounds the time of fuzzing if there is nothing but drivers.
func (f *Fuzzer) boundDrivers() {
	n := 0
	for _, t := range f.Targets {
		if !t.Driver {
			return
		}
		if n < maxDriven && f.needed(t) {
			n++
		}
	}
	end := time.Now().Add(time.Duration(n) * driverTime)
	if f.Until.IsZero() && f.Execs < 0 || end.Before(f.Until) {
		f.Until = end
	}
}

// reaching returns the targets to fuzz in a round: those that have run functions in scope, and
// then those that may by the call graph, the nearest first. After a round these have had their chance, unless there are no
// others.
func (f *Fuzzer) reaching(round int) []*Target {
	var have, may []*Target
	for _, t := range f.Targets {
		switch {
		case t.broken != "" || t.invalidRuns > 0 || !f.needed(t) || round == 0 && f.second(t):
		case len(f.ReachedBy(t)) > 0:
			have = append(have, t)
		default:
			may = append(may, t)
		}
	}
	if round > 0 && len(have) > 0 {
		return have
	}
	slices.SortStableFunc(may, func(a, b *Target) int { return cmp.Compare(a.steps, b.steps) })
	return append(have, may[:min(len(may), maxAhead)]...)
}

// needed reports whether to run t: a driver only for a change that it may show to make the program fail, and for mutants
// of the change that nothing has noticed, and that no target of the user's reaches.
func (f *Fuzzer) needed(t *Target) bool {
	if len(t.made.For) == 0 {
		return true
	}
	return f.mayShow(t) || slices.ContainsFunc(f.Mutants.Live(), func(m *evidence.Mutant) bool {
		return (m.Exposed == nil || f.unwritten(t, m) || insideOnly(t, m)) && f.drivenFor(t, m)
	})
}

// mayShow reports whether a driver is run to see if the change made the program fail: no target of the user's runs
// what it is for, the change of that can be undone or the base can tell, and other packages can call what it calls.
// Otherwise no caller has to be able to make its inputs.
func (f *Fuzzer) mayShow(t *Target) bool {
	return f.Based(t) != nil || !t.made.Inner && slices.ContainsFunc(f.Mutants.UndoingAll(), func(m *evidence.Mutant) bool {
		return !m.Late && t.drives(m.Function) && (t.kept || !f.targeted(m))
	})
}

// Based is a mutant that would undo a change which t is for, a driver of what other packages can call, if what undoes all of that does
// not build and no target of the user's runs it: what fails then has to be run on the base. It is nil if that is not so.
func (f *Fuzzer) Based(t *Target) *evidence.Mutant {
	if t.made.Inner || len(t.made.For) == 0 {
		return nil
	}
	return f.Mutants.NotUndone(func(function string) bool { return t.drives(function) && !f.Reached()[function] })
}

// second reports whether another driver comes before t: one that calls what other packages can call, and
// leads to what t is for.
func (f *Fuzzer) second(t *Target) bool {
	return t.made.Inner && slices.ContainsFunc(t.made.For, f.drivenByCallers)
}

// drivenByCallers reports whether a driver that works was made for a function and calls what other packages can call.
func (f *Fuzzer) drivenByCallers(function string) bool {
	return slices.ContainsFunc(f.Targets, func(t *Target) bool {
		return t.Driver && !t.made.Inner && t.broken == "" && t.drives(function)
	})
}

// drivenFor reports whether a driver is to be run for m. One that has inputs of earlier analyses is run
// in any case, so that what it has found stays found.
func (f *Fuzzer) drivenFor(t *Target, m *evidence.Mutant) bool {
	return t.drives(m.Function) && m.Survives() && (m.Changed() || f.whole(m.Function)) && (t.kept || !f.targeted(m) || f.slow(m))
}

// fewRuns is how many runs of a mutant say little.
const fewRuns = 10_000

// slow reports whether the targets of the user's have begun, and run m seldom.
func (f *Fuzzer) slow(m *evidence.Mutant) bool { return f.begun && m.Execs < fewRuns }

// ReachedBy returns the IDs of the functions in scope that t has run.
func (f *Fuzzer) ReachedBy(t *Target) []string {
	ids := []string{}
	for _, fn := range f.Woven.Funcs {
		for b := fn.First; b < fn.End && fn.ID != ""; b++ {
			if t.blocks[b] {
				ids = append(ids, fn.ID)
				break
			}
		}
	}
	slices.Sort(ids)
	return ids
}

// Reached are the IDs of the functions in scope that targets of the user's have run.
func (f *Fuzzer) Reached() map[string]bool {
	reached := map[string]bool{}
	for _, t := range f.Targets {
		if t.Driver {
			continue
		}
		for _, id := range f.ReachedBy(t) {
			reached[id] = true
		}
	}
	return reached
}

// Ran adds the counters that targets of the user's have moved to ran.
func (f *Fuzzer) Ran(ran map[int]bool) {
	for _, t := range f.Targets {
		if !t.Driver {
			maps.Copy(ran, t.blocks)
		}
	}
}

// round fuzzes every target, some twice so that no worker is idle, and then confirms
// and shares what they found.
func (f *Fuzzer) round(ctx context.Context, targets []*Target, round int, wall time.Duration) error {
	waves := (len(targets) + f.Workers - 1) / f.Workers
	jobs := make([]*job, waves*f.Workers)
	for i := range jobs {
		n := round*len(jobs) + i
		t := targets[n%len(targets)]
		jobs[i] = f.newJob(t, uint64(n+1))
		jobs[i].job.Undone, jobs[i].job.Based = f.undone(t), f.Based(t) != nil
		jobs[i].budget(f.Config, wall/time.Duration(waves), n, len(jobs)*rounds)
	}
	f.Phase(fmt.Sprintf("fuzz %d/%d", round+1, rounds), len(jobs))
	start := time.Now()
	err := f.runJobs(ctx, jobs)
	rest := time.Since(start).Seconds()
	for _, j := range jobs {
		for i, to := range []*float64{&f.Seconds.Replay, &f.Seconds.Mutants, &f.Seconds.Program} {
			// Jobs run side by side; a phase's time is that of one slot.
			*to += j.seconds[i] / float64(f.Workers)
			rest -= j.seconds[i] / float64(f.Workers)
		}
	}
	f.Seconds.Verify += max(0, rest) // it is confirmed what they found
	return err
}

// Named returns the target of a name; nil: there is none.
func (f *Fuzzer) Named(name string) *Target {
	i := slices.IndexFunc(f.Targets, func(t *Target) bool { return t.Name == name })
	if i < 0 {
		return nil
	}
	return f.Targets[i]
}

// Difference is where a mutant differs from the program on the input that exposes it;
// nil if none does.
func (f *Fuzzer) Difference(m *evidence.Mutant) *witness.Difference { return f.differences[m.Number] }

// Unconfirmed counts a verdict that is not confirmed, and logs it.
func (f *Fuzzer) Unconfirmed(format string, args ...any) {
	f.mu.Lock()
	f.Stats.Unconfirmed++
	f.mu.Unlock()
	f.Say(format, args...)
}
