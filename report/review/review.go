// Package review posts results as a review of a pull request on GitHub, and edits that review on later pushes.
//
// A submitted review cannot be deleted, and people switch off tools that repeat their comments. So there is never more
// than one review.
package review

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/go-github/v60/github"
	"github.com/sethvargo/go-githubactions"

	"github.com/mutantfuzz/mutantfuzz/internal/config"
	"github.com/mutantfuzz/mutantfuzz/report"
	"github.com/mutantfuzz/mutantfuzz/report/finding"
	"github.com/mutantfuzz/mutantfuzz/report/prose"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Action is what Post did.
type Action string

// What Post can have done.
const (
	Created    Action = "created"    // a new review
	Updated    Action = "updated"    // the review of an earlier push
	Nothing    Action = "nothing"    // there was nothing to say, or no pull request to say it on
	Printed    Action = "printed"    // a dry run wrote the review to Config.Out
	Summarized Action = "summarized" // posting was refused; the body is in the step summary, if there is one
)

// Outcome is the result of Post.
type Outcome struct {
	Action Action
	PR     int    // 0: none was found
	URL    string // of the review, for people; empty: none was posted
	// Dismissed has the mutants of the results that people dismissed on the pull request, as configuration entries.
	Dismissed []config.Dismissal
	// Warning says why nothing was posted although there was something to say. Post has already written it to
	// Config.Out.
	Warning string
}

// posting is one call of Post.
type posting struct {
	*Config
	results *results.Results
	// now is what the review shows. Until there is a review, it is what a first one would show.
	now finding.Selection

	// settled says by node ID of our comments whether to resolve their thread or to reopen it.
	settled  map[string]bool
	warnings []string // of the last attempt
}

// Post updates the review of the pull request to show r. If there is no review yet and nothing worth showing, it
// creates none. If the token may not post, the body goes to the step summary and the outcome has a warning; if the user
// named the pull request explicitly, the error is a UsageError instead. Post waits out temporary faults of GitHub and
// rate limits, within bounds.
func Post(ctx context.Context, c Config, r *results.Results) (Outcome, error) {
	if err := c.check(); err != nil {
		return Outcome{}, err
	}
	c.setDefaults()
	first := finding.Select(r, nil, c.MaxFindings)
	o := &posting{Config: &c, results: r, now: first, settled: map[string]bool{}}
	if c.DryRun {
		return Outcome{Action: Printed, PR: c.PR}, o.print()
	}
	summary := report.Markdown(r, report.Options{Selection: &first, Whole: true})
	outcome, err := c.retries.do(ctx, func() (Outcome, error) { return o.attempt(ctx) })
	c.annotate(report.Annotations(r, &o.now))
	for _, warning := range o.warnings {
		c.warn(warning)
	}
	switch {
	case err != nil && isRefusal(err):
		return c.refused(outcome.PR, shown{err}, summary)
	case err != nil:
		err = fmt.Errorf("posting to pull request %d of %s: %w\nhint: the body is in the step summary, if there is one; run \"mutantfuzz review\" again later", outcome.PR, c.Repo, shown{err})
		return outcome, errors.Join(err, c.summarize(summary))
	case outcome.Warning != "":
		c.warn(outcome.Warning)
	}
	o.settle(ctx, outcome.PR)
	outcome.Dismissed = finding.Dismissals(r, &o.now)
	if outcome.Action == Nothing {
		return outcome, c.summarize(summary)
	}
	return outcome, nil
}

// warnLater keeps a warning until it is clear that the current attempt is the last one.
func (o *posting) warnLater(format string, args ...any) {
	o.warnings = append(o.warnings, fmt.Sprintf(format, args...))
}

// settle resolves or reopens the threads of comments in o.settled. A failure is only worth a warning.
func (o *posting) settle(ctx context.Context, pr int) {
	if len(o.settled) == 0 {
		return
	}
	p, err := o.connect()
	if err == nil {
		err = p.settle(ctx, pr, o.settled)
	}
	if err != nil {
		o.warn(fmt.Sprintf("conversations on findings that are dealt with were not resolved (%v): that takes the permission \"contents: write\"", shown{err}))
	}
}

