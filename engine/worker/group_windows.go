package worker

import (
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// group is the job object that a child is put into. Its processes end with
// its last handle, so they also end with the coordinator.
type group struct {
	job     windows.Handle // 0: none could be made
	process *os.Process
}

// newGroup makes the job object. Where that fails the child runs without one.
func newGroup(cmd *exec.Cmd) *group {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return new(group)
	}
	var info windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, _ = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	return &group{job: job}
}

// started puts the child into the job. What it starts before that escapes;
// the run-time of a Go program needs longer than this call.
func (g *group) started(pid int) {
	g.process, _ = os.FindProcess(pid) // never fails for a child of ours that has not been waited for
	h, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(pid))
	if err != nil {
		return
	}
	_ = windows.AssignProcessToJobObject(g.job, h)
	_ = windows.CloseHandle(h)
}

// quit does nothing: there is no signal that makes a Go program print its
// stacks.
func (g *group) quit() {}

func (g *group) kill() {
	_ = windows.TerminateJobObject(g.job, 1)
	_ = g.process.Kill() // in case it is in no job
}

func (g *group) close() { _ = windows.CloseHandle(g.job) }

// inherit passes f to the child and returns its handle, which is the same
// there.
func inherit(cmd *exec.Cmd, f *os.File) (string, error) {
	h := windows.Handle(f.Fd())
	if err := windows.SetHandleInformation(h, windows.HANDLE_FLAG_INHERIT, windows.HANDLE_FLAG_INHERIT); err != nil {
		return "", err
	}
	cmd.SysProcAttr.AdditionalInheritedHandles = append(cmd.SysProcAttr.AdditionalInheritedHandles, syscall.Handle(h))
	return strconv.FormatUint(uint64(h), 10), nil
}
