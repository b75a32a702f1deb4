package folder

import (
	"strconv"

	"golang.org/x/sys/unix"
)

// onlyNames opens a folder without the permission to list it, which is missing for /tmp on some systems.
const onlyNames = unix.O_PATH

// Itself returns a path that leads to the folder as long as it is open, wherever it is moved to.
func (f *Folder) Itself() string { return itself(f.fd) }

func itself(fd int) string { return "/proc/self/fd/" + strconv.Itoa(fd) }

// unbar gives the owner all permissions on the folder name, which we may be unable to open. It cannot affect
// anything outside: a folder, unlike a file, has no second name elsewhere.
func (f *Folder) unbar(name string) error {
	d, err := f.open(name, unix.O_PATH|unix.O_NOFOLLOW)
	if err != nil {
		return err
	}
	defer d.Close()
	// fchmod(2) does not accept a descriptor that was opened with O_PATH.
	return f.fault("chmod", name, again(func() error { return unix.Chmod(d.Itself(), 0o700) }))
}

// setTime sets the modification time of the open file fd.
func (f *Folder) setTime(fd int, _ string, mtime unix.Timespec) error {
	times := []unix.Timespec{{Nsec: unix.UTIME_OMIT}, mtime}
	return again(func() error { return unix.UtimesNanoAt(unix.AT_FDCWD, itself(fd), times, 0) })
}
