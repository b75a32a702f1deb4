package scratch

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/internal/folder"
)

// entry is a file, folder or link as it should be in the copy.
type entry struct {
	name    string
	mode    fs.FileMode  // type and permissions
	stamp   folder.Stamp // of the copy; zero: not made yet, changed while it was restored, or volatile
	entries []*entry     // of a folder, sorted by name

	volatile bool // a folder that children write to all the time: its contents are always compared

	target string // of a link

	from        string // path of a file's original
	size, mtime int64  // of a file's original, in bytes and ns
}

// list fills c's entries. The copy of the tree is called name.
func (c *Copy) list(name string) error {
	info, err := os.Stat(c.root)
	if err != nil {
		return err
	}
	tree := &entry{name: name, mode: fs.ModeDir | info.Mode().Perm()}
	if err := c.listFolder(tree, c.root); err != nil {
		return err
	}
	private := func(name string, entries ...*entry) *entry {
		return &entry{name: name, mode: fs.ModeDir | 0o700, volatile: len(entries) == 0, entries: entries}
	}
	c.top = private(filepath.Base(c.base), private("home"), private("tmp"), private("tree", tree))
	return nil
}

// needless are the names of what tests do not need: git's history, the output of earlier runs, and the packages of
// npm, which are large. Those below a folder for test data may be test data.
var needless = []string{".git", "mutantfuzz.out", "node_modules"}

var testData = regexp.MustCompile(`(?i)(^|[/\\])_*(testdata|fixtures?)_*[/\\]`)

// skips reports whether a folder or file of the tree is left out of the copy.
func (c *Copy) skips(path, name string) bool {
	if path == c.base {
		return true
	}
	return slices.Contains(needless, name) && (name != "node_modules" || !testData.MatchString(strings.TrimPrefix(path, c.root)))
}

// listFolder adds to e an entry for everything in the folder dir of the tree.
func (c *Copy) listFolder(e *entry, dir string) error {
	found, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, d := range found {
		path := filepath.Join(dir, d.Name())
		if c.skips(path, d.Name()) {
			continue
		}
		sub, err := c.entryOf(path, d)
		if err == nil {
			e.entries = append(e.entries, sub)
			if sub.mode.IsDir() {
				err = c.listFolder(sub, path)
			}
		}
		if err != nil && !errors.Is(err, fs.ErrPermission) && !errors.Is(err, errLeftOut) {
			return err
		}
	}
	return nil
}

var errLeftOut = errors.New("neither file, folder nor link")

// entryOf returns the entry for d, which is at path. The contents of a folder are not added.
func (c *Copy) entryOf(path string, d fs.DirEntry) (*entry, error) {
	info, err := d.Info()
	if err != nil {
		return nil, err
	}
	e := &entry{name: d.Name(), mode: info.Mode().Type() | info.Mode().Perm()}
	switch e.mode.Type() {
	case fs.ModeDir:
	case fs.ModeSymlink:
		e.target, err = c.target(path)
	case 0:
		e.from, e.size, e.mtime = path, info.Size(), info.ModTime().UnixNano()
		if e.mode&0o444 != 0o444 { // otherwise everybody can read it
			var f *os.File
			if f, err = e.open(); err != nil {
				break
			}
			f.Close()
		}
		c.size += e.size
	default:
		err = errLeftOut
	}
	return e, err
}

// target returns the target for the copy of the link at path. An absolute target in the tree becomes relative, so
// that children do not get at the originals.
func (c *Copy) target(path string) (string, error) {
	target, err := os.Readlink(path)
	if err != nil || !filepath.IsAbs(target) {
		return target, err
	}
	real, _ := filepath.EvalSymlinks(c.root) // if this fails, no link leads there
	for _, root := range []string{c.root, real} {
		if rel, err := filepath.Rel(root, target); err == nil && filepath.IsLocal(rel) {
			return filepath.Rel(filepath.Dir(path), filepath.Join(c.root, rel))
		}
	}
	return target, nil
}
