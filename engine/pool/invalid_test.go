package pool

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/diffscope"
	"github.com/mutantfuzz/mutantfuzz/engine/build"
	"github.com/mutantfuzz/mutantfuzz/engine/executor"
	"github.com/mutantfuzz/mutantfuzz/engine/journal"
	"github.com/mutantfuzz/mutantfuzz/engine/mutate"
	"github.com/mutantfuzz/mutantfuzz/engine/program"
	"github.com/mutantfuzz/mutantfuzz/engine/weave"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
	"github.com/mutantfuzz/mutantfuzz/internal/gotool"
)

// newTestExecutor returns an executor whose test processes do not exist.
func newTestExecutor() Executor {
	b := build.New(build.Config{
		Program: &program.Program{Unit: diffscope.Unit{Modules: []diffscope.Module{{Path: "p"}}}, Packages: map[string]*gotool.Package{}},
		Journal: journal.New(nil),
	})
	b.Woven = &weave.Woven{
		Layout:  wire.Layout{Blocks: 6, Funcs: 2, Mutants: 3},
		Mutants: slices.Repeat([]weave.Mutant{{Mutant: &mutate.Mutant{Function: "p.F"}}}, 3),
		Funcs:   []weave.FuncBlocks{{ID: "p.F", First: 0, End: 3}, {ID: "p.G", First: 3, End: 6}},
	}
	return Executor{Runner: &Runner{Pool: &Pool{}, Binaries: b}}
}

// FuzzTrialEvents passes any stream to the code that receives the events of trials.
func FuzzTrialEvents(f *testing.F) {
	for _, line := range []string{
		`{"event":"ready","funcs":[-1,99]}`, `{"event":"ready","funcs":[-1]}`, `{"event":"trial"}`, `{"event":"clean"}`,
		`{"event":"trial","mutant":1,"outcome":"failure","message":"TestX","funcs":[99]}`, `{"event":"trial","mutant":1,"outcome":"failure","message":"TestX"}`,
		`{"event":"trial","mutant":1,"outcome":"failure","message":"TestY"}`, `{"event":"trial","mutant":4}`, `null`,
	} {
		f.Add([]byte(line + "\n"))
		f.Add([]byte(`{"event":"ready","funcs":[1]}` + "\n" + line + "\n" + line + "\n"))
	}
	f.Fuzz(func(_ *testing.T, stream []byte) {
		x := newTestExecutor()
		var trials []executor.Trial
		for n := 1; n <= 3; n++ {
			trials = append(trials, executor.Trial{Mutant: n, Tests: []executor.TrialTest{{Name: "TestX"}}})
		}
		var events []*wire.Event
		_ = worker.ReadEvents(bytes.NewReader(stream), x.Bounds(nil), trialJob(trials), 0, func(e *wire.Event) { events = append(events, e) })
		x.trialsOf(events, trials)
	})
}

func TestTrialsWithInvalidDataAreGivenUpWithAWarning(t *testing.T) {
	x := newTestExecutor()
	x.giveUpTrials("p", fmt.Errorf("mutant 99"))
	if left := x.Registered(&executor.Suite{Package: "p"}); len(left) > 0 || len(x.Warnings()) != 1 {
		t.Errorf("tried on: %q, warnings %q", left, x.Warnings())
	}
}

func TestRetryRepeatsRunsWithInvalidData(t *testing.T) {
	n := 0
	exit, err := Retry(func() (worker.Exit, error) {
		n++
		return worker.Exit{Cause: worker.Invalid, Invalid: fmt.Errorf("mutant 99")}, nil
	})
	if n != maxLost || exit.Cause != worker.Invalid || err != nil {
		t.Errorf("%d runs, %v, %v", n, exit.Cause, err)
	}
	n = 0
	exit, _ = Retry(func() (worker.Exit, error) {
		if n++; n == 1 {
			return worker.Exit{Cause: worker.Invalid, Invalid: fmt.Errorf("mutant 99")}, nil
		}
		return worker.Exit{}, nil
	})
	if n != 2 || exit.Cause != worker.Exited || exit.Invalid != nil {
		t.Errorf("%d runs, %v (%v)", n, exit.Cause, exit.Invalid)
	}
}
