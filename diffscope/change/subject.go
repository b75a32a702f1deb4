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
	// alikeSubject matches one that says that results stay as they are: the program only becomes faster, or its code is written
	// in another way. It says so in its first word, behind the names of what it is about, or is of that type.
	alikeSubject = regexp.MustCompile(`(?i)^(\[[^\]]*\]\s*)?([\w./*-]+(\([^)]*\))?:\s*)*((perf|performance|refactor|refactoring|clean-?up)(\([^)]*\))?!?:|(speed(ing)? ?up|optimi[sz](e[sd]?|ing)|refactor(ing|ed|s)?|clean(ing)?[ -]?up|(avoid|reduce)(s|d|ing)? (an? |the |some |more )?(alloc\w*|cop(y|ies|ying)))\b)`)
)

// saysFix reports whether the subject of a commit says that it fixes something in the program.
func saysFix(subject string) bool {
	return fixSubject.MatchString(subject) && !choreSubject.MatchString(subject)
}

// fixWord matches a word that says that something was wrong.
var fixWord = regexp.MustCompile(`(?i)\b(fix\w*|bugs?|panic\w*|crash\w*|wrong|correct\w*)\b`)

// saysAlike reports whether the subject of a commit says that the program behaves as before, and was not wrong.
func saysAlike(subject string) bool {
	return alikeSubject.MatchString(subject) && !fixWord.MatchString(subject)
}

// allSayAlike reports whether there are subjects, and all of them say that the program behaves as before.
func allSayAlike(subjects []string) bool {
	return len(subjects) > 0 && !slices.ContainsFunc(subjects, func(s string) bool { return !saysAlike(s) })
}

// subjects returns the subjects of the commits after base, up to head, as far as the clone has them: the newest maxSubjects.
func (g git) subjects(ctx context.Context, base, head string) []string {
	out, err := g.run(ctx, nil, "log", "--no-merges", "--format=%s", "--max-count="+strconv.Itoa(maxSubjects), base+".."+head)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(strings.Split(string(out), "\n"), func(s string) bool { return s == "" })
}
