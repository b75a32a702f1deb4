package sandbox

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func init() {
	acts["sleep"] = func() { time.Sleep(time.Hour) }
	acts["pass"] = func() {}
	acts["exit 3"] = func() { os.Exit(3) }
	acts["killed"] = func() { _ = syscall.Kill(os.Getpid(), syscall.SIGKILL); select {} }
	// An orphan process that nothing identifies: it is in another session, with an empty environment and none of our
	// descriptors.
	acts["daemon"] = func() {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), childVar+"=leave a daemon")
		cmd.Stdout = os.Stdout
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err := cmd.Run(); err != nil {
			panic(err)
		}
	}
	acts["leave a daemon"] = func() {
		cmd := exec.Command("/bin/sleep", "3600")
		cmd.Env = []string{}
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err := cmd.Start(); err != nil {
			panic(err)
		}
		fmt.Println(cmd.Process.Pid)
	}
	acts["daemon, then sleep"] = func() {
		acts["daemon"]()
		time.Sleep(time.Hour)
	}
	// A chain of processes. Each starts the next one in a session of its own and ends.
	acts["run away"] = func() {
		cmd := exec.Command("/bin/sh", "-c", `f() { setsid sh -c "$1" sh "$1" & }; f "$1"`, "sh",
			`setsid sh -c "$1" sh "$1" & : >>"$TRACE"`)
		cmd.Env = []string{"TRACE=" + os.Getenv("TRACE"), "PATH=" + os.Getenv("PATH")}
		if err := cmd.Run(); err != nil {
			panic(err)
		}
	}
	// The launcher is the only process that a child can signal without having started it.
	acts["stop the launcher"] = func() { signalLauncher(syscall.SIGSTOP) }
	acts["kill the launcher"] = func() { signalLauncher(syscall.SIGKILL) }
	acts["kill the keeper"] = func() {
		var errs []error
		for _, tid := range threads(os.Getppid()) {
			errs = append(errs, unix.Tgkill(os.Getppid(), tid, syscall.SIGKILL))
		}
		fmt.Println(syscall.Kill(os.Getppid(), syscall.SIGKILL), errs[0])
	}
	acts["coordinate"] = func() {
		g, err := NewGuard()
		if err != nil {
			panic(err)
		}
		s, err := New(g, Rules{Confined: true})
		if err != nil {
			panic(err)
		}
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), childVar+"=daemon, then sleep")
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		if _, err := s.Start(cmd); err != nil {
			panic(err)
		}
		select {}
	}
}

// signalLauncher sends a signal to the launcher, which is the only other child of the keeper.
func signalLauncher(signal syscall.Signal) {
	for _, pid := range childrenByParent(os.Getppid()) {
		if pid != os.Getpid() {
			fmt.Println(syscall.Kill(pid, signal))
		}
	}
}

// threads returns the IDs of a process's threads.
func threads(pid int) (ids []int) {
	entries, _ := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	for _, e := range entries {
		if id, err := strconv.Atoi(e.Name()); err == nil {
			ids = append(ids, id)
		}
	}
	return ids
}

// waitUntilDead waits until a process has ended, without a time limit.
func waitUntilDead(t *testing.T, pid int) {
	t.Helper()
	for !hasEnded(pid) {
		time.Sleep(time.Millisecond)
	}
}

// firstNumber returns the number that a child printed as its first line.
func firstNumber(t *testing.T, output string) int {
	t.Helper()
	line, _, _ := strings.Cut(output, "\n")
	n, err := strconv.Atoi(line)
	if err != nil {
		t.Fatalf("no number: %q", output)
	}
	return n
}

func TestWaitReportsHowAChildEnded(t *testing.T) {
	s := sandboxed(t, Rules{Confined: true})
	for act, want := range map[string]string{"pass": "(0)", "exit 3": "(3)", "killed": "(killed)"} {
		if got := do(t, s, act); got != want {
			t.Errorf("%s: %s, want %s", act, got, want)
		}
	}
}

