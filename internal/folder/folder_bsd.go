//go:build unix && !linux

package folder

import "golang.org/x/sys/unix"

const onlyNames = unix.O_RDONLY

// unbar gives us all rights to the folder name, which we may be unable to open.
// If a file has taken its place that gets them: processes are not confined on
// these systems and can do that by themselves.
func (f *Folder) unbar(name string) error {
	return f.fault("chmod", name, again(func() error { return unix.Fchmodat(f.fd, name, 0o700, unix.AT_SYMLINK_NOFOLLOW) }))
}

// setTime sets the time of modification of the file name.
func (f *Folder) setTime(_ int, name string, mtime unix.Timespec) error {
	times := []unix.Timespec{mtime, mtime}
	return again(func() error { return unix.UtimesNanoAt(f.fd, name, times, unix.AT_SYMLINK_NOFOLLOW) })
}
