package folder

import (
	"strconv"

	"golang.org/x/sys/unix"
)

// onlyNames opens a folder that we need not be able to list, as some have /tmp.
const onlyNames = unix.O_PATH

// Itself returns a path that leads to the folder itself as long as it is open,
// wherever it has been moved to.
func (f *Folder) Itself() string { return itself(f.fd) }

func itself(fd int) string { return "/proc/self/fd/" + strconv.Itoa(fd) }

// unbar gives us all rights to the folder name, which we may be unable to open.
// A folder has no second name elsewhere, as a file may have.
func (f *Folder) unbar(name string) error {
	d, err := f.open(name, unix.O_PATH|unix.O_NOFOLLOW)
	if err != nil {
		return err
	}
	defer d.Close()
	// fchmod(2) does not take such a descriptor.
	return f.fault("chmod", name, again(func() error { return unix.Chmod(d.Itself(), 0o700) }))
}

// setTime sets the time of modification of the open file fd.
func (f *Folder) setTime(fd int, _ string, mtime unix.Timespec) error {
	times := []unix.Timespec{{Nsec: unix.UTIME_OMIT}, mtime}
	return again(func() error { return unix.UtimesNanoAt(unix.AT_FDCWD, itself(fd), times, 0) })
}
