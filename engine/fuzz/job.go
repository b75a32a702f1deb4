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
	entries []*wire.Event // events of kind EventEntry
	claims  []*claim
	deaths  int           // workers that died while they ran the program without a mutant
	invalid []*wire.Event // events of kind EventInvalid
	seconds [3]float64    // spent in replay, mutants, program
	until   time.Time     // after this no worker takes over from one that died; zero: only the budget bounds the job
	err     error
}

// patience is how many runs of a driver without anything new end a stage of a job. A driver is for one function: what
// its inputs do not find soon they will hardly find.
const patience = 100_000

// maxDeaths bounds how many workers may die from the program itself in one job for a user's fuzz target. The next job
// leaves out the entries on which it died.
const maxDeaths = 5

// newJob returns a job for t without a budget for fuzzing. stream makes its random seed differ from those of other
// jobs.
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
		if fn.Distance >= 0 { // it is in scope, or leads to a function in scope
			j.job.Focus = append(j.job.Focus, wire.Focus{First: fn.First, End: fn.End, Distance: fn.Distance})
		}
	}
	return j
}

// jobEntries converts entries to the form that a job has.
func jobEntries(entries []corpus.Entry) (list []wire.JobEntry) {
	for _, e := range entries {
		list = append(list, wire.JobEntry{ID: e.ID, Data: string(e.Data)})
	}
	return list
}

