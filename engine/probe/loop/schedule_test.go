package loop

import (
	"math"
	"reflect"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/probe/input"
	"github.com/mutantfuzz/mutantfuzz/engine/probe/observation"
	"github.com/mutantfuzz/mutantfuzz/engine/probe/state"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// roundRobin is a scheduler that takes mutants and entries in turn, whatever their energy. It counts what it is asked.
type roundRobin struct{ turns, picks, choices, credits int }

func (r *roundRobin) turn(open func() []*mutant) (m *mutant, oneIn int) {
	list := open()
	if len(list) == 0 {
		return nil, 0
	}
	r.turns++
	return list[r.turns%len(list)], 4
}

func (r *roundRobin) pick(entries []*entry) (e *entry, inputs int) {
	r.picks++
	return entries[r.picks%len(entries)], 1
}

func (r *roundRobin) choose(_ bool, _ tally, killable func() []*mutant) []*mutant {
	list := killable()
	if len(list) == 0 {
		return nil
	}
	r.choices++
	at := r.choices % len(list)
	return list[at : at+1]
}

func (r *roundRobin) credit(*entry, int) { r.credits++ }

// grade has two mutants. In mutant 1, "n > 1000" is "n >= 1000"; in mutant 2, "n < 2000" is "true".
func grade(n int) string {
	if state.Fns[0] == 0 {
		state.Touch(0)
	}
	state.Cov[0]++
	if n > 1000 || state.M == 1 && n == 1000 {
		state.Cov[1]++
		if n < 2000 || state.M == 2 {
			return "fair"
		}
		state.Cov[2]++
		return "good"
	}
	return "poor"
}

// here is an executor that runs function in this process, or grade if that is nil.
type here struct {
	recorder observation.Recorder
	function func(n int) []any
}

func (h *here) Each(next func() *Run, judge func(*Run) bool) {
	for r := next(); r != nil; r = next() {
		state.ClearCoverage()
		state.ClearMarks()
		h.recorder.Reset(false)
		state.Begin(r.Mutant, r.Bound)
		if n := r.Values[0].(int); h.function != nil {
			h.recorder.Result(1, h.function(n))
		} else {
			h.recorder.Result(1, []any{grade(n)})
		}
		r.Steps, _ = state.End(0)
		r.Outcome, r.Record = wire.OutcomeOK, h.recorder.Finish()
		if !judge(r) {
			return
		}
	}
}

// runHere runs a job on a target for grade with these seeds. It returns the exposed mutants and the last statistics. If
// schedule is nil, the loop has its usual scheduler.
func runHere(job wire.Job, schedule scheduler, seeds ...int) (exposed map[int]bool, last wire.Stats) {
	defer func(before [2]uint32) { state.FuncBlocks[0] = before }(state.FuncBlocks[0])
	defer clear(state.Gathered[:])
	defer clear(state.Seen[:])
	state.FuncBlocks[0] = [2]uint32{0, 3}
	exposed = map[int]bool{}
	target := Target{Executor: new(here), Types: []reflect.Type{reflect.TypeOf(0)}}
	for _, n := range seeds {
		target.Seeds = append(target.Seeds, []any{n})
	}
	l := newLoop(&job, target, func(e wire.Event) {
		switch e.Event {
		case wire.EventExpose:
			exposed[e.Mutant] = true
		case wire.EventStats:
			last = *e.Stats
		}
	})
	if schedule != nil {
		l.schedule = schedule
	}
	l.do()
	return exposed, last
}

// gradeJob returns a job on grade with both mutants. It is bounded by runs, not by time.
func gradeJob(mutantExecs, programExecs int64) wire.Job {
	return wire.Job{
		Kind: wire.JobFuzz, Target: "grade", Live: []wire.JobMutant{{ID: 1, Block: 0}, {ID: 2, Block: 1}}, Seed: 1,
		MutantExecs: mutantExecs, ProgramExecs: programExecs, ReplayTime: -1, MutantTime: -1, ProgramTime: -1,
		Dictionary: [][]byte{[]byte("1000"), []byte("2000")},
	}
}

func TestAnySchedulerRunsTheLoop(t *testing.T) {
	const budget = 4000
	other := new(roundRobin)
	for name, schedule := range map[string]scheduler{"favouring": nil, "round robin": other} {
		exposed, last := runHere(gradeJob(budget, budget), schedule)
		if !exposed[1] || !exposed[2] {
			t.Errorf("%s: exposed %v, want mutants 1 and 2", name, exposed)
		}
		if last.Execs < budget || last.MutantExecs == 0 || len(last.Blocks) != 3 {
			t.Errorf("%s: %+v, want the budget spent on program and mutants, and 3 blocks", name, last)
		}
	}
	if other.turns == 0 || other.picks == 0 || other.choices == 0 || other.credits == 0 {
		t.Errorf("asked %+v times, want every question asked", *other)
	}
}

func TestTheSchedulerDecidesWhatAnInputIsRunOn(t *testing.T) {
	_, last := runHere(gradeJob(0, 2000), idle{})
	if last.MutantExecs != 0 || last.Execs < 2000 {
		t.Errorf("%+v, want all runs of the program under a scheduler that chooses no mutant", last)
	}
}

// idle is a scheduler that never chooses a mutant.
type idle struct{}

func (idle) turn(func() []*mutant) (*mutant, int) { return nil, 0 }

func (idle) pick(entries []*entry) (*entry, int) { return entries[0], 100 }

func (idle) choose(bool, tally, func() []*mutant) []*mutant { return nil }

func (idle) credit(*entry, int) {}

// Without time for replay, seeds are left out, but not entries found earlier, and fuzzing still takes place.
func TestSeedsForWhichThereIsNoTimeAreLeftOut(t *testing.T) {
	job := gradeJob(500, 500)
	job.ReplayTime = 0
	job.Corpus = []wire.JobEntry{{ID: "found", Data: wire.EncodeEntry([]any{1500})}}
	if _, last := runHere(job, nil, make([]int, 10_000)...); last.Entries < 2 || last.Entries > 100 || last.Execs < 500 {
		t.Errorf("%d entries, %d runs", last.Entries, last.Execs)
	}
	job.ReplayTime = -1
	if _, last := runHere(job, nil, make([]int, 10_000)...); last.Entries < 10_001 {
		t.Errorf("%d entries with all the time there is", last.Entries)
	}
}

func TestARoundSpendsHalfOfTheBudgetInEqualShares(t *testing.T) {
	for _, n := range []int{1, 2, 10} {
		mutants := make([]*mutant, n)
		for i := range mutants {
			mutants[i] = &mutant{}
		}
		var f favouring
		left := 1.0
		for range mutants {
			_, oneIn := f.turn(func() []*mutant { return mutants })
			share := left / float64(oneIn)
			if want := 0.5 / float64(n); math.Abs(share-want) > 1e-9 {
				t.Errorf("of %d mutants one gets %v, want %v", n, share, want)
			}
			left -= share
		}
	}
}

func TestInputsThatAgreeCountOnce(t *testing.T) {
	var m mutant
	for range 3 {
		for n := 0; n < 256; n++ {
			m.agree(input.Hash([]any{uint8(n), "text"}))
		}
	}
	if m.agreed < 250 || m.agreed > 256 {
		t.Errorf("%d inputs", m.agreed)
	}
}
