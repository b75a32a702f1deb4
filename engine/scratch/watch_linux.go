package scratch

import (
	"errors"

	"golang.org/x/sys/unix"

	"github.com/mutantfuzz/mutantfuzz/internal/folder"
)

// watched are the events of changes to a folder or to what is in it. Changes to a file through a memory mapping give no
// event, but closing the file does.
const watched = unix.IN_MODIFY | unix.IN_CLOSE_WRITE | unix.IN_ATTRIB | unix.IN_CREATE | unix.IN_DELETE |
	unix.IN_MOVED_FROM | unix.IN_MOVED_TO | unix.IN_DELETE_SELF | unix.IN_MOVE_SELF

// watch notices changes in folders, with inotify.
type watch struct{ fd int }

// newWatch returns a watch, after trying it on dir, an empty folder. It returns nil if the kernel has no inotify, or
// reports no changes to dir.
func newWatch(dir *folder.Folder) *watch {
	fd, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	if err != nil {
		return nil
	}
	w := &watch{fd: fd}
	if !w.works(dir) {
		w.close()
		return nil
	}
	return w
}

// works reports whether the watch notices changes in dir, an empty folder.
func (w *watch) works(dir *folder.Folder) bool {
	if w.add(dir) != nil || !w.quiet() {
		return false
	}
	_, err := dir.Link("nowhere", "watched")
	noticed := err == nil && !w.quiet() && w.quiet()
	return dir.Remove("watched") == nil && noticed && !w.quiet()
}

// add watches dir, if it does not already. It is an error if too many folders are watched.
func (w *watch) add(dir *folder.Folder) error {
	_, err := unix.InotifyAddWatch(w.fd, dir.Itself(), watched|unix.IN_ONLYDIR)
	return err
}

// quiet reports whether nothing has changed since its last call. In case of doubt it returns false.
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

func (w *watch) close() { _ = unix.Close(w.fd) } // nothing can be lost: it was only read from
