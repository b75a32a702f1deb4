package review

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/mutantfuzz/mutantfuzz/report"
	"github.com/mutantfuzz/mutantfuzz/report/finding"
	"github.com/mutantfuzz/mutantfuzz/report/internal/gfm"
	"github.com/mutantfuzz/mutantfuzz/report/results"
)

const token = "t0ken"

func fixture(t testing.TB) *results.Results {
	t.Helper()
	r, err := results.Load("../testdata/results.json")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// job is a job of GitHub Actions that posts a review.
type job struct {
	Config
	out     bytes.Buffer
	summary string // path
	slept   []time.Duration
}

func newJob(t *testing.T, g *fakeGitHub) *job {
	t.Helper()
	j := &job{summary: filepath.Join(t.TempDir(), "summary.md")}
	env := map[string]string{"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": j.summary}
	j.Config = Config{
		Repo: "o/r", PR: 7, Token: token, APIURL: g.server.URL, MaxFindings: 5,
		Out: &j.out, Getenv: func(key string) string { return env[key] },
		retries: usualRetries(),
	}
	j.retries.sleep = func(_ context.Context, d time.Duration) error {
		j.slept = append(j.slept, d)
		return nil
	}
	return j
}

func (j *job) post(t *testing.T, r *results.Results) Outcome {
	t.Helper()
	outcome, err := Post(context.Background(), j.Config, r)
	if err != nil {
		t.Fatal(err)
	}
	return outcome
}

func (j *job) readSummary(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(j.summary)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return string(data)
}

func TestFirstPushPostsOneReview(t *testing.T) {
	g := newFakeGitHub(t)
	outcome := newJob(t, g).post(t, fixture(t))
	want := Outcome{Action: Created, PR: 7, URL: "https://github.com/o/r/pull/7#pullrequestreview-1"}
	if diff := gocmp.Diff(want, outcome); diff != "" {
		t.Errorf("outcome (-want +got):\n%s", diff)
	}
	if diff := gocmp.Diff([]string{
		"GET /repos/o/r/pulls/7/reviews?per_page=100",
		"POST /repos/o/r/pulls/7/reviews",
	}, g.requests); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	body := g.reviews[0].body
	if !isMarked(body) || !strings.HasSuffix(body, report.Markdown(fixture(t), report.Options{MaxFindings: 5, Heard: true})) {
		t.Errorf("body is not the marker and the report:\n%s", body)
	}
}

func TestSecondPushEditsTheReview(t *testing.T) {
	g := newFakeGitHub(t)
	newJob(t, g).post(t, fixture(t))

	r := fixture(t)
	m := &r.Mutants[0]
	m.Status, m.Stage, m.ExposedBy = results.Killed, results.Revealed, nil
	m.KilledBy = &results.KilledBy{By: results.ByTest, Kind: results.KindTest, Name: "p.TestX"}
	outcome := newJob(t, g).post(t, r)

	if outcome.Action != Updated || len(g.reviews) != 1 {
		t.Fatalf("outcome %s with %d reviews, want one that is updated", outcome.Action, len(g.reviews))
	}
	body := g.reviews[0].body
	if !strings.Contains(body, "- ~~`parse.go:41`~~ now noticed\n") {
		t.Errorf("what is noticed now is not struck through:\n%s", body)
	}
	if strings.Contains(body, "**5. ") {
		t.Errorf("a finding that was there before was added:\n%s", body)
	}
}

func TestRepeatedPostChangesNothing(t *testing.T) {
	g := newFakeGitHub(t)
	newJob(t, g).post(t, fixture(t))
	first := g.reviews[0].body
	newJob(t, g).post(t, fixture(t))
	if diff := gocmp.Diff(first, g.reviews[0].body); diff != "" || len(g.reviews) != 1 {
		t.Errorf("%d reviews; body (-first +second):\n%s", len(g.reviews), diff)
	}
}

func TestNothingToSayMakesNoReview(t *testing.T) {
	g := newFakeGitHub(t)
	r := fixture(t)
	r.Mutants, r.Crashes, r.OldTests = nil, nil, nil // corpus entries and the test skeleton stay
	j := newJob(t, g)
	if outcome := j.post(t, r); outcome.Action != Nothing || len(g.reviews) > 0 {
		t.Errorf("outcome %s with %d reviews, want nothing", outcome.Action, len(g.reviews))
	}
	if !strings.Contains(j.readSummary(t), "nothing was judged") {
		t.Errorf("the step summary does not say so:\n%s", j.readSummary(t))
	}
}

func TestNothingToSayStillEditsAReview(t *testing.T) {
	g := newFakeGitHub(t)
	newJob(t, g).post(t, fixture(t))
	r := fixture(t)
	r.Mutants, r.Crashes, r.OldTests = nil, nil, nil
	if outcome := newJob(t, g).post(t, r); outcome.Action != Updated {
		t.Errorf("outcome %s, want updated", outcome.Action)
	}
	if body := g.reviews[0].body; !strings.Contains(body, "~~`parse.go:41`~~ no longer there") {
		t.Errorf("the review still shows what is gone:\n%s", body)
	}
}

func TestReviewIsFoundOnALaterPage(t *testing.T) {
	g := newFakeGitHub(t)
	g.pageLen = 2
	for i := range 5 {
		g.reviews = append(g.reviews, &fakeReview{id: i + 1, body: "LGTM", author: octocat, foreign: 403})
	}
	newJob(t, g).post(t, fixture(t))
	outcome := newJob(t, g).post(t, fixture(t))
	if outcome.Action != Updated || len(g.reviews) != 6 {
		t.Errorf("outcome %s with %d reviews, want the sixth updated", outcome.Action, len(g.reviews))
	}
}

// closing returns the body of a review of p with a history that leaves nothing to show: its finding is gone, and it
// counts no mutant as new.
func closing(t *testing.T, p pull) string {
	t.Helper()
	h := finding.History{Shown: []finding.Shown{{Key: "0123456789abcdef", Where: "x.go:1", Fate: finding.Gone}}, Closed: true}
	head, err := header(h, p)
	if err != nil {
		t.Fatal(err)
	}
	return head + "hello"
}

var this = pull{"o/r", 7}

func TestReviewsOfOthersAreNotOurs(t *testing.T) {
	tests := []struct {
		name       string
		me, author *fakeUser
		foreign    int // status of an attempt to edit it
	}{
		{"person, for a person", octocat, mallory, 0},
		{"person, for a bot", nil, mallory, 0},
		{"bot, for a person", octocat, actions, 0},
		{"person of our name, for a person", octocat, &fakeUser{667, "octocat", "User"}, 0},
		{"other bot, 403", nil, dependabot, 403},
		{"other bot, 404", nil, dependabot, 404},
		{"other bot, 422", nil, dependabot, 422},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := newFakeGitHub(t)
			g.me = tt.me
			copied := closing(t, this)
			g.reviews = []*fakeReview{{id: 1, body: copied, author: tt.author, foreign: tt.foreign}}
			if outcome := newJob(t, g).post(t, fixture(t)); outcome.Action != Created || g.reviews[0].body != copied {
				t.Fatalf("outcome %s, want a review of our own", outcome.Action)
			}
			if body := g.reviews[1].body; !strings.Contains(body, "this change makes") {
				t.Errorf("findings are missing:\n%s", body)
			}
			g.reviews = append(g.reviews, &fakeReview{id: 3, body: copied, author: tt.author, foreign: tt.foreign})
			if outcome := newJob(t, g).post(t, fixture(t)); outcome.Action != Updated || len(g.reviews) != 3 || g.reviews[2].body != copied {
				t.Errorf("outcome %s with %d reviews, want ours updated", outcome.Action, len(g.reviews))
			}
		})
	}
}

