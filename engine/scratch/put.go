package scratch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Write puts a file with data into the copy, in place of what is at the path that corresponds to abs. It stays until
// the next Restore. abs is an absolute path below the root. Missing folders are made.
func (c *Copy) Write(abs string, data []byte) error {
	rel, ok := c.within(abs)
	if !ok {
		return fmt.Errorf("%s is not in the tree at %s", abs, c.root)
	}
	above, err := os.OpenRoot(filepath.Dir(c.base))
	if err != nil {
		return err
	}
	defer above.Close()
	tree, err := openFolder(above, filepath.Join(filepath.Base(c.base), "tree", filepath.Base(c.tree)))
	if err != nil {
		return err
	}
	defer tree.Close()
	return WriteIn(tree, rel, data)
}

// WriteIn puts a file with data in place of what is at rel, in a tree that children may write to. Missing folders are
// made. Links to folders on the way are followed as long as they stay in the tree; repositories have such links for
// testdata. A link that leads elsewhere is replaced by a folder. What was at rel is removed, not written to: it may be
// a link, a FIFO, or a file that has another name elsewhere.
func WriteIn(tree *os.Root, rel string, data []byte) error {
	if err := makeFolders(tree, filepath.Dir(rel)); err != nil {
		return err
	}
	dir, err := openFolder(tree, filepath.Dir(rel))
	if err != nil {
		return err
	}
	defer dir.Close()
	if info, err := dir.Stat("."); err == nil && info.Mode().Perm()&0o700 != 0o700 {
		_ = dir.Chmod(".", info.Mode().Perm()|0o700) // if this fails, the next step reports an error
	}
	name := filepath.Base(rel)
	if err := dir.RemoveAll(name); err != nil {
		return err
	}
	f, err := dir.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// makeFolders makes the folder at rel and its parents, in place of links that lead nowhere or out of the tree.
func makeFolders(tree *os.Root, rel string) error {
	if tree.MkdirAll(rel, 0o755) == nil {
		return nil
	}
	path := ""
	for part := range strings.SplitSeq(rel, string(filepath.Separator)) {
		path = filepath.Join(path, part)
		if info, err := tree.Lstat(path); err != nil || info.Mode().Type() != fs.ModeSymlink {
			continue
		}
		if _, err := tree.Stat(path); err != nil {
			_ = tree.Remove(path) // if this fails, the next step reports an error
		}
	}
	return tree.MkdirAll(rel, 0o755)
}

// openFolder opens a folder in root. OpenRoot alone would block on a FIFO in its place. A path that ends in "/." makes
// it fail at once if there is no folder.
func openFolder(root *os.Root, rel string) (*os.Root, error) { return root.OpenRoot(rel + "/.") }
