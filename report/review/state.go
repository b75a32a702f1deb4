package review

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/mutantfuzz/mutantfuzz/report"
	"github.com/mutantfuzz/mutantfuzz/report/finding"
)

// marker begins the body of our review, invisible to readers, so that the next push finds the review. The line after it
// holds the history.
const marker = "<!-- mutantfuzz -->"

var stateLine = regexp.MustCompile(`^<!-- mutantfuzz-state:2 ([A-Za-z0-9+/=]*) ([0-9a-f]{32}) -->$`)

// maxHeader limits the header, in bytes, so that at least half of the body is left for the text of the review.
const maxHeader = report.DefaultLimit / 2

// pull identifies a pull request.
type pull struct {
	repo   string // owner/name
	number int
}

func (p pull) String() string { return fmt.Sprintf("%s#%d", strings.ToLower(p.repo), p.number) }

// header returns the lines that precede the text of a review of p. Base64 keeps foreign text in them from closing the
// HTML comment, and from mentioning or linking anything. If the history is too long, which takes unusually long names,
// header drops findings from its end: the next push then does not list them.
func header(h finding.History, p pull) (string, error) {
	for {
		data, err := json.Marshal(h)
		if err != nil {
			return "", err
		}
		head := marker + "\n<!-- mutantfuzz-state:2 " + base64.StdEncoding.EncodeToString(data) + " " + checksum(p, data) + " -->\n\n"
		if len(head) <= maxHeader || len(h.Shown) == 0 {
			return head, nil
		}
		h.Shown = h.Shown[:len(h.Shown)-1]
	}
}

// checksum ties a history to its pull request.
//
// It uses no key, because no secret survives from one run to the next. So anybody can compute it, and it does not prove
// who wrote a history: that depends on the author of the review (see poster.reviews). The checksum detects histories
// that got into one of our reviews by accident: copied from another pull request, or edited by hand.
func checksum(p pull, data []byte) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "mutantfuzz-state:2\n%s\n%s", p, data))
	return hex.EncodeToString(sum[:16])
}

// isMarked reports whether body has the marker at its start, where we put it.
func isMarked(body string) bool { return strings.HasPrefix(body, marker) }

// history returns what a review of p with the given body has shown. It returns nil if that cannot be determined;
// callers then proceed as if nothing had been shown.
func history(body string, p pull) *finding.History {
	lines := strings.SplitN(body, "\n", 3)
	if len(lines) < 2 {
		return nil
	}
	match := stateLine.FindStringSubmatch(strings.TrimSpace(lines[1]))
	if match == nil {
		return nil
	}
	data, err := base64.StdEncoding.DecodeString(match[1])
	if err != nil || checksum(p, data) != match[2] {
		return nil
	}
	h := new(finding.History)
	if json.Unmarshal(data, h) != nil {
		return nil
	}
	return h
}
