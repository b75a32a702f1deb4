package sandbox

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// The children of these tests run this test binary itself. The environment variable childVar names what a child does in
// place of its tests.
const childVar = "SANDBOX_TEST_CHILD"

var acts = map[string]func(){}

func TestMain(m *testing.M) {
	if act, ok := acts[os.Getenv(childVar)]; ok {
		act()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// sandboxed returns a sandbox that ends with the test. It skips the test if the kernel cannot enforce inForce.
func sandboxed(t *testing.T, r Rules, inForce ...string) *Sandbox {
	t.Helper()
	s, err := New(nil, r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	for _, name := range inForce {
		if !slices.Contains(s.InForce(), name) {
			version, errata := landlockVersion()
			t.Skipf("not run: this system cannot confine %s (Landlock version %d, errata %#x); in force: %v", name, version, errata, s.InForce())
		}
	}
	return s
}

// started is a child with its output.
type started struct {
	*Child
	output bytes.Buffer
	read   chan struct{}
}

// begin starts a child in the sandbox that does act.
func begin(t *testing.T, s *Sandbox, act string, env ...string) *started {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), append(env, childVar+"="+act)...)
	cmd.Dir = t.TempDir()
	cmd.Stdout, cmd.Stderr = w, w
	child, err := s.Start(cmd)
	w.Close()
	if err != nil {
		t.Fatal(err)
	}
	c := &started{Child: child, read: make(chan struct{})}
	go func() {
		defer close(c.read)
		defer r.Close()
		_, _ = io.Copy(&c.output, r)
	}()
	return c
}

// end waits for a child and returns what it printed and, in parentheses, how it ended.
func (c *started) end() string {
	ended := c.Wait(func() {})
	<-c.read
	how := strconv.Itoa(ended.Code)
	switch {
	case ended.Lost:
		how = "lost"
	case ended.Left:
		how = "left"
	case ended.Signal != 0:
		how = ended.Signal.String()
	}
	return c.output.String() + "(" + how + ")"
}

// do runs a child in the sandbox that does act, and returns what end does.
func do(t *testing.T, s *Sandbox, act string, env ...string) string {
	t.Helper()
	return begin(t, s, act, env...).end()
}

func init() {
	acts["write"] = func() { fmt.Println(os.WriteFile(os.Getenv("TARGET"), []byte("x"), 0o644)) }
	acts["read"] = func() {
		_, err := os.ReadFile(os.Getenv("TARGET"))
		fmt.Println(err)
	}
	acts["truncate"] = func() { fmt.Println(os.Truncate(os.Getenv("TARGET"), 0)) }
	acts["remove"] = func() { fmt.Println(os.Remove(os.Getenv("TARGET"))) }
	acts["rename"] = func() { fmt.Println(os.Rename(os.Getenv("FROM"), os.Getenv("TARGET"))) }
	acts["dial"] = func() {
		port, _ := strconv.Atoi(os.Getenv("TARGET"))
		fmt.Println(dial(port))
	}
	acts["serve itself"] = func() {
		_, port, err := serve()
		if err == nil {
			err = dial(port)
		}
		fmt.Println(err)
	}
	acts["kill the parent"] = func() { fmt.Println(syscall.Kill(os.Getppid(), syscall.SIGCONT)) }
}

// serve and dial do not use package net, which may use cgo. In a program with cgo the runtime finds no deadlocks, and
// other tests here need it to.

// serve opens a port on loopback and returns its socket and number.
func serve() (fd, port int, err error) {
	if fd, err = unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0); err != nil {
		return 0, 0, err
	}
	if err := unix.Bind(fd, &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		return 0, 0, err
	}
	if err := unix.Listen(fd, 1); err != nil {
		return 0, 0, err
	}
	addr, err := unix.Getsockname(fd)
	if err != nil {
		return 0, 0, err
	}
	return fd, addr.(*unix.SockaddrInet4).Port, nil
}

// dial connects to a port on loopback.
func dial(port int) error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	return unix.Connect(fd, &unix.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0, 1}})
}

func TestChildInASandboxWritesWhereItMay(t *testing.T) {
	dir := t.TempDir()
	single := filepath.Join(t.TempDir(), "state")
	if err := os.WriteFile(single, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "a", "b"), 0o755); err != nil {
		t.Fatal(err)
	}
	s := sandboxed(t, Rules{Confined: true, Writable: []string{dir, single}}, InForceFiles)
	for _, target := range []string{filepath.Join(dir, "f"), filepath.Join(dir, "a", "f"), single, "/dev/null"} {
		if got := do(t, s, "write", "TARGET="+target); got != "<nil>\n(0)" {
			t.Errorf("writing %s: %s", target, got)
		}
	}
	from, to := filepath.Join(dir, "a", "f"), filepath.Join(dir, "a", "b", "f")
	if got := do(t, s, "rename", "FROM="+from, "TARGET="+to); got != "<nil>\n(0)" {
		t.Errorf("renaming %s to %s: %s", from, to, got)
	}
}

