package review

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mutantfuzz/mutantfuzz/internal/config"
	"github.com/mutantfuzz/mutantfuzz/report/edit"
)

var noted = regexp.MustCompile("comment `ignore ([0-9a-f]+)`</sub>")

// handles returns the names that a body gives findings for dismissing them, in order.
func handles(body string) (list []string) {
	for _, match := range noted.FindAllStringSubmatch(body, -1) {
		list = append(list, match[1])
	}
	return list
}

func TestFindingsAreDismissedByThoseWhoMayWrite(t *testing.T) {
	reply := func(body string, by *fakeUser) func(*testing.T, *fakeGitHub) {
		return func(t *testing.T, g *fakeGitHub) { g.reply(g.at(t, gap).ID, by, body) }
	}
	comment := func(body string, by *fakeUser) func(*testing.T, *fakeGitHub) {
		return func(t *testing.T, g *fakeGitHub) {
			list := handles(g.body(t))
			body := strings.ReplaceAll(body, "HANDLE", list[2]) // the gap is the third
			g.lines.issue = append(g.lines.issue, &fakeComment{Body: body, author: by})
		}
	}
	replyTo := func(place, body string) func(*testing.T, *fakeGitHub) {
		return func(t *testing.T, g *fakeGitHub) {
			g.reply(g.at(t, place).ID, octocat, strings.ReplaceAll(body, "HANDLE", handles(g.body(t))[2]))
		}
	}
	down := func(by *fakeUser) func(*testing.T, *fakeGitHub) {
		return func(t *testing.T, g *fakeGitHub) { g.at(t, gap).down = []*fakeUser{by} }
	}
	tests := []struct {
		name   string
		do     func(*testing.T, *fakeGitHub)
		reason string
		heard  bool
	}{
		{"reply", reply("ignore", octocat), "", true},
		{"reply with a reason", reply("Ignore: callers check\r\nreally", octocat), ": `callers check`", true},
		{"reply with words behind", reply("ignore callers check", octocat), ": `callers check`", true},
		{"reply as a command", reply("/ignore", octocat), "", true},
		{"reply below a quote", reply("> Gap\n\n`ignore`", octocat), "", true},
		{"other reply", reply("I do not ignore this", octocat), "", false},
		{"other word", reply("ignored", octocat), "", false},
		{"reply of a stranger", reply("ignore", mallory), "", false},
		{"reply of a bot", reply("ignore", actions), "", false},
		{"reply of a bot that may write", reply("ignore", &fakeUser{octocat.id, "octocat", "Bot"}), "", false},
		{"reply of nobody GitHub knows", reply("ignore", &fakeUser{9, "ghost", "User"}), "", false},
		{"reply of one who took a name", reply("ignore", &fakeUser{667, "octocat", "User"}), "", false},
		{"reply of one with an impossible name", reply("ignore", &fakeUser{9, "../x", "User"}), "", false},
		{"reply that names the finding", replyTo(gap, "ignore HANDLE callers check"), ": `callers check`", true},
		{"reply to another finding", replyTo(crashed, "ignore HANDLE callers check"), ": `callers check`", true},
		{"reply with a word of such digits", replyTo(gap, "ignore dead code"), ": `dead code`", true},
		{"thumb down", down(octocat), "", true},
		{"thumb down of a stranger", down(mallory), "", false},
		{"comment", comment("ignore HANDLE", octocat), "", true},
		{"comment as in the body", comment("`IGNORE HANDLE`: callers check", octocat), ": `callers check`", true},
		{"comment below a quote", comment("> 4. Gap\n> x\n\nignore HANDLE", octocat), "", true},
		{"comment that only quotes", comment("> ignore HANDLE", octocat), "", false},
		{"comment of a stranger", comment("ignore HANDLE", mallory), "", false},
		{"comment that names nothing", comment("ignore", octocat), "", false},
		{"comment with another handle", comment("ignore 0000", octocat), "", false},
		{"comment with too short a handle", comment("ignore abc", octocat), "", false},
		{"comment of hostile text", comment("ignore HANDLE @mallory [x](https://e.com) `</details>` ##[x]", octocat), ": `@mallory [x](https://e.com) </details> ##\u200b[x]`", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := inlineGitHub(t)
			g.lines.rights = map[string]string{"octocat": "write", "mallory": "read"}
			g.push(t, fixture(t))
			tt.do(t, g)
			g.push(t, fixture(t))
			c := g.at(t, gap)
			want := "~~`parse.go:41`~~ dismissed by `octocat`" + tt.reason + "\n"
			if strings.Contains(g.body(t), want) != tt.heard || strings.HasSuffix(c.Body, want) != tt.heard || g.lines.resolved[c.node()] != tt.heard {
				t.Errorf("heard, want %v:\n%s\nresolved: %v\n%s", tt.heard, c.Body, g.lines.resolved[c.node()], g.body(t))
			}
			if !tt.heard {
				return
			}
			// The finding stays dismissed when the request to dismiss it is gone.
			g.lines.issue, c.down = nil, nil
			g.lines.comments = slices.DeleteFunc(g.lines.comments, func(c *fakeComment) bool { return c.InReplyTo != 0 })
			g.push(t, fixture(t))
			if body := g.body(t); strings.Count(body, want) != 1 || strings.Contains(body, "- `parse.go:41`") || len(handles(body)) != 3 {
				t.Errorf("the third push says\n%s", body)
			}
		})
	}
}

