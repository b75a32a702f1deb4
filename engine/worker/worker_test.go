//go:build unix

package worker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mutantfuzz/mutantfuzz/engine/sandbox"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestCauseAndOutcomeOfEachKindOfEnd(t *testing.T) {
	tests := []struct {
		act     string
		cause   Cause
		code    int
		kind    string
		message string // beginning of it
		failed  []string
	}{
		{act: "pass"},
		{act: "junk"},
		{act: "fail", code: 1, kind: results.KindTest, failed: []string{"TestChild", "TestChild/sub_case"}},
		{act: "junk and fail", code: 1, kind: results.KindTest, failed: []string{"TestChild"}},
		{act: "panic", code: 2, kind: results.KindCrash, message: "panic: boom", failed: []string{"TestChild"}},
		{act: "exit0", code: 2, kind: results.KindCrash, message: "panic: unexpected call to os.Exit(0)", failed: []string{"TestChild"}},
		{act: "exit1", code: 1, kind: results.KindCrash, message: "exit status 1"},
		{act: "exit3", code: 3, kind: results.KindCrash, message: "exit status 3"},
		{act: "exit70", code: 70, kind: results.KindCrash, message: "exit status 70"},
		{act: "probe's exit", cause: GaveUp, code: 70, message: "mutantfuzz: no state"},
		{act: "overflow", code: 2, kind: results.KindCrash, message: "fatal error: stack overflow"},
		{act: "deadlock", cause: Deadlock, code: 2, kind: results.KindHang, message: "fatal error: all goroutines are asleep - deadlock!"},
		{act: "segv", code: 2, kind: results.KindCrash, message: "SIGSEGV: segmentation violation"},
		{act: "killed", cause: Lost, code: -1, message: "the process was killed from outside"},
		{act: "closes its output", message: noneRan},
	}
	for _, tt := range tests {
		t.Run(tt.act, func(t *testing.T) {
			if tt.cause == Deadlock && raced() {
				t.Skip("the race detector hides deadlocks from the runtime")
			}
			t.Parallel()
			exit := run(t, command(t, tt.act))
			if exit.Cause != tt.cause || exit.Code != tt.code {
				t.Errorf("%v with code %d, signal %q, want %v with code %d; output:\n%s", exit.Cause, exit.Code, exit.Signal, tt.cause, tt.code, exit.Output)
			}
			o := exit.Outcome()
			if o.Kind != tt.kind || !strings.HasPrefix(o.Message, tt.message) || (tt.message == "") != (o.Message == "") {
				t.Errorf("kind %q, message %q; want %q, %q", o.Kind, o.Message, tt.kind, tt.message)
			}
			if diff := cmp.Diff(tt.failed, o.Failed); diff != "" {
				t.Errorf("failed tests: -want +got\n%s\noutput:\n%s", diff, exit.Output)
			}
			if exit.Culprit != nil {
				t.Errorf("a culprit without a state: %+v", exit.Culprit)
			}
		})
	}
}

func TestRunningOutOfMemoryIsACrash(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the limit on data is Linux's")
	}
	exit := run(t, command(t, "memory"))
	if o := exit.Outcome(); exit.Cause != OutOfMemory || o.Kind != results.KindCrash {
		t.Errorf("%v, %+v, output:\n%s", exit.Cause, o, exit.Output)
	}
}

func TestMemoryOfABinaryWithoutProbeIsLimited(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux can limit others")
	}
	c := command(t, "take memory")
	c.Memory = 256 << 20
	exit := run(t, c)
	if o := exit.Outcome(); exit.Cause != OutOfMemory || o.Kind != results.KindCrash {
		t.Errorf("%v, %+v, output:\n%s", exit.Cause, o, exit.Output)
	}
}

func TestMemoryFlagMeansOutOfMemory(t *testing.T) {
	c := command(t, "memory flag")
	c.State = newState(t)
	if exit := run(t, c); exit.Cause != OutOfMemory || exit.Outcome().Kind != results.KindCrash {
		t.Errorf("%v, %+v", exit.Cause, exit.Outcome())
	}
}

func TestTimeLimitOfTheTestBinaryNamesTheTest(t *testing.T) {
	c := command(t, "slow")
	c.Args = TestArgs(100*time.Millisecond, "TestChild/sub")
	o := run(t, c).Outcome()
	if o.Kind != results.KindHang || !slices.Contains(o.Failed, "TestChild/sub") {
		t.Errorf("%+v", o)
	}
}

