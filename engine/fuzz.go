package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/engine/probe"
	"github.com/mutantfuzz/mutantfuzz/engine/rank"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// reasonCounts marks entries that run known code another number of times. They
// serve the next run's search, and nobody needs to read or commit them.
const reasonCounts = "counts"

const (
	// maxCounts bounds how many of those a shared corpus gets for one target.
	maxCounts = 1000
	// rounds is how often jobs stop to share what they found.
	rounds = 3
	// maxRestarts bounds how often one job's worker may die in a round.
	maxRestarts = 20
	// verifyPart of the whole time is kept for confirming verdicts.
	verifyPart = 0.2
	// silence is how long a worker may run user code without moving.
	silence = 10 * time.Second
	// saveTime bounds how long the corpus may take for what one target found.
	saveTime = 10 * time.Second
	// maxAhead bounds how many targets are fuzzed at once that may reach functions
	// in scope but have not done so yet.
	maxAhead = 4
)

// target is a fuzz target and what is known of it.
type target struct {
	*weave.Target
	binary   string
	corpus   []corpus.Entry
	known    map[string]bool // IDs in corpus
	struck   map[int]bool    // observation sites that are not deterministic
	blocks   map[int]bool    // counters that some input moved
	steps    int             // calls between it and a function in scope; see unknownSteps
	execs    int64
	broken   string              // why it cannot be fuzzed; empty: it can
	lied     int                 // runs given up since what its process said could not be; guarded by run.mu
	found    map[string]*finding // new entries by ID
	order    []string            // IDs in found, in the order of discovery
	rejected map[string]bool     // "mutant entry" pairs that did not repeat
}

// finding is a new corpus entry and what it is good for.
type finding struct {
	entry   corpus.Entry
	reasons []string
	mutants []int
}

// deterministic reports whether no two runs of the same input differed.
func (t *target) deterministic() bool { return len(t.struck) == 0 }

// add puts an entry into t's corpus. A reason makes it a finding as well.
func (t *target) add(e corpus.Entry, reason string, mutant int) {
	if !t.known[e.ID] {
		t.known[e.ID] = true
		if reason != results.EntryCrash {
			t.corpus = append(t.corpus, e)
		}
		t.found[e.ID] = &finding{entry: e}
		t.order = append(t.order, e.ID)
	}
	f := t.found[e.ID]
	if f == nil { // it was in the corpus before this run
		if mutant == 0 {
			return
		}
		f = &finding{entry: e}
		t.found[e.ID] = f
		t.order = append(t.order, e.ID)
	}
	if !slices.Contains(f.reasons, reason) {
		f.reasons = append(f.reasons, reason)
	}
	if mutant > 0 && !slices.Contains(f.mutants, mutant) {
		f.mutants = append(f.mutants, mutant)
	}
}

// fuzz runs the fuzz targets: first on what is known, then on the mutants and
// the program.
func (u *unit) fuzz(ctx context.Context) error {
	if err := u.openTargets(ctx); err != nil || len(u.targets) == 0 {
		return err
	}
	if err := u.timed("replay", func() error { return u.replay(ctx) }); err != nil {
		return err
	}
	chosen := u.reaching()
	if u.cfg.Execs == 0 || len(chosen) == 0 {
		return nil
	}
	// What confirming needs is kept back, and every round gets its part of what
	// the ones before have left.
	end := u.cfg.Now().Add(u.share(1) - time.Duration(verifyPart*float64(u.cfg.Time)))
	for round := range rounds {
		wall := end.Sub(u.cfg.Now()) / time.Duration(rounds-round)
		if ctx.Err() != nil || wall <= 0 {
			break
		}
		if err := u.round(ctx, chosen, round, wall); err != nil {
			return err
		}
		if chosen = u.reaching(); len(chosen) == 0 {
			break
		}
	}
	return nil
}

// openTargets finds the targets that were woven and may reach a function in
// scope, and loads their corpora.
func (u *unit) openTargets(ctx context.Context) error {
	functions := u.inScope()
	for i := range u.woven.Targets {
		wt := &u.woven.Targets[i]
		if u.binaries[wt.Package] == "" {
			continue
		}
		steps, may := u.steps(ctx, functions, wt.Package, wt.Func)
		if !may {
			continue
		}
		t := &target{
			Target: wt, steps: steps, binary: u.binaries[wt.Package], known: map[string]bool{}, struck: map[int]bool{},
			blocks: map[int]bool{}, found: map[string]*finding{}, rejected: map[string]bool{},
		}
		committed, problems := corpus.Testdata(ctx, wt.Dir, wt.Func)
		for _, e := range committed {
			t.known[e.ID] = true
		}
		if u.cfg.Corpus != nil {
			saved, more := u.cfg.Corpus.Load(ctx, wt.Name)
			problems = append(problems, more...)
			for _, e := range saved {
				if !t.known[e.ID] {
					t.known[e.ID] = true
					t.corpus = append(t.corpus, e)
				}
			}
			u.res.Corpus.Before += len(saved)
		}
		if ctx.Err() != nil {
			problems = nil // the time is up, and nothing else is wrong
		}
		for _, p := range problems {
			u.warn("corpus entry left out: %v", p)
		}
		u.targets = append(u.targets, t)
	}
	return nil
}

