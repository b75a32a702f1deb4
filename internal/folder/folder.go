// Package folder works in folders that other processes change at the same time,
// perhaps to lead us astray.
//
// The system looks up a path anew each time one is used. Where somebody has put
// a link in place of a folder meanwhile, the path leads to another place than
// before, and what was to be removed or written there is so elsewhere. A Folder
// is held open instead: it stays the folder that was opened, whatever its path
// leads to by now. Its methods take the name of one of its entries, never a
// path, and
//   - do not follow a link of that name,
//   - do not write to a file that was there before, nor change its permissions,
//     since it may have another name outside,
//   - do not wait for a FIFO, nor touch a device.
//
// So they change nothing outside of the folder.
//
// On Windows, where such processes cannot be confined in the first place, links
// that stay within a folder may be followed.
package folder

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Make opens the folder at path. If there is none it is made, in place of
// whatever is there. Only the folder above, which has to be, is looked up by
// its path: others must not be able to replace that.
func Make(path string) (*Folder, error) {
	above, err := openAbove(path)
	if err != nil {
		return nil, err
	}
	defer above.Close()
	return above.Make(filepath.Base(path))
}

// RemoveAll removes what is at path, whatever it is, and all that is below it,
// however deep, from folders that forbid it too, as those of a module cache do. It
// is no error if there is nothing. The folder above is looked up as Make does.
func RemoveAll(path string) error {
	above, err := openAbove(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer above.Close()
	return above.Remove(filepath.Base(path))
}

func openAbove(path string) (*Folder, error) { return openPath(filepath.Dir(filepath.Clean(path))) }

// Make opens the folder name. If there is none it is made, in place of whatever
// is there. We have all rights to it, whoever had barred it.
func (f *Folder) Make(name string) (*Folder, error) {
	if d, err := f.force(name); err == nil {
		return d, nil
	}
	if err := f.Remove(name); err != nil {
		return nil, err
	}
	if err := f.mkdir(name); err != nil {
		return nil, err
	}
	return f.force(name)
}

// Loosen gives us all rights to the folder, beside those that there are.
func (f *Folder) Loosen() error {
	now, err := f.Own()
	if err != nil || now.Perm()&0o700 == 0o700 {
		return err
	}
	return f.Chmod(now.Perm() | 0o700)
}

// force opens the folder name with all rights to it. It is an error if that is
// no folder.
func (f *Folder) force(name string) (*Folder, error) {
	d, err := f.Open(name)
	if errors.Is(err, fs.ErrPermission) && f.unbar(name) == nil {
		d, err = f.Open(name)
	}
	if err != nil {
		return nil, err
	}
	if err := d.Loosen(); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

func (f *Folder) fault(op, name string, err error) error {
	if err == nil {
		return nil
	}
	return &os.PathError{Op: op, Path: filepath.Join(f.path, name), Err: err}
}