// print writes what a first review would say, with its comments. It does not check whether the diff has a place for
// them.
func (o *posting) print() error {
	this := pull{o.Repo, o.PR}
	told := map[string]bool{}
	var comments []report.Comment
	if o.Comments == CommentsInline {
		comments = report.Comments(o.results, &o.now)
		comments = comments[:min(len(comments), maxTold)]
	}
	for _, c := range comments {
		told[c.Key] = true
	}
	body, err := render(o.results, &o.now, this, told)
	if err != nil {
		return err
	}
	text := body
	for _, c := range comments {
		at := place{file: c.File, first: c.Line, last: c.EndLine}
		if c.Mend != nil {
			at.first, at.last = c.Mend.Line, c.Mend.EndLine()
		}
		text += fmt.Sprintf("\n--- comment at %s, if the diff has that ---\n%s", at, findingHeader(this, c.Key, true)+c.Markdown(c.Mend != nil, maxComment))
	}
	_, err = fmt.Fprint(o.Out, text)
	return err
}

// Limits on text that GitHub sends, in runes.
const (
	maxCause = 300
	maxURL   = 300
)

// shown makes the text of an error from another machine safe to print: on one line, with nothing that steers a terminal
// or a runner.
type shown struct{ error }

func (e shown) Error() string { return prose.OneLine(e.error.Error(), maxCause) }

// Unwrap returns the original error.
func (e shown) Unwrap() error { return e.error }

func (c *Config) setDefaults() {
	if c.Out == nil {
		c.Out = os.Stderr
	}
	if c.Getenv == nil {
		c.Getenv = os.Getenv
	}
	if c.Client == nil {
		c.Client = &http.Client{Timeout: 30 * time.Second}
	}
	if c.retries == nil {
		c.retries = usualRetries()
	}
}

// render returns the whole body of a review of p that shows s, at most report.DefaultLimit bytes. Findings whose keys
// are in told take only one line, and the history says that they have comments.
func render(r *results.Results, s *finding.Selection, p pull, told map[string]bool) (string, error) {
	history := s.History
	history.Shown = slices.Clone(history.Shown)
	for i := range history.Shown {
		one := &history.Shown[i]
		one.Commented = one.Commented || told[one.Key]
	}
	head, err := header(history, p)
	if err != nil {
		return "", fmt.Errorf("encoding the history: %w", err)
	}
	return head + report.Markdown(r, report.Options{
		Limit:     report.DefaultLimit - len(head),
		Selection: s,
		Inline:    told,
		Heard:     true,
	}), nil
}

// attempt finds our review and edits it, or else creates the first one. In both cases o.now says what the review shows.
// It may be repeated after any failure: if an answer got lost, the next attempt finds the review or comment that was
// made.
func (o *posting) attempt(ctx context.Context) (Outcome, error) {
	outcome := Outcome{Action: Nothing, PR: o.PR}
	o.warnings = nil
	if o.Token == "" {
		return outcome, errNoToken
	}
	p, err := o.connect()
	if err != nil {
		return outcome, err
	}
	if outcome.PR == 0 {
		outcome.PR, err = p.find(ctx, o.Head)
		if err != nil {
			return outcome, err
		}
		if outcome.PR == 0 {
			outcome.Warning = "no open pull request has the head " + prose.OneLine(o.Head.SHA, maxCause) + "; a newer push may have replaced it"
			return outcome, nil
		}
	}
	ours, err := p.reviews(ctx, outcome.PR)
	if err != nil {
		return outcome, err
	}
	b := newBoard(p, o, outcome.PR)
	if len(ours) > 0 {
		if err := b.load(ctx); err != nil {
			return outcome, err
		}
	}
	for _, review := range ours {
		edited, err := b.revise(ctx, review)
		if err == nil {
			outcome.Action, outcome.URL = Updated, prose.OneLine(edited.GetHTMLURL(), maxURL)
			return outcome, nil
		}
		if !errors.Is(err, errNotOurs) {
			return outcome, err
		}
	}
	if o.now.Empty() {
		return outcome, nil
	}
	made, err := b.create(ctx, &o.now)
	if err != nil {
		return outcome, err
	}
	outcome.Action, outcome.URL = Created, prose.OneLine(made.GetHTMLURL(), maxURL)
	_, err = b.follow(ctx, made)
	return outcome, err
}

