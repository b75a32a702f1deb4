//go:build !linux

package sandbox

import (
	"os/exec"
	"syscall"
	"time"
)

// Sandbox starts children that are not confined: there is confinement for Linux only.
type Sandbox struct{}

// New returns a sandbox in which nothing is in force.
func New(*Guard, Rules) (*Sandbox, error) { return &Sandbox{}, nil }

// InForce returns nil: nothing is in force.
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

// LimitMemory does nothing: only Linux can limit other processes.
func (g group) LimitMemory(int64) {}

// Asleep always returns false: only Linux shows what the threads of other processes do.
func (g group) Asleep() (ticks uint64, all bool) { return 0, false }

// Used always returns 0.
func (g group) Used() time.Duration { return 0 }

// Resting always returns false, as Asleep does.
func (g group) Resting() (ticks uint64, all bool) { return 0, false }

// Guard does nothing on this system: the environment of other processes cannot be read here.
type Guard struct{}

// NewGuard returns a guard.
func NewGuard() (*Guard, error) { return &Guard{}, nil }

// Env returns nil: nothing marks the processes of a run here.
func (g *Guard) Env() []string { return nil }

// Bequeath does nothing.
func (g *Guard) Bequeath(dir string) {}

// Close does nothing and returns nil.
func (g *Guard) Close() error { return nil }

// Next returns the mark of another child, which is the same for all.
func (g *Guard) Next() string { return "MUTANTFUZZ_CHILD=" }

// Sweep does nothing.
func Sweep(string) {}
