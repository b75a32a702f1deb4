package sandbox

import (
	"encoding/gob"
	"os"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// request is what a launcher is asked to do: to confine itself, once, and then
// to start children, whose descriptors from standard output on come by way of
// the socket.
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

// The socket of a launcher besides that at its standard input, and how many
// descriptors a request may bring.
const (
	handoverFd = 3
	maxFiles   = 16
)

// launch is the work of a launcher: it serves requests until there are no more.
// It has to run on the first thread, which represents the process in /proc.
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

// startChild starts a child, as a child of the keeper: if it were one of the
// launcher, killing the launcher would lose it.
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

// receive takes the descriptors that belong to a request.
func receive() ([]int, error) {
	space := make([]byte, unix.CmsgSpace(4*maxFiles))
	_, n, _, _, err := unix.Recvmsg(handoverFd, make([]byte, 1), space, unix.MSG_CMSG_CLOEXEC)
	if err != nil {
		return nil, err
	}
	messages, err := unix.ParseSocketControlMessage(space[:n])
	if err != nil || len(messages) != 1 {
		return nil, err
	}
	return unix.ParseUnixRights(&messages[0])
}
