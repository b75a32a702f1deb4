package worker

import (
	"testing"
	"time"
)

func TestARunMayTakeAsLongAsLongest(t *testing.T) {
	at := func(ms int) time.Time { return time.Unix(0, 0).Add(time.Duration(ms) * time.Millisecond) }
	s := silence{limit: time.Second, idle: time.Second, longest: 2 * time.Second, since: at(0), asleep: func() (uint64, bool) { return 0, false }}
	for _, tt := range []struct {
		ms    int
		pulse pulse
		want  Cause
	}{
		{0, pulse{}, Exited},
		{9000, pulse{}, Exited}, // nothing runs yet
		{9100, pulse{true, 1, 1}, Exited},
		{10000, pulse{true, 1, 2}, Exited},
		{11000, pulse{true, 1, 3}, Exited},
		{11050, pulse{true, 2, 1}, Exited}, // the next run
		{12000, pulse{true, 2, 2}, Exited},
		{13000, pulse{true, 2, 3}, Exited},
		{13100, pulse{true, 2, 4}, Silent},
	} {
		if got := s.look(at(tt.ms), tt.pulse); got != tt.want {
			t.Errorf("after %d ms, %+v: %v, want %v", tt.ms, tt.pulse, got, tt.want)
		}
	}
}

func TestProcessorTimeWithoutProgressIsBounded(t *testing.T) {
	var used time.Duration
	s := silence{limit: time.Minute, idle: time.Minute, busy: 5 * time.Second, since: time.Unix(0, 0), used: func() time.Duration { return used }}
	for _, tt := range []struct {
		seconds, used int
		steps         int64
		want          Cause
	}{
		{0, 0, 1, Exited},
		{1, 9, 1, Exited},  // what it used in the first second does not count
		{8, 13, 1, Exited}, // the machine is busy with other processes
		{9, 20, 2, Exited}, // there is progress
		{10, 30, 2, Exited},
		{11, 34, 2, Exited},
		{12, 35, 2, Silent},
	} {
		used = time.Duration(tt.used) * time.Second
		if got := s.look(time.Unix(int64(tt.seconds), 0), pulse{true, 1, tt.steps}); got != tt.want {
			t.Errorf("after %d s with %d s used and %d steps: %v, want %v", tt.seconds, tt.used, tt.steps, got, tt.want)
		}
	}
}

func TestSilence(t *testing.T) {
	type look struct {
		ms     int // after the start
		pulse  pulse
		asleep bool
		ticks  uint64
		want   Cause
	}
	still := pulse{running: true, runs: 3, steps: 1 << 16}
	stepped := pulse{running: true, runs: 3, steps: 2 << 16}
	next := pulse{running: true, runs: 4, steps: 1 << 16}
	idle := pulse{runs: 3, steps: 1 << 16}
	tests := []struct {
		name  string
		looks []look
	}{
		{"a busy child is silent at the limit and not before", []look{
			{ms: 0, pulse: still}, {ms: 500, pulse: still}, {ms: 999, pulse: still}, {ms: 1000, pulse: still, want: Silent},
		}},
		{"steps break the silence", []look{
			{ms: 0, pulse: still}, {ms: 900, pulse: stepped}, {ms: 1800, pulse: stepped}, {ms: 1900, pulse: stepped, want: Silent},
		}},
		{"runs break the silence", []look{
			{ms: 0, pulse: still}, {ms: 900, pulse: next}, {ms: 1800, pulse: next},
		}},
		{"between runs nothing is expected", []look{
			{ms: 0, pulse: idle}, {ms: 5000, pulse: idle, asleep: true}, {ms: 9000, pulse: idle, asleep: true},
			{ms: 9100, pulse: still}, {ms: 9900, pulse: still},
		}},
		{"asleep at two looks is a deadlock", []look{
			{ms: 0, pulse: still}, {ms: 300, pulse: still, asleep: true}, {ms: 350, pulse: still, asleep: true, want: Deadlock},
		}},
		{"asleep is not asked before it is idle", []look{
			{ms: 0, pulse: still}, {ms: 100, pulse: still, asleep: true}, {ms: 249, pulse: still, asleep: true}, {ms: 260, pulse: still, asleep: true},
		}},
		{"awake between two looks is no deadlock", []look{
			{ms: 0, pulse: still}, {ms: 300, pulse: still, asleep: true}, {ms: 350, pulse: still}, {ms: 400, pulse: still, asleep: true},
		}},
		{"processor time between two looks is no deadlock", []look{
			{ms: 0, pulse: still}, {ms: 300, pulse: still, asleep: true, ticks: 7}, {ms: 350, pulse: still, asleep: true, ticks: 8},
			{ms: 400, pulse: still, asleep: true, ticks: 8, want: Deadlock},
		}},
		{"a step between two looks is no deadlock", []look{
			{ms: 0, pulse: still}, {ms: 300, pulse: still, asleep: true}, {ms: 350, pulse: stepped, asleep: true}, {ms: 650, pulse: stepped, asleep: true},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			start := time.Unix(0, 0)
			var now look
			s := silence{limit: time.Second, idle: time.Second / 4, since: start, asleep: func() (uint64, bool) { return now.ticks, now.asleep }}
			for _, now = range tt.looks {
				at := start.Add(time.Duration(now.ms) * time.Millisecond)
				if got := s.look(at, now.pulse); got != now.want {
					t.Errorf("after %d ms: %v, want %v", now.ms, got, now.want)
				}
			}
		})
	}
}

func TestChildRestsIfItSleepsAtTwoLooksWithNoProcessorTimeInBetween(t *testing.T) {
	var d doze
	for i, look := range []struct {
		ticks uint64
		slept bool
		want  bool
	}{
		{5, false, false}, {5, true, false}, {5, true, true}, {6, true, false}, {6, true, true}, {6, false, false}, {6, true, false},
	} {
		if got := d.look(look.ticks, look.slept); got != look.want {
			t.Errorf("look %d: %v", i, got)
		}
	}
}