func TestWhoMayWriteIsGuessedWhereNobodyMayAsk(t *testing.T) {
	for association, heard := range map[string]bool{"OWNER": true, "MEMBER": true, "COLLABORATOR": true, "CONTRIBUTOR": false, "NONE": false} {
		t.Run(association, func(t *testing.T) {
			g := inlineGitHub(t)
			g.push(t, fixture(t))
			for _, place := range []string{gap, wide} {
				g.reply(g.at(t, place).ID, octocat, "ignore").association = association
			}
			g.at(t, crashed).down = []*fakeUser{octocat} // reactions have no association
			g.requests = nil
			g.push(t, fixture(t))
			if body := g.body(t); strings.Contains(body, "`parse.go:41`~~ dismissed by `octocat`") != heard || strings.Contains(g.at(t, crashed).Body, "dismissed") {
				t.Errorf("heard, want %v:\n%s", heard, body)
			}
			asked := slices.DeleteFunc(slices.Clone(g.requests), func(request string) bool { return !strings.HasSuffix(request, "/permission") })
			if len(asked) != 1 {
				t.Errorf("asked %q, want once", asked)
			}
		})
	}
}

func TestDismissalWorksWithoutCommentsAtLines(t *testing.T) {
	g := newFakeGitHub(t)
	g.lines.rights = map[string]string{"octocat": "admin"}
	newJob(t, g).post(t, fixture(t))
	list := handles(g.body(t))
	if len(list) != 4 {
		t.Fatalf("handles %q in\n%s", list, g.body(t))
	}
	g.lines.issue = []*fakeComment{
		{Body: "ignore " + list[0], author: octocat}, {Body: "ignore " + list[2] + " as " + list[3], author: octocat},
	}
	g.requests = nil
	outcome := newJob(t, g).post(t, fixture(t))
	if n := len(outcome.Dismissed); n == 0 || outcome.Dismissed[0].Function == "" || outcome.Dismissed[0].Reason == "" {
		t.Errorf("dismissed: %+v", outcome.Dismissed)
	}
	body := g.body(t)
	if got := handles(body); !slices.Equal(got, []string{list[1], list[3]}) {
		t.Errorf("open are %q, want the second and the fourth of %q", got, list)
	}
	if strings.Contains(body, "2 more edits") || !strings.Contains(body, "~~`FuzzParse`~~ dismissed by `octocat`\n") {
		t.Errorf("the body is\n%s", body)
	}
	if n := strings.Count(strings.Join(g.requests, "\n"), "/permission"); n != 1 {
		t.Errorf("asked %d times what one person may do", n)
	}
}

func TestCommentsThatCannotBeReadAreNoReasonNotToPost(t *testing.T) {
	for _, path := range []string{"/repos/o/r/issues/7/comments", "/repos/o/r/pulls/7/comments"} {
		g := newFakeGitHub(t)
		newJob(t, g).post(t, fixture(t))
		g.answers = []answer{{method: "GET", path: path, status: 403, body: message("Resource not accessible by integration")}}
		j := newJob(t, g)
		if outcome := j.post(t, fixture(t)); outcome.Action != Updated || strings.Count(j.out.String(), "::warning::") != 1 {
			t.Errorf("%s: %s, %q", path, outcome.Action, j.out.String())
		}
	}
}

// The entries that a review offers for the configuration file have to dismiss the same mutants there.
func TestOfferedEntriesDismissTheSameMutants(t *testing.T) {
	g := inlineGitHub(t)
	g.lines.rights = map[string]string{"octocat": "maintain"}
	g.push(t, fixture(t))
	for _, place := range []string{gap, wide, crashed} {
		g.reply(g.at(t, place).ID, octocat, `ignore it's "fine": #1`)
	}
	g.push(t, fixture(t))
	_, offered, _ := strings.Cut(g.body(t), "```yaml\n")
	offered, _, _ = strings.Cut(offered, "```")
	c, err := config.Decode([]byte(offered), []string{"relational", "logical", "statement-deletion", "condition", "hunk-reversal"})
	if err != nil {
		t.Fatalf("%v in\n%s", err, g.body(t))
	}
	r := fixture(t)
	for i, dismissed := range []bool{true, false, true, false, true, false} {
		m := &r.Mutants[i]
		list := c.Matching(m.Function, m.Operator, edit.Text(m))
		if (len(list) == 1) != dismissed || dismissed && list[0].Reason != `it's "fine": #1` {
			t.Errorf("%s is dismissed by %+v in\n%s", m.ID, list, offered)
		}
	}
}
