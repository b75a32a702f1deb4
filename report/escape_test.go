package report

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"github.com/mutantfuzz/mutantfuzz/report/results"
)

func TestCodeSpansHoldWhatTheyAreGiven(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", "n > 0", "`n > 0`"},
		{"empty", "", "(empty)"},
		{"backtick inside", "a`b", "``a`b``"},
		{"backtick at the start", "`a", "`` `a ``"},
		{"backtick at the end", "a`", "`` a` ``"},
		{"run of backticks", "a```b", "````a```b````"},
		{"spaces at both ends", " a ", "`  a  `"},
		{"only spaces", "  ", "`  `"},
		{"line break", "a\nb", "`a b`"},
		{"escape sequence", "a\x1b[31m", "`a\uFFFD[31m`"},
		{"right-to-left override", "a\u202Eb", "`a\uFFFDb`"},
		{"invalid UTF-8", "a\xffb", "`a\uFFFDb`"},
		{"old workflow command", "##[error]", "`##\u200B[error]`"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := code(tt.in); got != tt.want {
				t.Errorf("code(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestCodeSpansAreShortened(t *testing.T) {
	if got, want := code(strings.Repeat("ä", maxInline)), "`"+strings.Repeat("ä", maxInline)+"`"; got != want {
		t.Errorf("a string of the greatest length was changed to %q", got)
	}
	if got, want := code(strings.Repeat("ä", maxInline+1)), "`"+strings.Repeat("ä", maxInline-1)+"…`"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestFencesAreLongerThanAnyRunOfBackticks(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", "x := 1\n", "```go\nx := 1\n```\n"},
		{"fence inside", "```\n@all\n```", "````go\n```\n@all\n```\n````\n"},
		{"windows line ends", "a\r\nb", "```go\na\nb\n```\n"},
		{"carriage return", "a\rb", "```go\na\uFFFDb\n```\n"},
		{"workflow command", "::error::x", "```go\n:\u200B:error::x\n```\n"},
		{"indented workflow command", "a\n\t ::error::x", "```go\na\n\t :\u200B:error::x\n```\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := fence("go", tt.in); got != tt.want {
				t.Errorf("fence(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestSummariesEscapeHTML(t *testing.T) {
	if got, want := htmlCode("</code><img src=x>\n\n@a"), "<code>&lt;/code&gt;&lt;img src=x&gt;  @a</code>"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestShellWordsAreQuoted(t *testing.T) {
	tests := map[string]string{
		"3f9a":           "3f9a",
		"example.com/a":  "example.com/a",
		"":               "''",
		"$(rm -rf ~)":    "'$(rm -rf ~)'",
		"it's; a `trap`": `'it'\''s; a ` + "`trap`'",
		"ünï":            "'ünï'",
	}
	for in, want := range tests {
		if got := shellQuote(in); got != want {
			t.Errorf("shellQuote(%q) = %s, want %s", in, got, want)
		}
	}
}

// sentinel marks foreign text in what the fuzz targets render. No other text
// has these letters.
const sentinel = "QZQ"

// hostile returns the fixture with s in every string a build could choose,
// between sentinels.
func hostile(t testing.TB, s string) *results.Results {
	t.Helper()
	r := fixture(t)
	evil := func(fields ...*string) {
		for _, f := range fields {
			*f = sentinel + s + sentinel
		}
	}
	for i := range r.Mutants {
		m := &r.Mutants[i]
		evil(&m.ID, &m.Function, &m.Operator, &m.File, &m.Original, &m.Replacement, &m.Context, &m.Reason)
		m.ID += plain(i)
		m.Line = i + 1
		if x := m.ExposedBy; x != nil {
			evil(&x.Harness, &x.Entry, &x.Site, &x.Original, &x.Mutant, &x.Call, &x.Test, &x.TestFile)
		}
		if k := m.KilledBy; k != nil {
			evil(&k.Name, &k.Entry)
		}
	}
	for i := range r.Crashes {
		c := &r.Crashes[i]
		evil(&c.Harness, &c.Entry, &c.Message, &c.Stack)
	}
	for i := range r.Corpus.New {
		e := &r.Corpus.New[i]
		evil(&e.ID, &e.Harness, &e.Path)
		e.Values = []string{sentinel + s + sentinel}
	}
	for i := range r.Skeletons {
		evil(&r.Skeletons[i].Function, &r.Skeletons[i].File, &r.Skeletons[i].Source)
	}
	for i := range r.Warnings {
		evil(&r.Warnings[i])
	}
	return r
}

var attacks = []string{
	"@octocat", "```\n@all\n```", "``` `` ` @a", "`", " ` ", "\n\n# heading\n\n@a",
	"</details><script>alert(1)</script>", "</code></summary>@a", "[x](https://example.com)",
	"https://example.com www.example.com", "![x](y)", "<!-- mutantfuzz -->", "-->", "::error::x",
	"\n::set-output name=a::b", "\n##[command]x", "\r::error::x", "\u2028::error::x", "\x1b[2J", "~~~\n@a\n~~~",
	"\\", "\\`@a\\`", "a\\", "|", "$`x`$", "\u202E", "#1", "GH-1", "\xff\xfe", "\n> quote", "\n\n    @a", "\t@a", "~~",
}

// FuzzForeignTextStaysInCode checks, with a reader of Markdown's code blocks
// and spans that is written from the specification and shares nothing with the
// renderer, that no foreign text is outside of code.
func FuzzForeignTextStaysInCode(f *testing.F) {
	for _, s := range attacks {
		f.Add(s, 0)
		f.Add(s, 3000)
	}
	f.Fuzz(func(t *testing.T, s string, limit int) {
		r := hostile(t, s)
		past := Select(r, nil, 0).History
		past.Shown = append(past.Shown, Shown{Key: "0", Where: sentinel + s + sentinel, Fate: Open})
		selection := Select(r, &past, 0)
		body := Markdown(r, Options{Selection: &selection, Limit: limit})
		rest := outsideCode(body)
		if strings.Contains(rest, sentinel) || strings.ContainsAny(rest, "@[]\\") {
			t.Errorf("foreign text outside of code:\n%s\n\nin the body:\n%s", rest, body)
		}
		noLogCommands(t, body)
	})
}

func FuzzTerminalsAreNotSteered(f *testing.F) {
	for _, s := range attacks {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r := hostile(t, s)
		var b strings.Builder
		if err := Text(&b, r, TextOptions{}); err != nil {
			t.Fatal(err)
		}
		for i := range r.Mutants {
			if err := Explain(&b, r, r.Mutants[i].ID, ExplainOptions{TextOptions: TextOptions{Width: 20}}); err != nil {
				t.Fatal(err)
			}
		}
		for _, c := range b.String() {
			if unicode.IsControl(c) && c != '\n' && c != '\t' {
				t.Fatalf("control character %U in the output", c)
			}
		}
		noLogCommands(t, b.String())
	})
}

// noLogCommands checks that a CI runner which logs s finds no command in it.
func noLogCommands(t *testing.T, s string) {
	t.Helper()
	for line := range strings.Lines(s) {
		if strings.HasPrefix(strings.TrimSpace(line), "::") || strings.Contains(line, "##[") {
			t.Errorf("workflow command %q", line)
		}
	}
}

// outsideCode returns what of body is in no fenced code block, code span or
// <code> element (CommonMark 0.31, sections 4.5, 4.6 and 6.1).
func outsideCode(body string) string {
	var rest, paragraph strings.Builder
	flush := func() {
		rest.WriteString(withoutSpans(paragraph.String()))
		paragraph.Reset()
	}
	fence := ""
	for line := range strings.Lines(body) {
		text := strings.TrimRight(line, "\n")
		ticks := text[:len(text)-len(strings.TrimLeft(text, "`"))]
		switch {
		case fence != "":
			if len(ticks) >= len(fence) && strings.TrimSpace(text[len(ticks):]) == "" {
				fence = ""
			}
		case len(ticks) >= 3 && !strings.Contains(text[len(ticks):], "`"):
			flush()
			fence = ticks
		case strings.HasPrefix(text, "<details>"), strings.HasPrefix(text, "</details>"):
			flush()
			rest.WriteString(withoutElements(line))
		case text == "":
			flush()
		default:
			if strings.HasPrefix(text, "- ") {
				flush()
			}
			paragraph.WriteString(line)
		}
	}
	flush()
	return rest.String()
}

// withoutSpans removes the code spans of one paragraph.
func withoutSpans(s string) string {
	var rest strings.Builder
	for {
		open := strings.IndexByte(s, '`')
		if open < 0 {
			return rest.String() + s
		}
		rest.WriteString(s[:open])
		s = s[open:]
		n := len(s) - len(strings.TrimLeft(s, "`"))
		if end := closing(s[n:], n); end >= 0 {
			s = s[n+end+n:]
		} else {
			rest.WriteString(s[:n])
			s = s[n:]
		}
	}
}

// closing returns the index in s of the first run of exactly n backticks.
func closing(s string, n int) int {
	for i := 0; i < len(s); {
		if s[i] != '`' {
			i++
			continue
		}
		run := len(s[i:]) - len(strings.TrimLeft(s[i:], "`"))
		if run == n {
			return i
		}
		i += run
	}
	return -1
}

// withoutElements removes the <code> elements of a line of HTML.
func withoutElements(s string) string {
	for {
		before, rest, ok := strings.Cut(s, "<code>")
		if !ok {
			return s
		}
		_, after, ok := strings.Cut(rest, "</code>")
		if !ok {
			return s
		}
		s = before + after
	}
}

func TestOracleSeesWhatIsOutsideOfCode(t *testing.T) {
	tests := map[string]string{
		"a `b` c\n":                     "a  c\n",
		"a ``b`c`` d\n":                 "a  d\n",
		"a `b\n":                        "a `b\n",
		"```\nx\n```\ny\n":              "y\n",
		"````\n```\nx\n````\ny\n":       "y\n",
		"<details>a <code>b</code> c\n": "<details>a  c\n",
		"`a\n\nb`\n":                    "`a\nb`\n",
	}
	for in, want := range tests {
		if got := outsideCode(in); got != want {
			t.Errorf("outsideCode(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestHostileResultsAreStillValid(t *testing.T) {
	for _, s := range attacks {
		data, err := results.Encode(hostile(t, s))
		if err != nil {
			t.Fatal(err)
		}
		if !json.Valid(data) || results.Validate(data) != nil {
			t.Errorf("with %q in every string the results are no longer valid: the attack would not get this far", s)
		}
	}
}