func TestHistoriesMeantForSomethingElseAreNotHeard(t *testing.T) {
	edited := closing(t, this)
	at := strings.Index(edited, ":2 ") + 10
	edited = edited[:at] + "AAAA" + edited[at+4:]
	tests := []struct {
		name, body string
		kept       bool
	}{
		{"this one", closing(t, this), true},
		{"this one, in other letters", closing(t, pull{"O/R", 7}), true},
		{"other pull request", closing(t, pull{"o/r", 8}), false},
		{"other repository", closing(t, pull{"o/other", 7}), false},
		{"edited", edited, false},
		{"without checksum", marker + "\n<!-- mutantfuzz-state:1 e30= -->\nhello", false},
		{"two states", marker + "\nhello\n" + strings.TrimPrefix(closing(t, this), marker+"\n"), false},
	}
	for _, me := range []*fakeUser{nil, octocat} {
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				g := newFakeGitHub(t)
				g.me = me
				g.reviews = []*fakeReview{{id: 1, body: tt.body, author: cmp.Or(me, actions)}}
				if outcome := newJob(t, g).post(t, fixture(t)); outcome.Action != Updated || len(g.reviews) != 1 {
					t.Fatalf("outcome %s with %d reviews, want ours updated", outcome.Action, len(g.reviews))
				}
				if body := g.reviews[0].body; strings.Contains(body, "x.go:1") != tt.kept {
					t.Errorf("state used, want %v:\n%s", tt.kept, body)
				}
			})
		}
	}
}

