package fuzz

import (
	"context"
	"fmt"
	"go/token"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/engine/pool"
	"github.com/mutantfuzz/mutantfuzz/engine/rank"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// job is one worker's part of a round, and its results.
type job struct {
	target  *Target
	job     wire.Job
	entries []*wire.Event // EventEntry
	claims  []*claim
	deaths  int           // claims by what ran when a worker ended that did not finish: the likely cause
	invalid []*wire.Event // EventInvalid
	seconds [3]float64    // of replay, mutants, program
	until   time.Time     // when no other worker goes on with what one that died has left; zero: the budget bounds it
	err     error
}

// patience is how many runs of a driver without anything new end a stage of a job: a driver is for one
// function, and what its inputs do not find soon they hardly find.
const patience = 100_000

// maxDeaths bounds how often the program may end the process of one job for a target of the user's. The next job leaves
// out what ended this one.
const maxDeaths = 5

// newJob returns a job without a budget for fuzzing.
func (f *Fuzzer) newJob(t *Target, stream uint64) *job {
	j := &job{target: t}
	j.job = wire.Job{
		Kind: wire.JobFuzz, Target: t.Func, Seed: uint64(f.Seed)*1000003 + stream, Dictionary: f.Woven.Dictionary,
		ReplayTime: -1, MutantTime: -1, ProgramTime: -1,
		Live: f.liveFor(t), Corpus: jobEntries(t.corpus), Struck: slices.Sorted(maps.Keys(t.struck)),
		Deadly: slices.Sorted(maps.Keys(t.deadly)),
	}
	if t.Driver {
		j.job.Patience, j.job.Tested = patience, f.Woven.Tested
	}
	for _, fn := range f.Woven.Funcs {
		if fn.Distance >= 0 { // it is in scope, or uses what is
			j.job.Focus = append(j.job.Focus, wire.Focus{First: fn.First, End: fn.End, Distance: fn.Distance})
		}
	}
	return j
}

// jobEntries are entries as a job has them.
func jobEntries(entries []corpus.Entry) (list []wire.JobEntry) {
	for _, e := range entries {
		list = append(list, wire.JobEntry{ID: e.ID, Data: string(e.Data)})
	}
	return list
}

// liveFor returns the mutants for t to run, in rank order: those that no input has killed or exposed yet, and those of noticed.
func (f *Fuzzer) liveFor(t *Target) []wire.JobMutant {
	var open []*evidence.Mutant
	var items []rank.Item
	for _, m := range f.Mutants {
		if t.Driver && m.Unjudged() && !m.Changed() { // a driver says what tests miss, and many of these would end its process
			continue
		}
		if t.made.Inner && !t.drives(m.Function) && f.drivenByCallers(m.Function) {
			continue // callers cannot do what t does to it, and what they can do is tried by another driver
		}
		// A mutant that undoes the change stays: inputs that expose it lead to more.
		if m.Open() || m.Live() && m.Hunk != nil || f.unwritten(t, m) || insideOnly(t, m) {
			open = append(open, m)
			items = append(items, m.RankItem())
		}
	}
	for _, m := range f.noticed(t) {
		open = append(open, m)
		items = append(items, m.RankItem())
	}
	live := make([]wire.JobMutant, 0, len(open))
	for _, i := range rank.FPF(items) {
		live = append(live, jobMutant(open[i]))
		if open[i].Hunk != nil {
			live[len(live)-1].Sites = f.sitesOf(open[i].Function)
		}
	}
	return live
}

// noticed are the mutants that tests kill, for t to run all the same until an input shows what the change gives that it
// did not give before: each undoes all of the change to a function.
func (f *Fuzzer) noticed(t *Target) (list []*evidence.Mutant) {
	for _, m := range f.Mutants.UndoingAll() {
		if m.Noticed() && (m.Exposed == nil || onlyEnds(m)) && !m.Late && !t.notices[m.Number] && len(list) < maxUndone && !t.made.Inner && (!t.Driver || t.drives(m.Function)) {
			list = append(list, m)
		}
	}
	return list
}

// sitesOf are the sites of calls of a function in the targets that give something of which callers see anything: without that old and new agree
// in any case.
func (f *Fuzzer) sitesOf(function string) (sites []int) {
	for i := range f.Woven.Sites {
		if s := &f.Woven.Sites[i]; s.Target != "" && s.Function == function && s.Results > 0 && !s.Opaque {
			sites = append(sites, i)
		}
	}
	return sites
}

// jobMutant is m as a job has it.
func jobMutant(m *evidence.Mutant) wire.JobMutant {
	return wire.JobMutant{ID: m.Number, Block: m.Block, Probed: m.Probed, Change: m.Hunk != nil, OldFirst: m.Old.First, OldEnd: m.Old.End, Ended: onlyEnds(m)}
}

// onlyEnds reports whether all that is known of m, which undoes a part of the change, is an input on which it panics. Whoever made the change knows
// that, most likely; what else it does says more.
func onlyEnds(m *evidence.Mutant) bool {
	return m.Hunk != nil && m.Exposed != nil && m.Exposed.Ends == results.CrashPanic
}

// maxUndone bounds how many changed functions a driver tries the old form of, where the program fails.
const maxUndone = 16

// undone are the mutants with which t, if it is a driver, finds out whether the change brought a failure.
func (f *Fuzzer) undone(t *Target) (list []wire.JobMutant) {
	if !t.Driver || !f.mayShow(t) {
		return nil
	}
	for _, m := range f.Mutants.UndoingAll() {
		if !m.Late && len(list) < maxUndone {
			list = append(list, jobMutant(m))
		}
	}
	return list
}

// insideOnly reports whether m is only known to show in a call that other packages cannot make, within a test or of a driver of its function,
// and t is a driver that calls what they can: whether they can ever see it says what it is worth.
func insideOnly(t *Target, m *evidence.Mutant) bool {
	if !t.Driver || t.made.Inner || !m.Live() || m.Exposed == nil {
		return false
	}
	name := m.Function[strings.LastIndexByte(m.Function, '.')+1:]
	return m.Exposed.InTest && !token.IsExported(name) || m.Exposed.Driver && m.Exposed.Inner && t.drives(m.Function)
}

// unwritten reports whether the input that exposes m has no form as a call, and comes from another driver than t, which
// calls a function with less around it.
func (f *Fuzzer) unwritten(t *Target, m *evidence.Mutant) bool {
	return t.made.Inner && m.Live() && m.Exposed != nil && m.Exposed.Driver && m.Exposed.Call == "" && m.Exposed.Harness != t.Name
}

// replayPart is the part of a round, or of all time for fuzzing, that running what is there may take.
const replayPart = 0.3

// surveyUntil bounds the time of a job that only runs what is there: no worker begins that goes on with what one that died has left, either.
func (j *job) surveyUntil(until time.Time) {
	left := max(0, replayPart*float64(time.Until(until)))
	j.job.ReplayTime, j.until = int64(left), time.Now().Add(time.Duration(left))
}

// budget gives j its part: the i-th of n by executions, or wall-clock time.
func (j *job) budget(cfg Config, wall time.Duration, i, n int) {
	j.job.MutantExecs, j.job.ProgramExecs = -1, -1
	if cfg.Execs > 0 {
		part := cfg.Execs / int64(n)
		if int64(i) < cfg.Execs%int64(n) {
			part++
		}
		j.job.MutantExecs = int64(cfg.MutantShare * float64(part))
		j.job.ProgramExecs = part - j.job.MutantExecs
	}
	if !cfg.Until.IsZero() {
		j.job.ReplayTime = int64(replayPart * float64(wall))
		j.job.MutantTime = int64(cfg.MutantShare * float64(wall))
		j.job.ProgramTime = int64(wall) - j.job.MutantTime
	}
}

// runJobs runs jobs, and then takes their results, in order.
func (f *Fuzzer) runJobs(ctx context.Context, jobs []*job) error {
	err := pool.Each(ctx, f.Pool, jobs, func(ctx context.Context, sl *pool.Slot, j *job) error {
		defer f.Step()
		return f.runJob(ctx, sl, j)
	})
	if err != nil {
		return err
	}
	var claims []*claim
	for _, j := range jobs {
		f.take(j)
		claims = append(claims, j.claims...)
	}
	err = f.confirmAll(ctx, claims)
	for _, j := range jobs {
		f.save(ctx, j.target)
	}
	return err
}

// runJob runs j to its end, through as many workers as it takes.
func (f *Fuzzer) runJob(ctx context.Context, sl *pool.Slot, j *job) error {
	invalid := 0
	if budget := time.Duration(max(j.job.MutantTime, 0) + max(j.job.ProgramTime, 0)); budget > 0 {
		j.until = time.Now().Add(budget)
	}
	for range maxRestarts {
		end, err := f.runWorker(ctx, sl, j)
		if err != nil || end.done && end.drift == nil || end.exit.Cause == worker.Cancelled || j.err != nil {
			return err
		}
		f.mu.Lock()
		f.Stats.WorkersRestarted++
		f.mu.Unlock()
		if end.drift != nil {
			j.avoid(end.drift.Mutant)
			// In a process whose state has changed, deterministic sites may differ. So
			// the next worker starts without the sites that this one struck.
			j.job.Struck = j.job.Struck[:end.struck]
		}
		switch {
		case end.done:
		case end.exit.Cause == worker.Invalid:
			if invalid++; invalid == maxInvalid {
				f.noteInvalid(j.target, end.exit.Invalid)
				return nil
			}
		case !j.noteDeath(end.exit):
			return nil
		}
		if end.last != nil {
			j.spend(end.last)
		}
		if j.late(time.Now()) {
			return nil
		}
	}
	return nil
}

// late reports whether the job's time is over. A worker that dies does not say how long it took.
func (j *job) late(now time.Time) bool { return !j.until.IsZero() && !now.Before(j.until) }

// workerEnd is how one worker of a job ended.
type workerEnd struct {
	exit   worker.Exit
	last   *wire.Stats // nil: it sent none
	drift  *wire.Event // the first; nil: it did not drift
	struck int         // sites that were struck before
	done   bool        // it got to the end of the job
}

// runWorker runs one worker of j, and collects its events.
func (f *Fuzzer) runWorker(ctx context.Context, sl *pool.Slot, j *job) (end workerEnd, err error) {
	end.struck = len(j.job.Struck)
	end.exit, err = f.RunTarget(ctx, sl, j.target.Target, j.target.run(&j.job, 0, 0, func(e *wire.Event) {
		j.event(e)
		if e.Stats != nil {
			end.last = e.Stats
		}
		if e.Event == wire.EventDrift && end.drift == nil {
			end.drift = e
		}
		end.done = end.done || e.Event == wire.EventDone
	}))
	if err != nil {
		return end, err
	}
	if end.last != nil {
		f.account(j, end.last)
	}
	if !end.done && end.exit.Cause != worker.Invalid {
		f.account(j, left(sl.State, j.job.Live))
	}
	return end, nil
}

// account adds what a worker counted and reached to that of the run.
func (f *Fuzzer) account(j *job, s *wire.Stats) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.Stats.Execs += s.Execs
	f.Stats.MutantExecs += s.MutantExecs
	f.Stats.PrunedReach += s.PrunedReach
	f.Stats.PrunedInfection += s.PrunedInfection
	j.target.execs += s.Execs
	j.target.originals += s.Originals
	j.target.invalid += s.Invalid
	for n, k := range s.ByMutant {
		f.Mutants[n-1].Execs += k
		if j.target.Driver {
			f.Mutants[n-1].Driven += k
		}
		if j.target.Driver && !j.target.made.Inner {
			f.Mutants[n-1].ByCallers += k
		}
	}
	for n, k := range s.Agreed {
		f.Mutants[n-1].Agreed += k
	}
	for n, k := range s.Spared {
		f.Mutants[n-1].Spared += k
	}
	for _, live := range j.job.Live {
		f.Mutants[live.ID-1].RanOld(s.Old)
	}
	for i := range j.seconds {
		j.seconds[i] += s.Seconds[i]
	}
	for _, b := range s.Blocks {
		j.target.blocks[b] = true
	}
	for i, id := range s.Seeds {
		if j.target.seeds[id] == "" {
			j.target.seeds[id] = fmt.Sprintf("seed#%d", i)
		}
	}
	if j.target.Driver {
		return // what it runs is no test
	}
	for _, n := range s.Reached {
		f.Mutants[n-1].Reached = true
	}
	for _, n := range s.Infected {
		f.Mutants[n-1].Reached, f.Mutants[n-1].Infected = true, true
	}
}

