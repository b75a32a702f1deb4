package sandbox

import "golang.org/x/sys/unix"

const architecture = unix.AUDIT_ARCH_AARCH64

// ownerCalls are the system calls that change the owners of files.
var ownerCalls = []uint32{unix.SYS_FCHOWN, unix.SYS_FCHOWNAT}
