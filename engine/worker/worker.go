// Package worker runs woven test binaries: child processes with a state file,
// a job and a stream of events, limits on time and output, and an account of
// how they died. The coordinator never runs user code itself.
//
// A child leads a process group of its own, which is killed as a whole when
// the child ends, and dies with the coordinator where the system can see to
// that (Linux).
package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/sandbox"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// Command is one run of a test binary.
type Command struct {
	Binary string   // absolute path
	Args   []string // see TestArgs
	Dir    string   // the package's folder, absolute
	Env    []string // see Environment; PWD and the probe's variables are added

	// Restore undoes the child's changes in Dir. Run calls it once the child has ended, before it returns. Nil: that
	// is up to the caller.
	Restore func() error

	Sandbox *sandbox.Sandbox // the child starts in it
	Guard   *sandbox.Guard   // ends what the child leaves behind where the sandbox cannot; nil: nobody does

	State  *State // cleared before the child starts; nil: none
	Mutant int    // initial value of the probe's M
	Steps  int64  // step bound of the process; 0: none
	// Allocated is how many bytes each process may allocate in all, freed or not; 0: any number. The probe checks it
	// when it counts steps.
	Allocated int64
	Memory    int64 // bytes of data each process may map, on Linux and in woven binaries; 0: no limit

	Job *wire.Job // nil: none
	// OnEvent receives the child's events in order, from one goroutine. There are no calls after Run has returned.
	// Nil: the child has no events descriptor.
	OnEvent func(*wire.Event)
	// Bounds are what events can be about. The first event outside of them ends the child as Invalid. Nil: events
	// only have to be well-formed.
	Bounds *Bounds

	Timeout time.Duration // wall clock, the last resort; 0: none
	// Silence is how long the counts of runs and steps may stand still while user code runs, which without a job is
	// all of the time. It needs State. 0: no limit.
	Silence time.Duration
	// Longest is how long one run of a job may take, whatever its counts do. The child then ends as Silent. It needs
	// Silence. 0: no limit.
	Longest time.Duration
	// Asleep is like Silence, for a child whose threads are all asleep. From outside a sleep looks like a deadlock,
	// so Asleep should be longer than the original ever sleeps. 0: a quarter of Silence.
	Asleep time.Duration
	// Prove ends such a child as Unproven unless its stacks prove a deadlock. So Asleep may be short.
	Prove bool

	// Busy is the processor time that the child may use while its counts stand still, as for Silence. What it uses in
	// the first second does not count. Linux only. It needs Silence. 0: no limit.
	Busy time.Duration

	// OnRest is called when the child has fallen asleep and when it is awake again. The child is only looked at now
	// and then, and only on Linux. Calls come from one goroutine, may repeat a value, and end before Run returns.
	// Nil: no calls.
	OnRest func(resting bool)

	OutputLimit int // bytes kept of stdout and stderr together, half from each end; 0: 64 KiB

	invalid error              // what was wrong with an event; set by receive
	end     context.CancelFunc // ends the child
}

// Cause is how a child came to its end.
type Cause int

// Causes.
const (
	Exited      Cause = iota // by itself: exit, panic, fatal error, a fault signal
	Timeout                  // killed: Command.Timeout passed
	Silent                   // killed: it exceeded Command.Silence, Busy or Longest
	Deadlock                 // every thread was asleep, as we or the Go runtime found
	OutOfMemory              // it exceeded its memory limit
	Cancelled                // killed: the context was done
	Lost                     // killed by somebody else; says nothing about a mutant
	Unproven                 // like Deadlock, but the child may only have slept; see Command.Prove
	GaveUp                   // the probe could not work, by our own fault; says nothing about a mutant
	Invalid                  // untrusted: its events or state file were invalid; says nothing about a mutant
)

// probeGaveUp is the exit status with which the probe gives up, after a message. Programs may use that status too.
const probeGaveUp = 70

// String returns the cause as a phrase that fits after "the process".
func (c Cause) String() string {
	return [...]string{
		"exited", "timed out", "made no progress", "was deadlocked", "ran out of memory", "was cancelled", "was killed from outside", "slept",
		"was given up by the probe", "reported invalid data",
	}[c]
}

// Exit describes how a child ended.
type Exit struct {
	Cause    Cause
	Code     int    // exit status; -1 when a signal ended it
	Signal   string // the signal that ended it, as in "killed"; "" if none did
	Output   []byte // stdout and stderr as written, without the middle if longer than OutputLimit
	Duration time.Duration
	TimedOut bool     // judging by status and duration, package testing ended it; the output may be cut off
	Flags    uint32   // wire.Flag... of the state; 0 without a state
	Culprit  *Culprit // what ran at the end; nil without a state, after exit status 0, or if Invalid
	Invalid  error    // what was wrong with its events or state file; set only if Cause is Invalid
}

// Culprit is what a child ran when it died.
type Culprit struct {
	Mutant int    // M of the run
	Input  []byte // the probe's input buffer; nil: none
	InRun  bool   // user code was running
}

// quitGrace is how long a child that we give up may take to print the stacks of its goroutines.
const quitGrace = 500 * time.Millisecond

// If output or events are held open for longer than holdGrace after the process group is dead, a process that has
// left the group must hold them. They are given up drainGrace later.
const (
	holdGrace  = 50 * time.Millisecond
	drainGrace = time.Second
)

