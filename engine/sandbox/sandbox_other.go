//go:build !linux

package sandbox

import (
	"os/exec"
	"syscall"
	"time"
)

// Sandbox starts children that are not confined: that is built for Linux only.
type Sandbox struct{}

// New returns a sandbox in which nothing is in force.
func New(*Guard, Rules) (*Sandbox, error) { return &Sandbox{}, nil }

// InForce returns nothing.
func (s *Sandbox) InForce() []string { return nil }

// Start starts cmd.
func (s *Sandbox) Start(cmd *exec.Cmd) (*Child, error) {
	g, err := start(cmd)
	if err != nil {
		return nil, err
	}
	return &Child{group: g, Wait: func(dead func()) Ended {
		_ = cmd.Wait() // the result is in ProcessState
		dead()
		g.close()
		if cmd.ProcessState == nil {
			return Ended{Code: -1, Lost: true}
		}
		return endedAs(cmd.ProcessState.Sys().(syscall.WaitStatus))
	}}, nil
}

// Close does nothing.
func (s *Sandbox) Close() {}

// LimitMemory does nothing: only Linux can limit others.
func (g group) LimitMemory(int64) {}

// Asleep is always false: only Linux shows what the threads of other processes do.
func (g group) Asleep() (ticks uint64, all bool) { return 0, false }

// Used is 0.
func (g group) Used() time.Duration { return 0 }

// Resting is always false, too.
func (g group) Resting() (ticks uint64, all bool) { return 0, false }

// Guard does nothing on this system: the environment of other processes cannot be
// read here.
type Guard struct{}

// NewGuard returns a guard.
func NewGuard() (*Guard, error) { return &Guard{}, nil }

// Env returns what marks a process as one of the run: nothing here.
func (g *Guard) Env() []string { return nil }

// Bequeath does nothing.
func (g *Guard) Bequeath(dir string) {}

// Close ends the guard.
func (g *Guard) Close() error { return nil }

// Next returns the mark of a further child: the same for all.
func (g *Guard) Next() string { return "MUTANTFUZZ_CHILD=" }

// Sweep does nothing.
func Sweep(string) {}