func TestTimeoutEndsAChildAndShowsItsStacks(t *testing.T) {
	c := command(t, "spin")
	c.Timeout = 200 * time.Millisecond
	exit := run(t, c)
	if o := exit.Outcome(); exit.Cause != Timeout || o.Kind != results.KindHang || o.Message != "the process timed out" {
		t.Errorf("%v, %+v", exit.Cause, o)
	}
	if !bytes.Contains(exit.Output, []byte("goroutine ")) {
		t.Errorf("no stacks in the output:\n%s", exit.Output)
	}
}

func TestTimeoutEndsAChildThatIgnoresSignals(t *testing.T) {
	c := command(t, "spin, deaf")
	c.Timeout = 200 * time.Millisecond
	if exit := run(t, c); exit.Cause != Timeout || exit.Signal != "killed" {
		t.Errorf("%v, signal %q", exit.Cause, exit.Signal)
	}
}

func TestChildWithoutProgressIsSilent(t *testing.T) {
	c := command(t, "spin")
	c.State, c.Silence = newState(t), 200*time.Millisecond
	if exit := run(t, c); exit.Cause != Silent || exit.Outcome().Kind != results.KindHang {
		t.Errorf("%v, %+v", exit.Cause, exit.Outcome())
	}
}

func TestChildWhoseThreadsAllSleepIsDeadlocked(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux shows what threads do")
	}
	c := command(t, "block")
	c.State, c.Silence = newState(t), 2*time.Second
	if exit := run(t, c); exit.Cause != Deadlock || exit.Outcome().Kind != results.KindHang {
		t.Errorf("%v, %+v", exit.Cause, exit.Outcome())
	}
}

func TestChildThatWaitsForABusyOneIsNotDeadlocked(t *testing.T) {
	c := command(t, "wait for a child")
	c.State, c.Silence = newState(t), 2*time.Second
	if exit := run(t, c); exit.Cause != Exited || exit.Code != 0 {
		t.Errorf("%v with code %d:\n%s", exit.Cause, exit.Code, exit.Output)
	}
}

func TestOnRestReportsAChildThatSleeps(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux shows what threads do")
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	c := command(t, "block")
	c.OnRest = func(resting bool) {
		if resting {
			cancel()
		}
	}
	if exit, err := Run(ctx, c); err != nil || exit.Cause != Cancelled {
		t.Errorf("%v, %v", exit.Cause, err)
	}
}

func TestAChildThatWorksOrWaitsForAWorkingOneDoesNotRest(t *testing.T) {
	for _, act := range []string{"spin", "wait for a child"} {
		c := command(t, act)
		c.Timeout = 500 * time.Millisecond
		c.OnRest = func(resting bool) {
			if resting {
				t.Errorf("%s rests", act)
			}
		}
		run(t, c)
	}
}

func TestChildIsNotWatchedOutsideOfARunOfAJob(t *testing.T) {
	c := command(t, "nap")
	c.State, c.Silence = newState(t), 50*time.Millisecond
	c.Job, c.OnEvent = &wire.Job{Kind: wire.JobRun}, func(*wire.Event) {}
	if exit := run(t, c); exit.Cause != Exited || exit.Code != 0 {
		t.Errorf("%v with code %d:\n%s", exit.Cause, exit.Code, exit.Output)
	}
}

func TestCancelledChildHasNoOutcome(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c := command(t, "announce")
	c.OnEvent = func(*wire.Event) { cancel() }
	for _, when := range []string{"while it runs", "before it starts"} {
		exit, err := Run(ctx, c)
		if err != nil || exit.Cause != Cancelled || exit.Outcome().Kind != "" {
			t.Errorf("%s: %v, %+v, %v", when, exit.Cause, exit.Outcome(), err)
		}
	}
}

func TestFloodOfOutputKeepsItsEnds(t *testing.T) {
	c := command(t, "flood")
	c.OutputLimit = 4 << 10
	exit := run(t, c)
	if !bytes.HasPrefix(exit.Output, []byte("first\n")) || !bytes.HasSuffix(exit.Output, []byte("last\n")) {
		t.Errorf("output begins %.20q", exit.Output)
	}
	if len(exit.Output) > c.OutputLimit+100 || !bytes.Contains(exit.Output, []byte("bytes left out")) {
		t.Errorf("%d bytes kept", len(exit.Output))
	}
}

