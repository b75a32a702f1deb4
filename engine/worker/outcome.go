package worker

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/engine/wire"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Outcome is the result of the tests of a test binary that has ended.
type Outcome struct {
	// Kind is results.KindTest, KindCrash or KindHang; "" when the tests
	// passed, and when nothing is known of them (Cancelled, Lost, Unproven,
	// GaveUp, Invalid).
	Kind string
	// Failed are the tests that failed or, of a hang, those that ran then if
	// that is known, in the order in which the output names them: "TestX",
	// "TestX/sub". It may be empty although tests failed: a crash outside of
	// tests names none.
	Failed []string
	// Message is the first line of the panic or fatal error, or else what
	// happened in our words; "" for failed assertions, and where tests passed.
	Message string
}

// Outcome reads the child's output. Programs may print anything, in the middle
// of lines too, so whether the tests passed is decided by the exit status alone.
func (e Exit) Outcome() Outcome {
	switch e.Cause {
	case Cancelled, Lost, Unproven, Invalid:
		return Outcome{Message: "the process " + e.Cause.String()}
	case GaveUp:
		return Outcome{Message: probeMessage(e.Output)}
	}
	hung := e.Flags&(wire.FlagHang|wire.FlagRecursion) != 0
	if e.Cause == Exited && e.Code == 0 && !hung {
		return Outcome{}
	}
	o := Outcome{Failed: failedTests(e.Output), Message: fatalMessage(e)}
	switch {
	case hung || isHang(e.Cause) || strings.HasPrefix(o.Message, messageTimeout):
		o.Kind = results.KindHang
		running := runningTests(e.Output)
		if len(running) == 0 {
			running = testsOnStacks(e.Output)
		}
		if len(o.Failed) == 0 || len(running) > 0 && e.Flags == 0 { // else the bound made them fail
			o.Failed = running
		}
		o.Message = hangMessage(e, o.Message)
	case e.Cause == Exited && e.Code == 1 && o.Message == "" && endedInOrder(e.Output):
		o.Kind = results.KindTest
	default:
		o.Kind = results.KindCrash
		if o.Message == "" {
			o.Message = exitMessage(e)
		}
	}
	return o
}

func isHang(c Cause) bool { return c == Timeout || c == Silent || c == Deadlock }

// hangMessage prefers our own reason: the fatal error of a child that we made
// print its stacks is only that it was asked to.
func hangMessage(e Exit, fatal string) string {
	switch {
	case e.Flags&wire.FlagHang != 0:
		return "the step bound was exceeded"
	case e.Flags&wire.FlagRecursion != 0:
		return "the recursion bound was exceeded"
	case e.Cause == Timeout || e.Cause == Silent || fatal == "" || strings.HasPrefix(fatal, "SIGQUIT"):
		return "the process " + e.Cause.String()
	}
	return fatal
}

func exitMessage(e Exit) string {
	switch {
	case e.Cause != Exited:
		return "the process " + e.Cause.String()
	case e.Signal != "":
		return "signal: " + e.Signal
	}
	return fmt.Sprintf("exit status %d", e.Code)
}

// Messages of the Go runtime and of package testing.
const (
	messageDeadlock = "fatal error: all goroutines are asleep - deadlock!"
	messageTimeout  = "panic: test timed out after "
)

// isOutOfMemory reports whether the runtime gave up for want of memory.
func isOutOfMemory(message string) bool {
	return strings.HasPrefix(message, "fatal error: ") &&
		(strings.Contains(message, "out of memory") || strings.Contains(message, "cannot allocate memory"))
}

// collectorFailed reports whether the garbage collector died of a nil pointer
// of its own, as it may where it gets no more memory for its queues.
func collectorFailed(message string, output []byte) bool {
	if !strings.HasPrefix(message, "SIGSEGV") {
		return false
	}
	_, stacks, _ := bytes.Cut(output, []byte("\ngoroutine "))
	first, _, _ := bytes.Cut(stacks, []byte("\n\n"))
	return bytes.HasPrefix(first, []byte("0 ")) && bytes.Contains(first, []byte("/runtime/mgc"))
}

