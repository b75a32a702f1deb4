package review

import (
	"cmp"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// inlineGitHub returns a fake GitHub that has the pull request of the fixture, and where threads may be resolved.
func inlineGitHub(t *testing.T) *fakeGitHub {
	t.Helper()
	g := newFakeGitHub(t)
	g.useDiff(t)
	g.lines.mayResolve = true
	return g
}

func (g *fakeGitHub) push(t *testing.T, r *results.Results) *job {
	t.Helper()
	j := newJob(t, g)
	j.Comments = CommentsInline
	j.post(t, r)
	return j
}

// places returns the places of comments that are not replies, in the order of their IDs.
func (g *fakeGitHub) places() (list []string) {
	for _, c := range g.lines.comments {
		if c.InReplyTo == 0 {
			list = append(list, c.place())
		}
	}
	return list
}

// at returns the first comment at a place.
func (g *fakeGitHub) at(t *testing.T, place string) *fakeComment {
	t.Helper()
	i := slices.Index(g.places(), place)
	if i < 0 {
		t.Fatalf("there is no comment at %s, only at %q", place, g.places())
	}
	return g.lines.comments[slices.IndexFunc(g.lines.comments, func(c *fakeComment) bool { return c.InReplyTo == 0 && c.place() == place })]
}

func (g *fakeGitHub) body(t *testing.T) string {
	t.Helper()
	if len(g.reviews) != 1 {
		t.Fatalf("%d reviews, want one", len(g.reviews))
	}
	return g.reviews[0].body
}

// changes returns the requests with a method other than GET.
func (g *fakeGitHub) changes() (list []string) {
	for _, request := range g.requests {
		if !strings.HasPrefix(request, "GET ") {
			list = append(list, request)
		}
	}
	return list
}

// kill makes a test kill the mutant of the gap at parse.go:41.
func kill(r *results.Results) *results.Results {
	m := &r.Mutants[0]
	m.Status, m.Stage, m.ExposedBy = results.Killed, results.Revealed, nil
	m.KilledBy = &results.KilledBy{By: results.ByTest, Kind: results.KindTest, Name: "p.TestX"}
	return r
}

const (
	crashed = "parse.go:57" // undoing a hunk mends it
	gap     = "parse.go:41"
	wide    = "parse.go:66-70"
	outside = "render.go" // without a line: its line is not in the diff
)

func TestFindingsAreCommentsAtTheirLines(t *testing.T) {
	g := inlineGitHub(t)
	j := g.push(t, fixture(t))
	if diff := gocmp.Diff([]string{crashed, gap, wide, outside}, g.places()); diff != "" {
		t.Errorf("places (-want +got):\n%s", diff)
	}
	if diff := gocmp.Diff([]string{
		"POST /repos/o/r/pulls/7/reviews", "POST /repos/o/r/pulls/7/comments", "PUT /repos/o/r/pulls/7/reviews/1",
	}, g.changes()); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
	body := g.body(t)
	for _, line := range []string{"\n**1. Bug, introduced by this change** · `parse.go:57`", "\n**3. Gap**: `Parse`: no test fails with `n > maxDepth`", "The test that this change adds (`TestDepth`) passes without it."} {
		if !strings.Contains(body, line) {
			t.Errorf("no %q in\n%s", line, body)
		}
	}
	if strings.Contains(body, "```") {
		t.Errorf("details in\n%s", body)
	}
	if strings.Contains(j.out.String(), "::") {
		t.Errorf("printed %q, want no annotations and no warnings", j.out.String())
	}
	golden(t, "comment.md", g.at(t, crashed).Body)
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := "testdata/" + name
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := gocmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got), rewrite with -update:\n%s", path, diff)
	}
}

