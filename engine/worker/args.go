package worker

import (
	"regexp"
	"strings"
	"time"
)

// TestArgs returns the flags that go test gives a test binary: the tests by
// name ("TestX" or "TestX/sub"; none: all), a limit on time that ends it with
// the stacks of its goroutines (0: none), and that an exit with status 0 before
// the tests are through is a failure; a mutant that exits would survive
// without.
func TestArgs(timeout time.Duration, tests ...string) []string {
	args := []string{"-test.paniconexit0", "-test.timeout=" + timeout.String()}
	if len(tests) > 0 {
		args = append(args, "-test.run="+Anchor(tests...))
	}
	return args
}

// Anchor returns the -test.run expression that matches the named tests, those
// below them and no others. Top-level tests share a group: package testing compiles
// every other alternative anew for each subtest there is.
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
