package sandbox

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// keepOwners makes every change of a file's owner do nothing and succeed, for the calling thread and everything that it
// starts. Without capabilities root may not change owners. But programs such as tar take that for granted if they run as
// root, and fail. It does nothing for other users, who are used to that, and on architectures that ownerCalls does not know.
// It needs no_new_privs.
func keepOwners() error {
	if unix.Geteuid() != 0 || len(ownerCalls) == 0 {
		return nil
	}
	filter := ownersFilter()
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	return os.NewSyscallError("prctl", unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&program)), 0, 0))
}

// Offsets in the kernel's struct seccomp_data.
const (
	callOffset         = 0
	architectureOffset = 4
)

// ownersFilter returns a filter of system calls that lets all pass but ownerCalls, which return 0.
func ownersFilter() []unix.SockFilter {
	const (
		load   = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
		equals = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
		result = unix.BPF_RET | unix.BPF_K
	)
	calls := uint8(len(ownerCalls))
	filter := []unix.SockFilter{
		{Code: load, K: architectureOffset},
		{Code: equals, K: architecture, Jf: calls + 1}, // another architecture has other numbers
		{Code: load, K: callOffset},
	}
	for i, call := range ownerCalls {
		filter = append(filter, unix.SockFilter{Code: equals, K: call, Jt: calls - uint8(i)})
	}
	return append(filter,
		unix.SockFilter{Code: result, K: unix.SECCOMP_RET_ALLOW},
		unix.SockFilter{Code: result, K: unix.SECCOMP_RET_ERRNO}, // with error number 0
	)
}