func TestADeletedCommentIsNotPostedAgain(t *testing.T) {
	for _, place := range []string{gap, outside} {
		g := inlineGitHub(t)
		g.push(t, fixture(t))
		deleted := g.at(t, place)
		g.lines.comments = slices.DeleteFunc(g.lines.comments, func(c *fakeComment) bool { return c == deleted })
		left := g.places()
		text := strings.SplitN(deleted.Body, "\n", 4)[3] // below the title
		text, _, _ = strings.Cut(strings.TrimSpace(text), "<sub>")
		for push := range 2 {
			g.push(t, fixture(t))
			if diff := gocmp.Diff(left, g.places()); diff != "" {
				t.Errorf("%s, push %d: comments are (-want +got):\n%s", place, push+2, diff)
			}
			if !strings.Contains(g.body(t), strings.TrimSpace(text)) {
				t.Errorf("%s, push %d: no %q in\n%s", place, push+2, text, g.body(t))
			}
		}
	}
}

func TestOnlyWhatMendsIsSuggested(t *testing.T) {
	g := inlineGitHub(t)
	g.push(t, fixture(t))
	for _, c := range g.lines.comments {
		if suggests := strings.Contains(c.Body, "```suggestion"); suggests != (c.place() == crashed) {
			t.Errorf("at %s:\n%s", c.place(), c.Body)
		}
	}
}

// The author of a pull request may have forged the results, and GitHub shows suggestions as ours.
func TestForeignCodeIsNotSuggested(t *testing.T) {
	tests := []struct {
		name   string
		change func(m *results.Mutant)
	}{
		{"lines that are nowhere in the diff", func(m *results.Mutant) { m.Replacement = "\tos.RemoveAll(\"/\")\n\treturn p.digits()" }},
		{"for other lines than those at head", func(m *results.Mutant) {
			m.Context = strings.Replace(m.Context, "skipSpace", "skip", 1)
			m.Original = m.Context
		}},
		{"for lines elsewhere", func(m *results.Mutant) { m.Line, m.EndLine = 40, 41 }},
		{"for lines that the diff has in part", func(m *results.Mutant) {
			m.Line, m.Context = m.Line-10, strings.Repeat("x\n", 10)+m.Context
		}},
		{"with what cannot be seen", func(m *results.Mutant) { m.Replacement = "\treturn p.digits()\u202E" }},
		{"by another operator", func(m *results.Mutant) { m.Category = results.CategoryRemoval }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := inlineGitHub(t)
			r := fixture(t)
			tt.change(&r.Mutants[1])
			g.push(t, r)
			if len(g.lines.comments) != 4 {
				t.Errorf("comments at %q", g.places())
			}
			for _, c := range g.lines.comments {
				if strings.Contains(c.Body, "suggestion") {
					t.Errorf("at %s:\n%s", c.place(), c.Body)
				}
			}
		})
	}
}

func TestRepeatedPushesPostNoCommentTwice(t *testing.T) {
	for name, lost := range map[string][]answer{
		"no fault":            nil,
		"review made, lost":   {{method: "POST", path: "/repos/o/r/pulls/7/reviews", status: 502, body: message(""), lost: true}},
		"comment made, lost":  {{method: "POST", path: "/repos/o/r/pulls/7/comments", status: 502, body: message(""), lost: true}},
		"limit on a comment":  {{method: "POST", path: "/repos/o/r/pulls/7/comments", status: 403, header: map[string]string{"Retry-After": "3"}, body: message("slow")}},
		"files not available": {{method: "GET", path: "/repos/o/r/pulls/7/files", status: 503, body: message("")}},
	} {
		t.Run(name, func(t *testing.T) {
			g := inlineGitHub(t)
			g.answers = lost
			g.push(t, fixture(t))
			body := g.body(t)
			g.requests = nil
			g.push(t, fixture(t))
			if len(g.lines.comments) != 4 || len(g.answers) > 0 {
				t.Errorf("comments at %q", g.places())
			}
			if diff := gocmp.Diff([]string{"PUT /repos/o/r/pulls/7/reviews/1"}, g.changes()); diff != "" {
				t.Errorf("changes (-want +got):\n%s", diff)
			}
			if diff := gocmp.Diff(body, g.body(t)); diff != "" {
				t.Errorf("body (-first +second):\n%s", diff)
			}
		})
	}
}

