//go:build unix && !linux

package sandbox

import (
	"os/exec"
	"syscall"
)

// start starts cmd as the leader of a process group.
func start(cmd *exec.Cmd) (group, error) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return group{}, err
	}
	return group{cmd.Process.Pid}, nil
}

func (g group) close() {}
