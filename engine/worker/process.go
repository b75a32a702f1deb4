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
	group   *group
	output  *headTail
	readers sync.WaitGroup
	ends    []*os.File // of our pipes; closed by their readers
	mark    string     // of the child and all that comes from it; "": none
}

// start starts cmd as the leader of a process group, with pipes for output
// and events. The pipes are our own, not those of os/exec, so that they can be
// read to the end even if a grandchild keeps them open.
func start(cmd *exec.Cmd, c *Command) (*process, error) {
	limit := c.OutputLimit
	if limit == 0 {
		limit = 64 << 10
	}
	p := &process{cmd: cmd, group: newGroup(cmd), output: newHeadTail(limit)}
	theirs, err := p.connect(c.OnEvent != nil)
	if err == nil {
		p.child, err = c.Sandbox.Start(cmd)
	}
	closeAll(theirs)
	if err != nil {
		closeAll(p.ends)
		p.group.close()
		return nil, err
	}
	p.group.started(p.child.Pid)
	p.read(0, func(r io.Reader) { _, _ = io.Copy(p.output, r) }) // ends early only when drain cuts it off
	if c.OnEvent != nil {
		p.read(1, c.receive)
	}
	return p, nil
}

// connect makes the pipe for output and, if wanted, the one for events, and
// returns the child's ends of those made.
func (p *process) connect(events bool) (theirs []*os.File, err error) {
	pipe := func() (*os.File, error) {
		r, w, err := os.Pipe()
		if err == nil {
			p.ends, theirs = append(p.ends, r), append(theirs, w)
		}
		return w, err
	}
	out, err := pipe()
	if err != nil {
		return theirs, err
	}
	p.cmd.Stdout, p.cmd.Stderr = out, out
	if !events {
		return theirs, nil
	}
	w, err := pipe()
	if err != nil {
		return theirs, err
	}
	fd, err := inherit(p.cmd, w)
	p.cmd.Env = append(p.cmd.Env, wire.EnvEvents+"="+fd)
	return theirs, err
}

func closeAll(files []*os.File) {
	for _, f := range files {
		f.Close()
	}
}

// read has a reader work on the i-th pipe until it is at its end.
func (p *process) read(i int, reader func(io.Reader)) {
	p.readers.Go(func() {
		defer p.ends[i].Close()
		reader(p.ends[i])
	})
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
		p.group.kill()
	})
	if ended.Lost {
		sandbox.Sweep(p.mark)
	}
	p.group.close()
	p.drain()
	return ended, cause
}

// drain waits for the readers. A process that has left the group may hold a pipe
// open: it is killed if it can be found, and the readers are given a deadline.
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
		sandbox.Sweep(p.mark)
	}
	deadline := time.Now().Add(drainGrace)
	for _, end := range p.ends {
		// Fails if the reader is done, and on Windows, where pipes have no
		// deadlines; there no process can leave the job and hold one open.
		_ = end.SetReadDeadline(deadline)
	}
	<-over
}

// watch ends the child when it has to be, and returns the cause; Exited if
// the child is over first.
func (p *process) watch(ctx context.Context, c *Command, over <-chan struct{}) Cause {
	var timeout <-chan time.Time
	if c.Timeout > 0 {
		timer := time.NewTimer(c.Timeout)
		defer timer.Stop()
		timeout = timer.C
	}
	var tick <-chan time.Time
	var quiet silence
	if c.Silence > 0 && c.State != nil {
		quiet = silence{limit: c.Silence, longest: c.Longest, idle: cmp.Or(c.Asleep, c.Silence/4), since: time.Now(), asleep: p.asleep}
		ticker := time.NewTicker(max(quiet.idle/4, 5*time.Millisecond))
		defer ticker.Stop()
		tick = ticker.C
	}
	var nap <-chan time.Time
	var doze doze
	if c.OnRest != nil {
		ticker := time.NewTicker(napLook)
		defer ticker.Stop()
		nap = ticker.C
	}
	for {
		select {
		case <-over:
			return Exited
		case <-ctx.Done():
			p.group.kill()
			return Cancelled
		case <-nap:
			c.OnRest(doze.look(p.group.resting()))
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

// asleep reports whether every thread of the child sleeps, and the sum of its processor time and
// the bytes it has written: a child that waits for its output to be read is at work.
func (p *process) asleep() (done uint64, all bool) {
	ticks, all := p.group.asleep()
	return ticks + uint64(p.output.seen.Load()), all
}

// giveUp asks the child for its stacks, then kills it.
func (p *process) giveUp(over <-chan struct{}) {
	p.group.quit()
	select {
	case <-over:
	case <-time.After(quitGrace):
		p.group.kill()
	}
}
