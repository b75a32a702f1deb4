//go:build !linux

package scratch

import "github.com/mutantfuzz/mutantfuzz/internal/folder"

// watch is never made, because this system's notifications of changes are not used.
type watch struct{}

func newWatch(*folder.Folder) *watch      { return nil }
func (w *watch) add(*folder.Folder) error { return nil }
func (w *watch) quiet() bool              { return false }
func (w *watch) close()                   {}
