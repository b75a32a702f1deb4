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
	// Kind is results.KindTest, KindCrash or KindHang. It is "" if the tests passed, or if nothing is known about
	// them (Cancelled, Lost, Unproven, GaveUp, Invalid; or none was seen to run): see Passed.
	Kind string
	// Failed are the tests that failed, in the order of the output: "TestX", "TestX/sub". For a hang they are the
	// tests that were running, if that is known. It may be empty although tests failed: a crash outside of tests
	// names none.
	Failed []string
	// Unheeded are the tests that failed according to package testing although the process ended with status 0, as after
	// "defer os.Exit(code)" in TestMain. Kind is "" then: some such processes mean to succeed.
	Unheeded []string
	// Message is the first line of the panic or fatal error, or otherwise what happened in our words. It is "" for
	// failed assertions and for tests that passed.
	Message string
}

// Passed reports whether the tests ran and passed. It returns false if that is not known.
func (o Outcome) Passed() bool { return o.Kind == "" && o.Message == "" }

// noneRan is the message of a process that ended with status 0 and was not seen to run a test.
const noneRan = "the process ended with status 0, and was not seen to run a test"

// Outcome interprets the exit status and the output of the child. Programs may print anything, even in the middle of
// lines, so the exit status alone decides on Kind.
func (e Exit) Outcome() Outcome {
	switch e.Cause {
	case Cancelled, Lost, Unproven, Invalid:
		return Outcome{Message: "the process " + e.Cause.String()}
	case GaveUp:
		return Outcome{Message: probeMessage(e.Output)}
	}
	hung := e.Flags&(wire.FlagHang|wire.FlagRecursion|wire.FlagAllocated) != 0
	if e.Cause == Exited && e.Code == 0 && !hung {
		// TestMain may end the process before the tests.
		if bytes.Contains(e.Output, noTests) || !ended.Match(e.Output) {
			return Outcome{Message: noneRan}
		}
		return Outcome{Unheeded: unheeded(e.Output)}
	}
	o := Outcome{Failed: Failed(e.Output), Message: fatalMessage(e)}
	switch {
	case hung || slices.Contains([]Cause{Timeout, Silent, Deadlock}, e.Cause),
		strings.HasPrefix(o.Message, "panic: test timed out after "), e.TimedOut && o.Message == "":
		o.Kind = results.KindHang
		running := runningTests(e.Output)
		if len(o.Failed) == 0 || len(running) > 0 && e.Flags == 0 { // otherwise the bound made them fail
			o.Failed = running
		}
		o.Message = hangMessage(e, o.Message)
	// Exit status 1 may come from the code under test. endLine shows that the tests are over.
	case e.Cause == Exited && e.Code == 1 && o.Message == "" && endLine.Match(e.Output):
		o.Kind = results.KindTest
	default:
		o.Kind = results.KindCrash
		if o.Message == "" {
			o.Message = exitMessage(e)
		}
		if len(o.Failed) == 0 && e.Flags != 0 { // a bound ended the process
			o.Failed = runningTests(e.Output)
		}
	}
	return o
}

// unheeded returns the tests that failed, if package testing had the last word with FAIL.
func unheeded(output []byte) []string {
	ends := endLine.FindAll(output, -1)
	if len(ends) == 0 || !bytes.HasPrefix(ends[len(ends)-1], []byte("FAIL")) {
		return nil
	}
	return Failed(output)
}

