package engine

import (
	"slices"
	"testing"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/probe"
	"github.com/mutantfuzz/mutantfuzz/engine/worker"
)

func TestOnlyRunsOfWhichTheWorkIsKnownMayNotSleepLong(t *testing.T) {
	u := &unit{run: &run{}}
	test := &test{suite: &suite{}, name: "TestSleepy"}
	tests := []struct {
		name   string
		steps  int64
		asleep time.Duration
	}{
		{"what a test does is not known yet", 0, time.Minute},
		{"with a mutant", stepFloor, time.Minute / asleepPart},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := u.testCommand(&slot{}, probe.Probed, tt.steps, time.Minute, test)
			if c.Asleep != tt.asleep {
				t.Errorf("may be asleep for %v, want %v", c.Asleep, tt.asleep)
			}
		})
	}
}

func TestFailuresOfSubtestsAloneMeanNothingBesideThoseOfTests(t *testing.T) {
	tests := []struct{ failed, want []string }{
		{[]string{"TestX/a", "TestY", "TestY/b"}, []string{"TestY"}},
		{[]string{"TestX/a", "TestX/b", "TestY/c"}, []string{"TestX", "TestY"}},
		{nil, nil},
	}
	for _, tt := range tests {
		got := failedTests(testRun{outcome: worker.Outcome{Failed: tt.failed}})
		if !slices.Equal(got, tt.want) {
			t.Errorf("of %q: %q, want %q", tt.failed, got, tt.want)
		}
	}
}

func TestAnEndlessRunIsNoDeadlock(t *testing.T) {
	tests := []struct {
		cause worker.Cause
		want  bool
	}{
		{worker.Exited, false}, {worker.Timeout, true}, {worker.Silent, true}, {worker.Deadlock, false}, {worker.Cancelled, false},
	}
	for _, tt := range tests {
		exit := worker.Exit{Cause: tt.cause, Code: 2}
		if got := (testRun{exit: exit, outcome: exit.Outcome()}).endless(); got != tt.want {
			t.Errorf("%s: endless %t, want %t", tt.cause, got, tt.want)
		}
	}
}
