//go:build unix

package worker

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// group is the process group that a child leads.
type group struct{ id int }

// newGroup prepares cmd to lead a group of its own.
func newGroup(cmd *exec.Cmd) *group {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return new(group)
}

func (g *group) started(pid int) { g.id = pid }

// quit makes the child, but not its descendants, print its stacks and end.
func (g *group) quit() { _ = syscall.Kill(g.id, syscall.SIGQUIT) }

// kill kills whoever is left in the group. That nobody is, is no error.
func (g *group) kill() { _ = syscall.Kill(-g.id, syscall.SIGKILL) }

func (g *group) close() {}

// inherit passes f to the child and returns its descriptor there.
func inherit(cmd *exec.Cmd, f *os.File) (string, error) {
	cmd.ExtraFiles = append(cmd.ExtraFiles, f)
	return strconv.Itoa(2 + len(cmd.ExtraFiles)), nil
}
