package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/bluekeyes/go-gitdiff/gitdiff"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/mutantfuzz/mutantfuzz/internal/stabledir"
)

// reviewExecs is the number of fuzzing executions for a module in testdata/reviews whose archive has no file execs with
// another number.
const reviewExecs = "30000"

// goldenReview is the output of the program for a small pull request.
type goldenReview struct {
	review      string // as posted; empty: none was posted
	annotations string // as the runner reads them
	text        string // on the terminal
	whole       string // the job summary
}

// byNight lists modules whose reviews are like those of others. They only run with -nightly or -update.
var byNight = []string{"altered-test", "bug-hang", "bug-unmended", "new-option", "not-run-branch", "older-failure"}

// TestReviewsOfSmallModules runs the program as the action does on the modules in testdata/reviews, and posts to a fake
// GitHub. In each folder, module.txtar has the files of the base, and those that the change adds, alters or (if they
// are empty) deletes. The expected output is next to it:
//
//	review.md        the review; without this file, none is posted
//	summary.md       the job summary, if there is no review
//	annotations.txt  what the runner shows beside the diff
//	summary.txt      what the terminal shows
//
// go test ./cmd/mutantfuzz -run ReviewsOfSmallModules -update rewrites these files. Read them as the author of the pull
// request would.
func TestReviewsOfSmallModules(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and fuzzes")
	}
	cache, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOCACHE", strings.TrimSpace(string(cache))) // shared by all, although each sets XDG_CACHE_HOME
	modules, err := filepath.Glob("testdata/reviews/*/module.txtar")
	if err != nil || len(modules) < 10 {
		t.Fatal(modules, err)
	}
	for _, module := range modules {
		folder := filepath.Dir(module)
		t.Run(filepath.Base(folder), func(t *testing.T) {
			if slices.Contains(byNight, filepath.Base(folder)) && !*nightly && !*update {
				t.Skip("a further kind of what others show; -nightly runs it")
			}
			t.Parallel()
			p := newSmallPull(t, module)
			got := p.reviewed()
			for name, text := range map[string]string{
				"review.md": got.review, "summary.md": got.wholeWithoutReview(), "annotations.txt": got.annotations, "summary.txt": got.text,
			} {
				compareGolden(t, filepath.Join(folder, name), text)
			}
			p.checkPlaces(got)
		})
	}
}

// wholeWithoutReview returns the job summary if no review was posted, and "" otherwise.
func (g goldenReview) wholeWithoutReview() string {
	if g.review != "" {
		return ""
	}
	return g.whole
}

// compareGolden compares text with the file name. If text is empty, the file must not exist. With -update it writes or
// removes the file first.
func compareGolden(t *testing.T, name, text string) {
	t.Helper()
	if *update {
		err := os.Remove(name)
		if text != "" {
			err = os.WriteFile(name, []byte(text), 0o644)
		}
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), text); diff != "" {
		t.Errorf("%s (-want +got), -update writes it anew:\n%s", name, diff)
	}
}

// smallPull is a small pull request: a repository with two commits, the base and the change.
type smallPull struct {
	t     *testing.T
	dir   string
	env   []string
	execs string
}