func TestATimeLimitIsSeenInAFloodOfOutput(t *testing.T) {
	c := command(t, "block in a crowd")
	c.OutputLimit, c.Args = 4<<10, TestArgs(300*time.Millisecond, "TestChild")
	if o := run(t, c).Outcome(); o.Kind != results.KindHang {
		t.Errorf("%+v", o)
	}
}

func TestBackgroundProcessesEndWithTheChild(t *testing.T) {
	exit := run(t, command(t, "background"))
	pid, err := strconv.Atoi(lastLine(exit.Output))
	if err != nil {
		t.Fatalf("%v; output:\n%s", err, exit.Output)
	}
	// It has been sent the signal, but is only gone when its new parent has reaped it.
	waitUntilDead(t, pid)
}

func TestProcessThatLeftTheGroupDoesNotHoldUpRun(t *testing.T) {
	exit := run(t, command(t, "background, own session"))
	pid, err := strconv.Atoi(lastLine(exit.Output))
	if err != nil {
		t.Fatalf("%v; output:\n%s", err, exit.Output)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Errorf("this test's process: %v", err)
	}
}

// waitUntilDead waits until a process has ended and been reaped.
func waitUntilDead(t *testing.T, pid int) {
	t.Helper()
	for syscall.Kill(pid, 0) == nil {
		if s, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid)); err == nil && bytes.Contains(s, []byte(") Z ")) {
			return
		}
		select {
		case <-t.Context().Done():
			t.Fatalf("process %d lives on", pid)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func TestChildGetsItsFolderAndTheProbesVariables(t *testing.T) {
	c := command(t, "environment")
	c.Dir, _ = filepath.EvalSymlinks(c.Dir)
	c.Env = slices.DeleteFunc(c.Env, func(kv string) bool { return strings.HasPrefix(kv, "GOGC=") || strings.HasPrefix(kv, "GOMEMLIMIT=") })
	c.Mutant, c.Steps, c.Allocated, c.Memory = -1, 5, 7, 1<<40
	exit := run(t, c)
	want := fmt.Sprintf("dir %s, PWD %[1]s, stdin 0 <nil>\nmutant -1, steps 5, allocated 7, memory %d, heap %d\n", c.Dir, int64(1<<40), int64(1<<39))
	if exit.Code != 0 || !strings.HasPrefix(string(exit.Output), want) {
		t.Errorf("code %d, output:\n%s\nwant:\n%s", exit.Code, exit.Output, want)
	}
}

func TestChildGetsItsJob(t *testing.T) {
	c := command(t, "job")
	c.Job = &wire.Job{Target: "FuzzX"}
	var messages []string
	c.OnEvent = func(e *wire.Event) { messages = append(messages, e.Message) }
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	run(t, c)
	if diff := cmp.Diff([]string{"FuzzX <nil>"}, messages); diff != "" {
		t.Error(diff)
	}
	if left, _ := os.ReadDir(tmp); len(left) > 0 {
		t.Errorf("job files left behind: %v", left)
	}
}

func TestEventsArriveInOrderAndWhole(t *testing.T) {
	c := command(t, "events")
	var mutants []int
	var rest []string
	c.OnEvent = func(e *wire.Event) {
		if e.Event == wire.EventStats {
			mutants = append(mutants, e.Mutant)
		} else {
			rest = append(rest, e.Event)
		}
	}
	exit := run(t, c)
	if len(mutants) != 1000 || !slices.IsSorted(mutants) {
		t.Errorf("%d events, sorted %v", len(mutants), slices.IsSorted(mutants))
	}
	if exit.Cause != Invalid || exit.Invalid == nil || len(rest) > 0 {
		t.Errorf("%v (%v), and then %q", exit.Cause, exit.Invalid, rest)
	}
}

func TestAChildWithInvalidEventsOrStateIsEnded(t *testing.T) {
	for act, bounds := range map[string]*Bounds{
		"sends events for ever":              {Layout: testLayout},
		"never ends its line":                nil,
		"sends an invalid event and goes on": {Layout: testLayout},
		"cuts its state short":               nil,
		"cuts its state, and waits":          {Layout: testLayout},
	} {
		c := command(t, act)
		c.State, c.Silence, c.Bounds, c.Job = newState(t), time.Minute, bounds, jobs[wire.JobFuzz]
		c.OnEvent = func(*wire.Event) {}
		exit := run(t, c)
		if exit.Cause != Invalid || exit.Invalid == nil || exit.Culprit != nil || exit.Outcome().Kind != "" {
			t.Errorf("%s: %v (%v), %+v", act, exit.Cause, exit.Invalid, exit.Outcome())
		}
		c = command(t, "pass")
		c.State = newState(t)
		if exit := run(t, c); exit.Cause != Exited || exit.Code != 0 {
			t.Errorf("the next one after %s: %v (%v)", act, exit.Cause, exit.Invalid)
		}
	}
}

func TestStateNamesTheCulprit(t *testing.T) {
	c := command(t, "state")
	c.State = newState(t)
	exit := run(t, c)
	want := &Culprit{Mutant: 7, Input: []byte("abc"), InRun: true}
	if diff := cmp.Diff(want, exit.Culprit); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if o := exit.Outcome(); o.Kind != results.KindHang || o.Message != "the step bound was exceeded" {
		t.Errorf("with FlagHang: %+v", o)
	}
	c = command(t, "exit3")
	c.State = newState(t)
	if exit := run(t, c); exit.Culprit == nil || exit.Culprit.InRun || exit.Culprit.Input != nil {
		t.Errorf("death outside of a run: %+v", exit.Culprit)
	}
}

func TestRestoreIsCalledOnceTheChildHasEnded(t *testing.T) {
	dir := t.TempDir()
	home, tmp := filepath.Join(dir, "home"), filepath.Join(dir, "tmp")
	for _, name := range []string{home, tmp} {
		must(t, os.Mkdir(name, 0o700))
	}
	c := command(t, "dirty")
	c.Env = append(Environment(c.Env, home, tmp, t.TempDir(), t.TempDir()), childVar+"=dirty")
	c.Dir = dir
	calls, failure := 0, errors.New("the disk is full")
	c.Restore = func() error {
		calls++
		for _, name := range []string{filepath.Join(dir, "new"), filepath.Join(tmp, "t"), filepath.Join(home, "h")} {
			if _, err := os.Lstat(name); err != nil {
				t.Errorf("called before the child was done: %v", err)
			}
		}
		return failure
	}
	if exit, err := Run(t.Context(), c); !errors.Is(err, failure) || exit.Code != 0 || calls != 1 {
		t.Errorf("%v, called %d times, code %d:\n%s", err, calls, exit.Code, exit.Output)
	}
}

func TestBinaryThatCannotStartIsAnError(t *testing.T) {
	c := command(t, "pass")
	c.Binary = filepath.Join(t.TempDir(), "missing")
	c.OnEvent = func(*wire.Event) {}
	if _, err := Run(t.Context(), c); err == nil || !strings.Contains(err.Error(), "cannot start") {
		t.Errorf("%v", err)
	}
}

func TestChildDiesWithTheCoordinator(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux has a parent-death signal")
	}
	c := command(t, "coordinate")
	var pid int
	c.OnEvent = func(e *wire.Event) { pid = e.Mutant }
	exit := run(t, c)
	if exit.Cause != Lost || pid == 0 {
		t.Fatalf("%v, process %d, output:\n%s", exit.Cause, pid, exit.Output)
	}
	waitUntilDead(t, pid)
}

// BenchmarkRun measures running a test binary with one test that passes.
func BenchmarkRun(b *testing.B) { benchmarkRun(b, sandbox.Rules{}) }

// BenchmarkRunInASandbox measures the same in a sandbox that confines everything it can.
func BenchmarkRunInASandbox(b *testing.B) {
	benchmarkRun(b, sandbox.Rules{Confined: true, Network: true, Writable: []string{os.TempDir()}})
}

func benchmarkRun(b *testing.B, r sandbox.Rules) {
	exe, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	state, err := NewState(filepath.Join(b.TempDir(), "state"), wire.Layout{Blocks: 1 << 14, Funcs: 1 << 10, Mutants: 1 << 12})
	if err != nil {
		b.Fatal(err)
	}
	defer state.Close()
	c := Command{
		Binary: exe, Args: TestArgs(time.Minute, "TestChild"), Dir: b.TempDir(), Env: append(os.Environ(), childVar+"=pass"),
		State: state, Sandbox: sandboxed(b, r), Timeout: time.Minute, Silence: 10 * time.Second,
	}
	for b.Loop() {
		if exit, err := Run(b.Context(), c); err != nil || exit.Code != 0 {
			b.Fatalf("%+v, %v", exit, err)
		}
	}
}
