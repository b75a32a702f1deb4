//go:build unix && !linux

package folder

import "golang.org/x/sys/unix"

const onlyNames = unix.O_RDONLY

// unbar gives the owner all permissions on the folder name, which we may be unable to open. If a file has taken
// its place, the file gets them. Processes are not confined on these systems and can do that by themselves.
func (f *Folder) unbar(name string) error {
	return f.fault("chmod", name, again(func() error { return unix.Fchmodat(f.fd, name, 0o700, unix.AT_SYMLINK_NOFOLLOW) }))
}

// setTime sets the modification time of the file name.
func (f *Folder) setTime(_ int, name string, mtime unix.Timespec) error {
	times := []unix.Timespec{mtime, mtime}
	return again(func() error { return unix.UtimesNanoAt(f.fd, name, times, unix.AT_SYMLINK_NOFOLLOW) })
}
