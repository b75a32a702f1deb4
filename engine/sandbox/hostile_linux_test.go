package sandbox

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

func init() {
	acts["show status"] = func() {
		status, _ := os.ReadFile("/proc/self/status")
		for line := range strings.Lines(string(status)) {
			if strings.HasPrefix(line, "Cap") || strings.HasPrefix(line, "NoNewPrivs") {
				fmt.Print(line)
			}
		}
	}
	acts["make a device"] = func() {
		fmt.Println(unix.Mknod("device", unix.S_IFBLK|0o600, int(unix.Mkdev(8, 0))))
	}
	acts["make a big file"] = func() {
		var limit unix.Rlimit
		_ = unix.Getrlimit(unix.RLIMIT_FSIZE, &limit)
		fmt.Println(limit.Max <= maxFileSize, limit.Cur <= maxFileSize)
	}
	acts["trace"] = func() {
		var pid int
		_, _ = fmt.Sscan(os.Getenv("TARGET"), &pid)
		runtime.LockOSThread()
		fmt.Println(syscall.PtraceAttach(pid))
	}
	acts["without Landlock"] = func() {
		if err := denyLandlock(); err != nil {
			panic(err)
		}
		g, err := NewGuard()
		if err != nil {
			panic(err)
		}
		s, err := New(g, Rules{Confined: true})
		if err != nil {
			panic(err)
		}
		fmt.Println(s.InForce())
		for _, act := range []string{"read", "show status"} {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), childVar+"="+act, fmt.Sprintf("TARGET=/proc/%d/environ", os.Getpid()))
			cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
			c, err := s.Start(cmd)
			if err != nil {
				panic(err)
			}
			c.Wait(func() {})
		}
		s.Close()
		_ = g.Close()
	}
}

// denyLandlock makes Landlock's system calls fail for this process and all that it starts, as on a kernel without
// Landlock.
func denyLandlock() error {
	const allow, refuse = unix.SECCOMP_RET_ALLOW, unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
	filter := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: 0}, // the number of the system call
		{Code: unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K, K: unix.SYS_LANDLOCK_RESTRICT_SELF + 1, Jt: 2},
		{Code: unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K, K: unix.SYS_LANDLOCK_CREATE_RULESET, Jf: 1},
		{Code: unix.BPF_RET | unix.BPF_K, K: refuse},
		{Code: unix.BPF_RET | unix.BPF_K, K: allow},
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&program)))
	if errno != 0 {
		return errno
	}
	return nil
}

// checkStatus checks that a child has no capabilities and can gain none.
func checkStatus(t *testing.T, status string) {
	t.Helper()
	for _, want := range []string{"CapInh", "CapPrm", "CapEff", "CapAmb"} {
		if !strings.Contains(status, want+":\t0000000000000000\n") {
			t.Errorf("%s is not empty:\n%s", want, status)
		}
	}
	if os.Getuid() == 0 && !strings.Contains(status, "CapBnd:\t0000000000000000\n") {
		t.Errorf("CapBnd is not empty:\n%s", status)
	}
	if !strings.Contains(status, "NoNewPrivs:\t1\n") {
		t.Errorf("privileges can be gained:\n%s", status)
	}
}

func TestChildHasNoPrivileges(t *testing.T) {
	for _, r := range []Rules{{Confined: true}, {Confined: true, Network: true}, {Confined: true, Temporary: true}} {
		s := sandboxed(t, r, InForcePrivileges)
		checkStatus(t, do(t, s, "show status"))
	}
}

func TestChildMakesNoDevices(t *testing.T) {
	s := sandboxed(t, Rules{Confined: true, Writable: []string{os.TempDir()}})
	if got := do(t, s, "make a device"); !strings.Contains(got, "not permitted") && !strings.Contains(got, "denied") {
		t.Errorf("%s", got)
	}
}

func TestChildHasALimitOnFiles(t *testing.T) {
	s := sandboxed(t, Rules{Confined: true})
	if got := do(t, s, "make a big file"); got != "true true\n(0)" {
		t.Errorf("%s", got)
	}
}

// TestLoosenedSandboxKeepsChildrenFromOthers checks that a sandbox that allows temporary files and the network allows
// nothing more.
func TestLoosenedSandboxKeepsChildrenFromOthers(t *testing.T) {
	s := sandboxed(t, Rules{Confined: true, Temporary: true}, InForceFiles, InForceSignals)
	victim := exec.Command("/bin/sleep", "3600")
	victim.Env = []string{"TOKEN=secret"}
	if err := victim.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = victim.Process.Kill(); _ = victim.Wait() }()
	pid := victim.Process.Pid
	for _, tt := range []struct{ act, target string }{
		{"read", fmt.Sprintf("/proc/%d/environ", pid)},
		{"read", fmt.Sprintf("/proc/%d/mem", pid)},
		{"write", fmt.Sprintf("/proc/%d/mem", pid)},
		{"trace", fmt.Sprint(pid)},
		{"read", fmt.Sprintf("/proc/%d/environ", os.Getpid())},
		{"write", "/etc/hosts"},
		{"write", "/proc/sys/kernel/core_pattern"},
	} {
		if got := do(t, s, tt.act, "TARGET="+tt.target); !strings.Contains(got, "permi") {
			t.Errorf("%s %s: %s", tt.act, tt.target, got)
		}
	}
	if got := do(t, s, "kill the parent"); !strings.HasPrefix(got, "operation not permitted") {
		t.Errorf("signalling: %s", got)
	}
}

func TestLoosenedSandboxProtectsTheRunnersFiles(t *testing.T) {
	dir, err := os.MkdirTemp("/tmp", "runner") // a folder that all programs may write to
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	commands, workspace, other := filepath.Join(dir, "commands"), filepath.Join(dir, "workspace"), filepath.Join(dir, "other")
	for _, d := range []string{workspace, other} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(commands, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	s := sandboxed(t, Rules{Confined: true, Temporary: true, Protected: []string{commands, workspace}}, InForceFiles)
	for _, target := range []string{commands, filepath.Join(workspace, "f"), filepath.Join(dir, "f")} {
		if got := do(t, s, "write", "TARGET="+target); !strings.Contains(got, "permission denied") {
			t.Errorf("writing %s: %s", target, got)
		}
	}
	if got := do(t, s, "write", "TARGET="+filepath.Join(other, "f")); got != "<nil>\n(0)" {
		t.Errorf("writing elsewhere: %s", got)
	}
}

func TestWithoutLandlockCoordinatorAndPrivilegesAreOutOfReach(t *testing.T) {
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skip("not run: the filter is made for two architectures")
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVar+"=without Landlock")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	inForce, rest, _ := strings.Cut(string(out), "\n")
	if names := strings.Fields(strings.Trim(inForce, "[]")); slices.Contains(names, InForceFiles) || !slices.Contains(names, InForcePrivileges) {
		t.Errorf("in force: %s", inForce)
	}
	if !strings.Contains(rest, "permission denied") {
		t.Errorf("the environment of the coordinator can be read:\n%s", rest)
	}
	checkStatus(t, rest)
}