// replay runs seeds and corpus of every target, without fuzzing.
func (u *unit) replay(ctx context.Context) error {
	u.progress.Phase("replay", len(u.targets))
	var jobs []*fuzzJob
	for _, t := range u.targets {
		jobs = append(jobs, u.newJob(t, 0))
	}
	return u.runJobs(ctx, jobs, "replay")
}

// reaching returns the targets to fuzz: those that have run functions in scope,
// and then, the nearest first, those that may by the calls they make.
func (u *unit) reaching() []*target {
	var have, may []*target
	for _, t := range u.targets {
		switch {
		case t.broken != "" || t.lied > 0:
		case len(u.reachedBy(t)) > 0:
			have = append(have, t)
		default:
			may = append(may, t)
		}
	}
	slices.SortStableFunc(may, func(a, b *target) int { return cmp.Compare(a.steps, b.steps) })
	return append(have, may[:min(len(may), maxAhead)]...)
}

// reachedBy returns the IDs of the functions in scope that t has run.
func (u *unit) reachedBy(t *target) []string {
	ids := []string{}
	for _, f := range u.woven.Funcs {
		if f.ID == "" {
			continue
		}
		for b := f.First; b < f.End; b++ {
			if t.blocks[b] {
				ids = append(ids, f.ID)
				break
			}
		}
	}
	slices.Sort(ids)
	return ids
}

// round fuzzes every target, some twice so that no worker is idle; then what
// they found is confirmed and shared.
func (u *unit) round(ctx context.Context, targets []*target, round int, wall time.Duration) error {
	waves := (len(targets) + u.cfg.Workers - 1) / u.cfg.Workers
	jobs := make([]*fuzzJob, waves*u.cfg.Workers)
	for i := range jobs {
		n := round*len(jobs) + i
		jobs[i] = u.newJob(targets[n%len(targets)], uint64(n+1))
		jobs[i].budget(u.cfg, wall/time.Duration(waves), n, len(jobs)*rounds)
	}
	u.progress.Phase(fmt.Sprintf("fuzz %d/%d", round+1, rounds), len(jobs))
	return u.runJobs(ctx, jobs, "")
}

// fuzzJob is one worker's part of a round, and what came of it.
type fuzzJob struct {
	target   *target
	job      probe.Job
	entries  []*probe.Event // EventEntry
	verdicts []*probe.Event // EventKill, EventExpose
	crashes  []*probe.Event // EventCrash
	deaths   []death
	seconds  [3]float64
	err      error
}

// death is the end of a worker that did not finish: what it ran is suspected.
type death struct {
	mutant  int
	entry   corpus.Entry
	outcome worker.Outcome
}

// newJob returns a job without a budget for fuzzing.
func (u *unit) newJob(t *target, stream uint64) *fuzzJob {
	j := &fuzzJob{target: t}
	j.job = probe.Job{
		Kind: probe.JobFuzz, Target: t.Func, Seed: uint64(u.cfg.Seed)*1000003 + stream, Dictionary: u.woven.Dictionary,
		Live: u.liveFor(), Focus: u.focus(),
	}
	for s := range t.struck {
		j.job.Struck = append(j.job.Struck, s)
	}
	slices.Sort(j.job.Struck)
	for _, e := range t.corpus {
		j.job.Corpus = append(j.job.Corpus, probe.JobEntry{ID: e.ID, Data: string(e.Data)})
	}
	return j
}

// focus returns the counters of the functions in scope and of those that use
// them.
func (u *unit) focus() []probe.Focus {
	var list []probe.Focus
	for _, f := range u.woven.Funcs {
		if f.Distance >= 0 {
			list = append(list, probe.Focus{First: f.First, End: f.End, Distance: f.Distance})
		}
	}
	return list
}

// liveFor returns the mutants that no input has told from the program yet, in
// rank order.
func (u *unit) liveFor() []probe.JobMutant {
	var open []*mutant
	var items []rank.Item
	for _, m := range u.mutants {
		// What undoes the change keeps leading the way to where it matters.
		if m.open() || m.live() && m.Hunk != nil {
			open = append(open, m)
			items = append(items, rankItem(m))
		}
	}
	live := make([]probe.JobMutant, 0, len(open))
	for _, i := range rank.FPF(items) {
		m := open[i]
		live = append(live, probe.JobMutant{ID: m.number, Block: m.Block, Probed: m.Probed, Change: m.Hunk != nil})
	}
	return live
}

