// Package sandbox starts the processes that run untrusted code, under rules that
// the kernel enforces, and ends them and all their descendants.
//
// On Linux a sandbox is a pair of processes, both this same program under
// another name. The keeper is not confined and becomes the parent of all orphan
// processes below it, so that it can end every one of them; the launcher below it
// is confined and does nothing but start children, as children of the keeper:
//
//	coordinator ── keeper ─┬─ launcher  (confined)
//	                       ├─ child     (confined as its launcher is)
//	                       └─ what the child started and left
//
// A child can signal the processes that are confined together with it. So it can
// kill the launcher, which is then replaced, but neither keeper nor coordinator.
//
// On other systems a child is an ordinary one, and nothing confines it.
package sandbox

import "syscall"

// Rules say what a Sandbox keeps its children from. The zero value keeps them
// from nothing.
type Rules struct {
	// Confined keeps children from gaining or using privileges, from writing to
	// any file but those in Writable, and from signalling, reading and writing
	// other processes. Without it the other rules do not count either.
	Confined bool
	Writable []string // files, and folders with all that is below them; they have to exist
	// Temporary lets children write to the folders for temporary files that all
	// programs of the machine share, and to terminals, except to what is Protected.
	Temporary bool
	Protected []string // files, and folders with all that is below them
	Network   bool     // other machines cannot be reached
	// Interfaces lets children see the network interfaces of this machine: with
	// Network they get no namespace of their own.
	Interfaces bool
}

// What can be in force in a Sandbox, as results name it.
const (
	InForceProcesses  = "processes"  // no process outlives the run that started it
	InForcePrivileges = "privileges" // no capabilities, and no set-user-ID program gives any
	InForceFiles      = "files"      // only files in Rules.Writable, and shared temporary ones if the rules say so, can be changed
	InForceSignals    = "signals"    // signals and abstract sockets reach no process outside of the sandbox
	InForceNetwork    = "network"    // a network namespace of its own, in which there is only loopback
	InForceTCP        = "tcp"        // no TCP connection can be made, to this machine neither
)

// Child is a process that has been started. It leads a process group.
type Child struct {
	group
	// Wait waits until the child has ended, and then calls dead, before its ID can
	// be that of another process. When it returns, a child in a Sandbox on Linux has
	// left no orphan processes; see Ended.Left.
	Wait func(dead func()) Ended
}

// Ended says how a child ended.
type Ended struct {
	Code   int            // exit status; -1 if a signal ended it
	Signal syscall.Signal // 0: none did
	Lost   bool           // unknown how: its keeper was killed. Code is -1
	Left   bool           // some of what it started could not be ended
}

// Success reports whether the child exited with status 0.
func (e Ended) Success() bool { return e.Code == 0 }

// endedAs returns how a child with a status ended.
func endedAs(ws syscall.WaitStatus) Ended {
	e := Ended{Code: ws.ExitStatus()}
	if ws.Signaled() {
		e.Signal = ws.Signal()
	}
	return e
}
