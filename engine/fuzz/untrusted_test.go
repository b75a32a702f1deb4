package fuzz

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/build"
	"github.com/mutantfuzz/mutantfuzz/engine/corpus"
	"github.com/mutantfuzz/mutantfuzz/engine/evidence"
	"github.com/mutantfuzz/mutantfuzz/engine/journal"
	"github.com/mutantfuzz/mutantfuzz/engine/judge"
	"github.com/mutantfuzz/mutantfuzz/engine/ledger"
	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
	"github.com/mutantfuzz/mutantfuzz/engine/pool"
	"github.com/mutantfuzz/mutantfuzz/engine/program"
	"github.com/mutantfuzz/mutantfuzz/engine/replay"
	"github.com/mutantfuzz/mutantfuzz/engine/stack"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
	"github.com/mutantfuzz/mutantfuzz/engine/witness"
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// newTestFuzzer returns a fuzzer without workers, and its only target.
func newTestFuzzer() (*Fuzzer, *Target) {
	woven := &weave.Woven{
		Layout: wire.Layout{Blocks: 6, Funcs: 2, Mutants: 3},
		Funcs:  []weave.FuncBlocks{{ID: "p.F", First: 0, End: 3}, {ID: "p.G", First: 3, End: 6}},
		Sites:  []weave.Site{{Target: "FuzzX", File: "f_test.go", Callee: "F", Args: []weave.SiteArg{{}}, Results: 1, Package: "p", PackageName: "p"}},
	}
	for n := 1; n <= 3; n++ {
		woven.Mutants = append(woven.Mutants, weave.Mutant{Mutant: &mutate.Mutant{ID: fmt.Sprint(n), Function: "p.F"}, Block: n})
	}
	b := &build.Binaries{Woven: woven, Config: build.Config{Program: &program.Program{Tree: "/tree"}, Journal: journal.New(nil)}}
	r := &pool.Runner{Pool: &pool.Pool{Config: pool.Config{Workers: 1, Tree: "/tree"}}, Binaries: b}
	f := New(r, Config{
		Mutants: evidence.New(woven, nil, []results.Function{{ID: "p.F", Package: "p"}}, nil), Stats: &results.Stats{}, Seconds: &results.Seconds{},
	})
	t := newTarget(&weave.Target{Name: "p.FuzzX", Func: "FuzzX", Package: "p", Dir: "/tree", Types: []string{"int"}}, "p.test", 0)
	f.Targets = []*Target{t}
	return f, t
}

// childJobs returns a job of each kind that a child may be given.
func childJobs(u *Fuzzer, t *Target) []*wire.Job {
	given := corpus.NewEntry([]byte(wire.EncodeEntry([]any{1})))
	t.corpus, t.known[given.ID] = []corpus.Entry{given}, true
	fuzz := u.newJob(t, 1).job
	return []*wire.Job{
		&fuzz,
		{Kind: wire.JobRun, Target: t.Func, Repeat: replay.Times, Corpus: fuzz.Corpus},
		u.simplifyJob(&claim{target: t, mutant: 1, entry: given}),
	}
}

// receiveAll passes a stream of events to all code that receives events of a fuzzer's children.
func receiveAll(stream []byte) {
	for i := range 3 {
		u, t := newTestFuzzer()
		job := childJobs(u, t)[i]
		var events []*wire.Event
		_ = worker.ReadEvents(bytes.NewReader(stream), u.Bounds(t.Types), job, 0, func(e *wire.Event) { events = append(events, e) })
		switch job.Kind {
		case wire.JobFuzz:
			u.receiveFuzzing(t, job, events)
		case wire.JobRun:
			u.receiveRuns(t, events)
		case wire.JobSimplify:
			u.receiveSimpler(t, events)
		}
		out := &results.Results{Schema: results.Schema, Mutants: u.Mutants.Results(), Harnesses: u.Harnesses(), Crashes: u.Crashes}
		out.Corpus.New, _ = u.Entries()
		out.Stats, out.Seconds = *u.Stats, *u.Seconds
		if _, err := results.Encode(out); err != nil {
			panic(err)
		}
	}
}

