package worker

import (
	"regexp"
	"strings"
	"time"
)

// TestArgs returns the flags that go test gives a test binary. tests are the tests to run ("TestX" or "TestX/sub";
// none: all). After timeout the binary prints the stacks of its goroutines and ends (0: no limit). -test.paniconexit0
// makes os.Exit(0) during the tests a failure: without it a mutant that exits would survive.
func TestArgs(timeout time.Duration, tests ...string) []string {
	args := []string{"-test.paniconexit0", "-test.timeout=" + timeout.String()}
	if len(tests) > 0 {
		args = append(args, "-test.run="+Anchor(tests...))
	}
	return args
}

// TestCommand returns a run of some tests of a binary in dir, as plain go test does it.
func TestCommand(binary, dir string, timeout time.Duration, tests ...string) Command {
	return Command{Binary: binary, Args: TestArgs(timeout, tests...), Dir: dir, Timeout: 2 * timeout}
}

// testTimeout returns the time limit in arguments that TestArgs made; 0: there is none.
func testTimeout(args []string) time.Duration {
	for _, arg := range args {
		if value, ok := strings.CutPrefix(arg, "-test.timeout="); ok {
			d, _ := time.ParseDuration(value) // ours is always well-formed
			return d
		}
	}
	return 0
}

// Anchor returns the -test.run expression that matches the named tests, their subtests, and no others. Top-level
// tests share a group: package testing compiles every other alternative anew for each subtest there is.
func Anchor(tests ...string) string {
	var top, patterns []string
	for _, name := range tests {
		if !strings.Contains(name, "/") {
			top = append(top, regexp.QuoteMeta(name))
			continue
		}
		elems := strings.Split(name, "/")
		for i, elem := range elems {
			elems[i] = "^" + regexp.QuoteMeta(elem) + "$"
		}
		patterns = append(patterns, strings.Join(elems, "/"))
	}
	switch len(top) {
	case 0:
	case 1:
		patterns = append(patterns, "^"+top[0]+"$")
	default:
		patterns = append(patterns, "^("+strings.Join(top, "|")+")$")
	}
	return strings.Join(patterns, "|")
}
