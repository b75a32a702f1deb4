package sandbox

import (
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Sandbox starts children under rules, one at a time. It is made with New and closed with Close, which ends a child
// that is still running. Rules that the kernel cannot enforce are not enforced; see InForce.
type Sandbox struct {
	rules   Rules
	guard   *Guard
	inForce []string

	mu   sync.Mutex           // held from the start of a child until it has ended
	pair atomic.Pointer[pair] // nil: closed or lost; only New and Start make a new pair
}

// New makes a sandbox. It fails if a path in r.Writable cannot be opened, but not if the kernel cannot enforce a rule.
// The guard may be nil; close it after the sandbox.
func New(g *Guard, r Rules) (*Sandbox, error) {
	s := &Sandbox{rules: r, guard: g}
	p, err := s.ready()
	if err != nil {
		return nil, fmt.Errorf("cannot make a sandbox: %w", err)
	}
	s.inForce = p.inForce
	return s, nil
}

// InForce returns what is enforced, as constants InForce..., in the order of their declaration.
func (s *Sandbox) InForce() []string { return s.inForce }

// Close ends the sandbox and everything that it has started.
func (s *Sandbox) Close() {
	if p := s.pair.Load(); p != nil {
		s.lose(p)
	}
}

// ready returns the processes of the sandbox. It starts them if there are none.
func (s *Sandbox) ready() (*pair, error) {
	if p := s.pair.Load(); p != nil {
		return p, nil
	}
	p, err := startPair(s.guard, s.rules)
	s.pair.Store(p)
	return p, err
}

// lose ends p and forgets it: one of its processes was killed or stopped, or the sandbox is closed.
func (s *Sandbox) lose(p *pair) {
	s.pair.CompareAndSwap(p, nil)
	p.close()
}

// Start starts cmd in the sandbox, after waiting for an earlier child to end. Of cmd it uses the path, arguments,
// environment, folder, extra files and outputs, which must be files.
func (s *Sandbox) Start(cmd *exec.Cmd) (*Child, error) {
	s.mu.Lock()
	child, err := s.start(cmd)
	if errors.Is(err, errLost) { // an earlier child may have caused this, so we try again with a new pair
		child, err = s.start(cmd)
	}
	if err != nil {
		s.mu.Unlock()
	}
	return child, err
}

func (s *Sandbox) start(cmd *exec.Cmd) (*Child, error) {
	p, err := s.ready()
	if err != nil {
		return nil, err
	}
	pid, err := p.launch(cmd)
	if errors.Is(err, errLost) {
		s.lose(p)
	}
	if err != nil {
		return nil, err
	}
	return &Child{group: group{pid}, Wait: func(dead func()) Ended {
		defer s.mu.Unlock()
		ended, err := p.await(pid, dead)
		if err != nil {
			s.lose(p)
		}
		return ended
	}}, nil
}

// errLost says that a process of the sandbox is gone or does not answer.
var errLost = errors.New("a process of the sandbox was killed, or does not answer")

// launchPatience is how long a launcher may take to answer. One that takes longer counts as stopped.
const launchPatience = 30 * time.Second

// pair is a keeper and its launcher, as the coordinator sees them.
type pair struct {
	inForce []string

	keeper  *exec.Cmd
	closing sync.Once

	// These are our ends of sockets.
	keepers   *os.File // for orders to the keeper and its answers; closing it makes the keeper end everything
	launchers *os.File // for requests to the launcher and its replies
	handover  *os.File // for passing descriptors to the launcher

	requests *gob.Encoder
	replies  *gob.Decoder
}

// startPair starts a keeper and its launcher, and makes the launcher confine itself.
func startPair(g *Guard, r Rules) (*pair, error) {
	p := &pair{keeper: ourselves(keeperName)}
	theirs, err := p.connect()
	defer closeAll(theirs)
	if err != nil {
		p.disconnect()
		return nil, err
	}
	p.keeper.Stdin, p.keeper.Stderr = theirs[0], os.Stderr
	p.keeper.ExtraFiles = []*os.File{theirs[1], theirs[2], g.handle()}
	if err := p.keeper.Start(); err != nil {
		p.disconnect()
		return nil, err
	}
	reply, err := p.ask(request{Rules: &r})
	if err != nil {
		p.close()
		return nil, err
	}
	p.inForce = append([]string{InForceProcesses}, reply.InForce...)
	return p, nil
}

// connect makes the sockets and returns the ends for the keeper and the launcher.
func (p *pair) connect() (theirs []*os.File, err error) {
	for _, ours := range []**os.File{&p.keepers, &p.launchers, &p.handover} {
		ends, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
		if err != nil {
			return theirs, os.NewSyscallError("socketpair", err)
		}
		_ = unix.SetNonblock(ends[0], ours != &p.handover) // for deadlines
		*ours = os.NewFile(uintptr(ends[0]), "sandbox")
		theirs = append(theirs, os.NewFile(uintptr(ends[1]), "sandbox"))
	}
	p.requests, p.replies = gob.NewEncoder(p.launchers), gob.NewDecoder(p.launchers)
	return theirs, nil
}

// ask sends the launcher a request. It returns the reply, or the error that the launcher replies with.
func (p *pair) ask(q request) (reply, error) {
	if err := p.requests.Encode(q); err != nil {
		return reply{}, fmt.Errorf("%w: %w", errLost, err)
	}
	var r reply
	_ = p.launchers.SetReadDeadline(time.Now().Add(launchPatience))
	if err := p.replies.Decode(&r); err != nil {
		return r, fmt.Errorf("%w: %w", errLost, err)
	}
	if r.Fault != "" {
		return r, errors.New(r.Fault)
	}
	return r, nil
}

// launch makes the launcher start cmd and the keeper watch it.
func (p *pair) launch(cmd *exec.Cmd) (pid int, err error) {
	out, ok := cmd.Stdout.(*os.File)
	errs, same := cmd.Stderr.(*os.File)
	if !ok || !same {
		return 0, errors.New("standard output and error of a sandboxed child must be files")
	}
	files := append([]*os.File{out, errs}, cmd.ExtraFiles...)
	var fds []int
	for _, f := range files {
		fds = append(fds, int(f.Fd()))
	}
	err = unix.Sendmsg(int(p.handover.Fd()), []byte{0}, unix.UnixRights(fds...), nil, unix.MSG_NOSIGNAL)
	runtime.KeepAlive(files)
	if err != nil {
		return 0, fmt.Errorf("%w: %w", errLost, err)
	}
	r, err := p.ask(request{Path: cmd.Path, Args: cmd.Args, Env: cmd.Environ(), Dir: cmd.Dir})
	if err != nil {
		return 0, err
	}
	_ = send(p.keepers, r.Pid) // if the child has killed the keeper, await notices
	return r.Pid, nil
}

// Bounds on waiting for a keeper.
const (
	keeperLook     = time.Second // how often we look whether a child has ended
	keeperPatience = 60          // how many looks after that the keeper may take to answer: longer than endBound
)

// await waits until the child and all its orphan processes have ended. It then calls dead, and makes the keeper release
// the child's process ID.
func (p *pair) await(pid int, dead func()) (Ended, error) {
	left, err := p.answer(pid)
	dead()
	if err == nil {
		err = send(p.keepers, orderRelease)
	}
	status := 0
	if err == nil {
		status, err = p.answer(pid)
	}
	if err != nil {
		return Ended{Code: -1, Lost: true}, err
	}
	ended := endedAs(syscall.WaitStatus(status))
	ended.Left = left != 0
	return ended, nil
}

// answer waits for the keeper's answer about a child. If the child has ended and the keeper still does not answer, it
// counts as stopped, and the error is errLost.
func (p *pair) answer(pid int) (int, error) {
	for late := 0; late < keeperPatience; {
		_ = p.keepers.SetReadDeadline(time.Now().Add(keeperLook))
		n, err := receiveFrom(p.keepers)
		switch {
		case !errors.Is(err, os.ErrDeadlineExceeded):
			return n, err
		case hasEnded(pid):
			late++
		}
	}
	return 0, errLost
}

// close ends both processes and everything that they have started.
func (p *pair) close() {
	p.closing.Do(func() {
		p.disconnect()
		stopped := time.AfterFunc(keeperLook*keeperPatience, func() { _ = p.keeper.Process.Kill() })
		_ = p.keeper.Wait() // it has ended, whatever its status
		stopped.Stop()
	})
}

func (p *pair) disconnect() { closeAll([]*os.File{p.keepers, p.launchers, p.handover}) }

// closeAll closes files. Some of them may be nil.
func closeAll(files []*os.File) {
	for _, f := range files {
		f.Close()
	}
}

// send sends n, which is a message between coordinator and keeper.
func send(to io.Writer, n int) error {
	return binary.Write(to, binary.LittleEndian, uint32(n))
}

// receiveFrom receives a message that send has sent.
func receiveFrom(from io.Reader) (int, error) {
	var n uint32
	err := binary.Read(from, binary.LittleEndian, &n)
	return int(n), err
}