var (
	failLine      = regexp.MustCompile(`--- FAIL: ([^\s]+) \(\d+\.\d+s\)\r?$`)
	startedLine   = regexp.MustCompile(`=== RUN   ([^\s/]+)\r?\n$`)
	runningLine   = regexp.MustCompile(`^\t+([^\s]+) \([0-9.]+(?:ms|s|m|h)[0-9.a-z]*\)\r?$`)
	fatalLine     = regexp.MustCompile(`^(?:panic: |fatal error: |SIG[A-Z]+: )`)
	goroutineLine = regexp.MustCompile(`^goroutine \d+ .*\[.*\]:\r?$`)
	endLine       = regexp.MustCompile(`(?m)^(?:FAIL|PASS)\r?$`)
)

// failedTests returns the names in the lines by which package testing reports
// failures. Such a line may begin with what a test printed without a newline.
func failedTests(output []byte) []string {
	var failed []string
	for line := range bytes.Lines(output) {
		m := failLine.FindSubmatch(bytes.TrimSuffix(line, []byte("\n")))
		if m == nil {
			continue
		}
		if name := string(m[1]); !slices.Contains(failed, name) {
			failed = append(failed, name)
		}
	}
	return failed
}

// LastStarted returns the name of the last test, no subtest, that output of a
// test binary with -test.v says was started; "" if there is none.
func LastStarted(output []byte) string {
	name := ""
	for line := range bytes.Lines(output) {
		if m := startedLine.FindSubmatch(line); m != nil {
			name = string(m[1])
		}
	}
	return name
}

// runningTests returns the names that follow "running tests:" when the test
// binary's own time limit has passed.
func runningTests(output []byte) []string {
	_, list, found := bytes.Cut(output, []byte("\n\trunning tests:\n"))
	if !found {
		return nil
	}
	var running []string
	for line := range bytes.Lines(list) {
		m := runningLine.FindSubmatch(bytes.TrimSuffix(line, []byte("\n")))
		if m == nil {
			break
		}
		running = append(running, string(m[1]))
	}
	return running
}

// testFrame is the frame of a test, or of a literal in it.
var testFrame = regexp.MustCompile(`^\S*\.((?:Test|Fuzz)[_\p{L}\p{Nd}]*)(?:\.func\S*)?\(`)

// testsOnStacks returns the top-level tests that run by the stacks of goroutines:
// those right above package testing.
func testsOnStacks(output []byte) []string {
	var names []string
	lines := bytes.Split(output, []byte("\n"))
	for i := 0; i+2 < len(lines); i++ { // each frame has two lines
		m := testFrame.FindSubmatch(lines[i])
		if m == nil || !bytes.HasPrefix(lines[i+2], []byte("testing.tRunner(")) {
			continue
		}
		if name := string(m[1]); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// fatalMessage returns the line by which the Go runtime announced the end of
// the process, "" if it did not. A test may print such lines too: the real one
// is the last before the first goroutine's stack, and ends with status 2 or a
// signal. Without memory for stacks it is the last of all.
func fatalMessage(e Exit) string {
	if e.Code != 2 && e.Signal == "" {
		return ""
	}
	message := ""
	for line := range bytes.Lines(e.Output) {
		line = bytes.TrimRight(line, "\r\n")
		if fatalLine.Match(line) {
			message = string(line)
		}
		if message != "" && goroutineLine.Match(line) {
			break
		}
	}
	return message
}

// probeMessage returns what the probe printed when it gave up, "" if it did not.
func probeMessage(output []byte) string {
	for line := range strings.Lines(string(output)) {
		if strings.HasPrefix(line, probePrefix) {
			return strings.TrimRight(line, "\r\n")
		}
	}
	return ""
}

// endedInOrder reports whether the test binary came to the end of its tests
// and said so; an exit from the code under test does not.
func endedInOrder(output []byte) bool { return endLine.Match(output) }
