package gfm

import (
	"os/exec"
	"strings"
	"testing"
)

func TestOutlineIsWhatIsOutsideOfCode(t *testing.T) {
	tests := []struct{ name, markdown, want string }{
		{"span", "a `@b` c", "<p>a <code></code> c</p>\n"},
		{"backtick in a span", "a ``@`c`` d", "<p>a <code></code> d</p>\n"},
		{"open span", "``a`", "<p>``a`</p>\n"},
		{"fence", "```go\n@x\n```\ny\n", "<pre><code></code></pre>\n<p>y</p>\n"},
		{"element", "<details><summary>a <code>@b</code></summary>\n\nc\n\n</details>", "<details><summary>a <code></code></summary>\n<p>c</p>\n</details>"},
		{"comment", "<!-- a -->\n\nb", "<!-- a -->\n<p>b</p>\n"},
		{"longest span", strings.Repeat("`", 80) + "@b" + strings.Repeat("`", 80), "<p><code></code></p>\n"},
		{"longest fence", strings.Repeat("`", 255) + "\n" + strings.Repeat("`", 254) + "\n@a\n" + strings.Repeat("`", 255), "<pre><code></code></pre>\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			html, err := HTML(tt.markdown)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := Outline(html); err != nil || strings.TrimSpace(got) != strings.TrimSpace(tt.want) {
				t.Errorf("got %q, %v; want %q", got, err, tt.want)
			}
		})
	}
}

// alive has Markdown, by name, in which something is not inert.
var alive = map[string]string{
	"mention":               "a @octocat",
	"issue":                 "see #12",
	"issue by prefix":       "see GH-12",
	"commit":                "see 0123abc",
	"link":                  "[a](b)",
	"address":               "https://example.com",
	"bare address":          "www.example.com",
	"image":                 "![a](b)",
	"element":               "a <img src=\"x\"/>",
	"attribute":             "a <code onclick=\"x\">b</code>",
	"open element":          "<details>\n\na",
	"ordered list":          "1. a\n",
	"span of 81 backticks":  strings.Repeat("`", 81) + "@b" + strings.Repeat("`", 81),
	"fence of 300, and 299": strings.Repeat("`", 300) + "\n" + strings.Repeat("`", 299) + "\n@a\n" + strings.Repeat("`", 300),
}

func TestOutlineRefusesWhatIsAlive(t *testing.T) {
	for name, markdown := range alive {
		html, err := HTML(markdown)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Outline(html); err == nil {
			t.Errorf("%s: %q passes", name, html)
		}
	}
}

func TestCmarkAgrees(t *testing.T) {
	if _, err := exec.LookPath("cmark-gfm"); err != nil {
		t.Skip("there is no cmark-gfm here")
	}
	for name, markdown := range alive {
		ours, err := HTML(markdown)
		if err != nil {
			t.Fatal(err)
		}
		theirs, err := Cmark(markdown)
		if err != nil {
			t.Fatal(err)
		}
		a, errA := Outline(ours)
		b, errB := Outline(theirs)
		if (errA == nil) != (errB == nil) || a != b {
			t.Errorf("%s: %q, %v; cmark-gfm %q, %v", name, a, errA, b, errB)
		}
	}
}
