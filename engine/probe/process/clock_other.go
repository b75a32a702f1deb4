//go:build go1.21 && !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package process

import "time"

var began = time.Now()

// processorTime returns the time that has passed, for want of something better.
func processorTime() time.Duration { return time.Since(began) }
