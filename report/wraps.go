package report

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// errorVariable matches the name of an error variable that callers may compare with, such as io.ErrShortWrite.
var errorVariable = regexp.MustCompile(`\b(?:\w+\.)?Err[A-Z]\w*\b`)

// wraps returns the error variable that a line wraps since the change, if m undoes that, at most with a change of text,
// in a line that tests run. It returns "" if m does something else. Callers may check for that error, and no test does.
func wraps(m *results.Mutant) string {
	now, old := strings.TrimSpace(m.Original), strings.TrimSpace(m.Replacement)
	if !edit.IsReversal(m) || m.Stage != results.Reached || m.Evidence.Tests == 0 || strings.Contains(now, "\n") || strings.Contains(old, "\n") ||
		strings.Count(now, "%w") <= strings.Count(old, "%w") {
		return ""
	}
	names := slices.DeleteFunc(errorVariable.FindAllString(now, -1), func(name string) bool { return strings.Contains(old, name) })
	if len(names) != 1 {
		return ""
	}
	return names[0]
}
