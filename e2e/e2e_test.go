// Package e2e runs the action as GitHub does, in the workflows that docs/ci.md recommends, against a fake GitHub.
package e2e

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

func TestPullRequestGetsOneReviewThatPushesEdit(t *testing.T) {
	p := newPullRequest(t)
	workflow := recipe(t, "pull requests of the repository itself", 0)

	first := p.push("first.txtar", workflow)
	p.github.wants(t, first, 1, 0)
	if before := corpusBefore(t, first); before != 0 {
		t.Errorf("the first run starts with %d entries, want none", before)
	}
	posted := p.github.reviews[0]
	if !strings.Contains(posted, "parcels.go") {
		t.Errorf("the review names no place in parcels.go:\n%s", posted)
	}

	second := p.push("second.txtar", workflow)
	p.github.wants(t, second, 1, 1)
	if corpusBefore(t, second) == 0 {
		t.Error("the second run starts without the corpus of the first")
	}
	if p.github.reviews[0] == posted {
		t.Error("the second push adds a test, but the review still says the same")
	}
}

func TestForkIsAnalysedWithoutRightsAndReviewedByWorkflowRun(t *testing.T) {
	p := newPullRequest(t)
	p.github.readOnly = true
	analysed := p.push("first.txtar", recipe(t, "pull requests of forks, too", 0))
	p.github.wants(t, analysed, 0, 0)

	p.github.readOnly = false
	p.github.artifacts[analysed.id] = analysed.artifact
	event := map[string]any{"workflow_run": map[string]any{
		"id": json.Number(analysed.id), "event": "pull_request", "head_sha": p.github.head, "head_branch": "feature",
		"head_repository": map[string]any{"owner": map[string]any{"login": "somebody"}},
	}}
	posting := recipe(t, "pull requests of forks, too", 1)
	p.github.wants(t, p.runner.run(posting, "workflow_run", event), 1, 0)

	event["workflow_run"].(map[string]any)["id"] = 999
	p.github.wants(t, p.runner.run(posting, "workflow_run", event), 1, 0)
}

func TestForkWithoutRightToPostStaysGreen(t *testing.T) {
	p := newPullRequest(t)
	p.github.readOnly = true
	run := p.push("first.txtar", recipe(t, "pull requests of the repository itself", 0))
	p.github.wants(t, run, 0, 0)
	if p.github.refused == 0 {
		t.Error("nothing tried to post, so nothing is shown")
	}
	if !strings.Contains(run.log, "no review was posted") {
		t.Error("nothing warns that no review was posted")
	}
}

func TestWhatFailOnNamesTurnsRedAndIsPostedAllTheSame(t *testing.T) {
	p := newPullRequest(t)
	workflow := recipe(t, "pull requests of the repository itself", 0) + "          fail-on: survivor\n"
	run := p.push("first.txtar", workflow)
	if run.green {
		t.Error("a mutant survives, and the run is green")
	}
	if p.github.created != 1 {
		t.Errorf("reviews created %d times, want 1", p.github.created)
	}
}

// TestFailingTestCommandsNobody has a pull request whose test fails even without a mutant. So the log has what that
// test prints: commands, which the runner must not obey.
func TestFailingTestCommandsNobody(t *testing.T) {
	p := newPullRequest(t)
	workflow := strings.Replace(recipe(t, "pull requests of the repository itself", 0), "- uses: mutantfuzz/", "- id: mutantfuzz\n        uses: mutantfuzz/", 1)
	workflow += `
      - if: always()
        env:
          RESULTS: ${{ steps.mutantfuzz.outputs.results }}
          STATUS: ${{ steps.mutantfuzz.outputs.exit-status }}
        run: echo "put out <$RESULTS> <$STATUS>"
`
	run := p.push("attack.txtar", workflow)
	if run.green {
		t.Error("the tests fail, and the run is green")
	}
	if !strings.Contains(run.log, "pwned") {
		t.Error("what the test prints is not in the log, so nothing is shown")
	}
	if !regexp.MustCompile(`put out </\S+/mutantfuzz-out\.\w+/results\.json> <3>`).MatchString(run.log) {
		t.Error("the outputs are not those of an analysis with exit status 3")
	}
	for _, command := range regexp.MustCompile(`(?m)^.*(❗|🚧|⚙|❓|💾).*pwned.*$`).FindAllString(run.log, -1) {
		t.Errorf("the runner obeys: %s", command)
	}
}

