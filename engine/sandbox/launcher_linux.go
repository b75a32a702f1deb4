package sandbox

import (
	"encoding/gob"
	"fmt"
	"os"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// request asks a launcher to do something: first, once, to confine itself, and then to start a child. The file
// descriptors of a child, from standard output on, come through the handover socket.
type request struct {
	Rules *Rules // nil: start a child
	Path  string
	Args  []string
	Env   []string
	Dir   string
}

// reply is the result of a request.
type reply struct {
	InForce []string
	Pid     int
	Fault   string // "": none
}

// A launcher has two sockets: standard input for requests, and handoverFd for descriptors.
const (
	handoverFd = 3
	maxFiles   = 16 // descriptors that come with one request at most
)

// launch is the main function of a launcher: it serves requests until there are no more. It must run on the first
// thread, which represents the process in /proc.
func launch() {
	runtime.LockOSThread()
	harden()
	requests, replies := gob.NewDecoder(os.Stdin), gob.NewEncoder(os.Stdin)
	for {
		var q request
		if requests.Decode(&q) != nil {
			return
		}
		var r reply
		if q.Rules != nil {
			inForce, err := confine(*q.Rules)
			if r.InForce = inForce; err != nil {
				r.Fault = err.Error()
			}
		} else {
			r = startChild(&q)
		}
		if replies.Encode(r) != nil {
			return
		}
	}
}

// startChild starts a child, as a child of the keeper. If it were one of the launcher, it would be lost when the
// launcher is killed.
func startChild(q *request) reply {
	files, err := receive()
	if err != nil {
		return reply{Fault: "receiving descriptors: " + err.Error()}
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		return reply{Fault: err.Error()}
	}
	defer null.Close()
	attr := &syscall.ProcAttr{
		Dir: q.Dir, Env: q.Env, Files: []uintptr{null.Fd()},
		Sys: &syscall.SysProcAttr{Setpgid: true, Cloneflags: syscall.CLONE_PARENT},
	}
	for _, fd := range files {
		attr.Files = append(attr.Files, uintptr(fd))
	}
	pid, err := syscall.ForkExec(q.Path, q.Args, attr)
	for _, fd := range files {
		_ = unix.Close(fd)
	}
	if err != nil {
		return reply{Fault: "fork/exec " + q.Path + ": " + err.Error()}
	}
	return reply{Pid: pid}
}

// receive returns the descriptors that belong to a request.
func receive() ([]int, error) {
	space := make([]byte, unix.CmsgSpace(4*maxFiles))
	_, n, _, _, err := unix.Recvmsg(handoverFd, make([]byte, 1), space, unix.MSG_CMSG_CLOEXEC)
	if err != nil {
		return nil, err
	}
	messages, err := unix.ParseSocketControlMessage(space[:n])
	if err != nil {
		return nil, err
	}
	if len(messages) != 1 {
		return nil, fmt.Errorf("%d control messages with files instead of one", len(messages))
	}
	return unix.ParseUnixRights(&messages[0])
}