func TestNothingOutlivesAChild(t *testing.T) {
	for _, r := range []Rules{{}, {Confined: true}} {
		s := sandboxed(t, r)
		for range 10 {
			pid := firstNumber(t, do(t, s, "daemon"))
			if !hasEnded(pid) {
				t.Fatalf("with %+v process %d is still there", r, pid)
			}
		}
	}
}

func TestProcessesThatRunAwayEnd(t *testing.T) {
	if _, err := exec.LookPath("setsid"); err != nil {
		t.Skip("not run: there is no setsid command")
	}
	trace := filepath.Join(t.TempDir(), "trace")
	s := sandboxed(t, Rules{})
	if got := do(t, s, "run away", "TRACE="+trace); got != "(0)" {
		t.Fatalf("%s", got)
	}
	// Each of them makes the file again, unless all have ended.
	_ = os.Remove(trace)
	time.Sleep(100 * time.Millisecond)
	if _, err := os.Stat(trace); err == nil {
		t.Error("they are still running")
	}
}

func TestNothingOutlivesACoordinatorThatIsKilled(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVar+"=coordinate")
	cmd.Stdout, cmd.Stderr = w, os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	buf := make([]byte, 64)
	n, err := r.Read(buf) // its daemon is running
	if err != nil {
		t.Fatal(err)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	waitUntilDead(t, firstNumber(t, string(buf[:n])))
}

func TestLauncherThatAChildHasKilledIsReplaced(t *testing.T) {
	s := sandboxed(t, Rules{Confined: true})
	if got := do(t, s, "kill the launcher"); got != "<nil>\n(0)" {
		t.Fatalf("%s", got)
	}
	if got := do(t, s, "pass"); got != "(0)" {
		t.Errorf("the next child: %s", got)
	}
}

func TestKeeperCannotBeKilledByAChild(t *testing.T) {
	s := sandboxed(t, Rules{Confined: true}, InForceSignals)
	if got := do(t, s, "kill the keeper"); got != "operation not permitted operation not permitted\n(0)" {
		t.Errorf("%s", got)
	}
}

// Where signals are not confined, a child may kill its keeper. Then only the result of that child is lost.
func TestKeeperThatAChildHasKilledIsReplaced(t *testing.T) {
	g := guarded(t)
	s, err := New(g, Rules{})
	if err != nil {
		t.Fatal(err)
	}
	if got := do(t, s, "kill the keeper"); !strings.HasSuffix(got, "(lost)") {
		t.Errorf("%s", got)
	}
	if got := do(t, s, "exit 3"); got != "(3)" {
		t.Errorf("the next child: %s", got)
	}
	s.Close()
	if err := g.Close(); err != nil {
		t.Error(err)
	}
}

func TestChildThatCannotBeStartedIsAnError(t *testing.T) {
	s := sandboxed(t, Rules{Confined: true})
	name := filepath.Join(t.TempDir(), "garbage")
	if err := os.WriteFile(name, []byte("\x7fELF no more"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		path, dir string
		want      error
	}{
		{name, "", syscall.ENOEXEC},
		{name + "s", "", syscall.ENOENT},
		{os.Args[0], name + "s", syscall.ENOENT},
	} {
		cmd := exec.Command(tt.path)
		cmd.Stdout, cmd.Stderr, cmd.Dir = os.Stdout, os.Stderr, tt.dir
		if _, err := s.Start(cmd); !strings.Contains(fmt.Sprint(err), tt.want.Error()) {
			t.Errorf("%s in %q: %v, want %v", tt.path, tt.dir, err, tt.want)
		}
	}
}

func BenchmarkStart(b *testing.B) {
	s, err := New(nil, Rules{Confined: true, Network: true})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	for name, run := range map[string]func(*exec.Cmd) error{
		"directly": (*exec.Cmd).Run,
		"in a sandbox": func(cmd *exec.Cmd) error {
			c, err := s.Start(cmd)
			if err == nil {
				c.Wait(func() {})
			}
			return err
		},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				cmd := exec.Command("/bin/true")
				cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
				if err := run(cmd); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
