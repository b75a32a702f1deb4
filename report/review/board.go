package review

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/google/go-github/v60/github"

	"github.com/mutantfuzz/mutantfuzz/report"
	"github.com/mutantfuzz/mutantfuzz/report/finding"
	"github.com/mutantfuzz/mutantfuzz/report/prose"
)

// maxTold is the maximum number of open findings with a comment of their own. GitHub does not accept many at once, and
// readers do not want them. The other findings stay in the body.
const maxTold = 15

// board manages the review comments on the lines of a pull request.
type board struct {
	*poster
	*posting
	this pull

	inline bool // findings get comments of their own
	all    []*github.PullRequestComment
	ours   map[string]*github.PullRequestComment // our comments by key of the finding
	told   map[string]bool                       // keys of findings with a comment that people can see

	looked  bool // the diff has been requested
	changed diff // nil: comments cannot be placed
}

func newBoard(p *poster, o *posting, pr int) *board {
	return &board{
		poster: p, posting: o, this: pull{o.Repo, pr}, inline: o.Comments == CommentsInline,
		ours: map[string]*github.PullRequestComment{}, told: map[string]bool{},
	}
}

// load reads the existing comments. If the token may not read them, no comments are posted either, because nobody would
// know whether they exist already.
func (b *board) load(ctx context.Context) error {
	if err := b.list(ctx); err != nil {
		b.inline, b.all = false, nil
		return b.tolerate(err, "the comments at lines cannot be read, so there are no new ones")
	}
	return b.recognise(ctx)
}

// tolerate turns the refusal of something that a review can do without into a warning.
func (b *board) tolerate(err error, consequence string) error {
	if err != nil && isRefusal(err) {
		b.warnLater("%s (%v)", consequence, shown{err})
		return nil
	}
	return err
}

func (b *board) list(ctx context.Context) error {
	options := &github.PullRequestListCommentsOptions{ListOptions: github.ListOptions{PerPage: 100}}
	for {
		page, response, err := b.client.PullRequests.ListComments(ctx, b.owner, b.repo, b.this.number, options)
		if err != nil {
			return err
		}
		b.all = append(b.all, page...)
		if response.NextPage == 0 {
			return nil
		}
		options.Page = response.NextPage
	}
}

// recognise finds our comments: those with our marker that our author wrote (see poster.author). Of several comments on
// the same finding, it takes the first.
func (b *board) recognise(ctx context.Context) error {
	for _, c := range b.all {
		key, _ := markedFinding(c.GetBody(), b.this)
		if key == "" || b.ours[key] != nil || c.GetInReplyTo() != 0 {
			continue
		}
		isMe, err := b.author(ctx)
		if err != nil {
			return err
		}
		if isMe(c.GetUser()) {
			b.ours[key] = c
			// A comment on lines that have changed since has no line, and GitHub folds it away.
			b.told[key] = b.inline && (c.Line != nil || c.GetSubjectType() == "file")
		}
	}
	return nil
}

// forget treats a comment as one that somebody else wrote with our marker, since GitHub does not let us edit it.
func (b *board) forget(key string) {
	delete(b.ours, key)
	delete(b.told, key)
}

// sync updates the comments to match s. It edits existing ones, and adds comments for findings without one where
// possible.
func (b *board) sync(ctx context.Context, s *finding.Selection) error {
	for _, c := range report.Comments(b.results, s) {
		if known := b.ours[c.Key]; known != nil {
			if err := b.refresh(ctx, known, &c); err != nil {
				return err
			}
		}
	}
	for _, c := range s.Closed {
		if known := b.ours[c.Key]; known != nil && c.Fate != finding.NotJudged {
			unsure := c.Fate == finding.Mended && b.results.Partial // there may have been no time to see the failure
			if err := b.edit(ctx, known, c.Key, unsure, report.Farewell(c)); err != nil {
				return err
			}
		}
	}
	drafts, err := b.drafts(ctx, s)
	if err != nil {
		return err
	}
	for i := range drafts {
		if err := b.post(ctx, &drafts[i]); err != nil {
			return err
		}
	}
	return nil
}