func newSmallPull(t *testing.T, module string) *smallPull {
	t.Helper()
	archive, err := txtar.ParseFile(module)
	if err != nil {
		t.Fatal(err)
	}
	home, root := t.TempDir(), stabledir.Make(t)
	p := &smallPull{t: t, execs: reviewExecs, dir: filepath.Join(root, "repository"), env: append(os.Environ(),
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_AUTHOR_NAME=T", "GIT_AUTHOR_EMAIL=t@example.com",
		"GIT_COMMITTER_NAME=T", "GIT_COMMITTER_EMAIL=t@example.com", "GOPROXY=off", "GOTOOLCHAIN=local", "XDG_CACHE_HOME="+home,
		"GITHUB_ACTIONS=true", "GITHUB_STEP_SUMMARY=", "GITHUB_REPOSITORY=o/r", "GITHUB_TOKEN=token", "GITHUB_EVENT_PATH="+filepath.Join(home, "event.json"),
	)}
	p.write(filepath.Join(home, "event.json"), []byte(`{"pull_request": {"number": 7}}`))
	if err := os.Mkdir(p.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	p.run("git", "init", "--quiet")
	for _, f := range archive.Files {
		if f.Name == "execs" {
			p.execs = strings.TrimSpace(string(f.Data))
		}
	}
	for _, commit := range []string{"base", "change"} {
		for _, f := range archive.Files {
			if name, ok := strings.CutPrefix(f.Name, commit+"/"); ok {
				p.write(filepath.Join(p.dir, filepath.FromSlash(name)), f.Data)
			}
		}
		p.run("git", "add", "--all")
		p.run("git", "commit", "--quiet", "--message", commit)
	}
	return p
}

// write writes a file, or deletes it if data is empty.
func (p *smallPull) write(name string, data []byte) {
	p.t.Helper()
	if len(data) == 0 {
		if err := os.Remove(name); err != nil {
			p.t.Fatal(err)
		}
		return
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o644); err != nil {
		p.t.Fatal(err)
	}
}

// run runs a program in the repository, and returns what it writes to each output.
func (p *smallPull) run(name string, args ...string) (stdout, stderr string) {
	p.t.Helper()
	var out, err bytes.Buffer
	cmd := exec.CommandContext(p.t.Context(), name, args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = p.dir, p.env, &out, &err
	if fault := cmd.Run(); fault != nil {
		p.t.Fatalf("%s %q: %v\n%s%s", name, args, fault, out.String(), err.String())
	}
	return out.String(), err.String()
}

// reviewed analyses the pull request, posts the review, and returns what can be seen of it.
func (p *smallPull) reviewed() (got goldenReview) {
	p.t.Helper()
	got.text, _ = p.run("mutantfuzz", "run", "--base", "HEAD~1", "--execs", p.execs, "--seed", "1", "--workers", "1", "--corpus", "none", "--fail-on", "", "-q")
	whole, err := os.ReadFile(filepath.Join(p.dir, defaultOut, "summary.md"))
	if err != nil {
		p.t.Fatal(err)
	}
	body := ""
	server := httptest.NewServer(standIn(&body))
	defer server.Close()
	p.env = append(p.env, "GITHUB_API_URL="+server.URL)
	_, got.annotations = p.run("mutantfuzz", "review")
	dry, _ := p.run("mutantfuzz", "review", "--dry-run")
	if body != "" && dry != body {
		p.t.Errorf("posted, and on a dry run (-posted +dry):\n%s", cmp.Diff(body, dry))
	}
	got.review, got.whole, got.text = masked(body), masked(string(whole)), masked(got.text)
	return got
}

// standIn returns a fake GitHub that has no reviews, and stores the text of a posted one in body.
func standIn(body *string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := "[]"
		switch data, _ := io.ReadAll(r.Body); {
		case r.URL.Path == "/user":
			answer = `{"id": 1}`
		case r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/pulls/7/reviews"):
			var review struct{ Body string }
			if err := json.Unmarshal(data, &review); err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			*body, answer = review.Body, `{"id": 2, "html_url": "https://github.com/o/r/pull/7#pullrequestreview-2"}`
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, answer)
	})
}

var (
	history  = regexp.MustCompile(`^<!-- mutantfuzz -->\n<!-- mutantfuzz-state.* -->\n\n`)
	duration = regexp.MustCompile(`((?:executions?|no fuzz target),\s)[\d.]+ (?:s|min \d+ s)`)
)

// masked returns text without what may vary: durations, and the history that a review keeps for later pushes.
func masked(text string) string {
	return duration.ReplaceAllString(history.ReplaceAllString(text, ""), "${1}… s")
}

// annotationLine matches an annotation as the runner reads it.
var annotationLine = regexp.MustCompile(`^::warning (.*?)::`)

// checkPlaces checks that each annotation is about lines that the diff shows. A gap, and code that is not run, has to
// begin on a line that the change wrote. Places that the review names have to exist in the tree.
func (p *smallPull) checkPlaces(got goldenReview) {
	p.t.Helper()
	for line := range strings.Lines(got.annotations) {
		match := annotationLine.FindStringSubmatch(line)
		if match == nil {
			p.t.Errorf("not an annotation: %s", line)
			continue
		}
		field := map[string]string{}
		for pair := range strings.SplitSeq(match[1], ",") {
			name, value, _ := strings.Cut(pair, "=")
			field[name] = value
		}
		context := 3 // lines that GitHub shows around a change
		if strings.Contains(field["title"], "Gap") || strings.Contains(field["title"], "Not run") {
			context = 0
		}
		first, _ := strconv.Atoi(field["line"])
		last, _ := strconv.Atoi(field["endLine"])
		if shown := p.shown(field["file"], context); !shown[first] || context > 0 && !shown[last] || last < first {
			p.t.Errorf("lines %d to %d of %s are not in the change: %s", first, last, field["file"], line)
		}
	}
	place := regexp.MustCompile(`([\w/]+\.go):(\d+)`)
	for _, match := range place.FindAllStringSubmatch(html.UnescapeString(got.review), -1) {
		n, _ := strconv.Atoi(match[2])
		if source, err := os.ReadFile(filepath.Join(p.dir, match[1])); err != nil || n < 1 || n > bytes.Count(source, []byte("\n")) {
			p.t.Errorf("the review names %s, which is not there: %v", match[0], err)
		}
	}
}

// shown returns the lines of the new file that a diff shows with the given lines of context.
func (p *smallPull) shown(file string, context int) map[int]bool {
	p.t.Helper()
	diff, _ := p.run("git", "diff", "--unified="+strconv.Itoa(context), "HEAD~1", "HEAD", "--", file)
	files, _, err := gitdiff.Parse(strings.NewReader(diff))
	if err != nil {
		p.t.Fatal(err)
	}
	lines := map[int]bool{}
	for _, f := range files {
		for _, hunk := range f.TextFragments {
			for n := range hunk.NewLines {
				lines[int(hunk.NewPosition+n)] = true
			}
		}
	}
	return lines
}
