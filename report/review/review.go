// Package review posts results as one review of a pull request on GitHub, and
// edits that same review on later pushes.
//
// A submitted review cannot be deleted, and repeated comments are what people
// switch off first; so there is never more than one.
package review

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/google/go-github/v60/github"
	"github.com/sethvargo/go-githubactions"

	"github.com/mutantfuzz/mutantfuzz/report"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

// Action is what Post did.
type Action string

// What Post can have done.
const (
	Created    Action = "created"    // a new review
	Updated    Action = "updated"    // the review of an earlier push
	Nothing    Action = "nothing"    // there is nothing to say, or no pull request to say it on
	Printed    Action = "printed"    // a dry run
	Summarized Action = "summarized" // posting was refused; the body is in the step summary, if there is one
)

// Outcome is how posting went.
type Outcome struct {
	Action Action
	PR     int    // 0: none was found
	URL    string // of the review, for people; empty: none was posted
	// Warning says why nothing was posted although there was something to
	// say. Post has written it to Config.Out.
	Warning string
}

// Post makes the review of the pull request say what r does. Without a review
// yet and with nothing worth one, none is made. Where the token may not post,
// the body goes to the step summary and the outcome has a warning, unless the
// pull request was named explicitly: then that is a UsageError. Passing faults
// of GitHub and rate limits are waited out, within bounds.
func Post(ctx context.Context, c Config, r *results.Results) (Outcome, error) {
	if err := c.check(); err != nil {
		return Outcome{}, err
	}
	c.setDefaults()
	first := report.Select(r, nil, c.MaxFindings)
	body, err := render(r, first)
	if err != nil {
		return Outcome{}, err
	}
	if c.DryRun {
		_, err := fmt.Fprint(c.Out, body)
		return Outcome{Action: Printed, PR: c.PR}, err
	}
	outcome, err := c.retries.do(ctx, func() (Outcome, error) { return c.attempt(ctx, r) })
	switch {
	case err != nil && isRefusal(err):
		return c.refused(outcome.PR, err, body)
	case err != nil:
		err = fmt.Errorf("posting to pull request %d of %s: %w\nhint: the body is in the step summary, if there is one; run \"mutantfuzz review\" again later", outcome.PR, c.Repo, err)
		return outcome, errors.Join(err, c.summarize(body))
	case outcome.Warning != "":
		c.warn(outcome.Warning)
	}
	if outcome.Action == Nothing {
		return outcome, c.summarize(body)
	}
	return outcome, nil
}

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

// render returns the whole body of a review that shows s.
func render(r *results.Results, s report.Selection) (string, error) {
	head, err := header(s.History)
	if err != nil {
		return "", fmt.Errorf("encoding the history: %w", err)
	}
	return head + report.Markdown(r, report.Options{
		Limit:     report.DefaultLimit - len(head),
		Selection: &s,
	}), nil
}

// attempt looks for the review and edits it, or else makes it. It may be
// repeated after any failure: a review made by an attempt whose answer got lost
// is found by the next one.
func (c *Config) attempt(ctx context.Context, r *results.Results) (Outcome, error) {
	outcome := Outcome{Action: Nothing, PR: c.PR}
	if c.Token == "" {
		return outcome, errNoToken
	}
	p, err := c.connect()
	if err != nil {
		return outcome, err
	}
	if outcome.PR == 0 {
		outcome.PR, err = p.find(ctx, c.Head)
		if err != nil {
			return outcome, err
		}
		if outcome.PR == 0 {
			outcome.Warning = "no open pull request has the head " + c.Head.SHA + "; a newer push may have replaced it"
			return outcome, nil
		}
	}
	ours, err := p.reviews(ctx, outcome.PR)
	if err != nil {
		return outcome, err
	}
	for _, review := range ours {
		body, err := render(r, report.Select(r, history(review.GetBody()), c.MaxFindings))
		if err != nil {
			return outcome, err
		}
		edited, _, err := p.client.PullRequests.UpdateReview(ctx, p.owner, p.repo, outcome.PR, review.GetID(), body)
		if err == nil {
			outcome.Action, outcome.URL = Updated, edited.GetHTMLURL()
			return outcome, nil
		}
		if !isRefusal(err) {
			return outcome, err
		} // else it is somebody else's, who copied the marker
	}
	return p.create(ctx, outcome, r, c.MaxFindings)
}

