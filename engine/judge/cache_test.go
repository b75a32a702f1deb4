package judge

import (
	"context"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/executor"
	"github.com/mutantfuzz/mutantfuzz/engine/ledger"
)

// entering is a fake whose tests enter functions of their own when they run with a mutant.
type entering struct {
	*fake
	funcs map[string]int // by test
}

func (e *entering) Run(ctx context.Context, spec executor.Spec) (executor.Report, error) {
	r, err := e.fake.Run(ctx, spec)
	if spec.Mutant > 0 {
		r.Funcs = e.of(spec.Tests)
	}
	return r, err
}

func (e *entering) Try(ctx context.Context, s *executor.Suite, trials []executor.Trial) ([]executor.Verdict, bool, error) {
	verdicts, began, err := e.fake.Try(ctx, s, trials)
	for i := range verdicts {
		for _, test := range trials[i].Tests {
			verdicts[i].Funcs = append(verdicts[i].Funcs, e.funcs[test.Name])
		}
	}
	return verdicts, began, err
}

// of returns what tests enter; nil stands for all of them.
func (e *entering) of(tests []string) (funcs []int) {
	if tests == nil {
		tests = slices.Collect(maps.Keys(e.funcs))
	}
	for _, test := range tests {
		funcs = append(funcs, e.funcs[test])
	}
	return funcs
}

// storing is a cache that keeps the functions that verdicts are said to depend on.
type storing struct {
	mu    sync.Mutex
	funcs map[int][]int // by mutant
}

func (c *storing) Lookup(*Mutant, *Survey) (ledger.Decision, bool) { return ledger.Decision{}, false }

func (c *storing) Store(m *Mutant, _ *Survey, _ ledger.Decision, funcs []int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.funcs[m.Number] = slices.Compact(slices.Sorted(slices.Values(funcs)))
}

func TestVerdictsDependOnWhatRanInTheRunsBehindThem(t *testing.T) {
	tests := []fakeTest{
		{name: "TestQuick", took: time.Millisecond, infects: []int{1, 2}},
		{name: "TestSlow", took: 5 * time.Second, infects: []int{1, 2, 3}, kills: map[int]float64{2: 1}},
		{name: "TestSlower", took: 6 * time.Second, infects: []int{1}},
		{name: "TestOther", took: time.Millisecond, infects: []int{3}, hidden: true},
	}
	f := &entering{&fake{tests: map[string][]fakeTest{"p": tests}}, map[string]int{"TestQuick": 1, "TestSlow": 2, "TestSlower": 3, "TestOther": 4}}
	cache := &storing{funcs: map[int][]int{}}
	r, c := judged(t, f.fake, 3, func(c *Config) { c.Executor, c.Cache = f, cache })
	for n, want := range []struct {
		outcome string
		funcs   []int
	}{{"survived", []int{1, 2, 3}}, {"killed test p.TestSlow", []int{2}}, {"survived", []int{2, 4}}} {
		if got, funcs := outcome(r, c, n+1), cache.funcs[n+1]; got != want.outcome || !slices.Equal(funcs, want.funcs) {
			t.Errorf("mutant %d: %s, with functions %v; want %s, %v", n+1, got, funcs, want.outcome, want.funcs)
		}
	}
}
