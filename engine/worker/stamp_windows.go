package worker

import "os"

// stamp tells whether a file has not been changed since it was stamped.
type stamp struct {
	mode  os.FileMode
	size  int64
	mtime int64 // ns
}

// stampOf returns the stamp of the file at path, of a link itself.
func stampOf(path string) (stamp, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return stamp{}, err
	}
	return stamp{info.Mode(), info.Size(), info.ModTime().UnixNano()}, nil
}
