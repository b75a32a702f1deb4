//go:build unix

package sandbox

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// group is the process group that a child leads.
type group struct{ Pid int }

// Quit makes the child print its stacks and end. It does not affect descendants. Windows has no signal for that.
func (g group) Quit() { _ = syscall.Kill(g.Pid, syscall.SIGQUIT) }

// Kill kills all processes that are left in the group, if there are any.
func (g group) Kill() { _ = syscall.Kill(-g.Pid, syscall.SIGKILL) }

// Inherit passes f to the process that cmd will start, and returns the number of f's descriptor there.
func Inherit(cmd *exec.Cmd, f *os.File) (string, error) {
	cmd.ExtraFiles = append(cmd.ExtraFiles, f)
	return strconv.Itoa(2 + len(cmd.ExtraFiles)), nil
}