func rankItem(m *mutant) rank.Item {
	return rank.Item{
		Original: m.Original, Mutated: m.Replacement, Source: m.Original, Mutant: m.Replacement,
		File: m.File, Line: m.Line, OnDiff: m.OnDiff, Undoes: m.Hunk != nil, Late: m.late,
	}
}

// ranked puts mutants in the order in which to judge them if there may be no time for
// all.
func ranked(mutants []*mutant) []*mutant {
	items := make([]rank.Item, len(mutants))
	for i, m := range mutants {
		items[i] = rankItem(m)
	}
	list := make([]*mutant, len(mutants))
	for i, at := range rank.ByLine(items) {
		list[i] = mutants[at]
	}
	return list
}

// budget gives j its part: the i-th of n by executions, or wall-clock time.
func (j *fuzzJob) budget(cfg Config, wall time.Duration, i, n int) {
	j.job.MutantExecs, j.job.ProgramExecs, j.job.MutantTime, j.job.ProgramTime = -1, -1, -1, -1
	if cfg.Execs > 0 {
		part := cfg.Execs / int64(n)
		if int64(i) < cfg.Execs%int64(n) {
			part++
		}
		j.job.MutantExecs = int64(cfg.MutantShare * float64(part))
		j.job.ProgramExecs = part - j.job.MutantExecs
	}
	if cfg.Time > 0 {
		j.job.MutantTime = int64(cfg.MutantShare * float64(wall))
		j.job.ProgramTime = int64(wall) - j.job.MutantTime
	}
}

// runJobs runs jobs and takes in what they found, in their order.
func (u *unit) runJobs(ctx context.Context, jobs []*fuzzJob, phase string) error {
	err := each(ctx, u.slots, jobs, func(ctx context.Context, sl *slot, j *fuzzJob) error {
		defer u.progress.Step(1)
		return u.runJob(ctx, sl, j)
	})
	if err != nil {
		return err
	}
	for _, j := range jobs {
		u.take(j, phase)
	}
	return u.confirmAll(ctx, jobs)
}

// runJob runs j to its end, through as many workers as it takes.
func (u *unit) runJob(ctx context.Context, sl *slot, j *fuzzJob) error {
	lies := 0
	for range maxRestarts {
		done := false
		var last *probe.Stats
		exit, err := u.execTarget(ctx, sl, j.target, &j.job, 0, 0, func(e *probe.Event) {
			j.event(e)
			if e.Stats != nil {
				last = e.Stats
			}
			done = done || e.Event == probe.EventDone
		})
		if err != nil {
			return err
		}
		u.account(j, last)
		if done || exit.Cause == worker.Cancelled || j.err != nil {
			return nil
		}
		u.count(func(s *results.Stats) { s.WorkersRestarted++ })
		if exit.Cause == worker.Lied {
			if lies++; lies == maxLies {
				u.distrust(j.target, exit.Lie)
				return nil
			}
		} else if !j.bury(exit) {
			return nil
		}
		j.spend(last)
	}
	return nil
}

// account adds a worker's counts to those of the run.
func (u *unit) account(j *fuzzJob, s *probe.Stats) {
	if s == nil {
		return
	}
	u.count(func(r *results.Stats) {
		r.Execs += s.Execs
		r.MutantExecs += s.MutantExecs
		r.PrunedReach += s.PrunedReach
		r.PrunedInfection += s.PrunedInfection
		j.target.execs += s.Execs
		for _, b := range s.Blocks {
			j.target.blocks[b] = true
		}
		for n, k := range s.ByMutant {
			u.mutants[n-1].execs += k
		}
		for _, n := range s.Reached {
			u.mutants[n-1].reached = true
		}
		for _, n := range s.Infected {
			u.mutants[n-1].reached, u.mutants[n-1].infected = true, true
		}
	})
	for i := range j.seconds {
		j.seconds[i] += s.Seconds[i]
	}
}

// event sorts one event of a worker.
func (j *fuzzJob) event(e *probe.Event) {
	switch e.Event {
	case probe.EventEntry:
		j.entries = append(j.entries, e)
	case probe.EventKill, probe.EventExpose:
		j.verdicts = append(j.verdicts, e)
	case probe.EventCrash:
		j.crashes = append(j.crashes, e)
	case probe.EventStrike:
		if !slices.Contains(j.job.Struck, e.Site) {
			j.job.Struck = append(j.job.Struck, e.Site)
		}
	case probe.EventError:
		j.err = fmt.Errorf("%s", e.Message)
	}
}

