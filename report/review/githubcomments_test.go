package review

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// fakeLines is the part of a fake pull request that comments at lines need.
type fakeLines struct {
	head     string
	files    []*fakeFile
	comments []*fakeComment
	issue    []*fakeComment    // comments on the pull request itself
	rights   map[string]string // what users may do, by login; nil: the token may not ask
	refused  map[string]bool   // places that GitHub does not take although they are in the diff

	resolved   map[string]bool // by node ID of the first comment
	mayResolve bool
	threadPage int // threads a page; 0: as many as asked for
}

type fakeFile struct{ name, status, patch string }

// fakeComment is a comment as GitHub takes and gives it.
type fakeComment struct {
	ID, InReplyTo    int
	Path, Body, Side string
	Line             int
	StartLine        int    `json:"start_line"`
	StartSide        string `json:"start_side"`
	SubjectType      string `json:"subject_type"`
	CommitID         string `json:"commit_id"`
	author           *fakeUser
	association      string
	down             []*fakeUser
	foreign          int // status of an attempt to edit it
	outdated         bool
}

func (f *fakeFile) json() map[string]any {
	m := map[string]any{
		"sha": "x", "filename": f.name, "status": f.status, "additions": 1, "deletions": 1, "changes": 2,
		"blob_url": "x", "raw_url": "x", "contents_url": "x",
	}
	if f.patch != "" {
		m["patch"] = f.patch
	}
	return m
}

func (c *fakeComment) json() map[string]any {
	m := map[string]any{
		"id": c.ID, "node_id": c.node(), "path": c.Path, "commit_id": "x", "original_commit_id": "x", "diff_hunk": "x",
		"user": c.author.json(), "body": c.Body, "url": "x", "html_url": "x", "pull_request_url": "x", "_links": map[string]any{},
		"author_association": cmp.Or(c.association, "NONE"), "subject_type": cmp.Or(c.SubjectType, "line"),
		"start_line": nil, "line": nil, "side": "RIGHT",
		"reactions": map[string]any{"url": "x", "total_count": len(c.down), "+1": 0, "-1": len(c.down)},
	}
	if c.InReplyTo != 0 {
		m["in_reply_to_id"] = c.InReplyTo
	}
	if c.StartLine != 0 && !c.outdated {
		m["start_line"] = c.StartLine
	}
	if c.Line != 0 && !c.outdated {
		m["line"] = c.Line
	}
	return m
}

func (c *fakeComment) node() string { return fmt.Sprintf("PRRC_%d", c.ID) }

// place returns where c is: at a file, a line or a range of lines.
func (c *fakeComment) place() string {
	switch {
	case c.SubjectType == "file":
		return c.Path
	case c.StartLine != 0:
		return fmt.Sprintf("%s:%d-%d", c.Path, c.StartLine, c.Line)
	}
	return fmt.Sprintf("%s:%d", c.Path, c.Line)
}

// useDiff gives the pull request the head of the fixture, and a diff in testdata that git made.
func (g *fakeGitHub) useDiff(t *testing.T) {
	t.Helper()
	data, err := os.ReadFile("testdata/nest.diff")
	if err != nil {
		t.Fatal(err)
	}
	g.lines.head = fixture(t).Revisions.Head
	for _, part := range strings.Split(string(data), "diff --git ")[1:] {
		header, hunks, _ := strings.Cut(part, "\n@@")
		f := &fakeFile{name: regexp.MustCompile(`b/(\S+)`).FindStringSubmatch(header)[1], status: "modified"}
		if strings.Contains(header, "deleted file") {
			f.status = "removed"
		}
		f.patch = strings.TrimSuffix("@@"+hunks, "\n")
		g.lines.files = append(g.lines.files, f)
	}
}

var hunkHeader = regexp.MustCompile(`^@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@`)

// canTake reports whether GitHub takes a comment: its lines have to be in one hunk.
func (g *fakeGitHub) canTake(c *fakeComment) bool {
	if g.lines.refused[c.place()] || c.StartLine != 0 && c.StartLine >= c.Line {
		return false
	}
	for _, f := range g.lines.files {
		if f.name != c.Path || f.status == "removed" {
			continue
		}
		if c.SubjectType == "file" {
			return true
		}
		for line := range strings.Lines(f.patch) {
			if m := hunkHeader.FindStringSubmatch(line); m != nil {
				first, _ := strconv.Atoi(m[1])
				count, _ := strconv.Atoi(cmp.Or(m[2], "1"))
				if from := cmp.Or(c.StartLine, c.Line); first <= from && c.Line < first+count {
					return true
				}
			}
		}
	}
	return false
}

func (g *fakeGitHub) take(comments ...*fakeComment) {
	for _, c := range comments {
		c.ID, c.author = len(g.lines.comments)+1001, cmp.Or(g.me, actions)
		g.lines.comments = append(g.lines.comments, c)
	}
}

// reply adds a reply to a comment, and returns it.
func (g *fakeGitHub) reply(to int, by *fakeUser, body string) *fakeComment {
	c := &fakeComment{Body: body}
	g.take(c)
	c.author, c.InReplyTo = by, to
	return c
}

var (
	filesPath      = regexp.MustCompile(`/pulls/\d+/files$`)
	commentsPath   = regexp.MustCompile(`/pulls/\d+/comments$`)
	commentPath    = regexp.MustCompile(`/pulls/comments/(\d+)$`)
	reactionsPath  = regexp.MustCompile(`/pulls/comments/(\d+)/reactions$`)
	issuePath      = regexp.MustCompile(`/issues/\d+/comments$`)
	permissionPath = regexp.MustCompile(`/collaborators/([^/]+)/permission$`)
	pullPath       = regexp.MustCompile(`/pulls/\d+$`)
)

