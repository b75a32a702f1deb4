//go:build unix

package gotool

import (
	"os/exec"
	"syscall"
)

// killWithChildren gives cmd a process group of its own and makes its cancellation kill the whole group. The go
// command does not pass a signal on to the compilers it runs.
func killWithChildren(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
