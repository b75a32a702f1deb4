package review

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/google/go-github/v60/github"

	"github.com/mutantfuzz/mutantfuzz/report"
)

// maxTold is how many open findings have a comment of their own at most: GitHub does not take
// many at once, and readers neither. The others stay in the body.
const maxTold = 15

// board is what stands at the lines of a pull request.
type board struct {
	*poster
	*posting
	this pull

	inline bool // findings get comments of their own
	all    []*github.PullRequestComment
	ours   map[string]*github.PullRequestComment // by key of the finding
	told   map[string]bool                       // keys of findings that people can see the comment of

	looked  bool // for the diff
	changed diff // nil: comments cannot be placed
}

func newBoard(p *poster, o *posting, pr int) *board {
	return &board{
		poster: p, posting: o, this: pull{o.Repo, pr}, inline: o.Comments == CommentsInline,
		ours: map[string]*github.PullRequestComment{}, told: map[string]bool{},
	}
}

// load reads the comments. Without the right to, nothing is posted either: nobody would know
// whether it is there already.
func (b *board) load(ctx context.Context) error {
	if err := b.list(ctx); err != nil {
		b.inline, b.all = false, nil
		return b.tolerate(err, "the comments at lines cannot be read, so there are no new ones")
	}
	return b.recognise(ctx)
}

// tolerate makes a warning of a refusal to do something that a review can do without.
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

// recognise finds out which comments are ours: those with our marker by our author, see
// poster.reviews. Of several on the same finding it is the first.
func (b *board) recognise(ctx context.Context) error {
	for _, c := range b.all {
		key, _ := finding(c.GetBody(), b.this)
		if key == "" || b.ours[key] != nil || c.GetInReplyTo() != 0 {
			continue
		}
		isMe, err := b.author(ctx)
		if err != nil {
			return err
		}
		if isMe(c.GetUser()) {
			b.ours[key] = c
			// A comment on lines that have changed since has no line, and is folded away.
			b.told[key] = b.inline && (c.Line != nil || c.GetSubjectType() == "file")
		}
	}
	return nil
}

// forget takes a comment for somebody else's, who copied our marker: GitHub does not let us edit it.
func (b *board) forget(key string) {
	delete(b.ours, key)
	delete(b.told, key)
}

// sync makes the comments say what s says: those that are there are edited, and findings
// without one get it, if they can.
func (b *board) sync(ctx context.Context, s *report.Selection) error {
	for _, c := range report.Comments(b.results, s) {
		if known := b.ours[c.Key]; known != nil {
			if err := b.refresh(ctx, known, &c); err != nil {
				return err
			}
		}
	}
	for _, c := range s.Closed {
		if known := b.ours[c.Key]; known != nil && c.Fate != report.NotJudged {
			if err := b.edit(ctx, known, c.Key, false, report.Farewell(c)); err != nil {
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

// refresh edits our comment on an open finding. Suggestions stay only where the comment is
// still on the lines that it would replace.
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

// maxComment bounds the text of a comment, in bytes, without its header.
const maxComment = report.DefaultLimit - 1000

// edit makes a comment say text, if it does not yet. Its thread is to be resolved if that says
// that the finding is dealt with, and opened again if it is back.
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
	if _, wasOpen := finding(known.GetBody(), b.this); wasOpen != open {
		b.settled[known.GetNodeID()] = !open
	}
	return nil
}

// draft is a comment with the places where it may stand, the best first; there is one at least.
type draft struct {
	report.Comment
	places []place
}

// drafts are comments on the findings of s that have none and that the diff has a place for.
func (b *board) drafts(ctx context.Context, s *report.Selection) (list []draft, err error) {
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
		if b.ours[c.Key] != nil || b.told[c.Key] || len(list) >= room {
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

// diffOnce returns what comments can be placed on. It is nil where they cannot: the results have
// to be of the commit that people see.
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

// body is the text of a draft at a place.
func (b *board) body(d *draft, at place) *string {
	text := findingHeader(b.this, d.Key, true) + d.Markdown(at.suggest, maxComment)
	return &text
}

// post posts a comment at the first place that GitHub takes; if it takes none, the finding
// stays in the body of the review.
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

// onLines says in GitHub's terms which lines a comment is on.
func (p place) onLines() (line *int, side *string, startLine *int, startSide *string) {
	if p.first < p.last {
		startLine, startSide = &p.first, github.String("RIGHT")
	}
	return &p.last, github.String("RIGHT"), startLine, startSide
}

// String names the place for people. The file may have any name.
func (p place) String() string {
	switch file := report.OneLine(p.file, maxURL); {
	case p.last == 0:
		return file
	case p.first < p.last:
		return fmt.Sprintf("%s:%d-%d", file, p.first, p.last)
	default:
		return fmt.Sprintf("%s:%d", file, p.last)
	}
}

// create makes the review that shows s, with those comments that can be part of it: GitHub takes
// none on whole files there. Where it does not take them, it does not say which, and the review
// is made without.
func (b *board) create(ctx context.Context, s *report.Selection) (*github.PullRequestReview, error) {
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

func (b *board) createWith(ctx context.Context, s *report.Selection, comments []*github.DraftReviewComment) (*github.PullRequestReview, error) {
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

// update makes an existing review show s.
func (b *board) update(ctx context.Context, review int64, s *report.Selection) (*github.PullRequestReview, error) {
	body, err := render(b.results, s, b.this, b.told)
	if err != nil {
		return nil, err
	}
	edited, _, err := b.client.PullRequests.UpdateReview(ctx, b.owner, b.repo, b.this.number, review, body)
	return edited, err
}

var errNotOurs = errors.New("the review is somebody else's")
