//go:build !linux

package worker

// watch would hear of changes in folders. There is none here.
type watch struct{}

func newWatch(string) *watch      { return nil }
func (w *watch) add(string) error { return nil }
func (w *watch) quiet() bool      { return false }
func (w *watch) close()           {}
