// Package fuzz runs the fuzz targets and drivers of a program: first on the corpus, then on the mutants, then on the
// program. It confirms what it finds in fresh processes.
//
// The order is that of Groce, Kalburgi, Le Goues, Jain, Gopinath: Registered Report: First, Fuzz the Mutants, FUZZING
// 2022. The loop over the program is that of Vikram, Laybourn, Li, Nair, OBrien, Sanna, Padhye: Guiding Greybox Fuzzing
// with Mutation Testing, ISSTA 2023.
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

// Config says what to fuzz, and for how long.
type Config struct {
	Reach       *reach.Reach
	Mutants     evidence.Mutants // findings are added to them
	Stats       *results.Stats   // counts are added to it
	Seconds     *results.Seconds // times are added to it
	Corpus      corpus.Store     // shared between analyses; nil: none
	Execs       int64            // bound on runs; 0: replay only; negative: Until is the bound
	Until       time.Time        // when to stop; zero: Execs is the bound
	Keep        time.Duration    // the time that has to remain after all, also after what follows fuzzing here
	MutantShare float64          // part of the fuzzing that goes to the mutants first, 0 to 1
	Seed        int64
	Unwatched   bool // do not watch what tests call
}

// Fuzzer runs the targets of one program. RunEntry, Compare, Exposure and Unconfirmed may be called concurrently, its
// other methods not.
type Fuzzer struct {
	*pool.Runner
	Config
	Targets []*Target
	Crashes []results.Crash // failures of the program itself
	repeats []*claim        // failures in the place of one of Crashes, on other entries
	Before  int             // number of entries that the shared corpus had
	begun   bool            // the first round is over

	differences map[int]*witness.Difference // by mutant: the difference that exposes it

	mu sync.Mutex // guards Stats, Target.invalidRuns, and the mutants
}

// Parts of the remaining time.
const (
	watchPart = 0.1
	freshPart = 0.4 // of what fuzzing leaves
)

const (
	rounds = 3 // after each, the jobs share what they found
	// maxRestarts bounds the workers that one job may start in a round: one that dies or drifts is replaced.
	maxRestarts = 20
	// maxAhead bounds the targets fuzzed in one round that, by the call graph, may reach a function in scope but have
	// not reached one yet.
	maxAhead = 4
	// Without a fuzz target of the user, fuzzing takes at most driverTime for each driver that is needed, of which
	// maxDriven count.
	driverTime = 15 * time.Second
	maxDriven  = 4
	// saveTime bounds how long saving what one target found may take.
	saveTime = 10 * time.Second
)

// New returns a Fuzzer for the program of r. It has no targets until Run is called.
func New(r *pool.Runner, c Config) *Fuzzer {
	return &Fuzzer{Runner: r, Config: c, differences: map[int]*witness.Difference{}}
}

// Run finds the targets and replays the corpus on them. It then watches the surveyed tests, fuzzes mutants and program,
// and at last runs the open mutants once more, in fresh processes.
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
	return deadline.Timed(&f.Seconds.Verify, deadline.Within(deadline.Sparing(ctx, freshPart, f.Keep), f.fresh))(ctx)
}

// open finds the woven targets that may reach a function in scope, and the drivers made for one, and loads their
// corpora.
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

// load fills the corpus of t, and returns how many entries of it the shared corpus had.
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
		return saved // time is up, which is what the problems come from
	}
	for _, p := range problems {
		f.Warn("corpus entry left out: %v", p)
	}
	return saved
}

// replay runs the seeds and the corpus of every target on the original. The mutants that these inputs show are found
// later, while the mutants are fuzzed or in [Fuzzer.fresh].
func (f *Fuzzer) replay(ctx context.Context) error {
	f.Phase("replay", len(f.Targets))
	var jobs []*job
	for _, t := range f.Targets {
		j := f.newJob(t, 0)
		j.job.Survey = true
		if !f.Until.IsZero() {
			j.surveyUntil(f.Until, f.waves(len(f.Targets)))
		}
		jobs = append(jobs, j)
	}
	return f.runJobs(ctx, jobs)
}

// fuzz fuzzes the mutants and the program in rounds. The remaining time is divided equally among the remaining rounds.
// boundDrivers may bring Until forward.
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

// whole reports whether all lines of a function count, because it is in scope without being changed: by --all, or
// because a test of it changed.
func (f *Fuzzer) whole(function string) bool {
	return slices.ContainsFunc(f.Functions, func(fn diffscope.Function) bool {
		return fn.ID == function && (fn.Reason == results.ReasonAll || fn.Reason == results.ReasonTestChanged)
	})
}

// boundDrivers bounds the time of fuzzing if there are only drivers; see driverTime.
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

// reaching returns the targets to fuzz in a round: those that have run a function in scope, then those that may run one
// by the call graph, the nearest first. In the first round, drivers that come second are left out; see second. After
// it, targets that have not run one are left out, unless there are no others and the call graph is known.
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
	if round > 0 {
		if len(have) > 0 {
			return have
		}
		may = slices.DeleteFunc(may, func(t *Target) bool { return t.steps == reach.Unknown })
	}
	slices.SortStableFunc(may, func(a, b *Target) int { return cmp.Compare(a.steps, b.steps) })
	return append(have, may[:min(len(may), maxAhead)]...)
}

