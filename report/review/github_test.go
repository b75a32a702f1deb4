package review

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"
)

// fakeGitHub is the part of GitHub that keeps reviews and comments. It checks every request, and every answer of its
// own, against GitHub's description of the API.
type fakeGitHub struct {
	t       *testing.T
	server  *httptest.Server
	router  routers.Router
	pageLen int // objects a page at most; 0: as many as asked for

	me       *fakeUser // owner of the token; nil: an app, whose token may not ask who it is
	pulls    []map[string]any
	reviews  []*fakeReview
	lines    fakeLines
	requests []string // "METHOD path?query", in order
	// answers replace real ones. Each is given once, to the first request with its method and path.
	answers []answer
}

type fakeReview struct {
	id      int
	body    string
	author  *fakeUser
	foreign int // status of an attempt to edit it; 0: it may be edited
}

type fakeUser struct {
	id          int
	login, kind string
}

var (
	actions    = &fakeUser{41898282, "github-actions[bot]", "Bot"}
	dependabot = &fakeUser{49699333, "dependabot[bot]", "Bot"}
	octocat    = &fakeUser{583231, "octocat", "User"}
	mallory    = &fakeUser{666, "mallory", "User"}
)

func (u *fakeUser) json() map[string]any {
	return map[string]any{"login": u.login, "id": u.id, "type": u.kind}
}

// answer is an answer to give instead of the real one. If lost is set, the request still has its effect.
type answer struct {
	method string
	path   string // empty: any
	status int
	header map[string]string
	body   map[string]any
	lost   bool
}

func newFakeGitHub(t *testing.T) *fakeGitHub {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromFile("testdata/github-openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	router, err := legacy.NewRouter(doc)
	if err != nil {
		t.Fatal(err)
	}
	g := &fakeGitHub{t: t, router: router, lines: fakeLines{resolved: map[string]bool{}}}
	g.server = httptest.NewServer(g)
	t.Cleanup(g.server.Close)
	return g
}

func (g *fakeGitHub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		g.t.Error(err)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	g.requests = append(g.requests, r.Method+" "+r.URL.RequestURI())
	if r.URL.Path == "/graphql" { // the description of the API does not have it
		g.serveGraphQL(w, body)
		return
	}
	request := g.validateRequest(r)

	answer := g.takeAnswer(r)
	status, header, content := answer.status, http.Header{}, any(answer.body)
	if answer.status == 0 || answer.lost {
		status, content = g.serve(r, header, body)
	}
	if answer.status != 0 {
		status, content = answer.status, answer.body
	}
	for name, value := range answer.header {
		header.Set(name, value)
	}
	header.Set("Content-Type", "application/json; charset=utf-8")
	data, err := json.Marshal(content)
	if err != nil {
		g.t.Error(err)
	}
	g.validateResponse(request, status, header, data)
	for name := range header {
		w.Header().Set(name, header.Get(name))
	}
	w.WriteHeader(status)
	w.Write(data)
}

func (g *fakeGitHub) takeAnswer(r *http.Request) answer {
	for i, a := range g.answers {
		if a.method == r.Method && (a.path == "" || a.path == r.URL.Path) {
			g.answers = append(g.answers[:i:i], g.answers[i+1:]...)
			return a
		}
	}
	return answer{}
}

func (g *fakeGitHub) validateRequest(r *http.Request) *openapi3filter.RequestValidationInput {
	route, params, err := g.router.FindRoute(r)
	if err != nil {
		g.t.Errorf("%s %s is not in GitHub's API: %v", r.Method, r.URL, err)
		return nil
	}
	input := &openapi3filter.RequestValidationInput{
		Request: r, PathParams: params, Route: route,
		Options: &openapi3filter.Options{AuthenticationFunc: checkToken},
	}
	if err := openapi3filter.ValidateRequest(context.Background(), input); err != nil {
		g.t.Errorf("%s %s: %v", r.Method, r.URL, err)
	}
	for name := range r.URL.Query() {
		if route.Operation.Parameters.GetByInAndName("query", name) == nil {
			g.t.Errorf("%s %s: no such parameter: %s", r.Method, r.URL, name)
		}
	}
	return input
}

func checkToken(_ context.Context, input *openapi3filter.AuthenticationInput) error {
	if got := input.RequestValidationInput.Request.Header.Get("Authorization"); got != "Bearer "+token {
		return fmt.Errorf("authorization %q", got)
	}
	return nil
}

func (g *fakeGitHub) validateResponse(request *openapi3filter.RequestValidationInput, status int, header http.Header, body []byte) {
	if request == nil {
		return
	}
	err := openapi3filter.ValidateResponse(context.Background(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: request, Status: status, Header: header, Body: io.NopCloser(bytes.NewReader(body)),
	})
	if err != nil {
		g.t.Errorf("this is not how GitHub answers: %v", err)
	}
}

// serve does what GitHub would do.
func (g *fakeGitHub) serve(r *http.Request, header http.Header, body []byte) (int, any) {
	if status, content, ok := g.serveComments(r, header, body); ok {
		return status, content
	}
	var sent struct {
		Body, Event string
		Comments    []*fakeComment
	}
	if len(body) > 0 {
		if err := json.Unmarshal(body, &sent); err != nil {
			g.t.Error(err)
		}
	}
	switch {
	case r.Method == http.MethodPost:
		if sent.Event != "COMMENT" {
			g.t.Errorf("event %q, want COMMENT: a review must neither approve nor block", sent.Event)
		}
		for _, c := range sent.Comments {
			if !g.canTake(c) {
				return http.StatusUnprocessableEntity, message("Unprocessable Entity")
			}
		}
		g.take(sent.Comments...)
		made := &fakeReview{id: len(g.reviews) + 1, body: sent.Body, author: cmp.Or(g.me, actions)}
		g.reviews = append(g.reviews, made)
		return http.StatusOK, made.json()
	case r.Method == http.MethodPut:
		id, _ := strconv.Atoi(r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:])
		return g.edit(id, sent.Body)
	case r.URL.Path == "/user" && g.me != nil:
		return http.StatusOK, g.me.json()
	case r.URL.Path == "/user":
		return http.StatusForbidden, message("Resource not accessible by integration")
	case strings.HasSuffix(r.URL.Path, "/reviews"):
		return http.StatusOK, page(g, r, header, g.reviews)
	default:
		return http.StatusOK, g.pulls
	}
}