// pullRequest is a pull request from the branch feature to main.
type pullRequest struct {
	t      *testing.T
	clone  string // folder of a clone of the repository
	base   string // hash of the base commit
	github *fakeGitHub
	runner *runner
}

func newPullRequest(t *testing.T) *pullRequest {
	p := &pullRequest{t: t, clone: t.TempDir()}
	bare := filepath.Join(t.TempDir(), "repository")
	git(t, p.clone, "init", "--quiet", "--bare", bare)
	git(t, p.clone, "clone", "--quiet", bare, ".")
	p.base = commit(t, p.clone, "main", files(t, "base.txtar"))
	p.github = newFakeGitHub(t, bare)
	p.runner = newRunner(t, p.github)
	return p
}

// push pushes the files of an archive in testdata, and runs workflow for that push.
func (p *pullRequest) push(archive, workflow string) finished {
	p.t.Helper()
	p.github.head = commit(p.t, p.clone, "feature", files(p.t, archive))
	return p.runner.run(workflow, "pull_request", map[string]any{
		"action": "synchronize", "number": pullNumber,
		"pull_request": map[string]any{
			"number": pullNumber,
			"base":   map[string]any{"ref": "main", "sha": p.base},
			"head":   map[string]any{"ref": "feature", "sha": p.github.head},
		},
	})
}

// wants checks that run succeeded, and how often reviews were created and edited so far.
func (g *fakeGitHub) wants(t *testing.T, run finished, created, edited int) {
	t.Helper()
	if !run.green {
		t.Fatal("the run is red")
	}
	if g.created != created || g.edited != edited {
		t.Fatalf("reviews created %d, edited %d times; want %d and %d", g.created, g.edited, created, edited)
	}
}

// corpusBefore returns how many corpus entries a run started with.
func corpusBefore(t *testing.T, run finished) int {
	t.Helper()
	var results struct{ Corpus struct{ Before int } }
	if err := json.Unmarshal([]byte(read(t, filepath.Join(run.artifact, "results.json"))), &results); err != nil {
		t.Fatal(err)
	}
	return results.Corpus.Before
}

func files(t *testing.T, archive string) map[string]string {
	t.Helper()
	list := map[string]string{}
	for _, f := range txtar.Parse([]byte(read(t, filepath.Join("testdata", archive)))).Files {
		list[f.Name] = string(f.Data)
	}
	return list
}

var fenced = regexp.MustCompile("(?s)```yaml\n(.*?)```")

// recipe returns the n-th workflow, from 0, of a section of docs/ci.md. If the workflow has an analysis, recipe also
// bounds its executions. So it takes no longer than it has to, and finds the same on a slow machine.
func recipe(t *testing.T, section string, n int) string {
	t.Helper()
	_, text, ok := strings.Cut(read(t, filepath.Join("..", "docs", "ci.md")), "\n## GitHub: "+section+"\n")
	if !ok {
		t.Fatalf("docs/ci.md has no section %q", section)
	}
	text, _, _ = strings.Cut(text, "\n## ")
	blocks := fenced.FindAllStringSubmatch(text, -1)
	if n >= len(blocks) {
		t.Fatalf("section %q of docs/ci.md has %d workflows", section, len(blocks))
	}
	const time = "          time: 5m\n"
	return strings.Replace(blocks[n][1], time, time+"          execs: 30000\n", 1)
}