func TestQuotedMarkersAreNoReason(t *testing.T) {
	g := newFakeGitHub(t)
	g.reviews = []*fakeReview{{id: 1, body: "see " + marker, author: actions}}
	newJob(t, g).post(t, fixture(t))
	if len(g.requests) != 2 || len(g.reviews) != 2 { // list, create
		t.Errorf("%d reviews after %q", len(g.reviews), g.requests)
	}
}

func TestWhoWeAreIsAskedAgain(t *testing.T) {
	tests := []struct {
		name    string
		answer  answer
		waits   []time.Duration
		outcome Action
	}{
		{"server error", answer{method: "GET", path: "/user", status: 502, body: message("")}, []time.Duration{2 * time.Second}, Updated},
		{"limit", answer{method: "GET", path: "/user", status: 403, header: map[string]string{"Retry-After": "37"}, body: message("slow down")},
			[]time.Duration{37 * time.Second}, Updated},
		{"bad token", answer{method: "GET", path: "/user", status: 401, body: message("Bad credentials")}, nil, Summarized},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := newFakeGitHub(t)
			g.me = octocat
			newJob(t, g).post(t, fixture(t))
			g.answers = []answer{tt.answer}
			j := newJob(t, g)
			if outcome := j.post(t, fixture(t)); outcome.Action != tt.outcome || len(g.reviews) != 1 {
				t.Errorf("outcome %s with %d reviews", outcome.Action, len(g.reviews))
			}
			if diff := gocmp.Diff(tt.waits, j.slept); diff != "" {
				t.Errorf("waits (-want +got):\n%s", diff)
			}
		})
	}
}

func TestNewestOfSeveralReviewsIsEdited(t *testing.T) {
	g := newFakeGitHub(t)
	g.reviews = []*fakeReview{{id: 1, body: marker + "\nold", author: actions}, {id: 2, body: marker + "\nnew", author: actions}}
	newJob(t, g).post(t, fixture(t))
	if g.reviews[0].body != marker+"\nold" || strings.HasSuffix(g.reviews[1].body, "new") {
		t.Errorf("bodies:\n%s\n---\n%s", g.reviews[0].body, g.reviews[1].body)
	}
}

func TestBodiesWithHeaderStayWithinTheLimit(t *testing.T) {
	r := fixture(t)
	line := strings.Repeat("x", 299) + "\n"
	another, err := report.Mutant(r, "51c7be20d9e8")
	if err != nil {
		t.Fatal(err)
	}
	another.ExposedBy = &results.ExposedBy{Original: "1", Mutant: "2", Test: strings.Repeat(line, 100)}
	longest := 0
	for lines := range 150 { // steps are shorter than the header, so that a body comes close to the limit
		r.Mutants[0].ExposedBy.Suggestion.Source = strings.Repeat(line, lines)
		body, err := render(r, new(finding.Select(r, nil, 5)), this, nil)
		if err != nil {
			t.Fatal(err)
		}
		longest = max(longest, len(body))
	}
	if longest > report.DefaultLimit || longest < report.DefaultLimit-len(line) {
		t.Errorf("the longest body has %d bytes, want just below %d", longest, report.DefaultLimit)
	}
}