func TestPlacesThatGitHubDoesNotTakeFallBack(t *testing.T) {
	tests := []struct {
		name    string
		refused []string
		places  []string
		inBody  bool // the gap is in the body of the review
	}{
		{"a line", []string{gap}, []string{crashed, outside, "parse.go", wide}, false},
		{"a line and its file", []string{gap, "parse.go"}, []string{crashed, outside, wide}, true},
		{"lines with a suggestion", []string{crashed}, []string{"parse.go", outside, gap, wide}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := inlineGitHub(t)
			g.lines.refused = map[string]bool{}
			for _, place := range tt.refused {
				g.lines.refused[place] = true
			}
			j := g.push(t, fixture(t))
			if diff := gocmp.Diff(tt.places, g.places()); diff != "" {
				t.Errorf("places (-want +got):\n%s", diff)
			}
			if got := strings.Contains(g.body(t), "+\tif n > maxDepth {"); got != tt.inBody {
				t.Errorf("the gap in the body: %v, want %v\n%s", got, tt.inBody, g.body(t))
			}
			if got := strings.Contains(j.out.String(), "::warning::GitHub takes no comment at parse.go:41, so"); got != tt.inBody {
				t.Errorf("printed %q", j.out.String())
			}
			for _, c := range g.lines.comments {
				if c.SubjectType == "file" && strings.Contains(c.Body, "```suggestion") {
					t.Errorf("a suggestion for no lines:\n%s", c.Body)
				}
			}
		})
	}
}

func TestFilesOutsideOfTheDiffStayInTheBody(t *testing.T) {
	for name, change := range map[string]func(g *fakeGitHub, m *results.Mutant){
		"not in the diff": func(_ *fakeGitHub, m *results.Mutant) { m.File = "other.go" },
		"removed":         func(_ *fakeGitHub, m *results.Mutant) { m.File = "old.go" },
	} {
		t.Run(name, func(t *testing.T) {
			g := inlineGitHub(t)
			r := fixture(t)
			change(g, &r.Mutants[0])
			g.push(t, r)
			if diff := gocmp.Diff([]string{crashed, wide, outside}, g.places()); diff != "" {
				t.Errorf("places (-want +got):\n%s", diff)
			}
			if !strings.Contains(g.body(t), "+\tif n > maxDepth {") {
				t.Errorf("the finding is not in the body:\n%s", g.body(t))
			}
		})
	}
}

func TestFilesWithoutAPatchGetCommentsAsAWhole(t *testing.T) {
	g := inlineGitHub(t)
	g.pageLen = 1
	for _, f := range g.lines.files {
		f.patch = "" // GitHub gives none for large files
	}
	g.push(t, fixture(t))
	if diff := gocmp.Diff([]string{"parse.go", "render.go", "parse.go", "parse.go"}, g.places()); diff != "" {
		t.Errorf("places (-want +got):\n%s", diff)
	}
}

func TestResultsOfAnotherCommitHaveNoPlaces(t *testing.T) {
	for name, head := range map[string]string{"older": "0123", "working tree": ""} {
		t.Run(name, func(t *testing.T) {
			g := inlineGitHub(t)
			r := fixture(t)
			r.Revisions.Head = head
			j := g.push(t, r)
			if len(g.lines.comments) > 0 || !strings.Contains(g.body(t), "+\tif n > maxDepth {") {
				t.Errorf("comments at %q and the body\n%s", g.places(), g.body(t))
			}
			if !strings.HasPrefix(j.out.String(), "::warning::the results are of commit \""+head+"\" and the head of pull request 7 is \"a90c3") {
				t.Errorf("printed %q", j.out.String())
			}
		})
	}
}

