package worker

import (
	"errors"
	"fmt"
	"runtime"

	"golang.org/x/sys/unix"
)

// NewSandbox makes a sandbox. It fails where a path in r.Writable cannot be
// opened; that the kernel lacks something is no failure.
//
// Landlock and network namespaces belong to a thread, and children inherit
// them from the thread that forks. So a sandbox is a thread that confines
// itself once and then does nothing but start children, which costs nothing
// per child. The Go runtime starts no thread from one that a goroutine is
// locked to, so nothing else of the coordinator is confined by accident, and
// it ends the thread with its goroutine.
func NewSandbox(r Rules) (*Sandbox, error) {
	s := &Sandbox{starts: make(chan func())}
	ready := make(chan error)
	onOwnThread(func() {
		err := s.confine(r)
		ready <- err
		if err != nil {
			return
		}
		for start := range s.starts {
			start()
		}
	})
	if err := <-ready; err != nil {
		return nil, fmt.Errorf("cannot make a sandbox: %w", err)
	}
	return s, nil
}

// onOwnThread runs f on a thread that runs nothing else and ends with f. It is
// never the first one of the process: that cannot end, and stands for the whole
// process in /proc.
func onOwnThread(f func()) {
	go func() {
		runtime.LockOSThread()
		if unix.Gettid() != unix.Getpid() {
			f()
			return
		}
		locked := make(chan struct{})
		go func() {
			runtime.LockOSThread()
			close(locked)
			f()
		}()
		<-locked // as long as this goroutine holds the first thread, that one gets another
		runtime.UnlockOSThread()
	}()
}

// confine puts the calling thread under r, as far as the kernel can.
func (s *Sandbox) confine(r Rules) error {
	var isolated bool
	if r.Network && !r.Interfaces {
		isolated = isolateNetwork() == nil
	}
	lock := newLandlock(r.Files, r.Network && !isolated)
	if err := lock.restrict(r.Writable); err != nil {
		return err
	}
	for _, f := range []struct {
		name string
		is   bool
	}{
		{InForceFiles, lock.files != 0},
		{InForceSignals, lock.scopes != 0},
		{InForceNetwork, isolated},
		{InForceTCP, lock.network != 0},
	} {
		if f.is {
			s.inForce = append(s.inForce, f.name)
		}
	}
	return nil
}

// isolateNetwork moves the calling thread to a network namespace of its own
// with loopback up, so that servers that tests start for themselves work. It
// takes CAP_SYS_ADMIN: without, a namespace needs a user namespace too, which a
// process of several threads cannot enter.
func isolateNetwork() error {
	home, err := unix.Open("/proc/thread-self/ns/net", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(home) }()
	if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
		return err
	}
	if err := raiseLoopback(); err != nil {
		return errors.Join(err, unix.Setns(home, unix.CLONE_NEWNET))
	}
	return nil
}

// raiseLoopback brings up the loopback interface, which a new namespace has
// down.
func raiseLoopback() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(fd) }()
	lo, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	if err := unix.IoctlIfreq(fd, unix.SIOCGIFFLAGS, lo); err != nil {
		return err
	}
	lo.SetUint16(lo.Uint16() | unix.IFF_UP)
	return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, lo)
}