// manyFindings returns results with n mutants and crashes whose strings are s.
func manyFindings(t testing.TB, s string, n int) *results.Results {
	t.Helper()
	r := fixture(t)
	for i := range n {
		m := r.Mutants[i%5] // the first five are survivors
		x := results.ExposedBy{Harness: s, Entry: s, Site: s, Original: s, Mutant: s, Call: s, Test: s, TestFile: s}
		x.Suggestion = &results.Suggestion{Kind: []string{results.SuggestedRow, results.SuggestedFunction}[i%2], File: s, Test: s, Source: s, Patch: s}
		m.ID, m.Function, m.Operator, m.File, m.Original, m.Context = s+fmt.Sprint(i), s+fmt.Sprint(i), s, s, s, s
		m.Line, m.Verified = i+100, true
		if m.ExposedBy != nil {
			m.ExposedBy = &x
		}
		r.Mutants = append(r.Mutants, m)
		c := r.Crashes[0]
		c.Harness, c.Entry, c.Message, c.Stack = fmt.Sprintf("%s%c", s, 'a'+i), s, s, s
		r.Crashes = append(r.Crashes, c)
		r.Corpus.New = append(r.Corpus.New, results.Entry{ID: s, Harness: s, Path: s, Values: []string{s}})
		r.Warnings = append(r.Warnings, s)
	}
	return r
}

// FuzzBodiesStayWithinTheLimit checks that every push makes a well-formed body that GitHub takes, with a history that
// the next push can read.
func FuzzBodiesStayWithinTheLimit(f *testing.F) {
	for _, s := range []string{"x", "<", "\"", "\\", "\U0001F98A", "`", "@a\n", "</details>\n\n", "\xff", "~~~\n```\n"} {
		f.Add(s, uint16(1), uint16(150), 1000)
		f.Add(s, uint16(500), uint16(40), 1000)
	}
	f.Fuzz(func(t *testing.T, s string, times, n uint16, maxFindings int) {
		r := manyFindings(t, strings.Repeat(s, int(times%1000)), int(n%400))
		var past *finding.History
		for push := range 3 {
			body, err := render(r, new(finding.Select(r, past, maxFindings)), this, nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(body) > report.DefaultLimit {
				t.Errorf("push %d: %d bytes", push, len(body))
			}
			html, err := gfm.HTML(body)
			if err != nil {
				t.Fatal(err)
			}
			if outline, err := gfm.Outline(html); err != nil || strings.Count(outline, "<!--") != 2 {
				t.Errorf("push %d: %v in\n%s", push, err, body)
			}
			if past = history(body, this); past == nil {
				t.Fatalf("push %d leaves no history:\n%.300s", push, body)
			}
			for i := range r.Mutants { // tests kill some before the next push
				if m := &r.Mutants[i]; i%3 == push {
					m.Status, m.Stage, m.ExposedBy = results.Killed, results.Revealed, nil
				}
			}
		}
	})
}

func TestStepSummariesStayFarBelowTheirLimit(t *testing.T) {
	const limit = 1 << 20 // GitHub's limit for the summary of a step
	g := newFakeGitHub(t)
	j := newJob(t, g)
	j.Token, j.MaxFindings = "", 1000
	if outcome := j.post(t, manyFindings(t, strings.Repeat("\U0001F98A<\n", 300), 150)); outcome.Action != Summarized {
		t.Fatalf("outcome %s", outcome.Action)
	}
	if n := len(j.readSummary(t)); n > limit/4 || n == 0 {
		t.Errorf("the step summary has %d bytes", n)
	}
}

func TestUnreadableStateStartsAfresh(t *testing.T) {
	for _, state := range []string{"", "<!-- mutantfuzz-state:1 !!! -->", "<!-- mutantfuzz-state:1 AAA -->", "<!-- mutantfuzz-state:1 AAAA -->"} {
		g := newFakeGitHub(t)
		g.reviews = []*fakeReview{{id: 1, body: marker + "\n" + state + "\n\nold", author: actions}}
		if outcome := newJob(t, g).post(t, fixture(t)); outcome.Action != Updated || !strings.Contains(g.reviews[0].body, "this change makes") {
			t.Errorf("with state %q: outcome %s and body\n%s", state, outcome.Action, g.reviews[0].body)
		}
	}
}

func TestRefusalGoesToTheStepSummary(t *testing.T) {
	tests := []struct {
		name    string
		answers []answer
		noToken bool
	}{
		{"may not write", []answer{{method: "POST", status: 403, body: message("Resource not accessible by integration")}}, false},
		{"may not see", []answer{{method: "GET", status: 404, body: message("Not Found")}}, false},
		{"bad token", []answer{{method: "GET", status: 401, body: message("Bad credentials")}}, false},
		{"unprocessable", []answer{{method: "POST", status: 422, body: message("Validation Failed")}}, false},
		{"no token", nil, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := newFakeGitHub(t)
			g.answers = tt.answers
			j := newJob(t, g)
			if tt.noToken {
				j.Token = ""
			}
			outcome := j.post(t, fixture(t))
			if outcome.Action != Summarized || outcome.Warning == "" || len(g.reviews) > 0 || len(j.slept) > 0 {
				t.Errorf("outcome %+v with %d reviews after %d waits", outcome, len(g.reviews), len(j.slept))
			}
			if !strings.HasPrefix(j.out.String(), "::warning::no review was posted") || strings.Count(j.out.String(), "\n") != 1 {
				t.Errorf("output %q, want one warning", j.out.String())
			}
			if !strings.Contains(j.readSummary(t), "### mutantfuzz: this change makes") {
				t.Errorf("the body is not in the step summary:\n%s", j.readSummary(t))
			}
		})
	}
}