// refresh edits our comment on an open finding. It keeps a suggestion only if the comment is still on the lines that
// the suggestion would replace.
func (b *board) refresh(ctx context.Context, known *github.PullRequestComment, c *report.Comment) error {
	suggest := false
	if first := known.GetStartLine(); c.Mend != nil && known.Line != nil && known.GetPath() == c.File {
		if first == 0 {
			first = known.GetLine()
		}
		changed, err := b.diffOnce(ctx)
		if err != nil {
			return err
		}
		f := changed[c.File]
		suggest = f != nil && first == c.Mend.Line && known.GetLine() == c.Mend.EndLine() && f.takes(c.Mend)
	}
	return b.edit(ctx, known, c.Key, true, c.Markdown(suggest, maxComment))
}

// maxComment limits the text of a comment without its header, in bytes.
const maxComment = report.DefaultLimit - 1000

// edit replaces the text of a comment if it differs. It also notes that the comment's thread should be resolved if the
// finding has been dealt with, or reopened if the finding is back.
func (b *board) edit(ctx context.Context, known *github.PullRequestComment, key string, open bool, text string) error {
	body := findingHeader(b.this, key, open) + text
	if sameText(known.GetBody(), body) {
		return nil
	}
	_, _, err := b.client.PullRequests.EditComment(ctx, b.owner, b.repo, known.GetID(), &github.PullRequestComment{Body: &body})
	switch {
	case err != nil && isRefusal(err):
		b.forget(key)
		return nil
	case err != nil:
		return err
	}
	if _, wasOpen := markedFinding(known.GetBody(), b.this); wasOpen != open {
		b.settled[known.GetNodeID()] = !open
	}
	return nil
}

// draft is a comment with at least one place where it could stand, best first.
type draft struct {
	report.Comment
	places []place
}

// drafts returns comments for the findings of s that have none, that had none before, and that have a place in the diff.
// A comment that somebody has deleted does not come back.
func (b *board) drafts(ctx context.Context, s *finding.Selection) (list []draft, err error) {
	if !b.inline {
		return nil, nil
	}
	room := maxTold
	for _, f := range s.Open {
		if b.told[f.Key] {
			room--
		}
	}
	for _, c := range report.Comments(b.results, s) {
		if b.ours[c.Key] != nil || b.told[c.Key] || s.History.Commented(c.Key) || len(list) >= room {
			continue
		}
		changed, err := b.diffOnce(ctx)
		if err != nil {
			return nil, err
		}
		if places := changed.places(&c); len(places) > 0 {
			list = append(list, draft{c, places})
		}
	}
	return list, nil
}

// diffOnce returns the diff that comments can be placed on. It is nil if comments cannot be placed: the results have to
// be for the pull request's current head.
func (b *board) diffOnce(ctx context.Context) (diff, error) {
	if b.looked {
		return b.changed, nil
	}
	b.looked = true
	request, _, err := b.client.PullRequests.Get(ctx, b.owner, b.repo, b.this.number)
	if head := b.results.Revisions.Head; err == nil && request.GetHead().GetSHA() != head {
		b.warnLater("the results are of commit %q and the head of pull request %d is %q: findings get no comments at lines", head, b.this.number, request.GetHead().GetSHA())
		return nil, nil
	}
	if err == nil {
		b.changed, err = b.diff(ctx, b.this.number)
	}
	return b.changed, b.tolerate(err, "the diff of the pull request cannot be read, so findings get no comments at lines")
}

// body returns the text of a draft for a place.
func (b *board) body(d *draft, at place) *string {
	text := findingHeader(b.this, d.Key, true) + d.Markdown(at.suggest, maxComment)
	return &text
}

