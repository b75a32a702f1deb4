package pool

import (
	"slices"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/worker"
)

func TestTestsThatFailInAProcessOfStatus0FailOnlyWithAMutant(t *testing.T) {
	type run struct {
		mutated bool
		failed  []string
	}
	for name, tt := range map[string]struct {
		runs []run
		want []string // what failed in the last one
	}{
		"with a mutant":               {[]run{{true, []string{"TestX"}}}, []string{"TestX"}},
		"again":                       {[]run{{true, []string{"TestX"}}, {true, []string{"TestX"}}}, []string{"TestX"}},
		"without one":                 {[]run{{false, []string{"TestX"}}}, nil},
		"with one, after one without": {[]run{{false, []string{"TestX"}}, {true, []string{"TestX"}}}, nil},
		"another one":                 {[]run{{false, []string{"TestX"}}, {true, []string{"TestX", "TestY"}}}, []string{"TestY"}},
		"with one, and without it":    {[]run{{true, []string{"TestX"}}, {false, []string{"TestX"}}, {true, []string{"TestX"}}}, nil},
		"no test":                     {[]run{{true, nil}}, nil},
	} {
		r := newTestExecutor().Runner
		r.unheeded = map[string]map[string]bool{}
		var last Run
		for _, one := range tt.runs {
			last = r.heed(Run{Outcome: worker.Outcome{Unheeded: one.failed}}, "/m/p", one.mutated)
		}
		if !slices.Equal(last.Outcome.Failed, tt.want) || last.Failed() != (len(tt.want) > 0) {
			t.Errorf("%s: %+v", name, last.Outcome)
		}
	}
}
