package worker

import "os/exec"

// Rules say what a Sandbox keeps its children from. The zero value keeps them
// from nothing.
type Rules struct {
	Files   bool // writing to any file but those in Writable, and reaching into other processes
	Network bool // reaching other machines
	// Interfaces lets children see the network interfaces of this machine: with
	// Network they get no namespace of their own.
	Interfaces bool
	Writable   []string // files, and folders with all that is below them; they have to exist
}

// What can be in force in a Sandbox, as results name it.
const (
	InForceFiles   = "files"   // files outside of Rules.Writable cannot be changed
	InForceSignals = "signals" // signals and abstract sockets reach no process outside of the sandbox
	InForceNetwork = "network" // a network namespace of its own, in which there is only loopback
	InForceTCP     = "tcp"     // no TCP connection can be made, to this machine neither
)

// Sandbox starts children under rules that the kernel enforces. It serves any
// number of children, one after the other or at once, and is closed when the
// last of them has ended: a child that still runs is killed then.
//
// What the system cannot enforce is not enforced; see InForce.
type Sandbox struct {
	inForce []string
	starts  chan func() // what the sandbox's thread has to do; nil: there is no such thread
}

// InForce returns what the kernel enforces of the rules, as InForce... in the
// order in which these are declared.
func (s *Sandbox) InForce() []string { return s.inForce }

// Close ends the sandbox.
func (s *Sandbox) Close() {
	if s.starts != nil {
		close(s.starts)
	}
}

// start starts cmd in the sandbox; without one, on the calling thread.
func (s *Sandbox) start(cmd *exec.Cmd) error {
	if s == nil || s.starts == nil {
		return cmd.Start()
	}
	started := make(chan error, 1)
	s.starts <- func() { started <- cmd.Start() }
	return <-started
}
