//go:build !unix

package gotool

import "os/exec"

// killWithChildren leaves cmd alone. Without process groups, cancelling kills only the go command, and its
// children end when their pipes break.
func killWithChildren(*exec.Cmd) {}