func (g *fakeGitHub) edit(id int, body string) (int, any) {
	for _, review := range g.reviews {
		switch {
		case review.id != id:
		case review.foreign != 0:
			return review.foreign, map[string]any{"message": "no", "documentation_url": "https://docs.github.com/rest"}
		default:
			review.body = body
			return http.StatusOK, review.json()
		}
	}
	return http.StatusNotFound, map[string]any{"message": "Not Found"}
}

// object is something that GitHub lists.
type object interface{ json() map[string]any }

// page returns the page of a list that r asks for, and sets the link to the next one in header.
func page[T object](g *fakeGitHub, r *http.Request, header http.Header, all []T) []any {
	number, _ := strconv.Atoi(r.URL.Query().Get("page"))
	size, _ := strconv.Atoi(r.URL.Query().Get("per_page"))
	if number == 0 {
		number = 1
	}
	if g.pageLen > 0 {
		size = g.pageLen
	}
	page := []any{}
	for i := (number - 1) * size; i < min(number*size, len(all)); i++ {
		page = append(page, all[i].json())
	}
	if number*size < len(all) {
		header.Set("Link", fmt.Sprintf(`<%s%s?page=%d>; rel="next"`, g.server.URL, r.URL.Path, number+1))
	}
	return page
}

func (r *fakeReview) json() map[string]any {
	return map[string]any{
		"id": r.id, "node_id": "x", "body": r.body, "state": "COMMENTED",
		"user":               r.author.json(),
		"html_url":           fmt.Sprintf("https://github.com/o/r/pull/7#pullrequestreview-%d", r.id),
		"pull_request_url":   "https://api.github.com/repos/o/r/pulls/7",
		"_links":             map[string]any{"html": map[string]any{}, "pull_request": map[string]any{}},
		"commit_id":          nil,
		"author_association": "NONE",
	}
}
