package change

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// maxSubjects bounds how many commits are read.
const maxSubjects = 50

var (
	// fixSubject matches the subject of a commit that says that it fixes something: after the names of what it is about,
	// as in "fix(parser): …", "net/http: fix …" or "[core] Fixed …", or by the number of an issue, as in "… Fixes #7".
	fixSubject = regexp.MustCompile(`(?i)^(\[[^\]]*\]\s*)?([\w./*-]+(\([^)]*\))?!?:\s*)*((bug|hot)?fix(e[sd]|ing)?|prevent|correct)(?:[^\w-]|$)|\bfix(e[sd])?:? #\d`)
	// choreSubject matches one that is about something that tests do not show, such as a race: only the race detector does.
	choreSubject = regexp.MustCompile(`(?i)\b(\w*lint\w*|gofmt|goimports|staticcheck|compil\w*|typos?|spelling|comments?|docs?|documentation|tests?|ci|build|format\w*|vet|warnings?|examples?|readme|changelog|refactor\w*|nits?|flak\w*|(?-i:Test[A-Z]\w*)|deps|merge conflicts?|feedback|copyright|perf\w*|optimi[sz]\w*|speed\w*|faster|slow\w*|allocat\w*|memory|rac(e|es|y))\b|^revert\b|\bfix(ed)?[ -](size|point|width|length)\b`)
)

// saysFix reports whether the subject of a commit says that it fixes something in the program.
func saysFix(subject string) bool {
	return fixSubject.MatchString(subject) && !choreSubject.MatchString(subject)
}

// fixes reports whether a commit after base, up to head, says that it fixes something in the program. Commits that the
// clone lacks say nothing.
func (g git) fixes(ctx context.Context, base, head string) bool {
	out, err := g.run(ctx, nil, "log", "--no-merges", "--format=%s", "--max-count="+strconv.Itoa(maxSubjects), base+".."+head)
	return err == nil && slices.ContainsFunc(strings.Split(string(out), "\n"), saysFix)
}