// Run runs a child to its end. Failures of the child are in the Exit. An error means that we or the system are at
// fault: for example, the child could not be started or fully ended, or Command.Restore failed.
func Run(ctx context.Context, c Command) (Exit, error) {
	if ctx.Err() != nil {
		return Exit{Cause: Cancelled, Code: -1}, nil
	}
	exit, err := c.run(ctx)
	if err == nil && c.Restore != nil {
		err = c.Restore()
	}
	return exit, err
}

func (c *Command) run(ctx context.Context) (Exit, error) {
	cmd := exec.Command(c.Binary, c.Args...)
	cmd.Dir = c.Dir
	cmd.Env = append(c.Env[:len(c.Env):len(c.Env)], "PWD="+c.Dir)
	set := func(name string, value int64) {
		if value != 0 {
			cmd.Env = append(cmd.Env, name+"="+strconv.FormatInt(value, 10))
		}
	}
	set(wire.EnvMutant, int64(c.Mutant))
	set(wire.EnvSteps, c.Steps)
	set(wire.EnvAllocated, c.Allocated)
	set(wire.EnvMemory, c.Memory)
	cmd.Env = append(cmd.Env, collection(c.Env, c.Memory)...)
	if c.State != nil {
		if err := c.State.Reset(); err != nil {
			return Exit{}, err
		}
		cmd.Env = append(cmd.Env, wire.EnvState+"="+c.State.Path())
	}
	if c.Job != nil {
		name, err := c.writeJob()
		if err != nil {
			return Exit{}, fmt.Errorf("cannot write the job for %s: %w", c.Binary, err)
		}
		defer os.Remove(name)
		cmd.Env = append(cmd.Env, wire.EnvJob+"="+name)
	}
	var mark string
	if c.Guard != nil {
		mark = c.Guard.Next()
		cmd.Env = append(cmd.Env, mark)
	}
	ctx, c.end = context.WithCancel(ctx)
	defer c.end()
	p, err := start(cmd, c)
	if err != nil {
		return Exit{}, fmt.Errorf("cannot start %s: %w", c.Binary, err)
	}
	p.mark = mark
	if c.Memory > 0 {
		p.child.LimitMemory(c.Memory)
	}
	began := time.Now()
	ended, cause := p.wait(ctx, c)
	if ended.Left {
		return Exit{}, fmt.Errorf("cannot end all processes that %s has started\nhint: look for processes that wait for a disk or a file server", c.Binary)
	}
	return c.exit(p, ended, cause, time.Since(began)), nil
}

// writeJob writes the job to a file outside of the children's own folders, beside the state if there is one, and
// returns its name.
func (c *Command) writeJob() (string, error) {
	dir := ""
	if c.State != nil {
		dir = filepath.Dir(c.State.Path())
	}
	f, err := os.CreateTemp(dir, "mutantfuzz-job-*.json")
	if err != nil {
		return "", err
	}
	if err := errors.Join(json.NewEncoder(f).Encode(c.Job), f.Close()); err != nil {
		os.Remove(f.Name())
		return "", err
	}
	return f.Name(), nil
}

// exit returns what is known of a child that has ended.
func (c *Command) exit(p *process, ended sandbox.Ended, cause Cause, took time.Duration) Exit {
	e := Exit{Cause: cause, Code: ended.Code, Output: p.output.Bytes(), Duration: took}
	if cause == Deadlock && c.Prove && !wire.ProvesDeadlock(e.Output) {
		e.Cause = Unproven
	}
	if ended.Success() {
		e.Cause = Exited // it ended before the kill
	}
	if ended.Signal != 0 {
		e.Signal = ended.Signal.String()
	}
	if limit := testTimeout(c.Args); limit > 0 && e.Code == panicStatus && took >= limit {
		e.TimedOut = true
	}
	if c.State != nil {
		e.Flags = c.State.Flags()
		if !ended.Success() {
			e.Culprit = &Culprit{Mutant: c.State.Mutant(), Input: c.State.Input(), InRun: c.State.InRun()}
		}
	}
	switch {
	case e.Cause != Exited:
	case ended.Lost:
		e.Cause = Lost
	default:
		e.Cause = ownCause(e)
	}
	if e.Invalid = c.invalid; e.Invalid == nil && c.State != nil && e.Cause != Cancelled {
		e.Invalid = c.State.Check()
	}
	if e.Invalid != nil { // nothing that it reported counts
		e.Cause, e.Flags, e.Culprit = Invalid, 0, nil
	}
	return e
}

// panicStatus is the exit status of a Go program that panics.
const panicStatus = 2

// fromOutside are the signals that others send to a Go program: the out-of-memory killer, a runner that stops a job,
// a terminal.
var fromOutside = []string{
	syscall.SIGKILL.String(), syscall.SIGTERM.String(), syscall.SIGINT.String(), syscall.SIGHUP.String(),
}

// ownCause returns the cause of an end that we did not bring about.
func ownCause(e Exit) Cause {
	message := fatalMessage(e)
	switch {
	case e.Flags&wire.FlagMemory != 0, outOfMemory(message, e.Output):
		return OutOfMemory
	case message == "fatal error: all goroutines are asleep - deadlock!":
		return Deadlock
	case slices.Contains(fromOutside, e.Signal):
		return Lost
	case e.Code == probeGaveUp && probeMessage(e.Output) != "":
		return GaveUp
	}
	return Exited
}
