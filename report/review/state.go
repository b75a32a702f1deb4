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
)

// marker opens the body of our review, unseen by readers, so that the next push
// finds it. The line after it holds the history.
const marker = "<!-- mutantfuzz -->"

var stateLine = regexp.MustCompile(`^<!-- mutantfuzz-state:2 ([A-Za-z0-9+/=]*) ([0-9a-f]{32}) -->$`)

// maxHeader bounds the header, in bytes, so that the text of the review has
// half of the body at least.
const maxHeader = report.DefaultLimit / 2

// pull names a pull request.
type pull struct {
	repo   string // owner/name
	number int
}

func (p pull) String() string { return fmt.Sprintf("%s#%d", strings.ToLower(p.repo), p.number) }

// header returns the lines that precede the text of a review of p. They hold no
// foreign text that could close the comment, mention or link: base64 has no
// letters for it. Of a history that is too long, which takes names of unusual
// length, the last findings are forgotten: the next push does not list them.
func header(h report.History, p pull) (string, error) {
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

// checksum ties a history to the pull request that it is of.
//
// There is no key to it: no secret outlives a run that the next one has, too.
// So everybody can compute it, and it proves nothing about who wrote a history.
// That is for the author of the review to show, see poster.reviews. What the
// checksum finds are histories that got into a review of ours without being
// meant for it: copied from another pull request, or edited by hand.
func checksum(p pull, data []byte) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "mutantfuzz-state:2\n%s\n%s", p, data))
	return hex.EncodeToString(sum[:16])
}

// isMarked reports whether body has the marker where only we put it.
func isMarked(body string) bool { return strings.HasPrefix(body, marker) }

// history returns what a review of p with the given body has shown, or nil if
// that cannot be made out: then it is as if nothing had been shown.
func history(body string, p pull) *report.History {
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
	h := new(report.History)
	if json.Unmarshal(data, h) != nil {
		return nil
	}
	return h
}
