package sandbox

import (
	"cmp"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// group is the job object that a child is put into. Its processes end when its last handle is closed, so they also end
// with the coordinator.
type group struct {
	Pid     int
	job     windows.Handle // 0: none could be made
	process *os.Process
}

// start starts cmd and puts it into a job object, if one can be made. Processes that cmd starts before that escape; but
// the run-time of a Go program takes longer to start than these calls do.
func start(cmd *exec.Cmd) (group, error) {
	attributes(cmd).CreationFlags = windows.CREATE_NEW_PROCESS_GROUP
	if err := cmd.Start(); err != nil {
		return group{}, err
	}
	g := group{Pid: cmd.Process.Pid, process: cmd.Process}
	g.job, _ = windows.CreateJobObject(nil, nil) // without a job, all calls on it below just fail
	var info windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, _ = windows.SetInformationJobObject(g.job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	h, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(g.Pid))
	if err == nil {
		_ = windows.AssignProcessToJobObject(g.job, h)
		_ = windows.CloseHandle(h)
	}
	return g, nil
}

func attributes(cmd *exec.Cmd) *syscall.SysProcAttr {
	cmd.SysProcAttr = cmp.Or(cmd.SysProcAttr, new(syscall.SysProcAttr))
	return cmd.SysProcAttr
}

// Quit does nothing: there is no signal that makes a Go program print its stacks.
func (g group) Quit() {}

// Kill kills all processes that are left in the group.
func (g group) Kill() {
	_ = windows.TerminateJobObject(g.job, 1)
	_ = g.process.Kill() // in case it is in no job
}

func (g group) close() { _ = windows.CloseHandle(g.job) }

// Inherit passes f to the process that cmd will start, and returns f's handle, which is the same there.
func Inherit(cmd *exec.Cmd, f *os.File) (string, error) {
	h := windows.Handle(f.Fd())
	if err := windows.SetHandleInformation(h, windows.HANDLE_FLAG_INHERIT, windows.HANDLE_FLAG_INHERIT); err != nil {
		return "", err
	}
	attr := attributes(cmd)
	attr.AdditionalInheritedHandles = append(attr.AdditionalInheritedHandles, syscall.Handle(h))
	return strconv.FormatUint(uint64(h), 10), nil
}
