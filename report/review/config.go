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

// Config says where to post and how. FromEnv fills it in within GitHub Actions.
type Config struct {
	Repo     string // owner/name
	PR       int    // number of the pull request; 0: the open one with Head
	Explicit bool   // the user named PR, so a refusal to post is an error
	Head     Head   // of the analysed workflow run; used if PR is 0
	Token    string // empty: nothing can be posted
	APIURL   string // empty: https://api.github.com/

	// MaxFindings is the maximum number of findings with an entry of their own, up to finding.MaxFindings. 0 means the
	// value in the options of the run, else finding.DefaultMaxFindings.
	MaxFindings int
	Comments    string // where findings go; empty: CommentsBody
	DryRun      bool   // post nothing; write the body of a first review and its comments on lines to Out

	Out     io.Writer           // for warnings and dry runs; nil: os.Stderr
	Getenv  func(string) string // only GITHUB_ACTIONS and GITHUB_STEP_SUMMARY are read; nil: os.Getenv
	Client  *http.Client        // nil: a client with a time limit per request
	retries *retries            // nil: usualRetries
}

// Values of Config.Comments: where findings go.
const (
	CommentsBody        = "body"        // into the body of the review
	CommentsAnnotations = "annotations" // the body, and annotations of the step beside the diff
	CommentsInline      = "inline"      // comments on their lines if the diff has these, else the body
)

// Head identifies the commit that a workflow run analysed.
type Head struct {
	Owner  string // owner of the repository that has the branch
	Branch string
	SHA    string
}

// UsageError is a fault in how the caller asked this package to post, in contrast to faults of the network or GitHub.
type UsageError struct{ Err error }

func (e *UsageError) Error() string { return e.Err.Error() }

// Unwrap returns the fault.
func (e *UsageError) Unwrap() error { return e.Err }

func usagef(format string, args ...any) error { return &UsageError{fmt.Errorf(format, args...)} }

// FromEnv returns the configuration that the environment of GitHub Actions gives: repository, token and API address,
// and from the event file the pull request or, for the event workflow_run, the head to find it by. Anything missing
// stays zero. The error is a UsageError if the event file cannot be read.
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

// event holds the fields that are needed of the events pull_request and workflow_run.
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

// check returns a UsageError if c is not valid.
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

// baseURL returns the address of the API with a slash at its end, which go-github requires.
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
