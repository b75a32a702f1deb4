//go:build go1.21 && !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package process

import "time"

var began = time.Now()

// processorTime returns the time since the process began, for lack of a better measure on this system.
func processorTime() time.Duration { return time.Since(began) }
