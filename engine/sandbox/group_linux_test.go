package sandbox

import (
	"fmt"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// TestZombiesDoNotSleep checks that a zombie does not count as asleep, although it takes no processor time either.
func TestZombiesDoNotSleep(t *testing.T) {
	for _, tt := range []struct {
		command []string
		state   byte
		want    bool
	}{
		{[]string{"sleep", "1000"}, 'S', true},
		{[]string{"true"}, 'Z', false},
		{[]string{"sh", "-c", "true & sleep 1000"}, 'S', true}, // with a zombie beside it
	} {
		cmd := exec.Command(tt.command[0], tt.command[1:]...)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		g := group{cmd.Process.Pid}
		var asleep bool
		for asleep != tt.want || stateOf(t, g.Pid) != tt.state {
			time.Sleep(time.Millisecond)
			_, asleep = g.Asleep()
		}
		for range 10 {
			_, asleep := g.Asleep()
			_, resting := g.Resting()
			if (asleep || resting) && !tt.want {
				t.Errorf("%q in state %c: asleep %v, at rest %v", tt.command, tt.state, asleep, resting)
			}
		}
		g.Kill()
		_ = cmd.Wait() // it was killed
	}
}

// stateOf returns the state of a process, as in its stat file of proc(5).
func stateOf(t *testing.T, pid int) byte {
	t.Helper()
	s, err := readStat(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	return s.state
}
