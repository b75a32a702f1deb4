package diffscope

import (
	"fmt"
	"slices"
	"strings"
)

// notes collects what was recognised and left alone, by reason.
type notes struct {
	reasons []string // in order of first use
	names   map[string][]string
}

// maxNamed is how many files or functions a note names before it counts the
// rest.
const maxNamed = 8

// add notes that name was left alone for the reason. An empty name is for a
// reason that needs none.
func (n *notes) add(reason, name string) {
	if n.names == nil {
		n.names = map[string][]string{}
	}
	if _, seen := n.names[reason]; !seen {
		n.reasons = append(n.reasons, reason)
	}
	if !slices.Contains(n.names[reason], name) {
		n.names[reason] = append(n.names[reason], name)
	}
}

// lines returns one line a reason: "reason: name, name and 3 more".
func (n *notes) lines() []string {
	lines := []string{}
	for _, reason := range n.reasons {
		names, rest := n.names[reason], ""
		if more := len(names) - maxNamed; more > 0 {
			names, rest = names[:maxNamed], fmt.Sprintf(" and %d more", more)
		}
		lines = append(lines, strings.TrimSuffix(reason+": "+strings.Join(names, ", ")+rest, ": "))
	}
	return lines
}
