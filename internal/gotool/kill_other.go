//go:build !unix

package gotool

import "os/exec"

// killWithChildren leaves cmd alone: without process groups, cancelling kills
// the go command only, and its children end when their pipes break.
func killWithChildren(*exec.Cmd) {}