func TestRefusalIsAUsageErrorForANamedPullRequest(t *testing.T) {
	g := newFakeGitHub(t)
	g.answers = []answer{{method: "POST", status: 403, body: message("Resource not accessible by integration")}}
	j := newJob(t, g)
	j.Explicit = true
	_, err := Post(context.Background(), j.Config, fixture(t))
	var usage *UsageError
	if !errors.As(err, &usage) || !strings.Contains(err.Error(), "\nhint: the job needs the permission") {
		t.Errorf("error %v, want a usage error with a hint", err)
	}
}

func message(m string) map[string]any {
	return map[string]any{"message": m, "documentation_url": "https://docs.github.com/rest"}
}

func secondaryLimit(method string, header map[string]string) answer {
	return answer{method: method, status: 403, header: header, body: map[string]any{
		"message":           "You have exceeded a secondary rate limit.",
		"documentation_url": "https://docs.github.com/rest/using-the-rest-api/rate-limits-for-the-rest-api#about-secondary-rate-limits",
	}}
}

func TestPassingFaultsAreWaitedOut(t *testing.T) {
	retryAfter := map[string]string{"Retry-After": "37"}
	tests := []struct {
		name    string
		answers []answer
		waits   []time.Duration
	}{
		{"server error", []answer{{method: "POST", status: 500, body: message("oops")}}, []time.Duration{2 * time.Second}},
		{"errors in a row",
			[]answer{{method: "GET", status: 502, body: message("")}, {method: "GET", status: 503, body: message("")}, {method: "POST", status: 500, body: message("")}},
			[]time.Duration{2 * time.Second, 4 * time.Second, 8 * time.Second}},
		{"server error with a time", []answer{{method: "GET", status: 503, header: retryAfter, body: message("")}}, []time.Duration{37 * time.Second}},
		{"review made, answer lost", []answer{{method: "POST", status: 502, body: message(""), lost: true}}, []time.Duration{2 * time.Second}},
		{"limit with a time in plain", []answer{{method: "POST", status: 403, header: retryAfter, body: message("slow down")}}, []time.Duration{37 * time.Second}},
		{"too many requests", []answer{{method: "POST", status: 429, body: message("")}}, []time.Duration{time.Minute}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := newFakeGitHub(t)
			g.answers = tt.answers
			j := newJob(t, g)
			j.post(t, fixture(t))
			if len(g.reviews) != 1 || len(g.answers) > 0 {
				t.Errorf("%d reviews, want exactly one; %d answers not given", len(g.reviews), len(g.answers))
			}
			if diff := gocmp.Diff(tt.waits, j.slept); diff != "" {
				t.Errorf("waits (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSecondaryRateLimitsAreWaitedOut(t *testing.T) {
	g := newFakeGitHub(t)
	g.answers = []answer{
		secondaryLimit("POST", map[string]string{"Retry-After": "90"}),
		secondaryLimit("POST", nil),
	}
	j := newJob(t, g)
	j.post(t, fixture(t))
	if diff := gocmp.Diff([]time.Duration{90 * time.Second, time.Minute}, j.slept); diff != "" || len(g.reviews) != 1 {
		t.Errorf("%d reviews; waits (-want +got):\n%s", len(g.reviews), diff)
	}
}

func TestRateLimitOnEditingMakesNoSecondReview(t *testing.T) {
	g := newFakeGitHub(t)
	newJob(t, g).post(t, fixture(t))
	g.answers = []answer{
		secondaryLimit("PUT", map[string]string{"Retry-After": "1"}),
		{method: "PUT", status: 403, header: map[string]string{"Retry-After": "1"}, body: message("slow down")},
		{method: "PUT", status: 500, body: message("")},
	}
	if outcome := newJob(t, g).post(t, fixture(t)); outcome.Action != Updated || len(g.reviews) != 1 {
		t.Errorf("outcome %s with %d reviews, want one that is updated", outcome.Action, len(g.reviews))
	}
}

func TestLongLimitsAndLastingFaultsAreErrors(t *testing.T) {
	lasting := slices.Repeat([]answer{{method: "GET", status: 500, body: message("oops")}}, 9)
	tests := []struct {
		name     string
		answers  []answer
		requests int
	}{
		{"limit for an hour", []answer{secondaryLimit("GET", map[string]string{"Retry-After": "3600"})}, 1},
		{"primary limit until 2100", []answer{{method: "GET", status: 403, body: message("limit"),
			header: map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "4102444800"}}}, 1},
		{"lasting fault", lasting, 4},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := newFakeGitHub(t)
			g.answers = tt.answers
			j := newJob(t, g)
			_, err := Post(context.Background(), j.Config, fixture(t))
			var usage *UsageError
			if err == nil || errors.As(err, &usage) || !strings.Contains(err.Error(), "\nhint: ") {
				t.Errorf("error %v, want one with a hint that is no usage error", err)
			}
			if len(g.requests) != tt.requests {
				t.Errorf("%d requests, want %d", len(g.requests), tt.requests)
			}
			if !strings.Contains(j.readSummary(t), "### mutantfuzz: this change makes") {
				t.Error("the body is lost: it is not in the step summary")
			}
		})
	}
}

func TestPullRequestIsFoundByHead(t *testing.T) {
	pull := func(number int, sha string) map[string]any {
		return map[string]any{"number": number, "state": "open", "head": map[string]any{"ref": "fix", "sha": sha}}
	}
	tests := []struct {
		name  string
		pulls []map[string]any
		want  Outcome
	}{
		{"the one with the SHA", []map[string]any{pull(8, "old"), pull(7, "abc")},
			Outcome{Action: Created, PR: 7, URL: "https://github.com/o/r/pull/7#pullrequestreview-1"}},
		{"none", []map[string]any{pull(8, "old")},
			Outcome{Action: Nothing, Warning: "no open pull request has the head abc; a newer push may have replaced it"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := newFakeGitHub(t)
			g.pulls = tt.pulls
			j := newJob(t, g)
			j.PR, j.Head = 0, Head{Owner: "fork", Branch: "fix", SHA: "abc"}
			if diff := gocmp.Diff(tt.want, j.post(t, fixture(t))); diff != "" {
				t.Errorf("outcome (-want +got):\n%s", diff)
			}
			if want := "GET /repos/o/r/pulls?head=fork%3Afix&per_page=100&state=open"; g.requests[0] != want {
				t.Errorf("request %s, want %s", g.requests[0], want)
			}
		})
	}
}

func TestHostileResultsStayWithinTheBody(t *testing.T) {
	g := newFakeGitHub(t)
	evil := "-->\n@octocat <!-- mutantfuzz --> </details>\n```\n::error::x"
	r := fixture(t)
	for i := range r.Mutants {
		m := &r.Mutants[i]
		m.File, m.Original, m.Function, m.ID = evil, evil, evil, evil+fmt.Sprint(i)
		m.Line = i + 1
	}
	r.Crashes[0].Harness = strings.Repeat(evil, 100_000)
	newJob(t, g).post(t, r)
	newJob(t, g).post(t, r)
	body := g.reviews[0].body
	if len(g.reviews) != 1 || len(body) > report.DefaultLimit {
		t.Fatalf("%d reviews, the first of %d bytes", len(g.reviews), len(body))
	}
	lines := strings.SplitN(body, "\n", 4)
	if lines[0] != marker || !stateLine.MatchString(lines[1]) || lines[2] != "" || strings.ContainsAny(lines[1], "@\\") {
		t.Errorf("the header is not as it should be:\n%s\n%s\n%s", lines[0], lines[1], lines[2])
	}
}

func TestDryRunPrintsAndPostsNothing(t *testing.T) {
	g := newFakeGitHub(t)
	j := newJob(t, g)
	j.DryRun, j.PR, j.Repo, j.Token = true, 0, "", ""
	if outcome := j.post(t, fixture(t)); outcome.Action != Printed || len(g.requests) > 0 {
		t.Errorf("outcome %s after %d requests", outcome.Action, len(g.requests))
	}
	if !strings.HasSuffix(j.out.String(), report.Markdown(fixture(t), report.Options{MaxFindings: 5, Heard: true})) {
		t.Errorf("printed:\n%s", j.out.String())
	}
}

func TestWarningsOutsideOfActionsArePlain(t *testing.T) {
	g := newFakeGitHub(t)
	j := newJob(t, g)
	j.Token, j.Getenv = "", func(string) string { return "" }
	j.post(t, fixture(t))
	if !strings.HasPrefix(j.out.String(), "warning: no review was posted (there is no token)") {
		t.Errorf("output %q", j.out.String())
	}
}

func TestWordsOfGitHubAreNoCommands(t *testing.T) {
	evil := "no\r\n::error::x\r::add-mask::y ##[command]z \x1b[2J\u202E" + strings.Repeat("x", 10_000)
	for _, inActions := range []string{"true", ""} {
		for _, status := range []int{403, 400} { // refused, and failed
			g := newFakeGitHub(t)
			g.answers = []answer{{method: "POST", status: status, body: message(evil)}}
			j := newJob(t, g)
			j.Getenv = func(key string) string {
				if key == "GITHUB_ACTIONS" {
					return inActions
				}
				return ""
			}
			outcome, err := Post(context.Background(), j.Config, fixture(t))
			said := strings.TrimPrefix(j.out.String(), "::warning::") + outcome.Warning
			if err != nil {
				said += err.Error()
			}
			if strings.ContainsAny(said, "\r\x1b\u202E") || strings.Contains(said, "\n::") || strings.Contains(said, "##[") || len(said) > 3000 {
				t.Errorf("status %d: said %q", status, said)
			}
			if !strings.Contains(said, "no  ::error::x") {
				t.Errorf("status %d: what GitHub said is missing in %q", status, said)
			}
		}
	}
}

func TestUnwritableSummaryIsAnError(t *testing.T) {
	g := newFakeGitHub(t)
	j := newJob(t, g)
	j.Token = ""
	dir := t.TempDir()
	j.Getenv = func(key string) string {
		if key == "GITHUB_STEP_SUMMARY" {
			return dir
		}
		return ""
	}
	if _, err := Post(context.Background(), j.Config, fixture(t)); err == nil || !strings.Contains(err.Error(), "writing the step summary") {
		t.Errorf("error %v", err)
	}
}

func TestFindingsAreAnnotationsAlsoWhereNothingMayBePosted(t *testing.T) {
	for name, refuse := range map[string]bool{"posted": false, "refused": true} {
		t.Run(name, func(t *testing.T) {
			g := newFakeGitHub(t)
			j := newJob(t, g)
			j.Comments = CommentsAnnotations
			if refuse {
				j.Token = ""
			}
			j.post(t, fixture(t))
			for _, want := range []string{
				"::warning endLine=57,file=parse.go,line=57,title=mutantfuzz%3A Bug%2C introduced by this change::parser.digits panics in FuzzParse([]byte(\"1 2\")) ",
				"::warning endLine=41,file=parse.go,line=41,title=mutantfuzz%3A Gap::Parse: no test fails with n > maxDepth in place of n >= maxDepth ",
			} {
				if !strings.Contains(j.out.String(), want) {
					t.Errorf("no %q in\n%s", want, j.out.String())
				}
			}
		})
	}
}

func TestThereAreNoAnnotationsWithoutAPullRequestOfTheJob(t *testing.T) {
	for name, change := range map[string]func(*job){
		"body only":       func(j *job) { j.Comments = CommentsBody },
		"by default":      func(*job) {},
		"workflow_run":    func(j *job) { j.Comments, j.Head = CommentsAnnotations, Head{Owner: "o", Branch: "b", SHA: "abc"} },
		"outside Actions": func(j *job) { j.Comments, j.Getenv = CommentsAnnotations, func(string) string { return "" } },
	} {
		t.Run(name, func(t *testing.T) {
			j := newJob(t, newFakeGitHub(t))
			change(j)
			j.post(t, fixture(t))
			if strings.Contains(j.out.String(), "::warning ") {
				t.Errorf("printed:\n%s", j.out.String())
			}
		})
	}
}
