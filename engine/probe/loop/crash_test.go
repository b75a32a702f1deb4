package loop

import (
	"reflect"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

func TestWhatMakesADriverFailIsReportedAFewTimesIfTheBaseIsToTell(t *testing.T) {
	for _, tt := range []struct {
		job  wire.Job
		want int
	}{
		{wire.Job{}, 1},
		{wire.Job{Driver: true}, 0},
		{wire.Job{Driver: true, Based: true}, maxBased},
	} {
		reported := map[string]bool{}
		l := newLoop(&tt.job, Target{Executor: new(here), Types: []reflect.Type{reflect.TypeOf(0)}}, func(e wire.Event) {
			if e.Event == wire.EventCrash {
				reported[e.Entry.ID] = true
			}
		})
		for n := 0; n < 3*maxBased; n++ {
			l.crash([]any{n}, &Run{Outcome: wire.OutcomePanic, Message: "it panics"}, wire.JobEntry{})
		}
		if len(reported) != tt.want {
			t.Errorf("driver %t, the base tells %t: %d inputs, want %d", tt.job.Driver, tt.job.Based, len(reported), tt.want)
		}
	}
}
