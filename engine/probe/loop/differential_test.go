package loop

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/probe/state"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// lower returns an error below 100. Mutant 1 returns another error there, and another number elsewhere.
func lower(n int) []any {
	state.Cov[0]++
	switch mutated := state.M == 1; {
	case n < 100 && mutated:
		return []any{0, errors.New("it is less")}
	case n < 100:
		return []any{0, errors.New("too low")}
	case mutated:
		return []any{n, nil}
	}
	return []any{n - 1, nil}
}

func TestAnExposureByACallThatSucceedsIsReportedAfterOneByACallThatFails(t *testing.T) {
	for _, tt := range []struct{ seeds, want []int }{
		{[]int{5, 6, 200, 300}, []int{5, 200}},
		{[]int{200, 5, 300}, []int{200}},
		{[]int{5, 6}, []int{5}},
	} {
		job := wire.Job{Kind: wire.JobFuzz, Live: []wire.JobMutant{{ID: 1}}, ReplayTime: -1, MutantTime: -1, ProgramTime: -1}
		var exposing []string
		target := Target{Executor: &here{function: lower}, Types: []reflect.Type{reflect.TypeOf(0)}}
		for _, n := range tt.seeds {
			e := jobEntry([]any{n})
			job.Corpus = append(job.Corpus, e)
		}
		newLoop(&job, target, func(e wire.Event) {
			if e.Event == wire.EventExpose {
				exposing = append(exposing, e.Entry.ID)
			}
		}).do()
		var want []string
		for _, n := range tt.want {
			want = append(want, jobEntry([]any{n}).ID)
		}
		if !slices.Equal(exposing, want) {
			t.Errorf("seeds %d: exposed by %q, want %q, the entries of %d", tt.seeds, exposing, want, tt.want)
		}
	}
}