// hangMessage returns why a child counts as hung. It prefers our own reason: when we make a child print its stacks,
// its fatal error says no more than that.
func hangMessage(e Exit, fatal string) string {
	switch {
	case e.Flags&wire.FlagHang != 0:
		return "the step bound was exceeded"
	case e.Flags&wire.FlagAllocated != 0:
		return "the bound on allocated memory was exceeded"
	case e.Flags&wire.FlagRecursion != 0:
		return "the recursion bound was exceeded"
	case e.TimedOut && fatal == "":
		return "the tests timed out"
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

// outOfMemory reports whether the runtime gave up for lack of memory, or the garbage collector died of a nil pointer
// of its own, as it may if it gets no more memory for its queues.
func outOfMemory(message string, output []byte) bool {
	if strings.HasPrefix(message, "fatal error: ") {
		return strings.Contains(message, "out of memory") || strings.Contains(message, "cannot allocate memory")
	}
	_, stacks, _ := bytes.Cut(output, []byte("\ngoroutine "))
	first, _, _ := bytes.Cut(stacks, []byte("\n\n"))
	return strings.HasPrefix(message, "SIGSEGV") &&
		bytes.HasPrefix(first, []byte("0 ")) && bytes.Contains(first, []byte("/runtime/mgc"))
}

// What the Go runtime, package testing and the probe print.
var (
	failLine      = regexp.MustCompile(`(?m)--- FAIL: (\S+) \(\d+\.\d+s\)\r?$`)
	passLine      = regexp.MustCompile(`(?m)--- PASS: (\S+) \(\d+\.\d+s\)\r?$`)
	skipLine      = regexp.MustCompile(`(?m)--- SKIP: (\S+) \(\d+\.\d+s\)\r?$`)
	startedLine   = regexp.MustCompile(`=== RUN   ([^\s/]+)\r?\n`)
	runningLine   = regexp.MustCompile(`(?m)^\t+(\S+) \([0-9.]+(?:ms|s|m|h)[0-9.a-z]*\)\r?$`)
	fatalLine     = regexp.MustCompile(`^(?:panic: |fatal error: |SIG[A-Z]+: )`)
	goroutineLine = regexp.MustCompile(`^goroutine \d+ .*\[.*\]:\r?$`)
	endLine       = regexp.MustCompile(`(?m)^(?:FAIL|PASS)\r?$`)
	ended         = regexp.MustCompile(`(?m)(?:FAIL|PASS)\r?$`) // like endLine, behind what a test has printed
	noTests       = []byte("testing: warning: no tests to run")
	probeLine     = regexp.MustCompile(`(?m)^mutantfuzz: .*$`)
	// testFrame matches the frame of a test, or of a literal in it, just above package testing on a stack. Each frame
	// has two lines.
	testFrame = regexp.MustCompile(`(?m)^\S*\.((?:Test|Fuzz)[_\p{L}\p{Nd}]*)(?:\.func\S*)?\(.*\n.*\ntesting\.tRunner\(`)
)

// names returns the names in the lines of output that match line, once each, in order.
func names(line *regexp.Regexp, output []byte) []string {
	var list []string
	for _, m := range line.FindAllSubmatch(output, -1) {
		if name := string(m[1]); !slices.Contains(list, name) {
			list = append(list, name)
		}
	}
	return list
}

// LastStarted returns the last top-level test that was started according to the output of a test binary with -test.v;
// "" if there is none.
func LastStarted(output []byte) string {
	started := startedLine.FindAllSubmatch(output, -1)
	if len(started) == 0 {
		return ""
	}
	return string(started[len(started)-1][1])
}

// Failed returns the tests that failed according to the output of a test binary, as "TestX" or "TestX/sub".
func Failed(output []byte) []string { return names(failLine, output) }

// Skipped returns the tests that were skipped according to the output of a test binary with -test.v, likewise.
func Skipped(output []byte) []string { return names(skipLine, output) }

// Passed returns the tests that passed according to the output of a test binary with -test.v, likewise.
func Passed(output []byte) []string { return names(passLine, output) }

// runningTests returns the tests that were running: those after "running tests:" if the test binary reached its time
// limit, or else the top-level tests on the stacks.
func runningTests(output []byte) []string {
	if _, list, found := bytes.Cut(output, []byte("\n\trunning tests:\n")); found {
		list, _, _ = bytes.Cut(list, []byte("\n\n"))
		if running := names(runningLine, list); len(running) > 0 {
			return running
		}
	}
	return names(testFrame, output)
}

// fatalMessage returns the line with which the Go runtime announced the end of the process; "" if it did not. A test
// may print such lines too. The real one is the last before the first goroutine's stack, or the last of all if there
// was no memory for stacks. The process then ends with status 2 or a signal.
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

// probeMessage returns what the probe printed when it gave up; "" if it did not.
func probeMessage(output []byte) string {
	return strings.TrimRight(string(probeLine.Find(output)), "\r")
}

// complains matches the message of a failing test.
var complains = regexp.MustCompile(`(?m)^\s+\S+_test\.go:\d+: (\S.*)$`)

// Complaint returns the first message of a failing test in the output; "" if there is none.
func (e Exit) Complaint() string {
	if m := complains.FindSubmatch(e.Output); m != nil {
		return string(m[1])
	}
	return ""
}