// create makes the first review, if there is anything to say.
func (p *poster) create(ctx context.Context, outcome Outcome, r *results.Results, maxFindings int) (Outcome, error) {
	s := report.Select(r, nil, maxFindings)
	if s.Empty() {
		return outcome, nil
	}
	body, err := render(r, s)
	if err != nil {
		return outcome, err
	}
	made, _, err := p.client.PullRequests.CreateReview(ctx, p.owner, p.repo, outcome.PR, &github.PullRequestReviewRequest{
		Body:  &body,
		Event: github.String("COMMENT"), // never approves, never blocks
	})
	if err != nil {
		return outcome, err
	}
	outcome.Action, outcome.URL = Created, made.GetHTMLURL()
	return outcome, nil
}

// poster is a connection to one repository.
type poster struct {
	client      *github.Client
	owner, repo string
}

// connect returns a new client. Every attempt needs its own: a client that was
// once rate-limited refuses by its own clock.
func (c *Config) connect() (*poster, error) {
	base, err := c.baseURL()
	if err != nil {
		return nil, err
	}
	client := github.NewClient(c.Client).WithAuthToken(c.Token)
	client.BaseURL = base
	owner, repo, _ := strings.Cut(c.Repo, "/")
	return &poster{client, owner, repo}, nil
}

// find returns the number of the open pull request with the given head, or 0.
// The event workflow_run does not name it for forks, and what an artifact says
// of it is not to be trusted.
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

// reviews returns the reviews with our marker, most likely ours first: those
// of bots before those of people, newer ones before older ones. The author is
// no proof, since not every token can tell who it belongs to; editing is.
func (p *poster) reviews(ctx context.Context, pr int) ([]*github.PullRequestReview, error) {
	var ours []*github.PullRequestReview
	options := &github.ListOptions{PerPage: 100}
	for {
		page, response, err := p.client.PullRequests.ListReviews(ctx, p.owner, p.repo, pr, options)
		if err != nil {
			return nil, err
		}
		for _, review := range page {
			if isOurs(review.GetBody()) {
				ours = append(ours, review)
			}
		}
		if response.NextPage == 0 {
			break
		}
		options.Page = response.NextPage
	}
	slices.Reverse(ours) // GitHub lists the oldest first
	slices.SortStableFunc(ours, func(a, b *github.PullRequestReview) int {
		return cmp.Compare(authorRank(a), authorRank(b))
	})
	return ours, nil
}

func authorRank(r *github.PullRequestReview) int {
	if r.GetUser().GetType() == "Bot" {
		return 0
	}
	return 1
}

var errNoToken = errors.New("there is no token")

// isRefusal reports whether err says that this token may not do that, rather
// than that it cannot be done just now.
func isRefusal(err error) bool {
	var response *github.ErrorResponse
	if !errors.As(err, &response) || response.Response == nil {
		return errors.Is(err, errNoToken)
	}
	if response.Response.Header.Get("Retry-After") != "" {
		return false // a rate limit that go-github does not know as one
	}
	switch response.Response.StatusCode {
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusUnprocessableEntity:
		return true
	default:
		return false
	}
}

// refused keeps the body where readers can find it.
func (c *Config) refused(pr int, cause error, body string) (Outcome, error) {
	const hint = "the job needs the permission \"pull-requests: write\", which runs on forks do not have: post from a workflow_run job instead"
	if c.Explicit {
		return Outcome{Action: Nothing, PR: pr}, usagef("posting to pull request %d of %s: %w\nhint: %s", pr, c.Repo, cause, hint)
	}
	o := Outcome{Action: Summarized, PR: pr, Warning: fmt.Sprintf("no review was posted (%v); the step summary has it: %s", cause, hint)}
	c.warn(o.Warning)
	return o, c.summarize(body)
}

// warn writes a warning, as an annotation within GitHub Actions.
func (c *Config) warn(message string) {
	if c.Getenv("GITHUB_ACTIONS") == "true" {
		githubactions.New(githubactions.WithWriter(c.Out), githubactions.WithGetenv(c.Getenv)).Warningf("%s", message)
		return
	}
	fmt.Fprintln(c.Out, "warning: "+strings.ReplaceAll(message, "\n", " "))
}

// summarize adds body to the summary of the step, where there is one.
func (c *Config) summarize(body string) (err error) {
	if c.Getenv("GITHUB_STEP_SUMMARY") == "" {
		return nil
	}
	defer func() { // the library has no other way to say that the file cannot be written
		if fault := recover(); fault != nil {
			err = fmt.Errorf("writing the step summary: %v", fault)
		}
	}()
	githubactions.New(githubactions.WithWriter(c.Out), githubactions.WithGetenv(c.Getenv)).AddStepSummary(body)
	return nil
}
