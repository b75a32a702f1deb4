// Package workspace provides what an analysis works with: a temporary folder, slots for child processes, and a guard
// that leaves neither of them behind.
package workspace

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/pool"
	"github.com/mutantfuzz/mutantfuzz/engine/sandbox"
)

// Workspace is made with New and closed with Close. Its methods are for one caller at a time.
type Workspace struct {
	config pool.Config
	in     string         // where the temporary folder is made; empty: the system's default
	folder string         // the temporary folder; made on first use, empty before
	slots  *pool.Pool     // opened on first use
	guard  *sandbox.Guard // nil: there is none
}

// New returns a workspace with slots as configured; their Work and Guard are those of the workspace. It makes nothing
// yet. If env has RUNNER_TEMP, as in GitHub Actions, the temporary folder is below the one that this names: tests that
// may write to shared temporary folders cannot write there.
func New(env []string, slots pool.Config) *Workspace {
	w := &Workspace{config: slots}
	for _, kv := range env {
		if dir, ok := strings.CutPrefix(kv, "RUNNER_TEMP="); ok && filepath.IsAbs(dir) {
			w.in = dir
		}
	}
	return w
}

// Guard starts the guard, which ends the processes of the workspace if this process is killed. Call it first. The
// environment variables that it returns mark other processes, such as the go command, as part of the workspace.
func (w *Workspace) Guard() (mark []string, err error) {
	if w.guard, err = sandbox.NewGuard(); err != nil {
		return nil, err
	}
	return w.guard.Env(), nil
}

// Folder makes a folder whose name begins with word, and returns its path.
func (w *Workspace) Folder(word string) (string, error) {
	all, err := w.temporary()
	if err != nil {
		return "", err
	}
	return os.MkdirTemp(all, word+"-")
}

// temporary returns the temporary folder, which it makes on the first call.
func (w *Workspace) temporary() (string, error) {
	if w.folder != "" {
		return w.folder, nil
	}
	dir, err := os.MkdirTemp(w.in, "mutantfuzz-")
	if err != nil {
		return "", err
	}
	w.folder, err = filepath.EvalSymlinks(dir)
	w.guard.Bequeath(w.folder)
	return w.folder, err
}

// Slots returns the slots for children. Every call returns the same.
func (w *Workspace) Slots() (*pool.Pool, error) {
	if w.slots != nil {
		return w.slots, nil
	}
	c := w.config
	var err error
	if c.Work, err = w.temporary(); err != nil {
		return nil, err
	}
	c.Guard = w.guard
	w.slots, err = pool.New(c)
	return w.slots, err
}

// InForce returns the rules that children ran under, as results.json names them; nil: none.
func (w *Workspace) InForce() []string {
	if w.slots == nil {
		return nil
	}
	return w.slots.InForce()
}

// Close ends the processes that are left and removes all folders.
func (w *Workspace) Close() {
	if w.slots != nil {
		w.slots.Close()
	}
	if w.guard != nil {
		_ = w.guard.Close()
	}
	if w.folder != "" {
		os.RemoveAll(w.folder)
	}
}
