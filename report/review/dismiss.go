package review

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/google/go-github/v60/github"

	"github.com/mutantfuzz/mutantfuzz/report"
)

// wish is that a finding be dismissed, by anybody.
type wish struct {
	key         string // of the finding
	reason      string // any text
	user        *github.User
	association string // with the repository, as GitHub says; empty: it does not
}

var (
	ignoreReply   = regexp.MustCompile(`(?i)^/?ignore(?:[\s:,.!]+(.*))?$`)
	ignoreComment = regexp.MustCompile(`(?i)^/?ignore\s+([0-9a-f]{4,16})(?:[\s:,.!]+(.*))?$`)
)

// firstLine is the first line of a comment that says something: blank ones and those it quotes
// do not, and marks of code neither.
func firstLine(body string) string {
	for line := range strings.Lines(body) {
		line = strings.TrimSpace(strings.ReplaceAll(line, "`", ""))
		if line != "" && !strings.HasPrefix(line, ">") {
			return line
		}
	}
	return ""
}

// ignores reports whether a reply says "ignore", and why.
func ignores(body string) (reason string, ok bool) {
	match := ignoreReply.FindStringSubmatch(firstLine(body))
	if match == nil {
		return "", false
	}
	return strings.TrimSpace(match[1]), true
}

// ignored returns what a comment says "ignore" of, the handle of a finding, and why; "" if it
// says no such thing.
func ignored(body string) (handle, reason string) {
	match := ignoreComment.FindStringSubmatch(firstLine(body))
	if match == nil {
		return "", ""
	}
	return match[1], strings.TrimSpace(match[2])
}

// hear dismisses, in what the review has shown so far, what somebody who may write to the
// repository wants to be dismissed: by a reply to the comment on a finding, or a thumb down on
// it, or a comment that names the finding.
func (b *board) hear(ctx context.Context, past *report.History) error {
	if !past.Undecided() {
		return nil
	}
	wishes, err := b.wishes(ctx, past)
	if err != nil {
		return err
	}
	for _, w := range wishes {
		if !past.Shows(w.key) {
			continue // also not to ask about people without need
		}
		may, err := b.mayWrite(ctx, w.user, w.association)
		if err != nil {
			return err
		}
		if may {
			past.Dismiss(w.key, w.user.GetLogin(), w.reason)
		}
	}
	return nil
}

// wishes are what all comments ask for, whoever wrote them.
func (b *board) wishes(ctx context.Context, past *report.History) ([]wish, error) {
	on := map[int64]string{} // keys by ID of our comments
	for key, c := range b.ours {
		on[c.GetID()] = key
	}
	var list []wish
	named := func(body string, user *github.User, association string) {
		if handle, reason := ignored(body); handle != "" {
			list = append(list, wish{past.Named(handle), reason, user, association})
		}
	}
	for _, c := range b.all {
		key := on[c.GetInReplyTo()]
		if key == "" {
			named(c.GetBody(), c.GetUser(), c.GetAuthorAssociation())
		} else if reason, ok := ignores(c.GetBody()); ok {
			list = append(list, wish{key, reason, c.GetUser(), c.GetAuthorAssociation()})
		}
	}
	comments, err := b.issueComments(ctx, b.this.number)
	if err := b.tolerate(err, "the comments on the pull request cannot be read, so those that set findings aside are not heard"); err != nil {
		return nil, err
	}
	for _, c := range comments {
		named(c.GetBody(), c.GetUser(), c.GetAuthorAssociation())
	}
	for _, key := range slices.Sorted(maps.Keys(b.ours)) {
		users, err := b.thumbsDown(ctx, b.ours[key])
		if err := b.tolerate(err, "reactions on comments cannot be read, so they set nothing aside"); err != nil {
			return nil, err
		}
		for _, user := range users {
			list = append(list, wish{key: key, user: user})
		}
	}
	return list, nil
}

// issueComments are the comments on a pull request that are on no line of it, oldest first.
func (p *poster) issueComments(ctx context.Context, pr int) ([]*github.IssueComment, error) {
	var all []*github.IssueComment
	options := &github.IssueListCommentsOptions{ListOptions: github.ListOptions{PerPage: 100}}
	for {
		page, response, err := p.client.Issues.ListComments(ctx, p.owner, p.repo, pr, options)
		if err != nil {
			return nil, err
		}
		all = append(all, page...)
		if response.NextPage == 0 {
			return all, nil
		}
		options.Page = response.NextPage
	}
}

// thumbsDown are those who reacted so on a comment.
func (p *poster) thumbsDown(ctx context.Context, c *github.PullRequestComment) (users []*github.User, err error) {
	if c.GetReactions().GetMinusOne() == 0 {
		return nil, nil
	}
	options := &github.ListOptions{PerPage: 100}
	for {
		page, response, err := p.client.Reactions.ListPullRequestCommentReactions(ctx, p.owner, p.repo, c.GetID(), options)
		if err != nil {
			return nil, err
		}
		for _, reaction := range page {
			if reaction.GetContent() == "-1" {
				users = append(users, reaction.GetUser())
			}
		}
		if response.NextPage == 0 {
			return users, nil
		}
		options.Page = response.NextPage
	}
}

// login is what the names of people look like. It becomes a part of an address.
var login = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,59}$`)

// maxAsked bounds the questions about what people may do, of one attempt.
const maxAsked = 50

// mayWrite reports whether a user may write to the repository, which GitHub knows. Where the
// token may not ask that, those count whom GitHub calls owner, member or collaborator, which is
// less exact: a member of an organisation need not have the right to write to all it has. Bots
// have no say: others can make them repeat what they want.
func (p *poster) mayWrite(ctx context.Context, user *github.User, association string) (bool, error) {
	if user.GetType() != "User" || !login.MatchString(user.GetLogin()) {
		return false, nil
	}
	trusted := association == "OWNER" || association == "MEMBER" || association == "COLLABORATOR"
	name := strings.ToLower(user.GetLogin())
	may, known := p.writers[name]
	switch {
	case p.mayNotAsk:
		return trusted, nil
	case known || len(p.writers) >= maxAsked:
		return may, nil
	}
	level, _, err := p.client.Repositories.GetPermissionLevel(ctx, p.owner, p.repo, user.GetLogin())
	switch {
	case isStatus(err, http.StatusForbidden) && isRefusal(err):
		p.mayNotAsk = true
		return trusted, nil
	case isStatus(err, http.StatusNotFound): // nobody of the repository
	case err != nil:
		return false, err
	default: // names can be changed and be taken by others
		permission := level.GetPermission()
		may = level.GetUser().GetID() == user.GetID() && (permission == "admin" || permission == "maintain" || permission == "write")
	}
	p.writers[name] = may
	return may, nil
}

// isStatus reports whether err is an answer of GitHub with that status.
func isStatus(err error, status int) bool {
	var response *github.ErrorResponse
	return errors.As(err, &response) && response.Response != nil && response.Response.StatusCode == status
}
