package sandbox

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"github.com/mutantfuzz/mutantfuzz/internal/folder"
)

// guardName is what a guard is called, in its first argument and for ps.
const guardName = "mutantfuzz-guard"

// markVar is the variable by which the descendants of a child are recognised,
// whatever group or session they move to, as long as they keep their environment.
const markVar = "MUTANTFUZZ_CHILD"

// Guard leaves no orphan process and no folder of a run behind, even if the
// coordinator is killed. It is a process that waits for the coordinator and the
// keepers of its sandboxes to end, which have then ended all that they started. It
// kills the processes that still have the run's mark in their environment, such as
// those that the go command started, and removes the run's folders.
type Guard struct {
	mark     string // beginning of the marks of the run
	children atomic.Int64
	alive    *os.File // pipe for the names of folders; it ends with the coordinator and all keepers
	process  *exec.Cmd
}

// NewGuard starts a guard. From then on other processes of the user cannot read
// the memory and the environment of this one.
func NewGuard() (*Guard, error) {
	hide()
	wait, alive, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer wait.Close()
	g := &Guard{mark: markVar + "=" + rand.Text() + ".", alive: alive}
	g.process = ourselves(guardName, g.mark)
	g.process.Stdin = wait
	if err := g.process.Start(); err != nil {
		alive.Close()
		return nil, fmt.Errorf("cannot start a guard for child processes: %w", err)
	}
	return g, nil
}

// Env returns the variable that marks a process as one of the run.
// Children get a mark of their own from Run.
func (g *Guard) Env() []string { return []string{g.mark} }

// Bequeath makes the guard remove a folder in the end if the coordinator has not.
// dir is an absolute path. If g is nil it does nothing.
func (g *Guard) Bequeath(dir string) {
	if g != nil {
		_, _ = g.alive.WriteString(dir + "\x00") // fails if the guard has been killed
	}
}

// Close kills what is left of the run's children, removes what is left of its
// folders and ends the guard.
func (g *Guard) Close() error {
	g.alive.Close()
	return g.process.Wait()
}

// handle keeps the guard waiting as long as any process has it open.
func (g *Guard) handle() *os.File {
	if g == nil {
		return nil
	}
	return g.alive
}

// Next returns the mark of a further child, for its environment.
func (g *Guard) Next() string { return g.mark + strconv.FormatInt(g.children.Add(1), 10) + "." }

// standGuard is what a guard does: it reads names of folders until standard
// input ends.
func standGuard(mark string) {
	harden()
	folders, _ := io.ReadAll(os.Stdin) // a broken pipe is an end too
	Sweep(mark)
	for name := range bytes.SplitSeq(folders, []byte{0}) {
		if filepath.IsAbs(string(name)) {
			_ = folder.RemoveAll(string(name)) // there is nobody to report an error to
		}
	}
}

// Bounds of a sweep. A killed process may take a moment to end, and one that
// forks all the time takes several rounds.
const (
	sweepRounds = 200
	sweepPause  = 5 * time.Millisecond
)

// Sweep kills the processes that have mark in their environment, and returns
// when there are none left. With an empty mark it does nothing.
func Sweep(mark string) {
	if mark == "" {
		return // it is in every environment
	}
	for range sweepRounds {
		environs, _ := filepath.Glob("/proc/[0-9]*/environ") // the pattern is right
		found := false
		for _, name := range environs {
			found = killMarked(name, []byte(mark)) || found
		}
		if !found {
			return
		}
		time.Sleep(sweepPause)
	}
}

// killMarked kills the process of a file of proc(5) if its environment has
// mark, and reports whether it had.
func killMarked(environ string, mark []byte) bool {
	pid, err := strconv.Atoi(filepath.Base(filepath.Dir(environ)))
	if err != nil {
		return false
	}
	// The descriptor stays with this process even if its ID is given to another.
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return false
	}
	defer func() { _ = unix.Close(fd) }()
	env, err := os.ReadFile(environ)
	if err != nil || !bytes.HasPrefix(env, mark) && !bytes.Contains(env, append([]byte{0}, mark...)) {
		return false
	}
	return unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0) == nil
}
