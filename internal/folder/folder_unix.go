//go:build unix

package folder

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// Folder is an open folder. The caller has to close it.
type Folder struct {
	fd   int
	path string // when it was opened; for messages
}

// openPath opens the folder at path, to work on its entries by their names.
func openPath(path string) (*Folder, error) {
	return (&Folder{fd: unix.AT_FDCWD}).open(path, onlyNames)
}

// Open opens the folder name. It is an error if name is anything else, even a link to a folder.
func (f *Folder) Open(name string) (*Folder, error) {
	return f.open(name, unix.O_RDONLY|unix.O_NOFOLLOW)
}

func (f *Folder) open(name string, flags int) (*Folder, error) {
	fd := -1
	err := again(func() (err error) {
		fd, err = unix.Openat(f.fd, name, flags|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		return err
	})
	if err != nil {
		return nil, f.fault("open folder", name, err)
	}
	path := name
	if f.path != "" {
		path = f.path + "/" + name
	}
	return &Folder{fd: fd, path: path}, nil
}

// Close closes the folder.
func (f *Folder) Close() { _ = unix.Close(f.fd) } // nothing was written through it

// Names returns the names of the entries in no particular order.
func (f *Folder) Names() (names []string, err error) {
	if _, err := unix.Seek(f.fd, 0, io.SeekStart); err != nil {
		return nil, f.fault("list", "", err)
	}
	entries := make([]byte, 8<<10)
	for {
		n := 0
		err := again(func() (err error) { n, err = unix.ReadDirent(f.fd, entries); return err })
		if err != nil || n <= 0 {
			return names, f.fault("list", "", err)
		}
		_, _, names = unix.ParseDirent(entries[:n], -1, names)
	}
}

// Own returns the stamp of the folder itself.
func (f *Folder) Own() (Stamp, error) {
	var st unix.Stat_t
	err := again(func() error { return unix.Fstat(f.fd, &st) })
	return stampFrom(&st), f.fault("stat", "", err)
}

// Stamp returns the stamp of an entry. The stamp of a link is that of the link itself.
func (f *Folder) Stamp(name string) (Stamp, error) {
	var st unix.Stat_t
	err := again(func() error { return unix.Fstatat(f.fd, name, &st, unix.AT_SYMLINK_NOFOLLOW) })
	return stampFrom(&st), f.fault("stat", name, err)
}

// Chmod sets the permissions of the folder itself.
func (f *Folder) Chmod(perm fs.FileMode) error {
	return f.fault("chmod", "", again(func() error { return unix.Fchmod(f.fd, uint32(perm.Perm())) }))
}

// Link makes a link to target, which may be anything, and returns its stamp. It returns the zero Stamp if
// something else has taken the place of the link already. There must be no entry of that name.
func (f *Folder) Link(target, name string) (Stamp, error) {
	if err := again(func() error { return unix.Symlinkat(target, f.fd, name) }); err != nil {
		return Stamp{}, f.fault("link", name, err)
	}
	stamp, err := f.Stamp(name)
	if err != nil {
		return Stamp{}, err
	}
	is := make([]byte, len(target)+1)
	if n, err := unix.Readlinkat(f.fd, name, is); err != nil || string(is[:n]) != target {
		return Stamp{}, nil
	}
	return stamp, nil
}

// Copy makes a file with the content of from, permissions perm and modification time mtime, in ns since 1970. It
// returns the stamp of the file. There must be no entry of that name.
func (f *Folder) Copy(name string, from *os.File, perm fs.FileMode, mtime int64) (Stamp, error) {
	fd := -1
	err := again(func() (err error) {
		fd, err = unix.Openat(f.fd, name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0o600)
		return err
	})
	if err != nil {
		return Stamp{}, f.fault("create", name, err)
	}
	to := os.NewFile(uintptr(fd), f.path+"/"+name)
	defer to.Close()
	_, err = io.Copy(to, from) // lets the file system share blocks where it can
	var st unix.Stat_t
	err = errors.Join(
		err,
		again(func() error { return unix.Fchmod(fd, uint32(perm.Perm())) }),
		f.setTime(fd, name, unix.NsecToTimespec(mtime)),
		again(func() error { return unix.Fstat(fd, &st) }),
	)
	return stampFrom(&st), f.fault("copy to", name, err)
}

func (f *Folder) mkdir(name string) error {
	return f.fault("mkdir", name, again(func() error { return unix.Mkdirat(f.fd, name, 0o700) }))
}

// again repeats a system call as long as signals interrupt it.
func again(call func() error) error {
	for {
		if err := call(); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}

// Stamp identifies an entry in the state that it is in. If a later stamp is equal, the entry is still the same
// one and has not been changed: no program can set the time of the last change (ctime). The zero Stamp stands for
// no entry.
type Stamp struct {
	mode         uint32
	size         int64
	mtime, ctime int64 // ns
	inode        uint64
}

func stampFrom(st *unix.Stat_t) Stamp {
	return Stamp{
		mode: uint32(st.Mode), size: st.Size,
		mtime: st.Mtim.Nano(), ctime: st.Ctim.Nano(),
		inode: uint64(st.Ino),
	}
}

// Perm returns the permissions.
func (s Stamp) Perm() fs.FileMode { return fs.FileMode(s.mode).Perm() }
