package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mutantfuzz/mutantfuzz/diffscope"
	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/engine/judge"
	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// lied is a unit with a target that workers can say anything of.
func lied() (*unit, *target) {
	r := &run{cfg: Config{Now: time.Now}, scope: &diffscope.Scope{Tree: "/tree"}, entries: map[string][]corpus.Entry{}, progress: silent{}}
	u := &unit{run: r, byID: map[string]*mutant{}, sites: map[int]*observed{}, sources: map[string][]byte{}, seconds: map[string]time.Duration{}}
	u.woven = &weave.Woven{
		Layout: wire.Layout{Blocks: 6, Funcs: 2, Mutants: 3},
		Funcs:  []weave.FuncBlocks{{ID: "p.F", First: 0, End: 3}, {ID: "p.G", First: 3, End: 6}},
		Sites:  []weave.Site{{Target: "FuzzX", File: "f_test.go", Callee: "F", Args: []weave.SiteArg{{}}, Results: 1, Package: "p", PackageName: "p"}},
	}
	for n := 1; n <= 3; n++ {
		m := &mutant{
			Mutant: &weave.Mutant{Mutant: &mutate.Mutant{ID: fmt.Sprint(n), Function: "p.F"}, Block: n},
			number: n, status: results.Pending,
		}
		u.mutants = append(u.mutants, m)
		u.byID[m.ID] = m
	}
	t := &target{
		Target: &weave.Target{Name: "p.FuzzX", Func: "FuzzX", Package: "p", Dir: "/tree", Types: []string{"int"}},
		known:  map[string]bool{}, struck: map[int]bool{}, blocks: map[int]bool{}, found: map[string]*finding{}, rejected: map[string]bool{}, unfit: map[string]bool{},
	}
	u.targets = []*target{t}
	return u, t
}

// liesJobs are the jobs that a child may have.
func liesJobs(u *unit, t *target) []*wire.Job {
	given := corpus.NewEntry([]byte(wire.EncodeEntry([]any{1})))
	t.corpus, t.known[given.ID] = []corpus.Entry{given}, true
	fuzz := u.newJob(t, 1).job
	return []*wire.Job{
		&fuzz,
		{Kind: wire.JobRun, Target: t.Func, Repeat: confirmRuns, Corpus: fuzz.Corpus},
		{Kind: wire.JobTrials, Tests: []wire.TrialTest{{Name: "TestX"}}, Trials: []wire.Trial{{Mutant: 1}, {Mutant: 2}, {Mutant: 3}}},
	}
}

// hearAll has everything that listens to children listen to a stream.
func hearAll(stream []byte) {
	for i := range 3 {
		u, t := lied()
		job := liesJobs(u, t)[i]
		var events []*wire.Event
		_ = worker.ReadEvents(bytes.NewReader(stream), u.bounds(t.Types), job, 0, func(e *wire.Event) { events = append(events, e) })
		switch job.Kind {
		case wire.JobFuzz:
			u.hearFuzzing(t, job, events)
		case wire.JobRun:
			u.hearRuns(t, job, events)
		case wire.JobTrials:
			hearTrialsOf(u, events)
		}
		u.decide()
		u.run.collect(u)
		if _, err := results.Encode(u.run.output().Results); err != nil {
			panic(err)
		}
	}
}

func (u *unit) hearFuzzing(t *target, job *wire.Job, events []*wire.Event) {
	j := &fuzzJob{target: t, job: *job}
	for _, e := range events {
		j.event(e)
		u.account(j, e.Stats)
		j.spend(e.Stats)
	}
	for _, e := range slices.Concat(j.crashes, j.verdicts) {
		c := claim{t, e.Mutant, corpus.NewEntry([]byte(e.Entry.Data))}
		u.record(c, &verdict{rejected: true})
		if c.mutant == 0 {
			u.record(c, &verdict{crash: &results.Crash{Harness: t.Name, Entry: c.entry.ID, Message: e.Message, Stack: u.cleanStack(e.Stack)}})
		} else if e.Event == wire.EventKill {
			u.record(c, &verdict{killed: &results.KilledBy{By: results.ByTarget, Name: t.Name, Entry: c.entry.ID}})
		}
	}
	for _, flags := range []uint32{0, wire.FlagHang} {
		j.bury(worker.Exit{Code: 2, Flags: flags, Culprit: &worker.Culprit{InRun: true, Mutant: 1, Input: []byte("no input")}})
	}
	u.take(j, "")
	u.reachedBy(t)
}

