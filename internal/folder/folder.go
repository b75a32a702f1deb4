// Package folder works in folders that other processes, perhaps hostile ones, change at the same time.
//
// The system looks up a path anew each time one is used. If another process has replaced a folder by a link
// meanwhile, the path leads elsewhere, and so do removing and writing. A Folder is held open instead: it stays
// the folder that was opened, wherever its path leads. Its methods take the name of one of its entries, never a
// path, and
//   - do not follow a link of that name,
//   - do not write to a file that was there before, nor change its permissions,
//     since it may have another name outside,
//   - do not wait for a FIFO, nor touch a device.
//
// So they change nothing outside of the folder.
//
// On Windows, where such processes cannot be confined anyway, links that stay within a folder may be followed.
package folder

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Make opens the folder at path. If there is no folder, it creates one in place of whatever else is there. Only
// the folder above is looked up by its path. It has to exist, and other processes must not be able to replace it.
func Make(path string) (*Folder, error) {
	above, err := openAbove(path)
	if err != nil {
		return nil, err
	}
	defer above.Close()
	return above.Make(filepath.Base(path))
}

// RemoveAll removes whatever is at path and all that is below it, however deep. It also removes from folders
// whose permissions forbid that, such as those of a module cache. It is no error if there is nothing. The folder
// above is looked up as by Make.
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

// Make opens the folder name. If there is no folder of that name, it creates one in place of whatever else is
// there. The owner gets all permissions on the folder, even if they had been taken away.
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

// Loosen adds all permissions of the owner to those of the folder.
func (f *Folder) Loosen() error {
	now, err := f.Own()
	if err != nil || now.Perm()&0o700 == 0o700 {
		return err
	}
	return f.Chmod(now.Perm() | 0o700)
}

// force opens the folder name and gives its owner all permissions. It is an error if name is not a folder.
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
