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

// Quit makes the child, but not its descendants, print its stacks and end. Windows has
// no signal for that.
func (g group) Quit() { _ = syscall.Kill(g.Pid, syscall.SIGQUIT) }

// Kill kills whoever is left in the group. That nobody is, is no error.
func (g group) Kill() { _ = syscall.Kill(-g.Pid, syscall.SIGKILL) }

// Inherit passes f to the process that cmd will be, and returns its descriptor there.
func Inherit(cmd *exec.Cmd, f *os.File) (string, error) {
	cmd.ExtraFiles = append(cmd.ExtraFiles, f)
	return strconv.Itoa(2 + len(cmd.ExtraFiles)), nil
}
