package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sys/unix"
)

// confine puts the calling thread, and everything that it starts, under r as far as the kernel can. It returns what is
// in force.
func confine(r Rules) (inForce []string, err error) {
	if !r.Confined {
		return nil, nil
	}
	// Otherwise set-user-ID programs such as sudo would be a way out.
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return nil, os.NewSyscallError("prctl", err)
	}
	limit()
	isolated := r.Network && !r.Interfaces && isolateNetwork() == nil
	lock := newLandlock(r.Network && !isolated)
	if err := lock.restrict(r.Writable, temporary(r)); err != nil {
		return nil, err
	}
	if err := dropCapabilities(); err != nil { // after all of the above, which may need them
		return nil, err
	}
	_ = keepOwners() // a kernel without filters of system calls refuses changes of owners instead
	for _, f := range []struct {
		name string
		is   bool
	}{
		{InForcePrivileges, true},
		{InForceFiles, lock.files != 0},
		{InForceSignals, lock.scopes != 0},
		{InForceNetwork, isolated},
		{InForceTCP, lock.network != 0},
	} {
		if f.is {
			inForce = append(inForce, f.name)
		}
	}
	return inForce, nil
}

// Limits of children, unless the system has lower ones.
const (
	maxFileSize  = 16 << 30 // bytes of one file, or half of the disk's free space if that is less
	minFileSize  = 1 << 30  // the limit on a file is never lower than this
	maxProcesses = 8192     // processes and threads of the user, beyond those that exist on the machine
)

// limit bounds the size of files and the number of processes, for the calling process and everything that it starts.
// It also turns off core dumps. The kernel counts all processes of a user together, and does not count those of root.
func limit() {
	size := uint64(maxFileSize)
	var disk unix.Statfs_t
	if unix.Statfs(os.TempDir(), &disk) == nil {
		size = min(size, max(minFileSize, disk.Bavail*uint64(disk.Bsize)/2))
	}
	lower(unix.RLIMIT_FSIZE, size)
	lower(unix.RLIMIT_CORE, 0)
	var skip string
	var running, all uint64
	text, _ := os.ReadFile("/proc/loadavg")
	if n, _ := fmt.Sscanf(string(text), "%s %s %s %d/%d", &skip, &skip, &skip, &running, &all); n == 5 {
		lower(unix.RLIMIT_NPROC, all+maxProcesses)
	}
}

// lower lowers a limit to the given value. It does nothing if the limit is already at or below it.
func lower(resource int, to uint64) {
	var now unix.Rlimit
	if unix.Getrlimit(resource, &now) != nil || now.Max <= to {
		return
	}
	_ = unix.Setrlimit(resource, &unix.Rlimit{Cur: min(now.Cur, to), Max: to}) // lowering a limit needs no rights
}

// dropCapabilities takes all capabilities from the calling thread, irrevocably.
func dropCapabilities() error {
	// Only root is allowed to do this; others get EPERM.
	for c := uintptr(0); unix.Prctl(unix.PR_CAPBSET_READ, c, 0, 0, 0) == nil; c++ {
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0); err != nil && !errors.Is(err, unix.EPERM) {
			return os.NewSyscallError("prctl", err)
		}
	}
	_ = unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) // older kernels have no ambient set
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	return os.NewSyscallError("capset", unix.Capset(&header, &none[0]))
}

// shared are the files and folders that all programs of a machine may write to: those for temporary files, and
// terminals.
var shared = []string{"/tmp", "/var/tmp", "/dev/shm", "/dev/tty", "/dev/ptmx", "/dev/pts"}

// temporary returns the shared files and folders that r lets children write to. Some may be removed before they are
// used.
func temporary(r Rules) (list []string) {
	if !r.Temporary {
		return nil
	}
	var protected []string
	for _, path := range r.Protected {
		if real, err := filepath.EvalSymlinks(path); err == nil {
			protected = append(protected, real)
		}
	}
	for _, path := range append([]string{os.TempDir()}, shared...) {
		if real, err := filepath.EvalSymlinks(path); err == nil { // a container may lack it
			list = append(list, except(real, protected)...)
		}
	}
	return list
}

// except returns the files and folders that make up path, without protected ones. If nothing below path is protected,
// that is path itself.
func except(path string, protected []string) (list []string) {
	if slices.ContainsFunc(protected, func(p string) bool { return isBelow(path, p) }) {
		return nil
	}
	if !slices.ContainsFunc(protected, func(p string) bool { return isBelow(p, path) }) {
		return []string{path}
	}
	entries, _ := os.ReadDir(path) // what cannot be read cannot be allowed either
	for _, e := range entries {
		if e.Type()&os.ModeSymlink == 0 {
			list = append(list, except(filepath.Join(path, e.Name()), protected)...)
		}
	}
	return list
}

// isBelow reports whether path is dir itself or below it.
func isBelow(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// isolateNetwork moves the calling thread to a network namespace of its own. Loopback is up there, so that tests can
// start servers for themselves. A new namespace takes CAP_SYS_ADMIN: without that, the thread would need a user
// namespace too, and a process of several threads cannot enter one.
func isolateNetwork() error {
	home, err := os.Open("/proc/thread-self/ns/net")
	if err != nil {
		return err
	}
	defer home.Close()
	if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
		return err
	}
	if err := raiseLoopback(); err != nil {
		return errors.Join(err, unix.Setns(int(home.Fd()), unix.CLONE_NEWNET))
	}
	return nil
}

// raiseLoopback brings up the loopback interface, which is down in a new namespace.
func raiseLoopback() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(fd) }()
	lo, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	if err := unix.IoctlIfreq(fd, unix.SIOCGIFFLAGS, lo); err != nil {
		return err
	}
	lo.SetUint16(lo.Uint16() | unix.IFF_UP)
	return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, lo)
}
