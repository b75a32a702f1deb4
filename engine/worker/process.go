package worker

import (
	"cmp"
	"context"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/sandbox"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// process is a child that has been started.
type process struct {
	cmd     *exec.Cmd
	child   *sandbox.Child
	output  *headTail
	pipes   []pipe
	readers sync.WaitGroup
	mark    string // marks the child and all its descendants; "": none
}

// pipe leads from a child to a reader, which closes our end.
type pipe struct {
	ours, theirs *os.File
	read         func(io.Reader)
}

// start starts cmd as the leader of a process group, with pipes for output and events. The pipes are our own, not
// those of os/exec, so that drain can read them to the end although a grandchild keeps them open.
func start(cmd *exec.Cmd, c *Command) (*process, error) {
	p := &process{cmd: cmd, output: &headTail{limit: cmp.Or(c.OutputLimit, 64<<10)}}
	err := p.connect(c)
	if err == nil {
		p.child, err = c.Sandbox.Start(cmd)
	}
	for _, pipe := range p.pipes {
		pipe.theirs.Close()
		if err != nil {
			pipe.ours.Close()
		}
	}
	if err != nil {
		return nil, err
	}
	for _, pipe := range p.pipes {
		p.readers.Go(func() {
			defer pipe.ours.Close()
			pipe.read(pipe.ours)
		})
	}
	return p, nil
}

// connect makes the pipe for output and, if wanted, the one for events.
func (p *process) connect(c *Command) error {
	out, err := p.pipe(func(r io.Reader) { _, _ = io.Copy(p.output, r) }) // ends early only when drain cuts it off
	if err != nil {
		return err
	}
	p.cmd.Stdout, p.cmd.Stderr = out, out
	if c.OnEvent == nil {
		return nil
	}
	events, err := p.pipe(c.receive)
	if err != nil {
		return err
	}
	fd, err := sandbox.Inherit(p.cmd, events)
	p.cmd.Env = append(p.cmd.Env, wire.EnvEvents+"="+fd)
	return err
}

// pipe makes a pipe and returns the child's end.
func (p *process) pipe(read func(io.Reader)) (*os.File, error) {
	ours, theirs, err := os.Pipe()
	if err == nil {
		p.pipes = append(p.pipes, pipe{ours, theirs, read})
	}
	return theirs, err
}

// wait waits for the child to end, or ends it, and returns how and why. When it
// returns, the whole group is dead (all descendants of the child, where the system
// makes that possible), and all output and events have been read.
func (p *process) wait(ctx context.Context, c *Command) (sandbox.Ended, Cause) {
	over := make(chan struct{})
	watched := make(chan Cause, 1)
	go func() { watched <- p.watch(ctx, c, over) }()

	var cause Cause
	ended := p.child.Wait(func() {
		close(over)
		cause = <-watched
		p.child.Kill()
	})
	if ended.Lost {
		sandbox.Sweep(p.mark)
	}
	p.drain()
	return ended, cause
}

// drain waits for the readers. A process that has left the group may be alive and hold a pipe open. So after holdGrace
// the readers get a deadline.
func (p *process) drain() {
	over := make(chan struct{})
	go func() {
		p.readers.Wait()
		close(over)
	}()
	select {
	case <-over:
		return
	case <-time.After(holdGrace):
	}
	for _, pipe := range p.pipes {
		// Fails if the reader is done, and on Windows, where pipes have no
		// deadlines; there no process can leave the job and hold one open.
		_ = pipe.ours.SetReadDeadline(time.Now().Add(drainGrace))
	}
	<-over
}

// watch ends the child if it has to, and returns the cause. It returns Exited if the child ends first.
func (p *process) watch(ctx context.Context, c *Command, over <-chan struct{}) Cause {
	var timeout, tick, nap <-chan time.Time
	if c.Timeout > 0 {
		timeout = time.After(c.Timeout)
	}
	idle := cmp.Or(c.Asleep, c.Silence/4)
	quiet := silence{limit: c.Silence, longest: c.Longest, idle: idle, since: time.Now(), asleep: p.asleep, busy: c.Busy, used: p.child.Used}
	if c.Silence > 0 && c.State != nil {
		every := max(idle/4, 5*time.Millisecond)
		if c.Busy > 0 {
			every = min(every, busyLook)
		}
		tick = time.Tick(every)
	}
	var doze doze
	if c.OnRest != nil {
		nap = time.Tick(napLook)
	}
	for {
		select {
		case <-over:
			return Exited
		case <-ctx.Done():
			p.child.Kill()
			return Cancelled
		case <-nap:
			c.OnRest(doze.look(p.child.Resting()))
		case <-timeout:
			p.giveUp(over)
			return Timeout
		case now := <-tick:
			if cause := quiet.look(now, pulseOf(c)); cause != Exited {
				p.giveUp(over)
				return cause
			}
		}
	}
}

// asleep reports whether every thread of the child sleeps. done is its processor time plus the bytes it has written:
// a child that waits for its output to be read is not idle.
func (p *process) asleep() (done uint64, all bool) {
	ticks, all := p.child.Asleep()
	return ticks + uint64(p.output.seen.Load()), all
}

// giveUp asks the child for its stacks, then kills it.
func (p *process) giveUp(over <-chan struct{}) {
	p.child.Quit()
	select {
	case <-over:
	case <-time.After(quitGrace):
		p.child.Kill()
	}
}
