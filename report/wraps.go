package report

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// errorVariable matches the name of an error that others are compared with.
var errorVariable = regexp.MustCompile(`\b(?:\w+\.)?Err[A-Z]\w*\b`)

// wraps is the error that another one wraps since the change, where that, and a text, is all that m undoes, in a line that tests run;
// empty: it undoes something else. Callers may ask for it, and no test does.
func wraps(m *results.Mutant) string {
	now, old := strings.TrimSpace(m.Original), strings.TrimSpace(m.Replacement)
	if !isReversal(m) || m.Stage != results.Reached || m.Evidence.Tests == 0 || strings.Contains(now, "\n") || strings.Contains(old, "\n") ||
		strings.Count(now, "%w") <= strings.Count(old, "%w") {
		return ""
	}
	names := slices.DeleteFunc(errorVariable.FindAllString(now, -1), func(name string) bool { return strings.Contains(old, name) })
	if len(names) != 1 {
		return ""
	}
	return names[0]
}
