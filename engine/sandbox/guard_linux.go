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

// guardName is the name of a guard, as its first argument and in the output of ps.
const guardName = "mutantfuzz-guard"

// markVar is the environment variable by which the descendants of a child are recognised. It works as long as they keep
// their environment, whatever group or session they move to.
const markVar = "MUTANTFUZZ_CHILD"

// Guard makes sure that a run leaves no orphan process and no folder behind, even if the coordinator is killed. It is a
// process that waits until the coordinator and the keepers of its sandboxes have ended. Keepers end everything that
// they started. The guard then kills the processes that still have the run's mark in their environment, such as those
// that the go command started, and removes the run's folders.
type Guard struct {
	mark     string // beginning of all marks of the run
	children atomic.Int64
	alive    *os.File // pipe for the names of folders; the guard reads its end when coordinator and keepers have ended
	process  *exec.Cmd
}

// NewGuard starts a guard. It also keeps other processes of the user from reading the memory and the environment of
// this one.
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

// Env returns the environment variable that marks a process as one of the run. Children get marks of their own; see
// Next.
func (g *Guard) Env() []string { return []string{g.mark} }

// Bequeath makes the guard remove the folder dir in the end, if the coordinator has not done so. dir is an absolute
// path. If g is nil, Bequeath does nothing.
func (g *Guard) Bequeath(dir string) {
	if g != nil {
		_, _ = g.alive.WriteString(dir + "\x00") // fails if the guard has been killed
	}
}

// Close ends the guard, which first kills the processes of the run that are left and removes the folders that are left.
func (g *Guard) Close() error {
	g.alive.Close()
	return g.process.Wait()
}

// handle returns a file that keeps the guard waiting as long as any process has it open; nil if g is nil.
func (g *Guard) handle() *os.File {
	if g == nil {
		return nil
	}
	return g.alive
}

// Next returns the mark of another child, for its environment.
func (g *Guard) Next() string { return g.mark + strconv.FormatInt(g.children.Add(1), 10) + "." }

// standGuard is the main function of a guard: it reads names of folders until standard input ends. Then it kills what
// has the mark and removes the folders.
func standGuard(mark string) {
	harden()
	folders, _ := io.ReadAll(os.Stdin) // an error ends the input too
	Sweep(mark)
	for name := range bytes.SplitSeq(folders, []byte{0}) {
		if filepath.IsAbs(string(name)) {
			_ = folder.RemoveAll(string(name)) // nobody is left to report an error to
		}
	}
}

// Bounds on a sweep. A killed process may take a moment to end, and one that forks all the time takes several rounds.
const (
	sweepRounds = 200
	sweepPause  = 5 * time.Millisecond
)

// Sweep kills the processes that have mark in their environment. It returns when none are left, or after sweepRounds
// rounds. With an empty mark it does nothing.
func Sweep(mark string) {
	if mark == "" {
		return // every environment contains it
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

// killMarked kills a process if its environment has mark, and reports whether it did. environ is the process's file of
// that name, see proc(5).
func killMarked(environ string, mark []byte) bool {
	pid, err := strconv.Atoi(filepath.Base(filepath.Dir(environ)))
	if err != nil {
		return false
	}
	// The descriptor stays with the process even if another process gets its ID.
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