// revise updates a review that seems to be ours, and its comments. It returns errNotOurs if GitHub does not let us edit
// the review, because it is another bot's that copied the marker.
func (b *board) revise(ctx context.Context, review *github.PullRequestReview) (*github.PullRequestReview, error) {
	past := history(review.GetBody(), b.this)
	if past != nil {
		if err := b.hear(ctx, past); err != nil {
			return nil, err
		}
	}
	s := finding.Select(b.results, past, b.MaxFindings)
	edited, err := b.update(ctx, review.GetID(), &s)
	if err != nil && isRefusal(err) {
		return nil, errNotOurs
	}
	if err != nil {
		return nil, err
	}
	b.now = s
	return b.follow(ctx, edited)
}

// follow updates the comments to match a review that shows b.now, and then the review to match the comments: a finding
// with a comment takes only one line in the review.
func (b *board) follow(ctx context.Context, review *github.PullRequestReview) (*github.PullRequestReview, error) {
	before := maps.Clone(b.told)
	if err := b.sync(ctx, &b.now); err != nil {
		return review, err
	}
	if maps.Equal(before, b.told) {
		return review, nil
	}
	edited, err := b.update(ctx, review.GetID(), &b.now)
	if err != nil {
		return review, b.tolerate(err, "findings stand in the body of the review and in comments, too")
	}
	return edited, nil
}

// poster is a connection to one repository for one attempt.
type poster struct {
	client      *github.Client
	owner, repo string

	isMe      func(*github.User) bool // reports whether a user is us; nil: not yet known
	writers   map[string]bool         // whether people may write, by lower-case login, as far as asked
	mayNotAsk bool                    // the token may not ask about people's rights
}

// connect returns a new client. Every attempt needs its own, because a client that was once rate-limited refuses
// requests until its own clock allows them.
func (c *Config) connect() (*poster, error) {
	base, err := c.baseURL()
	if err != nil {
		return nil, err
	}
	client := github.NewClient(c.Client).WithAuthToken(c.Token)
	client.BaseURL = base
	owner, repo, _ := strings.Cut(c.Repo, "/")
	return &poster{client: client, owner: owner, repo: repo, writers: map[string]bool{}}, nil
}

// find returns the number of the open pull request with the given head, or 0. For pull requests from forks, the event
// workflow_run does not name the number, and what an artifact says about it cannot be trusted.
func (p *poster) find(ctx context.Context, head Head) (int, error) {
	options := &github.PullRequestListOptions{State: "open", ListOptions: github.ListOptions{PerPage: 100}}
	if head.Owner != "" && head.Branch != "" {
		options.Head = head.Owner + ":" + head.Branch
	}
	for {
		pulls, response, err := p.client.PullRequests.List(ctx, p.owner, p.repo, options)
		if err != nil {
			return 0, err
		}
		for _, pull := range pulls {
			if pull.GetHead().GetSHA() == head.SHA {
				return pull.GetNumber(), nil
			}
		}
		if response.NextPage == 0 {
			return 0, nil
		}
		options.Page = response.NextPage
	}
}

// reviews returns our reviews, newest first: those with our marker, which anybody can copy, and our author, which
// nobody can fake. They say what has been shown already.
func (p *poster) reviews(ctx context.Context, pr int) ([]*github.PullRequestReview, error) {
	var marked []*github.PullRequestReview
	options := &github.ListOptions{PerPage: 100}
	for {
		page, response, err := p.client.PullRequests.ListReviews(ctx, p.owner, p.repo, pr, options)
		if err != nil {
			return nil, err
		}
		for _, review := range page {
			if isMarked(review.GetBody()) {
				marked = append(marked, review)
			}
		}
		if response.NextPage == 0 {
			break
		}
		options.Page = response.NextPage
	}
	if len(marked) == 0 {
		return nil, nil
	}
	isMe, err := p.author(ctx)
	if err != nil {
		return nil, err
	}
	slices.Reverse(marked) // GitHub lists the oldest first
	return slices.DeleteFunc(marked, func(r *github.PullRequestReview) bool { return !isMe(r.GetUser()) }), nil
}

