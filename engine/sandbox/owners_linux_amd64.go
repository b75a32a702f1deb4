package sandbox

import "golang.org/x/sys/unix"

const architecture = unix.AUDIT_ARCH_X86_64

// ownerCalls are the system calls that change the owners of files.
var ownerCalls = []uint32{unix.SYS_CHOWN, unix.SYS_LCHOWN, unix.SYS_FCHOWN, unix.SYS_FCHOWNAT}