// liveFor returns the mutants for t to run, in rank order: those that no input has killed or exposed yet, those for
// which t may find a better exposure, and those of noticed.
func (f *Fuzzer) liveFor(t *Target) []wire.JobMutant {
	var open []*evidence.Mutant
	var items []rank.Item
	for _, m := range f.Mutants {
		// A driver shows what tests miss, and many of these mutants would end its process.
		if t.Driver && m.Unjudged() && !m.Changed() {
			continue
		}
		if t.made.Inner && !t.drives(m.Function) && f.drivenByCallers(m.Function) {
			// Callers cannot do to it what t does, and another driver tries what they can do.
			continue
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

// noticed returns mutants that tests kill but that t runs all the same. Each undoes all of the change to a function. t
// looks for an input that shows a result that the change alters.
func (f *Fuzzer) noticed(t *Target) (list []*evidence.Mutant) {
	for _, m := range f.Mutants.UndoingAll() {
		if m.Noticed() && (m.Exposed == nil || onlyEnds(m)) && !m.Late && !t.notices[m.Number] && len(list) < maxUndone && !t.made.Inner && (!t.Driver || t.drives(m.Function)) {
			list = append(list, m)
		}
	}
	return list
}

// sitesOf returns the sites at which targets call a function and get a result other than an error that other packages
// see into. At other sites old and new code agree in any case.
func (f *Fuzzer) sitesOf(function string) (sites []int) {
	for i := range f.Woven.Sites {
		if s := &f.Woven.Sites[i]; s.Target != "" && s.Function == function && s.Results > 0 && !s.Opaque {
			sites = append(sites, i)
		}
	}
	return sites
}

// jobMutant converts m to the form that a job has.
func jobMutant(m *evidence.Mutant) wire.JobMutant {
	return wire.JobMutant{ID: m.Number, Block: m.Block, Probed: m.Probed, Change: m.Hunk != nil, OldFirst: m.Old.First, OldEnd: m.Old.End, Ended: onlyEnds(m)}
}

// onlyEnds reports whether m undoes part of the change and the only input known for it makes it panic. Whoever made the
// change most likely knows that; what else the mutant does says more.
func onlyEnds(m *evidence.Mutant) bool {
	return m.Hunk != nil && m.Exposed != nil && m.Exposed.Ends == results.CrashPanic
}

// maxUndone bounds the mutants of noticed, and those with which a driver finds out whether the change brought a
// failure.
const maxUndone = 16

// undone returns the mutants with which the driver t finds out whether the change brought a failure. It returns nil for
// other targets.
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

// insideOnly reports whether t is a driver that calls what other packages can call, and m is so far only exposed by a
// call that they cannot make: one within a test, or one by a driver of an inner function. Whether callers can see m
// says what it is worth.
func insideOnly(t *Target, m *evidence.Mutant) bool {
	if !t.Driver || t.made.Inner || !m.Live() || m.Exposed == nil {
		return false
	}
	name := m.Function[strings.LastIndexByte(m.Function, '.')+1:]
	return m.Exposed.InTest && !token.IsExported(name) || m.Exposed.Driver && m.Exposed.Inner && t.drives(m.Function)
}

// unwritten reports whether the input that exposes m comes from another driver and has no form as a call, and t is a
// driver of an inner function: with less around the call, t may find one that can be written.
func (f *Fuzzer) unwritten(t *Target, m *evidence.Mutant) bool {
	return t.made.Inner && m.Live() && m.Exposed != nil && m.Exposed.Driver && m.Exposed.Call == "" && m.Exposed.Harness != t.Name
}

// replayPart is the part of a round, or of all time for fuzzing, that replaying seeds and corpus may take.
const replayPart = 0.3

// surveyUntil bounds the time of a job that only replays seeds and corpus, one of several that a worker runs one after
// the other. After that time no new worker takes over from one that died, either.
func (j *job) surveyUntil(until time.Time, waves int) {
	left := max(0, replayPart*float64(time.Until(until))/float64(waves))
	j.job.ReplayTime, j.until = int64(left), time.Now().Add(time.Duration(left))
}

// budget gives j its budget: the i-th of n parts of the executions, or some wall-clock time, or both.
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

// runJobs runs jobs in parallel, takes their results in order, confirms their claims and saves the corpus.
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

// runJob runs j to its end, with up to maxRestarts workers one after the other.
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
			// In a process whose state has changed, deterministic sites may differ. So the next worker starts without
			// the sites that this one struck.
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

// late reports whether the job's time is over. It is needed because a worker that dies does not say how long it took.
func (j *job) late(now time.Time) bool { return !j.until.IsZero() && !now.Before(j.until) }

// workerEnd is how one worker of a job ended.
type workerEnd struct {
	exit   worker.Exit
	last   *wire.Stats // the last counts it sent; nil: it sent none
	drift  *wire.Event // its first drift event; nil: it did not drift
	struck int         // number of sites that were struck before it ran
	done   bool        // it reached the end of the job
}

// runWorker runs one worker of j and collects its events.
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

// addRuns adds a worker's counts to the mutants.
func (f *Fuzzer) addRuns(j *job, s *wire.Stats) {
	random := j.target.Driver && slices.Contains(j.job.Struck, f.DrivenSite(j.target))
	for n, k := range s.ByMutant {
		m := f.Mutants[n-1]
		m.Execs += k
		switch {
		case !j.target.Driver:
		case random:
			m.Uncompared += k
		default:
			m.Driven += k
			if !j.target.made.Inner {
				m.ByCallers += k
			}
		}
	}
	for n, k := range s.Agreed {
		f.Mutants[n-1].Agreed += k
	}
	for n, k := range s.Spared {
		f.Mutants[n-1].Spared += k
	}
}

// account adds a worker's counts, and what it covered, to the totals, the mutants and the target. What drivers reach
// does not count as reached by tests.
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
	f.addRuns(j, s)
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
		return
	}
	for _, n := range s.Reached {
		f.Mutants[n-1].Reached = true
	}
	for _, n := range s.Infected {
		f.Mutants[n-1].Reached, f.Mutants[n-1].Infected = true, true
	}
}

// left returns what a worker had covered that died without sending its last counts, as the state file has it. That
// includes the last run if it was one of the program.
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

// event adds one event of a worker to the job's results.
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

// noteDeath claims that what was running when a worker died is to blame, and reports whether another worker may go on.
// The job leaves out that mutant or, if it was the program, that entry.
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
	if c.Mutant <= 0 {
		j.job.Deadly = append(j.job.Deadly, entry.ID)
		if j.target.Driver {
			return true // callers need not be able to pass that
		}
		j.claim(0, entry.Data)
		j.deaths++
		return j.deaths < maxDeaths
	}
	j.claim(c.Mutant, entry.Data)
	j.avoid(c.Mutant)
	return true
}

// avoid removes a mutant from those that the job still runs.
func (j *job) avoid(mutant int) {
	j.job.Live = slices.DeleteFunc(j.job.Live, func(m wire.JobMutant) bool { return m.ID == mutant })
}

// spend subtracts what a worker has used from the job's budget, and adds the worker's entries to the corpus of the next
// worker.
func (j *job) spend(s *wire.Stats) {
	less := func(budget *int64, used int64) {
		if *budget >= 0 {
			*budget = max(0, *budget-used)
		}
	}
	// Replay takes its time from the stages after it, as it does in the worker.
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

// leaveOut removes the entries from the corpus of t that do not fit it, for instance because its arguments have
// changed. It warns about new ones.
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
	f.Warn("%s: %d corpus entries do not fit its arguments and are left out; the first is %s: %s", t.Name, len(t.unfit)-before, first.Entry.ID, first.Message)
}