func (u *Fuzzer) receiveFuzzing(t *Target, given *wire.Job, events []*wire.Event) {
	j := &job{target: t, job: *given}
	for _, e := range events {
		j.event(e)
		if e.Stats != nil {
			u.account(j, e.Stats)
			j.spend(e.Stats)
		}
	}
	for _, e := range events {
		if e.Event != wire.EventCrash && e.Event != wire.EventKill && e.Event != wire.EventExpose {
			continue
		}
		c := &claim{target: t, mutant: e.Mutant, entry: corpus.NewEntry([]byte(e.Entry.Data)), verdict: &verdict{}}
		u.record(c)
		if c.mutant == 0 {
			c.verdict.crash = &results.Crash{Harness: t.Name, Entry: c.entry.ID, Message: e.Message, Stack: stack.Clean(e.Stack, "/tree")}
			u.record(c)
		} else if e.Event == wire.EventKill {
			c.verdict.killed = &results.KilledBy{By: results.ByTarget, Name: t.Name, Entry: c.entry.ID}
			u.record(c)
		}
	}
	for _, flags := range []uint32{0, wire.FlagHang} {
		j.noteDeath(worker.Exit{Code: 2, Flags: flags, Culprit: &worker.Culprit{InRun: true, Mutant: 1, Input: []byte("no input")}})
	}
	u.take(j)
	u.ReachedBy(t)
}

func (u *Fuzzer) receiveRuns(t *Target, events []*wire.Event) {
	var r replay.Runs
	for _, e := range events {
		if e.Event == wire.EventRun {
			r.Runs = append(r.Runs, e.Run)
		}
	}
	u.differs(t, &replay.Runs{Runs: r.Runs}, &replay.Runs{Runs: r.Runs})
	u.differs(t, &replay.Runs{Runs: r.Runs}, &replay.Runs{})
	c := &claim{target: t, mutant: 1, entry: t.corpus[0]}
	struck := r.UnsteadySites()
	if r.Bad() {
		c.verdict = &verdict{crash: r.Crash(c.target.Name, c.entry.ID, "/tree")}
		u.addCrash(c)
	}
	if !r.Steady() {
		return
	}
	for _, other := range []*replay.Runs{&r, {Runs: []*wire.Run{{}}}, {Runs: slices.Repeat(r.Runs[:1], 2)}} {
		for _, pair := range [][2]*replay.Runs{{&r, other}, {other, &r}} {
			if o := u.Compare(t, pair[0], pair[1], struck); o != nil {
				c.verdict = &verdict{site: o, exposed: u.Exposure(t, c.entry, o), struck: struck}
				u.record(c)
			}
		}
	}
}

func (u *Fuzzer) receiveSimpler(t *Target, events []*wire.Event) {
	m := u.Mutants.ByNumber(1)
	m.Exposed = &results.ExposedBy{Harness: t.Name, Entry: t.corpus[0].ID}
	for _, e := range events {
		if e.Event == wire.EventEntry {
			entry := corpus.NewEntry([]byte(e.Entry.Data))
			u.simplified(&claim{target: t, mutant: 1, entry: entry, verdict: &verdict{
				exposed: &results.ExposedBy{Harness: t.Name, Entry: entry.ID}, site: &witness.Difference{Site: -1},
			}})
		}
	}
}

