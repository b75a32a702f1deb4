package scratch

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/mutantfuzz/mutantfuzz/internal/folder"
)

// Restore undoes what children changed: contents, permissions and kinds of files, and files added and removed. It
// compares every file's stamp, unless the kernel reports that nothing has changed. It returns an error if the original
// of a file that it has to make again has changed since New.
func (c *Copy) Restore() error {
	// The watch also reports the changes that we make below, at the next call.
	if c.whole && c.watch != nil && c.watch.quiet() {
		return nil
	}
	c.whole, c.changed, c.disturbed = false, false, false
	base, err := folder.Make(c.base)
	if err == nil {
		err = c.restoreFolder(base, c.top)
		base.Close()
	}
	if err != nil {
		return fmt.Errorf("cannot restore the scratch copy: %w", err)
	}
	if c.changed {
		time.Sleep(clockGrain)
	}
	c.whole = !c.disturbed
	return nil
}

// restoreFolder restores what is in the folder d, whose entry is e, and then d itself. d comes last, because changes in
// it alter its stamp, and its own permissions may forbid them.
func (c *Copy) restoreFolder(d *folder.Folder, e *entry) error {
	now, err := d.Own()
	if err != nil {
		return err
	}
	if now != e.stamp {
		if err := removeUnknown(d, e); err != nil {
			return err
		}
	}
	for _, sub := range e.entries {
		if err := c.restoreEntry(d, sub); err != nil {
			return err
		}
	}
	return c.seal(d, e)
}

// restoreEntry restores the entry e of the folder d.
func (c *Copy) restoreEntry(d *folder.Folder, e *entry) error {
	if !e.volatile && len(e.entries) == 0 {
		if now, err := d.Stamp(e.name); err == nil && now == e.stamp {
			return nil
		}
	}
	if e.mode.IsDir() {
		return c.enter(d, e)
	}
	return c.remake(d, e)
}

// enter restores the folder e in d.
func (c *Copy) enter(d *folder.Folder, e *entry) error {
	sub, err := d.Open(e.name)
	if err != nil { // not permitted, or not a folder
		if err := d.Loosen(); err != nil {
			return err
		}
		if sub, err = d.Make(e.name); err != nil {
			return err
		}
	}
	defer sub.Close()
	return c.restoreFolder(sub, e)
}

// remake replaces what is at e's place in d by a new file or link. A changed file is not written to, because it may be
// a hard link to a file elsewhere.
func (c *Copy) remake(d *folder.Folder, e *entry) (err error) {
	c.changed = true
	if err := d.Loosen(); err != nil {
		return err
	}
	if err := d.Remove(e.name); err != nil {
		return err
	}
	if e.from == "" {
		e.stamp, err = d.Link(e.target, e.name)
		return err
	}
	original, err := e.open()
	if err != nil {
		return err
	}
	defer original.Close()
	e.stamp, err = d.Copy(e.name, original, e.mode, e.mtime)
	return err
}

// open opens the original of a file. It is an error if that has changed since it was listed.
func (e *entry) open() (*os.File, error) {
	f, err := os.OpenFile(e.from, openFlags, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && (!info.Mode().IsRegular() || info.Size() != e.size || info.ModTime().UnixNano() != e.mtime) {
		err = fmt.Errorf("%s has changed since the analysis began\nhint: start again, and leave the files alone until it is done", e.from)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// removeUnknown removes from d everything that is not an entry of e.
func removeUnknown(d *folder.Folder, e *entry) error {
	if err := d.Loosen(); err != nil {
		return err
	}
	names, err := d.Names()
	if err != nil {
		return err
	}
	for _, name := range names {
		_, known := slices.BinarySearchFunc(e.entries, name, func(e *entry, name string) int {
			return strings.Compare(e.name, name)
		})
		if !known {
			if err := d.Remove(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// seal restores the permissions of the folder d, whose entry is e, watches it and stamps it. It does nothing if d has
// not changed.
//
// The folders for home and temporary files are watched too: a file of the copy may be changed through a hard link
// there, and then the file's own folder has no event.
func (c *Copy) seal(d *folder.Folder, e *entry) error {
	now, err := d.Own()
	if err != nil || now == e.stamp {
		return err
	}
	c.watchFolder(d)
	if now.Perm() != e.mode.Perm() {
		if err := d.Chmod(e.mode); err != nil {
			return err
		}
	}
	if e.volatile {
		return nil
	}
	c.changed = true
	if now, err = d.Own(); err != nil {
		return err
	}
	if same, err := e.holds(d); err != nil || !same {
		// A child is changing it right now, so it is compared again next time.
		e.stamp, c.disturbed = folder.Stamp{}, true
		return err
	}
	e.stamp = now
	return nil
}

// holds reports whether d has exactly the entries of e, unchanged.
func (e *entry) holds(d *folder.Folder) (bool, error) {
	names, err := d.Names()
	if err != nil || len(names) != len(e.entries) {
		return false, err
	}
	for _, sub := range e.entries {
		if now, err := d.Stamp(sub.name); !sub.volatile && (err != nil || now != sub.stamp) {
			return false, nil // this finds unknown names too: for each of them an entry is missing
		}
	}
	return true, nil
}

// watchFolder watches d, or gives up the watch if that fails.
func (c *Copy) watchFolder(d *folder.Folder) {
	if c.watch != nil && c.watch.add(d) != nil {
		c.unwatch()
	}
}

// unwatch gives up the watch, so that Restore compares every file.
func (c *Copy) unwatch() {
	if c.watch != nil {
		c.watch.close()
		c.watch = nil
	}
}
