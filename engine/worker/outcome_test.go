package worker

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestOutcome(t *testing.T) {
	tests := []struct {
		name string
		exit Exit
		want Outcome
	}{
		{"success whatever is printed",
			Exit{Output: []byte("--- FAIL: TestX (0.00s)\npanic: x\n\ngoroutine 1 [running]:\nFAIL\nPASS\n")},
			Outcome{}},
		{"success although tests fail",
			Exit{Output: []byte("--- FAIL: TestX (0.00s)\nFAIL\nclosed\n")},
			Outcome{Unheeded: []string{"TestX"}}},
		{"success although no test is seen to fail", Exit{Output: []byte("FAIL\n")}, Outcome{}},
		{"success behind what a test has printed", Exit{Output: []byte("50%PASS\r\n")}, Outcome{}},
		{"success of no test", Exit{Output: []byte("testing: warning: no tests to run\nPASS\n")}, Outcome{Message: noneRan}},
		{"an end before the tests", Exit{Output: []byte("there is no database\n")}, Outcome{Message: noneRan}},
		{"failures with tests below",
			Exit{Code: 1, Output: []byte("--- FAIL: TestX (0.00s)\n    --- FAIL: TestX/a (1.25s)\n        x_test.go:9: wrong\n--- PASS: TestY (0.00s)\nFAIL\n")},
			Outcome{Kind: results.KindTest, Failed: []string{"TestX", "TestX/a"}}},
		{"a fault of the program's own",
			Exit{Code: 2, Output: []byte("SIGSEGV: segmentation violation\nPC=0x1 m=0 sigcode=1 addr=0x0\n\ngoroutine 7 [running]:\nmain.f()\n\t/m/m.go:3 +0x1\n")},
			Outcome{Kind: results.KindCrash, Message: "SIGSEGV: segmentation violation"}},
		{"a test that is stuck",
			Exit{Cause: Deadlock, Code: 2, Output: []byte("SIGQUIT: quit\n\ngoroutine 7 [sync.Mutex.Lock]:\nsync.(*Mutex).Lock(...)\n\t/go/src/sync/mutex.go:46\nexample.com/m.F()\n\t/m/m.go:3 +0x1\nexample.com/m.TestX(0xc0)\n\t/m/m_test.go:9 +0x1d\ntesting.tRunner(0xc0, 0x5a)\n\t/go/src/testing/testing.go:1 +0x1\n")},
			Outcome{Kind: results.KindHang, Failed: []string{"TestX"}, Message: "the process was deadlocked"}},
		{"a test that is stuck, in another script",
			Exit{Cause: Deadlock, Code: 2, Output: []byte("SIGQUIT: quit\n\ngoroutine 7 [select (no cases)]:\nexample.com/m.TestÜber.func1(0xc0)\n\t/m/m_test.go:9 +0x1d\ntesting.tRunner(0xc0, 0x5a)\n\t/go/src/testing/testing.go:1 +0x1\n")},
			Outcome{Kind: results.KindHang, Failed: []string{"TestÜber"}, Message: "the process was deadlocked"}},
		{"failure in another script",
			Exit{Code: 1, Output: []byte("--- FAIL: TestÜber (0.00s)\n    --- FAIL: TestÜber/größer (0.00s)\nFAIL\n")},
			Outcome{Kind: results.KindTest, Failed: []string{"TestÜber", "TestÜber/größer"}}},
		{"failure in the middle of a line",
			Exit{Code: 1, Output: []byte("50%--- FAIL: TestX (0.00s)\nFAIL\n")},
			Outcome{Kind: results.KindTest, Failed: []string{"TestX"}}},
		{"failure of another system",
			Exit{Code: 1, Output: []byte("--- FAIL: TestX (0.00s)\r\nFAIL\r\n")},
			Outcome{Kind: results.KindTest, Failed: []string{"TestX"}}},
		{"no failures of tests",
			Exit{Code: 1, Output: []byte("--- FAIL: two words (0.00s)\n--- FAIL: TestX\n--- FAIL: TestX (soon)\nFAIL\n")},
			Outcome{Kind: results.KindTest}},
		{"check after the tests",
			Exit{Code: 1, Output: []byte("PASS\nleaked goroutines\n")},
			Outcome{Kind: results.KindTest}},
		{"exit within a test",
			Exit{Code: 1, Output: []byte("log: cannot open\n")},
			Outcome{Kind: results.KindCrash, Message: "exit status 1"}},
		{"the last announcement before the first stack counts",
			Exit{Code: 2, Output: []byte("panic: printed by a test\nmore\npanic: real\n\tpanic: again\n\ngoroutine 7 [running]:\nmain.f()\n\ngoroutine 8 [select]:\npanic: in a string\n")},
			Outcome{Kind: results.KindCrash, Message: "panic: real"}},
		{"fatal error without a stack",
			Exit{Code: 2, Cause: OutOfMemory, Output: []byte("fatal error: runtime: cannot allocate memory\n")},
			Outcome{Kind: results.KindCrash, Message: "fatal error: runtime: cannot allocate memory"}},
		{"status 2 of a program that says nothing",
			Exit{Code: 2},
			Outcome{Kind: results.KindCrash, Message: "exit status 2"}},
		{"a signal",
			Exit{Code: -1, Signal: "aborted"},
			Outcome{Kind: results.KindCrash, Message: "signal: aborted"}},
		{"time limit of the test binary",
			Exit{Code: 2, Output: []byte("panic: test timed out after 1s\n\trunning tests:\n\t\tTestX (1s)\n\t\tTestY/a (0.5s)\n\ngoroutine 9 [running]:\n\t\tTestZ (1s)\n")},
			Outcome{Kind: results.KindHang, Failed: []string{"TestX", "TestY/a"}, Message: "panic: test timed out after 1s"}},
		{"time limit whose message is cut off",
			Exit{Code: 2, TimedOut: true, Output: []byte("\n... 900000 bytes left out ...\n\ngoroutine 9 [running]:\n")},
			Outcome{Kind: results.KindHang, Message: "the tests timed out"}},
		{"a panic that takes as long",
			Exit{Code: 2, TimedOut: true, Output: []byte("panic: boom\n\ngoroutine 9 [running]:\nmain.main()\n")},
			Outcome{Kind: results.KindCrash, Message: "panic: boom"}},
		{"a test that is stuck after another failed",
			Exit{Code: 2, Cause: Timeout, Output: []byte("--- FAIL: TestW/within (0.00s)\nSIGQUIT: quit\n\ngoroutine 7 [syscall]:\nexample.com/m.TestX(0xc0)\n\t/m/m_test.go:9 +0x1d\ntesting.tRunner(0xc0, 0x5a)\n\t/go/src/testing/testing.go:1 +0x1\n")},
			Outcome{Kind: results.KindHang, Failed: []string{"TestX"}, Message: "the process timed out"}},
		{"our time limit",
			Exit{Code: 2, Cause: Timeout, Output: []byte("SIGQUIT: quit\nPC=0x1\n\ngoroutine 0 [idle]:\n")},
			Outcome{Kind: results.KindHang, Message: "the process timed out"}},
		{"deadlock found by us",
			Exit{Code: 2, Cause: Deadlock, Output: []byte("SIGQUIT: quit\n\ngoroutine 0 [idle]:\n")},
			Outcome{Kind: results.KindHang, Message: "the process was deadlocked"}},
		{"step bound",
			Exit{Code: 2, Flags: wire.FlagHang, Output: []byte("--- FAIL: TestX (0.00s)\npanic: hang\n\ngoroutine 0 [running]:\n")},
			Outcome{Kind: results.KindHang, Failed: []string{"TestX"}, Message: "the step bound was exceeded"}},
		{"step bound although the test passed",
			Exit{Flags: wire.FlagHang},
			Outcome{Kind: results.KindHang, Message: "the step bound was exceeded"}},
		{"bound on what is allocated",
			Exit{Code: 2, Flags: wire.FlagAllocated, Output: []byte("--- FAIL: TestX (0.00s)\npanic: mutantfuzz: more\n\ngoroutine 0 [running]:\n")},
			Outcome{Kind: results.KindHang, Failed: []string{"TestX"}, Message: "the bound on allocated memory was exceeded"}},
		{"recursion bound",
			Exit{Code: 1, Flags: wire.FlagRecursion},
			Outcome{Kind: results.KindHang, Message: "the recursion bound was exceeded"}},
		{"probe at its end", Exit{Code: 70, Cause: GaveUp, Output: []byte("x\nmutantfuzz: no state\n")}, Outcome{Message: "mutantfuzz: no state"}},
		{"lost", Exit{Code: -1, Cause: Lost, Signal: "killed"}, Outcome{Message: "the process was killed from outside"}},
		{"cancelled", Exit{Code: -1, Cause: Cancelled, Signal: "killed"}, Outcome{Message: "the process was cancelled"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, tt.exit.Outcome()); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

// FuzzOutcome checks that what a test prints never turns a failure into a success, or the other way round.
func FuzzOutcome(f *testing.F) {
	f.Add([]byte("--- FAIL: TestX (0.00s)\nFAIL\n"), 1)
	f.Add([]byte("panic: x\n\ngoroutine 1 [running]:\n"), 2)
	f.Fuzz(func(t *testing.T, output []byte, code int) {
		o := Exit{Code: code, Output: output}.Outcome()
		if (o.Kind == "") != (code == 0) {
			t.Errorf("status %d is %+v", code, o)
		}
	})
}

func TestLastStartedNamesTopLevelTests(t *testing.T) {
	output := "=== RUN   TestA\n--- PASS: TestA (0.00s)\n50%=== RUN   TestB\r\n=== RUN   TestB/sub\n=== RUN   torn"
	if got := LastStarted([]byte(output)); got != "TestB" {
		t.Errorf("%q", got)
	}
	if got := LastStarted([]byte("PASS\n")); got != "" {
		t.Errorf("without -test.v: %q", got)
	}
}

func TestSkippedTestsAreNamed(t *testing.T) {
	output := "=== RUN   TestA\n50%--- SKIP: TestA (0.00s)\r\n--- PASS: TestB (0.00s)\n    --- SKIP: TestB/sub (0.01s)\n--- SKIP: torn"
	if got := Skipped([]byte(output)); !slices.Equal(got, []string{"TestA", "TestB/sub"}) {
		t.Errorf("%q", got)
	}
}

func TestCollectorWithoutMemoryIsOutOfMemory(t *testing.T) {
	e := Exit{Code: 2, Output: []byte("SIGSEGV: segmentation violation\nPC=0x1 m=0 sigcode=1 addr=0x0\n\n" +
		"goroutine 0 gp=0xa m=0 mp=0xb [idle]:\nruntime.(*spanQueue).tryDrain(0x400?)\n\t/go/src/runtime/mgcmark.go:520 +0x5d\n" +
		"runtime.gcDrain(0x38, 0x7)\n\t/go/src/runtime/mgcmark.go:1342 +0x299\n\ngoroutine 6 [GC worker (active)]:\n")}
	if cause := ownCause(e); cause != OutOfMemory {
		t.Errorf("ownCause = %v", cause)
	}
}