func TestCommentsWithoutRightsGoToTheSummary(t *testing.T) {
	g := inlineGitHub(t)
	g.answers = []answer{{method: "POST", status: 403, body: message("Resource not accessible by integration")}}
	j := g.push(t, fixture(t))
	if len(g.reviews)+len(g.lines.comments) > 0 || !strings.Contains(j.readSummary(t), "+\tif n > maxDepth {") {
		t.Errorf("%d reviews, %d comments, and the summary\n%s", len(g.reviews), len(g.lines.comments), j.readSummary(t))
	}
}

func TestDiffThatMayNotBeReadLeavesAllInTheBody(t *testing.T) {
	g := inlineGitHub(t)
	g.answers = []answer{{method: "GET", path: "/repos/o/r/pulls/7/files", status: 403, body: message("no")}}
	j := g.push(t, fixture(t))
	if len(g.lines.comments) > 0 || !strings.Contains(g.body(t), "+\tif n > maxDepth {") || !strings.Contains(j.out.String(), "::warning::the diff") {
		t.Errorf("comments at %q, %q and the body\n%s", g.places(), j.out.String(), g.body(t))
	}
}

func TestCommentsThatMayNotBeReadAreNotPostedAgain(t *testing.T) {
	g := inlineGitHub(t)
	g.push(t, fixture(t))
	g.answers = []answer{{method: "GET", path: "/repos/o/r/pulls/7/comments", status: 403, body: message("no")}}
	g.push(t, fixture(t))
	if len(g.lines.comments) != 4 || !strings.Contains(g.body(t), "+\tif n > maxDepth {") {
		t.Errorf("comments at %q, and the body\n%s", g.places(), g.body(t))
	}
}

func TestCommentsOnWhatIsDealtWithAreClosed(t *testing.T) {
	g := inlineGitHub(t)
	g.lines.threadPage = 1
	g.push(t, fixture(t))
	was := g.at(t, gap).Body
	j := g.push(t, kill(fixture(t)))
	c := g.at(t, gap)
	if !strings.HasSuffix(c.Body, " -->\n\n~~`parse.go:41`~~ now noticed\n") {
		t.Errorf("the comment says\n%s", c.Body)
	}
	if diff := gocmp.Diff(map[string]bool{c.node(): true}, g.lines.resolved); diff != "" || j.out.Len() > 0 {
		t.Errorf("printed %q; resolved (-want +got):\n%s", j.out.String(), diff)
	}
	g.requests = nil
	g.push(t, kill(fixture(t)))
	if diff := gocmp.Diff([]string{"PUT /repos/o/r/pulls/7/reviews/1"}, g.changes()); diff != "" {
		t.Errorf("what is closed is changed again (-want +got):\n%s", diff)
	}
	g.push(t, fixture(t))
	if c.Body != was || g.lines.resolved[c.node()] {
		t.Errorf("the finding is back, and the comment, resolved: %v, says\n%s", g.lines.resolved[c.node()], c.Body)
	}
}

func TestThreadsThatMayNotBeResolvedAreAWarning(t *testing.T) {
	g := inlineGitHub(t)
	g.lines.mayResolve = false
	g.push(t, fixture(t))
	j := g.push(t, kill(fixture(t)))
	if !strings.HasPrefix(j.out.String(), "::warning::conversations on findings that are dealt with were not resolved (Resource not accessible") {
		t.Errorf("printed %q", j.out.String())
	}
	if !strings.Contains(g.body(t), "~~`parse.go:41`~~ now noticed") {
		t.Errorf("the body is\n%s", g.body(t))
	}
}

func TestServersOfCompaniesHaveGraphQLElsewhere(t *testing.T) {
	for api, want := range map[string]string{"https://api.github.com": "https://api.github.com/graphql", "https://h.example/api/v3/": "https://h.example/api/graphql"} {
		c := Config{Repo: "o/r", APIURL: api}
		c.setDefaults()
		p, err := c.connect()
		if err != nil {
			t.Fatal(err)
		}
		request, err := p.client.NewRequest("POST", p.graphQLPath(), nil)
		if err != nil || request.URL.String() != want {
			t.Errorf("%s: %v, %v; want %s", api, request.URL, err, want)
		}
	}
}

