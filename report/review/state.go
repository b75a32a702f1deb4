package review

import (
	"encoding/base64"
	"encoding/json"
	"regexp"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report"
)

// marker opens the body of our review, unseen by readers, so that the next push
// finds it. The line after it holds the history.
const marker = "<!-- mutantfuzz -->"

var stateLine = regexp.MustCompile(`^<!-- mutantfuzz-state:1 ([A-Za-z0-9+/=]*) -->$`)

// header returns the lines that precede the text of a review. They hold no
// foreign text that could close the comment, mention or link: base64 has no
// letters for it.
func header(h report.History) (string, error) {
	data, err := json.Marshal(h)
	if err != nil {
		return "", err
	}
	return marker + "\n<!-- mutantfuzz-state:1 " + base64.StdEncoding.EncodeToString(data) + " -->\n\n", nil
}

// isOurs reports whether body has the marker where only we put it.
func isOurs(body string) bool { return strings.HasPrefix(body, marker) }

// history returns what a review with the given body has shown, or nil if that
// cannot be made out: then it is as if nothing had been shown.
func history(body string) *report.History {
	for i, line := range strings.SplitN(body, "\n", 3) {
		match := stateLine.FindStringSubmatch(strings.TrimSpace(line))
		if i != 1 || match == nil {
			continue
		}
		data, err := base64.StdEncoding.DecodeString(match[1])
		if err != nil {
			return nil
		}
		h := new(report.History)
		if json.Unmarshal(data, h) != nil {
			return nil
		}
		return h
	}
	return nil
}