// needed reports whether to run t. User's fuzz targets always run. A driver runs if it may show that the change makes
// the program fail, or if a live mutant that is to be run in it (see drivenFor) has no exposure yet, or a poor one.
func (f *Fuzzer) needed(t *Target) bool {
	if len(t.made.For) == 0 {
		return true
	}
	return f.mayShow(t) || slices.ContainsFunc(f.Mutants.Live(), func(m *evidence.Mutant) bool {
		return (m.Exposed == nil || f.unwritten(t, m) || insideOnly(t, m)) && f.drivenFor(t, m)
	})
}

// mayShow reports whether a driver is run to see whether the change makes the program fail. For that, other packages
// must be able to call what it calls: no caller need be able to make the inputs of other drivers. A mutant must undo
// the whole change of its function, or else the base has to tell (see Based). No user's target must run the function,
// unless the driver has inputs of earlier analyses.
func (f *Fuzzer) mayShow(t *Target) bool {
	return f.Based(t) != nil || !t.made.Inner && slices.ContainsFunc(f.Mutants.UndoingAll(), func(m *evidence.Mutant) bool {
		return !m.Late && t.drives(m.Function) && (t.kept || !f.targeted(m))
	})
}

// Based returns a mutant that would undo part of a change that the driver t is for, if failures of t have to be run on
// the base to tell whether the change brought them. That is so if undoing the whole change of the function does not
// build. It returns nil otherwise, and if t calls what other packages cannot call or a user's target runs the function.
func (f *Fuzzer) Based(t *Target) *evidence.Mutant {
	if t.made.Inner || len(t.made.For) == 0 {
		return nil
	}
	return f.Mutants.NotUndone(func(function string) bool { return t.drives(function) && !f.Reached()[function] })
}

// second reports whether another driver comes before t: t calls what other packages cannot call, and another driver
// reaches the same function through a call that they can make.
func (f *Fuzzer) second(t *Target) bool {
	return t.made.Inner && slices.ContainsFunc(t.made.For, f.drivenByCallers)
}

// drivenByCallers reports whether some working driver was made for a function and calls what other packages can call.
func (f *Fuzzer) drivenByCallers(function string) bool {
	return slices.ContainsFunc(f.Targets, func(t *Target) bool {
		return t.Driver && !t.made.Inner && t.broken == "" && t.drives(function)
	})
}

// drivenFor reports whether to run the driver t for m: m survives and belongs to the change or to a function of which
// all lines count, and the user's targets do not reach it or run it seldom. A driver that has inputs of earlier
// analyses runs even where they do, so that what it found stays found.
func (f *Fuzzer) drivenFor(t *Target, m *evidence.Mutant) bool {
	return t.drives(m.Function) && m.Survives() && (m.Changed() || f.whole(m.Function)) && (t.kept || !f.targeted(m) || f.slow(m))
}

// fewRuns is the number of runs of a mutant below which they say little.
const fewRuns = 10_000

// slow reports whether the first round is over and m has had few runs.
func (f *Fuzzer) slow(m *evidence.Mutant) bool { return f.begun && m.Execs < fewRuns }

// ReachedBy returns the IDs of the functions in scope that t has run, sorted.
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

// Reached returns the IDs of the functions in scope that the user's fuzz targets have run.
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

// Ran adds to ran the block counters that the user's fuzz targets have moved.
func (f *Fuzzer) Ran(ran map[int]bool) {
	for _, t := range f.Targets {
		if !t.Driver {
			maps.Copy(ran, t.blocks)
		}
	}
}

// round fuzzes every target, some of them twice so that no worker is idle, and then confirms and shares what they
// found.
func (f *Fuzzer) round(ctx context.Context, targets []*Target, round int, wall time.Duration) error {
	waves := f.waves(len(targets))
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
	f.Seconds.Verify += max(0, rest) // the rest is spent confirming what they found
	return err
}

// waves returns how many jobs each worker has to run, one after the other, for n jobs to be run.
func (f *Fuzzer) waves(n int) int { return (n + f.Workers - 1) / f.Workers }

// Named returns the target with a name, nil if there is none.
func (f *Fuzzer) Named(name string) *Target {
	i := slices.IndexFunc(f.Targets, func(t *Target) bool { return t.Name == name })
	if i < 0 {
		return nil
	}
	return f.Targets[i]
}

// Difference returns where m differs from the program on the input that exposes it, nil if no input does.
func (f *Fuzzer) Difference(m *evidence.Mutant) *witness.Difference { return f.differences[m.Number] }

// Unconfirmed counts a verdict that was not confirmed, and logs it.
func (f *Fuzzer) Unconfirmed(format string, args ...any) {
	f.mu.Lock()
	f.Stats.Unconfirmed++
	f.mu.Unlock()
	f.Say(format, args...)
}
