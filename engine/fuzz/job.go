package fuzz

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/engine/pool"
	"github.com/mutantfuzz/mutantfuzz/engine/probe"
	"github.com/mutantfuzz/mutantfuzz/engine/rank"
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// job is one worker's part of a round, and what came of it.
type job struct {
	target   *Target
	job      probe.Job
	entries  []*probe.Event // EventEntry
	verdicts []*probe.Event // EventKill, EventExpose
	crashes  []*probe.Event // EventCrash
	deaths   []death
	seconds  [phases]float64
	err      error
}

// death is the end of a worker that did not finish: what it ran is suspected.
type death struct {
	mutant  int
	entry   corpus.Entry
	outcome worker.Outcome
}

// newJob returns a job without a budget for fuzzing.
func (f *Fuzzer) newJob(t *Target, stream uint64) *job {
	j := &job{target: t}
	j.job = probe.Job{
		Kind: probe.JobFuzz, Target: t.Func, Seed: uint64(f.Seed)*1000003 + stream, Dictionary: f.Woven.Dictionary,
		Live: f.liveFor(), Focus: f.focus(),
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
func (f *Fuzzer) focus() []probe.Focus {
	var list []probe.Focus
	for _, fn := range f.Woven.Funcs {
		if fn.Distance >= 0 {
			list = append(list, probe.Focus{First: fn.First, End: fn.End, Distance: fn.Distance})
		}
	}
	return list
}

// liveFor returns the mutants that no input has told from the program yet, in
// rank order.
func (f *Fuzzer) liveFor() []probe.JobMutant {
	var open []*evidence.Mutant
	var items []rank.Item
	for _, m := range f.Mutants {
		// What undoes the change keeps leading the way to where it matters.
		if m.Open() || m.Live() && m.Hunk != nil {
			open = append(open, m)
			items = append(items, m.RankItem())
		}
	}
	live := make([]probe.JobMutant, 0, len(open))
	for _, i := range rank.FPF(items) {
		m := open[i]
		live = append(live, probe.JobMutant{ID: m.Number, Block: m.Block, Probed: m.Probed, Change: m.Hunk != nil})
	}
	return live
}

// budget gives j its part: the i-th of n by executions, or wall-clock time.
func (j *job) budget(cfg Config, wall time.Duration, i, n int) {
	j.job.MutantExecs, j.job.ProgramExecs, j.job.MutantTime, j.job.ProgramTime = -1, -1, -1, -1
	if cfg.Execs > 0 {
		part := cfg.Execs / int64(n)
		if int64(i) < cfg.Execs%int64(n) {
			part++
		}
		j.job.MutantExecs = int64(cfg.MutantShare * float64(part))
		j.job.ProgramExecs = part - j.job.MutantExecs
	}
	if !cfg.Until.IsZero() {
		j.job.MutantTime = int64(cfg.MutantShare * float64(wall))
		j.job.ProgramTime = int64(wall) - j.job.MutantTime
	}
}

// runJobs runs jobs and takes in what they found, in their order.
func (f *Fuzzer) runJobs(ctx context.Context, jobs []*job) error {
	err := pool.Each(ctx, f.Pool, jobs, func(ctx context.Context, sl *pool.Slot, j *job) error {
		defer f.Step()
		return f.runJob(ctx, sl, j)
	})
	if err != nil {
		return err
	}
	for _, j := range jobs {
		f.take(j)
	}
	return f.confirmAll(ctx, jobs)
}

// runJob runs j to its end, through as many workers as it takes.
func (f *Fuzzer) runJob(ctx context.Context, sl *pool.Slot, j *job) error {
	lies := 0
	for range maxRestarts {
		done := false
		var last *probe.Stats
		exit, err := f.RunTarget(ctx, sl, j.target.run(&j.job, 0, 0, func(e *probe.Event) {
			j.event(e)
			if e.Stats != nil {
				last = e.Stats
			}
			done = done || e.Event == probe.EventDone
		}))
		if err != nil {
			return err
		}
		f.account(j, last)
		if done || exit.Cause == worker.Cancelled || j.err != nil {
			return nil
		}
		f.count(func(s *results.Stats) { s.WorkersRestarted++ })
		if exit.Cause == worker.Lied {
			if lies++; lies == maxLies {
				f.distrust(j.target, exit.Lie)
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
func (f *Fuzzer) account(j *job, s *probe.Stats) {
	if s == nil {
		return
	}
	f.count(func(r *results.Stats) {
		r.Execs += s.Execs
		r.MutantExecs += s.MutantExecs
		r.PrunedReach += s.PrunedReach
		r.PrunedInfection += s.PrunedInfection
		j.target.execs += s.Execs
		for _, b := range s.Blocks {
			j.target.blocks[b] = true
		}
		for n, k := range s.ByMutant {
			f.Mutants[n-1].Execs += k
		}
		for _, n := range s.Reached {
			f.Mutants[n-1].Reached = true
		}
		for _, n := range s.Infected {
			f.Mutants[n-1].Reached, f.Mutants[n-1].Infected = true, true
		}
	})
	for i := range j.seconds {
		j.seconds[i] += s.Seconds[i]
	}
}

// event sorts one event of a worker.
func (j *job) event(e *probe.Event) {
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
func (j *job) bury(exit worker.Exit) bool {
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
func (j *job) spend(s *probe.Stats) {
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

// take adds what a job found to its target.
func (f *Fuzzer) take(j *job) {
	t := j.target
	if j.err != nil {
		t.broken = j.err.Error()
		f.Warn("%s is not fuzzed: %v", t.Name, j.err)
	}
	for _, s := range j.job.Struck {
		t.struck[s] = true
	}
	for _, e := range j.entries {
		for _, reason := range []string{results.EntryCovers, reasonCounts} {
			if slices.Contains(e.Reasons, reason) {
				t.add(corpus.NewEntry([]byte(e.Entry.Data)), reason, 0)
			}
		}
	}
}
