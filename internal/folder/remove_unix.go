//go:build unix

package folder

import (
	"cmp"
	"crypto/rand"
	"errors"

	"golang.org/x/sys/unix"
)

// Bounds of a removal while another process keeps adding to what is removed.
const (
	mostRounds  = 8       // attempts
	mostFolders = 1 << 20 // entries to remove in one attempt
)

var errEndless = errors.New("entries are added while it is removed")

// Remove removes an entry, whatever it is, and all that is below it, however deep, even from folders whose
// permissions forbid that. It is no error if there is nothing. The owner needs all permissions on the folder
// itself; see Loosen.
func (f *Folder) Remove(name string) error {
	var err, below error
	for range mostRounds {
		if err = f.unlink(name); err == nil {
			return nil
		}
		// Next attempt if something else has taken its place.
		if d, openErr := f.force(name); openErr == nil {
			below = d.clear()
			d.Close()
		}
	}
	return cmp.Or(below, err)
}

// unlink removes an entry that is no folder, or an empty one.
func (f *Folder) unlink(name string) error {
	file := again(func() error { return unix.Unlinkat(f.fd, name, 0) })
	if file == nil || errors.Is(file, unix.ENOENT) {
		return nil
	}
	dir := again(func() error { return unix.Unlinkat(f.fd, name, unix.AT_REMOVEDIR) })
	switch {
	case dir == nil, errors.Is(dir, unix.ENOENT):
		return nil
	case errors.Is(dir, unix.ENOTDIR):
		return f.fault("remove", name, file)
	}
	return f.fault("remove", name, dir)
}

// clear removes all entries. It first moves the folders inside an entry up into f, so that depth costs neither
// descriptors nor stack.
func (f *Folder) clear() error {
	left, err := f.Names()
	for n := 0; len(left) > 0; n++ {
		if n == mostFolders {
			return f.fault("remove", "", errEndless)
		}
		name := left[len(left)-1]
		moved, goneErr := f.dissolve(name)
		left = append(left[:len(left)-1], moved...)
		if err == nil {
			err = goneErr
		}
	}
	return err
}

// dissolve removes an entry. It moves the folders inside the entry up into f, under new names, and returns these
// names.
func (f *Folder) dissolve(name string) (moved []string, err error) {
	if err := f.unlink(name); err == nil {
		return nil, nil
	}
	d, err := f.force(name)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	names, err := d.Names()
	if err != nil {
		return nil, err
	}
	for _, sub := range names {
		if d.unlink(sub) == nil {
			continue
		}
		fresh := rand.Text()
		if err := d.move(sub, f, fresh); err != nil {
			return moved, err
		}
		moved = append(moved, fresh)
	}
	return moved, f.unlink(name)
}

// move moves the folder name into another folder, under the name fresh. That needs write permission on the moved
// folder, since its entry for the folder above changes. It is no error if the folder is gone.
func (f *Folder) move(name string, to *Folder, fresh string) error {
	rename := func() error { return unix.Renameat(f.fd, name, to.fd, fresh) }
	err := again(rename)
	if errors.Is(err, unix.EACCES) && f.unbar(name) == nil {
		err = again(rename)
	}
	if errors.Is(err, unix.ENOENT) {
		return nil
	}
	return f.fault("move", name, err)
}
