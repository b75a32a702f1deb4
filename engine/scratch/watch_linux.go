package scratch

import (
	"errors"

	"golang.org/x/sys/unix"

	"github.com/mutantfuzz/mutantfuzz/internal/folder"
)

// watched is all that changes a folder or what is in it. A file that is mapped into
// memory may change unheard, but not before whoever mapped it has closed it.
const watched = unix.IN_MODIFY | unix.IN_CLOSE_WRITE | unix.IN_ATTRIB | unix.IN_CREATE | unix.IN_DELETE |
	unix.IN_MOVED_FROM | unix.IN_MOVED_TO | unix.IN_DELETE_SELF | unix.IN_MOVE_SELF

// watch hears of changes in folders.
type watch struct{ fd int }

// newWatch returns a watch on dir, an empty folder, after trying it there. It
// returns nil where the kernel has none, or does not tell it of changes.
func newWatch(dir *folder.Folder) *watch {
	fd, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	if err != nil {
		return nil
	}
	w := &watch{fd: fd}
	if !w.hears(dir) {
		w.close()
		return nil
	}
	return w
}

// hears tries the watch in dir.
func (w *watch) hears(dir *folder.Folder) bool {
	if w.add(dir) != nil || !w.quiet() {
		return false
	}
	_, err := dir.Link("nowhere", "watched")
	heard := err == nil && !w.quiet() && w.quiet()
	return dir.Remove("watched") == nil && heard && !w.quiet()
}

// add watches dir, or goes on doing so. It is an error if there are too many folders.
func (w *watch) add(dir *folder.Folder) error {
	_, err := unix.InotifyAddWatch(w.fd, dir.Itself(), watched|unix.IN_ONLYDIR)
	return err
}

// quiet reports whether nothing has changed since it was last asked. When in doubt
// something has.
func (w *watch) quiet() bool {
	var events [4096]byte
	for quiet := true; ; quiet = false {
		n, err := unix.Read(w.fd, events[:])
		switch {
		case errors.Is(err, unix.EAGAIN):
			return quiet
		case err != nil && !errors.Is(err, unix.EINTR), err == nil && n <= 0:
			return false
		}
	}
}

func (w *watch) close() { _ = unix.Close(w.fd) } // of what is only read nothing is lost
