// Package scratch makes copies of a repository's working files for child
// processes to run in, and puts right what they change.
//
// Children write where they like in a copy, and not all mean well: one that has
// left its process group may still be at it while the copy is restored or
// removed. Whatever it does there, files outside do not change. Package folder
// sees to that; see there for how. What a process that is still alive changes
// in the copy while it is restored may stay there: to end such processes is the
// business of who started them.
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
	leftOut          []string

	watch *watch // nil: changes have to be looked for
	whole bool   // as it should be when watch was last asked

	// In this call of Restore.
	changed   bool // something had been changed
	disturbed bool // and more while it was made anew
}

// settle is more than the grain of file systems' clocks. A change within the
// same tick as the stamp, and of the same size, would not be seen.
const settle = 10 * time.Millisecond

// New copies the tree at root, without version control, our own output and what
// skip (nil: nothing) says of a slash-separated path relative to root. Special
// files and what cannot be read are left out too; see LeftOut.
//
// Links are copied with their targets as they are, wherever those lead, but for
// absolute ones into the tree: they lead into the copy.
func New(root string, skip func(rel string) bool) (*Copy, error) {
	base, err := os.MkdirTemp("", "mutantfuzz-scratch-")
	if err != nil {
		return nil, fmt.Errorf("cannot make a scratch copy: %w\nhint: TMPDIR names the folder for it", err)
	}
	c, err := newCopy(root, base, skip)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("cannot copy %s to a scratch folder: %w", root, err), folder.RemoveAll(base))
	}
	return c, nil
}

func newCopy(root, base string, skip func(rel string) bool) (*Copy, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	// Programs compare paths with what Getwd says, which is without links.
	if base, err = filepath.EvalSymlinks(base); err != nil {
		return nil, err
	}
	// The copy has the name of the original: some tests look at it.
	name := filepath.Base(root)
	if name == string(filepath.Separator) {
		name = "root"
	}
	c := &Copy{root: root, base: base, tree: filepath.Join(base, "tree", name)}
	if err := c.list(name, skip); err != nil {
		return nil, err
	}
	if err := c.begin(); err != nil {
		c.deafen()
		return nil, err
	}
	return c, nil
}

// begin makes what the lists say, in base, which is empty.
func (c *Copy) begin() error {
	base, err := folder.Make(c.base)
	if err != nil {
		return err
	}
	defer base.Close()
	c.watch = newWatch(base)
	if err := c.Restore(); err != nil {
		return err
	}
	if c.watch != nil {
		c.watch.quiet() // all that was heard is what we did ourselves
	}
	return nil
}

// Dir returns where abs, an absolute path below the root, lies in the copy.
// A path that is not below it comes back as it is.
func (c *Copy) Dir(abs string) string {
	rel, err := filepath.Rel(c.root, abs)
	if err != nil || !filepath.IsLocal(rel) {
		return abs
	}
	return filepath.Join(c.tree, rel)
}

// Size returns how many bytes the files of the copy have, as it should be.
func (c *Copy) Size() (bytes int64) { return c.size }

// Base returns the folder that holds the copy, the home and the temporary
// files: all that children need to write to.
func (c *Copy) Base() string { return c.base }

// Home returns the home folder for children. Restore empties it.
func (c *Copy) Home() string { return filepath.Join(c.base, "home") }

// Tmp returns the folder for children's temporary files. Restore empties it.
func (c *Copy) Tmp() string { return filepath.Join(c.base, "tmp") }

// LeftOut returns what was not copied though skip did not say so: paths
// relative to the root.
func (c *Copy) LeftOut() []string { return c.leftOut }

// Close removes the copy.
func (c *Copy) Close() error {
	c.deafen()
	return folder.RemoveAll(c.base)
}
