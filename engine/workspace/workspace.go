// Package workspace is where an analysis works: a temporary folder, slots for children, and a guard that leaves nothing of
// them behind.
package workspace

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/pool"
	"github.com/mutantfuzz/mutantfuzz/engine/sandbox"
)

// Workspace is made by New, and closed with Close. Its methods are for one caller at a time.
type Workspace struct {
	config pool.Config
	in     string         // where the temporary folder is made; empty: where the system has them
	folder string         // temporary; created on first use
	slots  *pool.Pool     // opened on first use
	guard  *sandbox.Guard // nil: there is none
}

// New returns a workspace with slots as described, but for Work and Guard, which are its own. It makes nothing yet. In GitHub
// Actions, as env says, the temporary folder is below the runner's own: tests that are allowed to write to shared temporary
// folders cannot write there.
func New(env []string, slots pool.Config) *Workspace {
	w := &Workspace{config: slots}
	for _, kv := range env {
		if dir, ok := strings.CutPrefix(kv, "RUNNER_TEMP="); ok && filepath.IsAbs(dir) {
			w.in = dir
		}
	}
	return w
}

// Guard starts the guard, which ends the processes of the workspace if we are killed. It comes before all else. The variables
// that it returns mark other processes as some of these, such as those of the go command.
func (w *Workspace) Guard() (mark []string, err error) {
	if w.guard, err = sandbox.NewGuard(); err != nil {
		return nil, err
	}
	return w.guard.Env(), nil
}

// Folder makes a folder whose name begins with a word.
func (w *Workspace) Folder(word string) (string, error) {
	all, err := w.temporary()
	if err != nil {
		return "", err
	}
	return os.MkdirTemp(all, word+"-")
}

// temporary is the folder for all that is temporary.
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

// Slots are the slots for children, the same at every call.
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

// InForce returns the rules that children ran under, in the words of results.json; nil: there were none.
func (w *Workspace) InForce() []string {
	if w.slots == nil {
		return nil
	}
	return w.slots.InForce()
}

// Close ends what is left of processes, and removes all folders.
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
