// Package sandbox starts the processes that run untrusted code, under rules that the kernel enforces. It ends them and
// all their descendants.
//
// On Linux a sandbox is a pair of processes, both of which run this same program under another name. The keeper is not
// confined. It becomes the parent of all orphan processes below it, so that it can end every one of them. The launcher
// below it is confined. It only starts children, and makes them children of the keeper:
//
//	coordinator ── keeper ─┬─ launcher  (confined)
//	                       ├─ child     (confined as its launcher is)
//	                       └─ what the child started and left
//
// A child can signal the processes that are confined together with it. So it can kill the launcher, which is then
// replaced, but neither the keeper nor the coordinator.
//
// On other systems children are ordinary child processes, and nothing confines them.
package sandbox

import "syscall"

// Rules say what a Sandbox keeps its children from. The zero value allows them everything.
type Rules struct {
	// Confined keeps children from gaining or using privileges, from writing to files other than those in Writable
	// and devices such as /dev/null, and from signalling, reading and writing other processes. Without it the other
	// rules have no effect.
	Confined bool
	Writable []string // files, and folders with all that is below them; all must exist
	// Temporary lets children also write to the folders for temporary files that all programs of the machine share,
	// and to terminals, but not to what is Protected.
	Temporary bool
	Protected []string // files, and folders with all that is below them
	Network   bool     // children cannot reach other machines
	// Interfaces lets children see the network interfaces of this machine. Network then gives them no namespace of
	// their own.
	Interfaces bool
}

// Names, as in results, of what a Sandbox can enforce.
const (
	InForceProcesses  = "processes"  // no process outlives the child that started it
	InForcePrivileges = "privileges" // children have no capabilities, and no set-user-ID program gives them any
	InForceFiles      = "files"      // only the files that Rules.Writable and Rules.Temporary allow can be changed
	InForceSignals    = "signals"    // signals and abstract sockets reach no process outside the sandbox
	InForceNetwork    = "network"    // children have a network namespace of their own that has only loopback
	InForceTCP        = "tcp"        // children can make no TCP connection, not even to this machine
)

// Child is a started process. It leads a process group.
type Child struct {
	group
	// Wait waits until the child has ended, and then calls dead. In a Sandbox on Linux no other process can get the
	// child's ID before dead returns, and no orphan processes of the child are left when Wait returns; see Ended.Left.
	Wait func(dead func()) Ended
}

// Ended says how a child ended.
type Ended struct {
	Code   int            // exit status; -1 if a signal ended it
	Signal syscall.Signal // 0: none did
	Lost   bool           // it is not known how, for instance because its keeper was killed; Code is -1
	Left   bool           // some processes that it started could not be ended
}

// Success reports whether the child exited with status 0.
func (e Ended) Success() bool { return e.Code == 0 }

// endedAs returns how a child with wait status ws ended.
func endedAs(ws syscall.WaitStatus) Ended {
	e := Ended{Code: ws.ExitStatus()}
	if ws.Signaled() {
		e.Signal = ws.Signal()
	}
	return e
}
