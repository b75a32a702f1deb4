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
// below them and no others.
func Anchor(tests ...string) string {
	patterns := make([]string, len(tests))
	for i, name := range tests {
		elems := strings.Split(name, "/")
		for j, elem := range elems {
			elems[j] = "^" + regexp.QuoteMeta(elem) + "$"
		}
		patterns[i] = strings.Join(elems, "/")
	}
	return strings.Join(patterns, "|")
}
