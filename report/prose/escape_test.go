package prose

import (
	"strings"
	"testing"
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
			if got := Code(tt.in); got != tt.want {
				t.Errorf("code(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestCodeSpansAreShortened(t *testing.T) {
	if got, want := Code(strings.Repeat("ä", MaxInline)), "`"+strings.Repeat("ä", MaxInline)+"`"; got != want {
		t.Errorf("a string of the greatest length was changed to %q", got)
	}
	if got, want := Code(strings.Repeat("ä", MaxInline+1)), "`"+strings.Repeat("ä", MaxInline-1)+"…`"; got != want {
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
			if got := Fence("go", tt.in); got != tt.want {
				t.Errorf("fence(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func TestSummariesEscapeHTML(t *testing.T) {
	if got, want := HTMLCode("</code><img src=x>\n\n@a"), "<code>&lt;/code&gt;&lt;img src=x&gt;  @a</code>"; got != want {
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
		"-tags=a,b":      "-tags=a,b",
	}
	for in, want := range tests {
		if got := ShellWord(in); got != want {
			t.Errorf("ShellWord(%q) = %s, want %s", in, got, want)
		}
	}
}