func TestChildInASandboxWritesNowhereElse(t *testing.T) {
	outside := t.TempDir()
	file, fresh := filepath.Join(outside, "file"), filepath.Join(outside, "fresh")
	if err := os.WriteFile(file, []byte("as it was"), 0o666); err != nil {
		t.Fatal(err)
	}
	s := sandboxed(t, Rules{Confined: true, Writable: []string{t.TempDir()}}, InForceFiles)
	tests := []struct{ act, target string }{{"write", file}, {"write", fresh}, {"truncate", file}, {"remove", file}}
	if version, _ := landlockVersion(); version < 3 {
		tests = slices.DeleteFunc(tests, func(tt struct{ act, target string }) bool { return tt.act == "truncate" })
	}
	for _, tt := range tests {
		if got := do(t, s, tt.act, "TARGET="+tt.target); !strings.Contains(got, "permission denied") {
			t.Errorf("%s %s: %s", tt.act, tt.target, got)
		}
	}
	if got := do(t, s, "read", "TARGET="+file); got != "<nil>\n(0)" {
		t.Errorf("reading: %s", got)
	}
	if data, err := os.ReadFile(file); string(data) != "as it was" || err != nil {
		t.Errorf("the file holds %q, %v", data, err)
	}
	// This process is not confined.
	if err := os.WriteFile(fresh, nil, 0o644); err != nil {
		t.Errorf("this process is confined too: %v", err)
	}
}

// listen starts a server that the children of a sandbox should not reach, and returns its port.
func listen(t *testing.T) string {
	t.Helper()
	fd, port, err := serve()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Close(fd) })
	return strconv.Itoa(port)
}

func TestChildInANetworkOfItsOwnReachesOnlyItself(t *testing.T) {
	s := sandboxed(t, Rules{Confined: true, Network: true}, InForceNetwork)
	if got := do(t, s, "dial", "TARGET="+listen(t)); !strings.Contains(got, "refused") {
		t.Errorf("dialling a server outside: %s", got)
	}
	if got := do(t, s, "serve itself"); got != "<nil>\n(0)" {
		t.Errorf("dialling a server of its own: %s", got)
	}
}

func TestChildWithoutTCPDialsNobody(t *testing.T) {
	s := sandboxed(t, Rules{Confined: true, Network: true, Interfaces: true}, InForceTCP)
	if got := do(t, s, "dial", "TARGET="+listen(t)); !strings.Contains(got, "permission denied") {
		t.Errorf("dialling: %s", got)
	}
}

func TestChildInASandboxCannotSignalTheCoordinator(t *testing.T) {
	s := sandboxed(t, Rules{Confined: true, Writable: []string{t.TempDir()}}, InForceSignals)
	if got := do(t, s, "kill the parent"); !strings.HasPrefix(got, "operation not permitted") {
		t.Errorf("%s", got)
	}
}

func TestChildInASandboxCannotReachIntoTheCoordinator(t *testing.T) {
	s := sandboxed(t, Rules{Confined: true, Writable: []string{t.TempDir()}}, InForceFiles)
	if got := do(t, s, "read", fmt.Sprintf("TARGET=/proc/%d/mem", os.Getpid())); !strings.Contains(got, "permission denied") {
		t.Errorf("%s", got)
	}
}

func TestSandboxWithoutRulesConfinesNothing(t *testing.T) {
	s := sandboxed(t, Rules{})
	if !slices.Equal(s.InForce(), []string{InForceProcesses}) {
		t.Errorf("in force: %v", s.InForce())
	}
	if got := do(t, s, "write", "TARGET="+filepath.Join(t.TempDir(), "f")); got != "<nil>\n(0)" {
		t.Errorf("writing: %s", got)
	}
	if got := do(t, s, "dial", "TARGET="+listen(t)); got != "<nil>\n(0)" {
		t.Errorf("dialling: %s", got)
	}
}

func TestSandboxOfAMissingFolderIsAnError(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	if version, _ := landlockVersion(); version == 0 {
		t.Skip("not run: there is no Landlock")
	}
	if _, err := New(nil, Rules{Confined: true, Writable: []string{missing}}); err == nil || !strings.Contains(err.Error(), missing) {
		t.Errorf("%v", err)
	}
}

func TestChildDiesWithItsSandbox(t *testing.T) {
	s, err := New(nil, Rules{})
	if err != nil {
		t.Fatal(err)
	}
	c := begin(t, s, "sleep")
	s.Close()
	if got := c.end(); got != "(lost)" {
		t.Errorf("%s", got)
	}
	waitUntilDead(t, c.Pid)
}

func TestChildrenMayKeepTheInterfacesOfTheMachine(t *testing.T) {
	s, err := New(nil, Rules{Confined: true, Network: true, Interfaces: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	version, _ := landlockVersion()
	if slices.Contains(s.InForce(), InForceNetwork) || slices.Contains(s.InForce(), InForceTCP) != (version >= versionTCP) {
		t.Errorf("in force: %v, with Landlock version %d", s.InForce(), version)
	}
}
