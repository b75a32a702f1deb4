package sandbox

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// devices are the devices that every program may write to. Terminals are not among them.
var devices = []string{"/dev/null", "/dev/zero", "/dev/full"}

// fileRights are Landlock's rights to change files, by the version of its interface that introduced them. Rights that
// are not listed, such as reading, are not restricted.
var fileRights = []uint64{
	1: unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG |
		unix.LANDLOCK_ACCESS_FS_MAKE_SOCK | unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_SYM,
	2: unix.LANDLOCK_ACCESS_FS_REFER,
	3: unix.LANDLOCK_ACCESS_FS_TRUNCATE,
	5: unix.LANDLOCK_ACCESS_FS_IOCTL_DEV,
}

// ofDevices are the rights that are never granted: a child that could make a device could write to any disk.
const ofDevices = unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK

// ofFiles are the rights in fileRights that a rule on a file may have. The others apply to folders only.
const ofFiles = unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV

// Versions of the interface that introduced restrictions on more than files.
const (
	versionTCP    = 4
	versionScopes = 6
)

// erratumSignals is the bit that says that a kernel bug is fixed. With the bug, a confined thread cannot signal other
// threads of its own process, which the Go runtime does to preempt them.
const erratumSignals = 1 << 1

// landlock is a set of restrictions, as bits of rights and scopes. What it contains is denied, except for what restrict
// and except allow.
type landlock struct{ files, network, scopes uint64 }

// newLandlock returns the restrictions that the kernel supports: on files and signals, and on TCP if tcp is true.
func newLandlock(tcp bool) landlock {
	version, errata := landlockVersion()
	var l landlock
	for v, rights := range fileRights {
		if v <= version {
			l.files |= rights
		}
	}
	if version >= versionScopes && errata&erratumSignals != 0 {
		l.scopes = unix.LANDLOCK_SCOPE_SIGNAL | unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET
	}
	if tcp && version >= versionTCP {
		// Only connecting is denied: some tests just listen, and a server that nobody connects to does no harm.
		l.network = unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	}
	return l
}

// landlockVersion returns the version of Landlock's interface and the bits of its bugs that are fixed. Both are 0
// without Landlock.
func landlockVersion() (version int, errata uint64) {
	query := func(what uintptr) uintptr {
		n, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, what)
		if errno != 0 {
			return 0
		}
		return n
	}
	return int(query(unix.LANDLOCK_CREATE_RULESET_VERSION)), uint64(query(unix.LANDLOCK_CREATE_RULESET_ERRATA))
}

// restrict applies l to the calling thread and to everything that it starts. They may still write to the files and
// folders of writable, which must exist, to those of others as far as they exist, and to devices. The thread must have
// set PR_SET_NO_NEW_PRIVS. An empty l restricts nothing.
func (l landlock) restrict(writable, others []string) error {
	if l == (landlock{}) {
		return nil
	}
	// Older kernels accept the longer struct of newer ones if the fields that they do not know are zero.
	attr := unix.LandlockRulesetAttr{Handled_access_fs: l.files, Handled_access_net: l.network, Scoped: l.scopes}
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr), 0)
	if errno != 0 {
		return os.NewSyscallError("landlock_create_ruleset", errno)
	}
	set := int(fd)
	defer func() { _ = unix.Close(set) }()
	if l.files != 0 {
		for _, path := range writable {
			if err := l.except(set, path); err != nil {
				return err
			}
		}
		for _, path := range append(others, devices...) {
			_ = l.except(set, path) // a container may lack it
		}
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, fd, 0, 0); errno != 0 {
		return os.NewSyscallError("landlock_restrict_self", errno)
	}
	return nil
}

// except lets the ruleset set allow writing to path and to everything below it.
func (l landlock) except(set int, path string) error {
	f, err := os.OpenFile(path, unix.O_PATH, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	rule := unix.LandlockPathBeneathAttr{Allowed_access: l.files &^ ofDevices, Parent_fd: int32(f.Fd())}
	if !info.IsDir() {
		rule.Allowed_access &= ofFiles
	}
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(set), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
	if errno != 0 {
		return os.NewSyscallError("landlock_add_rule for "+path, errno)
	}
	return nil
}