// post posts a comment at the first place that GitHub accepts. If it accepts none, the finding stays in the body of the
// review.
func (b *board) post(ctx context.Context, d *draft) error {
	var refusal error
	for _, at := range d.places {
		comment := &github.PullRequestComment{
			Path: &at.file, Body: b.body(d, at), CommitID: &b.results.Revisions.Head,
		}
		if at.last == 0 {
			comment.SubjectType = github.String("file")
		} else {
			comment.Line, comment.Side, comment.StartLine, comment.StartSide = at.onLines()
		}
		_, _, refusal = b.client.PullRequests.CreateComment(ctx, b.owner, b.repo, b.this.number, comment)
		if refusal == nil {
			b.told[d.Key] = true
			return nil
		}
		if !isRefusal(refusal) {
			return refusal
		}
		if !isStatus(refusal, http.StatusUnprocessableEntity) {
			break
		}
	}
	return b.tolerate(refusal, fmt.Sprintf("GitHub takes no comment at %s, so the finding stays in the body of the review", d.places[0]))
}

// onLines returns the position of a comment in GitHub's terms.
func (p place) onLines() (line *int, side *string, startLine *int, startSide *string) {
	if p.first < p.last {
		startLine, startSide = &p.first, github.String("RIGHT")
	}
	return &p.last, github.String("RIGHT"), startLine, startSide
}

// String names the place for people. It cleans up the file name, which is untrusted.
func (p place) String() string {
	switch file := prose.OneLine(p.file, maxURL); {
	case p.last == 0:
		return file
	case p.first < p.last:
		return fmt.Sprintf("%s:%d-%d", file, p.first, p.last)
	default:
		return fmt.Sprintf("%s:%d", file, p.last)
	}
}

// create creates the review that shows s, together with the comments that can be part of it: GitHub does not accept
// comments on whole files there. If GitHub rejects the comments, it does not say which one is at fault, and create
// retries without any.
func (b *board) create(ctx context.Context, s *finding.Selection) (*github.PullRequestReview, error) {
	drafts, err := b.drafts(ctx, s)
	if err != nil {
		return nil, err
	}
	var comments []*github.DraftReviewComment
	for i := range drafts {
		at := drafts[i].places[0]
		if at.last == 0 {
			continue
		}
		c := &github.DraftReviewComment{Path: &at.file, Body: b.body(&drafts[i], at)}
		c.Line, c.Side, c.StartLine, c.StartSide = at.onLines()
		comments = append(comments, c)
		b.told[drafts[i].Key] = true
	}
	made, err := b.createWith(ctx, s, comments)
	if len(comments) > 0 && isStatus(err, http.StatusUnprocessableEntity) {
		clear(b.told)
		made, err = b.createWith(ctx, s, nil)
	}
	return made, err
}

func (b *board) createWith(ctx context.Context, s *finding.Selection, comments []*github.DraftReviewComment) (*github.PullRequestReview, error) {
	body, err := render(b.results, s, b.this, b.told)
	if err != nil {
		return nil, err
	}
	request := &github.PullRequestReviewRequest{
		Body:     &body,
		Event:    github.String("COMMENT"), // never approves, never blocks
		Comments: comments,
	}
	if len(comments) > 0 {
		request.CommitID = &b.results.Revisions.Head
	}
	made, _, err := b.client.PullRequests.CreateReview(ctx, b.owner, b.repo, b.this.number, request)
	return made, err
}

// update edits an existing review so that it shows s.
func (b *board) update(ctx context.Context, review int64, s *finding.Selection) (*github.PullRequestReview, error) {
	body, err := render(b.results, s, b.this, b.told)
	if err != nil {
		return nil, err
	}
	edited, _, err := b.client.PullRequests.UpdateReview(ctx, b.owner, b.repo, b.this.number, review, body)
	return edited, err
}

var errNotOurs = errors.New("the review is somebody else's")
