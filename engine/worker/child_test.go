//go:build unix

package worker

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mutantfuzz/mutantfuzz/engine/sandbox"
	"github.com/mutantfuzz/mutantfuzz/engine/wire"
)

// The children of these tests run this test binary itself. The environment variable childVar names what a child does,
// in TestChild or in place of all tests.
const childVar = "WORKER_TEST_CHILD"

func TestMain(m *testing.M) {
	if act, ok := mainActs[os.Getenv(childVar)]; ok {
		act()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// TestChild is the test that children run.
func TestChild(t *testing.T) {
	act, ok := testActs[os.Getenv(childVar)]
	if !ok {
		t.Skip("only children of other tests run this")
	}
	act(t)
}

// testActs are what a child can do within TestChild.
var testActs = map[string]func(*testing.T){
	"pass":         func(t *testing.T) {},
	"exit0":        func(t *testing.T) { os.Exit(0) },
	"exit1":        func(t *testing.T) { os.Exit(1) },
	"exit3":        func(t *testing.T) { os.Exit(3) },
	"panic":        func(t *testing.T) { panic("boom") },
	"exit70":       func(t *testing.T) { os.Exit(70) },
	"probe's exit": func(t *testing.T) { fmt.Println("mutantfuzz: no state"); os.Exit(70) },
	"fail": func(t *testing.T) {
		fmt.Print("no newline")
		t.Run("sub case", func(t *testing.T) { t.Error("wrong") })
	},
	"junk": func(t *testing.T) {
		fmt.Println("--- FAIL: TestForged (0.00s)\npanic: forged\ngoroutine 7 [running]:\nfatal error: out of memory\nFAIL")
	},
	"junk and fail": func(t *testing.T) {
		fmt.Println("panic: forged")
		t.Error("wrong")
	},
	"slow": func(t *testing.T) {
		t.Run("sub", func(t *testing.T) { select {} })
	},
	"block in a crowd": func(t *testing.T) {
		fmt.Println(strings.Repeat("line\n", 4<<10))
		for range 100 { // their stacks are printed
			go func() { select {} }()
		}
		select {}
	},
	"block": func(t *testing.T) { select {} },
	"nap":   func(t *testing.T) { time.Sleep(400 * time.Millisecond) },
	"spin": func(t *testing.T) {
		for {
			t.Name()
		}
	},
	"spin, deaf": func(t *testing.T) {
		signal.Ignore(syscall.SIGQUIT)
		for {
			t.Name()
		}
	},
	"wait for a child": func(t *testing.T) {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), childVar+"=spin for a while")
		if err := cmd.Run(); err != nil {
			t.Error(err)
		}
	},
	"environment": func(t *testing.T) {
		dir, _ := os.Getwd()
		stdin, err := io.ReadAll(os.Stdin)
		fmt.Printf("dir %s, PWD %s, stdin %d %v\n", dir, os.Getenv("PWD"), len(stdin), err)
		fmt.Printf("mutant %s, steps %s, allocated %s, memory %s, heap %s\n",
			os.Getenv(wire.EnvMutant), os.Getenv(wire.EnvSteps), os.Getenv(wire.EnvAllocated), os.Getenv(wire.EnvMemory), os.Getenv("GOMEMLIMIT"))
		if pgid := syscall.Getpgrp(); pgid != os.Getpid() {
			t.Errorf("in group %d of another", pgid)
		}
	},
	"job": func(t *testing.T) {
		var job wire.Job
		data, err := os.ReadFile(os.Getenv(wire.EnvJob))
		if err == nil {
			err = json.Unmarshal(data, &job)
		}
		emit(fmt.Sprintf(`{"event":"done","message":"%s %v"}`+"\n", job.Target, err))
	},
	"events": func(t *testing.T) {
		for i := range 1000 {
			emit(fmt.Sprintf(`{"event":"stats","mutant":%d}`+"\n", i))
		}
		emit("no event\n")
		emit(`{"event":"done"}` + "\n" + `{"event":"torn`)
	},
	"sends events for ever": func(t *testing.T) {
		for {
			emit(`{"event":"stats","stats":{"stage":"replay"}}` + "\n")
		}
	},
	"never ends its line": func(t *testing.T) {
		for {
			emit(strings.Repeat("x", 1<<16))
		}
	},
	"sends an invalid event and goes on": func(t *testing.T) {
		emit(`{"event":"kill"}` + "\n")
		for {
			emit(`{"event":"ready"}` + "\n")
		}
	},
	"cuts its state short": func(t *testing.T) { os.Truncate(os.Getenv(wire.EnvState), 0) },
	"cuts its state, and waits": func(t *testing.T) {
		os.Truncate(os.Getenv(wire.EnvState), 0)
		time.Sleep(50 * time.Millisecond) // the coordinator reads it meanwhile
		emit(`{"event":"kill"}` + "\n")
		select {}
	},
	"dirty": func(t *testing.T) {
		for _, name := range []string{"new", os.Getenv("TMPDIR") + "/t", os.Getenv("HOME") + "/h"} {
			if err := os.WriteFile(name, nil, 0o644); err != nil {
				t.Error(err)
			}
		}
	},
	"state": func(t *testing.T) {
		poke(wire.StateMutant, 7, 4)
		poke(wire.StateFlags, wire.FlagHang, 4)
		poke(wire.StateInRun, 1, 8)
		poke(wire.StateInput, 3, 8)
		pokeBytes(testLayout.InputAt(), []byte("abc"))
		os.Exit(4)
	},
	"memory flag": func(t *testing.T) {
		poke(wire.StateFlags, wire.FlagMemory, 4)
		panic("heap")
	},
}