func TestChangedTextsAreEdited(t *testing.T) {
	g := inlineGitHub(t)
	g.push(t, fixture(t))
	r := fixture(t)
	r.Mutants[0].Evidence.Tests = 12
	g.requests = nil
	g.push(t, r)
	if c := g.at(t, gap); !strings.Contains(c.Body, "and 10 more tests run this code") {
		t.Errorf("the comment says\n%s", c.Body)
	}
	if diff := gocmp.Diff([]string{"PUT /repos/o/r/pulls/7/reviews/1", "PATCH /repos/o/r/pulls/comments/1002"}, g.changes()); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
}

func TestWhatIsFoundLaterIsPostedAtItsLine(t *testing.T) {
	g := inlineGitHub(t)
	r := fixture(t)
	crash := r.Crashes[0]
	r.Crashes = r.Crashes[1:]
	r.Mutants[1].Status, r.Mutants[1].Stage = results.Killed, results.Revealed
	g.push(t, r)
	before := g.places()
	r = fixture(t)
	r.Crashes = append(r.Crashes[1:], crash)
	g.push(t, r)
	if diff := gocmp.Diff(append(before, crashed), g.places()); diff != "" {
		t.Errorf("places (-want +got):\n%s", diff)
	}
	if !strings.Contains(g.at(t, crashed).Body, "```suggestion") || strings.Contains(g.body(t), "```") {
		t.Errorf("the comment is\n%s\nand the body\n%s", g.at(t, crashed).Body, g.body(t))
	}
}

func TestOutdatedCommentsAreNotPostedAgainButShown(t *testing.T) {
	g := inlineGitHub(t)
	g.push(t, fixture(t))
	g.at(t, gap).outdated = true
	g.push(t, fixture(t))
	if len(g.lines.comments) != 4 || !strings.Contains(g.body(t), "+\tif n > maxDepth {") {
		t.Errorf("comments at %q and the body\n%s", g.places(), g.body(t))
	}
}

func TestAFailureThatAShortRunDoesNotSeeIsNotResolved(t *testing.T) {
	g := inlineGitHub(t)
	g.push(t, fixture(t))
	c := g.at(t, crashed)
	for _, partial := range []bool{true, false} {
		r := fixture(t)
		r.Crashes, r.Partial = []results.Crash{}, partial
		g.push(t, r)
		if !strings.HasSuffix(c.Body, "did not fail this time\n") || g.lines.resolved[c.node()] == partial {
			t.Errorf("partial: %t, resolved: %t, the comment says\n%s", partial, g.lines.resolved[c.node()], c.Body)
		}
	}
}

func TestSuggestionsDoNotOutliveTheirLines(t *testing.T) {
	g := inlineGitHub(t)
	g.push(t, fixture(t))
	g.at(t, crashed).Line = 56 // lines above it were deleted
	g.push(t, fixture(t))
	if c := g.at(t, "parse.go:56"); strings.Contains(c.Body, "```suggestion") || !strings.Contains(c.Body, "-\tp.skipSpace()") {
		t.Errorf("the comment says\n%s", c.Body)
	}
}