// serveComments does what GitHub would do with a request about comments, or about what they need. ok is false for other
// requests.
func (g *fakeGitHub) serveComments(r *http.Request, header http.Header, body []byte) (status int, content any, ok bool) {
	at := r.URL.Path
	id := func(path *regexp.Regexp) *fakeComment {
		n, _ := strconv.Atoi(path.FindStringSubmatch(at)[1])
		for _, c := range g.lines.comments {
			if c.ID == n {
				return c
			}
		}
		g.t.Fatalf("there is no comment %d", n)
		return nil
	}
	switch {
	case commentsPath.MatchString(at) && r.Method == http.MethodPost:
		status, content = g.comment(body)
	case commentsPath.MatchString(at):
		status, content = http.StatusOK, page(g, r, header, g.lines.comments)
	case commentPath.MatchString(at):
		status, content = g.editComment(id(commentPath), body)
	case reactionsPath.MatchString(at):
		status, content = http.StatusOK, reactions(id(reactionsPath))
	case issuePath.MatchString(at):
		status, content = http.StatusOK, page(g, r, header, g.lines.issue)
	case filesPath.MatchString(at):
		status, content = http.StatusOK, page(g, r, header, g.lines.files)
	case permissionPath.MatchString(at):
		status, content = g.permission(permissionPath.FindStringSubmatch(at)[1])
	case pullPath.MatchString(at):
		status, content = http.StatusOK, map[string]any{"number": 7, "state": "open", "head": map[string]any{"ref": "fix", "sha": g.lines.head}}
	default:
		return 0, nil, false
	}
	return status, content, true
}

func (g *fakeGitHub) comment(body []byte) (int, any) {
	c := new(fakeComment)
	if err := json.Unmarshal(body, c); err != nil {
		g.t.Error(err)
	}
	if !g.canTake(c) {
		return http.StatusUnprocessableEntity, message("Validation Failed")
	}
	if c.CommitID != g.lines.head {
		g.t.Errorf("a comment on commit %q, want %q", c.CommitID, g.lines.head)
	}
	g.take(c)
	return http.StatusCreated, c.json()
}

func (g *fakeGitHub) editComment(c *fakeComment, body []byte) (int, any) {
	if c.foreign != 0 {
		return c.foreign, message("no")
	}
	var sent struct{ Body string }
	if err := json.Unmarshal(body, &sent); err != nil {
		g.t.Error(err)
	}
	c.Body = sent.Body
	return http.StatusOK, c.json()
}

func reactions(c *fakeComment) []any {
	list := []any{}
	for i, user := range c.down {
		list = append(list, map[string]any{"id": i + 1, "node_id": "x", "user": user.json(), "content": "-1", "created_at": "2024-01-01T00:00:00Z"})
	}
	return list
}

func (g *fakeGitHub) permission(name string) (int, any) {
	if g.lines.rights == nil {
		return http.StatusForbidden, message("Resource not accessible by integration")
	}
	may, ok := g.lines.rights[name]
	if !ok {
		return http.StatusNotFound, message("not a user")
	}
	user := map[string]*fakeUser{"octocat": octocat, "mallory": mallory}[name]
	return http.StatusOK, map[string]any{"permission": may, "role_name": may, "user": user.json()}
}

// serveGraphQL answers queries and mutations about threads. Each thread begins with a comment.
func (g *fakeGitHub) serveGraphQL(w http.ResponseWriter, body []byte) {
	var sent struct {
		Query     string
		Variables struct {
			Owner, Name, After, Thread string
			Number                     int
		}
	}
	if err := json.Unmarshal(body, &sent); err != nil {
		g.t.Error(err)
	}
	v := sent.Variables
	answer := map[string]any{}
	resolve := strings.Contains(sent.Query, " resolveReviewThread(")
	switch unresolve := strings.Contains(sent.Query, " unresolveReviewThread("); {
	case (resolve || unresolve) && g.lines.mayResolve:
		g.lines.resolved[strings.TrimPrefix(v.Thread, "thread of ")] = resolve
		answer["data"] = map[string]any{}
	case resolve || unresolve:
		answer["data"], answer["errors"] = nil, []any{map[string]any{"type": "FORBIDDEN", "message": "Resource not accessible by integration"}}
	case v.Owner == "o" && v.Name == "r" && v.Number == 7:
		answer["data"] = g.threads(v.After)
	default:
		g.t.Errorf("asked for %+v", v)
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(answer)
}

func (g *fakeGitHub) threads(after string) map[string]any {
	from, _ := strconv.Atoi(after)
	to := len(g.lines.comments)
	if g.lines.threadPage > 0 {
		to = min(to, from+g.lines.threadPage)
	}
	nodes := []any{}
	for _, c := range g.lines.comments[from:to] {
		if c.InReplyTo == 0 {
			nodes = append(nodes, map[string]any{"id": "thread of " + c.node(), "isResolved": g.lines.resolved[c.node()],
				"comments": map[string]any{"nodes": []any{map[string]any{"id": c.node()}}}})
		}
	}
	list := map[string]any{"pageInfo": map[string]any{"hasNextPage": to < len(g.lines.comments), "endCursor": fmt.Sprint(to)}, "nodes": nodes}
	return map[string]any{"repository": map[string]any{"pullRequest": map[string]any{"reviewThreads": list}}}
}
