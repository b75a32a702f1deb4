package e2e

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

const (
	repository = "acme/parcels"
	pullNumber = 7
	token      = "e2e-secret"
)

// fakeGitHub is the part of GitHub that these workflows need: the repository over HTTP, and the API for reviews, pull
// requests and artifacts.
type fakeGitHub struct {
	t      *testing.T
	server *httptest.Server

	mu        sync.Mutex
	readOnly  bool     // the token may not write, as in pull requests of forks
	head      string   // commit of the open pull request
	reviews   []string // bodies, oldest first; an ID is the index plus one
	created   int
	edited    int
	refused   int
	artifacts map[string]string // folder by run ID
}

// newFakeGitHub starts a fake GitHub that serves the bare repository in the folder bare.
func newFakeGitHub(t *testing.T, bare string) *fakeGitHub {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	g := &fakeGitHub{t: t, artifacts: map[string]string{}}
	mux := http.NewServeMux()
	mux.Handle("/"+repository+"/", &cgi.Handler{
		Path: git, Args: []string{"http-backend"}, Root: "/" + repository,
		Env: []string{"GIT_PROJECT_ROOT=" + bare, "GIT_HTTP_EXPORT_ALL=1", "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*"},
	})
	const (
		repo = "/api/repos/" + repository
		pull = repo + "/pulls/7"
	)
	mux.HandleFunc("GET /api/user", g.api(g.user))
	mux.HandleFunc("GET "+repo+"/pulls", g.api(g.listPulls))
	mux.HandleFunc("GET "+pull+"/reviews", g.api(g.listReviews))
	mux.HandleFunc("POST "+pull+"/reviews", g.api(g.createReview))
	mux.HandleFunc("GET "+pull+"/comments", g.api(g.listNothing))
	mux.HandleFunc("GET "+repo+"/issues/7/comments", g.api(g.listNothing))
	mux.HandleFunc("PUT "+pull+"/reviews/{id}", g.api(g.editReview))
	mux.HandleFunc("GET "+repo+"/actions/runs/{run}/artifacts", g.api(g.listArtifacts))
	mux.HandleFunc("GET "+repo+"/actions/artifacts/{run}/zip", g.api(g.zip))
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		t.Errorf("nobody should ask GitHub for %s %s", r.Method, r.URL)
		http.NotFound(w, r)
	})
	g.server = httptest.NewServer(mux)
	t.Cleanup(g.server.Close)
	return g
}

// api returns a handler that checks the token, refuses writes if g.readOnly is set, and serves one request at a time.
func (g *fakeGitHub) api(serve http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		g.mu.Lock()
		defer g.mu.Unlock()
		if got := r.Header.Get("Authorization"); got != "Bearer "+token {
			g.t.Errorf("%s %s with authorization %q", r.Method, r.URL, got)
		}
		if g.readOnly && r.Method != http.MethodGet {
			g.refused++
			g.answer(w, http.StatusForbidden, map[string]any{"message": "Resource not accessible by integration"})
			return
		}
		serve(w, r)
	}
}

func (g *fakeGitHub) answer(w http.ResponseWriter, status int, content any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(content); err != nil {
		g.t.Error(err)
	}
}

// user answers as GitHub does to the token of a workflow, which belongs to no user.
func (g *fakeGitHub) user(w http.ResponseWriter, _ *http.Request) {
	g.answer(w, http.StatusForbidden, map[string]any{"message": "Resource not accessible by integration"})
}

func (g *fakeGitHub) listPulls(w http.ResponseWriter, _ *http.Request) {
	g.answer(w, http.StatusOK, []any{map[string]any{"number": pullNumber, "head": map[string]any{"sha": g.head}}})
}

// listNothing answers with an empty list.
func (g *fakeGitHub) listNothing(w http.ResponseWriter, _ *http.Request) {
	g.answer(w, http.StatusOK, []any{})
}

func (g *fakeGitHub) review(i int) map[string]any {
	return map[string]any{
		"id": i + 1, "body": g.reviews[i], "html_url": g.server.URL + "/review/" + strconv.Itoa(i+1),
		"user": map[string]any{"login": "github-actions[bot]", "type": "Bot"},
	}
}

func (g *fakeGitHub) listReviews(w http.ResponseWriter, _ *http.Request) {
	list := []any{}
	for i := range g.reviews {
		list = append(list, g.review(i))
	}
	g.answer(w, http.StatusOK, list)
}

// body returns the body and the event of the review in a request.
func (g *fakeGitHub) body(r *http.Request) (body, event string) {
	var request struct{ Body, Event string }
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		g.t.Errorf("%s %s: %v", r.Method, r.URL, err)
	}
	return request.Body, request.Event
}

func (g *fakeGitHub) createReview(w http.ResponseWriter, r *http.Request) {
	body, event := g.body(r)
	if event != "COMMENT" {
		g.t.Errorf("a review with the event %q; only COMMENT neither approves nor blocks", event)
	}
	g.created++
	g.reviews = append(g.reviews, body)
	g.answer(w, http.StatusOK, g.review(len(g.reviews)-1))
}

func (g *fakeGitHub) editReview(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.Atoi(r.PathValue("id"))
	if err != nil || id < 1 || id > len(g.reviews) {
		g.t.Errorf("there is no review %s", r.PathValue("id"))
		http.NotFound(w, r)
		return
	}
	g.edited++
	g.reviews[id-1], _ = g.body(r)
	g.answer(w, http.StatusOK, g.review(id-1))
}

// listArtifacts lists the artifact of a run, if there is one. Its ID is that of the run.
func (g *fakeGitHub) listArtifacts(w http.ResponseWriter, r *http.Request) {
	list := []any{}
	if id, err := strconv.Atoi(r.PathValue("run")); err == nil && g.artifacts[r.PathValue("run")] != "" {
		list = append(list, map[string]any{"id": id, "name": r.URL.Query().Get("name")})
	}
	g.answer(w, http.StatusOK, map[string]any{"total_count": len(list), "artifacts": list})
}

func (g *fakeGitHub) zip(w http.ResponseWriter, r *http.Request) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	if err := z.AddFS(os.DirFS(g.artifacts[r.PathValue("run")])); err != nil {
		g.t.Error(err)
	}
	if err := z.Close(); err != nil {
		g.t.Error(err)
	}
	if _, err := io.Copy(w, &b); err != nil {
		g.t.Error(err)
	}
}

// commit makes branch in the clone dir start at the commit that is checked out, commits files to it, and pushes it. It
// returns the hash of the new commit.
func commit(t *testing.T, dir, branch string, files map[string]string) string {
	t.Helper()
	git(t, dir, "checkout", "--quiet", "-B", branch)
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git(t, dir, "add", "--all")
	git(t, dir, "commit", "--quiet", "--message", "push to "+branch)
	git(t, dir, "push", "--quiet", "origin", branch)
	return git(t, dir, "rev-parse", "HEAD")
}

// git runs git without the user's configuration, and returns its standard output.
func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	env := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GIT_") })
	cmd.Env = append(env, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull,
		"GIT_AUTHOR_NAME=Test", "GIT_AUTHOR_EMAIL=test@example.com", "GIT_COMMITTER_NAME=Test", "GIT_COMMITTER_EMAIL=test@example.com")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, stderr.String())
	}
	return string(bytes.TrimSpace(out))
}
