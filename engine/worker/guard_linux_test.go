package worker

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/engine/probe"
)

func guarded(t *testing.T) *Guard {
	t.Helper()
	g, err := NewGuard()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// daemon starts a process in a session of its own, which holds nothing of
// ours, and returns its ID.
func daemon() int {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVar+"=sleep")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	return cmd.Process.Pid
}

func init() {
	mainActs["daemon"] = func() { fmt.Println(daemon()) }
	mainActs["announce a daemon"] = func() {
		emit(fmt.Sprintf(`{"event":"stats","mutant":%d}`+"\n", daemon()))
		select {}
	}
	mainActs["coordinate with a guard"] = func() {
		g, err := NewGuard()
		if err != nil {
			panic(err)
		}
		c := Command{Binary: os.Args[0], Dir: ".", Guard: g, Env: append(os.Environ(), childVar+"=announce a daemon")}
		c.OnEvent = func(e *probe.Event) {
			emit(fmt.Sprintf(`{"event":"stats","mutant":%d}`+"\n", e.Mutant))
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
		}
		Run(context.Background(), c)
	}
}

func TestProcessThatLeftTheGroupAndHoldsOutputEndsWithTheChild(t *testing.T) {
	g := guarded(t)
	defer g.Close()
	c := command(t, "background, own session")
	c.Guard = g
	pid, err := strconv.Atoi(lastLine(run(t, c).Output))
	if err != nil {
		t.Fatal(err)
	}
	waitUntilDead(t, pid)
}

func TestDaemonsEndWithTheGuard(t *testing.T) {
	g := guarded(t)
	c := command(t, "daemon")
	c.Guard = g
	pid, err := strconv.Atoi(lastLine(run(t, c).Output))
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Kill(pid, 0); err != nil {
		t.Errorf("the process does not even live until then: %v", err)
	}
	if err := g.Close(); err != nil {
		t.Error(err)
	}
	waitUntilDead(t, pid)
}

func TestDaemonsEndWithACoordinatorThatIsKilled(t *testing.T) {
	c := command(t, "coordinate with a guard")
	var pid int
	c.OnEvent = func(e *probe.Event) { pid = e.Mutant }
	if exit := run(t, c); exit.Cause != Lost || pid == 0 {
		t.Fatalf("%v, process %d, output:\n%s", exit.Cause, pid, exit.Output)
	}
	waitUntilDead(t, pid)
}

func TestGuardSparesOthers(t *testing.T) {
	g, other := guarded(t), guarded(t)
	defer other.Close()
	c := command(t, "daemon")
	c.Guard = other
	pid, err := strconv.Atoi(lastLine(run(t, c).Output))
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Close(); err != nil {
		t.Error(err)
	}
	if err := syscall.Kill(pid, 0); err != nil {
		t.Errorf("the process of another run is gone: %v", err)
	}
}

func TestFoldersThatAreBequeathedGoWithTheGuard(t *testing.T) {
	g, dir := guarded(t), t.TempDir()
	gone, kept := filepath.Join(dir, "gone"), filepath.Join(dir, "kept")
	mustWrite(t, filepath.Join(gone, "a", "f"), "x")
	must(t, os.Chmod(filepath.Join(gone, "a"), 0o500))
	mustWrite(t, filepath.Join(kept, "f"), "x")
	g.Bequeath(gone)
	g.Bequeath(filepath.Join(dir, "missing"))
	must(t, g.Close())
	if left, _ := os.ReadDir(dir); len(left) != 1 || left[0].Name() != "kept" {
		t.Errorf("left: %v", left)
	}
}