func (u *unit) hearRuns(t *target, job *wire.Job, events []*wire.Event) {
	var r entryRuns
	runs := map[string]*wire.Run{}
	for _, e := range events {
		if e.Event == wire.EventRun {
			r.runs = append(r.runs, e.Run)
			runs[e.Run.Entry] = e.Run
		}
	}
	u.differs(t, job, runs, runs, true)
	u.differs(t, job, runs, nil, true)
	c := claim{t, 1, t.corpus[0]}
	struck := r.unsteadySites()
	if r.bad() {
		r.kind()
		u.addCrash(c, r.crash(c))
	}
	if !r.steady() {
		return
	}
	for _, other := range []*entryRuns{&r, {runs: []*wire.Run{{}}}, {runs: slices.Repeat(r.runs[:1], 2)}} {
		for _, pair := range [][2]*entryRuns{{&r, other}, {other, &r}} {
			if o := u.compare(t, pair[0], pair[1], struck); o != nil {
				u.record(c, &verdict{site: o, exposed: u.exposure(c, o), struck: struck})
				if o.original != nil {
					assertions(o, u.mutants[0].exposedBy.Call, "p")
				}
			}
		}
	}
}

func hearTrialsOf(u *unit, events []*wire.Event) {
	var trials []judge.Trial
	for _, m := range u.mutants {
		trials = append(trials, judge.Trial{Mutant: m.number, Tests: []string{"TestX"}})
	}
	u.hearTrials(events, trials, func(judge.Verdict) {})
}

func TestNoEventEndsTheCoordinator(t *testing.T) {
	for _, line := range []string{
		`{"event":"kill"}`, `{"event":"kill","mutant":1}`, `{"event":"kill","mutant":-7,"entry":{}}`, `{"event":"expose","mutant":99}`,
		`{"event":"crash","mutant":-5}`, `{"event":"entry"}`, `{"event":"entry","entry":{"id":"x","data":"junk"},"reasons":["covers"]}`,
		`{"event":"run"}`, `{"event":"run","run":null}`, `{"event":"stats","stats":{"by_mutant":{"0":1}}}`,
		`{"event":"stats","stats":{"stage":"replay","by_mutant":{"99":1},"blocks":[-1]}}`, `{"event":"stats","stats":{"reached":[99]}}`,
		`{"event":"stats","stats":{"stage":"program","infected":[0],"seconds":[1e308,1e308,1e308]}}`, `{"event":"stats"}`,
		`{"event":"trial"}`, `{"event":"trial","mutant":1,"outcome":"failure","message":"TestX","funcs":[99]}`,
		`{"event":"strike","site":-99}`, `null`, `[]`, `{}`, `7`, `"ready"`,
	} {
		hearAll([]byte(line + "\n"))
		// Trials look at what initialisation is said to have entered.
		hearAll([]byte(`{"event":"ready","funcs":[-1,99]}` + "\n" + line + "\n"))
		hearAll([]byte(`{"event":"ready","funcs":[-1]}` + "\n" + `{"event":"trial","mutant":1,"outcome":"failure","message":"TestX"}` + "\n"))
	}
}

// TestNoSequenceOfEventsEndsTheCoordinator says whatever can be said, true and
// untrue, in any order.
func TestNoSequenceOfEventsEndsTheCoordinator(t *testing.T) {
	for seed := range uint64(3000) {
		liar := liar{rand.New(rand.NewPCG(seed, 1))}
		var stream []byte
		for range 1 + liar.IntN(20) {
			line, err := json.Marshal(liar.event())
			if err != nil {
				t.Fatal(err)
			}
			stream = append(append(stream, line...), '\n')
		}
		hearAll(stream)
	}
}

// liar makes events up. Most of what it says could be true: else nothing would
// get far.
type liar struct{ *rand.Rand }

func (l liar) number(high int) int {
	if l.IntN(20) == 0 {
		return []int{-1, -2, high, high + 1, 1 << 40, -1 << 62}[l.IntN(6)]
	}
	return l.IntN(high)
}

func (l liar) numbers(high int) []int {
	list := make([]int, l.IntN(4))
	for i := range list {
		list[i] = l.number(high)
	}
	return list
}

func oneOf[T any](l liar, list ...T) T { return list[l.IntN(len(list))] }

func (l liar) entry() *wire.JobEntry {
	data := oneOf(l, wire.EncodeEntry([]any{l.IntN(3)}), wire.EncodeEntry([]any{1}), wire.EncodeEntry([]any{2}), wire.EncodeEntry([]any{"x"}), "junk", "")
	return oneOf(l, &wire.JobEntry{ID: wire.EntryID(data), Data: data}, &wire.JobEntry{ID: wire.EntryID(data), Data: data}, &wire.JobEntry{Data: data}, nil)
}

func (l liar) observations() []wire.Observation {
	list := make([]wire.Observation, l.IntN(4))
	for i := range list {
		list[i] = wire.Observation{
			Site: oneOf(l, 0, 0, -1, l.number(1)), Hash: uint64(l.IntN(3)), Text: oneOf(l, "", "1", "\x00"),
			Args: oneOf(l, nil, []string{"1"}, []string{"(", ""}), Values: oneOf(l, nil, []string{"1"}, []string{"", "p.p.p", "{"}),
			After: oneOf(l, nil, []string{"a", "b"}), Errors: oneOf(l, nil, []string{"e"}),
		}
	}
	return list
}