// left returns from the state file what a worker reached that died before it sent its
// last statistics: in all runs, and in the last one if that was of the program.
func left(state *worker.State, live []wire.JobMutant) *wire.Stats {
	s := &wire.Stats{Blocks: state.Seen()}
	marks := state.Gathered()
	if state.InRun() && state.Mutant() == wire.Probed {
		last, infected := state.Blocks(), state.Marks()
		s.Blocks = append(s.Blocks, last...)
		for _, m := range live {
			if !slices.Contains(last, m.Block) {
				continue
			}
			marks[m.ID] |= wire.MarkEvaluated
			if !m.Probed || infected[m.ID]&wire.MarkInfected != 0 {
				marks[m.ID] |= wire.MarkInfected
			}
		}
	}
	for n := 1; n < len(marks); n++ {
		if marks[n]&wire.MarkEvaluated != 0 {
			s.Reached = append(s.Reached, n)
		}
		if marks[n]&wire.MarkInfected != 0 {
			s.Infected = append(s.Infected, n)
		}
	}
	return s
}

// event adds one event of a worker to the results.
func (j *job) event(e *wire.Event) {
	switch e.Event {
	case wire.EventEntry:
		j.entries = append(j.entries, e)
	case wire.EventKill, wire.EventExpose:
		j.claim(e.Mutant, []byte(e.Entry.Data))
	case wire.EventCrash:
		j.claims = append(j.claims, &claim{target: j.target, undone: e.Mutant, entry: corpus.NewEntry([]byte(e.Entry.Data))})
	case wire.EventDrift:
		if e.Mutant > 0 && e.Entry != nil {
			j.claim(e.Mutant, []byte(e.Entry.Data))
		}
	case wire.EventStrike:
		if !slices.Contains(j.job.Struck, e.Site) {
			j.job.Struck = append(j.job.Struck, e.Site)
		}
	case wire.EventInvalid:
		j.invalid = append(j.invalid, e)
	case wire.EventError:
		j.err = fmt.Errorf("%s", e.Message)
	}
}

