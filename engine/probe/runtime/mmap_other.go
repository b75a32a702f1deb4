//go:build go1.21 && !(aix || darwin || dragonfly || freebsd || linux || netbsd || openbsd || solaris || windows)

package runtime

// mapFile gives plain memory: this system maps no files, so nobody will read
// the state, and verdicts have to come from events and exit statuses.
func mapFile(path string, size int) ([]byte, error) {
	return make([]byte, size+8), nil
}
