package finding

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report/edit"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// locks matches a line that takes or releases a lock. declared matches one that declares a variable, and captures its name
// and its value.
var (
	locks    = regexp.MustCompile(`^(defer )?[\w.\[\]]+\.R?(Lock|Unlock)\(\)$`)
	declared = regexp.MustCompile(`^(\w+) := (.+)$`)
)

// addsLocks reports whether the part of the change that m undoes only takes and releases locks, under a condition or not.
// It may move lines, and read something into a variable of its own while it holds a lock.
func addsLocks(m *results.Mutant) bool {
	old, now := edit.CodeLines(edit.Effective(m)), edit.CodeLines(m.Original)
	added := slices.ContainsFunc(without(now, old), locks.MatchString)
	now = withoutVariables(now, old)
	return added && len(without(old, now)) == 0 && !slices.ContainsFunc(without(now, old), func(line string) bool {
		return !locks.MatchString(line) && line != "} else {" && !(strings.HasPrefix(line, "if ") && strings.HasSuffix(line, "{"))
	})
}

// without returns lines without those in others, each as often as it is there.
func without(lines, others []string) (left []string) {
	others = slices.Clone(others)
	for _, line := range lines {
		if i := slices.Index(others, line); i >= 0 {
			others = slices.Delete(others, i, i+1)
		} else {
			left = append(left, line)
		}
	}
	return left
}

// withoutVariables returns lines with values in place of the variables that hold them, if the old lines have the values
// and not the variables.
func withoutVariables(lines, old []string) (list []string) {
	var instead [][]string // each has a variable and its value
	for _, line := range lines {
		for _, d := range instead {
			line = regexp.MustCompile(`\b`+d[0]+`\b`).ReplaceAllLiteralString(line, d[1])
		}
		d := declared.FindStringSubmatch(line)
		if d != nil && !slices.Contains(old, line) && slices.ContainsFunc(old, func(o string) bool { return strings.Contains(o, d[2]) }) {
			instead = append(instead, d[1:])
			continue
		}
		list = append(list, line)
	}
	return list
}
