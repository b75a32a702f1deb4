//go:build !linux

package sandbox

import "os/exec"

// Sandbox starts children that are not confined: that is built for Linux only.
type Sandbox struct{}

// New returns a sandbox in which nothing is in force.
func New(*Guard, Rules) (*Sandbox, error) { return &Sandbox{}, nil }

// InForce returns nothing.
func (s *Sandbox) InForce() []string { return nil }

// Start starts cmd.
func (s *Sandbox) Start(cmd *exec.Cmd) (*Child, error) { return startDirectly(cmd) }

// Close does nothing.
func (s *Sandbox) Close() {}

// Hide does nothing: other systems do not let processes of the same user read each other's memory,
// or have no way to forbid it.
func Hide() {}

// reap waits for cmd to end, then calls dead.
func reap(cmd *exec.Cmd, dead func()) {
	_ = cmd.Wait() // the result is in ProcessState
	dead()
}
