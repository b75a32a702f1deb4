package engine

import (
	"testing"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/probe"
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
