package sandbox

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// The names of keepers and launchers, as their first argument and in the output of ps.
const (
	keeperName   = "mutantfuzz-keeper"
	launcherName = "mutantfuzz-launcher"
)

// Keepers, launchers and guards run this same program. An init function recognises them, so that any program that
// imports this package can start them, and its main function need not know of it.
func init() {
	if len(os.Args) == 0 {
		return
	}
	switch os.Args[0] {
	case keeperName:
		keep()
	case launcherName:
		launch()
	case guardName:
		standGuard(os.Args[1])
	default:
		return
	}
	os.Exit(0)
}

// ourselves returns a command that runs this program under another name, without our environment. It survives a signal
// to our process group.
func ourselves(args ...string) *exec.Cmd {
	attr := &syscall.SysProcAttr{Setsid: true}
	return &exec.Cmd{Path: "/proc/self/exe", Args: args, Env: []string{}, Dir: "/", SysProcAttr: attr}
}

// The coordinator gives a keeper two orders for each child. The first is the child's process ID: wait until the child
// has ended, end the processes that it has left, and answer how many of them cannot be ended. The second is
// orderRelease: reap the child, so that its process ID may be used again, and answer with its wait status.
const orderRelease = 0

// keeper is the process that all processes of a sandbox descend from.
type keeper struct {
	launcher int        // process ID; 0: it has ended
	ending   sync.Mutex // one goroutine at a time ends processes
}

// keep is the main function of a keeper: it carries out orders until there are no more.
func keep() {
	runtime.LockOSThread() // the launcher dies with the thread that started it
	harden()
	// Orphan processes below this process become its children.
	_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
	k := new(keeper)
	if err := k.startLauncher(); err != nil {
		fmt.Fprintf(os.Stderr, "mutantfuzz: cannot start the process that starts tests: %v\n", err)
		return
	}
	for child := 0; ; {
		order, err := receiveFrom(os.Stdin)
		if err != nil {
			break // the coordinator has closed the sandbox, or was killed
		}
		if order != orderRelease {
			child = order
			go k.watch(child)
			continue
		}
		var status unix.WaitStatus
		_, _ = unix.Wait4(child, &status, unix.WALL, nil)
		_ = send(os.Stdin, int(status)) // if this fails, so does reading the next order
	}
	k.end(0)
	if k.launcher != 0 {
		_ = unix.Kill(k.launcher, unix.SIGKILL)
	}
}

// harden makes this process ignore the usual signals, keeps others from accessing its memory, and keeps it from passing
// on its own descriptors.
func harden() {
	signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGPIPE)
	hide()
	for fd := range 6 {
		unix.CloseOnExec(fd)
	}
}

// hide keeps other processes of the same user from reading the memory and the environment of this one. Processes that
// may trace any process still can.
func hide() { _ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0) }

// startLauncher starts the launcher with the sockets that the coordinator has made for it. It closes the keeper's own
// descriptors of them, so that the sockets are closed when the launcher ends.
func (k *keeper) startLauncher() error {
	files := []*os.File{os.NewFile(3, "requests"), os.NewFile(4, "handover")}
	defer closeAll(files)
	cmd := ourselves(launcherName)
	cmd.Stdin, cmd.Stderr = files[0], os.Stderr
	cmd.ExtraFiles = files[1:]
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
	if err := cmd.Start(); err != nil {
		return err
	}
	k.launcher = cmd.Process.Pid
	return cmd.Process.Release()
}

// watch waits until a child has ended, ends its orphan processes, and answers the coordinator. Meanwhile it reaps all
// other processes that end, as the init process does. It does not reap the child itself, so that no other process gets
// its process ID.
func (k *keeper) watch(pid int) {
	for {
		_ = unix.Waitid(unix.P_ALL, 0, nil, unix.WEXITED|unix.WNOWAIT|unix.WALL, nil) // fails only if interrupted
		if hasEnded(pid) {
			break
		}
		for _, other := range childrenOfSelf() {
			if other != pid {
				k.reap(other)
			}
		}
	}
	_ = send(os.Stdin, k.end(pid)) // if this fails, so does reading the next order
}

// endBound is how long ending orphan processes may take. A process that is still there then hangs in the kernel, for
// instance because of a disk.
const endBound = 30 * time.Second

// end kills all descendants of this process except the launcher, until there are none or endBound is over. It returns
// how many are left. ended is a child that has ended, or 0: end kills its process group first, and does not reap it.
//
// It is enough to kill the children of this process again and again: orphan processes become its children, and only
// this process reaps them.
func (k *keeper) end(ended int) (left int) {
	k.ending.Lock()
	defer k.ending.Unlock()
	if ended > 0 {
		_ = unix.Kill(-ended, unix.SIGKILL)
	}
	for began := time.Now(); ; time.Sleep(50 * time.Microsecond) {
		left = 0
		for _, pid := range childrenOfSelf() {
			if pid == k.launcher || pid == ended {
				continue
			}
			left++
			_ = unix.Kill(pid, unix.SIGKILL)
			k.reap(pid)
		}
		if left == 0 || time.Since(began) > endBound {
			return left
		}
	}
}

// reap reaps a child of this process if it has ended.
func (k *keeper) reap(pid int) {
	if dead, _ := unix.Wait4(pid, nil, unix.WNOHANG|unix.WALL, nil); dead == k.launcher {
		k.launcher = 0 // another process may get its ID
	}
}

// childrenOfSelf returns the process IDs of this process's children. All of them belong to its first thread, which
// started the launcher and lives as long as the process.
func childrenOfSelf() []int {
	data, err := os.ReadFile(fmt.Sprintf("/proc/self/task/%d/children", os.Getpid()))
	if err != nil {
		return childrenByParent(os.Getpid()) // not every kernel has this file
	}
	var pids []int
	for _, field := range strings.Fields(string(data)) {
		if pid, err := strconv.Atoi(field); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// childrenByParent returns the process IDs of a process's children. It looks at the parents of all processes.
func childrenByParent(parent int) []int {
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is right
	var pids []int
	for _, name := range stats {
		if s, err := readStat(name); err != nil || s.parent != parent {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name))); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// hasEnded reports whether a process has ended, even if it has not been reaped yet.
func hasEnded(pid int) bool {
	s, err := readStat(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || s.ended()
}