// noteDeath notes what a worker died of, and reports whether another may go on. If a
// mutant was running, this job does not run it again.
func (j *job) noteDeath(exit worker.Exit) bool {
	c := exit.Culprit
	if c == nil || !c.InRun {
		return exit.Cause == worker.Lost || exit.Cause == worker.Exited && exit.Code == 0
	}
	values, err := wire.DecodeStateInput(c.Input)
	if err != nil || len(values) == 0 {
		return false
	}
	entry := corpus.NewEntry([]byte(wire.EncodeEntry(values)))
	j.deaths++
	if c.Mutant <= 0 {
		j.job.Deadly = append(j.job.Deadly, entry.ID)
		if j.target.Driver {
			return true // callers need not be able to pass that
		}
		j.claim(0, entry.Data)
		return j.deaths < maxDeaths
	}
	j.claim(c.Mutant, entry.Data)
	j.avoid(c.Mutant)
	return true
}

// avoid keeps a mutant from being run by this job again.
func (j *job) avoid(mutant int) {
	j.job.Live = slices.DeleteFunc(j.job.Live, func(m wire.JobMutant) bool { return m.ID == mutant })
}

// spend subtracts what a worker has used from the job's budget, and adds its entries to
// the corpus of the next worker.
func (j *job) spend(s *wire.Stats) {
	less := func(budget *int64, used int64) {
		if *budget >= 0 {
			*budget = max(0, *budget-used)
		}
	}
	// Replay takes its time from what comes after it, as in the worker.
	first, second := int64((s.Seconds[0]+s.Seconds[1])*1e9), int64(s.Seconds[2]*1e9)
	if j.job.MutantTime >= 0 {
		second += max(0, first-j.job.MutantTime)
	}
	less(&j.job.ReplayTime, int64(s.Seconds[0]*1e9))
	less(&j.job.MutantTime, first)
	less(&j.job.ProgramTime, second)
	if s.Stage == "program" {
		less(&j.job.ProgramExecs, s.Execs-j.job.MutantExecs)
		j.job.MutantExecs = min(j.job.MutantExecs, 0)
	} else {
		less(&j.job.MutantExecs, s.Execs)
	}
	for _, e := range j.entries {
		if !slices.ContainsFunc(j.job.Corpus, func(x wire.JobEntry) bool { return x.ID == e.Entry.ID }) {
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
	f.leaveOut(t, j.invalid)
	f.strike(t, j.job.Struck)
	for _, id := range j.job.Deadly {
		t.deadly[id] = true
	}
	for _, e := range j.entries {
		for _, reason := range []string{results.EntryCovers, reasonCounts} {
			if slices.Contains(e.Reasons, reason) {
				t.add(corpus.NewEntry([]byte(e.Entry.Data)), reason, 0)
			}
		}
	}
}

// leaveOut removes entries from t's corpus that are no inputs of it, for instance because
// its arguments have changed since, and warns of them once.
func (f *Fuzzer) leaveOut(t *Target, invalid []*wire.Event) {
	before := len(t.unfit)
	i := slices.IndexFunc(invalid, func(e *wire.Event) bool { return !t.unfit[e.Entry.ID] })
	if i < 0 {
		return
	}
	first := invalid[i]
	for _, e := range invalid {
		t.unfit[e.Entry.ID] = true
	}
	t.corpus = slices.DeleteFunc(t.corpus, func(e corpus.Entry) bool { return t.unfit[e.ID] })
	f.Warn("%s cannot run %d corpus entries, which are left out; the first, %s: %s", t.Name, len(t.unfit)-before, first.Entry.ID, first.Message)
}
