package runtime

import (
	"os"
	"reflect"
	"runtime/debug"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// roundRobin takes mutants and entries in turn, whatever their energy.
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

// grade has mutant 1: > becomes >=; and mutant 2: the upper bound is gone.
func grade(n int) string {
	if Fns[0] == 0 {
		Touch(0)
	}
	Cov[0]++
	if n > 1000 || M == 1 && n == 1000 {
		Cov[1]++
		if n < 2000 || M == 2 {
			return "fair"
		}
		Cov[2]++
		return "good"
	}
	return "poor"
}

// runHere runs a job on grade in this process.
func runHere(t *testing.T, job wire.Job, schedule scheduler) (got outcome) {
	t.Helper()
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	defer func(before [2]uint32) { FuncBlocks[0] = before }(FuncBlocks[0])
	defer clear(gathered[:])
	defer clear(seen[:])
	FuncBlocks[0] = [2]uint32{0, 3}
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	received := make(chan []wire.Event)
	go func() { received <- readEvents(t, reader) }()
	x := newExecutor(false, func(_ *testing.T, args []any) {
		text := grade(args[0].(int))
		Result(1, text)
	})
	steps.arm(0)
	l := newLoop(&work{job: &job, events: &events{file: writer}}, x, []reflect.Type{reflect.TypeOf(0)})
	if schedule != nil {
		l.schedule = schedule
	}
	x.serve(t, l.do)
	writer.Close()
	got.events = <-received
	return got
}

func TestAnySchedulerRunsTheLoop(t *testing.T) {
	const budget = 4000
	other := new(roundRobin)
	for name, schedule := range map[string]scheduler{"favouring": nil, "round robin": other} {
		job := fuzzJob("grade", budget, wire.JobMutant{ID: 1, Block: 0}, wire.JobMutant{ID: 2, Block: 1})
		job.Dictionary = [][]byte{[]byte("1000"), []byte("2000")}
		got := runHere(t, job, schedule)
		exposed := map[int]bool{}
		for _, e := range got.of(wire.EventExpose) {
			exposed[e.Mutant] = true
		}
		if !exposed[1] || !exposed[2] {
			t.Errorf("%s: exposed %v, want mutants 1 and 2", name, exposed)
		}
		if s := got.last(t); s.Execs < budget || s.MutantExecs == 0 || len(s.Blocks) != 3 {
			t.Errorf("%s: %+v, want the budget spent on program and mutants, and 3 blocks", name, s)
		}
	}
	if other.turns == 0 || other.picks == 0 || other.choices == 0 || other.credits == 0 {
		t.Errorf("asked %+v times, want every question asked", *other)
	}
}

func TestTheSchedulerDecidesWhatAnInputIsRunOn(t *testing.T) {
	job := fuzzJob("grade", 0, wire.JobMutant{ID: 1, Block: 0}, wire.JobMutant{ID: 2, Block: 1})
	job.ProgramExecs = 2000
	got := runHere(t, job, idle{})
	if s := got.last(t); s.MutantExecs != 0 || s.Execs < 2000 {
		t.Errorf("%+v, want all runs of the program under a scheduler that chooses no mutant", s)
	}
}

// idle never chooses a mutant.
type idle struct{}

func (idle) turn(func() []*mutant) (*mutant, int) { return nil, 0 }

func (idle) pick(entries []*entry) (*entry, int) { return entries[0], 100 }

func (idle) choose(bool, tally, func() []*mutant) []*mutant { return nil }

func (idle) credit(*entry, int) {}
