package review

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
)

// Config says where to post and how. FromEnv fills it in within GitHub
// Actions.
type Config struct {
	Repo     string // owner/name
	PR       int    // number of the pull request; 0: the open one with the head below
	Explicit bool   // the user named PR, so that not being allowed to post is an error
	Head     Head   // of the workflow run that was analysed; used when PR is 0
	Token    string // empty: nothing can be posted
	APIURL   string // empty: https://api.github.com/

	MaxFindings int    // with an entry of their own, up to report.MaxFindings; 0: as the options of the run say, else report.DefaultMaxFindings
	Comments    string // where findings go; empty: CommentsBody
	DryRun      bool   // write the body of a first review to Out, and the comments at lines, and post nothing

	Out     io.Writer           // for warnings and dry runs; nil: os.Stderr
	Getenv  func(string) string // GITHUB_ACTIONS and GITHUB_STEP_SUMMARY are read; nil: os.Getenv
	Client  *http.Client        // nil: one with a time limit per request
	retries *retries            // nil: the usual ones
}

// Where findings go.
const (
	CommentsBody        = "body"        // into the body of the review
	CommentsAnnotations = "annotations" // into the body, and beside the diff as annotations of the step
	CommentsInline      = "inline"      // as comments at their lines where the diff has these, else into the body
)

// Head names the commit that a workflow run was about.
type Head struct {
	Owner  string // of the repository that has the branch
	Branch string
	SHA    string
}

// UsageError is a fault in how this package was asked to post, as opposed to
// one of the network or of GitHub.
type UsageError struct{ Err error }

func (e *UsageError) Error() string { return e.Err.Error() }

// Unwrap returns the fault.
func (e *UsageError) Unwrap() error { return e.Err }

func usagef(format string, args ...any) error { return &UsageError{fmt.Errorf(format, args...)} }

// FromEnv returns what the environment of GitHub Actions says: repository,
// token, API, and from the event file the pull request, or for the event
// workflow_run the head to find it by. What is not there stays zero; an event
// file that cannot be read is a UsageError.
func FromEnv(getenv func(string) string) (Config, error) {
	c := Config{
		Repo:   getenv("GITHUB_REPOSITORY"),
		Token:  getenv("GITHUB_TOKEN"),
		APIURL: getenv("GITHUB_API_URL"),
		Getenv: getenv,
	}
	path := getenv("GITHUB_EVENT_PATH")
	if path == "" {
		return c, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return c, usagef("reading the event: %w\nhint: GITHUB_EVENT_PATH has to name the event file of GitHub Actions", err)
	}
	var e event
	if err := json.Unmarshal(data, &e); err != nil {
		return c, usagef("event file %s: %w\nhint: GITHUB_EVENT_PATH has to name the event file of GitHub Actions", path, err)
	}
	c.PR = e.PullRequest.Number
	c.Head = Head{e.WorkflowRun.HeadRepository.Owner.Login, e.WorkflowRun.HeadBranch, e.WorkflowRun.HeadSHA}
	return c, nil
}

// event is what is needed of the events pull_request and workflow_run.
type event struct {
	PullRequest struct {
		Number int `json:"number"`
	} `json:"pull_request"`
	WorkflowRun struct {
		HeadBranch     string `json:"head_branch"`
		HeadSHA        string `json:"head_sha"`
		HeadRepository struct {
			Owner struct {
				Login string `json:"login"`
			} `json:"owner"`
		} `json:"head_repository"`
	} `json:"workflow_run"`
}

var repoName = regexp.MustCompile(`^[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+$`)

// check returns a UsageError if c cannot work.
func (c *Config) check() error {
	switch c.Comments {
	case "", CommentsBody, CommentsAnnotations, CommentsInline:
	default:
		return usagef("--comments %q is not known\nhint: use --comments annotations, --comments inline or --comments body", c.Comments)
	}
	if c.DryRun {
		return nil
	}
	if !repoName.MatchString(c.Repo) {
		return usagef("repository %q is not of the form owner/name\nhint: name it with --repo, or set GITHUB_REPOSITORY", c.Repo)
	}
	if c.PR < 0 || (c.PR == 0 && c.Head.SHA == "") {
		return usagef("no pull request to review\nhint: name it with --pr, or run on the events pull_request or workflow_run")
	}
	if _, err := c.baseURL(); err != nil {
		return err
	}
	return nil
}

// baseURL returns the API's address, with the slash at its end that go-github
// wants.
func (c *Config) baseURL() (*url.URL, error) {
	address := c.APIURL
	if address == "" {
		address = "https://api.github.com"
	}
	u, err := url.Parse(strings.TrimRight(address, "/") + "/")
	if err == nil && (u.Host == "" || (u.Scheme != "https" && u.Scheme != "http")) {
		err = errors.New("not an http or https address")
	}
	if err != nil {
		return nil, usagef("address of the API %q: %w\nhint: GITHUB_API_URL is https://api.github.com, or https://HOST/api/v3 of your server", address, err)
	}
	return u, nil
}
