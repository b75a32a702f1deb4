package change

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/mutantfuzz/mutantfuzz/diffscope/fault"
)

// enterHead checks head out if it is a revision, and makes the checkout the tree.
func (c *Change) enterHead(ctx context.Context) error {
	if c.source.Head == "" {
		return nil
	}
	rel, err := filepath.Rel(c.Root, c.Dir)
	if err != nil {
		return err
	}
	if c.Tree, err = c.checkout(ctx, c.Revisions.Head, "head"); err != nil {
		return err
	}
	c.Dir = filepath.Join(c.Tree, rel)
	if _, err := os.Stat(c.Dir); err != nil {
		return fault.New(fault.BadConfig, "choose a folder that exists at head", "there is no folder %s at %s", filepath.ToSlash(rel), c.source.Head)
	}
	return nil
}

// BaseTree writes the tree before the change to a scratch checkout, and returns its absolute path. It returns "" if that
// tree is not known: there is no change, or a diff without git, or the working tree has other changes than the diff.
func (c *Change) BaseTree(ctx context.Context) (string, error) {
	switch {
	case c.Revisions.MergeBase != "":
		return c.checkout(ctx, c.Revisions.MergeBase, "base")
	case c.source.HaveDiff:
		return c.baseOfDiff(ctx)
	}
	return "", nil
}

// baseOfDiff writes the tree without the changes of a diff: the files of the commit, with the changed Go files as
// they were. It returns "" without git, or if the working tree has other changes.
func (c *Change) baseOfDiff(ctx context.Context) (string, error) {
	head, err := c.git.revision(ctx, cmp.Or(c.Revisions.Head, "HEAD"))
	if err != nil {
		return "", ctx.Err()
	}
	names := map[string]bool{}
	for _, f := range c.Files {
		names[f.OldName], names[f.Name] = true, true
	}
	others, err := c.git.differing(ctx)
	if err != nil || c.Revisions.Head == "" && slices.ContainsFunc(others, func(name string) bool { return !names[name] }) {
		return "", ctx.Err()
	}
	dir, err := c.checkout(ctx, head, "base")
	if err != nil {
		return "", err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", err
	}
	defer root.Close()
	for _, f := range c.Files {
		if f.Name != "" && f.Name != f.OldName {
			if err := root.Remove(filepath.FromSlash(f.Name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return "", err
			}
		}
	}
	for _, f := range c.Files {
		if f.OldName == "" {
			continue
		}
		name := filepath.FromSlash(f.OldName)
		if err := errors.Join(root.MkdirAll(filepath.Dir(name), 0o755), root.WriteFile(name, f.Base, 0o644)); err != nil {
			return "", err
		}
	}
	return dir, nil
}

const notInClone = "not in this clone, so left out of copies of a commit"

// checkout writes a commit to a folder below scratch/name and returns that folder. The folder has the same name as
// the repository's, because tests may look for it in the paths of source files.
func (c *Change) checkout(ctx context.Context, commit, name string) (string, error) {
	if c.scratch == "" {
		dir, err := filepath.Abs(os.TempDir())
		if err == nil {
			dir, err = os.MkdirTemp(dir, "mutantfuzz-")
		}
		if err != nil {
			return "", err
		}
		if c.scratch = dir; c.source.Made != nil {
			c.source.Made(dir)
		}
		real, err := filepath.EvalSymlinks(dir)
		if err != nil {
			return "", err
		}
		c.scratch = real
	}
	outer := filepath.Join(c.scratch, name)
	dir := filepath.Join(outer, filepath.Base(c.Root))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	missing, err := c.git.checkout(ctx, commit, dir, outer+".index")
	for _, file := range missing {
		c.source.Note(notInClone, file)
	}
	return dir, err
}
