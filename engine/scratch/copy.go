// Package scratch makes copies of a repository's working files for child
// processes to run in, and restores what they change.
//
// Children are untrusted and may write anything in a copy, also while it is
// restored or removed, if an orphan process is left. Whatever they do there, files
// outside do not change; package folder describes how. What an orphan process
// changes while the copy is restored may stay changed: package sandbox ends these
// processes.
//
// Originals are looked up by their paths: children must not be able to write to
// them, nor to the folder that holds the copies, which TMPDIR names.
package scratch

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/mutantfuzz/mutantfuzz/internal/folder"
)

// Copy is a copy of a repository's working files in which children run, with a
// home and a folder for temporary files beside it. One serves one worker; its
// methods are for one goroutine at a time.
//
// Files are copied, not linked: children write into them. Where the file system
// can share blocks until then, it does.
type Copy struct {
	root, base, tree string
	top              *entry // base
	size             int64

	watch *watch // nil: changes have to be looked for
	whole bool   // nothing was changed when watch was last asked

	// In this call of Restore.
	changed   bool // a child had changed something
	disturbed bool // and changed more while it was restored
}

// clockGrain is more than the resolution of file systems' clocks. Restore waits so
// long after it has changed files: a later change to a file with the same time and
// size as its stamp would not be seen.
const clockGrain = 10 * time.Millisecond

// namePrefix begins the name of the folder that holds a copy.
const namePrefix = "mutantfuzz-scratch-"

// New copies the tree at root. What tests do not need is left out, and so are special
// files and what cannot be read.
//
// Links are copied with their targets as they are, except that absolute links into
// the tree lead into the copy.
func New(root string) (*Copy, error) {
	base, err := os.MkdirTemp("", namePrefix)
	if err != nil {
		return nil, fmt.Errorf("cannot make a scratch copy: %w\nhint: TMPDIR names the folder for it", err)
	}
	c, err := newCopy(root, base)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("cannot copy %s to a scratch folder: %w", root, err), folder.RemoveAll(base))
	}
	return c, nil
}

func newCopy(root, base string) (*Copy, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	// Programs compare paths with the result of Getwd, which has no links.
	if base, err = filepath.EvalSymlinks(base); err != nil {
		return nil, err
	}
	// The copy has the name of the original, because some tests check that name.
	name := filepath.Base(root)
	if name == string(filepath.Separator) {
		name = "root"
	}
	c := &Copy{root: root, base: base, tree: filepath.Join(base, "tree", name)}
	if err := c.list(name); err != nil {
		return nil, err
	}
	empty, err := folder.Make(base)
	if err != nil {
		return nil, err
	}
	c.watch = newWatch(empty)
	empty.Close()
	if err := c.Restore(); err != nil {
		c.unwatch()
		return nil, err
	}
	if c.watch != nil {
		c.watch.quiet() // all changes so far are our own
	}
	return c, nil
}

// within returns the path of abs relative to the root, if it is below it.
func (c *Copy) within(abs string) (rel string, ok bool) {
	rel, err := filepath.Rel(c.root, abs)
	return rel, err == nil && filepath.IsLocal(rel)
}

// Dir returns the path in the copy of abs, an absolute path below the root. A path
// that is not below it is returned as it is.
func (c *Copy) Dir(abs string) string {
	rel, ok := c.within(abs)
	if !ok {
		return abs
	}
	return filepath.Join(c.tree, rel)
}

// Size returns how many bytes the files of the copy have after Restore.
func (c *Copy) Size() (bytes int64) { return c.size }

// Base returns the folder that holds the copy, the home and the temporary
// files: all that children need to write to.
func (c *Copy) Base() string { return c.base }

// Home returns the home folder for children. Restore empties it.
func (c *Copy) Home() string { return filepath.Join(c.base, "home") }

// Tmp returns the folder for children's temporary files. Restore empties it.
func (c *Copy) Tmp() string { return filepath.Join(c.base, "tmp") }

// Close removes the copy.
func (c *Copy) Close() error {
	c.unwatch()
	return folder.RemoveAll(c.base)
}