func (l liar) event() wire.Event {
	e := wire.Event{
		Event: oneOf(l, wire.EventReady, wire.EventEntry, wire.EventKill, wire.EventExpose, wire.EventCrash, wire.EventStrike,
			wire.EventStats, wire.EventRun, wire.EventRun, wire.EventTrial, wire.EventDrift, wire.EventDone, wire.EventInvalid, wire.EventError),
		Outcome: oneOf(l, wire.OutcomeOK, wire.OutcomeFailure, wire.OutcomePanic, wire.OutcomeHang, wire.OutcomeRandom, wire.OutcomeDrift, ""),
		Message: oneOf(l, "TestX", "TestX/sub", "Other", ""), Stack: oneOf(l, "", "f()\n\t/tree/f.go:1\n", "\n\t"),
		Site: l.number(1), Reasons: oneOf(l, nil, []string{"covers"}, []string{"counts", "kills"}, []string{"?"}),
	}
	switch e.Event {
	case wire.EventReady, wire.EventTrial:
		e.Mutant, e.Funcs = oneOf(l, 1, 2, 3, l.number(4)), l.numbers(2)
	case wire.EventCrash:
		e.Mutant, e.Entry = oneOf(l, 0, 0, 0, l.number(4)), l.entry()
	case wire.EventStats:
		e.Stats = &wire.Stats{
			Stage: oneOf(l, "replay", "mutants", "program", "program", ""), Execs: int64(l.number(100)), Blocks: l.numbers(6),
			Reached: l.numbers(4), Infected: l.numbers(4), ByMutant: map[int]int64{l.number(4): int64(l.number(9))},
			Seconds: [3]float64{float64(l.number(9)), 1, 1},
		}
	case wire.EventRun:
		e.Run = &wire.Run{
			Entry: oneOf(l, wire.EntryID(wire.EncodeEntry([]any{1})), "?"), Mutant: oneOf(l, 0, 0, 0, l.number(4)), Repeat: l.number(2),
			Outcome: e.Outcome, Observations: l.observations(), Blocks: l.numbers(6), Infected: l.numbers(4), Steps: int64(l.number(99)),
		}
	default:
		e.Mutant, e.Mutants, e.Entry = l.number(4), l.numbers(4), l.entry()
	}
	return e
}

// FuzzEvents has everything that listens to children listen to any bytes.
func FuzzEvents(f *testing.F) {
	for seed := range uint64(50) {
		liar := liar{rand.New(rand.NewPCG(seed, 2))}
		var stream []byte
		for range 8 {
			line, _ := json.Marshal(liar.event())
			stream = append(append(stream, line...), '\n')
		}
		f.Add(stream)
	}
	f.Fuzz(func(_ *testing.T, stream []byte) { hearAll(stream) })
}

func TestALiarIsGivenUpOnceAndNamed(t *testing.T) {
	u, target := lied()
	for range maxLies {
		if u.distrusted(target) {
			t.Fatal("it is given up for good at the first lies")
		}
		u.distrust(target, fmt.Errorf("mutant 99"))
	}
	if !u.distrusted(target) || len(u.reaching()) > 0 {
		t.Error("it is fuzzed on")
	}
	if w := u.res.Warnings; len(w) != 1 || !strings.Contains(w[0], target.Name) {
		t.Errorf("warnings: %q", w)
	}
}

func TestTrialsThatLieAreGivenUp(t *testing.T) {
	u, _ := lied()
	u.registered = map[string][]string{"p": {"TestX"}}
	executor{u}.distrustTrials("p", fmt.Errorf("mutant 99"))
	if left := (executor{u}).Registered(&judge.Suite{Package: "p"}); len(left) > 0 || len(u.res.Warnings) != 1 {
		t.Errorf("tried on: %q, warnings %q", left, u.res.Warnings)
	}
}

func TestARunWhoseChildLiesIsRepeatedAndTheLieStands(t *testing.T) {
	n := 0
	exit, err := insist(func() (worker.Exit, error) {
		n++
		return worker.Exit{Cause: worker.Lied, Lie: fmt.Errorf("mutant 99")}, nil
	})
	if n != maxLost || exit.Cause != worker.Lied || err != nil {
		t.Errorf("%d runs, %v, %v", n, exit.Cause, err)
	}
	n = 0
	exit, _ = insist(func() (worker.Exit, error) {
		if n++; n == 1 {
			return worker.Exit{Cause: worker.Lied, Lie: fmt.Errorf("mutant 99")}, nil
		}
		return worker.Exit{}, nil
	})
	if n != 2 || exit.Cause != worker.Exited || exit.Lie != nil {
		t.Errorf("%d runs, %v (%v)", n, exit.Cause, exit.Lie)
	}
}
