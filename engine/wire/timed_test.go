package wire

import "testing"

func TestAJobIsTimedIfAnyPartOfItIs(t *testing.T) {
	for _, tt := range []struct {
		job  Job
		want bool
	}{
		{Job{ReplayTime: -1, MutantTime: -1, ProgramTime: -1}, false},
		{Job{ReplayTime: 1, MutantTime: -1, ProgramTime: -1}, true}, // it only replays its corpus
		{Job{ReplayTime: -1, MutantTime: 1, ProgramTime: -1}, true},
		{Job{ReplayTime: -1, MutantTime: -1, ProgramTime: 0}, true},
	} {
		if got := tt.job.Timed(); got != tt.want {
			t.Errorf("%d, %d, %d: %t", tt.job.ReplayTime, tt.job.MutantTime, tt.job.ProgramTime, got)
		}
	}
}