func TestCommentsOfOthersAreNotOurs(t *testing.T) {
	tests := []struct {
		name       string
		me, author *fakeUser
		foreign    int
		edits      bool // their text differs from ours
	}{
		{"person, for a person", octocat, mallory, 0, true},
		{"person, for a bot", nil, mallory, 0, true},
		{"bot, for a person", octocat, actions, 0, true},
		{"other bot, which cannot be edited", nil, dependabot, 403, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			elsewhere := inlineGitHub(t)
			elsewhere.push(t, fixture(t))
			theirs := *elsewhere.at(t, gap)
			theirs.Body = theirs.Body[:strings.Index(theirs.Body, "\n")] + "\n\nall is well"
			theirs.author, theirs.foreign = tt.author, tt.foreign
			g := inlineGitHub(t)
			g.me = tt.me
			newJob(t, g).post(t, fixture(t)) // without comments at lines
			copied := theirs.Body
			g.lines.comments = append(g.lines.comments, &theirs)
			g.push(t, fixture(t))
			if theirs.Body != copied {
				t.Errorf("the comment of %s was edited", tt.author.login)
			}
			ours := slices.DeleteFunc(slices.Clone(g.lines.comments), func(c *fakeComment) bool { return c == &theirs })
			if n := len(ours); n != 4 || !slices.ContainsFunc(ours, func(c *fakeComment) bool { return c.place() == gap && c.author == cmp.Or(tt.me, actions) }) {
				t.Errorf("comments at %q, want one of our own", g.places())
			}
		})
	}
}

func TestMarkersOfOtherFindingsAreNotHeard(t *testing.T) {
	g := inlineGitHub(t)
	g.push(t, fixture(t))
	for _, header := range []string{
		findingHeader(pull{"o/r", 8}, "0123456789abcdef", true),
		strings.Replace(findingHeader(this, "0123456789abcdef", true), "01234", "01235", 1),
		"x" + findingHeader(this, "0123456789abcdef", true),
	} {
		if key, _ := markedFinding(header+"text", this); key != "" {
			t.Errorf("%q is on %s", header, key)
		}
	}
	if key, open := markedFinding(findingHeader(pull{"O/R", 7}, "0123456789abcdef", false)+"text", this); key != "0123456789abcdef" || open {
		t.Errorf("on %q, open: %v", key, open)
	}
}

func TestCommentsAreKeptUpInOtherModes(t *testing.T) {
	g := inlineGitHub(t)
	g.push(t, fixture(t))
	j := newJob(t, g)
	j.Comments = CommentsBody
	j.post(t, kill(fixture(t)))
	if c := g.at(t, gap); !strings.Contains(c.Body, "now noticed") || len(g.lines.comments) != 4 {
		t.Errorf("comments at %q, and\n%s", g.places(), c.Body)
	}
	if !strings.Contains(g.body(t), "-	p.skipSpace()") {
		t.Errorf("details are missing in\n%s", g.body(t))
	}
}

func TestDryRunPrintsTheComments(t *testing.T) {
	g := newFakeGitHub(t)
	j := newJob(t, g)
	j.DryRun, j.PR, j.Repo, j.Token, j.Comments = true, 0, "", "", CommentsInline
	j.post(t, fixture(t))
	printed := j.out.String()
	for _, want := range []string{
		"\n--- comment at parse.go:57, if the diff has that ---\n<!-- mutantfuzz-finding:", "\n--- comment at parse.go:66-70, ",
		"\n--- comment at render.go:12, ", "```suggestion\n```\n",
	} {
		if !strings.Contains(printed, want) {
			t.Errorf("no %q in\n%s", want, printed)
		}
	}
	if len(g.requests) > 0 || strings.Count(printed, "+\tif n > maxDepth {") != 1 {
		t.Errorf("after %d requests, printed\n%s", len(g.requests), printed)
	}
}

func TestThereAreNotTooManyComments(t *testing.T) {
	g := inlineGitHub(t)
	r := manyFindings(t, "x", 60)
	for i := range r.Mutants {
		r.Mutants[i].File, r.Mutants[i].Line, r.Mutants[i].EndLine = "parse.go", 41, 41
	}
	for range 2 {
		j := newJob(t, g)
		j.Comments, j.MaxFindings = CommentsInline, 50
		j.post(t, r)
		if len(g.lines.comments) != maxTold {
			t.Errorf("%d comments, want %d", len(g.lines.comments), maxTold)
		}
	}
}
