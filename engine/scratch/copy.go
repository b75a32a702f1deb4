// Package scratch makes copies of a repository's working files for child
// processes to run in, and restores what they change.
//
// Children are untrusted and may write anything in a copy. If they leave an orphan process, it may do so even while
// the copy is restored or removed. Files outside the copy do not change, whatever they do; package folder describes
// how that is achieved. What an orphan process changes while the copy is restored may stay changed. Package sandbox
// ends such processes.
//
// Originals are looked up by their paths. So children must not be able to write to them, nor to the folder that holds
// the copies, which TMPDIR names.
package scratch

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/mutantfuzz/mutantfuzz/internal/folder"
)

// Copy is a copy of a repository's working files in which children run, with a home and a folder for temporary files
// beside it. A copy serves one worker; its methods are for one goroutine at a time.
//
// Files are copied, not linked, because children write into them. Where the file system can share the blocks of both
// files until one changes, it does.
type Copy struct {
	root, base, tree string
	top              *entry // what base should hold
	size             int64  // see Size

	watch *watch // nil: Restore has to look for changes
	whole bool   // the last Restore restored everything, undisturbed

	// These two are about the current call of Restore.
	changed   bool // something had to be made or restored
	disturbed bool // a child changed a folder while it was restored
}

// clockGrain is more than the resolution of file systems' clocks. Restore waits this long after it has changed files.
// Otherwise a change right after it might give a file the same time and size as its stamp has, and not be seen.
const clockGrain = 10 * time.Millisecond

// namePrefix begins the name of the folder that holds a copy.
const namePrefix = "mutantfuzz-scratch-"

// New copies the tree at root. It leaves out what tests do not need, special files, and what cannot be read.
//
// Links are copied with their targets as they are, except that absolute links into the tree lead into the copy.
func New(root string) (*Copy, error) {
	base, err := os.MkdirTemp("", namePrefix)
	if err != nil {
		return nil, fmt.Errorf("cannot make a scratch copy: %w\nhint: set TMPDIR to a folder that can be written to", err)
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
		c.watch.quiet() // discards the events so far: all changes are our own
	}
	return c, nil
}

// within returns the path of abs relative to the root, if it is below it.
func (c *Copy) within(abs string) (rel string, ok bool) {
	rel, err := filepath.Rel(c.root, abs)
	return rel, err == nil && filepath.IsLocal(rel)
}

// Dir returns the path in the copy that corresponds to abs, an absolute path below the root. A path that is not below
// the root is returned as it is.
func (c *Copy) Dir(abs string) string {
	rel, ok := c.within(abs)
	if !ok {
		return abs
	}
	return filepath.Join(c.tree, rel)
}

// Size returns the size in bytes of all files of the copy together, as Restore leaves them.
func (c *Copy) Size() (bytes int64) { return c.size }

// Base returns the folder that holds the copy, the home and the temporary files: everything that children need to
// write to.
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
