package review

import (
	"fmt"
	"regexp"
	"strings"
)

// findingMarker matches the marker at the start of a comment on a line, invisible to readers. It holds the key of the
// finding, whether it is open, and a checksum that proves as little as that of a history.
var findingMarker = regexp.MustCompile(`^<!-- mutantfuzz-finding:1 ([0-9a-f]{16}) (open|closed) ([0-9a-f]{32}) -->`)

// findingHeader returns the lines that precede the text of a comment on a finding of p.
func findingHeader(p pull, key string, open bool) string {
	state := "closed"
	if open {
		state = "open"
	}
	return fmt.Sprintf("<!-- mutantfuzz-finding:1 %s %s %s -->\n\n", key, state, findingSum(p, key, state))
}

func findingSum(p pull, key, state string) string {
	return checksum(p, fmt.Appendf(nil, "finding\n%s\n%s", key, state))
}

// markedFinding returns the key of the finding that a comment of p with the given body is about, and whether the comment says
// that it is open. key is "" if there is none.
func markedFinding(body string, p pull) (key string, open bool) {
	match := findingMarker.FindStringSubmatch(body)
	if match == nil || findingSum(p, match[1], match[2]) != match[3] {
		return "", false
	}
	return match[1], match[2] == "open"
}

// sameText compares texts as GitHub stores them: it may change line breaks and remove trailing blanks.
func sameText(a, b string) bool {
	plain := func(s string) string { return strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n")) }
	return plain(a) == plain(b)
}