// mainActs are what a child can do in place of its tests.
var mainActs = map[string]func(){
	"deadlock": func() { select {} },
	"overflow": func() {
		debug.SetMaxStack(1 << 20)
		fmt.Println(recurse(0))
	},
	"memory": func() {
		limit := syscall.Rlimit{Cur: 256 << 20, Max: 256 << 20}
		const rlimitData = 2
		if err := syscall.Setrlimit(rlimitData, &limit); err != nil {
			panic(err)
		}
		take(1 << 40)
	},
	"take memory": func() {
		time.Sleep(20 * time.Millisecond) // the limit is set a moment after the start
		take(4 << 30)
	},
	"segv":              func() { syscall.Kill(os.Getpid(), syscall.SIGSEGV); time.Sleep(time.Minute) },
	"killed":            func() { syscall.Kill(os.Getpid(), syscall.SIGKILL); select {} },
	"closes its output": func() { os.Stdout.Close(); os.Stderr.Close() },
	"flood": func() {
		line := bytes.Repeat([]byte("flood of output\n"), 1<<16)
		fmt.Println("first")
		for range 1 << 30 / len(line) {
			os.Stdout.Write(line)
		}
		fmt.Println("last")
	},
	"background": func() {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), childVar+"=sleep")
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		if err := cmd.Start(); err != nil {
			panic(err)
		}
		fmt.Println(cmd.Process.Pid)
	},
	"background, own session": func() {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), childVar+"=sleep")
		cmd.Stdout = os.Stdout
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err := cmd.Start(); err != nil {
			panic(err)
		}
		fmt.Println(cmd.Process.Pid)
		if runtime.GOOS == "linux" { // here the parent would end that process
			syscall.Kill(os.Getppid(), syscall.SIGKILL)
		}
	},
	"announce": func() {
		emit(fmt.Sprintf(`{"event":"stats","mutant":%d}`+"\n", os.Getpid()))
		time.Sleep(time.Hour)
	},
	"coordinate": func() {
		s, err := sandbox.New(nil, sandbox.Rules{})
		if err != nil {
			panic(err)
		}
		c := Command{Binary: os.Args[0], Dir: ".", Env: append(os.Environ(), childVar+"=announce"), Sandbox: s}
		c.OnEvent = func(e *wire.Event) {
			emit(fmt.Sprintf(`{"event":"stats","mutant":%d}`+"\n", e.Mutant))
			syscall.Kill(os.Getpid(), syscall.SIGKILL)
		}
		Run(context.Background(), c)
	},
	"sleep": func() { time.Sleep(time.Hour) },
	"spin for a while": func() {
		for end := time.Now().Add(time.Second); time.Now().Before(end); {
		}
	},
}

// take allocates this many bytes and keeps them.
func take(bytes int) {
	hold := map[int][]byte{}
	for i := range bytes / (16 << 20) {
		hold[i] = make([]byte, 16<<20)
	}
	runtime.KeepAlive(hold)
}

func recurse(n int) int {
	if n < 0 {
		return n // not reached before the stack is full
	}
	return recurse(n+1) + 1
}

// emit writes s to the descriptor for events.
func emit(s string) {
	fd, err := strconv.Atoi(os.Getenv(wire.EnvEvents))
	if err != nil {
		panic(err)
	}
	// Not os.NewFile: the garbage collector would close the descriptor with it.
	for data := []byte(s); len(data) > 0; {
		n, err := syscall.Write(fd, data)
		if err != nil {
			panic(err)
		}
		data = data[n:]
	}
}

func pokeBytes(offset int, data []byte) {
	f, err := os.OpenFile(os.Getenv(wire.EnvState), os.O_RDWR, 0)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	if _, err := f.WriteAt(data, int64(offset)); err != nil {
		panic(err)
	}
}

// poke writes value into the state file, as a number of size bytes.
func poke(offset int, value int64, size int) {
	var data [8]byte
	for i := range size {
		data[i] = byte(value >> (8 * i))
	}
	pokeBytes(offset, data[:size])
}

// command returns a Command for a child that does act.
func command(t *testing.T, act string) Command {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	return Command{
		Binary:  exe,
		Args:    TestArgs(time.Minute, "TestChild"),
		Dir:     dir,
		Env:     append(os.Environ(), childVar+"="+act, "GORACE=atexit_sleep_ms=0"),
		Timeout: time.Minute,
		Sandbox: sandboxed(t, sandbox.Rules{}),
	}
}

// sandboxed returns a sandbox that is closed with the test.
func sandboxed(t testing.TB, r sandbox.Rules) *sandbox.Sandbox {
	t.Helper()
	s, err := sandbox.New(nil, r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// run runs a child to its end.
func run(t *testing.T, c Command) Exit {
	t.Helper()
	exit, err := Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return exit
}

func newState(t *testing.T) *State {
	t.Helper()
	s, err := NewState(t.TempDir()+"/state", testLayout)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// raced reports whether this binary has the race detector. With it the Go runtime finds no deadlocks.
func raced() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

// lastLine returns the last line that a child has printed.
func lastLine(output []byte) string {
	lines := strings.Split(strings.TrimSpace(string(output)), "\n")
	return lines[len(lines)-1]
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
