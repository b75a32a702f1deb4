package folder

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// Folder is an open folder. The caller has to close it.
type Folder struct {
	root *os.Root
	path string // when it was opened; for messages
}

// openPath opens the folder at path, to work on its entries by their names.
func openPath(path string) (*Folder, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	return &Folder{root, path}, nil
}

// Open opens the folder name. It is an error if name is anything else.
func (f *Folder) Open(name string) (*Folder, error) {
	root, err := f.root.OpenRoot(name)
	if err != nil {
		return nil, f.fault("open folder", name, err)
	}
	return &Folder{root, filepath.Join(f.path, name)}, nil
}

// Close closes the folder.
func (f *Folder) Close() { f.root.Close() }

// Names returns the names of the entries in no particular order.
func (f *Folder) Names() ([]string, error) {
	d, err := f.root.Open(".")
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.Readdirnames(-1)
}

// Own returns the stamp of the folder itself.
func (f *Folder) Own() (Stamp, error) { return f.Stamp(".") }

// Stamp returns the stamp of an entry. The stamp of a link is that of the link itself.
func (f *Folder) Stamp(name string) (Stamp, error) {
	info, err := f.root.Lstat(name)
	if err != nil {
		return Stamp{}, err
	}
	return stampFrom(info), nil
}

// Chmod sets the permissions of the folder itself.
func (f *Folder) Chmod(perm fs.FileMode) error { return f.root.Chmod(".", perm.Perm()) }

// Link makes a link to target, which may be anything, and returns its stamp. There must be no entry of that name.
func (f *Folder) Link(target, name string) (Stamp, error) {
	if err := f.root.Symlink(target, name); err != nil {
		return Stamp{}, err
	}
	return f.Stamp(name)
}

// Copy makes a file with the content of from, permissions perm and modification time mtime, in ns since 1970. It
// returns the stamp of the file. There must be no entry of that name.
func (f *Folder) Copy(name string, from *os.File, perm fs.FileMode, mtime int64) (Stamp, error) {
	to, err := f.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return Stamp{}, err
	}
	_, err = io.Copy(to, from)
	err = errors.Join(err, to.Close(), f.root.Chtimes(name, time.Time{}, time.Unix(0, mtime)), f.root.Chmod(name, perm.Perm()))
	if err != nil {
		return Stamp{}, err
	}
	return f.Stamp(name)
}

// Remove removes an entry, whatever it is, and all that is below it. It is no error if there is nothing.
func (f *Folder) Remove(name string) error { return f.root.RemoveAll(name) }

func (f *Folder) mkdir(name string) error { return f.root.Mkdir(name, 0o700) }

func (f *Folder) unbar(name string) error { return f.root.Chmod(name, 0o700) }

// Stamp describes the state of an entry. If a later stamp is equal, the entry is taken for unchanged. The zero
// Stamp stands for no entry.
type Stamp struct {
	mode  fs.FileMode
	size  int64
	mtime int64 // ns
}

func stampFrom(info fs.FileInfo) Stamp {
	return Stamp{info.Mode(), info.Size(), info.ModTime().UnixNano()}
}

// Perm returns the permissions.
func (s Stamp) Perm() fs.FileMode { return s.mode.Perm() }