// author returns a function that reports whether a user is us. A personal token can ask who its owner is. The token of
// an app, such as GITHUB_TOKEN, cannot and posts as a bot. Then every bot might be us, and no person is. That is
// acceptable: only the owners of a repository admit bots, and a review that GitHub does not let us edit is skipped.
// What remains are bots that can be made to post a review that begins with our marker, such as other workflows that use
// GITHUB_TOKEN.
func (p *poster) author(ctx context.Context) (isMe func(*github.User) bool, err error) {
	if p.isMe == nil {
		p.isMe, err = p.whoAmI(ctx)
	}
	return p.isMe, err
}

func (p *poster) whoAmI(ctx context.Context) (func(*github.User) bool, error) {
	me, _, err := p.client.Users.Get(ctx, "")
	switch {
	case err == nil: // by ID, because a name can be given up and taken by somebody else
		return func(u *github.User) bool { return u.GetID() != 0 && u.GetID() == me.GetID() }, nil
	case isRefusal(err) && !isUnauthorized(err):
		return func(u *github.User) bool { return u.GetType() == "Bot" }, nil
	}
	return nil, err
}

func isUnauthorized(err error) bool {
	var response *github.ErrorResponse
	return errors.As(err, &response) && response.Response.StatusCode == http.StatusUnauthorized
}

var errNoToken = errors.New("there is no token")

// isRefusal reports whether err says that this token may not do something, rather than that the request failed
// temporarily.
func isRefusal(err error) bool {
	var response *github.ErrorResponse
	if !errors.As(err, &response) || response.Response == nil {
		return errors.Is(err, errNoToken)
	}
	if response.Response.Header.Get("Retry-After") != "" {
		return false // a rate limit that go-github does not recognise
	}
	switch response.Response.StatusCode {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusUnprocessableEntity:
		return true
	default:
		return false
	}
}

// refused puts the body into the step summary if posting was refused. If the user named the pull request, it returns a
// UsageError instead.
func (c *Config) refused(pr int, cause error, body string) (Outcome, error) {
	const hint = "the job needs the permission \"pull-requests: write\", which runs on forks do not have: post from a workflow_run job instead"
	if c.Explicit {
		return Outcome{Action: Nothing, PR: pr}, usagef("posting to pull request %d of %s: %w\nhint: %s", pr, c.Repo, cause, hint)
	}
	o := Outcome{Action: Summarized, PR: pr, Warning: fmt.Sprintf("no review was posted (%v); the step summary has it: %s", cause, hint)}
	c.warn(o.Warning)
	return o, c.summarize(body)
}

// maxWarning limits what warn writes, in runes.
const maxWarning = 1000

// warn writes a warning, as an annotation if it runs in GitHub Actions.
func (c *Config) warn(message string) {
	message = prose.OneLine(message, maxWarning)
	if c.Getenv("GITHUB_ACTIONS") == "true" {
		githubactions.New(githubactions.WithWriter(c.Out), githubactions.WithGetenv(c.Getenv)).Warningf("%s", message)
		return
	}
	fmt.Fprintln(c.Out, "warning: "+message)
}

// maxAnnotations is the number of annotations that GitHub shows for one step.
const maxAnnotations = 10

// annotate writes annotations, which GitHub shows beside the diff even if the token may not post. It writes none in a
// workflow_run job, where they would be on the default branch.
func (c *Config) annotate(list []report.Annotation) {
	if c.Comments != CommentsAnnotations || c.Head.SHA != "" || c.Getenv("GITHUB_ACTIONS") != "true" {
		return
	}
	out := githubactions.New(githubactions.WithWriter(c.Out), githubactions.WithGetenv(c.Getenv))
	for _, a := range list[:min(len(list), maxAnnotations)] {
		out.WithFieldsMap(map[string]string{
			"file": prose.OneLine(a.File, maxURL), "line": strconv.Itoa(a.Line), "endLine": strconv.Itoa(a.EndLine), "title": prose.OneLine(a.Title, maxCause),
		}).Warningf("%s", prose.OneLine(a.Message, maxWarning))
	}
}

// summarize adds body to the step summary, if there is one.
func (c *Config) summarize(body string) (err error) {
	if c.Getenv("GITHUB_STEP_SUMMARY") == "" {
		return nil
	}
	defer func() { // the library panics if the file cannot be written
		if fault := recover(); fault != nil {
			err = fmt.Errorf("writing the step summary: %v", fault)
		}
	}()
	githubactions.New(githubactions.WithWriter(c.Out), githubactions.WithGetenv(c.Getenv)).AddStepSummary(body)
	return nil
}
