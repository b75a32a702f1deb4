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

	"github.com/mutantfuzz/mutantfuzz/report/finding"
)

// wish is anybody's request to dismiss a finding.
type wish struct {
	key         string // of the finding
	reason      string // untrusted text
	user        *github.User
	association string // with the repository, according to GitHub; empty: unknown
}

var (
	ignoreReply   = regexp.MustCompile(`(?i)^/?ignore(?:[\s:,.!]+(.*))?$`)
	ignoreComment = regexp.MustCompile(`(?i)^/?ignore\s+([0-9a-f]{4,16})(?:[\s:,.!]+(.*))?$`)
)

// firstLine returns the first line of a comment that is neither blank nor a quote, without backticks.
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

// ignored returns the handle of the finding that a comment dismisses with "ignore", and the reason. handle is "" if the
// comment does not dismiss anything.
func ignored(body string) (handle, reason string) {
	match := ignoreComment.FindStringSubmatch(firstLine(body))
	if match == nil {
		return "", ""
	}
	return match[1], strings.TrimSpace(match[2])
}

// hear dismisses findings in past at the request of people who may write to the repository. They can reply to the
// comment on a finding, give it a thumbs down, or name the finding in any comment.
func (b *board) hear(ctx context.Context, past *finding.History) error {
	if !past.Undecided() {
		return nil
	}
	wishes, err := b.wishes(ctx, past)
	if err != nil {
		return err
	}
	for _, w := range wishes {
		if !past.Shows(w.key) {
			continue // this also avoids needless questions about people's rights
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

// wishes returns the requests in all comments, whoever wrote them.
func (b *board) wishes(ctx context.Context, past *finding.History) ([]wish, error) {
	on := map[int64]string{} // keys by ID of our comments
	for key, c := range b.ours {
		on[c.GetID()] = key
	}
	var list []wish
	// say adds the request in a comment, which may be a reply to the comment on the finding with the key below. A handle
	// counts there, too: it names another finding.
	say := func(below, body string, user *github.User, association string) {
		handle, reason := ignored(body)
		key := past.Named(handle)
		if all, ok := ignores(body); ok && key == "" {
			key, reason = below, all
		}
		if key != "" {
			list = append(list, wish{key, reason, user, association})
		}
	}
	for _, c := range b.all {
		say(on[c.GetInReplyTo()], c.GetBody(), c.GetUser(), c.GetAuthorAssociation())
	}
	comments, err := b.issueComments(ctx, b.this.number)
	if err := b.tolerate(err, "the comments on the pull request cannot be read, so those that set findings aside are not heard"); err != nil {
		return nil, err
	}
	for _, c := range comments {
		say("", c.GetBody(), c.GetUser(), c.GetAuthorAssociation())
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

// issueComments returns the comments on a pull request that are not on a line, oldest first.
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

// thumbsDown returns the users who gave a comment a thumbs down.
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

// login matches valid user names. A name becomes a part of a URL.
var login = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,59}$`)

// maxAsked limits the number of requests about people's rights in one attempt.
const maxAsked = 50

// mayWrite reports whether a user may write to the repository, according to GitHub. If the token may not ask that, it
// trusts those whom GitHub calls owner, member or collaborator. That is less exact: a member of an organisation need
// not have write access to all its repositories. Bots cannot dismiss anything, because others can make them repeat
// text.
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
	case isStatus(err, http.StatusNotFound): // the user has nothing to do with the repository
	case err != nil:
		return false, err
	default: // compare IDs, since a name can be given up and taken by somebody else
		permission := level.GetPermission()
		may = level.GetUser().GetID() == user.GetID() && (permission == "admin" || permission == "maintain" || permission == "write")
	}
	p.writers[name] = may
	return may, nil
}

// isStatus reports whether err is a response of GitHub with that status.
func isStatus(err error, status int) bool {
	var response *github.ErrorResponse
	return errors.As(err, &response) && response.Response != nil && response.Response.StatusCode == status
}