func TestAnEntryThatIsEasierToReadTakesThePlaceOfTheOther(t *testing.T) {
	u, target := newTestFuzzer()
	m := u.Mutants.ByNumber(1)
	long, short := corpus.NewEntry([]byte(wire.EncodeEntry([]any{12345}))), corpus.NewEntry([]byte(wire.EncodeEntry([]any{0})))
	m.Tests = &judge.Decision{Decision: ledger.Decision{Status: ledger.Survived}}
	exposed := func(e corpus.Entry, errors string) *results.ExposedBy {
		return &results.ExposedBy{Harness: target.Name, Entry: e.ID, Errors: errors, Original: "1", Mutant: "2"}
	}
	at := &witness.Difference{Site: 0}
	u.record(&claim{target: target, mutant: 1, entry: long, verdict: &verdict{exposed: exposed(long, ""), site: at}})
	for _, v := range []*verdict{
		{}, {exposed: exposed(short, results.ErrorInMutant), site: at}, {exposed: exposed(short, ""), site: &witness.Difference{Site: 1}},
	} {
		if u.simplified(&claim{target: target, mutant: 1, entry: short, verdict: v}) {
			t.Errorf("an exposure of another kind took its place: %+v", v)
		}
	}
	if !u.simplified(&claim{target: target, mutant: 1, entry: short, verdict: &verdict{exposed: exposed(short, ""), site: at}}) {
		t.Error("an exposure of the same kind did not")
	}
	found, all := u.Entries()
	if len(found) != 1 || found[0].ID != short.ID || !slices.Equal(found[0].Mutants, []string{m.ID}) || len(all[target.Name]) != 1 {
		t.Errorf("new %+v, in the output %+v", found, all)
	}
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
		receiveAll([]byte(line + "\n"))
		// The code that receives trials uses the functions that a ready event lists.
		receiveAll([]byte(`{"event":"ready","funcs":[-1,99]}` + "\n" + line + "\n"))
		receiveAll([]byte(`{"event":"ready","funcs":[-1]}` + "\n" + `{"event":"trial","mutant":1,"outcome":"failure","message":"TestX"}` + "\n"))
	}
}

// TestNoSequenceOfEventsEndsTheCoordinator sends possible and impossible events in any order.
func TestNoSequenceOfEventsEndsTheCoordinator(t *testing.T) {
	for seed := range uint64(3000) {
		forger := forger{rand.New(rand.NewPCG(seed, 1))}
		var stream []byte
		for range 1 + forger.IntN(20) {
			line, err := json.Marshal(forger.event())
			if err != nil {
				t.Fatal(err)
			}
			stream = append(append(stream, line...), '\n')
		}
		receiveAll(stream)
	}
}

// forger makes up events. Most of them are valid, because a stream is only read up to its first invalid event.
type forger struct{ *rand.Rand }

func (l forger) number(high int) int {
	if l.IntN(20) == 0 {
		return []int{-1, -2, high, high + 1, 1 << 40, -1 << 62}[l.IntN(6)]
	}
	return l.IntN(high)
}

func (l forger) numbers(high int) []int {
	list := make([]int, l.IntN(4))
	for i := range list {
		list[i] = l.number(high)
	}
	return list
}

func oneOf[T any](l forger, list ...T) T { return list[l.IntN(len(list))] }

func (l forger) entry() *wire.JobEntry {
	data := oneOf(l, wire.EncodeEntry([]any{l.IntN(3)}), wire.EncodeEntry([]any{1}), wire.EncodeEntry([]any{2}), wire.EncodeEntry([]any{"x"}), "junk", "")
	return oneOf(l, &wire.JobEntry{ID: wire.EntryID(data), Data: data}, &wire.JobEntry{ID: wire.EntryID(data), Data: data}, &wire.JobEntry{Data: data}, nil)
}

func (l forger) observations() []wire.Observation {
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

func (l forger) event() wire.Event {
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

// FuzzEvents passes any bytes to all code that receives events.
func FuzzEvents(f *testing.F) {
	for seed := range uint64(50) {
		forger := forger{rand.New(rand.NewPCG(seed, 2))}
		var stream []byte
		for range 8 {
			line, _ := json.Marshal(forger.event())
			stream = append(append(stream, line...), '\n')
		}
		f.Add(stream)
	}
	f.Fuzz(func(_ *testing.T, stream []byte) { receiveAll(stream) })
}

func TestTargetsThatReportInvalidDataAreGivenUpWithOneWarning(t *testing.T) {
	u, target := newTestFuzzer()
	for range maxInvalid {
		if u.givenUp(target) {
			t.Fatal("it is given up too early")
		}
		u.noteInvalid(target, fmt.Errorf("mutant 99"))
	}
	if !u.givenUp(target) || len(u.reaching(0)) > 0 {
		t.Error("it is still fuzzed")
	}
	if w := u.Warnings(); len(w) != 1 || !strings.Contains(w[0], target.Name) {
		t.Errorf("warnings: %q", w)
	}
}