// bury notes what a worker died of and reports whether another may go on. The
// mutant at hand is not run again by this job.
func (j *fuzzJob) bury(exit worker.Exit) bool {
	c := exit.Culprit
	if c == nil || !c.InRun {
		return exit.Cause == worker.Lost || exit.Cause == worker.Exited && exit.Code == 0
	}
	values, err := probe.DecodeStateInput(c.Input)
	if err != nil || len(values) == 0 {
		return false
	}
	d := death{mutant: c.Mutant, entry: corpus.NewEntry([]byte(probe.EncodeEntry(values))), outcome: exit.Outcome()}
	j.deaths = append(j.deaths, d)
	if d.mutant <= 0 {
		// The program itself dies; more of the same would follow.
		return len(j.deaths) < 5
	}
	j.job.Live = slices.DeleteFunc(j.job.Live, func(m probe.JobMutant) bool { return m.ID == d.mutant })
	return true
}

// spend takes what a worker has used from the job's budget and hands on what
// it learned.
func (j *fuzzJob) spend(s *probe.Stats) {
	if s == nil {
		return
	}
	less := func(budget *int64, used int64) {
		if *budget >= 0 {
			*budget = max(0, *budget-used)
		}
	}
	less(&j.job.MutantTime, int64(s.Seconds[1]*1e9))
	less(&j.job.ProgramTime, int64(s.Seconds[2]*1e9))
	if s.Stage == "program" {
		less(&j.job.ProgramExecs, s.Execs-j.job.MutantExecs)
		j.job.MutantExecs = min(j.job.MutantExecs, 0)
	} else {
		less(&j.job.MutantExecs, s.Execs)
	}
	for _, e := range j.entries {
		if !slices.ContainsFunc(j.job.Corpus, func(x probe.JobEntry) bool { return x.ID == e.Entry.ID }) {
			j.job.Corpus = append(j.job.Corpus, *e.Entry)
		}
	}
	j.job.Seed++
}

// execTarget runs a target's binary with a job.
func (u *unit) execTarget(ctx context.Context, sl *slot, t *target, job *probe.Job, mutant int, steps int64, on func(*probe.Event)) (worker.Exit, error) {
	_, targets := u.loosened()
	sandbox, err := u.sandbox(sl, targets)
	if err != nil {
		return worker.Exit{}, err
	}
	args := append(worker.TestArgs(0, t.Func), u.cfg.TestFlags...)
	run, err := u.execTests(ctx, sl, worker.Command{
		Binary: t.binary, Args: args, Dir: t.Dir, State: sl.state, Mutant: mutant, Steps: steps,
		Job: job, OnEvent: on, Bounds: u.bounds(t.Types), Silence: silence, Sandbox: sandbox,
	})
	return run.exit, err
}

// take adds what a job found to its target.
func (u *unit) take(j *fuzzJob, phase string) {
	t := j.target
	if j.err != nil {
		t.broken = j.err.Error()
		u.warn("%s is not fuzzed: %v", t.Name, j.err)
	}
	for _, s := range j.job.Struck {
		t.struck[s] = true
	}
	for i, name := range []string{"replay", "mutants", "program"} {
		if phase == "" {
			// Jobs run side by side; a phase's time is that of one slot.
			u.seconds[name] += time.Duration(j.seconds[i] * 1e9 / float64(max(1, u.cfg.Workers)))
		}
	}
	for _, e := range j.entries {
		for _, reason := range []string{results.EntryCovers, reasonCounts} {
			if slices.Contains(e.Reasons, reason) {
				t.add(corpus.NewEntry([]byte(e.Entry.Data)), reason, 0)
			}
		}
	}
}

// save stores what t found, except what crashes the program: a shared corpus
// may be read by people who should not see that before it is mended.
func (u *unit) save(ctx context.Context, t *target) {
	if u.cfg.Corpus == nil {
		return
	}
	// What was found is kept when the time is up, too.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), saveTime)
	defer cancel()
	var list []corpus.Entry
	counts := len(t.corpus) - len(t.found)
	for _, id := range t.order {
		f := t.found[id]
		if slices.Contains(f.reasons, results.EntryCrash) || len(f.reasons) == 0 {
			continue
		}
		if slices.Equal(f.reasons, []string{reasonCounts}) {
			if counts++; counts > maxCounts {
				continue
			}
		}
		list = append(list, f.entry)
	}
	if err := u.cfg.Corpus.Save(ctx, t.Name, list); err != nil {
		u.warn("the corpus was not saved: %v", err)
	}
}
